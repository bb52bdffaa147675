#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/core/result_table.hpp"
#include "eslabon/core/time/time.hpp"
#include "eslabon/runs/run_observer.hpp"
#include "eslabon/runs/sensing/taken_readings.hpp"
#include "eslabon/structure/structure.hpp"

namespace eslabon::runs {

/// What the sensors of a mechanism would read in a motion: one that is simulated, or one that was recorded.
struct SenseRequest {
  std::optional<core::Duration> until = {};              ///< the mechanism is simulated up to there, …
  std::optional<core::ResultTable> truth = {};           ///< … or it moves as these results say
  std::vector<std::string> release = {};                 ///< drivers that are released before it is simulated
  std::optional<std::string> branch = {};                ///< of the start; none: that of the start values
  std::optional<std::vector<std::string>> sensors = {};  ///< none: all
  core::Duration every = core::Duration::from_nanoseconds(1'000'000);  ///< for sensors without a rate
  std::uint64_t seed = 1;  ///< the same seed gives the same readings, bit for bit
};

/// Throws RequestError for times that are not positive, and for fields that do not go together. The table may be empty still.
void check_request(const SenseRequest& request);

struct SenseResult {
  TakenReadings taken;
  std::vector<std::string> notes = {};  ///< about rows of the truth that are too far apart, a sentence each
  bool is_complete = true;              ///< false: the observer stopped it
  double reached = 0.0;                 ///< [s]
};

/// A motion and the sensors that will read it.
class SenseRun {
 public:
  /// Throws RequestError, core::DataError for a truth that is none of the mechanism, and core::ModelError.
  SenseRun(const model::Mechanism& mechanism, SenseRequest request, RunObserver& observer);
  SenseRun(const SenseRun&) = delete;
  SenseRun& operator=(const SenseRun&) = delete;

  const model::Mechanism& mechanism() const { return mechanism_; }  ///< whose motion it is, drivers released
  const std::vector<ChosenSensor>& sensors() const { return sensors_; }
  std::vector<sensing::SensorFacts> facts() const;
  double begin() const { return motion_->begin(); }  ///< [s]
  double end() const { return motion_->end(); }      ///< [s]

  /// Once. Sensors are numbered as sensors() has them. Throws core::DataError when rows of the truth are too far apart for what is read between them.
  SenseResult run(RunObserver& observer);

 private:
  std::unique_ptr<TrueMotion> make_motion(RunObserver& observer);

  SenseRequest request_;
  model::Mechanism loaded_;  ///< with its drivers
  model::Mechanism mechanism_;
  structure::Structure structure_;
  std::unique_ptr<TrueMotion> motion_;
  std::vector<ChosenSensor> sensors_;
};

/// All of it at once. Sensors are numbered as the mechanism has them, as `estimate` reads them.
SenseResult sense(const model::Mechanism& mechanism, const SenseRequest& request);
SenseResult sense(const model::Mechanism& mechanism, const SenseRequest& request, RunObserver& observer);

}  // namespace eslabon::runs
