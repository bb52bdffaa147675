#pragma once

#include <span>
#include <string>
#include <vector>

#include "eslabon/dynamics/reactions/powers.hpp"
#include "eslabon/dynamics/reactions/reactions.hpp"

namespace eslabon::dynamics {

/// The efforts of chosen actuators that make a mechanism move as it is said to, whatever loops it has. An actuator pushes along a
/// position variable (a joint coordinate, a coordinate of a point, an angle), or holds a direction. With w what each body needs
/// (BodyNeeds), G_J and G_A what rows of joints and actuators do to the bodies (RowPushes),
///   G_J μ + G_A u = w                                                                                 (1)
///   G_Jᵀ N = 0                 N: the motions that joints allow, orthonormal, one column per degree of freedom       (2)
///   Nᵀ G_A u = Nᵀ w            Nᵀ times (1): joints drop out                                            (3)
/// Of all u that satisfy (3) the shortest is taken, efforts that turn divided by the mechanism's size; with as many independent
/// actuators as degrees of freedom it is the only one. Then μ from (1), of minimum norm in the same measure. It is D'Alembert's principle with a null
/// space as in `null-space`, for unknown forces in place of accelerations. N follows from one orthogonal decomposition of G_J at
/// each instant, so redundant joints do no harm. Bodies may have no mass. Dense, cost as Reactions. Scratch: one per thread.
class InverseDynamics {
 public:
  /// Drivers of the model push nothing unless they are among the actuators. `actuators[k].name` is for messages.
  InverseDynamics(const DynamicModel& model, std::vector<coordinates::Prescribed> actuators);

  /// `bodies` with accelerations; `memory` as AppliedForces::evaluate. Throws core::ModelError when the actuators do not reach every
  /// degree of freedom here: it says how many they reach, what moves in the rest, and what could be added; also when the motion passes a rigid
  /// stop, and when friction and the loads that it depends on do not agree.
  void solve(double t, const coordinates::MechanismMotion& bodies, const ForceMemory& memory);

  const std::vector<coordinates::Prescribed>& actuators() const { return actuators_; }
  /// (actuators) u of the last solution, on what follows in a joint or on the body, opposite on the other side [N m] or [N].
  const std::vector<double>& efforts() const { return efforts_; }
  /// (actuators) how fast what they push along moves [rad/s] or [m/s].
  const std::vector<double>& rates() const { return rates_; }
  /// Whether the effort of an actuator is the only possible one: it is not where others can do its part.
  bool is_effort_unique(std::size_t k) const { return is_effort_unique_[k]; }
  const std::vector<bool>& are_efforts_unique() const { return is_effort_unique_; }
  /// Degrees of freedom at the last instant; dead centres and the like have more than other positions.
  int num_freedoms() const { return num_freedoms_; }
  /// (joints)
  const std::vector<JointReaction>& joints() const { return joints_; }
  /// (couplings)
  const std::vector<CouplingEffort>& couplings() const { return couplings_; }
  /// Largest part of w that (1) leaves open, relative to w: roundoff.
  double residual() const { return residual_; }
  /// The memory that was given, with the loads that friction depends on as they belong to the solution.
  const ForceMemory& memory() const { return memory_; }
  /// Who gives what; its balance() is what joints seem to do, roundoff where the velocities satisfy them.
  const Powers& powers() const { return powers_; }

 private:
  void check_stops(double t, const coordinates::MechanismMotion& bodies) const;
  /// (1) … (3) with the loads that stand in memory_.
  void solve_with_loads(double t, const coordinates::MechanismMotion& bodies);
  [[noreturn]] void throw_unreached(double t, const Eigen::MatrixXd& N, const Eigen::MatrixXd& A,
                                    double tolerance) const;
  void find_powers(double t, const coordinates::MechanismMotion& bodies);

  DynamicModel model_;
  std::vector<coordinates::Prescribed> actuators_;
  BodyNeeds needs_;
  RowPushes pushes_;
  ForceMemory memory_;
  core::LeastNorm joint_solver_, actuator_solver_;
  std::vector<JointReaction> joints_;
  std::vector<CouplingEffort> couplings_;
  std::vector<double> efforts_, rates_;
  std::vector<bool> is_effort_unique_;
  int num_freedoms_ = 0;
  double residual_ = 0.0;
  Powers powers_;
};

}  // namespace eslabon::dynamics
