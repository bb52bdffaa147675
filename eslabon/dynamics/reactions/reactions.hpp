#pragma once

#include <span>
#include <vector>

#include "eslabon/core/linalg/least_norm.hpp"
#include "eslabon/dynamics/formulations/body_needs.hpp"
#include "eslabon/dynamics/reactions/joint_reaction.hpp"

namespace eslabon::dynamics {

/// Forces in joints and of drivers, from a motion with its accelerations, whatever formulation found them: with w what each body
/// needs beside the applied forces (BodyNeeds), and G the directions in which rows of joints and drivers can push (RowPushes),
///   G μ = w,   |μ| min, moments   by the mechanism's size                                                     (1)
/// Dense; one orthogonal decomposition per solution. Scratch: one per thread.
class Reactions {
 public:
  explicit Reactions(const DynamicModel& model);

  /// `bodies` with accelerations; `memory` as AppliedForces::evaluate. False where a force has no value.
  [[nodiscard]] bool solve(double t, const coordinates::MechanismMotion& bodies, const ForceMemory& memory);
  /// The same for callers who must have them: throws core::ModelError that names the force.
  void solve_or_throw(double t, const coordinates::MechanismMotion& bodies, const ForceMemory& memory);

  /// (joints), (drivers) of the last solution.
  const std::vector<JointReaction>& joints() const { return joints_; }
  const std::vector<double>& efforts() const { return efforts_; }
  /// (couplings)
  const std::vector<CouplingEffort>& couplings() const { return couplings_; }
  /// Whether the effort of this driver is unique: it is not where redundant joints can take its part, or in a singular position.
  bool is_effort_unique(std::size_t driver) const { return is_effort_unique_[driver]; }
  const std::vector<bool>& are_efforts_unique() const { return is_effort_unique_; }
  /// Largest part of w that no row can give, relative to what masses need and what acts: roundoff, unless the accelerations are wrong.
  double residual() const { return residual_; }

 private:
  DynamicModel model_;
  BodyNeeds needs_;
  RowPushes pushes_;
  core::LeastNorm solver_;
  std::vector<JointReaction> joints_;
  std::vector<CouplingEffort> couplings_;
  std::vector<double> efforts_;
  std::vector<bool> is_effort_unique_;
  double residual_ = 0.0;
};

/// Largest part of `wanted` that is not given, in parts of `size`; 0 where there is nothing.
double relative_residual(const Eigen::VectorXd& given, const Eigen::VectorXd& wanted, double size);
/// The largest of what masses need and of what acts: w may be the small difference of the two.
double size_of_forces(const RowPushes& pushes, const BodyNeeds& needs);

}  // namespace eslabon::dynamics
