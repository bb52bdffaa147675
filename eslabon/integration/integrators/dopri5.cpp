#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "eslabon/integration/integrators/error_measure.hpp"
#include "eslabon/integration/integrators/integrator_makers.hpp"

// The pair of orders 5 and 4 of Dormand and Prince for  y = (z, ż),  y' = (ż, z̈),  with its dense output of order 4 and a step
// from a PI controller [HairerNorsettWanner1993, ch. II.4–II.6]:
//   g_i = y + h Σ_{j<i} a_ij k_j,   k_i = f(t + c_i h, g_i),   y₁ = g₇                                      (1)
//   error = ‖h Σ e_i k_i‖,  root of the mean square in parts of what ErrorMeasure allows for max(|y|, |y₁|)    (2)
//   h_next = h min(5, max(0.1, 0.9 error^−0.17 error_before^0.04))                                      (3)
//   y(t + θ h) = r₁ + θ (r₂ + (1 − θ) (r₃ + θ (r₄ + (1 − θ) r₅)))                                          (4)
// Differs from the source: a stage that cannot be evaluated, and an end that the motion cannot have come to, are refused as too
// large an error is; k₇ serves as k₁ of the next step only if projection leaves it where it is (see MotionEquations::settle).
namespace eslabon::integration {

namespace {

constexpr int kStages = 7;
constexpr std::array<double, kStages> kC{0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0};
constexpr double kA[kStages][6] = {
    {},
    {1.0 / 5.0},
    {3.0 / 40.0, 9.0 / 40.0},
    {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
    {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
    {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
    {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0},
};
constexpr std::array<double, kStages> kE{71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                                         -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};
constexpr std::array<double, kStages> kD{-12715105075.0 / 11282082432.0,  0.0,
                                         87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                                         701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                                         69997945.0 / 29380423.0};
constexpr double kSafety = 0.9, kBeta = 0.04, kLeast = 0.1, kMost = 5.0, kRefused = 0.25;

class Dopri5 final : public Integrator {
 public:
  explicit Dopri5(const IntegratorOptions& options)
      : options_(options),
        measure_(options),
        largest_(options.largest_step > 0.0 ? options.largest_step
                                            : std::numeric_limits<double>::infinity()) {}

  std::string_view name() const override { return "dopri5"; }
  IntegratorFacts facts() const override { return {.order = 5, .is_adaptive = true}; }
  void restart() override {
    error_before_ = 1e-4;
    measure_.restart();
  }

  bool step(MotionEquations& equations, const MotionPoint& from, double t_limit, MotionPoint& to) override {
    measure_.see(equations.formulation(), from, t_limit - from.state.t);
    if (h_ == 0.0)
      h_ = options_.first_step > 0.0 ? options_.first_step : first_step(equations, from, t_limit);
    const double t = from.state.t, longest = std::min(largest_, equations.longest_turn(from));
    bool was_refused = false;
    while (true) {
      double h = std::min(h_, longest);
      const bool is_last = t + 1.01 * h >= t_limit;
      const double t1 = is_last ? t_limit : t + h;
      h = t1 - t;  // what t + h was rounded to: otherwise time and motion drift apart
      const bool is_evaluated = try_step(equations, from, t1, h, to);
      const double error = is_evaluated ? error_of(from, to, h) : HUGE_VAL;
      if (error <= 1.0 && equations.settle(from, to, StepKind::kControlled)) {
        double factor =
            kSafety * std::pow(error, 0.75 * kBeta - 0.2) * std::pow(error_before_, kBeta);  // (3)
        factor = error == 0.0 ? kMost : std::clamp(factor, kLeast, kMost);
        if (was_refused) factor = std::min(factor, 1.0);
        if (!(is_last && h < h_) || factor < 1.0)
          h_ = h * factor;  // a step cut short tells nothing about longer ones
        error_before_ = std::max(error, 1e-4);
        return true;
      }
      ++equations.statistics().rejected;
      was_refused = true;
      h_ = h * (is_evaluated && error > 1.0 && std::isfinite(error)
                    ? std::max(kLeast, kSafety * std::pow(error, 0.75 * kBeta - 0.2))
                    : kRefused);
      if (h_ < smallest_step(t, t_limit)) return equations.give_up(t, h);
    }
  }

  void interpolate(const MotionPoint& from, const MotionPoint& to, double t, std::span<double> z,
                   std::span<double> z_dot) override {
    const double h = end_ - from.state.t, s = (t - from.state.t) / h;
    for (std::size_t k = 0; k < z.size(); ++k) {
      z[k] = dense(k, from.z[k], end_z_[k], kz_, h, s);
      z_dot[k] = dense(k, from.z_dot[k], end_v_[k], kv_, h, s);
    }
    static_cast<void>(to);
  }

 private:
  using Slopes = std::array<std::vector<double>, kStages>;

  /// Stages, and the end in `to`, before projection.
  bool try_step(MotionEquations& equations, const MotionPoint& from, double t1, double h, MotionPoint& to) {
    const std::size_t n = from.z.size();
    stage_ = from;
    kz_[0] = from.z_dot;
    kv_[0] = from.z_ddot;
    for (std::size_t i = 1; i < kStages; ++i) {
      MotionPoint& stage = i + 1 == kStages ? to : stage_;
      for (std::size_t k = 0; k < n; ++k) {
        double dz = 0.0, dv = 0.0;
        for (std::size_t j = 0; j < i; ++j) {
          dz += kA[i][j] * kz_[j][k];
          dv += kA[i][j] * kv_[j][k];
        }
        stage.z[k] = from.z[k] + h * dz;  // (1)
        stage.z_dot[k] = from.z_dot[k] + h * dv;
      }
      if (!equations.evaluate(from, i + 2 >= kStages ? t1 : from.state.t + kC[i] * h, stage)) return false;
      kz_[i] = stage.z_dot;
      kv_[i] = stage.z_ddot;
    }
    end_ = t1;
    end_z_ = to.z;
    end_v_ = to.z_dot;
    return true;
  }

  double error_of(const MotionPoint& from, const MotionPoint& to, double h) {
    measure_.reach(to.z, to.z_dot);
    double sum = 0.0;
    const auto add = [&](const Slopes& slopes, std::size_t k, double allowed) {
      double e = 0.0;
      for (std::size_t i = 0; i < kStages; ++i) e += kE[i] * slopes[i][k];
      e *= h / allowed;
      sum += e * e;
    };
    for (std::size_t k = 0; k < from.z.size(); ++k) {
      add(kz_, k, measure_.of_position(k, std::max(std::abs(from.z[k]), std::abs(to.z[k]))));
      add(kv_, k, measure_.of_rate(k, to.z[k], std::max(std::abs(from.z_dot[k]), std::abs(to.z_dot[k]))));
    }
    return from.z.empty() ? 0.0 : std::sqrt(sum / (2.0 * static_cast<double>(from.z.size())));  // (2)
  }

  static double dense(std::size_t k, double y0, double y1, const Slopes& slopes, double h, double s) {
    const double r2 = y1 - y0, r3 = h * slopes[0][k] - r2, r4 = r2 - h * slopes[kStages - 1][k] - r3;
    double r5 = 0.0;
    for (std::size_t i = 0; i < kStages; ++i) r5 += h * kD[i] * slopes[i][k];
    return y0 + s * (r2 + (1.0 - s) * (r3 + s * (r4 + (1.0 - s) * r5)));  // (4)
  }

  /// A step for which both a step of Euler's and its error are small [HairerNorsettWanner1993, ch. II.4].
  double first_step(MotionEquations& equations, const MotionPoint& from, double t_limit) {
    const double span = t_limit - from.state.t;
    if (from.z.empty()) return 1e-2 * span;
    double d0 = 0.0, d1 = 0.0, d2 = 0.0;
    const auto weight_of_position = [&](std::size_t k) { return 1.0 / measure_.of_position(k, from.z[k]); };
    const auto weight_of_rate = [&](std::size_t k) {
      return 1.0 / measure_.of_rate(k, from.z[k], from.z_dot[k]);
    };
    for (std::size_t k = 0; k < from.z.size(); ++k) {
      const double wz = weight_of_position(k), wv = weight_of_rate(k);
      d0 += std::pow(wz * from.z[k], 2) + std::pow(wv * from.z_dot[k], 2);
      d1 += std::pow(wz * from.z_dot[k], 2) + std::pow(wv * from.z_ddot[k], 2);
    }
    const double scale = 1.0 / std::sqrt(2.0 * static_cast<double>(from.z.size()));
    d0 = scale * std::sqrt(d0);
    d1 = scale * std::sqrt(d1);
    const double h0 = std::min(d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1, 1e-2 * span);
    stage_ = from;
    for (std::size_t k = 0; k < from.z.size(); ++k) {
      stage_.z[k] += h0 * from.z_dot[k];
      stage_.z_dot[k] += h0 * from.z_ddot[k];
    }
    if (!equations.evaluate(from, from.state.t + h0, stage_)) return 0.1 * h0;
    for (std::size_t k = 0; k < from.z.size(); ++k)
      d2 += std::pow(weight_of_position(k) * (stage_.z_dot[k] - from.z_dot[k]), 2) +
            std::pow(weight_of_rate(k) * (stage_.z_ddot[k] - from.z_ddot[k]), 2);
    d2 = scale * std::sqrt(d2) / h0;
    const double largest = std::max(d1, d2);
    const double h1 = largest <= 1e-15 ? std::max(1e-6, 1e-3 * h0) : std::pow(0.01 / largest, 0.2);
    return std::min({100.0 * h0, h1, span});
  }

  IntegratorOptions options_;
  ErrorMeasure measure_;
  double largest_;
  double h_ = 0.0;  ///< what the next step tries; 0: not known yet
  double error_before_ = 1e-4;
  // Of the last step.
  double end_ = 0.0;
  std::vector<double> end_z_, end_v_;
  Slopes kz_, kv_;
  MotionPoint stage_;
};

}  // namespace

std::unique_ptr<Integrator> make_dopri5(const IntegratorOptions& options) {
  return std::make_unique<Dopri5>(options);
}

}  // namespace eslabon::integration
