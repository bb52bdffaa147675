#pragma once

#include <memory>
#include <span>
#include <vector>

#include "eslabon/core/geometry/pose.hpp"
#include "eslabon/estimation/hypotheses.hpp"
#include "eslabon/estimation/particle/swarm.hpp"
#include "eslabon/estimation/system.hpp"

namespace eslabon::estimation {

/// What filters have beside an Estimator whose estimate is many states with weights: particles, or the nodes of a grid.
class ManyStates {
 public:
  /// Begins where nothing is known of the position, nor of the branch. False: no position was found.
  [[nodiscard]] virtual bool start_unknown(double t, const UnknownStart& start) = 0;
  /// All of them at the present time, or `most` ≥ 1 by choose_by_weight. False: they have no bodies. May allocate.
  [[nodiscard]] virtual bool find_hypotheses(std::size_t most, Hypotheses& out) = 0;
  /// log p(y_1 … y_k) of the readings so far.
  virtual double log_evidence() const = 0;

 protected:
  ~ManyStates() = default;
};

/// What filters tell by themselves whose mean is no state, so that nothing follows from it.
class Particles {
 public:
  /// What read_output() tells from now on. False: it cannot; outputs are those of the mean.
  [[nodiscard]] virtual bool set_outputs(
      const std::vector<std::shared_ptr<const sensing::Instrument>>& outputs) = 0;
  /// Mean and deviation (channels) of output k at the present time.
  virtual void read_output(int output, StateRef mean, StateRef deviation) = 0;
  /// What the sensor is expected to read (m) now. False: System::measure of the mean tells it.
  [[nodiscard]] virtual bool expect_reading(int sensor, StateRef y) = 0;
  /// (bodies of the system) Where those of a particle near the mean are. False: those of the mean. May allocate.
  [[nodiscard]] virtual bool find_poses(std::span<core::Pose<double>> X_WB) = 0;
  virtual long num_resamplings() const = 0;  ///< since the start
  virtual long num_recoveries() const = 0;   ///< since the start: spread because nobody expected what came

 protected:
  ~Particles() = default;
};

}  // namespace eslabon::estimation
