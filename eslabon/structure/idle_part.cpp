#include "eslabon/structure/idle_part.hpp"

#include <algorithm>
#include <variant>

#include "eslabon/structure/coaxial_spin.hpp"

namespace eslabon::structure {

namespace {

using model::JointType;

constexpr int kNoPart = -1;

/// Numbers the parts: links that are connected without such joints; the frame's part is 0.
std::vector<int> number_parts(const model::Mechanism& mechanism, const Topology& topology, int& num_parts) {
  std::vector<std::vector<LinkIndex>> neighbours(topology.links.size());
  for (const Edge& edge : topology.edges) {
    if (model::holds_a_point(mechanism.joint(edge.joint).type, 1) || edge.rows == 0) continue;
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

/// What holds one part.
struct Holders {
  std::vector<std::string> points;  ///< distinct, "body.point"
  std::vector<BodyPoint> places;    ///< (points)
  std::vector<LinkIndex> outer;     ///< links at the other end
  bool has_rod = false;
  bool is_fixed_otherwise = false;  ///< a driver or an input fixes more than the points

  void add_point(const std::string& name, const model::JointEnd& end) {
    if (std::ranges::find(points, name) != points.end()) return;
    points.push_back(name);
    places.push_back({end.body, end.X_BF.p_AB_A});
  }
  /// Balls to one and the same link alone make a hinge.
  bool is_hinge() const {
    return !has_rod && std::ranges::all_of(outer, [&](LinkIndex link) { return link == outer.front(); });
  }
};

std::vector<Holders> find_holders(const model::Mechanism& mechanism, const Topology& topology,
                                  const std::vector<int>& part, int num_parts) {
  std::vector<Holders> holders(static_cast<std::size_t>(num_parts));
  const auto part_of = [&](model::BodyIndex body) {
    return static_cast<std::size_t>(part[topology.link_of(body).slot()]);
  };
  for (const Edge& edge : topology.edges) {
    const model::Joint& joint = mechanism.joint(edge.joint);
    if (!model::holds_a_point(joint.type, 1)) continue;
    for (std::size_t end = 0; end < 2; ++end) {
      Holders& held = holders[part_of(joint.ends[end].body)];
      if (!model::holds_a_point(joint.type,
                                end)) {  // of the line or plane on which a point of the other slides
        held.is_fixed_otherwise = true;
        continue;
      }
      held.add_point(mechanism.body(joint.ends[end].body).name + "." + joint.ends[end].marker,
                     joint.ends[end]);
      held.outer.push_back(topology.link_of(joint.ends[1 - end].body));
      held.has_rod = held.has_rod || joint.type == JointType::kRod;
    }
  }
  const auto mark = [&](const model::Variable& variable) {
    if (const auto* body = std::get_if<model::BodyIndex>(&variable.element))
      holders[part_of(*body)].is_fixed_otherwise = true;
    if (const auto* point = std::get_if<model::PointRef>(&variable.element)) {
      Holders& held = holders[part_of(point->body)];
      const bool is_on_the_line = std::ranges::count(held.points, mechanism.name_of(*point)) > 0;
      held.is_fixed_otherwise = held.is_fixed_otherwise || !is_on_the_line;
    }
  };
  for (const model::Driver& driver : mechanism.drivers()) mark(driver.target);
  for (const model::Variable& input : mechanism.inputs()) mark(input);
  return holders;
}

/// Parts that spherical joints and rods hold at two points.
std::vector<IdlePart> find_parts_on_two_points(const model::Mechanism& mechanism, const Topology& topology) {
  int num_parts = 0;
  const std::vector<int> part = number_parts(mechanism, topology, num_parts);
  const std::vector<Holders> holders = find_holders(mechanism, topology, part, num_parts);
  std::vector<std::vector<LinkIndex>> links(static_cast<std::size_t>(num_parts));
  for (int link = 0; link < topology.num_links(); ++link)
    links[static_cast<std::size_t>(part[static_cast<std::size_t>(link)])].push_back(LinkIndex(link));

  std::vector<IdlePart> idle;
  for (std::size_t p = 1; p < holders.size(); ++p) {
    const Holders& held = holders[p];
    if (held.points.size() == 2 && !held.is_fixed_otherwise && !held.is_hinge())
      idle.push_back({.links = links[p],
                      .line = {held.places[0], held.places[1]},
                      .first = held.points[0],
                      .second = held.points[1]});
  }
  return idle;
}

/// Whether the spin of the part is the sum of coaxial ones: each of its links has one, and they share one axis.
bool is_sum_of(const std::vector<CoaxialSpin>& spins, const IdlePart& part) {
  const auto spin_of = [&](LinkIndex link) {
    return std::ranges::find_if(spins, [&](const CoaxialSpin& spin) {
      return std::ranges::find(spin.part.links, link) != spin.part.links.end();
    });
  };
  if (std::ranges::any_of(part.links, [&](LinkIndex link) { return spin_of(link) == spins.end(); }))
    return false;
  // From one spin along the axis to the others.
  std::vector<LinkIndex> reached = spin_of(part.links.front())->part.links;
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const LinkIndex next : spin_of(reached[i])->on_axis)
      if (spin_of(next) != spins.end())
        for (const LinkIndex link : spin_of(next)->part.links)
          if (std::ranges::find(reached, link) == reached.end()) reached.push_back(link);
  return std::ranges::all_of(
      part.links, [&](LinkIndex link) { return std::ranges::find(reached, link) != reached.end(); });
}

/// Puts a link first that stands for no other part, as far as there are enough.
void share_out_links(std::vector<IdlePart>& parts) {
  std::vector<LinkIndex> taken;
  for (IdlePart& part : parts) {
    const auto own = std::ranges::find_if(
        part.links, [&](LinkIndex link) { return std::ranges::find(taken, link) == taken.end(); });
    if (own != part.links.end()) std::rotate(part.links.begin(), own, own + 1);
    taken.push_back(part.links.front());
  }
}

}  // namespace

std::vector<IdlePart> find_idle_parts(const model::Mechanism& mechanism, const Topology& topology) {
  if (topology.is_planar) return {};
  const std::vector<CoaxialSpin> spins = find_coaxial_spins(mechanism, topology);
  std::vector<IdlePart> idle;
  for (const CoaxialSpin& spin : spins) {
    idle.push_back(spin.part);
    // A coordinate between two links that both spin can stand for one of them only.
    for (std::size_t i = 0; i + 1 < idle.size(); ++i)
      if (idle[i].variable == idle.back().variable) idle.back().variable.reset();
  }
  for (const IdlePart& part : find_parts_on_two_points(mechanism, topology))
    if (!is_sum_of(spins, part)) idle.push_back(part);
  share_out_links(idle);
  std::ranges::stable_sort(idle, {}, [](const IdlePart& part) { return part.links.front(); });
  return idle;
}

}  // namespace eslabon::structure
