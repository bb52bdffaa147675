#include "eslabon/integration/integrators/integrator_makers.hpp"
#include "eslabon/integration/integrators/interpolation.hpp"

// The classical method of order 4 for  y = (z, ż),  y' = f(t, y) = (ż, z̈)  [HairerNorsettWanner1993, ch. II.1]:
//   k₁ = f(t, y),  k₂ = f(t + h/2, y + h k₁/2),  k₃ = f(t + h/2, y + h k₂/2),  k₄ = f(t + h, y + h k₃),
//   y₁ = y + h (k₁ + 2 k₂ + 2 k₃ + k₄)/6.                                                               (1)
// Four evaluations in a step: that at its end is the first of the next.
namespace eslabon::integration {

namespace {

class Rk4 final : public Integrator {
 public:
  explicit Rk4(const IntegratorOptions& options) : step_(options.step) {}

  std::string_view name() const override { return "rk4"; }
  IntegratorFacts facts() const override { return {.order = 4, .is_adaptive = false}; }
  void restart() override {}

  // Seed000 eq. 99, eq. 100
  bool step(MotionEquations& equations, const MotionPoint& from, double t_limit, MotionPoint& to) override {
    const double t = from.state.t, t1 = next_multiple(t, step_, t_limit), h = t1 - t;
    const std::size_t n = from.z.size();
    stage_ = from;
    sum_z_ = from.z_dot;
    sum_v_ = from.z_ddot;
    constexpr double kPart[] = {0.5, 0.5, 1.0}, kWeight[] = {2.0, 2.0, 1.0};
    for (int s = 0; s < 3; ++s) {
      for (std::size_t k = 0; k < n; ++k) {
        stage_.z[k] = from.z[k] + h * kPart[s] * stage_.z_dot[k];
        stage_.z_dot[k] = from.z_dot[k] + h * kPart[s] * stage_.z_ddot[k];
      }
      if (!equations.evaluate(from, t + h * kPart[s], stage_)) return fail(equations, h);
      for (std::size_t k = 0; k < n; ++k) {
        sum_z_[k] += kWeight[s] * stage_.z_dot[k];
        sum_v_[k] += kWeight[s] * stage_.z_ddot[k];
      }
    }
    for (std::size_t k = 0; k < n; ++k) {
      to.z[k] = from.z[k] + h / 6.0 * sum_z_[k];  // (1)
      to.z_dot[k] = from.z_dot[k] + h / 6.0 * sum_v_[k];
    }
    return (equations.evaluate(from, t1, to) && equations.settle(from, to, StepKind::kFixed)) ||
           fail(equations, h);
  }

  void interpolate(const MotionPoint& from, const MotionPoint& to, double t, std::span<double> z,
                   std::span<double> z_dot) override {
    interpolate_integrated(from, to, t, z, z_dot);
  }

 private:
  static bool fail(MotionEquations& equations, double h) {
    equations.trouble().step = h;
    return false;
  }

  double step_;
  MotionPoint stage_;                  // Scratch.
  std::vector<double> sum_z_, sum_v_;  // Scratch.
};

}  // namespace

std::unique_ptr<Integrator> make_rk4(const IntegratorOptions& options) {
  return std::make_unique<Rk4>(options);
}

}  // namespace eslabon::integration
