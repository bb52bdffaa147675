#include "eslabon/estimation/estimator_makers.hpp"
#include "eslabon/estimation/extended_filter.hpp"

// The discrete extended Kalman filter of [Seed003, §3.3.1]: the state itself is estimated.
//   predict   x⁻ = f(x⁺),  P⁻ = F P⁺ Fᵀ + Q_w                                          [Seed003, eq. (16)]
//   update    ν = y − h(x⁻),  S = H P⁻ Hᵀ + R_n,  K = P⁻ Hᵀ S⁻¹,  x⁺ = x⁻ + K ν,  P⁺ = (I − K H) P⁻   [Seed003, eq. (20)]
// Differs from it: covariances by their roots (covariance_root.hpp), angles are wrapped, readings can be refused, and F is exact unless
// the simple one of [Seed003, eq. (18)] is asked for.
namespace eslabon::estimation {

namespace {

class Dekf final : public ExtendedFilter {
 public:
  using ExtendedFilter::ExtendedFilter;

  std::string_view name() const override { return "dekf"; }

  bool predict(double h) override {
    check_step(h);
    return propagate(h);
  }

  UpdateReport update(int sensor, ConstStateRef y, double gate) override { return correct(sensor, y, gate); }
};

}  // namespace

std::unique_ptr<Estimator> make_dekf(System& system, const EstimatorOptions& options) {
  return std::make_unique<Dekf>(system, options.exact_jacobian);
}

}  // namespace eslabon::estimation
