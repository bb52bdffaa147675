// Sections about where the mechanism is and how it is moved: drivers, assembly, start, inputs, outputs.

#include <algorithm>
#include <optional>

#include "eslabon/core/text/dotted_name.hpp"
#include "eslabon/io/mechanism/mechanism_sections.hpp"
#include "eslabon/io/quantities/joint_units.hpp"

namespace eslabon::io {

namespace {

using model::DriverLevel;

/// The variable that a driver moves: {joint: A}, {point: axle.P15.z} or {body: crank}.
std::string read_target(MapReader& map, const JointTypeTable& types) {
  const std::string kind(map.need_one_of({"joint", "point", "body"}, "that says what it moves"));
  map.reading().remember(map.element() + ", target", map.node().find(kind)->position());
  if (kind == "joint") return read_joint_coordinate(map, kind, types);
  const std::string target = map.reading().text(*map.find(kind), map.element(), kind);
  if (kind == "point") {
    const auto dots = std::ranges::count(target, '.');
    if (dots >= 2) return target;
    map.reading().fail(*map.node().find(kind), map.element(), "the direction is missing",
                       "BODY.POINT.x or another coordinate of a point", "'" + target + "'",
                       dots == 1 ? "Write '" + target + ".x', or another letter."
                                 : "Write the body, the point and the letter, with dots between them.");
  }
  if (!map.reading().is_planar() || target.ends_with(".angle"))
    map.reading().fail(*map.node().find(kind), map.element(), "'body:' cannot be driven like this",
                       "the name of a body of a planar mechanism, whose angle is then driven",
                       "'" + target + "'", "Use 'joint:' or 'point:' for anything else.");
  return target + ".angle";
}

/// A list of names of variables, each remembered as `KIND 'NAME'`.
template <class ReadOne>
void read_variables(Reading& reading, const Node& node, const std::string& key, const std::string& kind,
                    ReadOne read_one) {
  if (!node.is_sequence())
    reading.fail(
        node, "", "section '" + key + "' is not a list", "a list of variables such as [crank.angle, A.q]",
        node.is_scalar() ? "'" + node.text() + "'" : std::string(node.kind_name()), "Write it in brackets.");
  for (const Node& item : node.items()) {
    if (!item.is_scalar())
      reading.fail(item, "", "an " + kind + " is not a name", "a variable such as 'crank.angle' or 'A.q'",
                   std::string(item.kind_name()), "Write names only, with ',' between them.");
    reading.remember(kind + " '" + item.text() + "'", item.position());
    read_one(item);
  }
}

/// What a start value or rate of this name measures; none when there is no element that has such a start.
std::optional<Dimension> dimension_of_start(const Reading& reading, const PartScope& scope,
                                            const std::string& variable) {
  if (!names_position(variable) && !names_rate(variable)) return std::nullopt;
  const auto is_body = [&](std::string_view name) {
    return reading.has_element("body '" + std::string(name) + "'");
  };
  if (!joint_in(scope.types, variable).empty() || !core::leading_name(variable, is_body).empty())
    return names_rate(variable) ? dimension_of_rate(scope.types, variable)
                                : dimension_of_position(scope.types, variable);
  if (!names_rate(variable)) return std::nullopt;
  const auto is_spring = [&](std::string_view name) { return scope.springs.contains(name); };
  const std::string_view spring = core::leading_name(variable, is_spring);
  if (spring.empty()) return std::nullopt;
  const std::string& coordinate = scope.springs.find(spring)->second;
  return (coordinate.empty() ? kLength : dimension_of_position(scope.types, coordinate)) / kTime;
}

/// A start value or a start rate of one variable.
void read_start_of_variable(Reading& reading, const Entry& entry, model::StartKind kind,
                            PartBuilder& builder) {
  const JointTypeTable& types = builder.scope().types;
  const std::string& key = entry.key.text();
  const std::string variable = full_variable(types, key);
  const bool is_rate = names_rate(variable);
  const std::string word = is_rate ? "start rate" : "start value";
  const std::string element = word + " '" + key + "'";
  reading.remember(word + " '" + variable + "'", entry.key.position());
  if (entry.value.is_sequence())
    reading.fail(entry.value, element, "a list is not the " + word + " of one variable",
                 "a number; or a list for 'BODY.position' or 'BODY.rotation'", "a list",
                 "Write one number, or another variable.");
  // What belongs to nothing has no unit either: the builder says what is wrong with the name.
  const std::optional<Dimension> dimension = dimension_of_start(reading, builder.scope(), variable);
  const double value = dimension ? reading.number(entry.value, element, word, *dimension) : 0.0;
  reading.at_place([&] {
    if (is_rate)
      builder.add_start_rate(variable, value);
    else
      builder.add_start_value(variable, value, kind);
  });
}

/// `speed: 20 m/s`, of the heaviest body, or `speed: {of: chassis, value: 20 m/s}`.
void read_start_speed(Reading& reading, const Entry& entry, PartBuilder& builder) {
  const std::string element = "start, speed";
  reading.remember(element, entry.key.position());
  if (builder.scope().is_part())
    reading.fail(entry.key, element, "a part has a speed of the whole", "it in the file of the mechanism",
                 "'speed' in a part", "Move it there.");
  std::string body;
  double value = 0.0;
  if (entry.value.is_map()) {
    MapReader map(reading, entry.value, element);
    body = map.reading().text(map.need("of", "the body that goes ahead"), element, "of");
    value = reading.number(map.need("value", "how fast"), element, "speed", kVelocity);
    map.finish();
  } else {
    value = reading.number(entry.value, element, "speed", kVelocity);
  }
  reading.at_place([&] { builder.whole().set_start_speed(body, value); });
}

}  // namespace

void read_drivers(Reading& reading, const Node& node, PartBuilder& builder) {
  const JointTypeTable& types = builder.scope().types;
  read_named(reading, node, "drivers", "driver", [&](MapReader& map, const std::string& name) {
    model::DriverDescription driver{name, read_target(map, types), DriverLevel::kPosition, {}};
    const std::string level(
        map.need_one_of({"position", "speed", "acceleration"}, "as a number or function of the time t"));
    Dimension dimension = dimension_of_position(types, driver.target);
    driver.start = map.number("start", dimension);
    driver.start_speed = map.number("start_speed", dimension / kTime);
    if (level == "speed") driver.level = DriverLevel::kSpeed;
    if (level == "acceleration") driver.level = DriverLevel::kAcceleration;
    for (int i = 0; i < static_cast<int>(driver.level); ++i) dimension = dimension / kTime;
    driver.function = reading.function(*map.find(level), map.element(), level, dimension);
    map.finish();
    reading.at_place([&] { builder.add_driver(std::move(driver)); });
  });
}

void read_start_values(Reading& reading, const Node& node, const char* section, model::StartKind kind,
                       PartBuilder& builder) {
  if (!node.is_map())
    reading.fail(node, "", "section '" + std::string(section) + "' is not a map",
                 "start values such as 'crank.angle: 90 deg'",
                 node.is_scalar() ? "'" + node.text() + "'" : std::string(node.kind_name()),
                 "Write one 'variable: value' per line, indented and without '-'.");
  for (const Entry& entry : node.entries()) {
    const std::string& key = entry.key.text();
    if (key == "speed") {
      if (kind == model::StartKind::kGuess)
        reading.fail(entry.key, section, "the speed of the whole is no guess", "it under 'start:'",
                     "'speed' under 'assembly:'", "Move it there.");
      read_start_speed(reading, entry, builder);
      continue;
    }
    const std::string element = (names_rate(key) ? "start rate '" : "start value '") + key + "'";
    reading.remember(element, entry.key.position());
    const std::size_t dot = key.rfind('.');
    const std::string last = dot == std::string::npos ? "" : key.substr(dot + 1);
    if (last == "position" || last == "rotation") {
      const std::string body = key.substr(0, dot);
      const Eigen::Vector3d value =
          reading.vector(entry.value, element, last, last == "position" ? kLength : kAngle);
      reading.at_place([&] {
        if (last == "position")
          builder.add_start_position(body, value, kind);
        else
          builder.add_start_rotation(body, value, kind);
      });
    } else {
      read_start_of_variable(reading, entry, kind, builder);
    }
  }
}

void read_inputs(Reading& reading, const Node& node, PartBuilder& builder) {
  const JointTypeTable& types = builder.scope().types;
  read_variables(reading, node, "inputs", "input", [&](const Node& item) {
    const std::string full = full_variable(types, item.text());
    reading.remember("input '" + full + "'", item.position());
    reading.at_place([&] { builder.add_input(full); });
  });
}

void read_outputs(Reading& reading, const Node& node, PartBuilder& builder) {
  read_variables(reading, node, "outputs", "output",
                 [&](const Node& item) { reading.at_place([&] { builder.add_output(item.text()); }); });
}

}  // namespace eslabon::io
