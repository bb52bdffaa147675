#include "eslabon/estimation/estimator_makers.hpp"
#include "eslabon/estimation/kalman/extended_filter.hpp"

// The discrete extended Kalman filter of [Seed003, §3.3.1]: the state itself is estimated.
//   predict   x⁻ = f(x⁺),  P⁻ = F P⁺ Fᵀ + Q_w                                          [Seed003, eq. (16)]
//   update    ν = y − h(x⁻),  S = H P⁻ Hᵀ + R_n,  K = P⁻ Hᵀ S⁻¹,  x⁺ = x⁻ + K ν,  P⁺ = (I − K H) P⁻   [Seed003, eq. (20)]
// Differs from it: covariances by their roots (covariance_root.hpp), angles are wrapped, readings can be refused, and F is exact unless
// the simple one of [Seed003, eq. (18)] is asked for.
//
// "error-ekf" is the same filter under the name by which [Sanjurjo2017], [Sanjurjo2018] know it, the error-state (indirect) one: the mechanism runs
// on as a simulation, by whatever rule its system has, and the filter estimates how far that is from the truth,
//   truth = x + e,   e ~ (ê, P)                                                                          (1)
//   e⁻ = F e⁺ + w:   ê⁻ = F ê⁺,  P⁻ = F P⁺ Fᵀ + Q_w                                                      (2)
//   y − h(x) = H e + n:   ê⁺ = ê⁻ + K (y − h(x) − H ê⁻),  K and P⁺ as of any Kalman filter               (3)
//   x ← x + ê⁺ (closed and made consistent by the system),  ê⁺ ← 0                                       (4)
// With (4) after every reading ê⁺ = 0 = ê⁻, so (2) is for P only and (3) is ê⁺ = K (y − h(x)) = K ν: what update() above adds. The covariance
// does not change by (4), because x + e stays what it was. F is of (1) linearised: exact, or the simple one, which the first of these papers uses.
namespace eslabon::estimation {

namespace {

class Dekf final : public ExtendedFilter {
 public:
  Dekf(System& system, bool exact_jacobian, std::string_view name)
      : ExtendedFilter(system, exact_jacobian), name_(name) {}

  std::string_view name() const override { return name_; }

  bool predict(double h) override {
    check_step(h);
    return propagate(h);
  }

  UpdateReport update(int sensor, ConstStateRef y, double gate) override { return correct(sensor, y, gate); }

 private:
  std::string_view name_;  ///< by which it was asked for
};

}  // namespace

std::unique_ptr<Estimator> make_dekf(System& system, const EstimatorOptions& options) {
  return std::make_unique<Dekf>(system, options.exact_jacobian, "dekf");
}

std::unique_ptr<Estimator> make_error_ekf(System& system, const EstimatorOptions& options) {
  return std::make_unique<Dekf>(system, options.exact_jacobian, "error-ekf");
}

}  // namespace eslabon::estimation
