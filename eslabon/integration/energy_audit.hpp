#pragma once

#include <optional>
#include <span>
#include <vector>

#include "eslabon/dynamics/formulations/body_needs.hpp"
#include "eslabon/integration/recorder.hpp"
#include "eslabon/integration/simulation.hpp"

namespace eslabon::integration {

/// What was given to a mechanism over a run and what it lost, in J:
///   change of T + V = drivers + loads − dampers + friction − impacts                                         (1)
struct EnergyFlows {
  double drivers = 0.0;
  double loads = 0.0;     ///< external forces, and limits that move
  double dampers = 0.0;   ///< damping of springs and stops, and tyres: lost
  double friction = 0.0;  ///< given by friction of joints and forces of the user: negative where it is lost
  double impacts = 0.0;   ///< lost at rigid stops

  /// The right side of (1).
  double given() const { return drivers + loads - dampers + friction - impacts; }
};

/// Adds up the flows of a run while it goes on, from the powers at its instants: those that are seen anyway, the ends of its steps and the
/// rows that are written, and more of them in steps that these do not resolve. Efforts of drivers follow from what the masses need
/// and what else acts; where everything is driven they are omitted: their work then follows from the energy. The energy itself is known
/// from positions and speeds: what (1) leaves open is the error of the integration.
class EnergyAudit final : public StepWatch {
 public:
  /// `formulation` is that of the run that it lives beside. To be given to the run, Simulation::watch, before its first step. `is_conservative`: nothing gives or takes energy,
  /// and only the largest kinetic energy is looked for.
  EnergyAudit(const dynamics::DynamicModel& model, dynamics::Formulation& formulation, bool is_conservative);

  /// An instant of the step at hand, or its end.
  void see(double t, const coordinates::MechanismMotion& bodies, const dynamics::ForceMemory& memory);

  void leave_step(const MotionPoint& from, const MotionPoint& to, const PointAt& at) override;
  void strike(const MotionPoint& before, const MotionPoint& after) override;

  bool is_conservative() const { return is_conservative_; }
  const EnergyFlows& flows() const { return flows_; }
  /// What passed in either direction, and the largest kinetic energy: the measure of what is left open.
  double passed() const { return passed_ + largest_kinetic_; }
  /// False where powers could not be had somewhere, or change so abruptly that they are not known well enough: then nothing can be said.
  bool is_complete() const { return is_complete_ && unresolved_ <= kMostUnresolved * passed(); }

 private:
  static constexpr double kMostUnresolved = 1e-5;  // of what passed

  /// All that flows at one instant [W].
  struct Instant {
    double t = 0.0;
    EnergyFlows power = {};
  };
  /// Nothing where a force has no value.
  std::optional<Instant> instant_at(double t, const coordinates::MechanismMotion& bodies,
                                    const dynamics::ForceMemory& memory);
  std::optional<Instant> instant_at(const MotionPoint& point);
  /// How well what flows in a step is to be known, when it is so much [J].
  double resolved(const EnergyFlows& sum) const;
  void account(const Instant& first, const Instant& last, const PointAt& at);
  /// ∫ over the instants from `first` on by polynomials through eight neighbours at most, those before it among them, and how far those with
  /// one less differ; nothing when there are too few.
  std::optional<double> add_seen(std::span<const Instant> instants, std::size_t first,
                                 EnergyFlows& sum) const;
  /// The same of one interval, from instant i to the next; no more neighbours where the last one has changed less than `enough`.
  static double add_interval(std::span<const Instant> instants, std::size_t i, double enough,
                             EnergyFlows& sum);
  /// ∫ by Lobatto's rule with five nodes, halved until it agrees with Simpson's. False when a point, or its powers, cannot be had.
  bool add_between(const Instant& from, const Instant& to, const PointAt& at, int depth, EnergyFlows& sum);

  dynamics::DynamicModel model_;
  dynamics::Formulation& formulation_;
  dynamics::BodyNeeds needs_;
  bool is_conservative_;
  bool needs_drivers_;           ///< their powers are to be found
  std::vector<Instant> seen_;    ///< within the step at hand, in any order
  std::vector<Instant> before_;  ///< the last ones of the steps before, since velocities last changed at once
  EnergyFlows flows_;
  double passed_ = 0.0, largest_kinetic_ = 0.0, in_play_ = 0.0, unresolved_ = 0.0;
  long num_steps_ = 0;
  bool is_complete_ = true;
  // Scratch.
  std::vector<Instant> instants_;  ///< those before, and those of the step
  coordinates::MechanismMotion bodies_;
};

}  // namespace eslabon::integration
