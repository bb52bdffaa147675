#pragma once

#include <algorithm>
#include <span>

#include "eslabon/integration/integrators/motion_equations.hpp"
#include "eslabon/integration/integrators/newton_watch.hpp"

namespace eslabon::integration {

/// Newmark's family, with the mean acceleration x that belongs to a step:
///   z₁ = z₀ + h ż₀ + h² ((½ − β) x₀ + β x₁),   ż₁ = ż₀ + h ((1 − γ) x₀ + γ x₁)                               (1)
///   (1 − α_m) x₁ + α_m x₀ = (1 − α_f) a₁ + α_f a₀                                                        (2)
struct NewmarkRule {
  double alpha_m, alpha_f, beta, gamma;

  /// z₁ and ż₁ of x₁.
  void place(const MotionPoint& from, double h, std::span<const double> x0, std::span<const double> x,
             MotionPoint& to) const {
    for (std::size_t k = 0; k < x.size(); ++k) {
      to.z[k] = from.z[k] + h * from.z_dot[k] + h * h * ((0.5 - beta) * x0[k] + beta * x[k]);  // (1)
      to.z_dot[k] = from.z_dot[k] + h * ((1.0 - gamma) * x0[k] + gamma * x[k]);
    }
  }
  /// By how much x is moved to see what follows from it.
  static double difference(std::span<const double> x, std::span<const double> z_dot, double h) {
    return 1e-4 * std::max({largest(x), largest(z_dot) / (100.0 * h), 1e-3});
  }
};

}  // namespace eslabon::integration
