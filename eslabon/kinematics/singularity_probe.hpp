#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eslabon/kinematics/kinematic_method.hpp"
#include "eslabon/kinematics/motion_event.hpp"

namespace eslabon::kinematics {

class KinematicSolver;

/// Looks at the singular positions that a method meets, in all coordinates at once: those of the method where it solves them all,
/// otherwise natural ones, made when first needed. Keeps scratch and the method, which it asks for the motion of the bodies.
class SingularityProbe {
 public:
  SingularityProbe(KinematicMethod& method, const DrivenMechanism& driven);
  ~SingularityProbe();
  SingularityProbe(SingularityProbe&&) noexcept;
  SingularityProbe& operator=(SingularityProbe&&) noexcept;

  /// Whether the position, to 1e-6, is singular: where rows repeat others, those that a sign is made of may become dependent
  /// without all of them being so.
  bool is_singular(std::span<const coordinates::CoordinateValue> values, std::span<const double> q);
  /// The joints that move in the motion which the last position, q, forbids least: near a singular position, the motion that
  /// becomes free there.
  std::vector<std::string> joints_that_nearly_move(std::span<const coordinates::CoordinateValue> values,
                                                   std::span<const double> q);
  /// The end of the motion ahead of `state`, which is a solution near it; see kinematics::find_limit.
  std::optional<MotionEvent> find_limit(const State& state, double step, double until);

 private:
  bool is_global() const { return global_ != nullptr; }
  KinematicSolver& solver();
  /// A state of the method in the coordinates of solver().
  State in_all_coordinates(const State& state);
  /// The position at rest.
  State in_all_coordinates(std::span<const double> q);

  KinematicMethod* method_;
  KinematicSolver* global_;  ///< the method, where it solves all coordinates at once
  DrivenMechanism driven_;
  std::unique_ptr<KinematicSolver> made_;  ///< otherwise
  coordinates::MechanismMotion bodies_;
};

}  // namespace eslabon::kinematics
