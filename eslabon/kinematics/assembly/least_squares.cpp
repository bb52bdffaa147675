#include "eslabon/kinematics/assembly/least_squares.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

namespace eslabon::kinematics {

namespace {

using coordinates::ConstraintSystem;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr int kMostIterations = 300;
constexpr double kRoundoff = 1e-14;  // a residual that no step can improve

/// ∂(|e|² R(e) c)/∂e, of  (e₀² − εᵀε) c + 2 ε (ε·c) + 2 e₀ ε × c,  ε = (e₁, e₂, e₃).
Eigen::Matrix<double, 3, 4> rotated_by_parameters(const core::EulerParameters<double>& e, const Vector3d& c) {
  const Vector3d epsilon = e.tail<3>();
  Eigen::Matrix<double, 3, 4> result;
  result.col(0) = 2.0 * (e[0] * c + epsilon.cross(c));
  for (int j = 0; j < 3; ++j) {
    const Vector3d u = Vector3d::Unit(j);
    result.col(j + 1) = 2.0 * (epsilon.dot(c) * u + c[j] * epsilon - epsilon[j] * c + e[0] * u.cross(c));
  }
  return result;
}

/// S, D and J of (2); rows of origins come last.
class ScaledProblem {
 public:
  ScaledProblem(const ConstraintSystem& system, double length, const RowChoice& choice)
      : system_(system),
        choice_(choice),
        length_(length),
        row_scale_(system.num_rows()),
        column_scale_(system.num_coordinates()) {
    for (int r = 0; r < system.num_rows(); ++r) {
      row_scale_[r] = system.row_is_length(r) ? 1.0 / length : 1.0;
      if (!choice.weights.empty()) row_scale_[r] *= choice.weights[static_cast<std::size_t>(r)];
    }
    for (int c = 0; c < system.num_coordinates(); ++c)
      column_scale_[c] =
          system.coordinates()[static_cast<std::size_t>(c)].dimension == core::kLength ? length : 1.0;
  }
  const VectorXd& column_scale() const { return column_scale_; }

  VectorXd residual(const VectorXd& Phi, std::span<const double> q) const {
    const auto m = static_cast<Eigen::Index>(system_.num_rows());
    VectorXd scaled(m + static_cast<Eigen::Index>(choice_.origins.size()));
    scaled.head(m) = row_scale_.cwiseProduct(Phi);
    for (std::size_t k = 0; k < choice_.origins.size(); ++k) {
      const RowChoice::OriginRow& row = choice_.origins[k];
      const Vector3d s = core::scaled_rotation_matrix<double>(parameters(q, row)) * row.p_BC_B;
      scaled[m + static_cast<Eigen::Index>(k)] =
          choice_.origin_weight / length_ *
          (q[static_cast<std::size_t>(row.column + row.component)] - s[row.component] - row.value);
    }
    return scaled;
  }

  Eigen::SparseMatrix<double> jacobian(const std::vector<double>& Phi_q, std::span<const double> q) const {
    const coordinates::SparsePattern& pattern = system_.pattern();
    const Eigen::Map<const Eigen::SparseMatrix<double>> unscaled(
        pattern.rows, pattern.columns, pattern.num_entries(), pattern.column_start.data(),
        pattern.row_of_entry.data(), Phi_q.data());
    Eigen::SparseMatrix<double> J = row_scale_.asDiagonal() * unscaled * column_scale_.asDiagonal();
    if (choice_.origins.empty()) return J;
    J.conservativeResize(J.rows() + static_cast<Eigen::Index>(choice_.origins.size()), J.cols());
    for (std::size_t k = 0; k < choice_.origins.size(); ++k) {
      const RowChoice::OriginRow& row = choice_.origins[k];
      const Eigen::Index r = system_.num_rows() + static_cast<Eigen::Index>(k);
      J.coeffRef(r, row.column + row.component) = choice_.origin_weight;
      const Eigen::Matrix<double, 3, 4> s_e = rotated_by_parameters(parameters(q, row), row.p_BC_B);
      for (int i = 0; i < 4; ++i)
        J.coeffRef(r, row.column + 3 + i) = -choice_.origin_weight / length_ * s_e(row.component, i);
    }
    J.makeCompressed();
    return J;
  }

 private:
  static core::EulerParameters<double> parameters(std::span<const double> q,
                                                  const RowChoice::OriginRow& row) {
    const auto e = static_cast<std::size_t>(row.column) + 3;
    return {q[e], q[e + 1], q[e + 2], q[e + 3]};
  }

  const ConstraintSystem& system_;
  const RowChoice& choice_;
  double length_;
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
                                     std::span<double> q, const RowChoice& choice) {
  const ScaledProblem problem(system, coordinates::length_scale(system.mechanism()), choice);
  coordinates::PositionLevel positions;
  system.evaluate_positions(q, values, positions);
  VectorXd Phi = problem.residual(positions.Phi, q);
  ClosingReport report{false, 0, Phi.size() > 0 ? Phi.lpNorm<Eigen::Infinity>() : 0.0};

  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor;
  Eigen::SparseMatrix<double> identity(system.num_coordinates(), system.num_coordinates());
  identity.setIdentity();
  double damping = 1e-3, growth = 2.0;
  std::vector<double> trial(q.begin(), q.end());
  bool is_analysed = false;
  while (report.residual > kRoundoff && report.iterations < kMostIterations) {
    const Eigen::SparseMatrix<double> J = problem.jacobian(positions.Phi_q, q);
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
    const VectorXd Phi_trial = problem.residual(positions.Phi, trial);
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
