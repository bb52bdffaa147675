#pragma once

namespace eslabon::estimation {

/// Probability that a chi-square number of so many degrees (> 0) is at most x: the regularised incomplete gamma function
/// P(degrees/2, x/2). Error below 1e-12. Throws core::ContractError for degrees that are not positive and for NaN.
double chi_square_cdf(double x, double degrees);

/// The x of which chi_square_cdf is p, 0 ≤ p < 1 (0 gives 0). Error below 1e-10 of x, as long as 1 − p can be told from 1 − p ± 1e-12.
double chi_square_quantile(double p, double degrees);

}  // namespace eslabon::estimation
