#include "tests/export/random_walk.hpp"

#include <cmath>
#include <stdexcept>

#include "eslabon/core/index.hpp"

namespace eslabon::test {

namespace {

constexpr double kStep = 0.5;     // [rad, or of the mechanism's size]
constexpr double kRate = 3.0;     // the same by second
constexpr double kSpan = 3.0;     // [s] of the time
constexpr double kShorter = 0.7;  // a step that leads nowhere is tried again, shorter
constexpr int kMostTries = 40;

}  // namespace

RandomWalk::RandomWalk(const dynamics::DynamicModel& model, const coordinates::MechanismMotion& start,
                       double away, bool differentiates, std::uint64_t seed)
    : motion_(model, {}),
      point_(motion_.point_of(start, 0.0)),
      start_(point_.q),
      tangent_(motion_.make_tangent()),
      away_(away),
      differentiates_(differentiates),
      rng_(seed) {}

double RandomWalk::size(std::size_t coordinate) const {
  return motion_.system().coordinates()[coordinate].dimension == core::kLength ? motion_.length() : 1.0;
}

bool RandomWalk::is_near_start(const dynamics::ReducedPoint& point) const {
  for (std::size_t c = 0; c < start_.size(); ++c)
    if (std::abs(point.q[c] - start_[c]) > away_ * size(c)) return false;
  return true;
}

bool RandomWalk::step(double largest) {
  dynamics::ReducedPoint next = point_;
  for (Eigen::Index k = 0; k < motion_.num_freedoms(); ++k) {
    const double unit = size(core::index(motion_.chosen()[core::index(k)]));
    next.z[k] += largest * unit * (2.0 * rng_.uniform() - 1.0);
    next.z_dot[k] = kRate * unit * rng_.normal();
  }
  if (motion_.solve(kSpan * rng_.uniform(), point_, next) != dynamics::ReducedStatus::kSolved ||
      !is_near_start(next))
    return false;
  Eigen::MatrixXd unused(motion_.num_directions(), motion_.num_directions());
  motion_.choose(next, tangent_, unused);
  point_ = next;
  return !differentiates_ || motion_.differentiate(point_, tangent_);
}

void RandomWalk::advance() {
  double largest = kStep;
  for (int i = 0; i < kMostTries; ++i, largest *= kShorter)
    if (step(largest)) return;
  throw std::runtime_error("the walk has come to an end");
}

}  // namespace eslabon::test
