#include "eslabon/kinematics/freedoms/row_rank.hpp"

#include <cmath>
#include <numeric>

#include "eslabon/core/linalg/orthogonal.hpp"

namespace eslabon::kinematics {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRepeated = 1e-8;    // (1)
constexpr double kNegligible = 1e-6;  // coefficients of a combination

MatrixXd scaled_rows(const coordinates::ConstraintSystem& system, const std::vector<double>& Phi_q,
                     const std::vector<int>& columns) {
  const coordinates::SparsePattern& pattern = system.pattern();
  MatrixXd A = MatrixXd::Zero(system.num_rows(), static_cast<Eigen::Index>(columns.size()));
  const double length = coordinates::length_scale(system.mechanism());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto c = static_cast<std::size_t>(columns[k]);
    const bool is_length = system.coordinates()[c].dimension == core::kLength;
    for (int e = pattern.column_start[c]; e < pattern.column_start[c + 1]; ++e)
      A(pattern.row_of_entry[static_cast<std::size_t>(e)], static_cast<Eigen::Index>(k)) =
          Phi_q[static_cast<std::size_t>(e)] * (is_length ? length : 1.0);
  }
  for (int r = 0; r < system.num_rows(); ++r)
    if (system.row_is_length(r)) A.row(r) /= length;
  return A;
}

}  // namespace

std::vector<int> coordinates_in_rows(const coordinates::ConstraintSystem& system) {
  const std::vector<int>& start = system.pattern().column_start;
  std::vector<int> found;
  for (int c = 0; c < system.num_coordinates(); ++c)
    if (start[static_cast<std::size_t>(c)] < start[static_cast<std::size_t>(c) + 1]) found.push_back(c);
  return found;
}

RowRank rank_rows_in_order(const coordinates::ConstraintSystem& system, const std::vector<double>& Phi_q) {
  std::vector<int> all(static_cast<std::size_t>(system.num_coordinates()));
  std::iota(all.begin(), all.end(), 0);
  return rank_rows_in_order(system, Phi_q, all);
}

RowRank rank_rows_in_order(const coordinates::ConstraintSystem& system, const std::vector<double>& Phi_q,
                           const std::vector<int>& coordinates) {
  const MatrixXd A = scaled_rows(system, Phi_q, coordinates);
  const Eigen::Index n = A.cols();
  const Eigen::Index most = std::min(A.rows(), n);
  MatrixXd B(n, most);                      // orthonormal
  MatrixXd L = MatrixXd::Zero(most, most);  // rows kept = L Bᵀ
  RowRank result;
  for (Eigen::Index r = 0; r < A.rows(); ++r) {
    const Eigen::Index k = result.rank;
    VectorXd a = A.row(r).transpose();
    const double length = a.norm();
    VectorXd in_basis = VectorXd::Zero(k);
    if (length > 0.0) {
      a /= length;
      for (int twice = 0; twice < 2; ++twice) {
        const VectorXd part = B.leftCols(k).transpose() * a;
        a.noalias() -= B.leftCols(k) * part;  // (1)
        in_basis += part;
      }
    }
    const double rest = length > kRepeated ? a.norm() : 0.0;
    if (rest > kRepeated && k < most) {
      B.col(k) = a / rest;
      L.row(k).head(k) = in_basis.transpose();
      L(k, k) = rest;
      result.independent_rows.push_back(static_cast<int>(r));
      ++result.rank;
      result.least_independent = std::min(result.least_independent, rest);
      continue;
    }
    result.largest_repeated = std::max(result.largest_repeated, rest);
    RepeatedRow repeated{static_cast<int>(r), {}};
    if (length > kRepeated) {
      // row = xᵀ (rows kept),  xᵀ L = in_basisᵀ
      const VectorXd x = L.topLeftCorner(k, k).transpose().triangularView<Eigen::Upper>().solve(in_basis);
      const double largest = x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0;
      for (Eigen::Index i = 0; i < x.size(); ++i)
        if (std::abs(x[i]) > kNegligible * largest)
          repeated.rows.push_back(result.independent_rows[static_cast<std::size_t>(i)]);
    }
    result.repeated_rows.push_back(std::move(repeated));
  }
  const Eigen::Index rank = result.rank;
  result.null_space = core::orthogonal_complement(B.leftCols(rank));
  return result;
}

}  // namespace eslabon::kinematics
