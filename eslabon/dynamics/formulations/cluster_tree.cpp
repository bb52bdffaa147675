#include "eslabon/dynamics/formulations/cluster_tree.hpp"

#include <algorithm>
#include <numeric>

#include "eslabon/core/index.hpp"

namespace eslabon::dynamics {

namespace {

using core::index;

/// Links, and mixed coordinates behind them, in sets that grow together.
class LinkSets {
 public:
  LinkSets(const coordinates::KinematicTree& tree, int num_mixed)
      : tree_(tree), depth_(index(tree.num_links()), 0), first_(index(tree.num_links() + num_mixed)) {
    std::iota(first_.begin(), first_.end(), 0);
    for (const int l : tree.order())
      if (l != 0) depth_[index(l)] = depth_[index(tree.link(l).parent)] + 1;
  }

  int set_of(int node) {
    while (first_[index(node)] != node) node = first_[index(node)] = first_[index(first_[index(node)])];
    return node;
  }
  void unite(int a, int b) { first_[index(set_of(a))] = set_of(b); }
  /// The links on the way between two, without the one that carries both.
  void unite_between(int a, int b) {
    int one = -1;
    while (a != b) {
      int& deeper = depth_[index(a)] > depth_[index(b)] ? a : b;
      if (one >= 0) unite(one, deeper);
      one = deeper;
      deeper = tree_.link(deeper).parent;
    }
  }
  /// (1), last line: where a set hangs on several links, the deepest of them joins it.
  void give_bases() {
    for (bool is_done = false; !is_done;) {
      is_done = true;
      std::vector<int> base(first_.size(), -1);
      for (const int l : tree_.order()) {
        if (l == 0) continue;
        const int set = set_of(l), parent = tree_.link(l).parent;
        if (parent != 0 && set_of(parent) == set) continue;
        int& known = base[index(set)];
        if (known >= 0 && known != parent) {
          unite(l, depth_[index(parent)] > depth_[index(known)] ? parent : known);
          is_done = false;
          break;
        }
        known = parent;
      }
    }
  }
  int depth(int link) const { return depth_[index(link)]; }

 private:
  const coordinates::KinematicTree& tree_;
  std::vector<int> depth_, first_;
};

}  // namespace

std::vector<Cluster> find_clusters(const coordinates::KinematicTree& tree,
                                   const coordinates::ConstraintSystem& system,
                                   const std::vector<coordinates::Row>& described,
                                   const std::vector<int>& rows,
                                   const std::vector<std::pair<int, int>>& ends) {
  const int n = system.num_coordinates(), num_tree = tree.num_coordinates(), num_links = tree.num_links();
  std::vector<int> node(index(n));
  for (int l = 1; l < num_links; ++l) {
    const auto& path = tree.link(l).path;
    for (std::size_t k = tree.link(tree.link(l).parent).path.size(); k < path.size(); ++k)
      node[index(path[k])] = l;
  }
  for (int c = num_tree; c < n; ++c) node[index(c)] = num_links + c - num_tree;

  LinkSets sets(tree, n - num_tree);
  std::vector<int> node_of_row(index(system.num_rows()), -1);
  std::vector<char> counts(index(system.num_rows()), 0);
  for (const int r : rows) counts[index(r)] = described[index(r)].form != coordinates::RowForm::kUnit;
  for (int c = 0; c < n; ++c)
    for (int e = system.pattern().column_start[index(c)]; e < system.pattern().column_start[index(c) + 1];
         ++e) {
      const int row = system.pattern().row_of_entry[index(e)];
      if (counts[index(row)] == 0) continue;
      int& known = node_of_row[index(row)];
      if (known >= 0) sets.unite(known, node[index(c)]);
      known = node[index(c)];
    }
  for (const auto& [a, b] : ends)
    if (a != 0 && b != 0) sets.unite_between(a, b);
  sets.give_bases();

  std::vector<Cluster> clusters;
  std::vector<int> cluster_of_set(index(num_links + n - num_tree), -1);
  const auto cluster_of = [&](int of_node) -> Cluster& {
    int& number = cluster_of_set[index(sets.set_of(of_node))];
    if (number < 0) {
      number = static_cast<int>(clusters.size());
      clusters.emplace_back();
    }
    return clusters[index(number)];
  };
  for (const int l : tree.order()) {
    if (l == 0) continue;
    Cluster& cluster = cluster_of(l);
    if (cluster.links.empty()) cluster.base = tree.link(l).parent;
    cluster.links.push_back(l);
  }
  for (int c = 0; c < n; ++c) cluster_of(node[index(c)]).columns.push_back(c);
  for (const int r : rows)
    if (node_of_row[index(r)] >= 0) cluster_of(node_of_row[index(r)]).rows.push_back(r);

  std::ranges::stable_sort(clusters, {}, [&](const Cluster& cluster) { return sets.depth(cluster.base); });
  std::vector<int> cluster_of_link(index(num_links), -1);
  for (std::size_t c = 0; c < clusters.size(); ++c)
    for (const int l : clusters[c].links) cluster_of_link[index(l)] = static_cast<int>(c);
  for (Cluster& cluster : clusters) cluster.parent = cluster_of_link[index(cluster.base)];
  return clusters;
}

}  // namespace eslabon::dynamics
