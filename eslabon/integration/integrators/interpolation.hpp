#pragma once

#include <span>

#include "eslabon/integration/integrators/motion_equations.hpp"

namespace eslabon::integration {

/// Between two points of a motion, by the polynomial of degree 5 that has positions, velocities and accelerations of both:
/// wrong by h⁶ x⁽⁶⁾/46080 in positions and of order h⁵ in velocities. Works on vectors; out may be empty.
void interpolate_quintic(double t0, double t1, double t, std::span<const double> x0,
                         std::span<const double> v0, std::span<const double> a0, std::span<const double> x1,
                         std::span<const double> v1, std::span<const double> a1, std::span<double> x,
                         std::span<double> v);

/// z and ż at t by it.
void interpolate_integrated(const MotionPoint& from, const MotionPoint& to, double t, std::span<double> z,
                            std::span<double> z_dot);

}  // namespace eslabon::integration
