#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace eslabon::sensing {

/// One point of an Allan plot.
struct AllanPoint {
  std::size_t cluster = 0;  ///< m: readings that are averaged
  double tau = 0.0;         ///< m · period [s]
  double deviation = 0.0;   ///< in the unit of the readings
  std::size_t terms = 0;    ///< squares that were averaged
};

/// Overlapping Allan deviation of readings y₀ … y_{N−1}, one in each period: how much the means of two neighbouring clusters
/// of m readings differ,
///
///   x_k = period Σ_{i<k} (y_i − y₀)                                                                              (1)
///   σ²(m) = 1/(2 (m period)² (N − 2m + 1)) Σ_{k=0}^{N−2m} (x_{k+2m} − 2 x_{k+m} + x_k)²   [Riley2008]   (2)
///
/// Slopes of log σ over log τ tell what the error is made of [Ieee952]: −1 quantisation of the integral of y, −½ white
/// noise, 0 flicker, +½ random walk, +1 ramp. y₀ is taken off because a constant only costs digits.
/// `clusters`: the m; throws ContractError unless 1 ≤ m ≤ N/2 and period > 0. Cost: N for each m.
std::vector<AllanPoint> allan_deviation(std::span<const double> readings, double period,
                                        std::span<const std::size_t> clusters);

/// The same of the integral x₀ … x_N of the readings, as encoders give the integral of a rate.
std::vector<AllanPoint> allan_deviation_of_integral(std::span<const double> integral, double period,
                                                    std::span<const std::size_t> clusters);

/// 1, 2, 4, … up to `largest`.
std::vector<std::size_t> octaves(std::size_t largest);

/// Slope of log deviation over log tau: least squares, each point weighted by N/m, to which its precision is
/// proportional. Throws ContractError for fewer than two points and deviations that are not positive.
double log_log_slope(std::span<const AllanPoint> points);

}  // namespace eslabon::sensing
