#include "eslabon/kinematics/groups/link_row.hpp"

#include <algorithm>
#include <cmath>

#include "eslabon/coordinates/joint_rows.hpp"

namespace eslabon::kinematics {

using coordinates::CoordinateValue;
using coordinates::Feature;
using coordinates::RowForm;
using Eigen::Vector3d;

LinkRow place_row(const coordinates::Row& row, int input, const coordinates::KinematicTree& tree) {
  LinkRow placed{row.form, row.constant, input};
  for (std::size_t f = 0; f < static_cast<std::size_t>(placed.num_features()); ++f) {
    const Feature& feature = row.features[f];
    const core::Pose<double>& X_LB = tree.X_LB(feature.body);
    placed.features[f] = {
        static_cast<std::size_t>(tree.link_of(feature.body)), feature.is_point,
        feature.is_point ? X_LB.apply_to_point(feature.local_B) : X_LB.apply_to_direction(feature.local_B)};
  }
  return placed;
}

LinkRow prescribed_row(const model::Mechanism& mechanism, const coordinates::Prescribed& prescribed,
                       int input, const coordinates::KinematicTree& tree) {
  if (const auto* variable = std::get_if<model::Variable>(&prescribed.what))
    return place_row(coordinates::variable_row(mechanism, *variable), input, tree);
  const auto& held = std::get<coordinates::HeldDirection>(prescribed.what);
  const coordinates::Row row{
      .form = RowForm::kDot,
      .features = {Feature{held.body, false, held.u_B}, Feature{model::kGround, false, held.d_W}, {}},
      .label = {held.body, "its spin"}};
  return place_row(row, input, tree);
}

RowMotion row_motion(const LinkRow& row, std::span<const SpatialLink> links, bool with_rates) {
  RowMotion motion;
  for (std::size_t f = 0; f < static_cast<std::size_t>(row.num_features()); ++f) {
    const LinkFeature& feature = row.features[f];
    const SpatialLink& link = links[feature.link];
    if (!with_rates) {
      motion.x[f] = feature.is_point ? link.position(feature.local) : link.direction(feature.local);
    } else if (feature.is_point) {
      const SpatialPoint point = link.point(feature.local);
      motion.x[f] = point.p;
      motion.x_dot[f] = point.v;
      motion.x_ddot[f] = point.a;
    } else {
      const SpatialDirection direction = link.moving_direction(feature.local);
      motion.x[f] = direction.u;
      motion.x_dot[f] = direction.u_dot;
      motion.x_ddot[f] = direction.u_ddot;
    }
  }
  return motion;
}

namespace {

/// Whether s stands outside the form, with a minus.
bool has_offset(const LinkRow& row) { return row.input >= 0 && !coordinates::holds_coordinate(row.form); }
/// Whether c does.
bool has_constant(const LinkRow& row) { return coordinates::has_constant_outside(row.form); }

/// ∂Φ/∂x · x' + ∂Φ/∂s s'.
double first_order(const LinkRow& row, const FeatureVectors& x, const FeatureVectors& x_rate, double s,
                   double s_rate) {
  const auto gradient = coordinates::row_gradient<double>(row.form, pointers(x), row.constant, s);
  double sum = (coordinates::holds_coordinate(row.form) ? gradient.by_angle
                : has_offset(row)                       ? -1.0
                                                        : 0.0) *
               s_rate;
  for (std::size_t f = 0; f < static_cast<std::size_t>(row.num_features()); ++f)
    sum += gradient.by_feature[f].dot(x_rate[f]);
  return sum;
}

}  // namespace

double row_value(const LinkRow& row, const FeatureVectors& x, double s) {
  return coordinates::row_residual<double>(row.form, pointers(x), row.constant, s) -
         (has_constant(row) ? row.constant.value : 0.0) - (has_offset(row) ? s : 0.0);
}

double row_velocity(const LinkRow& row, const RowMotion& motion, const CoordinateValue& s) {
  return first_order(row, motion.x, motion.x_dot, s.position, s.velocity);
}

double row_acceleration(const LinkRow& row, const RowMotion& motion, const CoordinateValue& s) {
  return first_order(row, motion.x, motion.x_ddot, s.position, s.acceleration) +
         coordinates::row_second_order(row.form, pointers(motion.x), pointers(motion.x_dot), row.constant,
                                       s.position, s.velocity);
}

LinkResidual::LinkResidual(const model::Mechanism& mechanism, const coordinates::KinematicTree& tree,
                           std::span<const coordinates::Prescribed> prescribed) {
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j) {
    const model::JointIndex joint(static_cast<int>(j));
    // Within a link there is nothing that could open.
    if (tree.link_of(mechanism.joint(joint).first()) == tree.link_of(mechanism.joint(joint).second()))
      continue;
    for (const coordinates::Row& row : coordinates::joint_rows(mechanism, joint))
      rows_.push_back(place_row(row, -1, tree));
  }
  for (std::size_t i = 0; i < prescribed.size(); ++i)
    rows_.push_back(prescribed_row(mechanism, prescribed[i], static_cast<int>(i), tree));
}

double LinkResidual::largest(std::span<const SpatialLink> links, std::span<const CoordinateValue> values,
                             double length) const {
  double largest = 0.0;
  for (const LinkRow& row : rows_) {
    const double s = row.input >= 0 ? values[static_cast<std::size_t>(row.input)].position : 0.0;
    const double value = std::abs(row_value(row, row_motion(row, links, false).x, s));
    largest = std::max(largest, coordinates::is_length(row.form) ? value / length : value);
  }
  return largest;
}

}  // namespace eslabon::kinematics
