#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "eslabon/model/mechanism.hpp"
#include "eslabon/structure/input.hpp"
#include "eslabon/structure/topology.hpp"

namespace eslabon::structure {

/// Lengths of the four bars of a planar four-bar, seen from its input.
struct FourBarLengths {
  double ground = 0.0;    ///< g [m]
  double input = 0.0;     ///< a [m]
  double floating = 0.0;  ///< h [m]
  double output = 0.0;    ///< b [m]
};

/// How the input and the output of a four-bar can turn: the nine rows of [Seed000, Table 4]. A crank turns
/// fully; a rocker swings without passing 0 or π, a 0-rocker through 0 only, a π-rocker through π only, where
/// 0 is the direction from the input's pivot to the output's.
enum class GrashofClass {
  kCrankCrank,
  kCrankRocker,
  kRockerCrank,
  kRockerRocker,
  kZeroRockerZeroRocker,
  kPiRockerPiRocker,
  kPiRockerZeroRocker,
  kZeroRockerPiRocker,
  kFolding,  ///< some of T1, T2, T3 is zero: the bars can lie on one line, where the branches meet
};

/// "crank-rocker", "0-rocker-pi-rocker", …
std::string_view name(GrashofClass type);

/// From the signs of
///   T1 = g + h − a − b,   T2 = b + g − a − h,   T3 = b + h − a − g. (1)
/// Source: [Seed000, eqs. (128)–(130), Table 4] with its misprints in (128)–(130) put right.
/// |T| ≤ 1e-12 (g + a + h + b) counts as zero.
GrashofClass classify(const FourBarLengths& lengths);

/// Whether the shortest and the longest bar together are no longer than the other two, so that a bar can turn
/// fully.
bool is_grashof(const FourBarLengths& lengths);

/// Angles of the input from the line of the fixed pivots, first ≤ last [rad].
struct AngleRange {
  double first = 0.0;
  double last = 0.0;
};

/// Where the input can be. The tip of the input must keep a distance s from the output's pivot that the
/// floating bar and the output can bridge, |h − b| ≤ s ≤ h + b, with  s² = g² + a² − 2 g a cos θ, so
///   cos θ ≥ (g² + a² − (h + b)²) / (2 g a)   and   cos θ ≤ (g² + a² − (h − b)²) / (2 g a). (2)
/// One range for cranks (0 … 2π), 0-rockers and π-rockers, two mirrored ones for rockers; none when the bars
/// cannot be joined.
std::vector<AngleRange> input_ranges(const FourBarLengths& lengths);

/// Whether the four bars can be joined at all: the longest is no longer than the other three together.
bool can_close(const FourBarLengths& lengths);

/// A planar four-bar with four revolutes found in a mechanism.
struct FourBar {
  model::JointIndex input_joint;  ///< between the ground and the input bar
  FourBarLengths lengths;
  bool is_driven_at_ground =
      true;  ///< otherwise the input is elsewhere and the bar at input_joint is a choice
};

/// The mechanism as a four-bar, with the bar of the first input at the ground as its input (without one: the
/// bar of the first joint at the ground). Nothing when it is another mechanism or a bar has no length.
std::optional<FourBar> find_four_bar(const model::Mechanism& mechanism, const Topology& topology,
                                     const std::vector<Input>& inputs);

}  // namespace eslabon::structure
