#pragma once

#include "eslabon/core/random/rng.hpp"
#include "eslabon/dynamics/reduced/reduced_motion.hpp"

namespace eslabon::test {

/// Positions that a mechanism can take and motions that it can have there, at random: steps of its degrees of freedom, each from where the
/// last one led, with rates of a few rad/s. Other coordinates are taken as degrees of freedom where the present ones no longer tell the
/// position, so that dead centres do not end the walk.
class RandomWalk {
 public:
  /// `away`: how far from the start coordinates may go [rad, or of the mechanism's size].
  RandomWalk(const dynamics::DynamicModel& model, const coordinates::MechanismMotion& start, double away,
             bool differentiates, std::uint64_t seed);

  /// The next state, with its derivatives by dual numbers where they are asked for.
  void advance();
  const dynamics::ReducedMotion& motion() const { return motion_; }
  const dynamics::ReducedPoint& point() const { return point_; }
  const dynamics::ReducedTangent& tangent() const { return tangent_; }

 private:
  /// A state at most so far from the present one; false where there is none.
  [[nodiscard]] bool step(double largest);
  bool is_near_start(const dynamics::ReducedPoint& point) const;
  double size(std::size_t coordinate) const;

  dynamics::ReducedMotion motion_;
  dynamics::ReducedPoint point_;
  std::vector<double> start_;  ///< (n) q
  dynamics::ReducedTangent tangent_;
  double away_;
  bool differentiates_;
  core::Rng rng_;
};

}  // namespace eslabon::test
