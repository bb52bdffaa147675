#include "eslabon/io/quantities/joint_units.hpp"

#include <algorithm>

#include "eslabon/core/text/dotted_name.hpp"
#include "eslabon/core/text/nearest_name.hpp"

namespace eslabon::io {

namespace {

/// Words of a body itself, beside which "BODY.POINT.x" is a length.
bool is_turn_of_body(std::string_view word) {
  return word == "angle" || word == "rate" || word == "wx" || word == "wy" || word == "wz";
}

}  // namespace

std::string_view joint_in(const JointTypeTable& types, std::string_view variable) {
  return core::leading_name(variable, [&](std::string_view name) { return types.contains(name); });
}

int component_in(std::string_view word) {
  const bool is_numbered = word.size() == 2 && (word[0] == 'q' || word[0] == 'v');
  return is_numbered ? word[1] - '1' : 0;
}

Dimension dimension_of_position(const JointTypeTable& types, std::string_view variable) {
  const std::string_view joint = joint_in(types, variable);
  if (joint.empty()) {
    const bool is_of_body = is_turn_of_body(variable.substr(variable.rfind('.') + 1));
    return std::ranges::count(variable, '.') >= 2 && !is_of_body ? kLength : kAngle;
  }
  const int component = component_in(core::after_name(variable, joint));
  return model::coordinate_dimension(types.find(joint)->second, component) == kLength ? kLength : kAngle;
}

bool names_position(std::string_view variable) {
  const std::size_t dot = variable.rfind('.');
  if (dot == std::string_view::npos) return true;
  const std::string_view word = variable.substr(dot + 1);
  return word == "angle" || word == "x" || word == "y" || word == "z" || word == "q" ||
         (word.size() == 2 && word[0] == 'q' && word[1] >= '1' && word[1] <= '9');
}

bool names_rate(std::string_view variable) {
  const std::size_t dot = variable.rfind('.');
  if (dot == std::string_view::npos) return false;
  const std::string_view word = variable.substr(dot + 1);
  if (word == "rate" || word == "v") return true;
  constexpr std::string_view kComponents = "xyz123456789";
  return word.size() == 2 && (word[0] == 'v' || word[0] == 'w') &&
         kComponents.find(word[1]) != std::string_view::npos;
}

Dimension dimension_of_rate(const JointTypeTable& types, std::string_view variable) {
  return dimension_of_position(types, variable) / kTime;
}

std::string full_variable(const JointTypeTable& types, std::string_view variable) {
  return std::string(variable) + (types.contains(variable) ? ".q" : "");
}

std::string read_joint_coordinate(MapReader& map, std::string_view key, const JointTypeTable& types) {
  const Node& node = map.need(key, "the name of a joint");
  const std::string& text = map.reading().text(node, map.element(), std::string(key));
  std::string name(joint_in(types, text));
  const auto joint = types.find(name);
  if (joint == types.end()) {
    std::vector<std::string> names;
    for (const auto& [known, type] : types) names.push_back(known);
    name = core::leading_name(
        text, [&](std::string_view begin) { return core::nearest_name(begin, names).has_value(); });
    if (name.empty()) name = text.substr(0, text.find('.'));
    const auto nearest = core::nearest_name(name, names);
    map.reading().fail(node, map.element(), "no such joint '" + name + "'", core::quoted_list(names),
                       "'" + text + "'", nearest ? "Did you mean '" + *nearest + "'?" : "Use one of these.");
  }
  const model::JointTypeFacts& type = model::facts(joint->second);
  const int count = model::coordinate_count(joint->second);
  if (count == 0)
    map.reading().fail(node, map.element(), "joint '" + name + "' has no coordinate of its own",
                       "a joint that turns about one axis or slides",
                       "'" + name + "', which is " + std::string(type.name),
                       "Use the coordinate of a point instead, such as 'BODY.POINT.z'.");
  if (count > 1 && text == name) {
    std::vector<std::string> names;
    for (int i = 1; i <= count; ++i) names.push_back(name + ".q" + std::to_string(i));
    map.reading().fail(node, map.element(),
                       "joint '" + name + "' has " + std::to_string(count) + " coordinates",
                       core::quoted_list(names), "'" + text + "'", "Say which one.");
  }
  return full_variable(types, text);
}

std::string read_coordinate_of_point(MapReader& map) {
  const std::string target = map.reading().text(*map.find("point"), map.element(), "point");
  if (std::ranges::count(target, '.') < 2)
    map.reading().fail(*map.node().find("point"), map.element(), "the direction is missing",
                       "BODY.POINT.x or another coordinate of a point", "'" + target + "'",
                       "Write the body, the point and the letter, with dots between them.");
  return target;
}

}  // namespace eslabon::io
