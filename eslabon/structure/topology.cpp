#include "eslabon/structure/topology.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace eslabon::structure {

namespace {

/// Disjoint sets of bodies, merged by fixed joints. The smallest body represents its set.
class RigidSets {
 public:
  explicit RigidSets(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  std::size_t find(std::size_t body) {
    while (parent_[body] != body) {
      parent_[body] = parent_[parent_[body]];
      body = parent_[body];
    }
    return body;
  }

  /// Whether they were two sets before.
  bool merge(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
    return a != b;
  }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace

Topology find_topology(const model::Mechanism& mechanism) {
  Topology topology;
  topology.is_planar = mechanism.is_planar();
  topology.link_freedoms = mechanism.body_freedoms();

  RigidSets sets(mechanism.bodies().size());
  std::vector<bool> is_inside_a_link;  // fixed joints that make one link of two
  for (const model::Joint& joint : mechanism.joints())
    is_inside_a_link.push_back(joint.type == model::JointType::kFixed &&
                               sets.merge(joint.first().slot(), joint.second().slot()));

  std::vector<int> link_of_set(mechanism.bodies().size(), -1);
  for (std::size_t body = 0; body < mechanism.bodies().size(); ++body) {
    int& link = link_of_set[sets.find(body)];
    if (link < 0) {
      link = topology.num_links();
      topology.links.emplace_back();
    }
    topology.links[static_cast<std::size_t>(link)].push_back(model::BodyIndex(static_cast<int>(body)));
    topology.link_of_body.push_back(LinkIndex(link));
  }

  std::map<std::pair<LinkIndex, LinkIndex>, int> balls;
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j) {
    const model::Joint& joint = mechanism.joints()[j];
    if (is_inside_a_link[j]) continue;
    const LinkIndex first = topology.link_of(joint.first());
    const LinkIndex second = topology.link_of(joint.second());
    const int rows = model::constraint_rows(joint.type, topology.is_planar);
    const bool is_ball = model::is_ball(joint.type);
    const int useful = is_ball ? std::max(0, rows - balls[std::minmax(first, second)]++) : rows;
    topology.edges.push_back({model::JointIndex(static_cast<int>(j)), first, second, rows, useful,
                              model::freedoms(joint.type, topology.is_planar), is_ball});
  }
  return topology;
}

std::vector<LinkIndex> links_of_coupling(const model::Mechanism& mechanism, const Topology& topology,
                                         const model::Coupling& coupling) {
  std::vector<LinkIndex> links;
  for (const model::CouplingTerm& term : coupling.terms)
    for (const model::JointEnd& end : mechanism.joint(term.coordinate.joint).ends)
      if (const LinkIndex link = topology.link_of(end.body); std::ranges::find(links, link) == links.end())
        links.push_back(link);
  return links;
}

}  // namespace eslabon::structure
