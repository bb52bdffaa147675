#include "eslabon/integration/first_passage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace eslabon::integration {

namespace {

constexpr int kMostEvaluations = 1000;  // of a step: a motion that needs more is not resolved by it

/// A cubic from its values and slopes at two knots; x = (t − t₀)/h.
class Cubic {
 public:
  Cubic(const Knot& from, const Knot& to)
      : h_(to.t - from.t),
        y0_(from.value),
        d0_(h_ * from.rate),
        c2_(3.0 * (to.value - from.value) - h_ * (2.0 * from.rate + to.rate)),
        c3_(2.0 * (from.value - to.value) + h_ * (from.rate + to.rate)) {}

  double operator()(double x) const { return y0_ + x * (d0_ + x * (c2_ + x * c3_)); }
  double acceleration(double x) const { return (2.0 * c2_ + 6.0 * c3_ * x) / (h_ * h_); }
  /// Where it is least, 0 < x < 1: one place at most; 1 when there is none.
  double minimum() const {
    const double a = 3.0 * c3_, b = c2_, c = d0_;  // a x² + 2 b x + c = 0
    const double D = b * b - a * c;
    if (D < 0.0) return 1.0;
    // Of the two roots the one with positive curvature, 2 (a x + b) = 2 √D.
    const double root = std::sqrt(D);
    const double x = b > 0.0 ? -c / (b + root) : (root - b) / a;
    return x > 0.0 && x < 1.0 ? x : 1.0;
  }

 private:
  double h_, y0_, d0_, c2_, c3_;
};

/// find_first_passage between two knots.
class IntervalSearch {
 public:
  IntervalSearch(const PassageLimits& limits, const KnotAt& at, std::optional<Passage>& out)
      : limits_(limits), at_(at), out_(out) {}

  bool search(const Knot& from, const Knot& to) {
    const Cubic cubic(from, to);
    const double h = to.t - from.t, x = cubic.minimum();
    const double error = 2.0 * h * h / 32.0 *
                         std::max(std::abs(from.acceleration - cubic.acceleration(0.0)),
                                  std::abs(to.acceleration - cubic.acceleration(1.0)));  // (2)
    const double least = std::min(cubic(x), to.value);
    if (least > limits_.floor + error) return true;
    const double shortest =
        16.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(from.t), std::abs(to.t));
    if (error > limits_.resolved && h > shortest && evaluations_ < kMostEvaluations) {
      ++evaluations_;
      const std::optional<Knot> middle = at_(0.5 * (from.t + to.t));
      if (!middle || !search(from, *middle)) return false;
      return out_ || search(*middle, to);
    }
    if (x < 1.0 && h > shortest) {
      const std::optional<Knot> lowest = at_(from.t + x * h);
      if (!lowest) return false;
      if (lowest->value <= limits_.floor) out_ = Passage{from.t, lowest->t};
    }
    if (!out_ && to.value <= limits_.floor) out_ = Passage{from.t, to.t};
    return true;
  }

 private:
  const PassageLimits& limits_;
  const KnotAt& at_;
  std::optional<Passage>& out_;
  int evaluations_ = 0;
};

}  // namespace

bool find_first_passage(std::span<const Knot> knots, const PassageLimits& limits, const KnotAt& at,
                        std::optional<Passage>& out) {
  out.reset();
  IntervalSearch interval(limits, at, out);
  for (std::size_t k = 1; k < knots.size() && !out; ++k)
    if (!interval.search(knots[k - 1], knots[k])) return false;
  return true;
}

}  // namespace eslabon::integration
