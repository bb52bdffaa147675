#include "eslabon/integration/integrators/interpolation.hpp"

namespace eslabon::integration {

// With s = (t − t₀)/h:  x = Σ p_k s^k,
//   p₀ = x₀,  p₁ = h v₀,  p₂ = ½ h² a₀,
//   with A = x₁ − p₀ − p₁ − p₂,  B = h v₁ − p₁ − 2 p₂,  C = h² a₁ − 2 p₂:
//   p₃ = 10 A − 4 B + ½ C,  p₄ = −15 A + 7 B − C,  p₅ = 6 A − 3 B + ½ C.                                    (1)
void interpolate_quintic(double t0, double t1, double t, std::span<const double> x0,
                         std::span<const double> v0, std::span<const double> a0, std::span<const double> x1,
                         std::span<const double> v1, std::span<const double> a1, std::span<double> x,
                         std::span<double> v) {
  const double h = t1 - t0, s = (t - t0) / h;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double p1 = h * v0[k], p2 = 0.5 * h * h * a0[k];
    const double A = x1[k] - x0[k] - p1 - p2, B = h * v1[k] - p1 - 2.0 * p2, C = h * h * a1[k] - 2.0 * p2;
    const double p3 = 10.0 * A - 4.0 * B + 0.5 * C, p4 = -15.0 * A + 7.0 * B - C,
                 p5 = 6.0 * A - 3.0 * B + 0.5 * C;
    x[k] = x0[k] + s * (p1 + s * (p2 + s * (p3 + s * (p4 + s * p5))));
    v[k] = (p1 + s * (2.0 * p2 + s * (3.0 * p3 + s * (4.0 * p4 + s * 5.0 * p5)))) / h;
  }
}

void interpolate_integrated(const MotionPoint& from, const MotionPoint& to, double t, std::span<double> z,
                            std::span<double> z_dot) {
  interpolate_quintic(from.state.t, to.state.t, t, from.z, from.z_dot, from.z_ddot, to.z, to.z_dot, to.z_ddot,
                      z, z_dot);
}

}  // namespace eslabon::integration
