#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eslabon/dynamics/reactions/reactions.hpp"

namespace eslabon::dynamics {

/// Values of those variables of a list that are forces: reactions of joints, efforts of drivers and couplings, friction, forces of springs, dampers
/// and stops, and formulas of these, in which angles are between −π and π.
class ForceOutputs {
 public:
  ForceOutputs(const DynamicModel& model, const std::vector<model::Variable>& variables);

  /// Writes them to their places in `out` (variables); others are left as they are. `bodies` with accelerations.
  void record(double t, const coordinates::MechanismMotion& bodies, const ForceMemory& memory,
              std::span<double> out);

  /// The same with reactions of the joints and couplings that are known already; efforts of drivers are left as they are.
  void record(double t, const std::vector<JointReaction>& joints,
              const std::vector<CouplingEffort>& couplings, const coordinates::MechanismMotion& bodies,
              const ForceMemory& memory, std::span<double> out);

  /// Variables that were not unique at some instant: "A.fx", "motor.effort".
  const std::vector<std::string>& not_unique() const { return not_unique_; }

  /// When joints first could not give what the motion needs: in a singular position, where forces grow without bound [s].
  const std::optional<double>& unbalanced_at() const { return unbalanced_at_; }

 private:
  struct Slot {
    std::size_t place;
    model::Variable variable;
  };
  /// What an instant tells beside the state: reactions, and efforts of drivers where they are known.
  struct Known {
    double t;
    const std::vector<JointReaction>& joints;
    const std::vector<CouplingEffort>& couplings;
    const std::vector<double>* efforts;
    const coordinates::MechanismMotion& bodies;
    const ForceMemory& memory;
  };
  double value(const model::Variable& variable, const Known& known);
  double effort(const model::Variable& variable, const Known& known);
  void note(const model::Variable& variable);

  DynamicModel model_;
  std::vector<Slot> slots_;
  bool needs_reactions_ = false;
  Reactions reactions_;
  std::optional<double> unbalanced_at_;
  std::vector<std::string> not_unique_;
};

}  // namespace eslabon::dynamics
