#pragma once

#include <cstdint>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/estimation/latency_histogram.hpp"

/// The two experiments of [Seed003, §5] on the testbed, simulated.
namespace eslabon::benchmarks {

inline constexpr double kDegree = std::numbers::pi / 180.0;  ///< [rad]

/// §5.1: the motor turns the crank at 1.8190 rad/s; what inertial units on coupler and rocker measure beside what kinematics predict.
/// Predictions are by the constant speed of the motor, as in the source, or by the encoder on the crank, 1024 pulses per turn.
struct KinematicError {
  std::string name;   ///< "coupler_angle"
  std::string what;   ///< "coupler angle, by motor"
  std::string unit;   ///< "rad"
  double rmse = 0.0;  ///< root mean square of the differences over the run
  std::optional<double> published = {};
};
/// The errors that the simulated sensors have; those of the source are not told but for the gyroscopes.
inline constexpr double kPitchNoise = 0.3;         ///< [deg] of angles of an inertial unit; chosen
inline constexpr double kGyroscopeNoise = 0.5;     ///< [deg/s] [Seed003, §5.2]
inline constexpr double kSpeedDeviation = 0.0042;  ///< [rad/s] of the motor [Seed003, §4]
std::vector<KinematicError> run_kinematic_experiment(std::uint64_t seed);

/// A filter with its choices.
struct FilterWay {
  std::string name;  ///< "dekf, simple Jacobian, euler"
  std::string filter;
  bool exact_jacobian = true;
  std::string integrator = "heun";
  bool estimates_force = false;
};

/// §5.2: the linkage is let go, and comes to rest by friction that the filter does not know.
struct DynamicErrors {
  double mean_rmse = 0.0, worst_rmse = 0.0;  ///< of the crank's angle while it moves, over the seeds [rad]
  double warned_after = 0.0;  ///< from the stop until the indicator says so, the longest [s]; negative: never
  double false_alarms = 0.0;  ///< part of the moving time in which it said so
  estimation::LatencyHistogram step_times;
};

/// The true motion, the same for all.
class DynamicExperiment {
 public:
  DynamicExperiment();
  ~DynamicExperiment();
  DynamicErrors run(const FilterWay& way, int num_seeds) const;
  double stops_at() const;  ///< [s]

 private:
  struct Truth;
  std::unique_ptr<Truth> truth_;
};

}  // namespace eslabon::benchmarks
