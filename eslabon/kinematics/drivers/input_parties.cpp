#include "eslabon/kinematics/drivers/input_parties.hpp"

#include <algorithm>
#include <iterator>

namespace eslabon::kinematics {

namespace {

using Inputs = std::vector<std::size_t>;  // ascending

bool has(const Inputs& inputs, std::size_t k) { return std::ranges::binary_search(inputs, k); }

/// (groups) the group's own inputs and those of the groups that it needs.
std::vector<Inputs> movers_of_groups(const structure::Structure& structure, std::size_t first) {
  std::vector<Inputs> movers;
  for (const structure::StructuralGroup& group : structure.groups) {
    Inputs own;
    for (const int input : group.inputs)
      if (static_cast<std::size_t>(input) >= first) own.push_back(static_cast<std::size_t>(input) - first);
    std::ranges::sort(own);
    for (const int before : group.depends_on) {
      Inputs both;
      std::ranges::set_union(own, movers[static_cast<std::size_t>(before)], std::back_inserter(both));
      own = std::move(both);
    }
    movers.push_back(std::move(own));
  }
  return movers;
}

}  // namespace

InputParties find_input_parties(const structure::Structure& structure, std::size_t first) {
  const std::vector<Inputs> of_group = movers_of_groups(structure, first);
  InputParties result;
  result.movers.resize(structure.topology.links.size());
  for (std::size_t l = 1; l < result.movers.size(); ++l)
    result.movers[l] = of_group[static_cast<std::size_t>(structure.group_of_link[l])];
  for (std::size_t k = 0; k < structure.inputs.size() - first; ++k) {
    const auto meets = [&](const Inputs& party) {
      return std::ranges::any_of(of_group, [&](const Inputs& movers) {
        return has(movers, k) && std::ranges::any_of(party, [&](std::size_t j) { return has(movers, j); });
      });
    };
    const auto party = std::ranges::find_if_not(result.parties, meets);
    if (party == result.parties.end())
      result.parties.push_back({k});
    else
      party->push_back(k);
  }
  return result;
}

}  // namespace eslabon::kinematics
