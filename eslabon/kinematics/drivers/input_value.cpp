#include "eslabon/kinematics/drivers/input_value.hpp"

namespace eslabon::kinematics {

coordinates::CoordinateValue input_value(const model::Mechanism& mechanism, const model::Variable& variable,
                                         const coordinates::MechanismMotion& bodies) {
  if (const auto* joint = std::get_if<model::JointIndex>(&variable.element))
    return coordinates::joint_coordinate(mechanism.joint(*joint), variable.component, bodies);
  if (const auto* point = std::get_if<model::PointRef>(&variable.element)) {
    const coordinates::BodyMotion& body = bodies[point->body.slot()];
    const Eigen::Vector3d& p_BP_B = mechanism.point(*point).p_BP_B;
    const int k = variable.component;
    return {body.point_position(p_BP_B)[k], body.point_velocity(p_BP_B)[k],
            body.point_acceleration(p_BP_B)[k]};
  }
  const coordinates::BodyMotion& body = bodies[std::get<model::BodyIndex>(variable.element).slot()];
  return {coordinates::turn_about_z(body.X_WB.R_AB.matrix()), body.w_WB_W.z(), body.alpha_WB_W.z()};
}

}  // namespace eslabon::kinematics
