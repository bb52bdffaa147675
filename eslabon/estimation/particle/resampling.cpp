#include "eslabon/estimation/particle/resampling.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "eslabon/core/scalar/lane_math.hpp"

// Compiled without fused operations (CMakeLists.txt), for the same bits everywhere.
namespace eslabon::estimation {

namespace {

/// Uniform numbers of slots 0, 1, … one after the other.
class Uniforms {
 public:
  Uniforms(const core::BulkRandom& random, std::uint64_t position) : random_(random), position_(position) {}

  double next() {
    if (at_ % kChunk == 0) random_.fill_uniforms(at_, kChunk, position_, chunk_.data());
    return chunk_[at_++ % kChunk];
  }

 private:
  static constexpr std::size_t kChunk = 64;
  core::BulkRandom random_;
  std::uint64_t position_;
  std::uint64_t at_ = 0;
  std::array<double, kChunk> chunk_;
};

/// p_j of (1), one after the other.
class OrderedPoints {
 public:
  OrderedPoints(std::size_t total, const core::BulkRandom& random, std::uint64_t position)
      : uniforms_(random, position) {
    Uniforms again(random, position);
    double sum = 0.0;
    for (std::size_t j = 0; j <= total; ++j) sum -= core::lane_log(again.next());
    scale_ = static_cast<double>(total) / sum;
  }
  double next() {
    sum_ -= core::lane_log(uniforms_.next());
    return sum_ * scale_;
  }

 private:
  Uniforms uniforms_;
  double scale_ = 0.0, sum_ = 0.0;
};

/// p_j of (3).
class StratifiedPoints {
 public:
  StratifiedPoints(const core::BulkRandom& random, std::uint64_t position) : uniforms_(random, position) {}
  double next() { return static_cast<double>(j_++) + uniforms_.next(); }

 private:
  Uniforms uniforms_;
  std::size_t j_ = 0;
};

double sum_of(std::span<const double> weights) {
  double sum = 0.0;
  for (double w : weights) sum += w;
  return sum;
}

/// Adds to counts how many of `total` points lie within each share(i); shares sum to `total` but for roundoff, so that points beyond the last go to
/// the last one with a share.
template <class Points, class Share>
void count_points(std::size_t total, Points points, const Share& share, std::span<std::uint32_t> counts) {
  if (total == 0) return;
  double sum = 0.0, point = points.next();
  std::size_t drawn = 0, last = 0;
  for (std::size_t i = 0; i < counts.size() && drawn < total; ++i) {
    const double part = share(i);
    if (!(part > 0.0)) continue;
    last = i;
    sum += part;
    for (; drawn < total && point < sum; ++drawn) {
      ++counts[i];
      if (drawn + 1 < total) point = points.next();
    }
  }
  counts[last] += static_cast<std::uint32_t>(total - drawn);
}

/// (4): points below a sum s are ⌈s − u⌉.
void count_systematic(std::span<const double> weights, std::size_t total, double scale, double u,
                      std::span<std::uint32_t> counts) {
  double sum = 0.0, below = 0.0;
  std::size_t last = 0;
  const auto most = static_cast<double>(total);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sum += weights[i] * scale;
    const double next = std::max(below, std::min(std::ceil(sum - u), most));
    counts[i] = static_cast<std::uint32_t>(next - below);
    below = next;
    last = weights[i] > 0.0 ? i : last;
  }
  counts[last] += static_cast<std::uint32_t>(most - below);
}

/// (2): what hypothesis i surely has; roundoff of a whole number does not make it smaller.
std::size_t whole_part(double share) { return static_cast<std::size_t>(share * (1.0 + 1e-12)); }

/// Returns how many are still to be drawn.
std::size_t count_whole(std::span<const double> weights, std::size_t total, double scale,
                        std::span<std::uint32_t> counts) {
  std::size_t left = total;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto whole = std::min(whole_part(weights[i] * scale), left);
    counts[i] = static_cast<std::uint32_t>(whole);
    left -= whole;
  }
  return left;
}

}  // namespace

void draw_offspring(Resampling resampling, std::span<const double> weights, std::size_t total,
                    const core::BulkRandom& random, std::uint64_t position, std::span<std::uint32_t> counts) {
  const double scale = static_cast<double>(total) / sum_of(weights);
  const auto share = [&](std::size_t i) { return weights[i] * scale; };
  if (resampling == Resampling::kSystematic) {
    count_systematic(weights, total, scale, Uniforms(random, position).next(), counts);
    return;
  }
  std::ranges::fill(counts, 0u);
  switch (resampling) {
    case Resampling::kMultinomial:
      count_points(total, OrderedPoints(total, random, position), share, counts);
      return;
    case Resampling::kStratified:
      count_points(total, StratifiedPoints(random, position), share, counts);
      return;
    default: {
      const std::size_t left = count_whole(weights, total, scale, counts);
      if (left == 0) return;
      const auto rest = [&](std::size_t i) {
        return std::max(share(i) - static_cast<double>(whole_part(share(i))), 0.0);
      };
      double sum = 0.0;
      for (std::size_t i = 0; i < weights.size(); ++i) sum += rest(i);
      const double to_left = static_cast<double>(left) / sum;
      count_points(
          left, OrderedPoints(left, random, position), [&](std::size_t i) { return rest(i) * to_left; },
          counts);
    }
  }
}

std::size_t plan_moves(std::span<const std::uint32_t> counts, std::size_t total, std::span<Move> moves) {
  std::size_t free = 0, planned = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    std::uint32_t copies = counts[i];
    if (copies > 0 && i < total) --copies;  // stays
    for (; copies > 0; --copies) {
      while (free < counts.size() && counts[free] > 0) ++free;
      moves[planned++] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(free++)};
    }
  }
  return planned;
}

void apply_moves(std::span<const Move> moves, int num_arrays, Lanes lanes, core::WorkerPool& pool) {
  constexpr std::size_t kPart = 2048;
  pool.run((moves.size() + kPart - 1) / kPart, [&](int, std::size_t part) {
    const auto mine = moves.subspan(part * kPart, std::min(kPart, moves.size() - part * kPart));
    for (int k = 0; k < num_arrays; ++k) {
      double* const array = lanes.array(k);
      for (const Move& move : mine) array[move.to] = array[move.from];
    }
  });
}

}  // namespace eslabon::estimation
