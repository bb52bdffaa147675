#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "eslabon/integration/integrators/integrator_makers.hpp"
#include "eslabon/integration/integrators/interpolation.hpp"

// Adams, Bashforth and Moulton's method of order 4 for  y = (z, ż),  y' = f(t, y) = (ż, z̈)  in steps of one length
// [HairerNorsettWanner1993, ch. III.1], predict, evaluate, correct, evaluate:
//   y* = y₀ + h/24 (55 f₀ − 59 f₋₁ + 37 f₋₂ − 9 f₋₃),   f* = f(t + h, y*)                                    (1)
//   y₁ = y₀ + h/24 (9 f* + 19 f₀ − 5 f₋₁ + f₋₂)                                                              (2)
// Two evaluations in a step where rk4 needs four: that of y₁ is the first of the next. Three steps before are needed: where there are none, at
// the start, behind events and other choices of z, and where a step has another length, rk4 makes the step.
namespace eslabon::integration {

namespace {

class Abm4 final : public Integrator {
 public:
  explicit Abm4(const IntegratorOptions& options) : step_(options.step), starter_(make_rk4(options)) {}

  std::string_view name() const override { return "abm4"; }
  IntegratorFacts facts() const override { return {.order = 4, .is_adaptive = false}; }
  void restart() override { num_known_ = 0; }

  bool step(MotionEquations& equations, const MotionPoint& from, double t_limit, MotionPoint& to) override {
    const double t = from.state.t, t1 = next_multiple(t, step_, t_limit), h = t1 - t;
    if (predicted_.z.size() != from.z.size()) {
      predicted_ = from;
      before_.fill({from.z_dot, from.z_ddot});
    }
    if (!continues(from, h)) num_known_ = 0;
    const bool is_started = num_known_ == kBefore;
    if (!(is_started ? advance(equations, from, t1, to) : starter_->step(equations, from, t_limit, to)))
      return false;
    remember(from, h, t1);
    return true;
  }

  void interpolate(const MotionPoint& from, const MotionPoint& to, double t, std::span<double> z,
                   std::span<double> z_dot) override {
    interpolate_integrated(from, to, t, z, z_dot);
  }

 private:
  static constexpr std::size_t kBefore = 3;    // steps that (1) looks back
  static constexpr double kSameLength = 1e-6;  // of a step; roundoff of the time is less

  struct Rates {
    std::vector<double> z_dot, z_ddot;
  };

  /// Whether the step goes on where the last one ended, with its length.
  bool continues(const MotionPoint& from, double h) const {
    return num_known_ > 0 && from.state.t == t_ && std::abs(h - h_) <= kSameLength * h;
  }
  void remember(const MotionPoint& from, double h, double t1) {
    for (std::size_t k = kBefore - 1; k > 0; --k) std::swap(before_[k], before_[k - 1]);
    before_[0].z_dot = from.z_dot;
    before_[0].z_ddot = from.z_ddot;
    num_known_ = std::min(num_known_ + 1, kBefore);
    h_ = h;
    t_ = t1;
  }

  bool advance(MotionEquations& equations, const MotionPoint& from, double t1, MotionPoint& to) {
    const double h = t1 - from.state.t, part = h / 24.0;
    const auto& [one, two, three] = before_;
    predicted_ = from;
    for (std::size_t k = 0; k < from.z.size(); ++k) {
      predicted_.z[k] = from.z[k] + part * (55.0 * from.z_dot[k] - 59.0 * one.z_dot[k] + 37.0 * two.z_dot[k] -
                                            9.0 * three.z_dot[k]);  // (1)
      predicted_.z_dot[k] = from.z_dot[k] + part * (55.0 * from.z_ddot[k] - 59.0 * one.z_ddot[k] +
                                                    37.0 * two.z_ddot[k] - 9.0 * three.z_ddot[k]);
    }
    if (!equations.evaluate(from, t1, predicted_)) return fail(equations, h);
    for (std::size_t k = 0; k < from.z.size(); ++k) {
      to.z[k] = from.z[k] + part * (9.0 * predicted_.z_dot[k] + 19.0 * from.z_dot[k] - 5.0 * one.z_dot[k] +
                                    two.z_dot[k]);  // (2)
      to.z_dot[k] = from.z_dot[k] + part * (9.0 * predicted_.z_ddot[k] + 19.0 * from.z_ddot[k] -
                                            5.0 * one.z_ddot[k] + two.z_ddot[k]);
    }
    return (equations.evaluate(from, t1, to) && equations.settle(from, to, StepKind::kFixed)) ||
           fail(equations, h);
  }
  static bool fail(MotionEquations& equations, double h) {
    equations.trouble().step = h;
    return false;
  }

  double step_;
  std::unique_ptr<Integrator> starter_;
  std::array<Rates, kBefore> before_;  ///< at the starts of the steps before, the last one first
  std::size_t num_known_ = 0;          ///< of them
  double t_ = 0.0, h_ = 0.0;           ///< end and length of the last step
  MotionPoint predicted_;              // Scratch.
};

}  // namespace

std::unique_ptr<Integrator> make_abm4(const IntegratorOptions& options) {
  return std::make_unique<Abm4>(options);
}

}  // namespace eslabon::integration
