#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "eslabon/estimation/latency_histogram.hpp"

/// The runs of `eslabon bench estimation`: the two experiments of [Seed003, §5] on the testbed, simulated.
namespace eslabon::cli {

/// §5.1: the motor turns the crank at 1.8190 rad/s; what inertial units on coupler and rocker measure beside what kinematics predict.
/// Root mean square of the differences over the run.
struct KinematicErrors {
  // Prediction by the constant speed of the motor, as in the source.
  double coupler_angle = 0.0, rocker_angle = 0.0;  ///< [rad]
  double coupler_rate = 0.0, rocker_rate = 0.0;    ///< [rad/s]
  // Prediction by what the encoder on the crank reads, 1024 pulses per turn.
  double encoder_coupler_angle = 0.0, encoder_rocker_angle = 0.0;
  double rocker_encoder = 0.0;  ///< the encoder on the rocker, 10 000 pulses per turn, beside that [rad]
  double p1 = 0.0, p2 = 0.0,
         p3 = 0.0;  ///< points by angles of the inertial units alone, eq. (11), beside kinematics [m]
  double p3_x_acceleration = 0.0, p3_y_acceleration = 0.0;  ///< of P3 in world axes by eq. (10) [m/s²]
};
/// The errors that the simulated sensors have; those of the source are not told but for the gyroscopes.
inline constexpr double kPitchNoise = 0.3;         ///< [deg] of angles of an inertial unit; chosen
inline constexpr double kGyroscopeNoise = 0.5;     ///< [deg/s] [Seed003, §5.2]
inline constexpr double kSpeedDeviation = 0.0042;  ///< [rad/s] of the motor [Seed003, §4]
KinematicErrors run_kinematic_experiment(std::uint64_t seed);

/// A filter with its choices.
struct FilterWay {
  std::string name;  ///< "dekf, simple"
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

}  // namespace eslabon::cli
