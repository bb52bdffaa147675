#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

/// Planar mechanisms of driven cranks and dyads of three revolutes, solved by the intersection of circles: answers
/// that do not come from the library. They write themselves as mechanism files.
namespace eslabon::test {

template <class T>
using PlaneVector = Eigen::Matrix<T, 2, 1>;

/// A pin on a link that comes earlier in the chain.
struct ChainPin {
  enum class On { kGround, kCrank, kFirst, kSecond };
  On on = On::kGround;
  std::size_t of = 0;  ///< which crank; of which dyad the first or second link
  Eigen::Vector2d at =
      Eigen::Vector2d::Zero();  ///< in the axes of the link [m]: x from its outer pin to its inner one
};

/// A driven link on the ground.
struct ChainCrank {
  Eigen::Vector2d at = Eigen::Vector2d::Zero();  ///< its pin on the ground [m]
  double start = 0.0;                            ///< its angle where the input is 0 [rad]
  double ratio = 1.0;                            ///< by how much it turns for each radian of the input
};

/// Two links between two outer pins A and B, with an inner pin C.
struct ChainDyad {
  std::array<ChainPin, 2> pins;   ///< A, B
  std::array<double, 2> lengths;  ///< AC, BC [m]
  double sign = 1.0;              ///< +1: C lies to the left of the way from A to B; −1: to the right
};

/// The input as a function of time: amount·t, or amount·sin t.
struct ChainDrive {
  bool is_swinging = false;
  double amount = 1.0;  ///< [rad/s] or [rad]

  template <class T>
  T input(const T& t) const {
    using std::sin;
    return is_swinging ? T(amount * sin(t)) : T(amount * t);
  }
};

/// Where a chain is.
template <class T>
struct ChainPlacement {
  struct Link {
    PlaneVector<T> pin;   ///< the outer one, in the world
    PlaneVector<T> axis;  ///< unit vector x of the link, in the world
    PlaneVector<T> point(const Eigen::Vector2d& at) const {
      return pin +
             PlaneVector<T>(axis.x() * at.x() - axis.y() * at.y(), axis.y() * at.x() + axis.x() * at.y());
    }
  };
  std::vector<Link> cranks;                ///< (cranks)
  std::vector<std::array<Link, 2>> dyads;  ///< (dyads placed) up to the first that is out of reach
  std::vector<PlaneVector<T>> inner;       ///< (dyads placed) C
  std::vector<T> reach;  ///< (dyads placed, and the one that is out of reach) η², see DyadChain
  std::vector<T> sine;   ///< (dyads placed) |sin| of the angle of the two links, 0 at a toggle

  PlaneVector<T> point(const ChainPin& on) const {
    switch (on.on) {
      case ChainPin::On::kCrank:
        return cranks[on.of].point(on.at);
      case ChainPin::On::kFirst:
        return dyads[on.of][0].point(on.at);
      case ChainPin::On::kSecond:
        return dyads[on.of][1].point(on.at);
      case ChainPin::On::kGround:
        break;
    }
    return on.at.cast<T>();
  }
};

/// The chain itself. With d = p_AB, D = |d|², the inner pin of a dyad is where two circles meet:
///   κ = ½ + (L₁² − L₂²) / 2D,   η² = L₁²/D − κ² = ((L₁ + L₂)² − D) (D − (L₁ − L₂)²) / 4D²              (1)
///   p_AC = κ d + sign·η ẑ × d                                                                         (2)
///   |sin ∠ACB| = η D / L₁L₂                                                                           (3)
/// (1) as a product keeps its digits where it is 0, which is where the links are in line: a toggle.
struct DyadChain {
  std::string name;
  std::vector<ChainCrank> cranks;
  std::vector<ChainDyad> dyads;

  /// A toggle on the way of the input.
  struct Toggle {
    double input = 0.0;  ///< [rad]
    std::size_t dyad = 0;
    bool is_touch =
        false;  ///< the reach only touches 0, as near as kTouch: no one can say whether it is a toggle
  };
  static constexpr double kTouch = 1e-7;

  /// Where everything is at this input [rad].
  template <class T>
  ChainPlacement<T> place(const T& input) const;

  /// Whether all dyads are in reach by more than `margin`.
  bool is_in_reach(double input, double margin = 0.0) const {
    const auto placement = place(input);
    return placement.inner.size() == dyads.size() &&
           std::ranges::all_of(placement.reach, [&](double reach) { return reach > margin; });
  }

  /// The first toggle, or touch of one, on the way of the input `from` → `to`; all dyads are in reach at `from`.
  std::optional<Toggle> first_toggle(double from, double to) const;

  /// The mechanism file. Bodies crank1, first1, second1, …; pins A1 of cranks, P1, Q1 (outer) and C1 (inner) of dyads, both
  /// as joints and, of C, as a point of both links. Start values of all angles choose the branch of the signs.
  std::string text(const ChainDrive& drive) const;

 private:
  double reach_of(std::size_t dyad, double input) const;
  double boundary(double inside, double outside) const;
};

template <class T>
ChainPlacement<T> DyadChain::place(const T& input) const {
  using std::cos;
  using std::sin;
  using std::sqrt;
  ChainPlacement<T> out;
  for (const ChainCrank& crank : cranks) {
    const T angle = crank.start + crank.ratio * input;
    out.cranks.push_back({crank.at.cast<T>(), PlaneVector<T>(cos(angle), sin(angle))});
  }
  for (const ChainDyad& dyad : dyads) {
    const PlaneVector<T> A = out.point(dyad.pins[0]), B = out.point(dyad.pins[1]), d = B - A;
    const double L1 = dyad.lengths[0], L2 = dyad.lengths[1];
    const T D = d.x() * d.x() + d.y() * d.y();
    const T kappa = 0.5 + (0.5 * (L1 * L1 - L2 * L2)) / D;
    out.reach.push_back(((L1 + L2) * (L1 + L2) - D) * (D - (L1 - L2) * (L1 - L2)) / (4.0 * D * D));  // (1)
    if (!(out.reach.back() > T(0.0))) break;
    const T eta = sqrt(out.reach.back());
    const PlaneVector<T> r1(kappa * d.x() - dyad.sign * eta * d.y(),
                            kappa * d.y() + dyad.sign * eta * d.x());  // (2)
    const PlaneVector<T> r2 = r1 - d;
    out.inner.push_back(A + r1);
    out.sine.push_back(eta * D / (L1 * L2));  // (3)
    out.dyads.push_back({typename ChainPlacement<T>::Link{A, r1 / T(L1)}, {B, r2 / T(L2)}});
  }
  return out;
}

/// The reach of a dyad; −1 where one before it is out of reach.
inline double DyadChain::reach_of(std::size_t dyad, double input) const {
  const auto placement = place(input);
  return dyad < placement.reach.size() ? placement.reach[dyad] : -1.0;
}

/// The last input within reach on the way from one that is to one that is not.
inline double DyadChain::boundary(double inside, double outside) const {
  for (;;) {
    const double middle = 0.5 * (inside + outside);
    if (middle == inside || middle == outside) return inside;
    (is_in_reach(middle) ? inside : outside) = middle;
  }
}

/// Steps are short where some reach is small: a reach that goes like m + s² shows in its root, and in all that hangs on
/// it, over a length of √m. Between steps the reaches are smooth, and minima that go below 0 in between are looked for.
inline std::optional<DyadChain::Toggle> DyadChain::first_toggle(double from, double to) const {
  constexpr double kLongest = 0.01, kShortest = 1e-7, kPart = 0.05;
  const double way = to < from ? -1.0 : 1.0;
  const auto toggle_before = [&](double inside, double outside) {
    const double input = boundary(inside, outside);
    const std::size_t dyad = place(std::nextafter(input, outside)).inner.size();
    for (double ahead = kShortest; ahead < kLongest; ahead *= 1.3) {  // a dip that is less deep than kTouch
      const double behind = reach_of(dyad, input + way * ahead);
      if (behind < -kTouch) break;
      if (behind > 0.0) return Toggle{input, dyad, true};
    }
    return Toggle{input, dyad};
  };
  double s[3] = {from, from, from};
  std::vector<double> reach[3] = {place(from).reach, {}, {}};
  reach[1] = reach[0];
  while (s[1] != to) {
    const double least = *std::ranges::min_element(reach[1]);
    const double step = std::clamp(kPart * std::sqrt(least), kShortest, kLongest);
    s[2] = std::abs(to - s[1]) <= step ? to : s[1] + way * step;
    const auto placement = place(s[2]);
    reach[2] = placement.reach;
    const bool is_inside = placement.inner.size() == dyads.size();
    for (std::size_t k = 0; k < reach[2].size(); ++k) {
      if (!(reach[1][k] < reach[0][k] && reach[1][k] <= reach[2][k] && reach[1][k] < 0.01)) continue;
      double low = s[0], high = s[2];  // the minimum by trisection
      while (std::abs(high - low) > 1e-10) {
        const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
        if (reach_of(k, a) < reach_of(k, b))
          high = b;
        else
          low = a;
      }
      const double lowest = 0.5 * (low + high), value = reach_of(k, lowest);
      if (std::abs(value) < kTouch) return Toggle{lowest, k, true};
      if (value < 0.0) return toggle_before(s[0], lowest);
    }
    if (!is_inside) return toggle_before(s[1], s[2]);
    s[0] = s[1];
    s[1] = s[2];
    std::swap(reach[0], reach[1]);
    std::swap(reach[1], reach[2]);
  }
  return std::nullopt;
}

inline std::string DyadChain::text(const ChainDrive& drive) const {
  const auto number = [](double x) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.17g", x);
    return std::string(digits);
  };
  const auto point = [&](const std::string& point_name, const Eigen::Vector2d& at) {
    return point_name + ": [" + number(at.x()) + ", " + number(at.y()) + "]";
  };
  const auto angle = [&](const PlaneVector<double>& axis) { return number(std::atan2(axis.y(), axis.x())); };
  const auto body_of = [](const ChainPin& pin) -> std::string {
    const std::string which = std::to_string(pin.of + 1);
    if (pin.on == ChainPin::On::kGround) return "ground";
    return (pin.on == ChainPin::On::kCrank   ? "crank"
            : pin.on == ChainPin::On::kFirst ? "first"
                                             : "second") +
           which;
  };
  /// All pins that sit on the body.
  const auto points_on = [&](const std::string& body) {
    std::string points;
    for (std::size_t k = 0; k < dyads.size(); ++k)
      for (std::size_t i = 0; i < 2; ++i)
        if (body_of(dyads[k].pins[i]) == body)
          points += ", " + point("PQ"[i] + std::to_string(k + 1), dyads[k].pins[i].at);
    return points;
  };
  const auto start = place(0.0);
  std::string ground, bodies, joints, drivers, assembly;
  for (std::size_t i = 0; i < cranks.size(); ++i) {
    const std::string n = std::to_string(i + 1), separator = i == 0 ? "" : ", ";
    ground += separator + point("A" + n, cranks[i].at);
    bodies += "  crank" + n + ": {points: {A: [0, 0]" + points_on("crank" + n) + "}}\n";
    joints += "  A" + n + ": {revolute: [ground.A" + n + ", crank" + n + ".A]}\n";
    const std::string amount = number(cranks[i].ratio * drive.amount), first = number(cranks[i].start);
    drivers += "  motor" + n + ": {joint: A" + n +
               (drive.is_swinging ? ", position: = (" + first + ") + (" + amount + ")*sin(t)}\n"
                                  : ", speed: " + amount + ", start: " + first + "}\n");
    assembly += separator + "crank" + n + ".angle: " + first;
  }
  ground += points_on("ground");
  for (std::size_t k = 0; k < dyads.size(); ++k) {
    const std::string n = std::to_string(k + 1);
    for (std::size_t i = 0; i < 2; ++i) {
      const std::string body = (i == 0 ? "first" : "second") + n, pin = "PQ"[i] + n;
      bodies += "  " + body + ": {points: {O: [0, 0], " + point("C", {dyads[k].lengths[i], 0.0}) +
                points_on(body) + "}}\n";
      joints +=
          "  " + pin + ": {revolute: [" + body_of(dyads[k].pins[i]) + "." + pin + ", " + body + ".O]}\n";
      assembly += ", " + body + ".angle: " + angle(start.dyads[k][i].axis);
    }
    joints += "  C" + n + ": {revolute: [first" + n + ".C, second" + n + ".C]}\n";
  }
  return "mechanism: " + name + "\nplane: xy\nground: {points: {" + ground + "}}\nbodies:\n" + bodies +
         "joints:\n" + joints + "drivers:\n" + drivers + "assembly: {" + assembly + "}\n";
}

}  // namespace eslabon::test
