#include "eslabon/codegen/regular_mass.hpp"

#include <algorithm>
#include <numeric>

#include "eslabon/core/index.hpp"
#include "eslabon/core/linalg/eigenvalues.hpp"

namespace eslabon::codegen {

namespace {

constexpr double kNoMass = 1e-9;  // eigenvalue of M by its maximum, each coordinate measured by its own mass
constexpr double kSeen = 1e-3;    // part of a row that no row before it has

/// Directions without mass, coordinates measured such that each has a mass of 1 or none: (n × k).
Eigen::MatrixXd massless_directions(const Eigen::MatrixXd& M, const Eigen::VectorXd& sizes) {
  const core::SymmetricEigen eigen = core::symmetric_eigen(sizes.asDiagonal() * M * sizes.asDiagonal());
  Eigen::Index count = 0;
  while (count < eigen.values.size() && eigen.values[count] <= kNoMass * eigen.values.maxCoeff()) ++count;
  return eigen.vectors.leftCols(count);
}

std::vector<Eigen::Index> fewest_entries_first(const Eigen::MatrixXd& J) {
  std::vector<Eigen::Index> order(core::index(J.rows()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::ranges::stable_sort(order, {}, [&](Eigen::Index r) { return (J.row(r).array() != 0.0).count(); });
  return order;
}

}  // namespace

std::vector<Eigen::Index> rows_that_add_mass(const Eigen::MatrixXd& M, const Eigen::MatrixXd& J) {
  Eigen::VectorXd sizes = M.diagonal();
  for (double& size : sizes) size = size > 0.0 ? 1.0 / std::sqrt(size) : 1.0;
  const Eigen::MatrixXd massless = massless_directions(M, sizes);
  const Eigen::MatrixXd scaled = J * sizes.asDiagonal();
  std::vector<Eigen::Index> rows;
  Eigen::MatrixXd seen(massless.cols(), 0);  // orthonormal
  for (const Eigen::Index r : fewest_entries_first(J)) {
    if (seen.cols() == massless.cols()) break;
    Eigen::VectorXd along = massless.transpose() * scaled.row(r).transpose();
    along -= seen * (seen.transpose() * along);
    if (!(along.norm() > kSeen * scaled.row(r).norm())) continue;
    seen.conservativeResize(Eigen::NoChange, seen.cols() + 1);
    seen.rightCols<1>() = along.normalized();
    rows.push_back(r);
  }
  if (seen.cols() == massless.cols()) return rows;
  rows.resize(core::index(J.rows()));
  std::iota(rows.begin(), rows.end(), Eigen::Index{0});
  return rows;
}

}  // namespace eslabon::codegen
