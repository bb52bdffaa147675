#include "eslabon/codegen/closed_groups.hpp"

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/kinematics/drivers/input_value.hpp"
#include "eslabon/model/variables/name_lookup.hpp"

namespace eslabon::codegen {

using coordinates::CoordinateValueOf;
using core::Traced;
using kinematics::PlanarLink;
using kinematics::SpatialLink;
using std::size_t;

template <class Link>
ClosedGroups<Link>::ClosedGroups(std::unique_ptr<Arrangement> arrangement, size_t num_drivers)
    : arrangement_(std::move(arrangement)), num_drivers_(num_drivers) {}

template <class Link>
std::string ClosedGroups<Link>::description() const {
  const size_t count = groups().num_groups();
  return std::to_string(count) + " structural group" + (count == 1 ? "" : "s") + " in closed form";
}

template <class Link>
std::vector<coordinates::Coordinate> ClosedGroups<Link>::freedoms() const {
  std::vector<coordinates::Coordinate> list;
  for (size_t k = 0; k < num_freedoms(); ++k)
    list.push_back({model::name(arrangement_->mechanism, freedom(k)),
                    model::dimension(arrangement_->mechanism, freedom(k))});
  return list;
}

template <class Link>
std::vector<core::Column> ClosedGroups<Link>::branch_names() const {
  std::vector<core::Column> list;
  for (const auto& [g, number] : groups().signs()) {
    const structure::StructuralGroup& group = groups().group(g);
    std::string bodies;
    for (const model::BodyIndex body : group.bodies)
      bodies += (bodies.empty() ? "" : ", ") + arrangement_->mechanism.body(body).name;
    list.push_back(
        {"branch of group " + std::to_string(g + 1) + " (" + bodies + ")" + (number == 0 ? "" : ", its spin"),
         "+1 or -1"});
  }
  return list;
}

template <class Link>
std::vector<BodySection> ClosedGroups<Link>::sections() const {
  const model::Mechanism& mechanism = arrangement_->mechanism;
  std::vector<BodySection> list;
  for (size_t g = 0; g < groups().num_groups(); ++g) {
    const structure::StructuralGroup& group = groups().group(g);
    std::vector<std::string> joints;
    for (const model::JointIndex joint : group.joints) joints.push_back(mechanism.joint(joint).name);
    list.push_back(
        {.title = "Group " + std::to_string(g + 1) + ", " + (group.assur.empty() ? group.type : group.assur),
         .says = (joints.size() == 1 ? "Joint " : "Joints ") + core::listed(joints) + ".",
         .bodies = group.bodies});
  }
  return list;
}

template <class Link>
std::vector<double> ClosedGroups<Link>::signs(std::span<const kinematics::GroupBranch> branches) const {
  std::vector<double> list;
  for (const auto& [g, number] : groups().signs()) list.push_back(kinematics::signs_of(branches[g])[number]);
  return list;
}

template <class Link>
FreedomValues ClosedGroups<Link>::start() const {
  FreedomValues values{.z = {}, .z_dot = {}, .positions = {}, .branches = signs(groups().start().branches)};
  for (size_t k = 0; k < num_freedoms(); ++k) {
    const coordinates::CoordinateValue& value = groups().problem().start_values[num_drivers_ + k];
    values.z.push_back(value.position);
    values.z_dot.push_back(value.velocity);
  }
  return values;
}

template <class Link>
std::vector<CoordinateValueOf<Traced>> ClosedGroups<Link>::resting(const TracedFreedoms& freedoms) const {
  std::vector<CoordinateValueOf<Traced>> inputs(num_inputs());
  for (size_t i = 0; i < num_inputs(); ++i)
    inputs[i].position = i < num_drivers_ ? freedoms.drivers.position[i] : freedoms.z[i - num_drivers_];
  return inputs;
}

template <class Link>
typename ClosedGroups<Link>::Links ClosedGroups<Link>::write_links(const TracedFreedoms& freedoms,
                                                                   std::span<const TracedLink> here) const {
  Links out;
  const size_t num_links = groups().start().links.size();
  const auto pass = [&](const std::vector<CoordinateValueOf<Traced>>& inputs) {
    std::vector<TracedLink> links(here.begin(), here.end());
    links.resize(num_links);
    out.closure =
        here.empty() ? groups().write(inputs, freedoms.branches, links) : groups().write_rates(inputs, links);
    return links;
  };
  for (size_t k = 0; k < num_freedoms(); ++k) {
    std::vector<CoordinateValueOf<Traced>> inputs = resting(freedoms);
    inputs[num_drivers_ + k].velocity = 1.0;
    out.units.push_back(pass(inputs));
  }
  if (num_freedoms() == 1 && num_drivers_ == 0) {
    const Traced& rate = freedoms.z_dot[0];
    out.links = out.units[0];
    for (TracedLink& link : out.links) {
      link.v = rate * link.v;
      link.w = rate * link.w;
      link.a = (rate * rate) * link.a;
      link.alpha = (rate * rate) * link.alpha;
    }
    return out;
  }
  std::vector<CoordinateValueOf<Traced>> inputs = resting(freedoms);
  for (size_t i = 0; i < num_drivers_; ++i) {
    inputs[i].velocity = freedoms.drivers.velocity[i];
    inputs[i].acceleration = freedoms.drivers.acceleration[i];
  }
  for (size_t k = 0; k < num_freedoms(); ++k) inputs[num_drivers_ + k].velocity = freedoms.z_dot[k];
  out.links = pass(inputs);  // (1)
  return out;
}

template <class Link>
TracedBodies ClosedGroups<Link>::write(const TracedFreedoms& freedoms) const {
  TracedFreedoms with_signs = freedoms;  // whatever comes from outside, links keep their lengths
  for (Traced& branch : with_signs.branches) branch = kinematics::sign_of(branch);
  return bodies_of(write_links(with_signs));
}

template <class Link>
TracedBodies ClosedGroups<Link>::bodies_of(const Links& links) const {
  const size_t num_bodies = arrangement_->mechanism.bodies().size();
  TracedBodies out;
  const auto written = [&](const std::vector<TracedLink>& list) {
    TracedBodies::Bodies bodies(num_bodies);
    groups().write_bodies(list, bodies);
    return bodies;
  };
  out.bodies = written(links.links);
  for (const std::vector<TracedLink>& unit : links.units) out.units.push_back(written(unit));
  out.closure_error = links.closure.gap;
  out.margin = links.closure.margin;
  return out;
}

template class ClosedGroups<PlanarLink>;
template class ClosedGroups<SpatialLink>;

namespace {

template <class Link>
std::unique_ptr<TracedKinematics> arranged(const dynamics::DynamicModel& model) {
  auto arrangement = dynamics::arrange_groups<Link>(model);
  if (!arrangement->groups.has_closed_forms()) return nullptr;
  return std::make_unique<ClosedGroups<Link>>(std::move(arrangement), model.mechanism().drivers().size());
}

}  // namespace

std::unique_ptr<TracedKinematics> make_closed_groups(const dynamics::DynamicModel& model) {
  return model.mechanism().is_planar() ? arranged<PlanarLink>(model) : arranged<SpatialLink>(model);
}

}  // namespace eslabon::codegen
