#include "eslabon/dynamics/formulations/group_arrangement.hpp"

#include "eslabon/kinematics/drivers/input_value.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/structure/believed_inputs.hpp"
#include "eslabon/structure/idle_part.hpp"

namespace eslabon::dynamics {

namespace {

/// The mechanism with its idle freedoms as inputs; nothing when it has none, or one that no joint coordinate measures.
std::optional<model::Mechanism> with_idle_inputs(const DynamicModel& model) {
  std::vector<model::Variable> inputs = model.mechanism().inputs();
  if (model.structure().idle.empty()) return std::nullopt;
  for (const structure::IdlePart& part :
       structure::find_idle_parts(model.mechanism(), model.structure().topology)) {
    if (!part.variable) return std::nullopt;
    inputs.push_back(*part.variable);
  }
  return model::with_inputs(model.mechanism(), inputs);
}

kinematics::GroupProblem group_problem(const model::Mechanism& mechanism,
                                       const structure::Structure& structure,
                                       const coordinates::MechanismMotion& bodies) {
  const auto refuse = [](std::string where, std::string expected, std::string actual, std::string next) {
    throw core::ModelError({.what = "the formulation 'groups' cannot simulate this mechanism",
                            .where = std::move(where),
                            .expected = std::move(expected),
                            .actual = std::move(actual),
                            .next = std::move(next)});
  };
  if (!structure.idle.empty())
    refuse("mechanism '" + mechanism.name() + "'", "every degree of freedom an input of a structural group",
           "one with a degree of freedom that is none: " + structure::direction(structure.idle.front()),
           "Take another formulation.");
  for (const model::Joint& joint : mechanism.joints())
    if (joint.rod_mass != 0.0)
      refuse("rod '" + joint.name + "'", "rods without mass", "a rod with mass",
             std::string("Describe it as a body with two ") +
                 (mechanism.is_planar() ? "revolute" : "spherical") +
                 " joints, or take another formulation.");
  kinematics::GroupProblem problem{mechanism, structure, {}, bodies, {}};
  for (const structure::Input& input : structure.inputs) {
    if (!input.variable)
      refuse("input '" + input.name + "'", "inputs that are variables",
             "a rotation of a joint without scalar coordinates",
             "Name other inputs under 'inputs:', or take another formulation.");
    problem.prescribed.push_back({*input.variable, "input '" + input.name + "'"});
    problem.start_values.push_back(kinematics::input_value(mechanism, *input.variable, bodies));
  }
  return problem;
}

}  // namespace

template <class Link>
GroupArrangement<Link>::GroupArrangement(const model::Mechanism& mechanism_,
                                         const structure::Structure& structure_,
                                         const coordinates::MechanismMotion& bodies)
    : mechanism(mechanism_),
      structure(structure_),
      groups(group_problem(mechanism, structure, bodies)),
      residual(mechanism, coordinates::KinematicTree(mechanism, structure), groups.problem().prescribed) {}

template <class Link>
std::unique_ptr<GroupArrangement<Link>> arrange_groups(const DynamicModel& model) {
  try {
    if (const auto variant = with_idle_inputs(model))
      // Inputs that are known to be independent by their rates are not counted.
      return std::make_unique<GroupArrangement<Link>>(
          *variant, structure::analyse_with_believed_inputs(*variant), model.start());
    return std::make_unique<GroupArrangement<Link>>(model.mechanism(), model.structure(), model.start());
  } catch (const core::ModelError& error) {
    core::ErrorText text = error.text();
    text.what = "the formulation 'groups' cannot simulate this mechanism";
    text.next = "Take another formulation.";
    throw NoArrangement(text);
  }
}

template struct GroupArrangement<kinematics::PlanarLink>;
template struct GroupArrangement<kinematics::SpatialLink>;
template std::unique_ptr<GroupArrangement<kinematics::PlanarLink>> arrange_groups(const DynamicModel&);
template std::unique_ptr<GroupArrangement<kinematics::SpatialLink>> arrange_groups(const DynamicModel&);

}  // namespace eslabon::dynamics
