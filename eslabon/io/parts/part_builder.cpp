#include "eslabon/io/parts/part_builder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "eslabon/core/text/dotted_name.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/io/parts/moved_functions.hpp"
#include "eslabon/io/quantities/joint_units.hpp"
#include "eslabon/model/elements/joint_frame.hpp"
#include "eslabon/model/variables/variable_words.hpp"

namespace eslabon::io {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using model::JointType;
using model::TimeFunction;

constexpr std::string_view kGround = "ground";

template <class Table>
std::string_view leading_key(std::string_view text, const Table& table) {
  return core::leading_name(text, [&](std::string_view name) { return table.contains(name); });
}

void mirror_shape(model::Shape& shape, const Matrix3d& N) {
  std::visit(
      [&]<class S>(S& one) {
        if constexpr (requires { one.p_BC_B; }) one.p_BC_B = N * one.p_BC_B;
        if constexpr (requires { one.axis_B; }) one.axis_B = N * one.axis_B;
      },
      shape);
}

/// Whether a joint of points needs `axis:`.
bool needs_axis(JointType type, bool is_planar) {
  const model::AxisUse use = model::facts(type).axis_use;
  return is_planar ? use == model::AxisUse::kSlide : use != model::AxisUse::kNone;
}

std::string text_of(const char* kind, const std::string& name, const char* field = nullptr) {
  return std::string(kind) + " '" + name + "'" + (field != nullptr ? std::string(", ") + field : "");
}

/// What is left of an open curve of the plane is right of it in a mirror.
void move_curve(model::NamedCurve& curve, const Placement& map, bool is_planar) {
  for (Vector3d& point : curve.points) point = map.point(point);
  if (is_planar && map.parity() < 0.0 && !curve.is_closed) curve.is_other_side = !curve.is_other_side;
}

[[noreturn]] void fail_marker(std::string_view text, std::string_view mount, const MountBinding& binding,
                              const std::string& where) {
  const std::vector<std::string> known(binding.markers.begin(), binding.markers.end());
  const auto nearest = core::nearest_name(core::after_name(text, mount), known);
  throw core::ModelError({.what = "no such point or frame",
                          .where = where,
                          .expected = known.empty()
                                          ? "a point of mount '" + std::string(mount) + "', which has none"
                                          : "a point or frame of mount '" + std::string(mount) +
                                                "': " + core::quoted_list(known),
                          .actual = core::quoted(text),
                          .next = nearest ? "Did you mean '" + std::string(mount) + "." + *nearest + "'?"
                                          : "Add it to the mount, or use another."});
}

}  // namespace

// ---- Names --------------------------------------------------------------------------------------------------

std::string PartBuilder::full_name(std::string_view text, const std::string& where) const {
  if (const std::string_view mount = leading_key(text, scope_.mounts); !mount.empty()) {
    const MountBinding& binding = scope_.mounts.find(mount)->second;
    const std::string_view rest = core::after_name(text, mount);
    if (rest.empty()) return binding.body;
    const bool is_marker = !leading_key(rest, binding.markers).empty();
    if (!is_marker && !model::detail::is_body_word(rest)) fail_marker(text, mount, binding, where);
    return binding.body + "." + (is_marker ? scope_.own_name(mount) + "." : "") + std::string(rest);
  }
  if (const std::string_view instance = leading_key(text, scope_.instances); !instance.empty()) {
    const InstanceFacts& facts = scope_.instances.find(instance)->second;
    const std::string_view rest = core::after_name(text, instance);
    if (!leading_key(rest, std::set<std::string, std::less<>>(facts.exports.begin(), facts.exports.end()))
             .empty())
      return scope_.own_name(text);
    std::vector<std::string> known;
    for (const std::string& name : facts.exports) known.push_back(std::string(instance) + "." + name);
    const auto nearest = core::nearest_name(text, known);
    throw core::ModelError({.what = "a part does not export this name",
                            .where = where,
                            .expected = known.empty()
                                            ? "a name that " + facts.part_file + " exports, which are none"
                                            : core::quoted_list(known),
                            .actual = core::quoted(text),
                            .next = nearest ? "Did you mean '" + *nearest + "'?"
                                            : "Add it to 'exports:' of " + facts.part_file + "."});
  }
  if (scope_.is_part() && (text == kGround || text.starts_with(std::string(kGround) + ".")))
    throw core::ModelError(
        {.what = "a part has no ground",
         .where = where,
         .expected = "a body or a mount of the part",
         .actual = core::quoted(text),
         .next = "Name a mount under 'mounts:', and bind it to the ground where the part is used."});
  return text == kGround || text.starts_with(std::string(kGround) + ".") ? std::string(text)
                                                                         : scope_.own_name(text);
}

Placement PartBuilder::map_of_body(std::string_view text) const {
  if (const std::string_view mount = leading_key(text, scope_.mounts); !mount.empty())
    return scope_.mounts.find(mount)->second.in_body;
  if (!scope_.placement.is_mirrored()) return {};
  const std::string_view instance = leading_key(text, scope_.instances);
  if (instance.empty()) return {scope_.mirror, Vector3d::Zero()};
  // Its bodies are mirrored by the file that it is in, and back by that file's own instance.
  const Matrix3d& own = scope_.instances.find(instance)->second.mirror;
  return {own == Matrix3d::Identity() ? scope_.mirror : own, Vector3d::Zero()};
}

// ---- Bodies and mounts ----------------------------------------------------------------------------------------

model::NamedFrame PartBuilder::moved_frame(model::NamedFrame frame, const Placement& map) const {
  frame.p_BF_B = map.point(frame.p_BF_B);
  frame.x_B = map.direction(frame.x_B);
  if (!is_planar_) frame.z_B = map.turn(frame.z_B);
  return frame;
}

void PartBuilder::add_mount(const std::string& name, std::vector<model::NamedPoint> points,
                            std::vector<model::NamedAxis> axes, std::vector<model::NamedFrame> frames,
                            std::vector<model::NamedCurve> curves) {
  MountBinding& binding = scope_.mounts.at(name);
  const std::string before = scope_.own_name(name) + ".";
  for (model::NamedPoint& point : points) {
    binding.markers.insert(point.name);
    point = {before + point.name, binding.in_body.point(point.p_BP_B)};
    drawing_.points.emplace(binding.body + "." + point.name, point.p_BP_B);
  }
  for (model::NamedAxis& axis : axes) {
    binding.markers.insert(axis.name);
    scope_.axes.insert_or_assign(name + "." + axis.name, axis.u_B);
    axis = {before + axis.name, binding.in_body.direction(axis.u_B)};
  }
  for (model::NamedFrame& frame : frames) {
    binding.markers.insert(frame.name);
    frame = moved_frame(std::move(frame), binding.in_body);
    frame.name = before + frame.name;
    drawing_.frames.emplace(binding.body + "." + frame.name, frame);
  }
  for (model::NamedCurve& curve : curves) {
    binding.markers.insert(curve.name);
    move_curve(curve, binding.in_body, is_planar_);
    curve.name = before + curve.name;
    drawing_.curves.insert(binding.body + "." + curve.name);
  }
  builder_.add_markers(binding.body, std::move(points), std::move(axes), std::move(frames),
                       std::move(curves));
}

void PartBuilder::add_body(model::BodyDescription body) {
  for (const model::NamedAxis& axis : body.axes)
    scope_.axes.insert_or_assign(body.name + "." + axis.name, axis.u_B);
  body.name = scope_.own_name(body.name);
  const Placement map{scope_.mirror, Vector3d::Zero()};
  const Placement drawn{turn_matrix(body.drawn.rotation_vector), body.drawn.p_WB_W};
  const Placement placed = scope_.placement * drawn * map;  // (2); N is its own inverse
  drawing_.bodies.insert_or_assign(body.name, placed);
  if (!scope_.placement.is_identity()) body.drawn = {placed.d, turn_vector(placed.T)};
  if (map.is_turned()) {
    if (body.center_of_mass) body.center_of_mass = map.direction(*body.center_of_mass);
    if (body.inertia) body.inertia = map.T * *body.inertia * map.T;  // (1)
    if (body.shape) mirror_shape(*body.shape, map.T);
    for (model::Shape& visual : body.visuals) mirror_shape(visual, map.T);
    for (model::NamedPoint& point : body.points) point.p_BP_B = map.point(point.p_BP_B);
    for (model::NamedAxis& axis : body.axes) axis.u_B = map.direction(axis.u_B);
    for (model::NamedFrame& frame : body.frames) frame = moved_frame(std::move(frame), map);
    for (model::NamedCurve& curve : body.curves) move_curve(curve, map, is_planar_);
  }
  for (const model::NamedPoint& point : body.points)
    drawing_.points.emplace(body.name + "." + point.name, point.p_BP_B);
  for (const model::NamedFrame& frame : body.frames)
    drawing_.frames.emplace(body.name + "." + frame.name, frame);
  for (const model::NamedCurve& curve : body.curves) drawing_.curves.insert(body.name + "." + curve.name);
  builder_.add_body(std::move(body));
}

// ---- Joints ---------------------------------------------------------------------------------------------------

void PartBuilder::move_joint(model::JointDescription& joint, const std::string& where,
                             bool has_axes_of_its_own) {
  const std::array<Placement, 2> maps{map_of_body(joint.first), map_of_body(joint.second)};
  const std::array<std::string*, 2> ends{&joint.first, &joint.second};
  for (std::string* end : ends) *end = full_name(*end, where);
  const auto is_frame = [&](std::size_t e) { return drawing_.frames.contains(*ends[e]); };
  const auto is_point = [&](std::size_t e) { return drawing_.points.contains(*ends[e]); };
  const bool is_mirrored = scope_.placement.is_mirrored();
  // What rolls on a line stands to the left of it in the mirror too.
  const bool turns_about_xy = (joint.type == JointType::kUniversal || joint.type == JointType::kRolling ||
                               joint.type == JointType::kCurveOnLine) &&
                              is_mirrored;
  const bool is_complete = joint.axis ? is_point(0) && (is_point(1) || model::has_curve(joint.type))
                                      : !needs_axis(joint.type, is_planar_) || is_frame(0);
  const bool stays_as_it_is =
      joint.type == JointType::kRod ||
      (model::has_curve(joint.type) && joint.type != JointType::kCurveOnLine) ||
      (!joint.axis && is_point(0) && is_point(1) && maps[0].T == maps[1].T && !has_axes_of_its_own) ||
      (!maps[0].is_turned() && !maps[1].is_turned());
  if (is_complete && !stays_as_it_is)
    for (std::size_t e = 0; e < 2; ++e) {
      model::NamedFrame frame{scope_.own_name(joint.name)};
      const std::string marker = *ends[e];
      if (is_point(e)) {
        if (joint.axis) {
          const Matrix3d F =
              model::frame_on_point(model::facts(joint.type).axis_use, e == 0, Vector3d::Zero(),
                                    e == 0 ? joint.axis->first : joint.axis->second)
                  .R_AB.matrix();
          frame.x_B = F.col(0);
          frame.z_B = F.col(2);
        }
        frame = moved_frame(std::move(frame), maps[e]);
        frame.p_BF_B = drawing_.points.at(marker);
      } else if (is_frame(e) && turns_about_xy) {
        frame = drawing_.frames.at(marker);
        frame.name = scope_.own_name(joint.name);
      } else {
        continue;
      }
      if (turns_about_xy) frame.x_B = -frame.x_B;
      const auto of_body = [&](std::string_view name) { return drawing_.bodies.contains(std::string(name)); };
      const std::string body(core::leading_name(marker, of_body));
      *ends[e] = body + "." + frame.name;
      builder_.add_markers(body, {}, {}, {std::move(frame)});
      if (e == 1 || joint.type == JointType::kCurveOnLine) joint.axis.reset();
    }
  if (is_planar_ && is_mirrored && joint.type == JointType::kRevolute) std::swap(joint.first, joint.second);
}

void PartBuilder::add_joint(model::JointDescription joint) {
  scope_.types.insert_or_assign(joint.name, joint.type);
  const std::string full = scope_.own_name(joint.name);
  move_joint(joint, text_of("joint", full, model::facts(joint.type).name.data()));
  joint.name = full;
  if (joint.lead && scope_.placement.is_mirrored()) joint.lead = -*joint.lead;  // the other hand
  builder_.add_joint(std::move(joint));
}

// ---- Variables ------------------------------------------------------------------------------------------------

double PartBuilder::sign_of_coordinate(std::string_view coordinate) const {
  const std::string_view joint = joint_in(scope_.types, coordinate);
  if (joint.empty() || !scope_.placement.is_mirrored()) return 1.0;
  const JointType type = scope_.types.find(joint)->second;
  const auto& coordinates = model::facts(type).coordinates;
  const int component = component_in(core::after_name(coordinate, joint));
  if (component < 0 || component >= static_cast<int>(coordinates.size())) return 1.0;
  const model::JointCoordinateFacts& facts = coordinates[static_cast<std::size_t>(component)];
  if (type == JointType::kRolling) return -1.0;
  // In the plane turns change their signs; ends of revolute joints change places instead.
  if (is_planar_) return facts.dimension == core::kAngle && type != JointType::kRevolute ? -1.0 : 1.0;
  return facts.dimension == core::kLength && facts.axis == 2 ? -1.0 : 1.0;  // z turns round
}

PartBuilder::MovedVariable PartBuilder::moved_component(const std::string& variable, std::string_view word,
                                                        const std::string& where) const {
  const int component = word.back() - 'x';
  const Vector3d column = scope_.placement.T.col(component);
  int to = 0;
  column.cwiseAbs().maxCoeff(&to);
  if (std::abs(column[to]) != 1.0)
    throw core::ModelError(
        {.what = "a coordinate in the world, in a part that is turned askew",
         .where = where,
         .expected = "an instance that is turned by quarter turns about x, y and z",
         .actual = core::quoted(variable),
         .next = "Give a joint coordinate instead, or say it in the file that has the instance."});
  std::string name = full_name(variable, where);
  name.back() = static_cast<char>('x' + to);
  const bool is_turn = word.front() == 'w';
  const bool is_axis = scope_.axes.contains(variable.substr(0, variable.size() - word.size() - 1));
  return {std::move(name), column[to] * (is_turn ? scope_.placement.parity() : 1.0),
          word.size() == 1 && !is_axis ? scope_.placement.d[to] : 0.0};
}

PartBuilder::MovedVariable PartBuilder::moved(const std::string& variable, const std::string& where) const {
  if (scope_.placement.is_identity()) return {full_name(variable, where)};
  const std::string_view text = variable;
  if (!joint_in(scope_.types, text).empty()) return {full_name(text, where), sign_of_coordinate(text)};
  const std::string_view word = text.substr(text.rfind('.') + 1);
  if (const std::string_view spring = leading_key(text, scope_.springs); !spring.empty()) {
    const std::string& seen = scope_.springs.find(spring)->second;
    if (seen.empty() || !joint_in(scope_.types, seen).empty())
      return {full_name(text, where), sign_of_coordinate(seen)};
    const MovedVariable along = moved(seen, where);
    return {full_name(text, where), along.sign, word == "length" ? along.offset : 0.0};
  }
  if (word == "angle" || word == "rate") {
    const std::string name = full_name(text, where);
    const auto body = drawing_.bodies.find(name.substr(0, name.size() - word.size() - 1));
    const double drawn = word == "angle" && body != drawing_.bodies.end()
                             ? std::atan2(body->second.T(1, 0), body->second.T(0, 0))
                             : 0.0;
    return {name, scope_.placement.parity(), drawn};
  }
  const bool is_component = !word.empty() && word.back() >= 'x' && word.back() <= 'z' &&
                            (word.size() == 1 || (word.size() == 2 && (word[0] == 'v' || word[0] == 'w')));
  if (is_component) return moved_component(variable, word, where);
  return {full_name(text, where)};
}

PartBuilder::MovedVariable PartBuilder::moved_argument(const std::string& variable,
                                                       const std::string& where) const {
  const std::string_view word = std::string_view(variable).substr(variable.rfind('.') + 1);
  const bool is_orientation =
      word.starts_with("euler_") || (word.size() == 2 && word[0] == 'e' && word[1] >= '0' && word[1] <= '3');
  if (is_orientation && scope_.placement.is_turned())
    throw core::ModelError(
        {.what = "an orientation in the world, in a part that is turned or mirrored",
         .where = where,
         .expected = "a joint coordinate, or a coordinate of a point or of a named axis",
         .actual = core::quoted(variable),
         .next = "Give one of these instead, or say it in the file that has the instance."});
  return moved(variable, where);
}

double PartBuilder::move_relation(model::CouplingDescription& relation, const char* element) const {
  const std::string where =
      text_of(element, relation.name,
              relation.kind == model::CouplingKind::kSum || relation.kind == model::CouplingKind::kFollows
                  ? model::name(relation.kind).data()
                  : "joints");
  std::vector<double> signs;
  for (std::string& coordinate : relation.coordinates) {
    signs.push_back(sign_of_coordinate(coordinate));
    coordinate = full_name(coordinate, where);
  }
  // A sum keeps its factors of what stays as it is. A screw changes its hand where one of its coordinates turns round, a rack its side.
  if (relation.kind == model::CouplingKind::kSum) {
    for (std::size_t k = 0; k < signs.size(); ++k) relation.numbers[k] *= signs[k];
    return 1.0;
  }
  if (relation.law)
    relation.law = moved_law(*relation.law, signs[0], signs[1]);
  else if (relation.kind != model::CouplingKind::kGear && signs[0] * signs[1] < 0.0)
    relation.numbers[0] = -relation.numbers[0];
  return signs[0];  // that of the first coordinate
}

void PartBuilder::add_coupling(model::CouplingDescription coupling) {
  coupling.name = scope_.own_name(coupling.name);
  coupling.offset *= move_relation(coupling, "coupling");
  builder_.add_coupling(std::move(coupling));
}

void PartBuilder::add_driver(model::DriverDescription driver) {
  driver.name = scope_.own_name(driver.name);
  const MovedVariable target = moved(driver.target, text_of("driver", driver.name, "target"));
  driver.target = target.name;
  const bool is_position = driver.level == model::DriverLevel::kPosition;
  driver.function = moved_function(driver.function, target.sign, is_position ? target.offset : 0.0);
  if (driver.start) driver.start = moved_value(*driver.start, target.sign, target.offset);
  if (driver.start_speed) driver.start_speed = moved_value(*driver.start_speed, target.sign, 0.0);
  builder_.add_driver(std::move(driver));
}

PartBuilder::MovedVariable PartBuilder::move_connection(model::ConnectionDescription& connection,
                                                        const std::string& where) const {
  MovedVariable length{{}, 1.0, 0.0};
  if (connection.is_of_point) {
    length = moved(connection.first, where);
    connection.first = length.name;
    return length;
  }
  if (connection.second.empty() || connection.is_of_coordinates)
    length.sign = sign_of_coordinate(connection.first);
  if (connection.is_of_coordinates && sign_of_coordinate(connection.second) != length.sign)
    throw core::ModelError(
        {.what = "one of two coordinates turns round in a mirrored part",
         .where = where,
         .expected = "two joints of one type",
         .actual = core::quoted(connection.first) + " and " + core::quoted(connection.second),
         .next = "Use joints of one type, or write the part once for each side."});
  connection.first = full_name(connection.first, where);
  if (!connection.second.empty()) connection.second = full_name(connection.second, where);
  return length;
}

namespace {

/// The key under which a connection stands.
const char* key_of(const model::ConnectionDescription& connection) {
  return connection.is_of_point ? "point" : connection.second.empty() ? "joint" : "between";
}

/// What SpringTable keeps of a connection.
std::string seen_coordinate(const model::ConnectionDescription& connection) {
  return connection.second.empty() || connection.is_of_coordinates ? connection.first : std::string();
}

}  // namespace

void PartBuilder::add_spring(model::SpringDescription spring) {
  scope_.springs.insert_or_assign(spring.name, seen_coordinate(spring.connection));
  spring.name = scope_.own_name(spring.name);
  const MovedVariable length =
      move_connection(spring.connection, text_of("spring", spring.name, key_of(spring.connection)));
  if (!spring.law) spring.free_length = moved_value(spring.free_length, length.sign, length.offset);
  if (length.sign < 0.0) {
    if (spring.gas)
      throw core::ModelError({.what = "a gas spring along a coordinate that turns round in a mirrored part",
                              .where = text_of("spring", spring.name),
                              .expected = "a gas spring between two points",
                              .actual = "one along a coordinate",
                              .next = "Put it between two points."});
    spring.preload = -spring.preload;
    turn_round(spring.table);
  }
  builder_.add_spring(std::move(spring));
}

void PartBuilder::add_damper(model::DamperDescription damper) {
  scope_.springs.insert_or_assign(damper.name, seen_coordinate(damper.connection));
  damper.name = scope_.own_name(damper.name);
  const MovedVariable length =
      move_connection(damper.connection, text_of("damper", damper.name, key_of(damper.connection)));
  if (length.sign < 0.0) turn_round(damper.table);
  builder_.add_damper(std::move(damper));
}

void PartBuilder::set_law(const std::string& element, model::LawDescription law) {
  const std::string& coordinate = scope_.springs.at(element);
  const bool is_of_point = !coordinate.empty() && joint_in(scope_.types, coordinate).empty();
  const double sign = coordinate.empty() ? 1.0
                      : is_of_point      ? moved(coordinate, text_of("spring", element)).sign
                                         : sign_of_coordinate(coordinate);
  law.function = moved_function(law.function, sign, 0.0);
  builder_.set_law(scope_.own_name(element), std::move(law));
}

void PartBuilder::add_bushing(model::BushingDescription bushing) {
  const std::string own = bushing.name;
  bushing.name = scope_.own_name(own);
  model::JointDescription frames{own, JointType::kFree, bushing.first, bushing.second};
  move_joint(frames, text_of("bushing", bushing.name, "between"), true);
  bushing.first = frames.first;
  bushing.second = frames.second;
  builder_.add_bushing(std::move(bushing));
}

void PartBuilder::add_stop(model::StopDescription stop) {
  stop.name = scope_.own_name(stop.name);
  MovedVariable target{{}, 1.0, 0.0};
  if (stop.coupling) {
    stop.coupling->name = stop.name;
    target.sign = move_relation(*stop.coupling, "stop");
  } else {
    target = moved(stop.target, text_of("stop", stop.name, "target"));
    stop.target = target.name;
  }
  if (target.sign < 0.0) std::swap(stop.lower, stop.upper);
  for (std::optional<TimeFunction>* limit : {&stop.lower, &stop.upper})
    if (*limit) *limit = moved_function(**limit, target.sign, target.offset);
  builder_.add_stop(std::move(stop));
}

void PartBuilder::add_load(model::LoadDescription load) {
  load.name = scope_.own_name(load.name);
  using enum model::LoadKind;
  const std::string where = text_of("force", load.name,
                                    load.kind == kPointForce   ? "point"
                                    : load.kind == kBodyTorque ? "body"
                                                               : "joint");
  if (load.kind == kJointEffort) {
    load.components[0] = moved_function(load.components[0], sign_of_coordinate(load.target), 0.0);
  } else {
    const Placement map = load.in_body_axes ? map_of_body(load.target) : scope_.placement;
    const double sign = load.kind == kBodyTorque ? map.parity() : 1.0;  // Placement (2), (3)
    if (map.is_turned()) load.components = turned_functions(sign * map.T, load.components);
  }
  load.target = full_name(load.target, where);
  builder_.add_load(std::move(load));
}

void PartBuilder::add_state(model::StateDescription state) {
  scope_.state_dimensions.insert_or_assign(state.name, state.dimension);
  state.name = scope_.own_name(state.name);
  builder_.add_state(std::move(state));
}

void PartBuilder::add_tyre(model::TyreDescription tyre) {
  tyre.name = scope_.own_name(tyre.name);
  const Placement map = map_of_body(tyre.center);
  if (map.is_turned()) tyre.axis_B = map.turn(tyre.axis_B);
  // What was on the left is on the right, and a tyre that was mounted as measured is mounted the other way round.
  if (scope_.placement.parity() < 0.0) tyre.is_seen_in_mirror = !tyre.is_seen_in_mirror;
  tyre.center = full_name(tyre.center, text_of("tyre", tyre.name, "wheel"));
  builder_.add_tyre(std::move(tyre));
}

void PartBuilder::add_event(model::EventDescription event) {
  event.name = scope_.own_name(event.name);
  builder_.add_event(std::move(event));
}

void PartBuilder::add_sensor(model::SensorDescription sensor) {
  const std::string full = scope_.own_name(sensor.name);
  const std::string where = text_of("sensor", full, model::name(sensor.kind).data());
  if (const std::string_view mount = leading_key(sensor.target, scope_.mounts);
      sensor.frame && !mount.empty())
    sensor.frame = scope_.own_name(mount) + "." + *sensor.frame;
  sensor.name = full;
  sensor.target = full_name(sensor.target, where);
  if (!sensor.second_target.empty()) sensor.second_target = full_name(sensor.second_target, where);
  builder_.add_sensor(std::move(sensor));
}

// ---- Where it starts ------------------------------------------------------------------------------------------

void PartBuilder::forbid_start_of_mount(std::string_view text, const std::string& where) const {
  if (leading_key(text, scope_.mounts).empty()) return;
  throw core::ModelError({.what = "a part says where its mount starts",
                          .where = where,
                          .expected = "start values of the part's own bodies and joints",
                          .actual = core::quoted(text),
                          .next = "Say it in the file that has the instance."});
}

void PartBuilder::add_start_value(const std::string& variable, double value, model::StartKind kind) {
  const std::string where = text_of("start value", scope_.own_name(variable));
  forbid_start_of_mount(variable, where);
  const MovedVariable target = moved(variable, where);
  builder_.add_start_value(target.name, moved_value(value, target.sign, target.offset), kind);
}

void PartBuilder::add_start_rate(const std::string& variable, double value) {
  const std::string where = text_of("start rate", scope_.own_name(variable));
  forbid_start_of_mount(variable, where);
  const MovedVariable target = moved(variable, where);
  builder_.add_start_rate(target.name, moved_value(value, target.sign, 0.0));
}

void PartBuilder::add_start_position(const std::string& body, const Vector3d& p_WB_W, model::StartKind kind) {
  const std::string where = text_of("start value", scope_.own_name(body) + ".position");
  forbid_start_of_mount(body, where);
  const bool stays = scope_.placement.is_identity();
  builder_.add_start_position(full_name(body, where), stays ? p_WB_W : scope_.placement.point(p_WB_W),
                              kind);  // (3)
}

void PartBuilder::add_start_rotation(const std::string& body, const Vector3d& rotation_vector,
                                     model::StartKind kind) {
  const std::string where = text_of("start value", scope_.own_name(body) + ".rotation");
  forbid_start_of_mount(body, where);
  const Placement map = map_of_body(body);
  const Vector3d r = map.is_turned() ? map.turn(rotation_vector) : rotation_vector;
  const Matrix3d R = scope_.placement.T * map.T;
  builder_.add_start_rotation(full_name(body, where),
                              R == Matrix3d::Identity() ? r : turn_vector(R * turn_matrix(r)), kind);  // (3)
}

}  // namespace eslabon::io
