#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "eslabon/dynamics/forces/row_pushes.hpp"

namespace eslabon::dynamics {

/// Of a direction of μ: one that joints can share otherwise changes a component by more than this, in units of the direction.
inline constexpr double kSameForce = 1e-6;

/// Of the longest column of G. Loops close to some 1e-10 only, and so rows that repeat others do: what they tell apart below this is no
/// direction of its own.
inline constexpr double kDependent = 1e-8;

/// What a joint does to its second body. Components are fx, fy, fz, mx, my, mz, in world axes (W) and in the axes of the joint's frame
/// on the second body (M), which turns with that body: z is the axis of revolutes and cylindrical joints and the normal of planar
/// ones, x the line of prismatic ones, y the second axis of universal joints. Of a rolling disc x is the normal of its plane, y the way
/// along which it rolls and z across it.
struct JointReaction {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< (3) at the joint's origin on the second body [N], W
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< (3) about it [N m], W
  bool is_unique = true;  ///< otherwise redundant joints share the load, and this is the least-squares share
  Eigen::Vector3d force_M = Eigen::Vector3d::Zero();   ///< (3) [N], M
  Eigen::Vector3d moment_M = Eigen::Vector3d::Zero();  ///< (3) [N m], M
  /// Which components are unique: those that no share of redundant joints changes.
  std::array<bool, 6> is_unique_W{true, true, true, true, true, true};
  std::array<bool, 6> is_unique_M{true, true, true, true, true, true};
};

/// What a coupling does along its first coordinate, [N m] or [N]: on the second body of that joint, opposite on the first; along its other
/// coordinates c_i/c_1 times that.
struct CouplingEffort {
  double effort = 0.0;
  bool is_unique = true;  ///< otherwise redundant joints or couplings can take its part
};
/// Of all couplings, as find_joint_reactions finds those of joints.
void find_coupling_efforts(const RowPushes& pushes, const Eigen::VectorXd& mu, const Eigen::MatrixXd& shared,
                           std::vector<CouplingEffort>& out);

/// What presses a joint so that it rubs [N]: its force across the axis along which, or about which, it moves. `bodies`: poses.
double friction_load(const model::Joint& joint, const JointReaction& reaction,
                     const coordinates::MechanismMotion& bodies);

/// Of all joints [N].
double largest_force(const std::vector<JointReaction>& joints);

/// Names of the components, in the order of is_unique_W: "fx", …, "mz".
inline constexpr std::array<const char*, 6> kComponentNames{"fx", "fy", "fz", "mx", "my", "mz"};
/// The components that a joint has: in the plane fx, fy, mz.
std::span<const std::size_t> reaction_components(bool is_planar);

/// Reactions of all joints from the weights μ of their rows, in units of `pushes`; `shared`: columns of μ that can be added without
/// changing what any body gets. `bodies` with accelerations; `pushes` was evaluated there.
void find_joint_reactions(const model::Mechanism& mechanism, const coordinates::MechanismMotion& bodies,
                          const RowPushes& pushes, const Eigen::VectorXd& mu, const Eigen::MatrixXd& shared,
                          std::vector<JointReaction>& out);

}  // namespace eslabon::dynamics
