#pragma once

#include <functional>
#include <optional>
#include <span>

namespace eslabon::integration {

/// A function of time at one instant.
struct Knot {
  double t = 0.0;  ///< [s]
  double value = 0.0, rate = 0.0, acceleration = 0.0;
};

/// The function at an instant; nothing when it cannot be had.
using KnotAt = std::function<std::optional<Knot>(double t)>;

/// How low a function may fall, and how exactly that is to be known, both in its own unit.
struct PassageLimits {
  double floor = 0.0;
  double resolved = 0.0;  ///< what falls below the floor by less may stay unseen
};

/// Times between which a function comes to its floor: above it at t0 (or just leaving it), not above it at t1 [s].
struct Passage {
  double t0 = 0.0, t1 = 0.0;
};

/// The first passage of a function that is known at some instants of a step, those at its ends among them. Between two of them it is the
/// cubic c of their values and rates but for an error, which their accelerations tell: the polynomial of fifth degree through all six is
///   c + ½ h² x² (1 − x)² ((1 − x) A + x B),   x = (t − t₀)/h,   A = g̈₀ − c̈₀,   B = g̈₁ − c̈₁              (1)
///   so   |error| ≲ h²/32 max(|A|, |B|),                                                                  (2)
/// taken twice. Where that leaves open whether it falls below the floor, the interval is halved, up to a thousand times in a step. The instants must be so close together
/// that (2) can be trusted: a radian of what turns. False when the function cannot be had somewhere.
[[nodiscard]] bool find_first_passage(std::span<const Knot> knots, const PassageLimits& limits,
                                      const KnotAt& at, std::optional<Passage>& out);

}  // namespace eslabon::integration
