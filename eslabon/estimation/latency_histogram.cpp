#include "eslabon/estimation/latency_histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "eslabon/core/text/number_text.hpp"

namespace eslabon::estimation {

namespace {

/// "4.1 µs".
std::string time_text(double ns) {
  constexpr std::array kUnits{"ns", "µs", "ms", "s"};
  std::size_t unit = 0;
  for (; unit + 1 < kUnits.size() && ns >= 1000.0; ++unit) ns /= 1000.0;
  return core::rounded_text(ns, 3) + " " + kUnits[unit];
}

std::string padded(std::string text, std::size_t columns) {
  const auto continuation = [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; };
  const auto shown = text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continuation));
  return shown < columns ? std::string(columns - shown, ' ') + text : text;
}

}  // namespace

// ns = (32 + k) 2ᵒ, 0 ≤ k < 32: octave o has the bins 32 (o + 1) + k; those below 32 ns are their own.
int LatencyHistogram::bin_of(std::int64_t ns) {
  if (ns < kPerOctave) return static_cast<int>(std::max<std::int64_t>(ns, 0));
  const int octave = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(ns))) - 6;
  const int within = static_cast<int>((ns >> octave) - kPerOctave);
  return std::min(kPerOctave * (octave + 1) + within, kBins - 1);
}

std::int64_t LatencyHistogram::end_of(int bin) {
  if (bin < kPerOctave) return bin;
  const int octave = bin / kPerOctave - 1, within = bin % kPerOctave;
  return (static_cast<std::int64_t>(kPerOctave + within + 1) << octave) - 1;
}

void LatencyHistogram::add(core::Duration latency) {
  const std::int64_t ns = std::max<std::int64_t>(latency.nanoseconds(), 0);
  ++bins_[static_cast<std::size_t>(bin_of(ns))];
  least_ = count_ == 0 ? ns : std::min(least_, ns);
  largest_ = std::max(largest_, ns);
  sum_ += static_cast<double>(ns);
  ++count_;
}

void LatencyHistogram::add(const LatencyHistogram& other) {
  if (other.count_ == 0) return;
  for (std::size_t k = 0; k < bins_.size(); ++k) bins_[k] += other.bins_[k];
  least_ = count_ == 0 ? other.least_ : std::min(least_, other.least_);
  largest_ = std::max(largest_, other.largest_);
  sum_ += other.sum_;
  count_ += other.count_;
}

core::Duration LatencyHistogram::least() const { return core::Duration::from_nanoseconds(least_); }

core::Duration LatencyHistogram::largest() const { return core::Duration::from_nanoseconds(largest_); }

double LatencyHistogram::mean() const {
  return count_ == 0 ? 0.0 : 1e-9 * sum_ / static_cast<double>(count_);
}

core::Duration LatencyHistogram::quantile(double p) const {
  const double wanted = std::clamp(p, 0.0, 1.0) * static_cast<double>(count_);
  std::uint64_t below = 0;
  for (int bin = 0; bin < kBins && count_ > 0; ++bin) {
    below += bins_[static_cast<std::size_t>(bin)];
    if (below > 0 && static_cast<double>(below) >= wanted && bin < kBins - 1)
      return core::Duration::from_nanoseconds(std::min(end_of(bin), largest_));
  }
  return largest();
}

LatencyHistogram::Bars LatencyHistogram::bars() const {
  Bars bars;
  if (count_ == 0) return bars;
  constexpr int kGroup = kPerOctave / 4;
  const auto begin_of = [](int bin) {
    return bin == 0 ? 0.0 : 1e-9 * static_cast<double>(end_of(bin - 1) + 1);
  };
  const int first = bin_of(least_) / kGroup, last = bin_of(largest_) / kGroup;
  for (int group = first; group <= last; ++group) {
    bars.edges.push_back(begin_of(kGroup * group));
    const auto* const bins = bins_.data() + kGroup * group;
    bars.counts.push_back(std::accumulate(bins, bins + kGroup, std::uint64_t{0}));
  }
  bars.edges.push_back(begin_of(kGroup * (last + 1)));
  return bars;
}

std::string LatencyHistogram::brief() const {
  std::string text;
  for (const auto& [name, p] : {std::pair{"p50 ", 0.5}, std::pair{"p99 ", 0.99}, std::pair{"p99.9 ", 0.999}})
    text += name + time_text(static_cast<double>(quantile(p).nanoseconds())) + "  ";
  return text + "max " + time_text(static_cast<double>(largest_)) + "  (" + std::to_string(count_) + ")";
}

std::string LatencyHistogram::text(int width) const {
  if (count_ == 0) return "";
  constexpr int kGroup = kPerOctave / 2;
  std::string text;
  std::uint64_t most = 1;
  const auto sum = [&](int group) {
    std::uint64_t inside = 0;
    for (int k = 0; k < kGroup; ++k) inside += bins_[static_cast<std::size_t>(kGroup * group + k)];
    return inside;
  };
  const int first = bin_of(least_) / kGroup, last = bin_of(largest_) / kGroup;
  for (int group = first; group <= last; ++group) most = std::max(most, sum(group));
  for (int group = first; group <= last; ++group) {
    const auto inside = static_cast<double>(sum(group));
    const double from = group == 0 ? 0.0 : static_cast<double>(end_of(kGroup * group - 1) + 1);
    const auto bar = std::lround(width * inside / static_cast<double>(most));
    text += padded(time_text(from), 9) + " … " +
            padded(time_text(static_cast<double>(end_of(kGroup * (group + 1) - 1) + 1)), 9) + "  ";
    for (long k = 0; k < bar; ++k) text += "█";
    text +=
        (bar > 0 ? " " : "") + core::rounded_text(100.0 * inside / static_cast<double>(count_), 3) + " %\n";
  }
  return text;
}

}  // namespace eslabon::estimation
