#include <algorithm>

#include "eslabon/structure/structural_group.hpp"

namespace eslabon::structure {

namespace {

/// Strongly connected parts of the graph "owner of a row → other link of the row", each part after those it
/// needs. Source: [Tarjan1972], written without recursion so that long chains cannot overflow the stack.
class StrongParts {
 public:
  explicit StrongParts(const RowAssignment& assignment, std::size_t links)
      : assignment_(assignment), number_(links, 0), low_(links, 0), is_open_(links, false) {}

  void visit_all(std::vector<std::vector<LinkIndex>>& parts) {
    for (std::size_t link = 1; link < number_.size(); ++link)
      if (number_[link] == 0) visit(static_cast<int>(link), parts);
  }

 private:
  struct Frame {
    int link;
    std::size_t next_row;
    int seen;  ///< links of that row that were looked at
  };

  void open(int link) {
    number_[static_cast<std::size_t>(link)] = low_[static_cast<std::size_t>(link)] = ++counter_;
    is_open_[static_cast<std::size_t>(link)] = true;
    open_links_.push_back(link);
    calls_.push_back({link, 0, 0});
  }

  void visit(int start, std::vector<std::vector<LinkIndex>>& parts) {
    open(start);
    while (!calls_.empty()) {
      Frame& frame = calls_.back();
      const auto link = static_cast<std::size_t>(frame.link);
      const auto rows = assignment_.rows_of(LinkIndex(frame.link));
      if (frame.next_row < rows.size()) {
        const LinkIndex other =
            next_other(frame, assignment_.rows()[static_cast<std::size_t>(rows[frame.next_row])]);
        if (other == kFrame) continue;
        if (number_[other.slot()] == 0)
          open(other.value());
        else if (is_open_[other.slot()])
          low_[link] = std::min(low_[link], number_[other.slot()]);
        continue;
      }
      const int done = frame.link;
      calls_.pop_back();
      if (!calls_.empty()) {
        int& low = low_[static_cast<std::size_t>(calls_.back().link)];
        low = std::min(low, low_[link]);
      }
      if (low_[link] == number_[link]) close_part(done, parts);
    }
  }

  /// The next link of the row that the frame looks at; after the last one the frame goes on to its next row.
  LinkIndex next_other(Frame& frame, const RowAssignment::Row& row) const {
    LinkIndex other = row.other;
    int k = 0;
    assignment_.for_each_other(row, [&](LinkIndex link) {
      other = link;
      return k++ < frame.seen;
    });
    if (frame.seen++ < row.num_more) return other;
    ++frame.next_row;
    frame.seen = 0;
    return other;
  }

  void close_part(int root, std::vector<std::vector<LinkIndex>>& parts) {
    std::vector<LinkIndex> part;
    int link = 0;
    do {
      link = open_links_.back();
      open_links_.pop_back();
      is_open_[static_cast<std::size_t>(link)] = false;
      part.push_back(LinkIndex(link));
    } while (link != root);
    std::ranges::sort(part);
    parts.push_back(std::move(part));
  }

  const RowAssignment& assignment_;
  std::vector<int> number_;
  std::vector<int> low_;
  std::vector<bool> is_open_;
  std::vector<int> open_links_;
  std::vector<Frame> calls_;
  int counter_ = 0;
};

/// Whether nothing but two spherical joints holds the part to links outside it.
bool hangs_on_two_balls(const Topology& topology, const RowAssignment& assignment,
                        const LinkPartition& partition, const std::vector<LinkIndex>& part) {
  std::vector<int> balls;
  const int own = partition.part_of_link[part.front().slot()];
  for (const LinkIndex link : part)
    for (const int r : assignment.rows_of(link)) {
      const RowAssignment::Row& row = assignment.rows()[static_cast<std::size_t>(r)];
      bool is_within = true;
      assignment.for_each_other(
          row, [&](LinkIndex other) { return is_within = partition.part_of_link[other.slot()] == own; });
      if (is_within) continue;
      const RowSource source = RowSource::decode(row.source);
      if (source.kind != RowSource::Kind::kEdge) return false;
      if (!topology.edges[static_cast<std::size_t>(source.index)].is_ball) return false;
      if (std::ranges::find(balls, source.index) == balls.end()) balls.push_back(source.index);
    }
  return balls.size() == 2;
}

}  // namespace

// Seed001 eq. 2.1, eq. 2.3, eq. 2.4, eq. 3.47
LinkPartition partition_links(const Topology& topology, const RowAssignment& assignment) {
  LinkPartition partition;
  const std::size_t links = topology.links.size();
  std::vector<std::vector<LinkIndex>> parts;
  StrongParts(assignment, links).visit_all(parts);

  partition.part_of_link.assign(links, -1);
  std::vector<bool> is_undetermined(links, false);
  for (auto& part : parts) {
    for (const LinkIndex link : part)
      partition.part_of_link[link.slot()] = static_cast<int>(partition.parts.size());
    bool is_loose = hangs_on_two_balls(topology, assignment, partition, part);
    for (const LinkIndex link : part) {
      is_loose = is_loose || assignment.free_freedoms(link) > 0;
      for (const int r : assignment.rows_of(link))
        assignment.for_each_other(assignment.rows()[static_cast<std::size_t>(r)], [&](LinkIndex other) {
          is_loose = is_loose || is_undetermined[other.slot()];
          return !is_loose;
        });
    }
    if (is_loose)
      for (const LinkIndex link : part) {
        is_undetermined[link.slot()] = true;
        partition.undetermined.push_back(link);
      }
    partition.parts.push_back(std::move(part));
  }
  return partition;
}

double solving_cost(const LinkPartition& partition) {
  const auto cube = [](std::size_t n) {
    return static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  };
  std::vector<bool> is_undetermined(partition.part_of_link.size(), false);
  for (const LinkIndex link : partition.undetermined) is_undetermined[link.slot()] = true;
  double cost = cube(partition.undetermined.size());
  for (const auto& part : partition.parts)
    if (!is_undetermined[part.front().slot()]) cost += cube(part.size());
  return cost;
}

}  // namespace eslabon::structure
