#include "eslabon/kinematics/freedoms/rolling_rank.hpp"

#include "eslabon/coordinates/layout.hpp"
#include "eslabon/core/linalg/least_norm.hpp"

namespace eslabon::kinematics {

namespace {

constexpr double kDependentPart = 1e-8;  // of the length of a row

}  // namespace

std::vector<int> independent_rolling_rows(const coordinates::ConstraintSystem& system,
                                          const std::vector<double>& Phi_q,
                                          const coordinates::VelocityRows& rows,
                                          const coordinates::VelocityLevel& level) {
  std::vector<int> independent;
  if (rows.is_empty()) return independent;
  Eigen::VectorXd scales(system.num_coordinates());
  const double length = coordinates::length_scale(system.mechanism());
  for (Eigen::Index c = 0; c < scales.size(); ++c)
    scales[c] = system.coordinates()[static_cast<std::size_t>(c)].dimension == core::kLength ? length : 1.0;
  Eigen::MatrixXd P = system.dense(Phi_q) * scales.asDiagonal();
  for (Eigen::Index r = 0; r < P.rows(); ++r)
    if (const double size = P.row(r).norm(); size > 0.0) P.row(r) /= size;
  core::LeastNorm constraints;
  constraints.compute(P, kDependentPart);
  const Eigen::MatrixXd N = constraints.null_space();
  Eigen::MatrixXd kept(N.cols(), 0);  // orthonormal
  for (int r = 0; r < rows.size(); ++r) {
    const Eigen::VectorXd row = level.A.row(r).transpose().cwiseProduct(scales);
    if (row.norm() == 0.0) continue;
    Eigen::VectorXd left = N.transpose() * row / row.norm();
    for (int pass = 0; pass < 2; ++pass) left -= (kept * (kept.transpose() * left)).eval();
    if (!(left.norm() > kDependentPart)) continue;
    kept.conservativeResize(Eigen::NoChange, kept.cols() + 1);
    kept.col(kept.cols() - 1) = left.normalized();
    independent.push_back(r);
  }
  return independent;
}

}  // namespace eslabon::kinematics
