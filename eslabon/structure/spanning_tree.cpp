#include "eslabon/structure/spanning_tree.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace eslabon::structure {

namespace {

using model::JointIndex;

/// Edges at each link, in the order of the file, one list behind the other.
class EdgesAtLinks {
 public:
  explicit EdgesAtLinks(const Topology& topology) : first_(topology.links.size() + 1, 0) {
    const auto for_each_end = [&](auto action) {
      for (std::size_t e = 0; e < topology.edges.size(); ++e) {
        const Edge& edge = topology.edges[e];
        action(edge.first.slot(), static_cast<int>(e));
        if (edge.second != edge.first) action(edge.second.slot(), static_cast<int>(e));
      }
    };
    for_each_end([&](std::size_t link, int) { ++first_[link + 1]; });
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    edges_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for_each_end([&](std::size_t link, int e) { edges_[next[link]++] = e; });
  }

  std::span<const int> operator[](LinkIndex link) const {
    return std::span(edges_).subspan(first_[link.slot()], first_[link.slot() + 1] - first_[link.slot()]);
  }

 private:
  std::vector<std::size_t> first_;  ///< (links + 1) where the list of each link starts
  std::vector<int> edges_;
};

/// How gladly a joint carries the tree: a ball where no chain of others leads to the link, since it costs the tree four coordinates and a
/// row, and three rows where it is cut; rods and their like where nothing else leads there.
enum class Way { kJoint, kBall, kLastResort };

Way way_of(model::JointType type) {
  if (model::is_last_resort(type)) return Way::kLastResort;
  return model::is_ball(type) ? Way::kBall : Way::kJoint;
}

/// Grows the tree breadth first over joints; balls, and then rods, carry it only to links that nothing else reaches.
class TreeGrower {
 public:
  TreeGrower(const model::Mechanism& mechanism, const Topology& topology)
      : mechanism_(mechanism), topology_(topology), edges_at_(topology) {
    const std::size_t links = topology.links.size();
    tree_.joint_to_parent.resize(links);
    tree_.parent.assign(links, kFrame);
    tree_.depth.assign(links, -1);
    tree_.depth[0] = 0;
    tree_.order.push_back(kFrame);
    is_tree_edge_.assign(topology.edges.size(), false);
  }

  void grow() {
    std::size_t next = 0, next_by_ball = 0, next_by_rod = 0;
    while (true) {
      for (; next < tree_.order.size(); ++next) reach_from(tree_.order[next], Way::kJoint);
      // One link by ball, by rod or by rolling disc, then joints again: these are no level of their own.
      if (!reach_one(next_by_ball, Way::kBall) && !reach_one(next_by_rod, Way::kLastResort)) break;
    }
  }

  SpanningTree finish() {
    for (std::size_t e = 0; e < topology_.edges.size(); ++e)
      if (!is_tree_edge_[e] && topology_.edges[e].rows > 0)  // what holds nothing closes no loop
        tree_.loops.push_back(loop_through(topology_.edges[e]));
    return std::move(tree_);
  }

 private:
  /// Goes on to the first link that this way leads from to a new one, and takes one.
  bool reach_one(std::size_t& next, Way way) {
    while (next < tree_.order.size() && !reach_from(tree_.order[next], way)) ++next;
    return next < tree_.order.size();
  }

  /// Returns whether a new link was reached; but over joints it stops at the first.
  bool reach_from(LinkIndex from, Way way) {
    bool reached = false;
    for (const int e : edges_at_[from]) {
      const Edge& edge = topology_.edges[static_cast<std::size_t>(e)];
      if (way_of(mechanism_.joint(edge.joint).type) != way) continue;
      const LinkIndex to = edge.first == from ? edge.second : edge.first;
      if (tree_.depth[to.slot()] >= 0) continue;
      tree_.depth[to.slot()] = tree_.depth[from.slot()] + 1;
      tree_.parent[to.slot()] = from;
      tree_.joint_to_parent[to.slot()] = edge.joint;
      tree_.order.push_back(to);
      is_tree_edge_[static_cast<std::size_t>(e)] = true;
      reached = true;
      if (way != Way::kJoint) break;
    }
    return reached;
  }

  /// From the second link of the closing joint up to the common ancestor and down to its first link.
  Loop loop_through(const Edge& closing) const {
    Loop loop{closing.joint, {closing.joint}, {closing.first}};
    std::vector<JointIndex> down;
    std::vector<LinkIndex> down_links;
    LinkIndex up = closing.second;
    LinkIndex other = closing.first;
    while (up != other) {
      if (tree_.depth[up.slot()] >= tree_.depth[other.slot()]) {
        loop.links.push_back(up);
        loop.joints.push_back(*tree_.joint_to_parent[up.slot()]);
        up = tree_.parent[up.slot()];
      } else {
        down.push_back(*tree_.joint_to_parent[other.slot()]);
        other = tree_.parent[other.slot()];
        down_links.push_back(other);
      }
    }
    // `up` is the common ancestor now; it is in down_links unless the first link is the ancestor itself.
    loop.links.insert(loop.links.end(), down_links.rbegin(), down_links.rend());
    loop.joints.insert(loop.joints.end(), down.rbegin(), down.rend());
    return loop;
  }

  const model::Mechanism& mechanism_;
  const Topology& topology_;
  EdgesAtLinks edges_at_;
  std::vector<bool> is_tree_edge_;
  SpanningTree tree_;
};

}  // namespace

SpanningTree find_spanning_tree(const model::Mechanism& mechanism, const Topology& topology) {
  TreeGrower grower(mechanism, topology);
  grower.grow();
  return grower.finish();
}

}  // namespace eslabon::structure
