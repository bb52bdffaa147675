#include "eslabon/kinematics/groups/group_kinematics.hpp"

#include <string>

#include "eslabon/core/scalar/trace.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/kinematics/groups/general_group.hpp"
#include "eslabon/kinematics/report_text.hpp"

namespace eslabon::kinematics {

namespace {

[[noreturn]] void refuse(const GroupProblem& problem, std::size_t g) {
  const structure::Structure& structure = problem.structure;
  const model::Mechanism& mechanism = problem.mechanism;
  const structure::StructuralGroup& group = structure.groups[g];
  std::vector<std::string> bodies;
  for (const model::BodyIndex body : group.bodies) bodies.push_back(mechanism.body(body).name);
  std::string reason = "a group whose joints do not determine it one by one";
  for (const int input : group.inputs)
    if (!is_prescribed(structure, problem.prescribed, input))
      reason = "a group with the input '" + structure.inputs[static_cast<std::size_t>(input)].name +
               "', which no driver moves";
  throw core::ModelError(
      {.what = "the structural groups cannot be solved one after the other",
       .where = "group " + std::to_string(g + 1) + " (" + group.type + ": " + listed(bodies, 6) + ")",
       .expected = "a group with a solver",
       .actual = reason,
       .next = "The methods 'sparse' and 'global' work for this mechanism."});
}

}  // namespace

GroupProblem GroupProblem::of(const DrivenMechanism& driven) {
  GroupProblem problem{driven.mechanism(), driven.structure(), driven.prescribed(), driven.start(),
                       std::vector<coordinates::CoordinateValue>(driven.prescribed().size())};
  driven.evaluate_or_throw(0.0, problem.start_values);
  return problem;
}

template <class Link>
GroupKinematics<Link>::GroupKinematics(GroupProblem problem)
    : problem_(std::move(problem)),
      tree_(problem_.mechanism, problem_.structure),
      coupled_(problem_.mechanism, tree_) {
  const structure::Structure& structure = problem_.structure;
  for (const auto& bodies : structure.topology.links)
    start_.links.push_back(Link::from_body_motion(problem_.start[bodies.front().slot()]));
  std::vector<std::optional<double>> near(coupled_.coordinates().size());
  for (std::size_t i = 0; i < problem_.num_inputs() && i < problem_.prescribed.size(); ++i)
    if (const auto* variable = std::get_if<model::Variable>(&problem_.prescribed[i].what);
        variable != nullptr && structure.inputs[i].origin == structure::InputOrigin::kDriver)
      if (const auto place = coupled_.coordinates().place_of(*variable))
        near[*place] = problem_.start_values[i].position;
  start_.coupled = coupled_.coordinates().read(problem_.start, near);
  const GroupContext<Link> context{problem_.mechanism,     structure,     tree_,
                                   problem_.prescribed,    start_.links,  problem_.start_values,
                                   coupled_.coordinates(), start_.coupled};
  GroupScratch scratch;
  scratch.coupled = start_.coupled;
  for (std::size_t g = 0; g < structure.groups.size(); ++g) {
    const structure::StructuralGroup& group = structure.groups[g];
    groups_.push_back(make_closed_form(context, group));
    is_closed_form_.push_back(groups_.back() != nullptr);
    if (!groups_.back()) groups_.back() = make_general_group(context, group);
    if (!groups_.back()) refuse(problem_, g);
    start_.branches.push_back(groups_.back()->branch_at(problem_.start_values, start_.links, scratch));
  }
}

template <class Link>
std::vector<typename GroupKinematics<Link>::Sign> GroupKinematics<Link>::signs() const {
  std::vector<Sign> list;
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (std::size_t k = 0; k < groups_[g]->num_signs(); ++k) list.push_back({g, k});
  return list;
}

template <class Link>
std::vector<core::Traced> GroupKinematics<Link>::write_signs(std::span<const TracedLink> links) const {
  std::vector<core::Traced> list;
  for (const auto& group : groups_) {
    const std::size_t first = list.size();
    list.resize(first + group->num_signs());
    group->write_signs(links, std::span(list).subspan(first));
  }
  return list;
}

namespace {

/// The group that is nearest to a limit, and the one that is most open.
TracedClosure worse(const TracedClosure& one, const TracedClosure& other) {
  return {core::minimum(one.margin, other.margin), core::select_less(one.gap, other.gap, other.gap, one.gap)};
}

}  // namespace

template <class Link>
TracedClosure GroupKinematics<Link>::write(
    std::span<const coordinates::CoordinateValueOf<core::Traced>> inputs, std::span<const core::Traced> signs,
    std::span<TracedLink> links) const {
  TracedClosure all;
  for (const auto& group : groups_) {
    core::Trace::mark();
    all = worse(all, group->write(inputs, signs.first(group->num_signs()), links));
    signs = signs.subspan(group->num_signs());
  }
  return all;
}

template <class Link>
TracedClosure GroupKinematics<Link>::write_rates(
    std::span<const coordinates::CoordinateValueOf<core::Traced>> inputs, std::span<TracedLink> links) const {
  TracedClosure all;
  for (const auto& group : groups_) {
    core::Trace::mark();
    all = worse(all, group->write_rates(inputs, links));
  }
  return all;
}

template <class Link>
template <core::Scalar T>
void GroupKinematics<Link>::put_bodies(std::span<const typename Link::template Of<T>> links,
                                       coordinates::MechanismMotionOf<T>& out) const {
  for (std::size_t b = 1; b < out.size(); ++b) {
    const model::BodyIndex body(static_cast<int>(b));
    if constexpr (std::is_same_v<T, core::Traced>) core::Trace::mark();
    SpatialLinkOf<T> link = links[static_cast<std::size_t>(tree_.link_of(body))].to_spatial();
    const core::Pose<double>& X_LB = tree_.X_LB(body);
    const SpatialPointOf<T> origin = link.point(X_LB.p_AB_A);
    link.p = origin.p;
    link.v = origin.v;
    link.a = origin.a;
    link.R = link.R * X_LB.R_AB.matrix().template cast<T>();
    out[b] = link.to_body_motion();
  }
}

template <class Link>
void GroupKinematics<Link>::write_bodies(std::span<const Link> links,
                                         coordinates::MechanismMotion& out) const {
  put_bodies<double>(links, out);
}
template <class Link>
void GroupKinematics<Link>::write_bodies(std::span<const TracedLink> links,
                                         coordinates::MechanismMotionOf<core::Traced>& out) const {
  put_bodies<core::Traced>(links, out);
}

template class GroupKinematics<PlanarLink>;
template class GroupKinematics<SpatialLink>;
}  // namespace eslabon::kinematics
