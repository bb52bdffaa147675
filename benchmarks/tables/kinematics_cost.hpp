#pragma once

#include <string>

/// The efficiency study of [Seed001, §4.2].
namespace eslabon::benchmarks {

/// What one full solution (positions, velocities, accelerations, all checks of a motion) costs.
struct SolutionCost {
  double seconds = 0.0;
  // Parts of it, in all 1.
  double jacobian = 0.0;      ///< Phi_q
  double residual = 0.0;      ///< Phi
  double solve = 0.0;         ///< factors and solutions of linear equations, or the groups in order
  double coefficients = 0.0;  ///< K and L
  double other = 0.0;         ///< right-hand sides, prediction, checks
};

/// The scalable four-bar with so many dyads, its crank 0.01 rad farther per solution. `method`: a name of
/// kinematics::method_names(), global ones in natural coordinates.
SolutionCost measure_scalable_fourbar(int dyads, const std::string& method);

inline constexpr int kTruckSolutions = 400;  ///< of a run of the truck

/// Time of the run of [Seed001, §4.1.2], 20 s in steps of 0.05 s, with so many axles [s].
double measure_truck_run(int axles, const std::string& method);

}  // namespace eslabon::benchmarks
