#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tests/oracles/simbody_system.hpp"

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/model/mechanism.hpp"
#include "eslabon/structure/structure.hpp"

/// Accelerations, reactions and motions by another program: Simbody 3.7 [Sherman2011]. Only tests and benchmarks link it.
namespace eslabon::test {

/// A mechanism without drivers as a Simbody system. The links are mobilized bodies along our spanning tree (Pin, Slider,
/// Cylinder, Universal, Ball, Planar, Free in the frames of our joints), the joints outside the tree Simbody's constraints of
/// points and directions; planar mechanisms are spatial ones with pins about z. Weights, springs and dampers between points are
/// Simbody's own, soft stops of points a force of Simbody's; what acts in joints and loads is computed here, with the values at t = 0.
class SimbodyOracle {
 public:
  /// Both must outlive it. Throws core::ContractError for drivers, rods with mass, forces by tables and stops that are rigid or in joints.
  SimbodyOracle(const model::Mechanism& mechanism, const structure::Structure& structure);

  /// The motion with the accelerations that Simbody finds; positions and velocities are read back from it too.
  coordinates::MechanismMotion accelerated(const coordinates::MechanismMotion& bodies);
  /// Simbody's own run from this motion at t = 0: the motion at each of these times, ascending. Throws core::ContractError where
  /// something acts in joints, and for loads.
  std::vector<coordinates::MechanismMotion> integrated(const coordinates::MechanismMotion& start,
                                                       const std::vector<double>& times, double accuracy);
  /// The last accelerated() in Simbody alone, to be timed.
  void accelerate_again() { system_->accelerate_again(); }

  /// What a joint does to its second body: a force at the joint's origin on that body and a moment about it, world axes. What
  /// acts in joints (springs, friction, motors) is a load on the links and no part of it.
  struct JointLoad {
    Eigen::Vector3d force = Eigen::Vector3d::Zero(), moment = Eigen::Vector3d::Zero();
  };
  /// (joints) of the last accelerated(); none for a joint inside a link, of which Simbody knows nothing.
  const std::vector<std::optional<JointLoad>>& reactions() const { return reactions_; }

 private:
  /// Force and torque at the origin of a link.
  struct LinkLoad {
    Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
  };

  std::size_t link_of(model::BodyIndex body) const { return structure_.topology.link_of(body).slot(); }
  int place_of(model::BodyIndex body) const { return places_[link_of(body)]; }
  core::Pose<double> frame(const model::JointEnd& end) const { return X_LB_[end.body.slot()] * end.X_BF; }
  SimbodyLink make_link(structure::LinkIndex link, const model::Joint& joint) const;
  void add_mass(structure::LinkIndex link, SimbodyLink& out) const;
  void add_constraints(const model::Joint& joint, SimbodyPlan& plan) const;
  void add_springs(SimbodyPlan& plan) const;
  void add_stops(SimbodyPlan& plan) const;
  std::vector<SimbodyLinkState> states_of(const coordinates::MechanismMotion& bodies) const;
  coordinates::MechanismMotion motion_of(const std::vector<SimbodyLinkMotion>& links) const;
  void find_reactions(const coordinates::MechanismMotion& bodies, const SimbodyReactions& found);

  coordinates::BodyMotion link_motion(std::size_t link, const coordinates::MechanismMotion& bodies) const;
  std::vector<LinkLoad> loads(const coordinates::MechanismMotion& bodies) const;
  void push(const coordinates::MechanismMotion& bodies, model::BodyIndex body, const Eigen::Vector3d& p_W,
            const Eigen::Vector3d& force, const Eigen::Vector3d& torque, std::vector<LinkLoad>& out) const;
  void push_in_joint(const coordinates::MechanismMotion& bodies, const model::JointCoordinate& coordinate,
                     double effort, std::vector<LinkLoad>& out) const;
  void push_load(const coordinates::MechanismMotion& bodies, const model::Load& load,
                 std::vector<LinkLoad>& out) const;
  coordinates::CoordinateValue value(const coordinates::MechanismMotion& bodies,
                                     const model::JointCoordinate& coordinate) const;

  const model::Mechanism& mechanism_;
  const structure::Structure& structure_;
  std::vector<core::Pose<double>> X_LB_;  ///< (bodies)
  std::vector<int> places_;               ///< (links) in the plan, where parents come first
  SimbodyPlan plan_;
  std::vector<model::JointIndex> joint_of_constraint_;  ///< (constraints of the plan)
  std::vector<std::optional<JointLoad>> reactions_;
  std::unique_ptr<SimbodySystem> system_;
};

}  // namespace eslabon::test
