#include "eslabon/kinematics/velocity_coefficients.hpp"

namespace eslabon::kinematics {

namespace {

using Eigen::VectorXd;

/// Velocities, or accelerations, of all links but the frame.
VectorXd rates(const std::vector<PlanarLink>& links, bool is_velocity) {
  VectorXd list(static_cast<Eigen::Index>(3 * (links.size() - 1)));
  for (std::size_t l = 1; l < links.size(); ++l) {
    const PlanarVector& v = is_velocity ? links[l].v : links[l].a;
    list.segment<3>(static_cast<Eigen::Index>(3 * (l - 1))) << v.x, v.y,
        is_velocity ? links[l].w : links[l].alpha;
  }
  return list;
}

}  // namespace

VectorXd VelocityCoefficients::accelerations(const VectorXd& z_dot, const VectorXd& z_ddot) const {
  VectorXd sum = K * z_ddot;
  for (std::size_t i = 0; i < L.size(); ++i) sum += z_dot[static_cast<Eigen::Index>(i)] * (L[i] * z_dot);
  return sum;  // (1)
}

std::optional<VelocityCoefficients> find_velocity_coefficients(const GroupKinematics& groups,
                                                               std::span<const double> z,
                                                               std::vector<PlanarLink>& links) {
  const std::size_t n = z.size();
  const auto rows = static_cast<Eigen::Index>(3 * (links.size() - 1)), columns = static_cast<Eigen::Index>(n);
  std::vector<coordinates::CoordinateValue> inputs(n);
  for (std::size_t i = 0; i < n; ++i) inputs[i].position = z[i];
  VelocityCoefficients result{Eigen::MatrixXd::Zero(rows, columns),
                              std::vector<Eigen::MatrixXd>(n, Eigen::MatrixXd::Zero(rows, columns))};
  for (std::size_t i = 0; i < n; ++i) {
    inputs[i].velocity = 1.0;
    if (groups.solve(inputs, links)) return std::nullopt;
    const auto c = static_cast<Eigen::Index>(i);
    result.K.col(c) = rates(links, true);
    result.L[i].col(c) = rates(links, false);
    inputs[i].velocity = 0.0;
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      inputs[i].velocity = inputs[j].velocity = 1.0;
      if (groups.solve(inputs, links)) return std::nullopt;
      const auto ci = static_cast<Eigen::Index>(i), cj = static_cast<Eigen::Index>(j);
      result.L[i].col(cj) = 0.5 * (rates(links, false) - result.L[i].col(ci) - result.L[j].col(cj));
      result.L[j].col(ci) = result.L[i].col(cj);
      inputs[i].velocity = inputs[j].velocity = 0.0;
    }
  if (groups.solve(inputs, links)) return std::nullopt;
  return result;
}

}  // namespace eslabon::kinematics
