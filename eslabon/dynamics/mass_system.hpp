#pragma once

#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/coordinates/sparse_pattern.hpp"
#include "eslabon/dynamics/wrench.hpp"

namespace eslabon::dynamics {

/// Mass and generalised forces of a mechanism in any kind of coordinates. Every body carries four features, its origin and its three
/// axes (two in the plane); with x_i all features and constant numbers m_ij its kinetic energy is
///   T = ½ Σ m_ij ẋ_i·ẋ_j,   m_00 = m,   m_0k = m c_k,   m_kl = ½ tr(I_O) δ_kl − I_O,kl                        (1)
/// with c the centre of mass and I_O the inertia about the origin in body axes; a rod with mass between two points has
///   m_11 = m_22 = m_rod / 3,   m_12 = m_rod / 6.                                                            (2)
/// With ẋ_i = J_i v and ẍ_i = J_i a + x_bias,i of coordinates::FeatureMap follow
///   M = Σ m_ij J_iᵀ J_j,   h = Σ m_ij J_iᵀ x_bias,j,   Q = Σ J_0ᵀ f + ½ Σ_k J_kᵀ (τ × x_k) − h                 (3)
/// where features are linear in q (natural coordinates) M is constant and h = 0; where they are quadratic, (1) is the inertia in Euler
/// parameters. const; values belong to the caller.
/// Source: the constant mass matrix of [GarciaDeJalonBayo1994, ch. 4], for features of any kind.
class MassSystem {
 public:
  /// `system` must outlive it.
  explicit MassSystem(const coordinates::ConstraintSystem& system);

  struct Values {
    coordinates::FeatureValues<double> features;
    std::vector<Eigen::Vector3d> x_bias;
    std::vector<double> M;     ///< (entries) in the order of pattern(); symmetric, both halves
    Eigen::VectorXd Q;         ///< (n) generalised forces without −h
    Eigen::VectorXd h;         ///< (n) what masses need for x_bias
    bool is_constant = false;  ///< M stands already
    std::vector<Eigen::Vector3d> scratch;
  };

  const coordinates::SparsePattern& pattern() const { return pattern_; }

  /// M and h of (3).
  void evaluate(std::span<const double> q, std::span<const double> v, Values& out) const;
  /// Q of (3) without −h, for wrenches on the bodies; after evaluate.
  void project(std::span<const Wrench> wrenches, Values& out) const;
  /// out = M x.
  void multiply(const Values& values, std::span<const double> x, std::span<double> out) const;

 private:
  struct Coupling {
    int i, j;  ///< features
    double m;  ///< m_ij
  };
  /// One product: entry of M += m J_a · J_b.
  struct Product {
    int entry, a, b;
    double m;
  };
  struct BodyFeatures {
    std::size_t body;
    int origin;    ///< feature
    int num_axes;  ///< that follow it
  };

  const coordinates::ConstraintSystem& system_;
  std::unique_ptr<coordinates::FeatureMap> map_;
  std::vector<Coupling> couplings_;
  std::vector<BodyFeatures> bodies_;
  std::vector<Product> products_;
  coordinates::SparsePattern pattern_;
};

}  // namespace eslabon::dynamics
