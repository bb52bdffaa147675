#include "eslabon/dynamics/mass/link_mass.hpp"

namespace eslabon::dynamics {

using Eigen::Matrix3d;
using Eigen::Vector3d;

void add_point_mass(double mass, const Vector3d& p_LP_L, LinkMass& link) {
  const double all = link.mass + mass;
  const Vector3d d = p_LP_L - link.p_LC_L;
  link.I_LC_L += link.mass * mass / all * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose());
  link.p_LC_L += mass / all * d;
  link.mass = all;
}

// Seed000 eq. 27, eq. 30
std::vector<LinkMass> link_masses(const model::Mechanism& mechanism, const coordinates::KinematicTree& tree) {
  std::vector<LinkMass> links(static_cast<std::size_t>(tree.num_links()));
  const auto steiner = [](double mass, const Vector3d& r) {
    return Matrix3d(mass * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose()));
  };
  for (std::size_t b = 1; b < mechanism.bodies().size(); ++b) {
    const model::BodyIndex body(static_cast<int>(b));
    const model::MassProperties& mass = mechanism.bodies()[b].mass_properties;
    const auto l = static_cast<std::size_t>(tree.link_of(body));
    if (mass.is_massless() || l == 0) continue;
    const core::Pose<double>& X_LB = tree.X_LB(body);
    const Vector3d c = X_LB.apply_to_point(mass.p_BC_B);
    const Matrix3d& R = X_LB.R_AB.matrix();
    LinkMass& link = links[l];
    const double all = link.mass + mass.mass;
    const Vector3d centre = (link.mass * link.p_LC_L + mass.mass * c) / all;
    link.I_LC_L += steiner(link.mass, link.p_LC_L - centre) + R * mass.I_BC_B * R.transpose() +
                   steiner(mass.mass, c - centre);
    link.p_LC_L = centre;
    link.mass = all;
  }
  return links;
}

}  // namespace eslabon::dynamics
