#include "eslabon/model/variables/name_lookup.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "eslabon/core/text/dotted_name.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/model/variables/variable_words.hpp"

namespace eslabon::model::detail {

namespace {

std::string suggestion(std::string_view typed, const std::vector<std::string>& known, std::string_view before,
                       std::string_view after, std::string otherwise) {
  const auto nearest = core::nearest_name(typed, known);
  if (!nearest) return otherwise;
  return "Did you mean '" + std::string(before) + *nearest + std::string(after) + "'?";
}

template <class Elements>
std::vector<std::string> names_of(const Elements& elements) {
  std::vector<std::string> names;
  for (const auto& element : elements) names.push_back(element.name);
  return names;
}

template <class Index>
std::optional<Index> find_as(const Mechanism& mechanism, std::string_view name) {
  const auto element = mechanism.find(name);
  if (!element) return std::nullopt;
  const auto* index = std::get_if<Index>(&*element);
  if (index == nullptr) return std::nullopt;
  return *index;
}

/// The name that a text is meant to begin with: one that is there, otherwise one that is near to one, otherwise what stands before the
/// first dot.
std::string_view meant_name(std::string_view text, const std::vector<std::string>& known) {
  const auto is_known = [&](std::string_view name) { return std::ranges::find(known, name) != known.end(); };
  const auto is_near = [&](std::string_view name) { return core::nearest_name(name, known).has_value(); };
  if (const std::string_view name = core::leading_name(text, is_known); !name.empty()) return name;
  if (const std::string_view name = core::leading_name(text, is_near); !name.empty()) return name;
  return text.substr(0, text.find('.'));
}

bool is_of_ground(const Variable& variable) {
  if (const auto* body = std::get_if<BodyIndex>(&variable.element)) return *body == kGround;
  if (const auto* point = std::get_if<PointRef>(&variable.element)) return point->body == kGround;
  return false;
}

}  // namespace

NameLookup::NameLookup(const Mechanism& mechanism) : mechanism_(mechanism) {
  std::size_t count = 0;
  for (const Body& body : mechanism.bodies()) count += body.points.size() + body.frames.size();
  markers_.reserve(count);
  for (std::size_t b = 0; b < mechanism.bodies().size(); ++b) {
    const Body& body = mechanism.bodies()[b];
    const BodyIndex index(static_cast<int>(b));
    for (std::size_t k = 0; k < body.points.size(); ++k)
      markers_.emplace(body.name + "." + body.points[k].name, Marker{index, false, static_cast<int>(k)});
    for (std::size_t k = 0; k < body.frames.size(); ++k)
      markers_.emplace(body.name + "." + body.frames[k].name, Marker{index, true, static_cast<int>(k)});
    for (std::size_t k = 0; k < body.curves.size(); ++k)
      curves_.emplace(body.name + "." + body.curves[k].name, std::pair(index, k));
  }
}

BodyIndex NameLookup::body(std::string_view text, const Place& place, const Field& field) const {
  if (const auto found = find_as<BodyIndex>(mechanism_, text)) return *found;
  const std::vector<std::string> known = names_of(mechanism_.bodies());
  fail(place, field,
       {"no such body", "a body: " + core::quoted_list(known), core::quoted(text),
        suggestion(text, known, "", "", "Add the body, or use one of these.")});
}

BodyIndex NameLookup::moving_body(std::string_view text, const Place& place, const Field& field) const {
  const BodyIndex found = body(text, place, field);
  if (found != kGround) return found;
  fail(place, field, {"the ground does not move", "a moving body", "'ground'", "Choose another body."});
}

Marker NameLookup::marker(const std::string& text, const Place& place, const Field& field) const {
  const auto found = markers_.find(text);
  if (found == markers_.end()) fail_marker(text, Wanted::kPointOrFrame, place, field);
  return found->second;
}

std::pair<BodyIndex, std::size_t> NameLookup::curve(const std::string& text, const Place& place,
                                                    const Field& field) const {
  const auto found = curves_.find(text);
  if (found == curves_.end()) fail_marker(text, Wanted::kCurve, place, field);
  return found->second;
}

PointRef NameLookup::point(const std::string& text, const Place& place, const Field& field) const {
  const auto found = markers_.find(text);
  if (found == markers_.end() || found->second.is_frame) fail_marker(text, Wanted::kPoint, place, field);
  return {found->second.body, PointIndex(found->second.position)};
}

PointRef NameLookup::moving_point(const std::string& text, const Place& place, const Field& field) const {
  const PointRef found = point(text, place, field);
  if (found.body != kGround) return found;
  fail(place, field,
       {"the ground does not move", "a point of a moving body", core::quoted(text), "Choose another point."});
}

PointPair NameLookup::point_pair(const std::string& first, const std::string& second, const Place& place,
                                 const Field& field) const {
  const PointPair pair{point(first, place, field), point(second, place, field)};
  if (pair.first.body != pair.second.body) return pair;
  fail(place, field,
       {"both points belong to one body", "points of two different bodies",
        core::quoted(first) + " and " + core::quoted(second), "Change one of the points."});
}

void NameLookup::fail_marker(const std::string& text, Wanted what, const Place& place,
                             const Field& field) const {
  const bool may_be_frame = what == Wanted::kPointOrFrame, is_curve = what == Wanted::kCurve;
  const std::string wanted = is_curve ? "curve" : may_be_frame ? "point or frame" : "point";
  const bool is_body = find_as<BodyIndex>(mechanism_, text).has_value();
  if (is_body || text.find('.') == text.npos)
    fail(place, field,
         {"no such " + wanted,
          is_curve       ? "BODY.CURVE"
          : may_be_frame ? "BODY.POINT or BODY.FRAME"
                         : "BODY.POINT",
          core::quoted(text), "Write the body, a dot and the name of the " + wanted + "."});
  const std::vector<std::string> bodies = names_of(mechanism_.bodies());
  const std::string_view body_name = meant_name(text, bodies);
  const auto index = find_as<BodyIndex>(mechanism_, body_name);
  if (!index) {
    const std::vector<std::string>& known = bodies;
    fail(place, field,
         {"no such body", "a body: " + core::quoted_list(known), core::quoted(text),
          suggestion(body_name, known, "", std::string_view(text).substr(body_name.size()),
                     "Add the body, or use one of these.")});
  }
  const Body& found = mechanism_.body(*index);
  std::vector<std::string> known = is_curve ? names_of(found.curves) : names_of(found.points);
  if (is_curve && known.empty())
    fail(place, field,
         {"no such curve", "a curve of '" + found.name + "', which has none", core::quoted(text),
          "Name one under 'curves:' of '" + found.name + "'."});
  if (!is_curve && curves_.contains(text))
    fail(place, field,
         {"a curve where there is no curve", "a " + wanted, core::quoted(text),
          "Use a point of the body, or a joint of a curve."});
  if (may_be_frame)
    for (const NamedFrame& frame : found.frames) known.push_back(frame.name);
  fail(place, field,
       {"no such " + wanted, "a " + wanted + " of '" + found.name + "': " + core::quoted_list(known),
        core::quoted(text),
        suggestion(core::after_name(text, body_name), known, found.name + ".", "",
                   "Add it to '" + found.name + "', or use another.")});
}

JointCoordinate NameLookup::coordinate(std::string_view text, const Place& place, const Field& field) const {
  std::string_view joint_name = core::leading_name(
      text, [&](std::string_view name) { return find_as<JointIndex>(mechanism_, name).has_value(); });
  const auto index = find_as<JointIndex>(mechanism_, joint_name);
  if (!index) {
    const std::vector<std::string> known = names_of(mechanism_.joints());
    joint_name = meant_name(text, known);
    fail(place, field,
         {"no such joint", "a joint: " + core::quoted_list(known), core::quoted(text),
          suggestion(joint_name, known, "", text.substr(joint_name.size()), "Use one of these.")});
  }
  const Joint& joint = mechanism_.joint(*index);
  const int count = coordinate_count(joint.type);
  if (count == 0)
    fail(place, field,
         {"a joint without coordinates",
          mechanism_.is_planar() ? "a revolute or prismatic joint"
                                 : "a revolute, prismatic, cylindrical, universal or planar joint",
          core::quoted(joint.name) + ", a " + std::string(facts(joint.type).name) + " joint",
          "Choose another joint."});
  std::vector<std::string> known;
  for (int k = 0; k < count; ++k) known.push_back(joint.name + "." + coordinate_word("q", k, count));
  if (count == 1 && text == joint_name) return {*index, 0};
  for (int k = 0; k < count; ++k)
    if (text == known[static_cast<std::size_t>(k)]) return {*index, k};
  fail(place, field,
       {"no such joint coordinate", core::quoted_list(known), core::quoted(text), "Use one of these."});
}

Variable NameLookup::variable(std::string_view text, const Place& place, const Field& field) const {
  try {
    return find_variable(mechanism_, text);
  } catch (const core::ModelError& error) {
    core::ErrorText parts = error.text();
    parts.where = to_text(place, field);
    throw core::ModelError(std::move(parts));
  }
}

Variable NameLookup::moving_variable(std::string_view text, const Place& place, const Field& field) const {
  const Variable found = variable(text, place, field);
  check_moves(found, text, place, field);
  return found;
}

Variable NameLookup::position_variable(std::string_view text, const Place& place, const Field& field) const {
  const Variable found = variable(text, place, field);
  if (!is_position(found))
    fail(place, field,
         {"not a position",
          mechanism_.is_planar() ? "the angle of a body, a coordinate of a point or a joint coordinate"
                                 : "a coordinate of a point or a joint coordinate",
          core::quoted(text), "Choose a variable that says where the mechanism is."});
  check_moves(found, text, place, field);
  return found;
}

Variable NameLookup::rate_variable(std::string_view text, const Place& place, const Field& field) const {
  const Variable found = variable(text, place, field);
  if (!is_rate(found))
    fail(place, field,
         {"not a rate",
          mechanism_.is_planar() ? "the rate of a body, or the velocity of a point, joint, spring or damper"
                                 : "the angular velocity of a body, or the velocity of a point, joint, "
                                   "spring or damper",
          core::quoted(text), "Choose a variable that says how fast the mechanism moves."});
  check_moves(found, text, place, field);
  return found;
}

void NameLookup::check_moves(const Variable& variable, std::string_view text, const Place& place,
                             const Field& field) const {
  if (is_of_ground(variable))
    fail(place, field,
         {"the ground does not move", "a variable of a moving body or of a joint", core::quoted(text),
          "Choose another variable."});
}

}  // namespace eslabon::model::detail
