#include "eslabon/structure/input_choice.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "eslabon/structure/structural_group.hpp"

namespace eslabon::structure {

namespace {

/// Links looked at in one choice before the search is cut short: about a second.
constexpr double kAffordableLinks = 2e6;

double combinations(std::size_t n, int d) {
  double count = 1.0;
  for (int i = 0; i < d; ++i) count *= static_cast<double>(n - static_cast<std::size_t>(i)) / (i + 1.0);
  return count;
}

/// The assignment with more inputs, or nothing when one of them is already fixed by the rows before it.
std::optional<RowAssignment> with_inputs(RowAssignment assignment, const std::vector<Input>& candidates,
                                         const std::vector<std::size_t>& chosen, int first_number) {
  int number = first_number;
  for (const std::size_t c : chosen) {
    const RowSource source{RowSource::Kind::kInput, number++};
    if (assignment.add_rows(source.encoded(), candidates[c].first, candidates[c].second, 1) == 0) return std::nullopt;
  }
  return assignment;
}

/// The next combination of d out of n in lexicographic order; false after the last.
bool advance(std::vector<std::size_t>& chosen, std::size_t n) {
  for (std::size_t i = chosen.size(); i-- > 0;) {
    if (chosen[i] + (chosen.size() - i) >= n) continue;
    ++chosen[i];
    for (std::size_t j = i + 1; j < chosen.size(); ++j) chosen[j] = chosen[j - 1] + 1;
    return true;
  }
  return false;
}

std::vector<std::size_t> best_combination(const Topology& topology, const std::vector<Input>& candidates, int missing,
                                          int first_number, const RowAssignment& assignment) {
  std::vector<std::size_t> chosen(static_cast<std::size_t>(missing));
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = i;
  std::vector<std::size_t> best;
  double least = std::numeric_limits<double>::infinity();
  do {
    const auto trial = with_inputs(assignment, candidates, chosen, first_number);
    if (!trial) continue;
    const double cost = solving_cost(partition_links(topology, *trial));
    if (cost < least) {
      least = cost;
      best = chosen;
    }
  } while (advance(chosen, candidates.size()));
  return best;
}

std::vector<std::size_t> one_after_the_other(const Topology& topology, const std::vector<Input>& candidates,
                                             int missing, int first_number, const RowAssignment& assignment) {
  const double per_trial = static_cast<double>(topology.links.size()) * missing;
  const auto affordable = static_cast<std::size_t>(std::max(1.0, kAffordableLinks / per_trial));
  std::vector<std::size_t> chosen;
  RowAssignment base = assignment;
  for (int i = 0; i < missing; ++i) {
    std::optional<std::size_t> best;
    double least = std::numeric_limits<double>::infinity();
    std::size_t tried = 0;
    for (std::size_t c = 0; c < candidates.size() && tried < affordable; ++c) {
      const auto trial = with_inputs(base, candidates, {c}, first_number + i);
      if (!trial) continue;
      ++tried;
      const double cost = solving_cost(partition_links(topology, *trial));
      if (cost < least) {
        least = cost;
        best = c;
      }
    }
    if (!best) break;
    chosen.push_back(*best);
    base = *with_inputs(std::move(base), candidates, {*best}, first_number + i);
  }
  return chosen;
}

}  // namespace

std::vector<Input> pick_inputs(const Topology& topology, const std::vector<Input>& candidates, int first_number,
                               RowAssignment& assignment) {
  const int missing = assignment.total_free_freedoms();
  if (missing == 0) return {};
  const double links = static_cast<double>(topology.links.size());
  const bool try_all = static_cast<std::size_t>(missing) <= candidates.size() &&
                       combinations(candidates.size(), missing) * links <= kAffordableLinks;
  const std::vector<std::size_t> chosen =
      try_all ? best_combination(topology, candidates, missing, first_number, assignment)
              : one_after_the_other(topology, candidates, missing, first_number, assignment);
  assignment = *with_inputs(std::move(assignment), candidates, chosen, first_number);
  std::vector<Input> picked;
  for (const std::size_t c : chosen) picked.push_back(candidates[c]);
  return picked;
}

}  // namespace eslabon::structure
