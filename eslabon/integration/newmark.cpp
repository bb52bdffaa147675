#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "eslabon/integration/integrator_makers.hpp"
#include "eslabon/integration/interpolation.hpp"

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
// iteration.
namespace eslabon::integration {

namespace {

constexpr double kTolerance = 1e-12;  // of ż
constexpr double kRoundoff = 1e-8;    // of ż: below this, corrections that do not fall are roundoff
constexpr double kGoodRate = 0.3;
constexpr int kMostIterations = 15;
constexpr int kMostTangents = 3;  // in a step

struct Coefficients {
  double alpha_m, alpha_f, beta, gamma;
};

double largest(std::span<const double> values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

bool is_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

class Newmark final : public Integrator {
 public:
  Newmark(std::string_view name, const Coefficients& coefficients, double step)
      : name_(name), c_(coefficients), step_(step) {}

  std::string_view name() const override { return name_; }
  IntegratorFacts facts() const override { return {.order = 2, .is_adaptive = false}; }
  void restart() override { is_started_ = has_slope_ = has_tangent_ = false; }

  bool step(MotionEquations& equations, const MotionPoint& from, double t_limit, MotionPoint& to) override {
    const double t1 = next_multiple(from.state.t, step_, t_limit), h = t1 - from.state.t;
    resize(from.z.size());
    if (!begin(equations, from, h)) return fail(equations, h);
    if (std::abs(h - h_) > 1e-6 * h) has_tangent_ = has_slope_ = false;
    h_ = h;
    predict();
    Verdict verdict = iterate(equations, from, t1, to);
    for (int i = 0; i < kMostTangents && verdict == Verdict::kSlow; ++i) {  // J has become old
      has_tangent_ = false;
      if (!is_finite(x_)) predict();
      verdict = iterate(equations, from, t1, to);
    }
    if (verdict == Verdict::kSlow) {
      equations.trouble() = {
          .kind = Trouble::Kind::kNotConverged, .t = from.state.t, .residual = last_correction_};
      return fail(equations, h);
    }
    if (verdict == Verdict::kFailed) return fail(equations, h);
    place(from, x_, to);
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
  enum class Verdict { kConverged, kSlow, kFailed };

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
    lu_ = Eigen::PartialPivLU<Eigen::MatrixXd>(size);
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

  /// z₁ and ż₁ of this x₁.
  void place(const MotionPoint& from, std::span<const double> x, MotionPoint& to) const {
    const double h = h_;
    for (std::size_t k = 0; k < x.size(); ++k) {
      to.z[k] = from.z[k] + h * from.z_dot[k] + h * h * ((0.5 - c_.beta) * x0_[k] + c_.beta * x[k]);  // (1)
      to.z_dot[k] = from.z_dot[k] + h * ((1.0 - c_.gamma) * x0_[k] + c_.gamma * x[k]);
    }
  }

  void predict() {
    for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = x0_[k] + (has_slope_ ? slope_[k] : 0.0);
  }

  Verdict iterate(MotionEquations& equations, const MotionPoint& from, double t1, MotionPoint& to) {
    if (x_.empty()) return Verdict::kConverged;
    if (!has_tangent_ && !make_tangent(equations, from, t1, to)) return Verdict::kFailed;
    double before = 0.0;
    for (int i = 0; i < kMostIterations; ++i) {
      place(from, x_, to);
      if (!equations.evaluate(from, t1, to)) return Verdict::kFailed;
      ++equations.statistics().iterations;
      for (std::size_t k = 0; k < x_.size(); ++k)
        r_[static_cast<Eigen::Index>(k)] = kappa() * to.z_ddot[k] + known_[k] - x_[k];  // (2)
      dx_.noalias() = lu_.solve(r_);
      for (std::size_t k = 0; k < x_.size(); ++k) x_[k] += dx_[static_cast<Eigen::Index>(k)];
      const double speed = largest(to.z_dot) + h_ * largest(x_);
      const double size = c_.gamma * h_ * dx_.cwiseAbs().maxCoeff();
      if (!std::isfinite(size)) return Verdict::kSlow;
      last_correction_ = speed > 0.0 ? size / speed : 0.0;
      if (size == 0.0) return Verdict::kConverged;
      if (i > 0) rate_ = size / before;
      // What is left after this correction: rate + rate² + … of it.
      if (i > 0 && rate_ > kGoodRate) {
        if (is_roundoff(size, to)) return Verdict::kConverged;
        has_tangent_ = false;
        if (rate_ >= 0.9) return Verdict::kSlow;
      }
      const double left = rate_ < 1.0 ? rate_ / (1.0 - rate_) * size : size;
      if (std::max(left, 1e-3 * size) <= kTolerance * speed) return Verdict::kConverged;
      before = size;
    }
    return Verdict::kSlow;
  }

  /// Corrections that do not fall any more are roundoff of the accelerations when they are small beside the velocities, or when
  /// positions do not notice them: a mechanism that comes to rest has no velocities to compare with.
  bool is_roundoff(double size, const MotionPoint& to) const {
    return last_correction_ <= kRoundoff || h_ * size <= 1e-13 * (1.0 + largest(to.z));
  }

  /// (5) at x₁ as it stands.
  bool make_tangent(MotionEquations& equations, const MotionPoint& from, double t1, MotionPoint& to) {
    place(from, x_, to);
    if (!equations.evaluate(from, t1, to)) return false;
    stage_ = to;
    const double d = 1e-4 * std::max({largest(x_), largest(to.z_dot) / (100.0 * h_), 1e-3});
    for (std::size_t j = 0; j < x_.size(); ++j) {
      x_[j] += d;
      place(from, x_, stage_);
      x_[j] -= d;
      if (!equations.evaluate(from, t1, stage_)) return false;
      for (std::size_t k = 0; k < x_.size(); ++k)
        J_(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)) =
            (j == k ? 1.0 : 0.0) - kappa() * (stage_.z_ddot[k] - to.z_ddot[k]) / d;
    }
    ++equations.statistics().tangents;
    lu_.compute(J_);
    has_tangent_ = true;
    rate_ = kGoodRate;
    return true;
  }

  std::string_view name_;
  Coefficients c_;
  double step_;
  double h_ = 0.0;  ///< of the present step
  bool is_started_ = false, has_slope_ = false, has_tangent_ = false;
  double rate_ = kGoodRate;  ///< at which corrections fall
  double last_correction_ = 0.0;
  std::vector<double> x0_, x_, slope_, known_;
  Eigen::MatrixXd J_;
  Eigen::VectorXd r_, dx_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  MotionPoint stage_;  // Scratch.
};

}  // namespace

std::unique_ptr<Integrator> make_trapezoidal(const IntegratorOptions& options) {
  return std::make_unique<Newmark>(
      "trapezoidal", Coefficients{.alpha_m = 0.0, .alpha_f = 0.0, .beta = 0.25, .gamma = 0.5}, options.step);
}

std::unique_ptr<Integrator> make_generalized_alpha(const IntegratorOptions& options) {
  const double radius = options.spectral_radius;
  Coefficients c{.alpha_m = (2.0 * radius - 1.0) / (radius + 1.0),
                 .alpha_f = radius / (radius + 1.0),
                 .beta = 0.0,
                 .gamma = 0.0};
  c.gamma = 0.5 - c.alpha_m + c.alpha_f;
  c.beta = 0.25 * (c.gamma + 0.5) * (c.gamma + 0.5);  // (3)
  return std::make_unique<Newmark>("generalized-alpha", c, options.step);
}

}  // namespace eslabon::integration
