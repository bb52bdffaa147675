#include "eslabon/kinematics/global/kinematic_solver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "eslabon/core/text/error.hpp"
#include "eslabon/kinematics/assembly/least_squares.hpp"
#include "eslabon/kinematics/assembly/moving_joints.hpp"
#include "eslabon/kinematics/freedoms/row_rank.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::CoordinateValue;

/// The dense solver, or KLU.
std::unique_ptr<JacobianSolver> make_jacobian_solver(std::string_view method,
                                                     const coordinates::SparsePattern& pattern,
                                                     const std::vector<int>& rows) {
  return method == "global" ? make_dense_solver(pattern, rows) : make_sparse_solver(pattern, rows);
}

// After a correction this small the next one would be its square: roundoff.
constexpr double kLastCorrection = 1e-9;
// After a correction this small the Jacobian from before it is as good as the one after.
constexpr double kSameJacobian = 1e-13;

std::span<const double> span_of(const Eigen::VectorXd& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

}  // namespace

KinematicSolver::KinematicSolver(std::string_view method, std::string_view kind,
                                 const DrivenMechanism& driven)
    : method_(method),
      system_(kind, driven.mechanism(), driven.structure(), driven.prescribed()),
      driven_(driven),
      length_(coordinates::length_scale(driven.mechanism())) {
  for (const coordinates::Coordinate& coordinate : system_.coordinates())
    inverse_scale_.push_back(coordinate.dimension == core::kLength ? 1.0 / length_ : 1.0);
  correction_.resize(static_cast<std::size_t>(system_.num_coordinates()));

  std::vector<CoordinateValue> values(driven.prescribed().size());
  driven.evaluate_or_throw(0.0, values);
  const State at_start = start();
  bool is_regular = false;
  if (system_.num_rows() == system_.num_coordinates()) {
    rows_.resize(static_cast<std::size_t>(system_.num_rows()));
    std::iota(rows_.begin(), rows_.end(), 0);
    make_solver();
    system_.evaluate_positions(at_start.q, values, positions_);
    is_regular = solver_->factor(positions_.Phi_q);
  }
  if (!is_regular) is_regular = choose_rows(at_start.q, values);
  if (!is_regular)
    throw core::ModelError({.what = "the start position is singular",
                            .where = "mechanism '" + driven.mechanism().name() + "'",
                            .expected = "a position from which the drivers determine the motion",
                            .actual = "a position where they do not, such as bars in one line",
                            .next = "Start somewhere else, or drive another joint."});
}

void KinematicSolver::make_solver() {
  solver_ = make_jacobian_solver(method_, system_.pattern(), rows_);
  if (method_ != "sparse") sign_solver_ = make_sparse_solver(system_.pattern(), rows_);
}

void KinematicSolver::branch_signs(std::vector<signed char>& signs) {
  if (!sign_solver_)
    solver_->block_signs(signs);
  else if (sign_solver_->factor(positions_.Phi_q))
    sign_solver_->block_signs(signs);
  else
    signs.clear();  // singular: no branch
}

bool KinematicSolver::choose_rows(std::span<const double> q, std::span<const CoordinateValue> values) {
  if (system_.num_rows() < system_.num_coordinates() || system_.num_rows() > 2 * kDenseLimit) return false;
  system_.evaluate_positions(q, values, positions_);
  RowRank rank = rank_rows_in_order(system_, positions_.Phi_q);
  if (rank.rank < system_.num_coordinates()) return false;
  rows_ = std::move(rank.independent_rows);
  make_solver();
  return solver_->factor(positions_.Phi_q);
}

State KinematicSolver::start() const { return state_of(driven_.start(), 0.0); }

State KinematicSolver::state_of(const coordinates::MechanismMotion& bodies, double t) const {
  const auto n = static_cast<std::size_t>(system_.num_coordinates());
  State state{t, std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
  std::vector<CoordinateValue> values(driven_.prescribed().size());
  driven_.evaluate_or_throw(t, values);
  std::vector<double> near;
  for (const CoordinateValue& value : values) near.push_back(value.position);
  system_.read_bodies(bodies, {state.q, state.v, state.a}, near);
  return state;
}

std::string KinematicSolver::description() const {
  const auto counted = [](int n, const std::string& word) {
    return std::to_string(n) + " " + word + (n == 1 ? "" : "s");
  };
  const int repeated = system_.num_rows() - static_cast<int>(rows_.size());
  return std::string(system_.layout().name()) + ": " + counted(system_.num_coordinates(), "coordinate") +
         ", " + counted(system_.num_rows(), "constraint row") +
         (repeated == 0 ? ""
                        : ", " + std::to_string(repeated) + " of which repeat" + (repeated == 1 ? "s" : "") +
                              " others");
}

void KinematicSolver::evaluate_bodies(const State& state, coordinates::MechanismMotion& out) {
  system_.evaluate_bodies(state.q, state.v, state.a, bodies_workspace_, out);
}

double KinematicSolver::scaled_norm(std::span<const double> dq) const {
  double largest = 0.0;
  for (std::size_t c = 0; c < dq.size(); ++c)
    largest = std::max(largest, std::abs(dq[c]) * inverse_scale_[c]);
  return largest;
}

// Seed003 alg. 1
// Seed001 alg. 1
PositionSolution KinematicSolver::solve_positions(std::span<const CoordinateValue> values, int most,
                                                  std::span<double> q) {
  return solution(iterate(values, most, q));
}

NewtonReport KinematicSolver::iterate(std::span<const CoordinateValue> values, int most,
                                      std::span<double> q) {
  NewtonReport report;
  double last = 0.0;
  while (true) {
    system_.evaluate_positions(q, values, positions_);
    report.residual = scaled_residual(system_, positions_.Phi, length_);
    if (!std::isfinite(report.residual)) return report;
    if (!solver_->factor(positions_.Phi_q)) {
      report.is_singular = true;
      report.is_converged = false;
      return report;
    }
    if (report.is_converged || report.iterations == most) break;
    right_ = -positions_.Phi;
    solver_->solve(span_of(right_), correction_);  // (1)
    for (std::size_t c = 0; c < q.size(); ++c) q[c] += correction_[c];
    const double size = scaled_norm(correction_);
    if (!std::isfinite(size)) return report;
    if (report.iterations == 0) report.first_correction = size;
    ++report.iterations;
    // Contraction lost: not on the way to the nearest solution.
    if (report.iterations > 1 && size > 0.5 * last && size > kLastCorrection) return report;
    last = size;
    report.is_converged = size <= kLastCorrection;
    if (size <= kSameJacobian) break;
  }
  report.is_converged = report.is_converged && report.residual <= 10.0 * kClosedResidual;
  return report;
}

double KinematicSolver::evaluate_residual(std::span<const CoordinateValue> values,
                                          std::span<const double> q) {
  system_.evaluate_positions(q, values, check_);
  return scaled_residual(system_, check_.Phi, length_);
}

std::vector<std::string> KinematicSolver::joints_that_nearly_move(std::span<const double> q) {
  // One step of inverse iteration: what the inverse of Phi_q enlarges most.
  right_.resize(system_.num_rows());
  for (Eigen::Index r = 0; r < right_.size(); ++r) right_[r] = 1.0 + 0.1 * std::sin(static_cast<double>(r));
  solver_->solve(span_of(right_), correction_);
  return moving_joints(system_, q, correction_);
}

// Seed000 eq. 76
// Seed003 eq. 2
SolvedVelocity KinematicSolver::solve_velocities(const SolvedPosition&, std::span<double> v) {
  right_ = -positions_.Phi_t;
  solver_->solve(span_of(right_), v);  // (2)
  return solved_velocity();
}

// Seed000 eq. 77
// Seed003 eq. 3
void KinematicSolver::solve_accelerations(const SolvedVelocity&, std::span<const CoordinateValue> values,
                                          std::span<const double> q, std::span<const double> v,
                                          std::span<double> a) {
  system_.evaluate_gamma(positions_, q, v, values, gamma_workspace_, right_);
  solver_->solve(span_of(right_), a);  // (3)
}

}  // namespace eslabon::kinematics
