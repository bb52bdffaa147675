#include "eslabon/sensing/recorded_column.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "eslabon/core/text/error.hpp"
#include "eslabon/sensing/row_polynomial.hpp"

namespace eslabon::sensing {

namespace {

// Of what changes from row to row: where rows differ less than that from what their neighbours tell, they resolve the motion, and what does
// not fall with their distance is noise. By rows alone, by their rates too, by accelerations too: frequencies ω h < 0.3, 0.5, 0.7.
constexpr double kResolvedByRows = 0.02, kResolvedByRates = 5e-3, kResolvedByAccelerations = 3e-4;
// A motion that differs less than kNoise falls by more than kFalls, with polynomials of third degree.
constexpr double kNoise = 0.25, kFalls = 2.0;

}  // namespace

RecordedColumn::RecordedColumn(std::span<const double> t, std::span<const double> values,
                               std::span<const double> rates, std::span<const double> accelerations)
    : t_(t), values_(values), rates_(rates), accelerations_(accelerations) {
  const bool fits = !t.empty() && values.size() == t.size() && (rates.empty() || rates.size() == t.size()) &&
                    (accelerations.empty() || (accelerations.size() == t.size() && !rates.empty()));
  if (!fits)
    throw core::ContractError(
        {.what = "a column without its rows",
         .where = "RecordedColumn",
         .expected = "as many values, rates and accelerations as times",
         .actual = std::to_string(values.size()) + " values of " + std::to_string(t.size()),
         .next = "Give the columns of one table."});
  find_jumps();
}

int RecordedColumn::order() const {
  if (!rates_.empty()) return accelerations_.empty() ? 4 : 6;
  return t_.size() >= 4 ? 4 : 2;
}

void RecordedColumn::find_jumps() {
  jumps_.assign(t_.size() - 1, 0);
  // Of a position with both derivatives it is the rate that jumps.
  const std::span<const double> jumping = accelerations_.empty() ? values_ : rates_,
                                slopes = accelerations_.empty() ? rates_ : accelerations_;
  if (slopes.empty()) return;
  double steepest = 0.0;
  for (const double slope : slopes) steepest = std::max(steepest, std::abs(slope));
  for (std::size_t i = 0; i + 1 < t_.size(); ++i)
    jumps_[i] =
        is_jump({jumping[i], slopes[i]}, {jumping[i + 1], slopes[i + 1]}, t_[i + 1] - t_[i], steepest);
}

bool RecordedColumn::jumps_after(std::size_t i) const { return i < jumps_.size() && jumps_[i] != 0; }

double RecordedColumn::largest_distance() const {
  double largest = 0.0;
  for (std::size_t i = 0; i + 1 < t_.size(); ++i) largest = std::max(largest, t_[i + 1] - t_[i]);
  return largest;
}

double RecordedColumn::between(std::size_t i, std::size_t j, double t) const {
  const double h = t_[j] - t_[i], s = (t - t_[i]) / h;
  if (rates_.empty()) return values_[i] + s * (values_[j] - values_[i]);
  if (!accelerations_.empty())
    return quintic({values_[i], rates_[i], accelerations_[i]}, {values_[j], rates_[j], accelerations_[j]}, h,
                   s)
        .value;
  return cubic({values_[i], rates_[i]}, {values_[j], rates_[j]}, h, s);
}

double RecordedColumn::through_four(std::size_t a, std::size_t b, std::size_t c, std::size_t d,
                                    double t) const {
  const std::array<std::size_t, 4> rows{a, b, c, d};
  double sum = 0.0;
  for (const std::size_t i : rows) {  // Lagrange
    double weight = 1.0;
    for (const std::size_t j : rows)
      if (j != i) weight *= (t - t_[j]) / (t_[i] - t_[j]);
    sum += weight * values_[i];
  }
  return sum;
}

double RecordedColumn::at(double t) const {
  const std::size_t rows = t_.size();
  if (rows == 1) return values_[0];
  const auto after = std::ranges::upper_bound(t_, t) - t_.begin();
  const auto i = static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(after - 1, 0, static_cast<std::ptrdiff_t>(rows) - 2));
  if (!rates_.empty() || rows < 4) return between(i, i + 1, t);
  const std::size_t first = std::clamp<std::size_t>(i == 0 ? 0 : i - 1, 0, rows - 4);
  return through_four(first, first + 1, first + 2, first + 3, t);
}

double RecordedColumn::predicted(std::size_t i, std::size_t k) const {
  if (!rates_.empty() || t_.size() < 4) return between(i - k, i + k, t_[i]);
  return through_four(i - 3 * k, i - k, i + k, i + 3 * k, t_[i]);
}

double RecordedColumn::misfit(std::size_t k) const {
  const std::size_t reach = rates_.empty() && t_.size() >= 4 ? 3 * k : k;
  double squares = 0.0;
  long count = 0;
  for (std::size_t i = reach; i + reach < t_.size(); ++i) {
    const auto first = jumps_.begin() + static_cast<std::ptrdiff_t>(i - reach);
    if (std::any_of(first, first + static_cast<std::ptrdiff_t>(2 * reach),
                    [](char jump) { return jump != 0; }))
      continue;
    squares += std::pow(values_[i] - predicted(i, k), 2);
    ++count;
  }
  return count == 0 ? -1.0 : std::sqrt(squares / static_cast<double>(count));
}

double RecordedColumn::change() const {
  double squares = 0.0;
  for (std::size_t i = 0; i + 1 < t_.size(); ++i) squares += std::pow(values_[i + 1] - values_[i], 2);
  return t_.size() < 2 ? 0.0 : std::sqrt(squares / static_cast<double>(t_.size() - 1));
}

// With noise n in the rows, e(2h)² = s² + n² and e(4h)² = 4^p s² + n² where the order is p:
//   s² = (e(4h)² − e(2h)²)/(4^p − 1)                                                                            (4)
double RecordedColumn::error() const {
  const double near = misfit(1), far = misfit(2), gain = std::pow(2.0, order());
  if (!(near > 0.0)) return 0.0;
  const double resolved = rates_.empty()           ? kResolvedByRows
                          : accelerations_.empty() ? kResolvedByRates
                                                   : kResolvedByAccelerations;
  const bool is_noise = order() == 4 && far < kFalls * near && near < kNoise * change();
  if (far >= 0.0 && (is_noise || near < resolved * change()))
    return std::sqrt(std::max(0.0, far * far - near * near) / (gain * gain - 1.0)) / gain;
  const double least =
      far < 0.0 ? 4.0 : 1.0;  // too few rows to see how fast it falls: as for a straight line
  return near / std::clamp(far / near, least, gain);
}

}  // namespace eslabon::sensing
