#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench_case.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `bench`.
void add_bench_command(CLI::App& app, const Presentation& presentation);

struct KinematicsBenchOptions {
  std::string dyads = "1,3,7,17,35,71,143,400,1000,10000";
  std::string axles = "1,2,3,4,5";
  std::optional<std::string> out;
};
void run_kinematics_bench(const KinematicsBenchOptions& options, const Presentation& presentation);

struct DynamicsBenchOptions {
  std::string dyads = "1,17,40,100,400,1000";
  std::string chains = "20,100";
  std::optional<std::string> against;
  bool has_instructions = false;
  std::optional<std::string> out;
};
void run_dynamics_bench(const DynamicsBenchOptions& options, const Presentation& presentation);

struct ReferencesBenchOptions {
  std::optional<std::string> tolerance;
  std::optional<std::string> out;
};
/// Throws core::ModelError, after the page, when a problem misses what is accepted.
void run_references_bench(const ReferencesBenchOptions& options, const Presentation& presentation);

struct VehicleBenchOptions {
  std::optional<std::string> out;  ///< folder
};
void run_vehicle_bench(const VehicleBenchOptions& options, const Presentation& presentation);

struct EstimationBenchOptions {
  std::string seeds = "100";
};
void run_estimation_bench(const EstimationBenchOptions& options, const Presentation& presentation);

/// Numbers from 1 to `most` of a list "1,2,5".
std::vector<int> read_numbers(const std::string& option, const std::string& text, int most);
/// One whole number, 1 … most.
int read_count(const std::string& option, const std::string& text, int most);
/// "0.12", "22.6", "1234"
std::string microseconds(double seconds);

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

/// A formulation in one of its kinds of coordinates.
struct FormulationWay {
  std::string formulation;
  std::string kind;  ///< empty: it has coordinates of its own

  /// For people: with its coordinates where it has a choice of them.
  std::string name() const;
};
/// All there are, by the names of the formulations.
std::vector<FormulationWay> formulation_ways();

/// Seconds of one evaluation, from positions and velocities to the accelerations that are integrated; nothing where the formulation
/// refuses the mechanism.
std::optional<double> measure_evaluation(const BenchCase& at, const FormulationWay& way);

/// Least-squares exponent p of  time ~ size^p.
double fitted_exponent(const std::vector<double>& sizes, const std::vector<double>& times);

}  // namespace eslabon::cli
