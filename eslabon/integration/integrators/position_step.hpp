#pragma once

#include <vector>

#include "eslabon/core/linalg/lu.hpp"
#include "eslabon/integration/integrators/newmark_rule.hpp"

namespace eslabon::integration {

/// A step of Newmark's family with positions and multipliers as unknowns, for formulations that have a descriptor form: index 3. With
/// the mean acceleration x that decides z₁, ż₁ and a₁ (newmark_rule.hpp),
///   [ ∂r/∂x   Phi_qᵀ ] [ dx ]      [ r         ]
///   [ Phi_q   −ε     ] [ dλ ] = −  [ Phi / β h² ]                                                            (1)
/// where the rows are divided so that the matrix becomes that of the multipliers for small h [ArnoldBruels2007]. ∂r/∂x, with masses,
/// damping and stiffness in it, comes from differences of r; it is kept as long as corrections fall to 0.3 in an iteration. What is
/// integrated satisfies the constraints; velocities and accelerations are projected afterwards, by MotionEquations::settle.
class PositionStep {
 public:
  explicit PositionStep(const NewmarkRule& rule) : rule_(rule) {}

  void restart() { has_tangent_ = false; }
  /// Finds x₁ from the guess that stands in `x`; x₀ and the acceleration at the start are known. `to`: its z and ż.
  Verdict solve(MotionEquations& equations, dynamics::DescriptorForm& form, const MotionPoint& from,
                double t1, std::span<const double> x0, std::span<double> x, MotionPoint& to);
  /// Relative size of the last correction.
  double last_correction() const { return watch_.last_correction(); }

 private:
  void resize(std::size_t n, std::size_t m);
  bool evaluate(MotionEquations& equations, dynamics::DescriptorForm& form, const MotionPoint& from,
                double t1, std::span<const double> x0, std::span<const double> x, MotionPoint& to);
  bool make_tangent(MotionEquations& equations, dynamics::DescriptorForm& form, const MotionPoint& from,
                    double t1, std::span<const double> x0, std::span<double> x, MotionPoint& to);
  Verdict iterate(MotionEquations& equations, dynamics::DescriptorForm& form, const MotionPoint& from,
                  double t1, std::span<const double> x0, std::span<double> x, MotionPoint& to);

  NewmarkRule rule_;
  double h_ = 0.0;
  bool has_tangent_ = false;
  NewtonWatch watch_;
  std::vector<double> a_, lambda_;
  Eigen::VectorXd r_, Phi_, r_here_, right_, answer_;
  Eigen::MatrixXd J_;
  core::Lu lu_;
};

}  // namespace eslabon::integration
