#include "eslabon/kinematics/driver_motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "eslabon/core/error.hpp"
#include "eslabon/core/number_text.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::CoordinateValue;
using core::Dual;
using model::DriverLevel;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kPanelWidth = 1.0 / 16.0;  ///< [s]
constexpr double kMostPanels = 200'000.0;   ///< a longer run has wider panels
constexpr int kMostHalvings = 60;           ///< of one panel; a jump ends when no time is left between
constexpr int kMostPieces = 256;  ///< of one panel: roundoff in f may look like a change at every scale
/// Of a piece that cannot be halved again, relative to the panel: more means a pole or too many oscillations.
constexpr double kLargestDisagreement = 1e-6;
constexpr double kTimeSlack = 1e-12;  ///< how far, relatively, t may be behind the end of the run

/// Gauss–Lobatto rule of 8 points on [−1, 1], exact for degree 13 [AbramowitzStegun1964, ch. 25]. The ends are
/// among its points: a rule without them, its halves likewise, is blind to a kink between its last point and the
/// end, and would be believed.
constexpr std::array<double, 4> kPoint{0.2092992179024788687687, 0.5917001814331423021445,
                                       0.8717401485096066153374, 1.0};
constexpr std::array<double, 4> kWeight{0.4124587946587038815671, 0.3411226924835043647642,
                                        0.2107042271435060393830, 1.0 / 28.0};

std::string at_time(double t) { return " at t = " + core::number_text(t) + " s"; }

std::string where(const model::Driver& driver) { return "driver '" + driver.name + "'"; }

void check_value(const model::Driver& driver, double f, double t) {
  if (std::isfinite(f)) return;
  throw core::ModelError({.what = "the driver's function has no value",
                          .where = where(driver),
                          .expected = "a finite number at every time of the run",
                          .actual = core::number_text(f) + at_time(t),
                          .next = "Change the function, or end the run before that time."});
}

void check_rate(const model::Driver& driver, const char* rate, double value, double t) {
  if (std::isfinite(value)) return;
  throw core::ModelError({.what = "the driver's motion has no rate",
                          .where = where(driver),
                          .expected = "a finite " + std::string(rate) + " at every time of the run",
                          .actual = core::number_text(value) + at_time(t),
                          .next = "Smooth the function, or end the run before that time."});
}

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
    const Piece whole = apply_rule(begin, end);
    tolerance_ = kEpsilon * (8.0 * whole.absolute + 2.0 * end * (whole.largest - whole.smallest));  // (4)
    scale_ = whole.absolute;
    halve(begin, end, whole, 0);
  }

  double integral() const { return integral_; }                ///< ∫ f ds
  double double_integral() const { return double_integral_; }  ///< ∫ (end − s) f ds

 private:
  Piece apply_rule(double a, double b) const {
    Piece piece;
    piece.middle = 0.5 * (a + b);
    const double half = 0.5 * (b - a);
    for (std::size_t k = 0; k < kPoint.size(); ++k) {
      for (const double x : {-kPoint[k], kPoint[k]}) {
        const double s = std::clamp(piece.middle + half * x, a, b);
        const double f = driver_.function.evaluate(s);
        check_value(driver_, f, s);
        piece.integral += half * kWeight[k] * f;
        piece.moment += half * kWeight[k] * half * x * f;
        piece.absolute += half * kWeight[k] * std::abs(f);
        piece.smallest = std::min(piece.smallest, f);
        piece.largest = std::max(piece.largest, f);
      }
    }
    return piece;
  }

  void halve(double a, double b, const Piece& whole, int depth) {
    const double middle = whole.middle;
    if (!(a < middle && middle < b)) return accept(whole);
    const Piece left = apply_rule(a, middle);
    const Piece right = apply_rule(middle, b);
    const double moment = left.moment + (left.middle - middle) * left.integral + right.moment +
                          (right.middle - middle) * right.integral;
    const double difference = std::max(std::abs(whole.integral - (left.integral + right.integral)),
                                       std::abs(whole.moment - moment) / (b - middle));
    if (difference <= tolerance_ || depth == kMostHalvings || pieces_ >= kMostPieces) {
      if (difference > tolerance_ + kLargestDisagreement * scale_) refuse(a);
      accept(left);
      accept(right);
      return;
    }
    halve(a, middle, left, depth + 1);
    halve(middle, b, right, depth + 1);
  }

  void accept(const Piece& piece) {
    integral_ += piece.integral;
    double_integral_ += (end_ - piece.middle) * piece.integral - piece.moment;
    ++pieces_;
  }

  [[noreturn]] void refuse(double t) const {
    throw core::ModelError({.what = "the driver's function cannot be integrated",
                            .where = where(driver_),
                            .expected = "no poles, and at most about 50 oscillations in " +
                                        core::number_text(end_ - begin_) + " s",
                            .actual = "values that stay unresolved" + at_time(t),
                            .next = "Change the function, or end the run before that time."});
  }

  const model::Driver& driver_;
  double begin_;
  double end_;
  double tolerance_ = 0.0;  ///< (4)
  double scale_ = 0.0;      ///< ∫|f| over the panel
  int pieces_ = 0;          ///< accepted so far
  double integral_ = 0.0;
  double double_integral_ = 0.0;
};

/// A sum that carries what its roundings lost [Neumaier1974].
class CompensatedSum {
 public:
  void add(double term) {
    const double next = sum_ + term;
    lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0.0;
  double lost_ = 0.0;
};

}  // namespace

DriverMotion::DriverMotion(const model::Driver& driver, double start, double until)
    : driver_(driver),
      start_(driver.level == DriverLevel::kPosition ? 0.0 : start),
      start_speed_(driver.level == DriverLevel::kAcceleration ? driver.start_speed.value_or(0.0) : 0.0),
      until_(until) {
  if (!(until >= 0.0 && std::isfinite(until)))
    throw core::ContractError({.what = "the end of a run is not a time",
                               .where = where(driver),
                               .expected = "0 s <= until < inf",
                               .actual = core::number_text(until) + " s",
                               .next = "Give the last time of the run."});
  if (!std::isfinite(start_))
    throw core::ContractError({.what = "a driven variable has no start value",
                               .where = where(driver),
                               .expected = "a finite start",
                               .actual = core::number_text(start_),
                               .next = "Give the value of the variable at t = 0 s."});
  if (driver.level != DriverLevel::kPosition && !driver.function.is_constant()) add_panels();
}

void DriverMotion::add_panels() {
  panel_width_ = kPanelWidth;
  while (until_ / panel_width_ > kMostPanels) panel_width_ *= 2.0;
  const auto panels = static_cast<std::size_t>(std::max(1.0, std::ceil(until_ / panel_width_)));
  nodes_.reserve(panels);
  nodes_.push_back({});
  CompensatedSum integral;
  CompensatedSum double_integral;
  for (std::size_t k = 1; k < panels; ++k) {
    const double begin = static_cast<double>(k - 1) * panel_width_;
    const PanelIntegral panel(driver_, begin, begin + panel_width_);
    double_integral.add(nodes_.back().integral * panel_width_);
    double_integral.add(panel.double_integral());
    integral.add(panel.integral());
    nodes_.push_back({integral.value(), double_integral.value()});
  }
}

CoordinateValue DriverMotion::integrate(double t) const {
  const bool is_speed = driver_.level == DriverLevel::kSpeed;
  if (nodes_.empty()) {
    const double f = driver_.function.constant_value();
    if (is_speed) return {start_ + f * t, f, 0.0};                                // (2)
    return {start_ + (start_speed_ + 0.5 * f * t) * t, start_speed_ + f * t, f};  // (3)
  }
  const std::size_t k = std::min(static_cast<std::size_t>(t / panel_width_), nodes_.size() - 1);
  const double begin = static_cast<double>(k) * panel_width_;
  const PanelIntegral rest(driver_, begin, t);
  const double integral = nodes_[k].integral + rest.integral();
  if (is_speed) {
    const Dual<double> f = driver_.function.evaluate(Dual<double>(t, 1.0));
    check_value(driver_, f.value, t);
    return {start_ + integral, f.value, f.derivative};  // (2)
  }
  const double double_integral =
      nodes_[k].double_integral + (nodes_[k].integral * (t - begin) + rest.double_integral());
  const double f = driver_.function.evaluate(t);
  check_value(driver_, f, t);
  return {start_ + (start_speed_ * t + double_integral), start_speed_ + integral, f};  // (3)
}

CoordinateValue DriverMotion::evaluate(double t) const {
  if (!(t >= 0.0 && t <= until_ * (1.0 + kTimeSlack)))
    throw core::ContractError({.what = "a time outside the run",
                               .where = where(driver_),
                               .expected = "0 s <= t <= " + core::number_text(until_) + " s",
                               .actual = core::number_text(t) + " s",
                               .next = "Make the motion for a longer run."});
  CoordinateValue value;
  if (driver_.level == DriverLevel::kPosition) {
    const Dual<Dual<double>> x = driver_.function.evaluate(Dual<Dual<double>>({t, 1.0}, {1.0, 0.0}));
    value = {x.value.value, x.value.derivative, x.derivative.derivative};  // (1)
    check_value(driver_, value.position, t);
  } else {
    value = integrate(t);
  }
  check_rate(driver_, "position", value.position, t);
  check_rate(driver_, "velocity", value.velocity, t);
  check_rate(driver_, "acceleration", value.acceleration, t);
  return value;
}

}  // namespace eslabon::kinematics
