#include "eslabon/dynamics/reactions/joint_reaction.hpp"

#include <algorithm>
#include <cmath>

#include "eslabon/dynamics/formulations/body_needs.hpp"

namespace eslabon::dynamics {

namespace {

using Eigen::Vector3d;

/// Takes the mark from components that this share of redundant joints changes; moments by the mechanism's size.
void mark_shared(const Vector3d& force, const Vector3d& moment, std::array<bool, 6>& is_unique) {
  for (int k = 0; k < 3; ++k) {
    const auto component = static_cast<std::size_t>(k);
    if (std::abs(force[k]) >= kSameForce) is_unique[component] = false;
    if (std::abs(moment[k]) >= kSameForce) is_unique[component + 3] = false;
  }
}

/// The axes in which components of a joint are told, as rows: those of its frame on the second body, which of a disc turn with the rim.
/// There they are the normal of the plane, the way along which it rolls, and across.
Eigen::Matrix3d reaction_axes(const model::Joint& joint, const coordinates::MechanismMotion& bodies) {
  const auto axes = [&](std::size_t e) -> Eigen::Matrix3d {
    return bodies[joint.ends[e].body.slot()].X_WB.R_AB.matrix() * joint.ends[e].X_BF.R_AB.matrix();
  };
  if (!model::is_nonholonomic(joint.type)) return axes(1).transpose();
  const Vector3d n = axes(0).col(0), along = n.cross(axes(1).col(1)).normalized();
  Eigen::Matrix3d R;
  R << n.transpose(), along.transpose(), n.cross(along).transpose();
  return R;
}

}  // namespace

std::span<const std::size_t> reaction_components(bool is_planar) {
  static constexpr std::array<std::size_t, 6> kInSpace{0, 1, 2, 3, 4, 5};
  static constexpr std::array<std::size_t, 3> kInPlane{0, 1, 5};
  if (is_planar) return kInPlane;
  return kInSpace;
}

double friction_load(const model::Joint& joint, const JointReaction& reaction,
                     const coordinates::MechanismMotion& bodies) {
  const model::JointEnd& end = joint.ends[0];
  const int axis = model::axis_column(joint.type);
  const Eigen::Vector3d e =
      bodies[end.body.slot()].X_WB.R_AB * Eigen::Vector3d(end.X_BF.R_AB.matrix().col(axis));
  return (reaction.force - reaction.force.dot(e) * e).norm();
}

double largest_force(const std::vector<JointReaction>& joints) {
  double largest = 0.0;
  for (const JointReaction& joint : joints) largest = std::max(largest, joint.force.norm());
  return largest;
}

void find_joint_reactions(const model::Mechanism& mechanism, const coordinates::MechanismMotion& bodies,
                          const RowPushes& pushes, const Eigen::VectorXd& mu, const Eigen::MatrixXd& shared,
                          std::vector<JointReaction>& out) {
  out.resize(mechanism.joints().size());
  for (std::size_t j = 0; j < out.size(); ++j) {
    const model::Joint& joint = mechanism.joints()[j];
    Wrench wrench = pushes.on_second_body(j, mu);
    // A rod gives to the body what its row does, and its half of the weight, less what its own mass needs there.
    if (joint.rod_mass != 0.0)
      wrench.force += 0.5 * joint.rod_mass * mechanism.gravity_W() - rod_needs(joint, bodies)[1];
    const Eigen::Matrix3d R_MW = reaction_axes(joint, bodies);
    JointReaction& reaction = out[j];
    reaction = {.force = wrench.force,
                .moment = wrench.torque,
                .force_M = R_MW * wrench.force,
                .moment_M = R_MW * wrench.torque};
    for (Eigen::Index k = 0; k < shared.cols(); ++k) {
      const Wrench other = pushes.on_second_body(j, shared.col(k));
      const Vector3d f = other.force, m = other.torque / pushes.length();
      if (f.norm() + m.norm() >= kSameForce) reaction.is_unique = false;
      mark_shared(f, m, reaction.is_unique_W);
      mark_shared(R_MW * f, R_MW * m, reaction.is_unique_M);
    }
  }
}

void find_coupling_efforts(const RowPushes& pushes, const Eigen::VectorXd& mu, const Eigen::MatrixXd& shared,
                           std::vector<CouplingEffort>& out) {
  for (std::size_t c = 0; c < out.size(); ++c) {
    const Eigen::Index row = pushes.row_of_coupling(c);
    out[c] = {.effort = mu[row] * pushes.unit(row),
              .is_unique = shared.cols() == 0 || shared.row(row).cwiseAbs().maxCoeff() < kSameForce};
  }
}

}  // namespace eslabon::dynamics
