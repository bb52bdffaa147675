#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace eslabon::cli {

/// Adds the sub-command `bench`.
void add_bench_command(CLI::App& app);

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

/// Time of the run of [Seed001, §4.1.2], 20 s in steps of 0.05 s, with so many axles [s].
double measure_truck_run(int axles, const std::string& method);

/// Least-squares exponent p of  time ~ size^p.
double fitted_exponent(const std::vector<double>& sizes, const std::vector<double>& times);

}  // namespace eslabon::cli
