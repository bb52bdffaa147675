#pragma once

#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/coordinates/sparse_pattern.hpp"
#include "eslabon/dynamics/forces/wrench.hpp"
#include "eslabon/dynamics/formulations/step_timer.hpp"

namespace eslabon::dynamics {

/// Mass and centre of mass times mass and inertia about the world's origin of a link and all that it carries, and the wrench on
/// them about the world's origin.
struct CompositeInertia {
  double mass = 0.0;                                  ///< [kg]
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();   ///< (3) m c [kg m]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< (3 × 3) about the origin [kg m²]
};

/// Masses and forces at one state: scratch of a MassModel, and its results.
struct MassValues {
  std::vector<double> M;     ///< (entries) in the order of MassModel::pattern(); symmetric, both halves
  Eigen::VectorXd h;         ///< (n) what masses need when a = 0, less their weight
  Eigen::VectorXd Q;         ///< (n) generalised forces
  bool is_constant = false;  ///< M stands already
  // Scratch.
  coordinates::FeatureValues<double> features;
  std::vector<Eigen::Vector3d> x_bias, sums;
  std::vector<Eigen::Vector3d> motions;      ///< four vectors per link
  std::vector<CompositeInertia> composites;  ///< (links)
  std::vector<Wrench> carried;               ///< (links) about the world's origin
  StepTimer timer;                           ///< of masses along the tree
};

/// The masses of a mechanism in some kind of coordinates:  M a + h = Q + constraint forces.  const; values belong to the caller.
class MassModel {
 public:
  virtual ~MassModel() = default;

  /// Of M.
  const coordinates::SparsePattern& pattern() const { return pattern_; }
  /// M and h; with weights: what masses need beside them in free fall at g.
  virtual void evaluate(std::span<const double> q, std::span<const double> v, const Eigen::Vector3d& g,
                        MassValues& out) const = 0;
  /// Q of wrenches on the bodies; after evaluate at the same state.
  virtual void project(std::span<const Wrench> wrenches, MassValues& out) const = 0;
  /// out = M x.
  void multiply(const MassValues& values, std::span<const double> x, std::span<double> out) const;

 protected:
  coordinates::SparsePattern pattern_;
};

/// The one for the system's kind of coordinates: along the tree for relative ones, by features for others.
std::unique_ptr<MassModel> make_masses(const coordinates::ConstraintSystem& system);
/// By features that bodies carry, in any kind of coordinates: MassSystem. Lives beside the system.
std::unique_ptr<MassModel> make_feature_masses(const coordinates::ConstraintSystem& system);
/// By composite inertias along the tree, in relative coordinates: TreeMass.
std::unique_ptr<MassModel> make_tree_masses(const coordinates::ConstraintSystem& system);

}  // namespace eslabon::dynamics
