#pragma once

#include <functional>
#include <span>
#include <vector>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/dynamics/wrench.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::dynamics {

/// A force of the user: adds to the wrenches on the bodies what acts at time t in this motion (poses and velocities;
/// accelerations are not set). Called from the thread that evaluates.
using UserForce =
    std::function<void(double t, const coordinates::MechanismMotion& bodies, std::span<Wrench> wrenches)>;

/// Everything that acts on the bodies but joints and drivers: weights, springs, dampers, loads, viscous friction of joints and
/// forces of the user. const; safe to share between threads if the user's forces are.
class AppliedForces {
 public:
  /// `mechanism` must outlive it. Throws core::ModelError for friction that is not viscous: dry friction is not simulated.
  explicit AppliedForces(const model::Mechanism& mechanism);

  void add(UserForce force) { user_.push_back(std::move(force)); }

  /// Number of springs that see the angle of a joint, which may be beyond ±π.
  int num_angles() const { return static_cast<int>(angle_springs_.size()); }
  /// The joint coordinate that is angle number k.
  const model::JointCoordinate& angle_coordinate(std::size_t k) const;
  /// Those angles in this motion, each nearest to the one that stands in `angles` [rad].
  void follow_angles(const coordinates::MechanismMotion& bodies, std::span<double> angles) const;

  /// (bodies) what acts on each; `angles`: near which the angles of springs are (num_angles).
  /// Throws core::ModelError that names the element and the time when a force has no direction or is not finite.
  void evaluate(double t, const coordinates::MechanismMotion& bodies, std::span<const double> angles,
                std::span<Wrench> wrenches) const;
  /// The same without weights, for callers that know them.
  void evaluate_without_weights(double t, const coordinates::MechanismMotion& bodies,
                                std::span<const double> angles, std::span<Wrench> wrenches) const;
  /// What a spring pulls with in this motion, or a damper: positive pulls the ends together or turns the joint back [N or N m].
  double spring_force(std::size_t spring, const coordinates::MechanismMotion& bodies,
                      std::span<const double> angles) const;
  double damper_force(std::size_t damper, const coordinates::MechanismMotion& bodies) const;
  /// Whether nothing but weights acts.
  bool has_weights_only() const;

 private:
  /// The element of which a force on this body is not finite.
  std::string culprit(double t, const coordinates::MechanismMotion& bodies, std::span<const double> angles,
                      std::size_t body) const;
  void add_rod_weights(const coordinates::MechanismMotion& bodies, std::span<Wrench> wrenches) const;
  void add_weights(const coordinates::MechanismMotion& bodies, std::span<Wrench> wrenches) const;
  void add_springs(double t, const coordinates::MechanismMotion& bodies, std::span<const double> angles,
                   std::span<Wrench> wrenches) const;
  void add_dampers(double t, const coordinates::MechanismMotion& bodies, std::span<Wrench> wrenches) const;
  void add_load(const model::Load& load, double t, const coordinates::MechanismMotion& bodies,
                std::span<Wrench> wrenches) const;
  void add_friction(const coordinates::MechanismMotion& bodies, std::span<Wrench> wrenches) const;
  /// A force f that pulls the ends of a connection together, or turns a joint back.
  void add_connection_force(const model::Connection& connection, double f, const char* kind,
                            const std::string& name, double t, const coordinates::MechanismMotion& bodies,
                            std::span<Wrench> wrenches) const;
  /// An effort in a coordinate of a joint, on the second body and opposite on the first.
  void add_joint_effort(const model::JointCoordinate& coordinate, double effort,
                        const coordinates::MechanismMotion& bodies, std::span<Wrench> wrenches) const;

  const model::Mechanism& mechanism_;
  std::vector<UserForce> user_;
  std::vector<std::size_t> angle_springs_;  ///< positions in Mechanism::springs()
  std::vector<std::size_t> rods_;           ///< joints with mass
  std::vector<std::size_t> rubbing_;        ///< joints with friction
};

}  // namespace eslabon::dynamics
