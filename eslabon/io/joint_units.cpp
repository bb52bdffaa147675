#include "eslabon/io/joint_units.hpp"

#include <algorithm>

namespace eslabon::io {

bool has_translation(model::JointType type, int component) {
  const auto& names = model::facts(type).coordinates;
  if (component < 0 || component >= static_cast<int>(names.size())) return false;
  const std::string_view name = names[static_cast<std::size_t>(component)];
  return name == "translation" || name == "x" || name == "y";
}

Dimension dimension_of_position(const JointTypeTable& types, std::string_view variable) {
  if (std::ranges::count(variable, '.') == 2) return kLength;
  const std::size_t dot = variable.find('.');
  const auto joint = types.find(variable.substr(0, dot));
  if (joint == types.end()) return kAngle;
  const bool is_numbered = dot != std::string_view::npos && variable.size() == dot + 3 && variable[dot + 1] == 'q';
  return has_translation(joint->second, is_numbered ? variable[dot + 2] - '1' : 0) ? kLength : kAngle;
}

std::string full_variable(const JointTypeTable& types, std::string_view variable) {
  return std::string(variable) + (types.contains(variable) ? ".q" : "");
}

}  // namespace eslabon::io
