#include "eslabon/runs/start/chosen_outputs.hpp"

#include "eslabon/kinematics/variable_value.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::runs {

namespace {

/// The coordinates of all joints: what is told when nobody asks for anything.
std::vector<std::string> joint_coordinates(const model::Mechanism& mechanism) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    for (int c = 0; c < model::coordinate_count(mechanism.joints()[j].type); ++c)
      names.push_back(model::name(
          mechanism, {model::VariableKind::kJointPosition, model::JointIndex(static_cast<int>(j)), c}));
  return names;
}

}  // namespace

ChosenOutputs choose_outputs(const model::Mechanism& mechanism,
                             const std::optional<std::vector<std::string>>& outputs, bool with_forces) {
  ChosenOutputs chosen{mechanism};
  if (outputs)
    chosen.mechanism = for_field("outputs", [&] { return model::with_outputs(chosen.mechanism, *outputs); });
  std::vector<std::string> told;
  for (const model::Variable& output : chosen.mechanism.outputs())
    (kinematics::needs_forces(output) && !with_forces ? chosen.left_out : told)
        .push_back(model::name(chosen.mechanism, output));
  if (outputs && !chosen.left_out.empty())
    throw RequestError({.what = "kinematics computes no forces",
                        .where = field("outputs"),
                        .expected = "positions, velocities and accelerations",
                        .actual = "'" + chosen.left_out.front() + "'",
                        .next = "Leave it out; 'simulate' computes them."});
  chosen.has_default_outputs = told.empty();
  if (told.empty()) told = joint_coordinates(chosen.mechanism);
  chosen.mechanism = model::with_outputs(chosen.mechanism, told);
  return chosen;
}

}  // namespace eslabon::runs
