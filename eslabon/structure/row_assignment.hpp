#pragma once

#include <span>
#include <vector>

#include "eslabon/structure/topology.hpp"

namespace eslabon::structure {

/// Gives every constraint row to one of the links that it holds, two for a joint: "the pair goes with the link that is
/// separated" [Seed001, §2.1.3], for any mechanism. It is the matching of rows and coordinates that the
/// structural groups are read from; and because it never lets links be held more than rigidly, it also counts
/// which rows are redundant.
///
/// Each link has k = 3 (planar) or 6 degrees of freedom, and a row takes one degree of freedom of the link that it is given to. A
/// set of n links, the frame among them or not, can absorb at most
///   k n − k                                                                                    (1)
/// rows between its own members: more cannot be independent, whatever the geometry. add_rows accepts a row
/// exactly if (1) still holds for every set, which it finds out by moving degrees of freedom along the rows given
/// before: the row is independent if and only if k + 1 degrees of freedom can be gathered on its links. A coupling of joints has one row
/// between all their links, which does not change either when these move as one body, so (1) counts it too.
///
/// Source: the pebble game of [LeeStreinu2008] for (k, k)-sparse graphs, and of [StreinuTheran2009] for rows between more than two
/// links, degrees of freedom for pebbles; condition (1) is
/// that of [Tay1984] for bodies with bars. It differs in that the frame is a link like the others while rows
/// are added, and gets its degrees of freedom back at the end, so that it owns no row.
/// Cost of a row: a breadth-first search over the links between it and the nearest free degrees of freedom, which stay near
/// the last rows added.
class RowAssignment {
 public:
  /// A row and its owner. `source` is whatever number the caller gave.
  struct Row {
    int source;
    LinkIndex owner;
    LinkIndex other;   ///< the first of the others
    int num_more = 0;  ///< others beyond the first
    int more = 0;      ///< where they begin in a list of their own
  };

  RowAssignment(int num_links, int link_freedoms);

  /// Adds up to `count` rows between two links; returns how many are independent of those before. The others
  /// are not kept. Rows within one link are never independent.
  int add_rows(int source, LinkIndex a, LinkIndex b, int count);

  /// Adds one row between any number of different links, of which at least two; whether it is independent of those before.
  bool add_row(int source, std::span<const LinkIndex> links);

  /// Gives the frame its degrees of freedom back. What follows is meant for a settled assignment.
  void settle();

  const std::vector<Row>& rows() const { return rows_; }
  /// Calls `see` for each link of the row but its owner, until it returns false.
  template <class See>
  void for_each_other(const Row& row, See see) const {
    if (!see(row.other)) return;
    for (int k = 0; k < row.num_more; ++k)
      if (!see(more_[static_cast<std::size_t>(row.more + k)])) return;
  }
  /// Rows that the link owns, as positions in rows().
  std::span<const int> rows_of(LinkIndex link) const {
    return {&owned_[link.slot() * static_cast<std::size_t>(k_)],
            static_cast<std::size_t>(k_ - free_[link.slot()])};
  }
  /// Degrees of freedom of the link that no row has taken.
  int free_freedoms(LinkIndex link) const { return free_[link.slot()]; }
  /// Degrees of freedom of the whole that no row has taken; those of the frame do not count.
  int total_free_freedoms() const { return total_free_; }

 private:
  void give(int row, LinkIndex owner);
  void take(int row, LinkIndex owner);
  bool gather(std::span<const LinkIndex> links, int wanted);
  bool bring_one(LinkIndex to, std::span<const LinkIndex> barred);
  void pass_on(LinkIndex from, LinkIndex to);

  int k_;
  int total_free_;             ///< without the frame's
  std::vector<int> free_;      ///< (links)
  std::vector<bool> is_held_;  ///< (links) whether any row touches the link
  std::vector<Row> rows_;
  std::vector<LinkIndex> more_;  ///< of rows with more than two links
  std::vector<int> owned_;  ///< (links × k) positions in rows_; of each link the first k − free_ are in use
  // Workspace of bring_one; no meaning between calls.
  std::vector<int> visited_;  ///< (links) number of the last search that saw the link
  std::vector<int> via_row_;  ///< (links) the row that led there
  std::vector<int> queue_;
  int search_ = 0;
};

}  // namespace eslabon::structure
