#include "eslabon/structure/input_choice.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "eslabon/structure/structural_group.hpp"

namespace eslabon::structure {

namespace {

/// Links looked at in one choice before the search is cut short: some tenths of a second.
constexpr double kAffordableLinks = 2e5;

/// Number of ways to choose d out of n.
double combinations(std::size_t n, std::size_t d) {
  double count = 1.0;
  for (std::size_t i = 0; i < std::min(d, n - d); ++i)
    count *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  return count;
}

/// Adds the row of one candidate; false when the rows before fix it already.
bool add_input(const Input& candidate, int number, RowAssignment& assignment) {
  const RowSource source{RowSource::Kind::kInput, number};
  return assignment.add_rows(source.encoded(), candidate.first, candidate.second, 1) == 1;
}

/// The assignment with more inputs, or nothing when one of them is already fixed by the rows before it.
std::optional<RowAssignment> with_inputs(RowAssignment assignment, const std::vector<Input>& candidates,
                                         const std::vector<std::size_t>& chosen, int first_number) {
  int number = first_number;
  for (const std::size_t c : chosen)
    if (!add_input(candidates[c], number++, assignment)) return std::nullopt;
  assignment.settle();
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

/// Of complete choices: those that leave a part free to spin between two balls only where there is no other.
double cost_of_choice(const LinkPartition& partition) {
  constexpr double kLast = 1e18;
  return solving_cost(partition) + (partition.undetermined.empty() ? 0.0 : kLast);
}

std::vector<std::size_t> best_combination(const Topology& topology, const std::vector<Input>& candidates,
                                          int missing, int first_number, const RowAssignment& assignment) {
  std::vector<std::size_t> chosen(static_cast<std::size_t>(missing));
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = i;
  std::vector<std::size_t> best;
  double least = std::numeric_limits<double>::infinity();
  do {
    const auto trial = with_inputs(assignment, candidates, chosen, first_number);
    if (!trial) continue;
    const double cost = cost_of_choice(partition_links(topology, *trial));
    if (cost < least) {
      least = cost;
      best = chosen;
    }
  } while (advance(chosen, candidates.size()));
  return best;
}

/// The candidates in their own order, as far as they are independent.
std::vector<std::size_t> first_that_fit(const std::vector<Input>& candidates, int missing, int first_number,
                                        RowAssignment base) {
  std::vector<std::size_t> chosen;
  for (std::size_t c = 0; c < candidates.size() && static_cast<int>(chosen.size()) < missing; ++c)
    if (add_input(candidates[c], first_number + static_cast<int>(chosen.size()), base)) chosen.push_back(c);
  return chosen;
}

/// Each time the candidate, among the first `affordable`, that leaves the smallest groups.
std::vector<std::size_t> one_after_the_other(const Topology& topology, const std::vector<Input>& candidates,
                                             int missing, int first_number, RowAssignment base,
                                             std::size_t affordable) {
  std::vector<std::size_t> open(candidates.size());  // that may still be independent
  std::iota(open.begin(), open.end(), std::size_t{0});
  std::vector<std::size_t> chosen;
  for (int number = first_number; number < first_number + missing; ++number) {
    std::optional<std::size_t> best;
    double least = std::numeric_limits<double>::infinity();
    std::size_t tried = 0;
    // What the rows so far fix stays fixed: such a candidate is never looked at again.
    std::erase_if(open, [&](std::size_t c) {
      if (tried >= affordable) return false;
      const auto trial = with_inputs(base, candidates, {c}, number);
      if (!trial) return true;
      ++tried;
      const double cost = solving_cost(partition_links(topology, *trial));
      if (cost < least) {
        least = cost;
        best = c;
      }
      return false;
    });
    if (!best) break;
    chosen.push_back(*best);
    std::erase(open, *best);
    (void)add_input(candidates[*best], number, base);
  }
  return chosen;
}

/// A choice that leaves nothing free: with one input exchanged, if it must be, that which leaves the smallest groups; the same where none does.
std::vector<std::size_t> mended(const Topology& topology, const std::vector<Input>& candidates,
                                int first_number, const RowAssignment& base,
                                std::vector<std::size_t> chosen) {
  const auto cost_with = [&](const std::vector<std::size_t>& list) {
    const auto trial = with_inputs(base, candidates, list, first_number);
    return trial ? cost_of_choice(partition_links(topology, *trial))
                 : std::numeric_limits<double>::infinity();
  };
  const auto whole = with_inputs(base, candidates, chosen, first_number);
  if (!whole || partition_links(topology, *whole).undetermined.empty()) return chosen;
  std::vector<std::size_t> best = chosen;
  double least = cost_with(chosen);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      if (std::ranges::find(chosen, c) != chosen.end()) continue;
      std::vector<std::size_t> other = chosen;
      other[i] = c;
      if (const double cost = cost_with(other); cost < least) {
        least = cost;
        best = std::move(other);
      }
    }
  return best;
}

std::vector<std::size_t> choose(const Topology& topology, const std::vector<Input>& candidates, int missing,
                                int first_number, const RowAssignment& assignment) {
  const auto links = static_cast<double>(topology.links.size());
  const bool try_all =
      static_cast<std::size_t>(missing) <= candidates.size() &&
      combinations(candidates.size(), static_cast<std::size_t>(missing)) * links <= kAffordableLinks;
  if (try_all) return best_combination(topology, candidates, missing, first_number, assignment);
  const auto affordable = static_cast<std::size_t>(kAffordableLinks / (links * missing));
  if (affordable < 2) return first_that_fit(candidates, missing, first_number, assignment);
  return mended(topology, candidates, first_number, assignment,
                one_after_the_other(topology, candidates, missing, first_number, assignment, affordable));
}

}  // namespace

std::vector<Input> pick_inputs(const Topology& topology, const std::vector<Input>& candidates,
                               int first_number, RowAssignment& assignment) {
  const int missing = assignment.total_free_freedoms();
  const auto chosen = choose(topology, candidates, missing, first_number, assignment);
  assignment = *with_inputs(std::move(assignment), candidates, chosen, first_number);
  std::vector<Input> picked;
  for (const std::size_t c : chosen) picked.push_back(candidates[c]);
  return picked;
}

}  // namespace eslabon::structure
