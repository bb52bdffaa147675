#include "eslabon/runs/motion/small_turn.hpp"

#include <algorithm>
#include <cmath>

namespace eslabon::runs {

double time_of_small_turn(const coordinates::MechanismMotion& bodies) {
  double w = 0.0, alpha = 0.0;
  for (const coordinates::BodyMotion& body : bodies) {
    w = std::max(w, body.w_WB_W.squaredNorm());
    alpha = std::max(alpha, body.alpha_WB_W.squaredNorm());
  }
  return std::min(0.5 / std::sqrt(w), 1.0 / std::sqrt(std::sqrt(alpha)));  // infinite at rest
}

}  // namespace eslabon::runs
