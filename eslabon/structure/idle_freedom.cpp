#include "eslabon/structure/idle_freedom.hpp"

#include <algorithm>
#include <variant>

namespace eslabon::structure {

namespace {

using model::JointType;

constexpr int kNoPart = -1;

/// Numbers the parts: links that are connected without spherical joints; the frame's part is 0.
std::vector<int> number_parts(const model::Mechanism& mechanism, const Topology& topology, int& num_parts) {
  std::vector<std::vector<LinkIndex>> neighbours(topology.links.size());
  for (const Edge& edge : topology.edges) {
    if (mechanism.joint(edge.joint).type == JointType::kSpherical) continue;
    neighbours[edge.first.slot()].push_back(edge.second);
    neighbours[edge.second.slot()].push_back(edge.first);
  }
  std::vector<int> part(topology.links.size(), kNoPart);
  std::vector<LinkIndex> open;
  num_parts = 0;
  for (int link = 0; link < topology.num_links(); ++link) {
    if (part[static_cast<std::size_t>(link)] != kNoPart) continue;
    open.assign(1, LinkIndex(link));
    part[static_cast<std::size_t>(link)] = num_parts;
    while (!open.empty()) {
      const LinkIndex from = open.back();
      open.pop_back();
      for (const LinkIndex to : neighbours[from.slot()]) {
        if (part[to.slot()] != kNoPart) continue;
        part[to.slot()] = num_parts;
        open.push_back(to);
      }
    }
    ++num_parts;
  }
  return part;
}

/// Whether the point is where a spherical joint holds its body: on the line of the spin, which it cannot
/// stop.
bool is_ball_center(const model::Mechanism& mechanism, const model::PointRef& point) {
  const std::string& name = mechanism.point(point).name;
  return std::ranges::any_of(mechanism.joints(), [&](const model::Joint& joint) {
    return joint.type == JointType::kSpherical &&
           std::ranges::any_of(joint.ends, [&](const model::JointEnd& end) {
             return end.body == point.body && end.marker == name;
           });
  });
}

/// Whether a driver or an input of the user fixes a point or angle of the body against the ground.
std::vector<bool> parts_with_absolute_inputs(const model::Mechanism& mechanism, const Topology& topology,
                                             const std::vector<int>& part, int num_parts) {
  std::vector<bool> has(static_cast<std::size_t>(num_parts), false);
  const auto mark = [&](const model::Variable& variable) {
    const auto* point = std::get_if<model::PointRef>(&variable.element);
    if (point && !is_ball_center(mechanism, *point))
      has[static_cast<std::size_t>(part[topology.link_of(point->body).slot()])] = true;
    if (const auto* body = std::get_if<model::BodyIndex>(&variable.element))
      has[static_cast<std::size_t>(part[topology.link_of(*body).slot()])] = true;
  };
  for (const model::Driver& driver : mechanism.drivers()) mark(driver.target);
  for (const model::Variable& input : mechanism.inputs()) mark(input);
  return has;
}

std::string marker_name(const model::Mechanism& mechanism, const Topology& topology, const IdleFreedom& idle,
                        model::JointIndex joint) {
  for (const model::JointEnd& end : mechanism.joint(joint).ends)
    if (std::ranges::count(idle.links, topology.link_of(end.body)) > 0)
      return mechanism.body(end.body).name + "." + end.marker;
  return mechanism.joint(joint).name;
}

}  // namespace

std::vector<IdleFreedom> find_idle_freedoms(const model::Mechanism& mechanism, const Topology& topology) {
  int num_parts = 0;
  const std::vector<int> part = number_parts(mechanism, topology, num_parts);
  const std::vector<bool> is_fixed_otherwise =
      parts_with_absolute_inputs(mechanism, topology, part, num_parts);

  std::vector<std::vector<model::JointIndex>> balls(static_cast<std::size_t>(num_parts));
  for (const Edge& edge : topology.edges) {
    if (mechanism.joint(edge.joint).type != JointType::kSpherical) continue;
    const int first = part[edge.first.slot()];
    const int second = part[edge.second.slot()];
    if (first == second) continue;
    balls[static_cast<std::size_t>(first)].push_back(edge.joint);
    balls[static_cast<std::size_t>(second)].push_back(edge.joint);
  }
  std::vector<std::vector<LinkIndex>> links(static_cast<std::size_t>(num_parts));
  for (int link = 0; link < topology.num_links(); ++link)
    links[static_cast<std::size_t>(part[static_cast<std::size_t>(link)])].push_back(LinkIndex(link));

  const auto outer_link = [&](model::JointIndex ball, std::size_t p) {
    const LinkIndex first = topology.link_of(mechanism.joint(ball).first());
    return part[first.slot()] == static_cast<int>(p) ? topology.link_of(mechanism.joint(ball).second())
                                                     : first;
  };
  std::vector<IdleFreedom> idle;
  for (std::size_t p = 1; p < balls.size(); ++p) {
    if (balls[p].size() != 2 || is_fixed_otherwise[p]) continue;
    if (outer_link(balls[p][0], p) == outer_link(balls[p][1], p)) continue;
    idle.push_back({links[p], balls[p][0], balls[p][1]});
  }
  return idle;
}

std::string direction(const model::Mechanism& mechanism, const Topology& topology, const IdleFreedom& idle) {
  return "rotation about the line from " + marker_name(mechanism, topology, idle, idle.first) + " to " +
         marker_name(mechanism, topology, idle, idle.second);
}

}  // namespace eslabon::structure
