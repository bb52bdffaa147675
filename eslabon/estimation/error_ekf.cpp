#include "eslabon/estimation/estimator_makers.hpp"
#include "eslabon/estimation/extended_filter.hpp"

// The error-state (indirect) extended Kalman filter [Sanjurjo2017], [Sanjurjo2018]: the mechanism runs on as a simulation, by whatever rule its
// system has, and the filter estimates how far that is from the truth,
//   truth = x + e,   e ~ (ê, P)                                                                          (1)
//   e⁻ = F e⁺ + w:   ê⁻ = F ê⁺,  P⁻ = F P⁺ Fᵀ + Q_w                                                      (2)
//   y − h(x) = H e + n:   ê⁺ = ê⁻ + K (y − h(x) − H ê⁻),  K and P⁺ as of any Kalman filter               (3)
//   x ← x + ê⁺ (closed and made consistent by the system),  ê⁺ ← 0                                       (4)
// With (4) after every reading ê⁺ = 0 = ê⁻, so (2) is for P only and (3) is ê⁺ = K (y − h(x)). The covariance does not change by (4), because
// x + e stays what it was. F is of (1) linearised: exact, or the one of [Seed003, eq. (18)] that the first of these papers uses.
namespace eslabon::estimation {

namespace {

class ErrorEkf final : public ExtendedFilter {
 public:
  using ExtendedFilter::ExtendedFilter;

  std::string_view name() const override { return "error-ekf"; }

  bool predict(double h) override {
    check_step(h);
    return propagate(h);  // (2); the error is zero and stays so.
  }

  /// (3) and (4): the error is dx, which is fed back at once; where the simulation cannot go on from there it stays where it was.
  UpdateReport update(int sensor, ConstStateRef y, double gate) override { return correct(sensor, y, gate); }
};

}  // namespace

std::unique_ptr<Estimator> make_error_ekf(System& system, const EstimatorOptions& options) {
  return std::make_unique<ErrorEkf>(system, options.exact_jacobian);
}

}  // namespace eslabon::estimation
