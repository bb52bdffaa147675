#include "eslabon/kinematics/drivers/driver_integral.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "eslabon/kinematics/drivers/driver_error.hpp"

namespace eslabon::kinematics {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kPanelWidth = 1.0 / 16.0;       ///< [s], up to
constexpr std::size_t kNarrowPanels = 200'000;   ///< of them; each doubling of the time from there on has
constexpr std::size_t kDoubledPanels = 100'000;  ///< panels of twice the width
constexpr double kWideFrom = kNarrowPanels * kPanelWidth;  ///< [s]
constexpr int kMostHalvings = 60;  ///< of one panel; a jump ends when no time is left between
constexpr int kMostPieces = 256;   ///< of one panel: roundoff in f may look like a change at every scale
/// Of a piece that cannot be halved again, relative to the panel: more means a pole or too many oscillations.
constexpr double kLargestDisagreement = 1e-6;

/// Gauss–Lobatto rule of 8 points on [−1, 1], exact for degree 13 [AbramowitzStegun1964, ch. 25]. The ends are
/// among its points: a rule without them, its halves likewise, is blind to a kink between its last point and the
/// end, and would be believed.
constexpr std::array<double, 4> kPoint{0.2092992179024788687687, 0.5917001814331423021445,
                                       0.8717401485096066153374, 1.0};
constexpr std::array<double, 4> kWeight{0.4124587946587038815671, 0.3411226924835043647642,
                                        0.2107042271435060393830, 1.0 / 28.0};

/// Integrals over a piece [a, b] of a panel, m = (a + b)/2.
struct Piece {
  double middle = 0.0;                                        ///< m [s]
  double integral = 0.0;                                      ///< ∫ f ds
  double moment = 0.0;                                        ///< ∫ (s − m) f ds
  double absolute = 0.0;                                      ///< ∫ |f| ds
  double smallest = std::numeric_limits<double>::infinity();  ///< of the values of f
  double largest = -std::numeric_limits<double>::infinity();  ///< of the values of f
};

/// Integrates f over one panel by halving. A piece is accepted when its 8-point rule agrees with that of its two
/// halves, in ∫ f and in ∫ (s − m) f / (b − m), to the tolerance
///
///   8 ε ∫|f| ds + 2 ε t (max f − min f)                                                                       (4)
///
/// of the whole panel, whose second term is what one rounding of t, or of ω t inside f, does to the integral. One
/// agreement alone comes by chance at some places of a kink, two hardly do. The halves, being the better ones,
/// are what is summed.
class PanelIntegral {
 public:
  PanelIntegral(const model::Driver& driver, double begin, double end)
      : driver_(driver), begin_(begin), end_(end) {
    const core::CubicTable* const table = driver.function.whole_table();
    if (table != nullptr && table->ends() != core::CubicTable::Ends::kPeriod) {
      add_cubics(*table);
      return;
    }
    const Piece whole = apply_rule(begin, end);
    if (!is_good()) return;
    tolerance_ = kEpsilon * (8.0 * whole.absolute + 2.0 * end * (whole.largest - whole.smallest));  // (4)
    scale_ = whole.absolute;
    halve(begin, end, whole, 0);
  }

  /// Whether f has values that can be integrated; otherwise the integrals mean nothing.
  bool is_good() const { return fault_ == Fault::kNone; }
  core::ErrorText why_not() const {
    if (fault_ == Fault::kNoValue) return no_driver_value(driver_, bad_value_, t_fault_);
    return {.what = "the driver's function cannot be integrated",
            .where = driver_name(driver_),
            .expected =
                "no poles, and at most about 50 oscillations in " + core::number_text(end_ - begin_) + " s",
            .actual = "values that stay unresolved" + at_time(t_fault_),
            .next = "Change the function, or end the run before that time."};
  }

  double integral() const { return integral_; }                ///< ∫ f ds
  double double_integral() const { return double_integral_; }  ///< ∫ (end − s) f ds

 private:
  enum class Fault { kNone, kNoValue, kUnresolved };

  Piece apply_rule(double a, double b) {
    Piece piece;
    piece.middle = 0.5 * (a + b);
    const double half = 0.5 * (b - a);
    for (std::size_t k = 0; k < kPoint.size(); ++k) {
      for (const double x : {-kPoint[k], kPoint[k]}) {
        const double s = std::clamp(piece.middle + half * x, a, b);
        const double f = driver_.function.evaluate(s);
        if (!std::isfinite(f)) {
          blame(Fault::kNoValue, s);
          bad_value_ = f;
          return piece;
        }
        piece.integral += half * kWeight[k] * f;
        piece.moment += half * kWeight[k] * half * x * f;
        piece.absolute += half * kWeight[k] * std::abs(f);
        piece.smallest = std::min(piece.smallest, f);
        piece.largest = std::max(piece.largest, f);
      }
    }
    return piece;
  }

  /// Of a table, from point to point: between them f is a cubic, which the rule integrates exactly.
  void add_cubics(const core::CubicTable& table) {
    const std::vector<core::CubicTable::Point>& points = table.points();
    auto next = std::ranges::upper_bound(points, begin_, {}, &core::CubicTable::Point::first);
    for (double a = begin_; a < end_ && is_good();) {
      const double b = next == points.end() ? end_ : std::min(end_, next++->first);
      const Piece piece = apply_rule(a, b);
      if (is_good()) accept(piece);
      a = b;
    }
  }

  void halve(double a, double b, const Piece& whole, int depth) {
    const double middle = whole.middle;
    if (!(a < middle && middle < b)) return accept(whole);
    const Piece left = apply_rule(a, middle);
    if (!is_good()) return;
    const Piece right = apply_rule(middle, b);
    if (!is_good()) return;
    const double moment = left.moment + (left.middle - middle) * left.integral + right.moment +
                          (right.middle - middle) * right.integral;
    const double difference = std::max(std::abs(whole.integral - (left.integral + right.integral)),
                                       std::abs(whole.moment - moment) / (b - middle));
    if (difference <= tolerance_ || depth == kMostHalvings || pieces_ >= kMostPieces) {
      if (difference > tolerance_ + kLargestDisagreement * scale_) return blame(Fault::kUnresolved, a);
      accept(left);
      accept(right);
      return;
    }
    halve(a, middle, left, depth + 1);
    if (is_good()) halve(middle, b, right, depth + 1);
  }

  void accept(const Piece& piece) {
    integral_ += piece.integral;
    double_integral_ += (end_ - piece.middle) * piece.integral - piece.moment;
    ++pieces_;
  }

  void blame(Fault fault, double t) {
    fault_ = fault;
    t_fault_ = t;
  }

  const model::Driver& driver_;
  double begin_;
  double end_;
  double tolerance_ = 0.0;  ///< (4)
  double scale_ = 0.0;      ///< ∫|f| over the panel
  int pieces_ = 0;          ///< accepted so far
  double integral_ = 0.0;
  double double_integral_ = 0.0;
  Fault fault_ = Fault::kNone;
  double t_fault_ = 0.0;    ///< [s]
  double bad_value_ = 0.0;  ///< of f there
};

/// When a panel begins [s]: a multiple of a power of two, so it is exact.
double begin_of(std::size_t panel) {
  if (panel < kNarrowPanels) return static_cast<double>(panel) * kPanelWidth;
  const std::size_t doubling = (panel - kNarrowPanels) / kDoubledPanels;
  const std::size_t behind = (panel - kNarrowPanels) % kDoubledPanels;
  return std::ldexp(kWideFrom + static_cast<double>(behind) * 2.0 * kPanelWidth, static_cast<int>(doubling));
}

/// The last panel that begins at t or before.
std::size_t panel_at(double t) {
  if (t < kWideFrom) return static_cast<std::size_t>(t / kPanelWidth);
  int doubling = std::ilogb(t / kWideFrom);
  if (std::ldexp(kWideFrom, doubling) > t) --doubling;
  const double behind = (std::ldexp(t, -doubling) - kWideFrom) / (2.0 * kPanelWidth);
  return kNarrowPanels + static_cast<std::size_t>(doubling) * kDoubledPanels +
         static_cast<std::size_t>(behind);
}

}  // namespace

void CompensatedSum::add(double term) {
  const double next = sum_ + term;
  lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
  sum_ = next;
}

DriverIntegral::DriverIntegral(model::Driver driver) : driver_(std::move(driver)), count_(1) {
  make_room(0);  // the first node is zero
}

DriverIntegral::Slot DriverIntegral::slot_of(std::size_t panel) {
  const auto chunk = static_cast<std::size_t>(std::bit_width(panel / kFirstChunk));
  return {chunk, chunk == 0 ? panel : panel - (kFirstChunk << (chunk - 1))};
}

void DriverIntegral::make_room(std::size_t panel) const {
  const std::size_t last = slot_of(panel).chunk;
  for (std::size_t c = 0; c <= last; ++c)
    if (!chunks_.at(c)) chunks_[c] = std::make_unique<Value[]>(c == 0 ? kFirstChunk : kFirstChunk << (c - 1));
}

bool DriverIntegral::extend(std::size_t panel) const {
  const std::scoped_lock lock(appending_);
  make_room(panel);
  for (std::size_t k = count_.load(std::memory_order_relaxed); k <= panel; ++k) {
    const double begin = begin_of(k - 1), end = begin_of(k);
    const PanelIntegral before(driver_, begin, end);
    if (!before.is_good()) return false;
    double_integral_.add(integral_.value() * (end - begin));
    double_integral_.add(before.double_integral());
    integral_.add(before.integral());
    const Slot slot = slot_of(k);
    chunks_[slot.chunk][slot.place] = {integral_.value(), double_integral_.value()};
    count_.store(k + 1, std::memory_order_release);
  }
  return true;
}

const DriverIntegral::Value* DriverIntegral::node(std::size_t panel) const {
  if (panel >= count_.load(std::memory_order_acquire) && !extend(panel)) return nullptr;
  const Slot slot = slot_of(panel);
  return &chunks_[slot.chunk][slot.place];
}

bool DriverIntegral::evaluate(double t, Value& out) const {
  const std::size_t panel = panel_at(t);
  const Value* const from = node(panel);
  if (from == nullptr) return false;
  const double begin = begin_of(panel);
  const PanelIntegral rest(driver_, begin, t);
  out = {from->integral + rest.integral(),
         from->double_integral + (from->integral * (t - begin) + rest.double_integral())};
  return rest.is_good();
}

core::ErrorText DriverIntegral::why_not(double t) const {
  // The panel that no node could be put behind, or the one in which t is.
  const std::size_t panel = panel_at(t), missing = count_.load(std::memory_order_acquire);
  if (missing <= panel) return PanelIntegral(driver_, begin_of(missing - 1), begin_of(missing)).why_not();
  return PanelIntegral(driver_, begin_of(panel), t).why_not();
}

void DriverIntegral::prepare(double until) const {
  const std::size_t last = panel_at(until);
  // Of a function that changes too fast for wide panels, all narrow ones would be integrated in vain.
  for (std::size_t first = kNarrowPanels; first < last; first += kDoubledPanels)
    if (const PanelIntegral wide(driver_, begin_of(first), begin_of(first + 1)); !wide.is_good())
      throw core::ModelError(wide.why_not());
  if (node(last > 0 && begin_of(last) == until ? last - 1 : last) == nullptr)
    throw core::ModelError(why_not(until));
  const std::scoped_lock lock(appending_);
  make_room(last);
}

}  // namespace eslabon::kinematics
