#include "eslabon/codegen/sampled_positions.hpp"

#include <algorithm>
#include <cmath>

#include "eslabon/core/index.hpp"
#include "eslabon/core/random/rng.hpp"

namespace eslabon::codegen {

namespace {

using core::index;
using dynamics::ReducedPoint;

constexpr double kStride = 0.2;         // [rad] or of the mechanism's size, of one step of a way …
constexpr int kSteps = 32;              // … which makes a turn
constexpr int kDrawn = 8;               // directions
constexpr double kNearSingular = 30.0;  // leverage of z at which a way ends
constexpr double kSlowest = 1e-2;       // [rad/s] or sizes: drivers that move less are taken to move so

/// One way, from the start: z along `direction`, drivers with the time.
void walk(dynamics::ReducedMotion& motion, const ReducedPoint& start, const Eigen::VectorXd& direction,
          double time_step, std::vector<SampledPosition>& out) {
  ReducedPoint point = start;
  for (int k = 1; k <= kSteps; ++k) {
    point.z += direction;
    if (motion.follow(k * time_step, point, point) != dynamics::ReducedStatus::kSolved) return;
    if (motion.leverage(point) > kNearSingular) return;
    out.push_back({point.t, point.q});
  }
}

/// [s] in which the fastest driver moves by a stride.
double time_step(const dynamics::ReducedMotion& motion) {
  std::vector<coordinates::CoordinateValue> values(motion.model().prescribed().size());
  motion.model().evaluate_drivers_or_throw(0.0, values);
  double fastest = kSlowest;
  for (const coordinates::CoordinateValue& value : values)
    fastest = std::max(fastest, std::abs(value.velocity) / std::min(1.0, motion.length()));
  return kStride / fastest;
}

}  // namespace

std::vector<SampledPosition> sample_positions(dynamics::ReducedMotion& motion) {
  const ReducedPoint start = motion.start();
  std::vector<SampledPosition> out{{0.0, start.q}};
  const Eigen::Index f = motion.num_freedoms();
  Eigen::VectorXd sizes(f);
  for (Eigen::Index k = 0; k < f; ++k)
    sizes[k] = kStride * (motion.coordinate(k).dimension == core::kLength ? 0.3 * motion.length() : 1.0);
  for (Eigen::Index k = 0; k < f; ++k)
    for (const double sign : {1.0, -1.0})
      walk(motion, start, sign * sizes[k] * Eigen::VectorXd::Unit(f, k), 0.0, out);
  core::Rng rng(22);
  if (f > 1)
    for (int way = 0; way < kDrawn; ++way) {
      Eigen::VectorXd direction(f);
      for (Eigen::Index k = 0; k < f; ++k) direction[k] = sizes[k] * (2.0 * rng.uniform() - 1.0);
      walk(motion, start, direction, 0.0, out);
    }
  if (!motion.model().prescribed().empty())
    walk(motion, start, Eigen::VectorXd::Zero(f), time_step(motion), out);
  return out;
}

}  // namespace eslabon::codegen
