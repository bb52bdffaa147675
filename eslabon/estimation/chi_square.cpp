#include "eslabon/estimation/chi_square.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"

// P(a, x) = γ(a, x)/Γ(a) [AbramowitzStegun1964, §6.5]:
//   P = D Σ_k xᵏ / ((a+1) … (a+k)),  D = xᵃ e⁻ˣ / Γ(a+1)                                        [there, eq. 6.5.12]              (1)
//   1 − P = a D / (b₀ − 1 (1−a)/(b₁ − 2 (2−a)/(b₂ − …))),  b_k = x + 1 − a + 2k                  [even part of eq. 6.5.31]        (2)
// (1) is used for x < a + 1, (2) above. For large a numerator and denominator of D are huge and near each other; with
// Stirling's series Γ(a+1) = √(2πa) aᵃ e⁻ᵃ e^δ, δ = 1/(12a) − 1/(360a³) + …                                                     (3)
//   D = exp(a (log(1+μ) − μ) − δ) / √(2πa),  μ = (x − a)/a.                                                                     (4)
namespace eslabon::estimation {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// D of (1).
double leading_factor(double a, double x) {
  if (a < 16.0) return std::exp(a * std::log(x) - x) / std::tgamma(a + 1.0);
  const double b = 1.0 / (a * a);
  const double delta = (1.0 / 12.0 - b * (1.0 / 360.0 - b * (1.0 / 1260.0 - b / 1680.0))) / a;  // (3)
  const double mu = (x - a) / a;
  return std::exp(a * (std::log1p(mu) - mu) - delta) / std::sqrt(2.0 * std::numbers::pi * a);  // (4)
}

double lower_by_series(double a, double x) {
  double term = 1.0, sum = 1.0;
  for (double k = 1.0; term > 0.1 * kEpsilon * sum; k += 1.0) {
    term *= x / (a + k);
    sum += term;
  }
  return leading_factor(a, x) * sum;  // (1)
}

/// The fraction is cut ever deeper, and evaluated from below, until that makes no difference.
double upper_by_fraction(double a, double x) {
  double value = 0.0, before = 1.0;
  for (double depth = 16.0; depth < 1e6 && std::abs(value - before) > kEpsilon * value; depth *= 2.0) {
    before = value;
    double below = x + 1.0 - a + 2.0 * depth;
    for (double k = depth; k >= 1.0; k -= 1.0) below = x - 1.0 - a + 2.0 * k - k * (k - a) / below;
    value = 1.0 / below;
  }
  return a * leading_factor(a, x) * value;  // (2)
}

void require(bool is_good, const char* what, const char* expected, double value) {
  if (is_good) return;
  throw core::ContractError({.what = what,
                             .where = "chi-square distribution",
                             .expected = expected,
                             .actual = core::number_text(value),
                             .next = "Give another value."});
}

double density(double x, double degrees) {
  const double a = 0.5 * degrees, y = 0.5 * x;
  return 0.5 * a * leading_factor(a, y) / y;
}

}  // namespace

double chi_square_cdf(double x, double degrees) {
  require(std::isfinite(degrees) && degrees > 0.0, "no degrees of freedom", "a positive number", degrees);
  require(!std::isnan(x), "not a number", "a number", x);
  if (x <= 0.0) return 0.0;
  if (std::isinf(x)) return 1.0;
  const double a = 0.5 * degrees, y = 0.5 * x;
  return y < a + 1.0 ? std::min(lower_by_series(a, y), 1.0) : 1.0 - upper_by_fraction(a, y);
}

// Newton's method within an interval that shrinks. P ≤ yᵃ/Γ(a+1), y = x/2, which is a lower bound of x, and a good one for small p.
double chi_square_quantile(double p, double degrees) {
  require(p >= 0.0 && p < 1.0, "no probability", "0 ≤ p < 1", p);
  require(std::isfinite(degrees) && degrees > 0.0, "no degrees of freedom", "a positive number", degrees);
  if (p == 0.0) return 0.0;
  const double a = 0.5 * degrees;
  double low = a < 16.0 ? 2.0 * std::pow(p * std::tgamma(a + 1.0), 1.0 / a) : 0.0;
  if (a < 16.0 && low < std::numeric_limits<double>::min()) return low;
  double high = std::max(2.0 * low, degrees);
  while (chi_square_cdf(high, degrees) < p) {
    low = high;
    high *= 2.0;
  }
  double x = p < 0.1 && low > 0.0 ? low : std::clamp(degrees, low, high);
  for (int k = 0; k < 200; ++k) {
    const double excess = chi_square_cdf(x, degrees) - p;
    (excess > 0.0 ? high : low) = x;
    const double next = x - excess / density(x, degrees);
    const double step = (next >= low && next <= high) ? next - x : 0.5 * (low + high) - x;
    x += step;
    if (std::abs(step) <= 4.0 * kEpsilon * x) break;
  }
  return x;
}

}  // namespace eslabon::estimation
