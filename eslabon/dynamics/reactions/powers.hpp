#pragma once

#include <optional>

#include "eslabon/dynamics/formulations/body_needs.hpp"

namespace eslabon::dynamics {

/// What everything that acts on a mechanism gives to it at one instant, and what becomes of it, in W:
///   actuators + weights + springs + loads + friction − dampers = dT/dt                                     (1)
/// Joints do no work, so (1) holds for every motion that they allow and that the forces really give.
struct Powers {
  double actuators = 0.0;  ///< Σ effort · rate
  double weights = 0.0;
  double springs = 0.0;   ///< and soft stops, without their damping: −dV/dt
  double loads = 0.0;     ///< external forces of the file, formulas of springs, and limits that move
  double dampers = 0.0;   ///< lost in dampers and in the damping of springs and stops
  double friction = 0.0;  ///< given by all other forces: friction of joints and forces of the user
  double kinetic = 0.0;   ///< dT/dt, from masses and accelerations

  /// What (1) leaves open.
  double balance() const { return actuators + weights + springs + loads + friction - dampers - kinetic; }
};

/// What wrenches give to bodies that move like this [W].
double power_of(const std::vector<Wrench>& wrenches, const coordinates::MechanismMotion& bodies);

/// What a load of this value, AppliedForces::load_value, gives to bodies that move like this [W].
double power_of_load(const model::Mechanism& mechanism, const model::Load& load, const Eigen::Vector3d& value,
                     const coordinates::MechanismMotion& bodies);

/// `loads` and `dampers` alone, by which energy comes and goes where nothing else than springs and weights acts; of `springs` what soft
/// stops store. Nothing where a limit has no value.
std::optional<Powers> evaluate_exchanges(const DynamicModel& model, double t,
                                         const coordinates::MechanismMotion& bodies,
                                         const ForceMemory& memory);

/// Everything but `actuators`. Weights, springs, dampers and loads follow from their own values and rates, the sum of all from the wrenches
/// of `needs`, which was evaluated there; friction is the difference.
std::optional<Powers> evaluate_powers(const DynamicModel& model, double t,
                                      const coordinates::MechanismMotion& bodies, const ForceMemory& memory,
                                      const BodyNeeds& needs);

}  // namespace eslabon::dynamics
