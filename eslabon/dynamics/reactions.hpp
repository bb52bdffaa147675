#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "eslabon/dynamics/dynamic_model.hpp"

namespace eslabon::dynamics {

/// What a joint does to its second body, world axes.
struct JointReaction {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< (3) at the joint's origin on the second body [N]
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< (3) about it [N m]
  bool is_unique =
      true;  ///< otherwise redundant joints share the load, and this is the share with the least sum of squares
};

/// Forces in joints and of drivers, from a motion with its accelerations, whatever formulation found them: with w what each body
/// needs beside the applied forces, and G the directions in which rows of joints and drivers can push,
///   w_b = M_b a_b + gyroscopic part − applied,     G μ = w,   |μ| least, moments by the mechanism's size       (1)
/// Dense; one orthogonal decomposition per solution. Scratch: one per thread.
class Reactions {
 public:
  /// `model` must outlive it.
  explicit Reactions(const DynamicModel& model);

  /// `bodies` with accelerations; `memory` as AppliedForces::evaluate.
  void solve(double t, const coordinates::MechanismMotion& bodies, const ForceMemory& memory);

  /// (joints), (drivers) of the last solution.
  const std::vector<JointReaction>& joints() const { return joints_; }
  const std::vector<double>& efforts() const { return efforts_; }
  /// Whether the effort of this driver is unique: it is not where redundant joints can take its part, or in a singular position.
  bool is_effort_unique(std::size_t driver) const { return is_effort_unique_[driver]; }
  /// Largest part of w that no row can give [N or N m], relative to w: roundoff, unless the accelerations are wrong.
  double residual() const { return residual_; }

 private:
  struct Row {
    coordinates::Row row;
    int joint = -1;   ///< −1: of a driver
    int driver = -1;  ///< −1: of a joint
  };
  /// Where the features of a row are, and how a unit of it pushes them.
  struct Push {
    std::size_t count = 0;
    std::array<Eigen::Vector3d, 3> x, gradient;
  };
  void find_pushes(const coordinates::MechanismMotion& bodies);
  /// Adds what `weight` of row r does at its feature f, torques about a point.
  void add_push(std::size_t r, std::size_t f, const Eigen::Vector3d& about, double weight,
                Wrench& wrench) const;
  void find_needs(double t, const coordinates::MechanismMotion& bodies, const ForceMemory& memory);

  const DynamicModel& model_;
  double length_;
  std::vector<Row> rows_;
  std::vector<JointReaction> joints_;
  std::vector<double> efforts_;
  std::vector<bool> is_effort_unique_;
  double residual_ = 0.0;
  // Scratch.
  std::vector<coordinates::CoordinateValue> values_;
  std::vector<Wrench> applied_, needed_;
  std::vector<Push> pushes_;          ///< (rows)
  std::vector<double> angle_of_row_;  ///< (rows) value of a prescribed angle
};

}  // namespace eslabon::dynamics
