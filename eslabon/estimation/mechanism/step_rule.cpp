#include "eslabon/estimation/mechanism/step_rule.hpp"

#include <algorithm>

namespace eslabon::estimation {

namespace {

constexpr StepTableau kTableaus[] = {
    {1, {}, {1.0}, {0.0}},
    {2, {{{}, {1.0}}}, {0.5, 0.5}, {0.0, 1.0}},
    {4,
     {{{}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}}},
     {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
     {0.0, 0.5, 0.5, 1.0}},
};
constexpr std::array<std::string_view, 3> kRuleNames{"euler", "heun", "rk4"};

}  // namespace

const StepTableau& tableau(StepRule rule) { return kTableaus[static_cast<std::size_t>(rule)]; }

std::optional<StepRule> find_step_rule(std::string_view name) {
  const auto found = std::ranges::find(kRuleNames, name);
  if (found == kRuleNames.end()) return std::nullopt;
  return static_cast<StepRule>(found - kRuleNames.begin());
}
std::string_view name(StepRule rule) { return kRuleNames[static_cast<std::size_t>(rule)]; }

}  // namespace eslabon::estimation
