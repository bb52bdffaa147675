#include "benchmarks/tables/kinematics_cost.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "benchmarks/tables/bench_clock.hpp"

#include "eslabon/core/text/error.hpp"
#include "eslabon/kinematics/drivers/driven_structure.hpp"
#include "eslabon/kinematics/global/kinematic_solver.hpp"
#include "eslabon/kinematics/groups/velocity_coefficients.hpp"
#include "eslabon/kinematics/motion.hpp"
#include "eslabon/model/families/family.hpp"

// Operations are not timed inside a solution, where looking at the clock costs as much as they do, but alone, as often as a solution
// does them, where the run ended.
namespace eslabon::benchmarks {

namespace {

using coordinates::CoordinateValue;
using kinematics::PlanarLink;

constexpr double kStep = 0.01;  // [rad] per solution, at 1 rad/s

/// A member of a family, assembled and driven.
struct Driven {
  Driven(const std::string& family, const std::string& key, int size)
      : mechanism(model::make_family(family, {{key, std::to_string(size)}})),
        structure(kinematics::analyse_driven_structure(mechanism)),
        driven(mechanism, structure, kinematics::assemble(mechanism, structure)) {}

  model::Mechanism mechanism;
  structure::Structure structure;
  kinematics::DrivenMechanism driven;
};

void advance(kinematics::Motion& motion, const model::Mechanism& mechanism, double t) {
  if (!motion.advance_to(t)) throw core::ModelError(motion.events().back().error_text(mechanism));
}

/// Seconds of the operations of a global method in one solution.
SolutionCost time_operations(const Driven& run, const std::string& method, double t, double iterations) {
  kinematics::KinematicSolver solver(method, "natural", run.driven);
  const coordinates::ConstraintSystem& system = solver.system();
  std::vector<CoordinateValue> values(run.driven.prescribed().size());
  run.driven.evaluate_or_throw(t, values);
  const kinematics::State state = solver.start();
  std::vector<double> positions;
  for (const CoordinateValue& value : values) positions.push_back(value.position);
  std::vector<double> Phi(static_cast<std::size_t>(system.num_rows())), x(state.q.size());
  coordinates::FeatureValues<double> features;
  coordinates::PositionLevel level;
  const double residual =
      time_of([&] { system.evaluate_residual<double>(state.q, positions, features, Phi); });
  const double both = time_of([&] { system.evaluate_positions(state.q, values, level); });
  const auto linear = method == "global" ? kinematics::make_dense_solver(system.pattern(), solver.rows())
                                         : kinematics::make_sparse_solver(system.pattern(), solver.rows());
  const double factor = time_of([&] { static_cast<void>(linear->factor(level.Phi_q)); });
  const double solve = time_of([&] { linear->solve(Phi, x); });
  // Each iteration evaluates, factors and solves; the last position is evaluated and factored for the rates, which take two
  // solutions.
  SolutionCost cost;
  cost.residual = (iterations + 1.0) * residual;
  cost.jacobian = (iterations + 1.0) * std::max(both - residual, 0.0);
  cost.solve = (iterations + 1.0) * factor + (iterations + 2.0) * solve;
  return cost;
}

/// The same of a method by groups.
SolutionCost time_groups(const Driven& run, const std::string& method, double t) {
  const kinematics::GroupKinematics<PlanarLink> groups(run.driven);
  auto at = groups.start();
  auto workspace = groups.make_workspace();
  std::vector<CoordinateValue> values(run.driven.prescribed().size());
  run.driven.evaluate_or_throw(t, values);
  SolutionCost cost;
  cost.solve = time_of([&] { static_cast<void>(groups.solve(values, at, workspace)); });
  if (method == "groups-tensor") {
    kinematics::VelocityCoefficientFinder<PlanarLink> finder(groups);
    const double all = time_of([&] { static_cast<void>(finder.find(values, at, workspace)); });
    cost.coefficients = std::max(all - cost.solve, 0.0);
  }
  return cost;
}

}  // namespace

SolutionCost measure_scalable_fourbar(int dyads, const std::string& method) {
  const Driven run("scalable-fourbar", "dyads", dyads);
  kinematics::Motion motion(method, "natural", run.driven, 1e9);
  long k = 0;
  const double seconds = time_of([&] { advance(motion, run.mechanism, kStep * static_cast<double>(++k)); });
  const double iterations = static_cast<double>(motion.statistics().iterations) /
                            static_cast<double>(std::max(1L, motion.statistics().steps));
  SolutionCost cost = kinematics::has_coordinates(method)
                          ? time_operations(run, method, motion.state().t, iterations)
                          : time_groups(run, method, motion.state().t);
  cost.seconds = seconds;
  double known = 0.0;
  for (double* part : {&cost.jacobian, &cost.residual, &cost.solve, &cost.coefficients}) {
    *part /= seconds;
    known += *part;
  }
  if (known > 1.0)  // measured apart they were disturbed more
    for (double* part : {&cost.jacobian, &cost.residual, &cost.solve, &cost.coefficients}) *part /= known;
  cost.other = std::max(1.0 - known, 0.0);
  return cost;
}

double measure_truck_run(int axles, const std::string& method) {
  const Driven run("truck-suspension", "axles", axles);
  const Clock::time_point begin = Clock::now();
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRepeats && (i == 0 || seconds_since(begin) < kPatience); ++i) {
    kinematics::Motion motion(method, "natural", run.driven, 20.0);
    const Clock::time_point start = Clock::now();
    for (int k = 1; k <= kTruckSolutions; ++k) advance(motion, run.mechanism, 0.05 * k);
    best = std::min(best, seconds_since(start));
  }
  return best;
}

}  // namespace eslabon::benchmarks
