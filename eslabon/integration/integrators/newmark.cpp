#include <algorithm>
#include <cmath>

#include "eslabon/core/linalg/lu.hpp"
#include "eslabon/integration/integrators/integrator_makers.hpp"
#include "eslabon/integration/integrators/interpolation.hpp"
#include "eslabon/integration/integrators/position_step.hpp"

// Two implicit integrators of order 2 with one set of equations [ChungHulbert1993], [ArnoldBruels2007]. With f = z̈(t, z, ż) and
// a mean acceleration x that belongs to a step,
//   z₁ = z₀ + h ż₀ + h² ((½ − β) x₀ + β x₁),   ż₁ = ż₀ + h ((1 − γ) x₀ + γ x₁)                               (1)
//   (1 − α_m) x₁ + α_m x₀ = (1 − α_f) f₁ + α_f f₀                                                        (2)
// trapezoidal: α_m = α_f = 0, γ = ½, β = ¼; then x = f, and (1) is  z₁ = z₀ + h/2 (ż₀ + ż₁), ż₁ = ż₀ + h/2 (f₀ + f₁).  It keeps
// amplitudes of any vibration.
// generalized-alpha: with the spectral radius ϱ at infinite frequency,
//   α_m = (2 ϱ − 1)/(ϱ + 1),  α_f = ϱ/(ϱ + 1),  γ = ½ − α_m + α_f,  β = ¼ (γ + ½)²                           (3)
//   x₀ = f(t + (α_m − α_f) h)  when it starts, by the rate of f along the motion.                        (4)
// (1), (2) are solved for x₁ by Newton with
//   J = 1 − κ (β h² ∂f/∂z + γ h ∂f/∂ż),   κ = (1 − α_f)/(1 − α_m)                                           (5)
// from differences of f: the seam of formulations has no dual numbers. J is kept as long as it makes errors fall to 0.3 in an
// iteration. Formulations that have a descriptor form are solved for positions instead: position_step.hpp.
namespace eslabon::integration {

namespace {

class Newmark final : public Integrator {
 public:
  Newmark(std::string_view name, const NewmarkRule& rule, double step)
      : name_(name), c_(rule), step_(step), by_positions_(rule) {}

  std::string_view name() const override { return name_; }
  IntegratorFacts facts() const override {
    return {.order = 2, .is_adaptive = false, .solves_positions = true};
  }
  void restart() override {
    is_started_ = has_slope_ = has_tangent_ = false;
    by_positions_.restart();
  }

  bool step(MotionEquations& equations, const MotionPoint& from, double t_limit, MotionPoint& to) override {
    const double t1 = next_multiple(from.state.t, step_, t_limit), h = t1 - from.state.t;
    resize(from.z.size());
    if (!begin(equations, from, h)) return fail(equations, h);
    if (std::abs(h - h_) > 1e-6 * h) has_tangent_ = has_slope_ = false;
    h_ = h;
    predict();
    dynamics::DescriptorForm* const form = equations.formulation().descriptor_form();
    Verdict verdict = form ? by_positions_.solve(equations, *form, from, t1, x0_, x_, to)
                           : iterate(equations, from, t1, to);
    for (int i = 0; form == nullptr && i < NewtonWatch::kMostTangents && verdict == Verdict::kSlow;
         ++i) {  // J has become old
      has_tangent_ = false;
      if (!is_finite(x_)) predict();
      verdict = iterate(equations, from, t1, to);
    }
    if (verdict == Verdict::kSlow) {
      equations.trouble() = {.kind = Trouble::Kind::kNotConverged,
                             .t = from.state.t,
                             .residual = form ? by_positions_.last_correction() : watch_.last_correction()};
      return fail(equations, h);
    }
    if (verdict == Verdict::kFailed) return fail(equations, h);
    c_.place(from, h_, x0_, x_, to);
    if (!equations.evaluate(from, t1, to) || !equations.settle(from, to, StepKind::kImplicit))
      return fail(equations, h);
    for (std::size_t k = 0; k < x_.size(); ++k) slope_[k] = x_[k] - x0_[k];
    has_slope_ = true;
    x0_ = x_;
    return true;
  }

  void interpolate(const MotionPoint& from, const MotionPoint& to, double t, std::span<double> z,
                   std::span<double> z_dot) override {
    interpolate_integrated(from, to, t, z, z_dot);
  }

 private:
  bool is_trapezoidal() const { return c_.alpha_m == 0.0 && c_.alpha_f == 0.0; }
  double kappa() const { return (1.0 - c_.alpha_f) / (1.0 - c_.alpha_m); }

  static bool fail(MotionEquations& equations, double h) {
    equations.trouble().step = h;
    return false;
  }

  void resize(std::size_t n) {
    if (x_.size() == n && known_.size() == n) return;
    for (std::vector<double>* const values : {&x0_, &x_, &slope_, &known_}) values->assign(n, 0.0);
    const auto size = static_cast<Eigen::Index>(n);
    J_.resize(size, size);
    r_.resize(size);
    dx_.resize(size);
    lu_ = core::Lu(size);
  }

  /// x₀ of this step and what (2) knows of it.
  bool begin(MotionEquations& equations, const MotionPoint& from, double h) {
    if (is_trapezoidal()) {
      x0_ = from.z_ddot;
    } else if (!is_started_) {
      const double d = 1e-4 * h;
      stage_ = from;
      for (std::size_t k = 0; k < x_.size(); ++k) {
        stage_.z[k] += d * (from.z_dot[k] + 0.5 * d * from.z_ddot[k]);
        stage_.z_dot[k] += d * from.z_ddot[k];
      }
      if (!equations.evaluate(from, from.state.t + d, stage_)) return false;
      for (std::size_t k = 0; k < x_.size(); ++k)
        x0_[k] =
            from.z_ddot[k] + (c_.alpha_m - c_.alpha_f) * h * (stage_.z_ddot[k] - from.z_ddot[k]) / d;  // (4)
    }
    is_started_ = true;
    for (std::size_t k = 0; k < x_.size(); ++k)
      known_[k] = (c_.alpha_f * from.z_ddot[k] - c_.alpha_m * x0_[k]) / (1.0 - c_.alpha_m);
    return true;
  }

  void predict() {
    for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = x0_[k] + (has_slope_ ? slope_[k] : 0.0);
  }

  Verdict iterate(MotionEquations& equations, const MotionPoint& from, double t1, MotionPoint& to) {
    if (x_.empty()) return Verdict::kConverged;
    const bool is_new = !has_tangent_;
    if (is_new && !make_tangent(equations, from, t1, to)) return Verdict::kFailed;
    watch_.begin(is_new);
    for (int i = 0; i < NewtonWatch::kMostIterations; ++i) {
      c_.place(from, h_, x0_, x_, to);
      if (!equations.evaluate(from, t1, to)) return Verdict::kFailed;
      ++equations.statistics().iterations;
      for (std::size_t k = 0; k < x_.size(); ++k)
        r_[static_cast<Eigen::Index>(k)] = kappa() * to.z_ddot[k] + known_[k] - x_[k];  // (2)
      lu_.solve(r_, dx_);
      for (std::size_t k = 0; k < x_.size(); ++k) x_[k] += dx_[static_cast<Eigen::Index>(k)];
      const auto verdict = watch_.look(c_.gamma * h_ * dx_.cwiseAbs().maxCoeff(),
                                       largest(to.z_dot) + h_ * largest(x_), h_, largest(to.z));
      has_tangent_ = has_tangent_ && !watch_.is_old();
      if (verdict) return *verdict;
    }
    return Verdict::kSlow;
  }

  /// (5) at x₁ as it stands.
  bool make_tangent(MotionEquations& equations, const MotionPoint& from, double t1, MotionPoint& to) {
    c_.place(from, h_, x0_, x_, to);
    if (!equations.evaluate(from, t1, to)) return false;
    stage_ = to;
    const double d = NewmarkRule::difference(x_, to.z_dot, h_);
    for (std::size_t j = 0; j < x_.size(); ++j) {
      x_[j] += d;
      c_.place(from, h_, x0_, x_, stage_);
      x_[j] -= d;
      if (!equations.evaluate(from, t1, stage_)) return false;
      for (std::size_t k = 0; k < x_.size(); ++k)
        J_(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)) =
            (j == k ? 1.0 : 0.0) - kappa() * (stage_.z_ddot[k] - to.z_ddot[k]) / d;
    }
    ++equations.statistics().tangents;
    lu_.compute(J_);
    has_tangent_ = true;
    return true;
  }

  std::string_view name_;
  NewmarkRule c_;
  double step_;
  double h_ = 0.0;  ///< of the present step
  bool is_started_ = false, has_slope_ = false, has_tangent_ = false;
  NewtonWatch watch_;
  std::vector<double> x0_, x_, slope_, known_;
  Eigen::MatrixXd J_;
  Eigen::VectorXd r_, dx_;
  core::Lu lu_;
  PositionStep by_positions_;  ///< of formulations that want it
  MotionPoint stage_;          // Scratch.
};

}  // namespace

std::unique_ptr<Integrator> make_trapezoidal(const IntegratorOptions& options) {
  return std::make_unique<Newmark>(
      "trapezoidal", NewmarkRule{.alpha_m = 0.0, .alpha_f = 0.0, .beta = 0.25, .gamma = 0.5}, options.step);
}

std::unique_ptr<Integrator> make_generalized_alpha(const IntegratorOptions& options) {
  const double radius = options.spectral_radius;
  NewmarkRule c{.alpha_m = (2.0 * radius - 1.0) / (radius + 1.0),
                .alpha_f = radius / (radius + 1.0),
                .beta = 0.0,
                .gamma = 0.0};
  c.gamma = 0.5 - c.alpha_m + c.alpha_f;
  c.beta = 0.25 * (c.gamma + 0.5) * (c.gamma + 0.5);  // (3)
  return std::make_unique<Newmark>("generalized-alpha", c, options.step);
}

}  // namespace eslabon::integration
