#include "eslabon/kinematics/singularity_probe.hpp"

#include <algorithm>

#include "eslabon/core/linalg/orthogonal.hpp"
#include "eslabon/kinematics/global/kinematic_solver.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::CoordinateValue;

/// Whether the columns of Phi_q are dependent to 1e-6, lengths in units of the size and all rows of the same size.
bool is_rank_deficient(const coordinates::ConstraintSystem& system, double length,
                       std::span<const CoordinateValue> values, std::span<const double> q) {
  constexpr double kSingular = 1e-6;
  coordinates::PositionLevel positions;
  system.evaluate_positions(q, values, positions);
  Eigen::MatrixXd Phi_q = system.dense(positions.Phi_q);
  for (Eigen::Index c = 0; c < Phi_q.cols(); ++c)
    if (system.coordinates()[static_cast<std::size_t>(c)].dimension == core::kLength)
      Phi_q.col(c) /= 1.0 / length;
  for (Eigen::Index r = 0; r < Phi_q.rows(); ++r)
    Phi_q.row(r) /= std::max(Phi_q.row(r).lpNorm<Eigen::Infinity>(), 1e-300);
  const auto pivots = core::pivoted_qr(Phi_q).R.diagonal().head(Phi_q.cols()).cwiseAbs().eval();
  return !(pivots.minCoeff() > kSingular * pivots.maxCoeff());
}

}  // namespace

SingularityProbe::SingularityProbe(KinematicMethod& method, const DrivenMechanism& driven)
    : method_(&method),
      global_(dynamic_cast<KinematicSolver*>(&method)),
      driven_(driven),
      bodies_(driven.mechanism().bodies().size()) {}

SingularityProbe::~SingularityProbe() = default;
SingularityProbe::SingularityProbe(SingularityProbe&&) noexcept = default;
SingularityProbe& SingularityProbe::operator=(SingularityProbe&&) noexcept = default;

bool SingularityProbe::is_singular(std::span<const CoordinateValue> values, std::span<const double> q) {
  const State state = in_all_coordinates(q);
  const coordinates::ConstraintSystem& system = solver().system();
  // Where no row repeats others, the sign that has changed is of all rows.
  return static_cast<int>(solver().rows().size()) == system.num_rows() ||
         is_rank_deficient(system, solver().length(), values, state.q);
}

std::vector<std::string> SingularityProbe::joints_that_nearly_move(std::span<const CoordinateValue> values,
                                                                   std::span<const double> q) {
  State state = in_all_coordinates(q);
  if (!is_global() && solver().solve_positions(values, 0, state.q).report.is_singular) return {};
  return solver().joints_that_nearly_move(state.q);
}

std::optional<MotionEvent> SingularityProbe::find_limit(const State& state, double step, double until) {
  const State point = in_all_coordinates(state);
  return kinematics::find_limit(solver(), driven_, point, step, until);
}

KinematicSolver& SingularityProbe::solver() {
  if (is_global()) return *global_;
  if (!made_) made_ = std::make_unique<KinematicSolver>("sparse", "natural", driven_);
  return *made_;
}

State SingularityProbe::in_all_coordinates(const State& state) {
  if (is_global()) return state;
  method_->evaluate_bodies(state, bodies_);
  return solver().state_of(bodies_, state.t);
}

State SingularityProbe::in_all_coordinates(std::span<const double> q) {
  return in_all_coordinates(
      {0.0, {q.begin(), q.end()}, std::vector<double>(q.size()), std::vector<double>(q.size())});
}

}  // namespace eslabon::kinematics
