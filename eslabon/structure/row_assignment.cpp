#include "eslabon/structure/row_assignment.hpp"

#include <algorithm>
#include <utility>

namespace eslabon::structure {

RowAssignment::RowAssignment(int num_links, int link_freedoms)
    : k_(link_freedoms),
      total_free_((num_links - 1) * link_freedoms),
      free_(static_cast<std::size_t>(num_links), link_freedoms),
      is_held_(static_cast<std::size_t>(num_links), false),
      owned_(static_cast<std::size_t>(num_links * link_freedoms), -1),
      visited_(static_cast<std::size_t>(num_links), 0),
      via_row_(static_cast<std::size_t>(num_links), -1) {
  is_held_[0] = true;
}

int RowAssignment::add_rows(int source, LinkIndex a, LinkIndex b, int count) {
  if (a == b) return 0;
  if (!is_held_[a.slot()] || (b == kFrame)) std::swap(a, b);  // b: not the frame, and new if either is
  const bool is_new = !is_held_[b.slot()];
  int accepted = 0;
  for (; accepted < count; ++accepted) {
    // A link that nothing else holds absorbs k rows of one joint: no search needed.
    if (is_new ? accepted == k_ : !gather(a, b, k_ + 1)) break;
    const LinkIndex owner = free_[b.slot()] > 0 ? b : a;
    const LinkIndex other = owner == b ? a : b;
    give(static_cast<int>(rows_.size()), owner);
    rows_.push_back({source, owner, other});
  }
  is_held_[a.slot()] = is_held_[b.slot()] = true;
  total_free_ -= accepted;
  return accepted;
}

/// Uses a free freedom of the link for the row.
void RowAssignment::give(int row, LinkIndex owner) {
  int& free = free_[owner.slot()];
  owned_[owner.slot() * static_cast<std::size_t>(k_) + static_cast<std::size_t>(k_ - free)] = row;
  --free;
}

/// Frees the freedom that the link uses for the row.
void RowAssignment::take(int row, LinkIndex owner) {
  const auto rows = std::span(&owned_[owner.slot() * static_cast<std::size_t>(k_)],
                              static_cast<std::size_t>(k_ - free_[owner.slot()]));
  std::swap(*std::ranges::find(rows, row), rows.back());
  ++free_[owner.slot()];
}

bool RowAssignment::gather(LinkIndex a, LinkIndex b, int wanted) {
  while (free_[a.slot()] + free_[b.slot()] < wanted) {
    const bool found = (free_[b.slot()] < k_ && bring_one(b, a)) || (free_[a.slot()] < k_ && bring_one(a, b));
    if (!found) return false;
  }
  return true;
}

// Breadth first along owned rows to the nearest link with a free freedom; then every row on the way changes
// its owner, which frees one freedom of `to`. Freedoms of `barred` are not touched.
bool RowAssignment::bring_one(LinkIndex to, LinkIndex barred) {
  ++search_;
  visited_[to.slot()] = search_;
  visited_[barred.slot()] = search_;
  queue_.assign(1, to.value());
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    for (const int r : rows_of(LinkIndex(queue_[head]))) {
      const LinkIndex next = rows_[static_cast<std::size_t>(r)].other;
      if (visited_[next.slot()] == search_) continue;
      visited_[next.slot()] = search_;
      via_row_[next.slot()] = r;
      if (free_[next.slot()] == 0) {
        queue_.push_back(next.value());
        continue;
      }
      for (LinkIndex giver = next; giver != to;) {
        const int r_back = via_row_[giver.slot()];
        Row& row = rows_[static_cast<std::size_t>(r_back)];
        const LinkIndex taker = row.owner;
        give(r_back, giver);
        take(r_back, taker);
        std::swap(row.owner, row.other);
        giver = taker;
      }
      return true;
    }
  }
  return false;
}

// Always gets all of them: by (1) the links that the frame's rows lead to, the frame among them, have k to
// spare.
void RowAssignment::settle() {
  while (free_[0] < k_ && bring_one(kFrame, kFrame)) {
  }
}

}  // namespace eslabon::structure
