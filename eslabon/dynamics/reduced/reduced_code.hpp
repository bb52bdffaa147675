#pragma once

#include <memory>
#include <span>

#include "eslabon/coordinates/joint_motion.hpp"

namespace eslabon::dynamics {

class ReducedMotion;
struct ReducedPoint;
struct ReducedTangent;

/// Machine code of what a ReducedMotion computes, for the z that it had when it was made. Where it cannot tell, near singular positions and
/// far from where it looks, it says so.
class ReducedCode {
 public:
  using Drivers = std::span<const coordinates::CoordinateValue>;  ///< (drivers) at the time of the point

  virtual ~ReducedCode() = default;
  /// As ReducedMotion::solve, but for time and memory.
  [[nodiscard]] virtual bool solve(Drivers drivers, const ReducedPoint& near, ReducedPoint& point) = 0;
  [[nodiscard]] virtual bool differentiate(Drivers drivers, const ReducedPoint& point,
                                           ReducedTangent& out) = 0;
};

/// Who runs filters is handed one of these, or none.
class ReducedCompiler {
 public:
  virtual ~ReducedCompiler() = default;
  /// Nothing where there is none.
  virtual std::unique_ptr<ReducedCode> compile(const ReducedMotion& motion) = 0;
};

}  // namespace eslabon::dynamics
