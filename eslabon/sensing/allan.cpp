#include "eslabon/sensing/allan.hpp"

#include <cmath>
#include <string>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::sensing {

namespace {

void check(std::size_t num_readings, double period, std::span<const std::size_t> clusters) {
  if (!(period > 0.0) || !std::isfinite(period))
    throw core::ContractError({.what = "readings without a period",
                               .where = "allan_deviation",
                               .expected = "period > 0 s",
                               .actual = core::number_text(period) + " s",
                               .next = "Give the time from reading to reading."});
  for (const std::size_t m : clusters)
    if (m < 1 || m > num_readings / 2)
      throw core::ContractError({.what = "a cluster that does not fit twice into the readings",
                                 .where = "allan_deviation",
                                 .expected = "1 to " + std::to_string(num_readings / 2) + " readings",
                                 .actual = std::to_string(m),
                                 .next = "Give smaller clusters, or more readings."});
}

AllanPoint point_of(std::span<const double> x, double period, std::size_t m) {
  const std::size_t terms = x.size() - 2 * m;  // N − 2m + 1 with N + 1 values of x
  double sum = 0.0;
  for (std::size_t k = 0; k < terms; ++k) {
    const double difference = x[k + 2 * m] - 2.0 * x[k + m] + x[k];
    sum += difference * difference;
  }
  const double tau = static_cast<double>(m) * period;
  return {m, tau, std::sqrt(sum / (2.0 * tau * tau * static_cast<double>(terms))), terms};  // (2)
}

}  // namespace

std::vector<AllanPoint> allan_deviation_of_integral(std::span<const double> integral, double period,
                                                    std::span<const std::size_t> clusters) {
  check(integral.empty() ? 0 : integral.size() - 1, period, clusters);
  std::vector<AllanPoint> points;
  for (const std::size_t m : clusters) points.push_back(point_of(integral, period, m));
  return points;
}

std::vector<AllanPoint> allan_deviation(std::span<const double> readings, double period,
                                        std::span<const std::size_t> clusters) {
  check(readings.size(), period, clusters);
  std::vector<double> x(readings.size() + 1, 0.0);
  for (std::size_t k = 0; k < readings.size(); ++k)
    x[k + 1] = x[k] + period * (readings[k] - readings[0]);  // (1)
  return allan_deviation_of_integral(x, period, clusters);
}

std::vector<std::size_t> octaves(std::size_t largest) {
  std::vector<std::size_t> clusters;
  for (std::size_t m = 1; m <= largest; m *= 2) {
    clusters.push_back(m);
    if (m > largest / 2) break;
  }
  return clusters;
}

double log_log_slope(std::span<const AllanPoint> points) {
  double w = 0.0, wx = 0.0, wy = 0.0, wxx = 0.0, wxy = 0.0;
  for (const AllanPoint& point : points) {
    if (!(point.deviation > 0.0))
      throw core::ContractError(
          {.what = "a deviation without a logarithm",
           .where = "log_log_slope",
           .expected = "deviations > 0",
           .actual = core::number_text(point.deviation) + " at " + core::number_text(point.tau) + " s",
           .next = "Leave out the point."});
    const double weight = 1.0 / static_cast<double>(point.cluster);
    const double x = std::log(point.tau), y = std::log(point.deviation);
    w += weight;
    wx += weight * x;
    wy += weight * y;
    wxx += weight * x * x;
    wxy += weight * x * y;
  }
  const double spread = w * wxx - wx * wx;
  if (points.size() < 2 || !(spread > 0.0))
    throw core::ContractError({.what = "a slope through less than two points",
                               .where = "log_log_slope",
                               .expected = "two different clusters or more",
                               .actual = std::to_string(points.size()) + " points",
                               .next = "Give more clusters."});
  return (w * wxy - wx * wy) / spread;
}

}  // namespace eslabon::sensing
