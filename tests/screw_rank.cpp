#include "tests/screw_rank.hpp"

namespace eslabon::test {

std::vector<Placement> ScrewChain::start_placements(const model::Mechanism& mechanism) {
  std::vector<Placement> X_WB(mechanism.bodies().size());
  std::vector<int> known(X_WB.size(), 0);
  for (const model::StartPose& pose : mechanism.start_poses()) {
    Placement& X = X_WB[pose.body.slot()];
    if (pose.p_WB_W) X.p = *pose.p_WB_W;
    if (pose.rotation_vector && pose.rotation_vector->norm() > 0.0)
      X.R = turn(pose.rotation_vector->norm(), pose.rotation_vector->normalized());
    known[pose.body.slot()] += pose.p_WB_W && pose.rotation_vector ? 3 : pose.p_WB_W ? 2 : 1;
  }
  for (const model::StartValue& start : mechanism.start_values()) {
    if (start.variable.kind == model::VariableKind::kBodyAngle) {
      const std::size_t body = std::get<model::BodyIndex>(start.variable.element).slot();
      X_WB[body].R = turn(start.value, Eigen::Vector3d::UnitZ());
      ++known[body];
    } else if (start.variable.kind == model::VariableKind::kPointPosition) {
      const auto& ref = std::get<model::PointRef>(start.variable.element);
      if (!mechanism.point(ref).p_BP_B.isZero()) continue;
      X_WB[ref.body.slot()].p(start.variable.component) = start.value;
      ++known[ref.body.slot()];
    }
  }
  for (std::size_t body = 1; body < known.size(); ++body)
    if (known[body] != 3)
      throw std::invalid_argument("screw_rank needs the whole start pose of " +
                                  mechanism.bodies()[body].name);
  return X_WB;
}

/// The placement that the joint allows and that agrees with X_FM in the joint's coordinates.
Placement ScrewChain::nearest_allowed(const model::Joint& joint, const Placement& X_FM) {
  const Eigen::Vector3d& p = X_FM.p;
  const Eigen::Matrix3d& R = X_FM.R;
  const Eigen::Matrix3d about_z = turn(std::atan2(R(1, 0), R(0, 0)), Eigen::Vector3d::UnitZ());
  switch (joint.type) {
    case model::JointType::kRevolute:
      return {about_z, {0.0, 0.0, 0.0}};
    case model::JointType::kPrismatic:
      return {Eigen::Matrix3d::Identity(), {p.x(), 0.0, 0.0}};
    case model::JointType::kCylindrical:
      return {about_z, {0.0, 0.0, p.z()}};
    case model::JointType::kUniversal:
      return {turn(std::atan2(R(2, 1), R(1, 1)), Eigen::Vector3d::UnitX()) *
                  turn(std::atan2(R(0, 2), R(0, 0)), Eigen::Vector3d::UnitY()),
              {0.0, 0.0, 0.0}};
    case model::JointType::kSpherical:
      return {R, {0.0, 0.0, 0.0}};
    case model::JointType::kPlanar:
      return {about_z, {p.x(), p.y(), 0.0}};
    case model::JointType::kFixed:
      return {};
    case model::JointType::kFree:
      return X_FM;
    case model::JointType::kRod:
      return {R, joint.length * p.normalized()};
  }
  throw std::invalid_argument("screw_rank does not know the joint " + joint.name);
}

/// Motions of M that the joint allows, in F. displace applies them in this order, one after the other, and so keeps to
/// what the joint allows: what turns with M comes before what turns M.
std::vector<Screw> ScrewChain::freedoms(std::size_t j) const {
  using Eigen::Vector3d;
  const Placement& X = joints_[j];
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ(), none = Vector3d::Zero();
  const auto about = [](const Vector3d& axis, const Vector3d& point) {
    return Screw{axis, point.cross(axis)};
  };
  const bool is_planar = mechanism_->is_planar();
  switch (mechanism_->joints()[j].type) {
    case model::JointType::kRevolute:
      return {about(z, none)};
    case model::JointType::kPrismatic:
      return {{none, x}};
    case model::JointType::kCylindrical:
      return {about(z, none), {none, z}};
    case model::JointType::kUniversal:
      return {about(X.R * y, none), about(x, none)};
    case model::JointType::kSpherical:
      return {about(x, none), about(y, none), about(z, none)};
    case model::JointType::kPlanar:
      return {about(z, X.p), {none, x}, {none, y}};
    case model::JointType::kFixed:
      return {};
    case model::JointType::kFree:
      if (is_planar) return {about(z, X.p), {none, x}, {none, y}};
      return {about(x, X.p), about(y, X.p), about(z, X.p), {none, x}, {none, y}, {none, z}};
    case model::JointType::kRod: {
      if (is_planar) return {about(z, X.p), about(z, none)};
      const Vector3d side = X.p.unitOrthogonal();
      return {about(x, X.p), about(y, X.p), about(z, X.p), about(side, none),
              about(X.p.normalized().cross(side), none)};
    }
  }
  throw std::invalid_argument("screw_rank does not know the joint " + mechanism_->joints()[j].name);
}

int ScrewChain::idle_spins() const {
  if (mechanism_->is_planar()) return 0;
  const auto is_ball = [](const model::Joint& joint) {
    return joint.type == model::JointType::kSpherical || joint.type == model::JointType::kRod;
  };
  std::vector<std::size_t> part(mechanism_->bodies().size());
  for (std::size_t b = 0; b < part.size(); ++b) part[b] = b;
  for (const model::Joint& joint : mechanism_->joints())
    if (!is_ball(joint)) {
      const std::size_t from = part[joint.second().slot()], to = part[joint.first().slot()];
      std::replace(part.begin(), part.end(), from, to);
    }
  const std::vector<Placement> X_WB = body_placements();
  int spins = 0;
  for (std::size_t p = 0; p < part.size(); ++p) {
    if (p == part[0] || part[p] != p) continue;
    Eigen::MatrixXd held(0,
                         6);  // velocity of each holding point, in the part's angular velocity and velocity
    std::vector<std::size_t> holders;
    for (const model::Joint& joint : mechanism_->joints())
      for (std::size_t end = 0; end < 2; ++end) {
        const std::size_t body = joint.ends[end].body.slot(), other = joint.ends[1 - end].body.slot();
        if (!is_ball(joint) || part[body] != p || part[other] == p) continue;
        const Eigen::Vector3d r = (X_WB[body] * marker(joint, end)).p;
        held.conservativeResize(held.rows() + 3, Eigen::NoChange);
        held.bottomRows(3) << 0, r.z(), -r.y(), 1, 0, 0, -r.z(), 0, r.x(), 0, 1, 0, r.y(), -r.x(), 0, 0, 0, 1;
        holders.push_back(other);
      }
    std::ranges::sort(holders);
    holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
    if (holders.size() < 2) continue;
    Eigen::JacobiSVD<Eigen::MatrixXd> svd(held);
    svd.setThreshold(kRankTolerance);
    spins += 6 - static_cast<int>(svd.rank());
  }
  return spins;
}

}  // namespace eslabon::test
