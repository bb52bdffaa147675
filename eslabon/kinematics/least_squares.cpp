#include "eslabon/kinematics/least_squares.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

namespace eslabon::kinematics {

namespace {

using coordinates::ConstraintSystem;
using Eigen::VectorXd;

constexpr int kMostIterations = 300;
constexpr double kRoundoff = 1e-14;  // a residual that no step can improve

/// S, D and J of (2).
class ScaledProblem {
 public:
  ScaledProblem(const ConstraintSystem& system, double length, const std::vector<bool>& ignored_rows)
      : row_scale_(system.num_rows()), column_scale_(system.num_coordinates()) {
    for (int r = 0; r < system.num_rows(); ++r) {
      row_scale_[r] = system.row_is_length(r) ? 1.0 / length : 1.0;
      if (!ignored_rows.empty() && ignored_rows[static_cast<std::size_t>(r)]) row_scale_[r] = 0.0;
    }
    for (int c = 0; c < system.num_coordinates(); ++c)
      column_scale_[c] =
          system.coordinates()[static_cast<std::size_t>(c)].unit == coordinates::CoordinateUnit::kLength
              ? length
              : 1.0;
  }
  const VectorXd& row_scale() const { return row_scale_; }
  const VectorXd& column_scale() const { return column_scale_; }

  Eigen::SparseMatrix<double> jacobian(const ConstraintSystem& system,
                                       const std::vector<double>& Phi_q) const {
    const coordinates::SparsePattern& pattern = system.pattern();
    const Eigen::Map<const Eigen::SparseMatrix<double>> unscaled(
        pattern.rows, pattern.columns, pattern.num_entries(), pattern.column_start.data(),
        pattern.row_of_entry.data(), Phi_q.data());
    return row_scale_.asDiagonal() * unscaled * column_scale_.asDiagonal();
  }

 private:
  VectorXd row_scale_;
  VectorXd column_scale_;
};

}  // namespace

double scaled_residual(const ConstraintSystem& system, const VectorXd& Phi, double length) {
  double largest = 0.0;
  for (int r = 0; r < system.num_rows(); ++r)
    largest = std::max(largest, std::abs(Phi[r]) / (system.row_is_length(r) ? length : 1.0));
  return largest;
}

ClosingReport close_by_least_squares(const ConstraintSystem& system,
                                     std::span<const coordinates::CoordinateValue> values,
                                     std::span<double> q, const std::vector<bool>& ignored_rows) {
  const ScaledProblem problem(system, coordinates::length_scale(system.mechanism()), ignored_rows);
  coordinates::PositionLevel positions;
  system.evaluate_positions(q, values, positions);
  VectorXd Phi = problem.row_scale().cwiseProduct(positions.Phi);
  ClosingReport report{false, 0, Phi.size() > 0 ? Phi.lpNorm<Eigen::Infinity>() : 0.0};

  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor;
  Eigen::SparseMatrix<double> identity(system.num_coordinates(), system.num_coordinates());
  identity.setIdentity();
  double damping = 1e-3, growth = 2.0;
  std::vector<double> trial(q.begin(), q.end());
  bool is_analysed = false;
  while (report.residual > kRoundoff && report.iterations < kMostIterations) {
    const Eigen::SparseMatrix<double> J = problem.jacobian(system, positions.Phi_q);
    const VectorXd gradient = J.transpose() * Phi;
    const double mu = damping * std::min(1.0, report.residual);
    Eigen::SparseMatrix<double> normal = J.transpose() * J;
    normal += std::max(mu, 1e-15) * identity;
    if (!is_analysed) {
      factor.analyzePattern(normal);
      is_analysed = true;
    }
    factor.factorize(normal);
    const VectorXd d = factor.solve(-gradient);  // (2)
    ++report.iterations;
    if (!d.allFinite()) break;
    for (int c = 0; c < system.num_coordinates(); ++c)
      trial[static_cast<std::size_t>(c)] = q[static_cast<std::size_t>(c)] + problem.column_scale()[c] * d[c];
    system.evaluate_positions(trial, values, positions);
    const VectorXd Phi_trial = problem.row_scale().cwiseProduct(positions.Phi);
    const double before = Phi.squaredNorm(), after = Phi_trial.squaredNorm();
    const double predicted = d.dot(mu * d - gradient);
    const bool is_stuck = d.lpNorm<Eigen::Infinity>() < 1e-13 || predicted <= 1e-16 * before;
    if (after < before) {
      const double gain = (before - after) / std::max(predicted, 1e-300);
      damping = std::max(damping * std::max(1.0 / 3.0, 1.0 - std::pow(2.0 * gain - 1.0, 3)), 1e-12);
      growth = 2.0;
      std::ranges::copy(trial, q.begin());
      Phi = Phi_trial;
      report.residual = Phi.lpNorm<Eigen::Infinity>();
      if (report.residual <= kClosedResidual && after > 0.25 * before) break;  // roundoff reached
    } else {
      if (report.residual <= kClosedResidual) break;
      damping *= growth;
      growth *= 2.0;
      system.evaluate_positions(q, values, positions);
      if (damping > 1e12) break;
    }
    if (is_stuck) break;
  }
  report.is_closed = report.residual <= kClosedResidual;
  return report;
}

}  // namespace eslabon::kinematics
