#pragma once

#include <cmath>

namespace eslabon::test {

struct PendulumState {
  double phi, rate;
};

/// The pendulum that N four-bars of benchmark A02 are, I φ̈ = g G sin φ, by small steps of the classical method.
inline PendulumState exact_four_bars(int n, double t) {
  const double I = (4.0 * n + 1.0) / 3.0, G = (3.0 * n + 1.0) / 2.0, w2 = 9.81 * G / I;
  const int steps = static_cast<int>(t * 1e4);
  const double h = t / steps;
  double phi = 0.0, rate = 1.0;
  for (int i = 0; i < steps; ++i) {
    const double k1 = w2 * std::sin(phi), l1 = rate;
    const double k2 = w2 * std::sin(phi + 0.5 * h * l1), l2 = rate + 0.5 * h * k1;
    const double k3 = w2 * std::sin(phi + 0.5 * h * l2), l3 = rate + 0.5 * h * k2;
    const double k4 = w2 * std::sin(phi + h * l3), l4 = rate + h * k3;
    phi += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    rate += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return {phi, rate};
}

}  // namespace eslabon::test
