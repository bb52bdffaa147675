#pragma once

#include <vector>

#include "eslabon/dynamics/reduced/reduced_motion.hpp"

namespace eslabon::codegen {

/// A position that a mechanism can take.
struct SampledPosition {
  double t;               ///< [s]
  std::vector<double> q;  ///< (n)
};

/// Positions in all directions from the start of the model, the start first: along each degree of freedom both ways for a whole turn,
/// or twice the size of the mechanism, along some directions that are drawn, always the same ones, and along what drivers
/// prescribe; each way ends before a singular position.
std::vector<SampledPosition> sample_positions(dynamics::ReducedMotion& motion);

}  // namespace eslabon::codegen
