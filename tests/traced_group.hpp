#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "eslabon/core/scalar/trace.hpp"
#include "eslabon/kinematics/groups/group_solver.hpp"

/// What a group's solver writes down, carried out with constants.
namespace eslabon::test {

template <class T, class Link>
std::array<T, 3 * Link::kNumbers> numbers_of(const Link& link) {
  std::array<T, 3 * Link::kNumbers> list;
  link.write_position(list.data());
  link.write_velocity(list.data() + Link::kNumbers);
  link.write_acceleration(list.data() + 2 * Link::kNumbers);
  return list;
}

/// Maximum difference of the numbers of links, beside the maximum number.
template <class Link>
double difference(const std::vector<typename Link::template Of<core::Traced>>& links,
                  const std::vector<Link>& solved) {
  double size = 1.0, worst = 0.0;
  for (std::size_t l = 0; l < solved.size(); ++l) {
    const auto should = numbers_of<double>(solved[l]);
    const auto is = numbers_of<core::Traced>(links[l]);
    for (std::size_t i = 0; i < is.size(); ++i) {
      if (!is[i].is_constant()) return std::numeric_limits<double>::infinity();
      const double off = std::abs(is[i].constant() - should[i]);
      size = std::max(size, std::abs(should[i]));
      worst = off <= worst ? worst : off;
    }
  }
  return worst / size;
}

/// Between `solved` and what is written down for the same links before, positions with their rates and rates alone.
template <class Link>
double difference_when_written(const kinematics::GroupSolver<Link>& solver,
                               std::span<const coordinates::CoordinateValue> inputs,
                               kinematics::GroupBranch branch, const std::vector<Link>& before,
                               const std::vector<Link>& solved) {
  using core::Traced;
  using TracedLink = typename Link::template Of<Traced>;
  core::Trace trace;
  const core::Trace::Listening listening(trace);
  std::vector<coordinates::CoordinateValueOf<Traced>> traced_inputs;
  for (const coordinates::CoordinateValue& input : inputs)
    traced_inputs.push_back({input.position, input.velocity, input.acceleration});
  std::vector<Traced> signs;
  for (std::size_t k = 0; k < solver.num_signs(); ++k) signs.push_back(kinematics::signs_of(branch)[k]);
  std::vector<TracedLink> links(before.size());
  for (std::size_t l = 0; l < before.size(); ++l) {
    std::array<Traced, 3 * Link::kNumbers> constants;
    std::ranges::copy(numbers_of<double>(before[l]), constants.begin());
    links[l].read(constants.data(), constants.data() + Link::kNumbers, constants.data() + 2 * Link::kNumbers);
  }
  solver.write(traced_inputs, signs, links);
  std::vector<Traced> found(signs.size());
  solver.write_signs(links, found);
  if (found != signs) return std::numeric_limits<double>::infinity();
  std::vector<TracedLink> there = links;
  solver.write_rates(traced_inputs, there);
  return std::max(difference(links, solved), difference(there, solved));
}

}  // namespace eslabon::test
