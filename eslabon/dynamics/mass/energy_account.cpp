#include "eslabon/dynamics/mass/energy_account.hpp"

#include <cmath>

namespace eslabon::dynamics {

const std::array<QuadratureNode, 5>& gauss_nodes() {
  // Roots of the Legendre polynomial P₅ and their weights, moved from [−1, 1].
  static const std::array<QuadratureNode, 5> nodes = [] {
    const double root = std::sqrt(10.0 / 7.0), inner = std::sqrt(5.0 - 2.0 * root) / 3.0,
                 outer = std::sqrt(5.0 + 2.0 * root) / 3.0;
    const double w_inner = (322.0 + 13.0 * std::sqrt(70.0)) / 900.0,
                 w_outer = (322.0 - 13.0 * std::sqrt(70.0)) / 900.0;
    return std::array<QuadratureNode, 5>{{{0.5 - 0.5 * outer, 0.5 * w_outer},
                                          {0.5 - 0.5 * inner, 0.5 * w_inner},
                                          {0.5, 64.0 / 225.0},
                                          {0.5 + 0.5 * inner, 0.5 * w_inner},
                                          {0.5 + 0.5 * outer, 0.5 * w_outer}}};
  }();
  return nodes;
}

void EnergyAccount::add(const Powers& powers, double duration) {
  actuators += duration * powers.actuators;
  gross += duration * std::abs(powers.actuators);
  lost += duration * (powers.dampers - powers.friction);
  loads -= duration * powers.loads;
}

void EnergyAccount::add(const EnergyAccount& later) {
  actuators += later.actuators;
  gross += later.gross;
  lost += later.lost;
  loads += later.loads;
}

}  // namespace eslabon::dynamics
