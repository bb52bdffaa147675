#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "eslabon/dynamics/forces/load_iteration.hpp"
#include "eslabon/dynamics/reactions/reactions.hpp"

namespace eslabon::dynamics {

/// Forces that depend on the accelerations that they cause: friction by the load N of joints, and what a rigid stop holds with where
/// something rests on it. Whatever the formulation, accelerations are affine in efforts, so that one evaluation tells what a unit of an
/// effort does. With g̈ the accelerations of the gaps of the stops that hold, p what they hold with, a the accelerations,
///   g̈(N, p) = −2 κ ġ − κ² g      linear in p: one evaluation for each stop that holds                          (1)
///   N = load(a(N, p))            by load_iteration.hpp                                                         (2)
/// κ takes back what integration lets a gap drift. Scratch: one per run.
class CoupledForces {
 public:
  /// The formulation is of this model. Lives inside the MotionEquations of a run, which keeps it.
  CoupledForces(const DynamicModel& model, Formulation& formulation);

  /// Whether the mechanism has such forces; otherwise accelerate() is that of the formulation.
  bool is_needed() const { return has_loads_ || !model_.forces().rigid_sides().empty(); }

  /// Accelerations as Formulation::accelerate; loads and holds of the state's memory are set to those that belong to them, from those
  /// that stand there. kJammed: no loads agree with the accelerations.
  [[nodiscard]] DynamicsStatus accelerate(State& state, std::span<double> a, std::span<double> z_ddot);

  /// What a unit of effort from a side changes in the accelerations of the coordinates: (n).
  [[nodiscard]] DynamicsStatus respond(const State& state, std::size_t side, std::span<double> change);

  /// Joints whose load redundant joints share in a way that rigid-body dynamics does not determine, so far: the least-squares share was taken.
  const std::vector<model::JointIndex>& uncertain_loads() const { return uncertain_; }

  /// The gap of a side in a state with these accelerations; nothing where its limit has no value.
  std::optional<Gap> find_gap(const State& state, std::span<const double> a, std::size_t side);

 private:
  /// Accelerations with holds that satisfy (1), for the loads that stand in the state.
  DynamicsStatus hold(State& state, std::span<double> a, std::span<double> z_ddot);
  /// Loads that belong to these accelerations. False where a force has no value.
  [[nodiscard]] bool find_loads(const State& state, std::span<const double> a, std::vector<double>& found);

  DynamicModel model_;
  Formulation& formulation_;
  bool has_loads_;
  std::unique_ptr<Reactions> reactions_;  ///< where there are loads
  // Scratch.
  coordinates::MechanismMotion bodies_;
  State trial_;
  std::vector<double> a_, a_free_, z_ddot_;
  std::vector<double> loads_;
  std::vector<std::size_t> held_;
  std::vector<model::JointIndex> uncertain_;
};

}  // namespace eslabon::dynamics
