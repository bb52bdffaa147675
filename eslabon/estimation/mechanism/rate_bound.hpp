#pragma once

#include <span>

#include "eslabon/estimation/mechanism/mechanism_system.hpp"

namespace eslabon::estimation {

/// How fast the degrees of freedom of a mechanism are at the start of a run, lengths in its size.
struct StartRates {
  double largest = 0.0;    ///< [rad/s, sizes/s]
  double deviation = 0.0;  ///< the same
};

/// The largest rate of a degree of freedom that readings can mean [rad/s, sizes/s],
///   max(π/T, 10 (|ż₀| + σ), 4 · 10π)                                                                          (1)
/// Where all sensors read positions, T is the shortest time from one reading to the next: of a degree of freedom that goes on by more than half a
/// turn within it, a slower motion has the same readings. Where one of them reads rates, accelerations or forces, T is the step of the
/// filter, which cannot follow more than that. Never less than ten times what is said of the start, nor than four deviations of a rate of which
/// nothing is known. A filter whose estimate goes beyond it has lost the motion.
double largest_rate(std::span<const FilterSensor> sensors, core::Duration step, const StartRates& start);

}  // namespace eslabon::estimation
