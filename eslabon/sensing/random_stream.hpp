#pragma once

#include <cstdint>
#include <string_view>

#include "eslabon/core/random/rng.hpp"

namespace eslabon::sensing {

/// What is drawn. Each has its own stream, so that one error keeps its draws whether others are on or off.
enum class Draw : std::uint64_t {
  kConstants,  ///< turn-on bias, scale, misalignment: once in each run
  kDrift,
  kNoise,
  kJitter,
  kDropout,
};

/// The generator of one kind of draw of one channel of a sensor. Its stream (core::Rng) is a hash of the three,
///
///   stream = mix(fnv1a(name) + 8 channel + draw),                                                           (1)
///   fnv1a: h ← (h ⊕ byte) · 1099511628211 from h = 14695981039346656037   [FowlerNollVo1991]                (2)
///   mix: the bijection of 64 bits that SplitMix ends with                 [SteeleLeaFlood2014]              (3)
///
/// and so depends on the sensor's name, not on its place among the others: adding or removing a sensor changes
/// no draw of another. Draws of a whole sensor, jitter and dropout, belong to channel 0. The chance that any two of n
/// streams of a mechanism are the same is n²/2⁶⁵.
core::Rng random_stream(std::uint64_t seed, std::string_view sensor, int channel, Draw draw);

}  // namespace eslabon::sensing
