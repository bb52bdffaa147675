#include "eslabon/kinematics/method_choice.hpp"

#include <algorithm>

#include "eslabon/core/text/error.hpp"
#include "eslabon/kinematics/groups/group_method.hpp"

namespace eslabon::kinematics {

namespace {

// A group of so many links may be solved faster as a part of all coordinates: its own equations are dense. A bound of prudence.
constexpr std::size_t kLargeGroup = 12;

}  // namespace

MethodChoice choose_method(const DrivenMechanism& driven) {
  std::size_t largest = 0;
  for (const structure::StructuralGroup& group : driven.structure().groups)
    largest = std::max(largest, group.links.size());
  if (largest >= kLargeGroup)
    return {"sparse", "a structural group of " + std::to_string(largest) +
                          " links is too large to be solved on its own"};
  try {
    make_groups(driven, nullptr);
  } catch (const core::ModelError& error) {
    return {"sparse", error.text().where + " is " + error.text().actual};
  }
  return {"groups", "every structural group has a solver of its own"};
}

}  // namespace eslabon::kinematics
