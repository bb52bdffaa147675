#include "eslabon/kinematics/groups/coupled_rows.hpp"

#include <cmath>

#include "eslabon/coordinates/joint_rows.hpp"

namespace eslabon::kinematics {

using coordinates::CoordinateValue;
using coordinates::RowForm;

CoordinateValue measured(const LinkRow& row, const RowMotion& motion, double near, bool with_rates) {
  CoordinateValue value;
  if (!coordinates::holds_coordinate(row.form)) {
    value.position = row_value(row, motion.x, 0.0);
    if (!with_rates) return value;
    value.velocity = row_velocity(row, motion, {});
    value.acceleration = row_acceleration(row, motion, {});
    return value;
  }
  const auto& x = motion.x;
  if (coordinates::measures_place(row.form)) {
    value.position = coordinates::measured_place<double>(row.form, pointers(x), row.constant);
  } else {
    const Eigen::Vector3d seen = row.form == RowForm::kAngle ? x[2] : Eigen::Vector3d(x[3] - x[2]);
    value.position = coordinates::unwrapped(std::atan2(x[1].dot(seen), x[0].dot(seen)), near);
  }
  if (!with_rates) return value;
  const double by_angle =
      coordinates::row_gradient<double>(row.form, pointers(motion.x), row.constant, value.position).by_angle;
  value.velocity = -row_velocity(row, motion, value) / by_angle;  // (1)
  value.acceleration = -row_acceleration(row, motion, value) / by_angle;
  return value;
}

CoupledRow coupled_row(const model::Mechanism& mechanism, model::CouplingIndex coupling,
                       const coordinates::CoupledCoordinates& coordinates,
                       const coordinates::KinematicTree& tree) {
  const coordinates::LinearRelation& relation = coordinates.relations()[coupling.slot()];
  CoupledRow row{{}, relation.constant, !relation.terms.front().is_angle};
  for (const coordinates::LinearRelation::Term& term : relation.terms) {
    const auto place = static_cast<std::size_t>(term.place);
    const model::JointCoordinate& coordinate = coordinates[place];
    row.terms.push_back(
        {place_row(coordinates::joint_coordinate_row(mechanism, coordinate.joint, coordinate.component), -1,
                   tree),
         term.factor, place, term.law});
  }
  return row;
}

CoupledValues::CoupledValues(const model::Mechanism& mechanism, const coordinates::KinematicTree& tree)
    : coordinates_(mechanism) {
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const model::Joint& joint = mechanism.joint(coordinates_[k].joint);
    const auto first = static_cast<std::size_t>(tree.link_of(joint.first()));
    links_.emplace_back(first, static_cast<std::size_t>(tree.link_of(joint.second())));
    LinkRow row = place_row(
        coordinates::joint_coordinate_row(mechanism, coordinates_[k].joint, coordinates_[k].component), -1,
        tree);
    for (std::size_t f = 0; f < static_cast<std::size_t>(row.num_features()); ++f)
      row.features[f].link = row.features[f].link == first ? 0 : 1;
    rows_.push_back(row);
  }
}

CoordinateValue CoupledValues::at(std::size_t k, const std::array<SpatialLink, 2>& ends, double near) const {
  return measured(rows_[k], row_motion(rows_[k], ends, true), near, true);
}

}  // namespace eslabon::kinematics
