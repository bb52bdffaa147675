#include <cmath>

#include "eslabon/estimation/estimator_makers.hpp"
#include "eslabon/estimation/kalman/gaussian_filter.hpp"

// The unscented Kalman filter [WanMerwe2000] in square-root form [MerweWan2001]. With P = L Lᵀ and γ² = α² (n + κ) the sigma points are
//   x,  x ± γ l_i,   i = 1 … n,   l_i columns of L                                                                    (1)
// and g stands for f or h, d_i^± = g(x ± γ l_i) − g(x). Weights of the mean: W = 1/(2γ²) each, 1 − 2nW in the middle; of the covariance:
// the same, but 1 − α² + β more in the middle. Sums of such weights, of the order 1/α² and both signs, lose digits and, in roots, need
// downdates that can fail. Both are avoided by taking differences from the middle and by pairs,
//   o_i = (d_i⁺ − d_i⁻)/(2γ),   s_i = (d_i⁺ + d_i⁻)/(2γ)                                                              (2)
//   mean of g:        g(x) + e,  e = W Σ (d_i⁺ + d_i⁻) = (1/γ) Σ s_i                                                  (3)
//   covariance of g:  Σ W (d_i⁺ d_i⁺ᵀ + d_i⁻ d_i⁻ᵀ) + (β − α²) e eᵀ = Σ (o_i o_iᵀ + s_i s_iᵀ) + (β − α²) e eᵀ         (4)
//   with x:           Σ W γ l_i (d_i⁺ − d_i⁻)ᵀ = Σ l_i o_iᵀ                                                           (5)
// (4) because moving the centre of the sum from the mean to the middle takes away e eᵀ, as the weights sum to one. In matrices O, E of
// columns o_i, s_i the part of E is E (I + c 1 1ᵀ) Eᵀ, c = (β − α²)/γ², which has the root
//   E' = E + (√(1 + c n) − 1)/n · (E 1) 1ᵀ                                                                            (6)
// real when κ + n β/α² ≥ 0. So
//   P⁻: [O  E'  Q_w^½] Θ = [L⁻ 0 0],    C: [E'  R_n^½] Θ = [C 0],    update (4) of covariance_root.hpp with H L = O and R_n^½ = C    (7)
// O Oᵀ is what a linearised filter has, with O L⁻¹ for its tangent; E is what curvature adds. New points are drawn before a reading
// is used. Noise is additive. Differences of readings that are angles are wrapped.
namespace eslabon::estimation {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class Ukf final : public GaussianFilter {
 public:
  Ukf(System& system, const EstimatorOptions& options)
      : GaussianFilter(system),
        gamma_(options.alpha * std::sqrt(static_cast<double>(num_states()) + options.kappa)),
        n_(static_cast<double>(num_states())),
        point_(num_states()),
        plus_(std::max(num_states(), most_channels(system))),
        minus_(plus_),
        centre_(plus_),
        shift_(plus_),
        O_(plus_.size(), num_states()),
        E_(O_),
        noise_root_(plus_.size(), plus_.size()),
        rows_(2 * num_states() + plus_.size(), plus_.size()) {
    const double c = (options.beta - options.alpha * options.alpha) / (gamma_ * gamma_);
    spread_ = (std::sqrt(1.0 + c * n_) - 1.0) / n_;  // (6)
  }

  std::string_view name() const override { return "ukf"; }

  bool predict(double h) override {
    check_step(h);
    const Index n = num_states();
    const auto step = [&](StateRef g) {
      g = point_;
      return system_.step(t_, h, g);
    };
    if (!transform(n, step, [](StateRef) {})) return false;
    system_.plant_noise(t_, h, x_, linear_.Q_w);
    if (!find_root(linear_.Q_w, noise_root_.topLeftCorner(n, n))) return false;
    x_next_ = centre_.head(n) + shift_.head(n);  // (3)
    rows_.topLeftCorner(n, n) = O_.topRows(n).transpose();
    rows_.block(n, 0, n, n) = E_.topRows(n).transpose();
    rows_.block(2 * n, 0, n, n) = noise_root_.topLeftCorner(n, n).transpose();
    if (!root_.predict_from_rows(rows_.topLeftCorner(3 * n, n))) return false;  // (7)
    if (!divide_by_root(O_.topRows(n), linear_.F)) {
      point_ = x_;
      if (!system_.step(t_, h, point_, linear_.F)) return false;
    }
    return commit_prediction(h);
  }

  UpdateReport update(int sensor, ConstStateRef y, double gate) override {
    UpdateReport report{.status = UpdateReport::Status::kFailed};
    const Index n = num_states(), m = check_reading(sensor, y) ? y.size() : 0;
    const auto s = static_cast<std::size_t>(sensor);
    if (m == 0) return report;
    const auto measure = [&](StateRef g) { return system_.measure(t_, point_, sensor, g); };
    if (!transform(m, measure, [&](StateRef d) { wrap(sensor, d); })) return report;
    system_.sensor_noise(sensor, linear_.R_n[s]);
    if (!find_root(linear_.R_n[s], noise_root_.topLeftCorner(m, m))) return report;
    auto rows = rows_.topLeftCorner(n + m, m);
    rows.topRows(n) = E_.topRows(m).transpose();
    rows.bottomRows(m) = noise_root_.topLeftCorner(m, m).transpose();
    triangularise(rows);
    noise_root_.topLeftCorner(m, m).setZero();
    for (Index k = 0; k < m; ++k) noise_root_.row(k).head(k + 1) = rows.col(k).head(k + 1).transpose();  // C
    if (!root_.weigh_roots(O_.topRows(m), noise_root_.topLeftCorner(m, m))) return report;  // (7)
    if (!divide_by_root(O_.topRows(m), linear_.H[s]) &&
        !system_.measure(t_, x_, sensor, plus_.head(m), linear_.H[s]))
      return report;

    plus_.head(m) = y - centre_.head(m) - shift_.head(m);
    wrap(sensor, plus_.head(m));
    report = judge(plus_.head(m), gate);
    if (report.status == UpdateReport::Status::kAccepted && !commit_correction())
      report.status = UpdateReport::Status::kFailed;
    return report;
  }

 private:
  /// (1)…(3), (6) for a function of point_ with `size` values: centre_ = g(x), shift_ = e, O_, E_ = E'. False when it has no value somewhere.
  template <class Function, class Wrap>
  bool transform(Index size, const Function& evaluate, const Wrap& wrap_difference) {
    auto centre = centre_.head(size), plus = plus_.head(size), minus = minus_.head(size),
         sum = shift_.head(size);
    point_ = x_;
    if (!evaluate(centre)) return false;
    sum.setZero();
    for (Index i = 0; i < num_states(); ++i) {
      point_ = x_ + gamma_ * root_.root().col(i);
      if (!evaluate(plus)) return false;
      point_ = x_ - gamma_ * root_.root().col(i);
      if (!evaluate(minus)) return false;
      plus -= centre;
      minus -= centre;
      wrap_difference(plus);
      wrap_difference(minus);
      O_.col(i).head(size) = (plus - minus) / (2.0 * gamma_);  // (2)
      E_.col(i).head(size) = (plus + minus) / (2.0 * gamma_);
      sum += E_.col(i).head(size);
    }
    for (Index i = 0; i < num_states(); ++i) E_.col(i).head(size) += spread_ * sum;  // (6)
    sum /= gamma_;                                                                   // (3)
    return O_.topRows(size).allFinite() && E_.topRows(size).allFinite() && sum.allFinite();
  }

  /// out = O L⁻¹, the tangent of least squares over the sigma points. False when L is singular.
  bool divide_by_root(const Eigen::Ref<const MatrixXd>& O, MatrixRef out) const {
    const MatrixXd& L = root_.root();
    out = O;
    for (Index j = num_states() - 1; j >= 0; --j) {
      if (!(L(j, j) > 1e-7 * root_.deviation(j))) return false;
      out.col(j) /= L(j, j);
      for (Index i = 0; i < j; ++i) out.col(i) -= L(j, i) * out.col(j);
    }
    return out.allFinite();
  }

  double gamma_, n_, spread_ = 0.0;
  VectorXd point_;  // (n) a sigma point
  // Scratch; k = max(n, most channels).
  VectorXd plus_, minus_, centre_, shift_;  // (k)
  MatrixXd O_, E_;                          // (k × n)
  MatrixXd noise_root_;                     // (k × k)
  MatrixXd rows_;                           // (2n + k × k)
};

}  // namespace

std::unique_ptr<Estimator> make_ukf(System& system, const EstimatorOptions& options) {
  return std::make_unique<Ukf>(system, options);
}

}  // namespace eslabon::estimation
