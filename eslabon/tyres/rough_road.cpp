// Random roads of ISO 8608.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include <unsupported/Eigen/FFT>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/tyres/road_relief.hpp"

namespace eslabon::tyres {

namespace {

constexpr double kReferenceWave = 0.1;  // n_0 [cycles/m]
constexpr double kFade = 10.0;          // m, over which a road begins to be rough
constexpr std::size_t kKnotsPerWave = 8;

/// The first and the last wave, in cycles over the length.
struct Waves {
  std::size_t first, last;
};
Waves waves_of(const RoughRoad& road) {
  constexpr double kTooMany = 1e9;
  const double first = std::min(std::ceil(road.length / road.longest_wave), kTooMany),
               last = std::min(std::floor(road.length / road.shortest_wave), kTooMany);
  return {static_cast<std::size_t>(std::max(first, 1.0)), static_cast<std::size_t>(std::max(last, 0.0))};
}

double coherence(double n, double track) {
  const double u = 2.0 * std::numbers::pi * n * track;
  return u < 600.0 ? u * std::cyl_bessel_k(1.0, u) : 0.0;  // (4)
}

/// Σ Re(c_k exp(2π i k s/L)) at equal steps of s, once round.
core::CubicTable sum_of_waves(const std::vector<std::complex<double>>& c, double length) {
  const std::size_t knots = c.size();
  std::vector<std::complex<double>> sum;
  Eigen::FFT<double>().inv(sum, c);
  std::vector<core::CubicTable::Point> points;
  for (std::size_t i = 0; i <= knots; ++i)
    points.emplace_back(length * static_cast<double>(i) / static_cast<double>(knots),
                        static_cast<double>(knots) * sum[i % knots].real());
  return core::CubicTable(std::move(points), core::CubicTable::Ends::kPeriod);
}

}  // namespace

std::optional<double> degree_of_class(std::string_view letter) {
  if (letter.size() != 1 || letter[0] < 'A' || letter[0] > 'H') return std::nullopt;
  return 16e-6 * std::pow(4.0, letter[0] - 'A');
}

double curvature_of(const RoughRoad& road) {
  const double degree = degree_of_class(std::string_view(&road.letter, 1)).value_or(0.0);
  const double n_1 = 1.0 / road.longest_wave, n_2 = 1.0 / road.shortest_wave;
  return std::pow(2.0 * std::numbers::pi, 2) * kReferenceWave *
         std::sqrt(degree * (n_2 * n_2 * n_2 - n_1 * n_1 * n_1) / 3.0);
}

std::size_t wave_count(const RoughRoad& road) {
  const Waves waves = waves_of(road);
  return waves.last < waves.first ? 0 : waves.last;
}

TrackHeights draw(const RoughRoad& road) {
  const std::size_t count = wave_count(road);
  if (count == 0 || count > kMostWaves || !degree_of_class(std::string_view(&road.letter, 1)))
    throw core::ContractError({.what = "a random road of no or of too many waves",
                               .where = "draw",
                               .expected = "1 to " + std::to_string(kMostWaves) + " waves",
                               .actual = std::to_string(count),
                               .next = "Check it first."});
  const double degree = degree_of_class(std::string_view(&road.letter, 1)).value();
  const Waves waves = waves_of(road);
  const std::size_t knots = std::bit_ceil(kKnotsPerWave * waves.last);
  std::vector<std::complex<double>> left(knots), right(knots);
  core::Rng rng(road.seed);
  const auto phase = [&] { return std::polar(1.0, 2.0 * std::numbers::pi * rng.uniform()); };
  for (std::size_t k = waves.first; k <= waves.last; ++k) {
    const double n = static_cast<double>(k) / road.length;
    const double density = degree * std::pow(n / kReferenceWave, -2.0);  // (3)
    const double amplitude = std::sqrt(2.0 * density / road.length);
    const double together = coherence(n, road.track);
    const double apart = std::copysign(std::sqrt(1.0 - together * together), rng.uniform() - 0.5);
    left[k] = amplitude * phase();
    right[k] = left[k] * std::complex<double>(together, apart);  // (5)
  }
  return {.left = sum_of_waves(left, road.length),
          .right = sum_of_waves(right, road.length),
          .begin = road.begin,
          .fade = kFade};
}

}  // namespace eslabon::tyres
