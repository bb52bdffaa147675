#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/simulated_case.hpp"

#include "eslabon/io/mechanism/model_source.hpp"

/// Runs of models/quarter-vehicle.yaml: the vehicle of [Seed002].
namespace eslabon::test {

inline constexpr double kVehicleRun = 5.0;  ///< [s]

inline model::Mechanism quarter_vehicle(const std::vector<std::string>& settings = {}) {
  return io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/quarter-vehicle.yaml", settings);
}

/// The formulation of [Seed002]. `tolerance`: of a step. Steps do not pass over the bump.
inline Way by_multipliers(const std::string& integrator, double tolerance,
                          std::optional<dynamics::Baumgarte> baumgarte) {
  if (integrator == "bdf") tolerance /= integration::kPartOfBdfStep;
  return {.formulation = "multipliers",
          .kind = "reference-point",
          .integrator = integrator,
          .options = {.rtol = tolerance, .atol = tolerance, .largest_step = 0.005},
          .baumgarte = baumgarte};
}
inline Way by_multipliers_stabilised(double tolerance) {
  return by_multipliers("dopri5", tolerance, dynamics::Baumgarte{50.0, 0.5});
}
inline Way by_semi_recursion(double tolerance) {
  return {.formulation = "semi-recursive",
          .kind = "relative",
          .options = {.rtol = tolerance, .atol = tolerance, .largest_step = 0.005}};
}

/// Every 20 ms of the run, without its start.
inline std::vector<double> vehicle_times() {
  std::vector<double> times;
  for (int k = 1; k <= 250; ++k) times.push_back(0.02 * k);
  return times;
}

/// Where the bodies are at these times.
inline std::vector<coordinates::MechanismMotion> motions(const model::Mechanism& mechanism, const Way& way,
                                                         const std::vector<double>& times) {
  SimulatedCase run(mechanism, times.back(), way);
  std::vector<coordinates::MechanismMotion> out;
  for (const double t : times) {
    EXPECT_TRUE(run.advance_to(t)) << t;
    out.push_back(run.bodies);
  }
  return out;
}

/// The largest distance of two runs: origins of all bodies [m].
inline double largest_distance(const std::vector<coordinates::MechanismMotion>& a,
                               const std::vector<coordinates::MechanismMotion>& b) {
  double largest = a.size() == b.size() ? 0.0 : std::nan("");
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    for (std::size_t i = 1; i < a[k].size(); ++i)
      largest = std::max(largest, (a[k][i].X_WB.p_AB_A - b[k][i].X_WB.p_AB_A).norm());
  return largest;
}

/// How far the wheel's centre went from its start [m]: a comparison of vehicles that stand still would say nothing.
inline double largest_travel(const std::vector<coordinates::MechanismMotion>& run) {
  double largest = 0.0;
  for (const auto& bodies : run)
    largest =
        std::max(largest, (bodies[bodies.size() - 2].X_WB.p_AB_A - Eigen::Vector3d(0.0, 0.45, -0.06)).norm());
  return largest;
}

}  // namespace eslabon::test
