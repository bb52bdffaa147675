#include "eslabon/runs/motion/force_notes.hpp"

#include <variant>

#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"

namespace eslabon::runs {

std::string not_unique_note(const std::vector<std::string>& names, bool are_many) {
  constexpr std::size_t kMostForces = 12;
  if (names.empty()) return "";
  return fmt::format(
      "{} {} not unique, because joints or actuators are redundant: the minimum-norm ones are written.",
      core::listed(names, kMostForces), names.size() == 1 && !are_many ? "is" : "are");
}

std::string unbalanced_note(const std::optional<double>& t) {
  if (!t) return "";
  return fmt::format(
      "at t = {:.9g} s, and perhaps later, joints cannot give the forces that the motion needs: the position "
      "is singular, and near it forces grow without bound.",
      *t);
}

std::string friction_not_felt_note(const model::Mechanism& mechanism) {
  const tyres::Road& road = mechanism.road();
  if (road.friction == 1.0 && road.friction_right.value_or(1.0) == 1.0) return "";
  std::vector<std::string> names;
  for (const model::Tyre& tyre : mechanism.tyres())
    if (const auto* plain = std::get_if<tyres::PlainTyre>(&tyre.fitted.model);
        plain != nullptr && std::holds_alternative<tyres::LinearTyre>(plain->curves))
      names.push_back(tyre.name);
  if (names.empty()) return "";
  return "linear tyres do not feel the friction of the road: " + core::listed(names) + ".";
}

}  // namespace eslabon::runs
