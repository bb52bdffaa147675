#include "eslabon/structure/spin_effect.hpp"

#include <algorithm>
#include <variant>

#include "eslabon/model/variables/force_variables.hpp"
#include "eslabon/structure/link_pose.hpp"

namespace eslabon::structure {

namespace {

using Vector3d = core::Vector3<double>;
using Matrix3d = core::Matrix3<double>;

constexpr double kOnLine = 1e-8;  // sine of an angle; distances in units of the length of the line

/// One link, and the line in its frame.
class SpinningLink {
 public:
  SpinningLink(const model::Mechanism& mechanism, const Topology& topology, LinkIndex link, const Vector3d& p,
               const Vector3d& along, const std::vector<core::Pose<double>>& X_LB)
      : mechanism_(mechanism),
        topology_(topology),
        link_(link),
        p_(p),
        u_(along.normalized()),
        length_(along.norm()),
        X_LB_(X_LB) {}

  bool is_held() const {
    const auto holds = [&](const model::Connection& connection) {
      if (const auto* of_point = std::get_if<model::PointCoordinate>(&connection))
        return is_off_line(of_point->point);
      const auto* points = std::get_if<model::PointPair>(&connection);
      return points != nullptr && is_off_line(points->first) != is_off_line(points->second);
    };
    const auto pushes = [&](const model::Load& load) {
      if (const auto* force = std::get_if<model::PointForce>(&load.action)) return is_off_line(force->point);
      const auto* torque = std::get_if<model::BodyTorque>(&load.action);
      return torque != nullptr && is_of_link(torque->body);
    };
    const auto sees = [&](const model::Variable& variable) {
      if (const auto* body = std::get_if<model::BodyIndex>(&variable.element)) return is_of_link(*body);
      if (const auto* axis = std::get_if<model::AxisRef>(&variable.element)) return is_of_link(axis->body);
      const auto* point = std::get_if<model::PointRef>(&variable.element);
      return point != nullptr && is_off_line(*point);
    };
    const auto holds_all = [&](const model::Bushing& bushing) {
      return is_of_link(bushing.ends[0].body) != is_of_link(bushing.ends[1].body);
    };
    const auto stops = [&](const model::Stop& stop) {
      const auto* point = std::get_if<model::PointRef>(&stop.target.element);
      return point != nullptr && is_off_line(*point);
    };
    return std::ranges::any_of(mechanism_.springs(), holds, &model::Spring::connection) ||
           std::ranges::any_of(mechanism_.dampers(), holds, &model::Damper::connection) ||
           std::ranges::any_of(mechanism_.loads(), pushes) ||
           std::ranges::any_of(mechanism_.bushings(), holds_all) ||
           std::ranges::any_of(model::force_variables(mechanism_), sees) ||
           std::ranges::any_of(mechanism_.stops(), stops);
  }

  /// Σ of the bodies: m (c − p) ∥ u, and I u ∥ u with I about p.
  bool is_unbalanced() const {
    double mass = 0.0;
    Vector3d moment = Vector3d::Zero();
    Matrix3d I = Matrix3d::Zero();
    for (const model::BodyIndex body : topology_.links[link_.slot()]) {
      const model::MassProperties& properties = mechanism_.body(body).mass_properties;
      const core::Pose<double>& X = X_LB_[body.slot()];
      const Vector3d c = X.apply_to_point(properties.p_BC_B) - p_;
      mass += properties.mass;
      moment += properties.mass * c;
      const Matrix3d R = X.R_AB.matrix(), of_c = core::skew<double>(c);
      I += R * properties.I_BC_B * R.transpose() - properties.mass * of_c * of_c;
    }
    return across(moment).norm() > kOnLine * mass * length_ || across(I * u_).norm() > kOnLine * I.norm();
  }

 private:
  Vector3d across(const Vector3d& a) const { return a - a.dot(u_) * u_; }
  bool is_of_link(model::BodyIndex body) const { return topology_.link_of(body) == link_; }
  bool is_off_line(const model::PointRef& point) const {
    if (!is_of_link(point.body)) return false;
    const Vector3d way = X_LB_[point.body.slot()].apply_to_point(mechanism_.point(point).p_BP_B) - p_;
    return across(way).norm() > kOnLine * std::max(length_, way.norm());
  }

  const model::Mechanism& mechanism_;
  const Topology& topology_;
  LinkIndex link_;
  Vector3d p_, u_;
  double length_;
  const std::vector<core::Pose<double>>& X_LB_;
};

}  // namespace

bool does_spin_matter(const model::Mechanism& mechanism, const Topology& topology, const IdlePart& part) {
  const LinkIndex link = topology.link_of(part.line[0].body);
  if (topology.link_of(part.line[1].body) != link) return false;
  const std::vector<core::Pose<double>> X_LB = poses_in_links(mechanism, topology);
  const auto place = [&](const BodyPoint& point) {
    return X_LB[point.body.slot()].apply_to_point(point.p_BP_B);
  };
  const Vector3d p = place(part.line[0]), along = place(part.line[1]) - p;
  if (!(along.norm() > 0.0)) return false;
  const SpinningLink spinning(mechanism, topology, link, p, along, X_LB);
  return spinning.is_held() || spinning.is_unbalanced();
}

}  // namespace eslabon::structure
