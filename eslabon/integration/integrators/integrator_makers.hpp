#pragma once

#include <cmath>

#include "eslabon/integration/integrators/integrator.hpp"

/// One maker per integrator, for the registry, and what several of them need.
namespace eslabon::integration {

std::unique_ptr<Integrator> make_rk4(const IntegratorOptions& options);
std::unique_ptr<Integrator> make_abm4(const IntegratorOptions& options);
std::unique_ptr<Integrator> make_dopri5(const IntegratorOptions& options);
std::unique_ptr<Integrator> make_trapezoidal(const IntegratorOptions& options);
std::unique_ptr<Integrator> make_generalized_alpha(const IntegratorOptions& options);
std::unique_ptr<Integrator> make_bdf(const IntegratorOptions& options);

/// The next multiple of the step after t, or t_limit if that comes first or almost: sums of steps would drift [s].
inline double next_multiple(double t, double step, double t_limit) {
  const double next = (std::floor(t / step + 1e-3) + 1.0) * step;
  return next > t_limit - 1e-3 * step ? t_limit : next;
}

/// Minimum meaningful step at time t [s].
inline double smallest_step(double t, double t_limit) {
  return 1e-13 * std::max(std::abs(t), std::abs(t_limit));
}

}  // namespace eslabon::integration
