#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <Eigen/Core>
#include <Eigen/LU>

namespace eslabon::test {

// Where the tolerances of the tests come from: roundoff ε, condition numbers, steps, sample sizes.
// The environment variable ESLABON_TOLERANCE_SCALE multiplies all of them; with 0 every comparison
// that is not exact fails and so prints its residual.

inline constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// The factor of ESLABON_TOLERANCE_SCALE; 1 when it is not set.
inline double tolerance_scale() {
  const char* text = std::getenv("ESLABON_TOLERANCE_SCALE");
  return text == nullptr ? 1.0 : std::strtod(text, nullptr);
}

/// Largest error that n roundings may leave in a result whose largest intermediate is `scale`:
/// n ε |scale| (first order; doubles as they come, no cancellation beyond `scale`).
inline double roundoff(double n, double scale) { return tolerance_scale() * n * kEpsilon * std::abs(scale); }

/// Largest relative error two correct solvers of K x = b may show: a few units of roundoff times the
/// condition number of K, 16 ε / rcond(K). Infinite for a singular K.
inline double solve_tolerance(const Eigen::MatrixXd& K) {
  return tolerance_scale() * 16.0 * kEpsilon / K.partialPivLu().rcond();
}

/// The step h that balances the two errors of (f(x+h) − f(x−h)) / 2h for an x of size `scale`:
/// truncation ~ h² against roundoff ~ ε/h, least at h = ε^⅓.
inline double central_step(double scale) { return std::cbrt(kEpsilon) * std::max(1.0, std::abs(scale)); }

/// The error of that central difference: h² f‴/6 + ε f/h, both ~ ε^⅔; `size` bounds |f| and |f‴|.
inline double central_tolerance(double h, double size) {
  return tolerance_scale() * std::abs(size) * (h * h / 6.0 + 2.0 * kEpsilon / h);
}

/// `sigmas` standard deviations of the mean of `samples` independent draws of variance `variance`.
/// Under the normal law a mean is outside with probability 5.7e-7 for 5 sigmas, 2e-9 for 6.
inline double mean_tolerance(double sigmas, double variance, double samples) {
  return tolerance_scale() * sigmas * std::sqrt(variance / samples);
}

}  // namespace eslabon::test
