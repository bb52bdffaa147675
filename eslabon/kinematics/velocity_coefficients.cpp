#include "eslabon/kinematics/velocity_coefficients.hpp"

namespace eslabon::kinematics {

namespace {

/// Velocities, or accelerations, of all links but the frame.
template <class Link, class Column>
void write_rates(const std::vector<Link>& links, bool is_velocity, Column&& column) {
  for (std::size_t l = 1; l < links.size(); ++l)
    column.template segment<Link::kFreedoms>(Link::kFreedoms * static_cast<Eigen::Index>(l - 1)) =
        is_velocity ? links[l].velocity() : links[l].acceleration();
}

}  // namespace

Eigen::VectorXd VelocityCoefficients::accelerations(const Eigen::VectorXd& z_dot,
                                                    const Eigen::VectorXd& z_ddot) const {
  Eigen::VectorXd sum = K * z_ddot;
  for (std::size_t i = 0; i < L.size(); ++i) sum += z_dot[static_cast<Eigen::Index>(i)] * (L[i] * z_dot);
  return sum;  // (1)
}

template <class Link>
bool find_velocity_coefficients(const GroupKinematics<Link>& groups,
                                std::span<coordinates::CoordinateValue> inputs,
                                typename GroupKinematics<Link>::Solution& at,
                                typename GroupKinematics<Link>::Workspace& workspace,
                                VelocityCoefficients& out) {
  const std::size_t n = groups.driven().mechanism().drivers().size();
  const Eigen::Index rows = Link::kFreedoms * static_cast<Eigen::Index>(at.links.size() - 1),
                     columns = static_cast<Eigen::Index>(n);
  out.K.resize(rows, columns);
  out.L.resize(n);
  for (Eigen::MatrixXd& L : out.L) L.resize(rows, columns);
  for (coordinates::CoordinateValue& input : inputs) input.velocity = input.acceleration = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto c = static_cast<Eigen::Index>(i);
    inputs[i].velocity = 1.0;
    if (groups.solve(inputs, at, workspace)) return false;
    write_rates(at.links, true, out.K.col(c));
    write_rates(at.links, false, out.L[i].col(c));
    for (std::size_t j = 0; j < i; ++j) {
      const auto d = static_cast<Eigen::Index>(j);
      inputs[j].velocity = 1.0;
      if (groups.solve(inputs, at, workspace)) return false;
      auto both = out.L[i].col(d);
      write_rates(at.links, false, both);
      both = 0.5 * (both - out.L[i].col(c) - out.L[j].col(d));
      out.L[j].col(c) = both;
      inputs[j].velocity = 0.0;
    }
    inputs[i].velocity = 0.0;
  }
  return !groups.solve(inputs, at, workspace);
}

template bool find_velocity_coefficients(const GroupKinematics<PlanarLink>&,
                                         std::span<coordinates::CoordinateValue>,
                                         GroupKinematics<PlanarLink>::Solution&,
                                         GroupKinematics<PlanarLink>::Workspace&, VelocityCoefficients&);
template bool find_velocity_coefficients(const GroupKinematics<SpatialLink>&,
                                         std::span<coordinates::CoordinateValue>,
                                         GroupKinematics<SpatialLink>::Solution&,
                                         GroupKinematics<SpatialLink>::Workspace&, VelocityCoefficients&);

}  // namespace eslabon::kinematics
