#include "eslabon/structure/row_assignment.hpp"

#include <algorithm>
#include <array>
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
    if (is_new ? accepted == k_ : !gather(std::array{b, a}, k_ + 1)) break;
    const LinkIndex owner = free_[b.slot()] > 0 ? b : a;
    const LinkIndex other = owner == b ? a : b;
    give(static_cast<int>(rows_.size()), owner);
    rows_.push_back({source, owner, other});
  }
  is_held_[a.slot()] = is_held_[b.slot()] = true;
  total_free_ -= accepted;
  return accepted;
}

bool RowAssignment::add_row(int source, std::span<const LinkIndex> links) {
  for (const LinkIndex link : links) is_held_[link.slot()] = true;
  if (!gather(links, k_ + 1)) return false;
  // Later links first, as add_rows gives rows to the link that is new.
  const auto owner = std::ranges::find_if(links.rbegin(), links.rend(),
                                          [&](LinkIndex link) { return free_[link.slot()] > 0; });
  Row row{source, *owner, *owner, 0, static_cast<int>(more_.size())};
  for (const LinkIndex link : links) {
    if (link == *owner) continue;
    if (row.other == row.owner)
      row.other = link;
    else
      more_.push_back(link);
  }
  row.num_more = static_cast<int>(more_.size()) - row.more;
  give(static_cast<int>(rows_.size()), *owner);
  rows_.push_back(row);
  --total_free_;
  return true;
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

bool RowAssignment::gather(std::span<const LinkIndex> links, int wanted) {
  const auto gathered = [&] {
    int free = 0;
    for (const LinkIndex link : links) free += free_[link.slot()];
    return free;
  };
  while (gathered() < wanted)
    if (std::ranges::none_of(links,
                             [&](LinkIndex to) { return free_[to.slot()] < k_ && bring_one(to, links); }))
      return false;
  return true;
}

/// Every row on the way from `from` to `to`, which via_row_ tells, changes its owner: this frees one freedom of `to`.
void RowAssignment::pass_on(LinkIndex from, LinkIndex to) {
  for (LinkIndex giver = from; giver != to;) {
    const int r = via_row_[giver.slot()];
    Row& row = rows_[static_cast<std::size_t>(r)];
    const LinkIndex taker = row.owner;
    give(r, giver);
    take(r, taker);
    row.owner = giver;
    if (row.other == giver)
      row.other = taker;
    else
      *std::find(more_.begin() + row.more, more_.end(), giver) = taker;
    giver = taker;
  }
}

// Breadth first along owned rows to the nearest link with a free freedom, which is passed on to `to`. Freedoms of `barred` are not
// touched.
bool RowAssignment::bring_one(LinkIndex to, std::span<const LinkIndex> barred) {
  ++search_;
  visited_[to.slot()] = search_;
  for (const LinkIndex link : barred) visited_[link.slot()] = search_;
  queue_.assign(1, to.value());
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    for (const int r : rows_of(LinkIndex(queue_[head]))) {
      bool is_found = false;
      for_each_other(rows_[static_cast<std::size_t>(r)], [&](LinkIndex next) {
        if (visited_[next.slot()] == search_) return true;
        visited_[next.slot()] = search_;
        via_row_[next.slot()] = r;
        if (free_[next.slot()] == 0) {
          queue_.push_back(next.value());
          return true;
        }
        is_found = true;
        pass_on(next, to);
        return false;
      });
      if (is_found) return true;
    }
  }
  return false;
}

// Always gets all of them: by (1) the links that the frame's rows lead to, the frame among them, have k to
// spare.
void RowAssignment::settle() {
  while (free_[0] < k_ && bring_one(kFrame, {})) {
  }
}

}  // namespace eslabon::structure
