#pragma once

#include <array>

#include "eslabon/dynamics/reactions/powers.hpp"

namespace eslabon::dynamics {

/// A place in [0, 1] and its weight.
struct QuadratureNode {
  double place, weight;
};

/// Gauss–Legendre quadrature with five nodes on [0, 1]: exact up to degree 9 [AbramowitzStegun1964, ch. 25].
const std::array<QuadratureNode, 5>& gauss_nodes();

/// Where energy came from and went over a run, in J:
///   actuators = change of T + V + lost + given to loads                                                  (1)
struct EnergyAccount {
  double actuators = 0.0;  ///< put in by the actuators
  double gross = 0.0;      ///< ∫ |power of the actuators| dt: what passed through them either way
  double lost = 0.0;       ///< in dampers and friction
  double loads = 0.0;      ///< given to external forces; negative when they gave

  /// An instant that stands for `duration` seconds.
  void add(const Powers& powers, double duration);
  /// What went on after it.
  void add(const EnergyAccount& later);
  /// What (1) leaves open when T + V has changed by this much.
  double difference(double change) const { return actuators - (change + lost + loads); }
};

}  // namespace eslabon::dynamics
