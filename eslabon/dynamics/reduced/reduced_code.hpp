#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include <Eigen/Core>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/core/scalar/trace.hpp"

namespace eslabon::dynamics {

class ReducedMotion;
struct ReducedPoint;
struct ReducedTangent;

/// Numbers that somebody reads at points, written down: functions of the bodies, with their accelerations, of time and of nothing else.
struct WrittenReading {
  std::string name;      ///< for messages: "sensor 'imu'"
  std::size_t size = 0;  ///< m
  /// Throws core::ModelError for what cannot be written down.
  std::function<void(const coordinates::MechanismMotionOf<core::Traced>&, std::span<core::Traced>)> write;
};

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
  /// Of that z̈_x alone (f × (2 f + p)).
  [[nodiscard]] virtual bool differentiate_accelerations(Drivers drivers, const ReducedPoint& point,
                                                         Eigen::Ref<Eigen::MatrixXd> z_ddot_x) = 0;
  /// Reading number k at a point that is solved: y (m) and ∂y/∂(z, ż, θ) (m × (2 f + p)).
  [[nodiscard]] virtual bool read(std::size_t k, Drivers drivers, const ReducedPoint& point,
                                  std::span<double> y, Eigen::Ref<Eigen::MatrixXd> H) = 0;
};

/// Who runs filters is handed one of these, or none.
class ReducedCompiler {
 public:
  virtual ~ReducedCompiler() = default;
  /// Nothing where there is none. Code tells nothing of readings that cannot be written down.
  virtual std::unique_ptr<ReducedCode> compile(const ReducedMotion& motion,
                                               std::span<const WrittenReading> readings) = 0;
};

}  // namespace eslabon::dynamics
