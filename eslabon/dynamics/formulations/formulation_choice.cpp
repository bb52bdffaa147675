#include "eslabon/dynamics/formulations/formulation_choice.hpp"

#include <algorithm>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/formulations/clusters.hpp"
#include "eslabon/dynamics/formulations/formulation.hpp"
#include "eslabon/dynamics/formulations/open_chain.hpp"

namespace eslabon::dynamics {

namespace {

// K is found by one pass through the groups for each freedom. Four-bars that stand on each other are evaluated faster by groups with
// 14 freedoms still (24 µs beside 32 µs), bars in a row slower from 3 on (1.0 µs beside 0.75 µs): in between.
constexpr std::size_t kMostFreedoms = 6;
// Of links: a group of this size is a matrix of its own. A bound of prudence, not of measurement.
constexpr std::size_t kLargeGroup = 12;
// Of coordinates: what depends on others in a cluster is a dense matrix. An axle of the truck suspension, 34 coordinates in one cluster, takes
// as long by clusters as by the semi-recursive formulation, five of them two thirds of it.
constexpr std::size_t kLargeCluster = 40;

/// Where structural groups are not taken.
FormulationChoice without_groups(const DynamicModel& model, const std::string& reason) {
  if (largest_cluster(model) > kLargeCluster) return {"semi-recursive", reason};
  return {"clusters", reason};
}

}  // namespace

FormulationChoice choose_formulation(const DynamicModel& model) {
  const auto& joints = model.mechanism().joints();
  if (std::ranges::any_of(joints,
                          [](const model::Joint& joint) { return model::is_nonholonomic(joint.type); }))
    return {"semi-recursive", "a disc rolls without slipping"};
  if (is_open_chain(model)) return {"semi-recursive", "it has no loop"};
  // A group finds such a body by Newton's method: its roundoff is that of a residual, and bdf takes short steps for ever.
  if (!model.mechanism().is_planar() && std::ranges::any_of(joints, [](const model::Joint& joint) {
        return joint.type == model::JointType::kFree;
      }))
    return without_groups(model, "a body is free in space");
  const structure::Structure& structure = model.structure();
  const std::size_t freedoms = structure.inputs.size() - model.mechanism().drivers().size();
  std::size_t largest = 0;
  for (const structure::StructuralGroup& group : structure.groups)
    largest = std::max(largest, group.links.size());
  if (freedoms > kMostFreedoms)
    return without_groups(model, "it has " + std::to_string(freedoms) +
                                     " degrees of freedom, more than structural groups are good for");
  if (largest >= kLargeGroup)
    return without_groups(model, "a structural group of " + std::to_string(largest) +
                                     " links is too large to be solved on its own");
  try {
    // Where a group has no position, as a dyad of points that coincide, its solver says so at the first question only.
    const auto groups = make_formulation("groups", model);
    State state = groups->start();
    std::vector<double> z(static_cast<std::size_t>(groups->num_integrated())), z_dot(z.size());
    groups->read(state, z, z_dot);
    if (groups->complete(0.0, z, z_dot, state) != DynamicsStatus::kSolved)
      return without_groups(model, "a structural group has no solution of its own at the start");
  } catch (const core::ModelError& error) {
    return without_groups(model, error.text().where + " is " + error.text().actual);
  }
  return {"groups", "every structural group has a solver of its own"};
}

}  // namespace eslabon::dynamics
