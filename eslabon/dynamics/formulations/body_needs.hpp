#pragma once

#include <array>
#include <span>
#include <vector>

#include "eslabon/dynamics/dynamic_model.hpp"

namespace eslabon::dynamics {

/// What a rod's own mass needs at each of its ends when they accelerate, m/6 (2 a + a of the other end), world axes [N]:
/// points of the rod accelerate linearly along it. `bodies` with accelerations.
std::array<Eigen::Vector3d, 2> rod_needs(const model::Joint& joint,
                                         const coordinates::MechanismMotion& bodies);

/// What bodies need to move as they do, and what acts on them already. Scratch: one per thread.
///   w_b = M_b a_b + gyroscopic part − applied                                                          (1)
/// The halves of a rod's mass count with the bodies at its ends.
class BodyNeeds {
 public:
  explicit BodyNeeds(const DynamicModel& model);

  /// `bodies` with accelerations; `memory` as AppliedForces::evaluate. False where a force has no value.
  [[nodiscard]] bool evaluate(double t, const coordinates::MechanismMotion& bodies,
                              const ForceMemory& memory);

  /// (bodies) of the last evaluation: what masses need, what acts, and w, which joints and drivers must give.
  const std::vector<Wrench>& inertial() const { return inertial_; }
  const std::vector<Wrench>& applied() const { return applied_; }
  const std::vector<Wrench>& needed() const { return needed_; }

 private:
  DynamicModel model_;
  std::vector<Wrench> inertial_, applied_, needed_;
};

}  // namespace eslabon::dynamics
