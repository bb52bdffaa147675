#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/core/result_table.hpp"
#include "eslabon/dynamics/dynamic_model.hpp"
#include "eslabon/runs/run_observer.hpp"
#include "eslabon/runs/sensing/sensor_choice.hpp"
#include "eslabon/sensing/instrument.hpp"

namespace eslabon::runs {

/// Where the motion comes from that sensors read: a table, or a simulation. Asked in the order of time.
class TrueMotion {
 public:
  virtual ~TrueMotion() = default;
  virtual const dynamics::DynamicModel& model() const = 0;
  virtual double begin() const = 0;  ///< [s]
  virtual double end() const = 0;    ///< [s]
  /// Refers to what the next call changes. Throws core::ModelError when the motion cannot be had there.
  virtual sensing::Scene<double> at(double t) = 0;
  /// What is to be said of the instants that were asked for so far. Throws core::DataError when rows of a table were too far apart for what
  /// these sensors read between them.
  virtual std::vector<std::string> check_rows(const std::vector<ChosenSensor>& /*sensors*/) { return {}; }
};

/// A motion from a table of results, all of whose positions fit the mechanism; throws core::DataError where one does not. See
/// RecordedTruth.
std::unique_ptr<TrueMotion> recorded_motion(core::ResultTable table, const model::Mechanism& with_drivers,
                                            const model::Mechanism& released,
                                            const std::optional<std::string>& branch, RunObserver& observer);

/// The motion from this start, as 'simulate' computes it with its defaults.
std::unique_ptr<TrueMotion> simulate_motion(const model::Mechanism& mechanism,
                                            const structure::Structure& structure,
                                            const kinematics::AssemblyReport& start, double until);

}  // namespace eslabon::runs
