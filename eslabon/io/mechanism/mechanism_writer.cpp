#include "eslabon/io/mechanism/mechanism_writer.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/io/mechanism/flow_text.hpp"
#include "eslabon/io/mechanism/read_formulas.hpp"
#include "eslabon/io/mechanism/sensor_writer.hpp"
#include "eslabon/io/mechanism/tyre_writer.hpp"
#include "eslabon/io/quantities/expression.hpp"
#include "eslabon/io/quantities/unit.hpp"
#include "eslabon/model/own_origin.hpp"

namespace eslabon::io {

namespace {

using core::number_text;
using Eigen::Vector3d;
using model::Mechanism;

std::string function_text(const model::TimeFunction& function, std::span<const std::string> variables = {}) {
  if (const core::CubicTable* table = function.whole_table()) {
    std::string text;
    for (const auto& [t, x] : table->points())
      // A bare number beyond two turns would be taken for forgotten degrees, a value of an expression is not.
      text += fmt::format("{}[{}, {}{}]", text.empty() ? "" : ", ", number_text(t),
                          std::abs(x) > 12.0 ? "= " : "", number_text(x));
    return "{table: [" + text + "]}";
  }
  return function.is_constant() ? number_text(function.constant_value())
                                : double_quoted("= " + write_expression(function, variables));
}

class Writer {
 public:
  explicit Writer(const Mechanism& mechanism) : mechanism_(mechanism) {}

  std::string write() {
    line("mechanism", double_quoted(mechanism_.name()));
    if (!mechanism_.description().empty()) line("description", double_quoted(mechanism_.description()));
    if (!mechanism_.source().empty()) line("source", double_quoted(mechanism_.source()));
    if (mechanism_.is_planar()) line("plane", "xy");
    if (!mechanism_.gravity_W().isZero(0.0)) line("gravity", vector(mechanism_.gravity_W()));
    write_bodies();
    section("joints", mechanism_.joints(), [&](const model::Joint& joint) { return joint_entries(joint); });
    std::vector<model::Coupling> couplings = mechanism_.couplings();
    std::erase_if(couplings, [](const model::Coupling& coupling) { return coupling.of_joint.has_value(); });
    section("couplings", couplings,
            [&](const model::Coupling& coupling) { return coupling_entries(coupling); });
    section("drivers", mechanism_.drivers(),
            [&](const model::Driver& driver) { return driver_entries(driver); });
    section("springs", mechanism_.springs(),
            [&](const model::Spring& spring) { return spring_entries(spring); });
    section("dampers", mechanism_.dampers(),
            [&](const model::Damper& damper) { return damper_entries(damper); });
    section("bushings", mechanism_.bushings(),
            [&](const model::Bushing& bushing) { return bushing_entries(bushing); });
    section("stops", mechanism_.stops(), [&](const model::Stop& stop) { return stop_entries(stop); });
    section("forces", mechanism_.loads(), [&](const model::Load& load) { return load_entries(load); });
    section("states", std::span(mechanism_.states()).first(mechanism_.num_described_states()),
            [&](const model::AuxiliaryState& state) { return state_entries(state); });
    section("tyres", mechanism_.tyres(), [&](const model::Tyre& tyre) { return tyre_entries(tyre); });
    if (mechanism_.road() != tyres::Road{}) line("road", flow_map(road_entries(mechanism_.road())));
    if (mechanism_.vehicle()) line("vehicle", flow_map(vehicle_entries(mechanism_)));
    section("events", mechanism_.events(), [&](const model::Event& event) { return event_entries(event); });
    section("sensors", mechanism_.sensors(),
            [&](const model::Sensor& sensor) { return sensor_entries(sensor); });
    write_start_values("assembly", model::StartKind::kGuess);
    write_start_values("start", model::StartKind::kExact);
    write_variables("inputs", mechanism_.inputs());
    write_variables("outputs", mechanism_.outputs());
    return std::move(out_);
  }

 private:
  void line(const std::string& key, const std::string& value) { out_ += key + ": " + value + "\n"; }

  std::string vector(const Vector3d& v) const {
    std::string text = "[" + number_text(v.x()) + ", " + number_text(v.y());
    if (!mechanism_.is_planar()) text += ", " + number_text(v.z());
    return text + "]";
  }

  std::string name(const model::Variable& variable) const { return word(model::name(mechanism_, variable)); }
  std::string name(const model::PointRef& point) const { return word(mechanism_.name_of(point)); }
  std::string name(const model::JointCoordinate& coordinate) const {
    return name(model::Variable{model::VariableKind::kJointPosition, coordinate.joint, coordinate.component});
  }

  template <class Elements, class EntriesOf>
  void section(const std::string& key, const Elements& elements, EntriesOf entries_of) {
    if (elements.empty()) return;
    out_ += key + ":\n";
    for (const auto& element : elements)
      out_ += "  " + word(element.name) + ": " + flow_map(entries_of(element)) + "\n";
  }

  void write_bodies() {
    const auto& bodies = mechanism_.bodies();
    Entries ground = marker_entries(bodies.front());
    add_visuals(ground, bodies.front());
    if (!ground.empty()) line("ground", flow_map(ground));
    const std::vector<model::Body> moving(bodies.begin() + 1, bodies.end());
    section("bodies", moving, [&](const model::Body& body) { return body_entries(body); });
  }

  std::string curve(const model::NamedCurve& curve) const {
    std::string list;
    for (const Vector3d& point : curve.points) list += (list.empty() ? "" : ", ") + vector(point);
    Entries entries{{"points", "[" + list + "]"}};
    if (curve.is_closed) entries.emplace_back("closed", "true");
    if (curve.is_other_side) entries.emplace_back("side", curve.is_closed ? "inside" : "right");
    return flow_map(entries);
  }

  Entries marker_entries(const model::Body& body) const {
    Entries entries, points, axes, frames, curves;
    for (const auto& one : body.curves) curves.emplace_back(word(one.name), curve(one));
    for (const auto& point : body.points) points.emplace_back(word(point.name), vector(point.p_BP_B));
    for (const auto& axis : body.axes) axes.emplace_back(word(axis.name), vector(axis.u_B));
    for (const auto& frame : body.frames) {
      Entries parts{{"origin", vector(frame.p_BF_B)}, {"x", vector(frame.x_B)}};
      if (!mechanism_.is_planar()) parts.emplace_back("z", vector(frame.z_B));
      frames.emplace_back(word(frame.name), flow_map(parts));
    }
    if (!points.empty()) entries.emplace_back("points", flow_map(points));
    if (!axes.empty()) entries.emplace_back("axes", flow_map(axes));
    if (!frames.empty()) entries.emplace_back("frames", flow_map(frames));
    if (!curves.empty()) entries.emplace_back("curves", flow_map(curves));
    return entries;
  }

  std::string inertia(const Eigen::Matrix3d& I) const {
    if (mechanism_.is_planar()) return number_text(I(2, 2));
    std::string text = "[" + number_text(I(0, 0)) + ", " + number_text(I(1, 1)) + ", " + number_text(I(2, 2));
    if (I(0, 1) != 0.0 || I(0, 2) != 0.0 || I(1, 2) != 0.0)
      text += ", " + number_text(I(0, 1)) + ", " + number_text(I(0, 2)) + ", " + number_text(I(1, 2));
    return text + "]";
  }

  std::string shape(const model::Shape& shape) const {
    const auto with_center = [&](Entries entries, const Vector3d& center) {
      if (!center.isZero(0.0)) entries.emplace_back("center", vector(center));
      return entries;
    };
    const auto with_axis = [&](Entries entries, const Vector3d& axis) {
      if (!mechanism_.is_planar() && axis != Vector3d::UnitZ()) entries.emplace_back("axis", vector(axis));
      return flow_map(entries);
    };
    std::string size;
    if (const auto* bar = std::get_if<model::Bar>(&shape))
      size = "[" + word(bar->from) + ", " + word(bar->to) + "]";
    if (const auto* disc = std::get_if<model::Disc>(&shape))
      size = with_axis(with_center({{"radius", number_text(disc->radius)}}, disc->p_BC_B), disc->axis_B);
    if (const auto* box = std::get_if<model::Box>(&shape))
      size = flow_map(with_center({{"size", vector(box->size)}}, box->p_BC_B));
    if (const auto* cylinder = std::get_if<model::Cylinder>(&shape))
      size = with_axis(
          with_center({{"radius", number_text(cylinder->radius)}, {"length", number_text(cylinder->length)}},
                      cylinder->p_BC_B),
          cylinder->axis_B);
    if (const auto* ball = std::get_if<model::Sphere>(&shape))
      size = flow_map(with_center({{"radius", number_text(ball->radius)}}, ball->p_BC_B));
    return flow_map({{std::string(model::name(shape)), size}});
  }

  void add_visuals(Entries& entries, const model::Body& body) const {
    std::string list;
    for (const model::Shape& visual : body.visuals) list += (list.empty() ? "" : ", ") + shape(visual);
    if (!list.empty()) entries.emplace_back("visuals", "[" + list + "]");
  }

  Entries drawn_entries(const model::DrawnPose& drawn) const {
    Entries entries;
    if (!drawn.p_WB_W.isZero(0.0)) entries.emplace_back("at", vector(drawn.p_WB_W));
    const Vector3d& r = drawn.rotation_vector;
    if (r.isZero(0.0)) return entries;
    if (mechanism_.is_planar())
      entries.emplace_back("angle", angle_text(r.z()));
    else
      entries.emplace_back("rotation", turn_text(r));
    return entries;
  }

  static std::string turn_text(const Vector3d& r) {
    return "[" + angle_text(r.x()) + ", " + angle_text(r.y()) + ", " + angle_text(r.z()) + "]";
  }

  Entries body_entries(const model::Body& body) const {
    Entries entries;
    if (const auto& m = body.mass_properties; !m.is_massless()) {
      entries.emplace_back("mass", number_text(m.mass));
      entries.emplace_back("center_of_mass", vector(m.p_BC_B));
      entries.emplace_back("inertia", inertia(m.I_BC_B));
      if (body.inertia_as_published) entries.emplace_back("accept_inertia", "as_published");
    }
    if (body.shape) entries.emplace_back("shape", shape(*body.shape));
    add_visuals(entries, body);
    if (body.drawn != model::DrawnPose{}) entries.emplace_back("drawn", flow_map(drawn_entries(body.drawn)));
    const Entries markers = marker_entries(body);
    entries.insert(entries.end(), markers.begin(), markers.end());
    return entries;
  }

  Entries joint_entries(const model::Joint& joint) const {
    const auto end = [&](std::size_t i) {
      return word(mechanism_.body(joint.ends[i].body).name + "." + joint.ends[i].marker);
    };
    const model::JointType written = joint.rolling ? model::JointType::kRolling : joint.type;
    Entries entries{{std::string(model::facts(written).name), "[" + end(0) + ", " + end(1) + "]"}};
    const auto& first = joint.ends[0].axis_B;
    const auto& second = joint.ends[1].axis_B;
    if (first && second)
      entries.emplace_back("axis", *first == *second
                                       ? vector(*first)
                                       : flow_map({{"first", vector(*first)}, {"second", vector(*second)}}));
    if (first && joint.type == model::JointType::kCurveOnLine) entries.emplace_back("axis", vector(*first));
    if (joint.type == model::JointType::kRod) {
      entries.emplace_back("length", number_text(joint.length));
      if (joint.rod_mass != 0.0) entries.emplace_back("mass", number_text(joint.rod_mass));
    }
    if (joint.rolling) {
      entries.emplace_back("radius", number_text(joint.rolling->radius));
      entries.emplace_back(joint.rolling->base < 0.0 ? "inside" : "on",
                           number_text(std::abs(joint.rolling->base)));
    } else if (model::may_have_radius(joint.type) && joint.length != 0.0) {
      entries.emplace_back("radius", number_text(joint.length));
    }
    if (model::has_lead(joint.type)) entries.emplace_back("lead", number_text(joint.length));
    if (!joint.friction.is_none())
      entries.emplace_back("friction", flow_map(friction_entries(joint.friction)));
    return entries;
  }

  static Entries friction_entries(const model::JointFriction& friction) {
    Entries entries;
    add_nonzero(entries, "viscous", friction.viscous);
    add_nonzero(entries, "coulomb", friction.coulomb);
    add_nonzero(entries, "stiction", friction.stiction);
    add_nonzero(entries, "coefficient", friction.coefficient);
    add_nonzero(entries, "static_coefficient", friction.static_coefficient);
    add_nonzero(entries, "radius", friction.radius);
    add_nonzero(entries, "stribeck_speed", friction.stribeck_speed);
    add_nonzero(entries, "creep_speed", friction.creep_speed);
    return entries;
  }

  Entries coupling_entries(const model::Coupling& coupling) const {
    Entries entries{relation_entry(coupling)};
    if (coupling.offset != 0.0)
      entries.emplace_back("offset", turns(coupling.terms.front().coordinate) ? angle_text(coupling.offset)
                                                                              : number_text(coupling.offset));
    return entries;
  }

  Entries::value_type relation_entry(const model::Coupling& coupling) const {
    const model::JointCoordinate& first = coupling.terms.front().coordinate;
    Entries content;
    if (coupling.kind == model::CouplingKind::kSum) {
      for (std::size_t k = 0; k < coupling.terms.size(); ++k)
        content.emplace_back(name(coupling.terms[k].coordinate), number_text(coupling.numbers[k]));
    } else if (coupling.law) {
      const model::JointCoordinate& of = coupling.terms[1].coordinate;
      content = {{"joint", name(first)}, {"of", name(of)}};
      if (const core::CubicTable* law = coupling.law->value.whole_table()) {
        content.emplace_back("table", points_text(*law, turns(of), turns(first)));
        const auto as_written = [&](double x, const model::JointCoordinate& c) {
          return turns(c) ? angle_text(x) : number_text(x);
        };
        if (law->ends() == core::CubicTable::Ends::kPeriod) {
          content.emplace_back("period", as_written(law->period(), of));
          if (law->rise() != 0.0) content.emplace_back("rise", as_written(law->rise(), first));
        }
      } else {
        const model::TimeFunction of_argument =
            coupling.law->value.with_time(model::TimeFunction::argument(0));
        const std::string variable =
            model::name(mechanism_, {model::VariableKind::kJointPosition, of.joint, of.component});
        content.emplace_back("expression", function_text(of_argument, std::array{variable}));
      }
    } else {
      static constexpr std::array<const char*, 3> kKeys{"teeth", "radius", "lead"};
      content.emplace_back("joints", "[" + name(first) + ", " + name(coupling.terms[1].coordinate) + "]");
      std::string numbers;
      for (const double number : coupling.numbers)
        numbers += (numbers.empty() ? "" : ", ") + number_text(number);
      content.emplace_back(kKeys[static_cast<std::size_t>(coupling.kind)],
                           coupling.numbers.size() == 1 ? numbers : "[" + numbers + "]");
    }
    return {std::string(model::name(coupling.kind)), flow_map(content)};
  }

  Entries driver_entries(const model::Driver& driver) const {
    static constexpr std::array<const char*, 3> kLevels{"position", "speed", "acceleration"};
    Entries entries;
    if (std::holds_alternative<model::JointIndex>(driver.target.element))
      entries.emplace_back("joint", name(driver.target));
    else if (const auto* body = std::get_if<model::BodyIndex>(&driver.target.element))
      entries.emplace_back("body", word(mechanism_.body(*body).name));
    else
      entries.emplace_back("point", name(driver.target));
    const bool is_constant_position =
        driver.level == model::DriverLevel::kPosition && driver.function.is_constant();
    entries.emplace_back(kLevels[static_cast<std::size_t>(driver.level)],
                         is_constant_position ? value_text(driver.target, driver.function.constant_value())
                                              : function_text(driver.function));
    if (driver.start) entries.emplace_back("start", value_text(driver.target, *driver.start));
    if (driver.start_speed) entries.emplace_back("start_speed", number_text(*driver.start_speed));
    return entries;
  }

  std::pair<std::string, std::string> connection(const model::Connection& connection) const {
    if (const auto* pair = std::get_if<model::PointPair>(&connection))
      return {"between", "[" + name(pair->first) + ", " + name(pair->second) + "]"};
    if (const auto* both = std::get_if<model::CoordinatePair>(&connection))
      return {"between", "[" + name(both->first) + ", " + name(both->second) + "]"};
    if (const auto* of_point = std::get_if<model::PointCoordinate>(&connection))
      return {"point",
              name(model::Variable{model::VariableKind::kPointPosition, of_point->point, of_point->axis})};
    return {"joint", name(std::get<model::JointCoordinate>(connection))};
  }

  bool turns(const model::JointCoordinate& coordinate) const { return turns(model::Connection(coordinate)); }
  bool turns(const model::Connection& connection) const {
    const auto* both = std::get_if<model::CoordinatePair>(&connection);
    const auto* coordinate =
        both != nullptr ? &both->first : std::get_if<model::JointCoordinate>(&connection);
    if (!coordinate) return false;
    const model::Variable variable{model::VariableKind::kJointPosition, coordinate->joint,
                                   coordinate->component};
    return model::dimension(mechanism_, variable) == core::kAngle;
  }

  static std::string points_text(const core::CubicTable& table, bool turns_x, bool turns_y) {
    std::string text;
    for (const auto& [x, y] : table.points())
      text += fmt::format("{}[{}, {}]", text.empty() ? "" : ", ", turns_x ? angle_text(x) : number_text(x),
                          turns_y ? angle_text(y) : number_text(y));
    return "[" + text + "]";
  }

  static std::string table(const model::ForceTable& rows, bool is_of_angles = false) {
    std::string text;
    for (const auto& [argument, force] : rows)
      text += fmt::format("{}[{}, {}]", text.empty() ? "" : ", ",
                          is_of_angles ? angle_text(argument) : number_text(argument), number_text(force));
    return "[" + text + "]";
  }

  Entries spring_entries(const model::Spring& spring) const {
    Entries entries{connection(spring.connection)};
    add_nonzero(entries, "stiffness", spring.stiffness);
    const bool is_angle = turns(spring.connection);
    if (spring.free_length != 0.0)
      entries.emplace_back(is_angle ? "free_angle" : "free_length",
                           is_angle ? angle_text(spring.free_length) : number_text(spring.free_length));
    add_nonzero(entries, "damping", spring.damping);
    add_nonzero(entries, "preload", spring.preload);
    if (!spring.table.empty()) entries.emplace_back("table", table(spring.table, is_angle));
    if (spring.gas) entries.emplace_back("gas", gas_text(*spring.gas));
    add_law(entries, spring.law, is_angle);
    return entries;
  }

  Entries damper_entries(const model::Damper& damper) const {
    Entries entries{connection(damper.connection)};
    add_nonzero(entries, "damping", damper.damping);
    if (!damper.table.empty()) entries.emplace_back("table", table(damper.table));
    add_law(entries, damper.law, turns(damper.connection));
    return entries;
  }

  std::vector<std::string> names(const std::vector<model::Variable>& variables) const {
    std::vector<std::string> texts;
    for (const model::Variable& variable : variables) texts.push_back(model::name(mechanism_, variable));
    return texts;
  }

  void add_law(Entries& entries, const std::optional<model::ForceLaw>& law, bool is_torque) const {
    if (law)
      entries.emplace_back(is_torque ? "torque" : "force",
                           function_text(law->function, names(law->variables)));
  }

  static std::string gas_text(const model::GasCharge& gas) {
    Entries entries{{"pressure", number_text(gas.pressure)},
                    {"volume", number_text(gas.volume)},
                    {"area", number_text(gas.area)}};
    if (gas.exponent != 1.0) entries.emplace_back("exponent", number_text(gas.exponent));
    add_nonzero(entries, "ambient", gas.ambient);
    return flow_map(entries);
  }

  std::string directions(const std::array<double, 6>& values) const {
    std::string text;
    for (std::size_t k = 0; k < 6; ++k)
      if (!mechanism_.is_planar() || k < 2 || k == 5)
        text += (text.empty() ? "" : ", ") + number_text(values[k]);
    return "[" + text + "]";
  }

  Entries bushing_entries(const model::Bushing& bushing) const {
    const auto end = [&](std::size_t i) {
      return word(mechanism_.body(bushing.ends[i].body).name + "." + bushing.ends[i].marker);
    };
    Entries entries{{"between", "[" + end(0) + ", " + end(1) + "]"},
                    {"stiffness", directions(bushing.stiffness)}};
    if (bushing.damping != std::array<double, 6>{})
      entries.emplace_back("damping", directions(bushing.damping));
    return entries;
  }

  Entries tyre_entries(const model::Tyre& tyre) const {
    Entries entries{{"wheel", name(tyre.center)}, {"axis", vector(tyre.axis_B)}};
    add_fitted_tyre(entries, tyre.fitted);
    return entries;
  }

  Entries stop_entries(const model::Stop& stop) const {
    const bool is_of_joint = std::holds_alternative<model::JointIndex>(stop.target.element);
    Entries entries{stop.coupling ? relation_entry(*stop.coupling)
                                  : Entries::value_type(is_of_joint ? "joint" : "point", name(stop.target))};
    const auto add_limit = [&](const char* key, const std::optional<model::TimeFunction>& limit) {
      if (limit)
        entries.emplace_back(key, limit->is_constant() ? value_text(stop.target, limit->constant_value())
                                                       : function_text(*limit));
    };
    add_limit("lower", stop.lower);
    add_limit("upper", stop.upper);
    if (stop.restitution) entries.emplace_back("restitution", number_text(*stop.restitution));
    add_nonzero(entries, "stiffness", stop.stiffness);
    add_nonzero(entries, "damping", stop.damping);
    return entries;
  }

  std::string components(const std::array<model::TimeFunction, 3>& functions,
                         std::span<const std::string> variables) const {
    std::string text =
        "[" + function_text(functions[0], variables) + ", " + function_text(functions[1], variables);
    if (!mechanism_.is_planar()) text += ", " + function_text(functions[2], variables);
    return text + "]";
  }

  Entries state_entries(const model::AuxiliaryState& state) const {
    const std::string unit = unit_text(state.dimension);
    const auto quantity = [&](double value) {
      return double_quoted(number_text(value) + (unit == "1" ? "" : " " + unit));
    };
    return {{"start", quantity(state.start)},
            {"size", quantity(state.size)},
            {"rate", function_text(state.rate.function, names(state.rate.variables))}};
  }

  Entries event_entries(const model::Event& event) const {
    constexpr std::array kDirections{"both", "rising", "falling"};
    Entries entries{{"when", function_text(event.quantity.function, names(event.quantity.variables))}};
    if (event.direction != model::PassageDirection::kBoth)
      entries.emplace_back("direction", kDirections[static_cast<std::size_t>(event.direction)]);
    if (event.ends_run) entries.emplace_back("ends_run", "true");
    return entries;
  }

  Entries load_entries(const model::Load& load) const {
    Entries entries;
    bool in_body_axes = false;
    const std::vector<std::string> variables = names(load.variables);
    if (const auto* force = std::get_if<model::PointForce>(&load.action)) {
      entries = {{"point", name(force->point)}, {"force", components(force->components, variables)}};
      in_body_axes = force->in_body_axes;
    } else if (const auto* torque = std::get_if<model::BodyTorque>(&load.action)) {
      entries = {{"body", word(mechanism_.body(torque->body).name)},
                 {"torque", mechanism_.is_planar() ? function_text(torque->components[2], variables)
                                                   : components(torque->components, variables)}};
      in_body_axes = torque->in_body_axes;
    } else {
      const auto& effort = std::get<model::JointEffort>(load.action);
      entries = {{"joint", name(effort.coordinate)},
                 {turns(effort.coordinate) ? "torque" : "force", function_text(effort.effort, variables)}};
    }
    if (in_body_axes) entries.emplace_back("axes", "body");
    return entries;
  }

  bool reads_angle(const model::Sensor& sensor) const {
    using enum model::SensorKind;
    if (sensor.kind == kInclinometer) return true;
    if (sensor.kind == kMagnetometer) return mechanism_.is_planar();
    if (const auto* variable = std::get_if<model::Variable>(&sensor.target))
      return model::dimension(mechanism_, *variable) == core::kAngle;
    const auto* coordinate = std::get_if<model::JointCoordinate>(&sensor.target);
    return sensor.kind == kEncoder && coordinate != nullptr && turns(*coordinate);
  }

  std::string target(const model::Sensor& sensor) const {
    if (const auto* body = std::get_if<model::BodyIndex>(&sensor.target))
      return word(mechanism_.body(*body).name);
    if (const auto* point = std::get_if<model::PointRef>(&sensor.target)) return name(*point);
    if (const auto* coordinate = std::get_if<model::JointCoordinate>(&sensor.target))
      return name(*coordinate);
    if (const auto* variable = std::get_if<model::Variable>(&sensor.target)) return name(*variable);
    const auto& pair = std::get<model::PointPair>(sensor.target);
    return "[" + name(pair.first) + ", " + name(pair.second) + "]";
  }

  Entries sensor_entries(const model::Sensor& sensor) const {
    Entries entries{{std::string(model::name(sensor.kind)), target(sensor)}};
    if (sensor.frame) entries.emplace_back("frame", word(*sensor.frame));
    if (sensor.field_W != Vector3d::UnitX()) entries.emplace_back("field", vector(sensor.field_W));
    add_readings(entries, sensor, reads_angle(sensor));
    return entries;
  }

  std::string value_text(const model::Variable& variable, double value) const {
    return model::dimension(mechanism_, variable) == core::kAngle ? angle_text(value) : number_text(value);
  }

  /// Rates, which are exact in either section, stand with the guesses.
  void write_start_values(const std::string& section, model::StartKind kind) {
    Entries entries;
    for (const model::StartPose& pose : mechanism_.start_poses()) {
      const std::string& body = mechanism_.body(pose.body).name;
      if (pose.p_WB_W && pose.position_kind == kind)
        entries.emplace_back(word(body + ".position"), vector(*pose.p_WB_W));
      if (pose.rotation_vector && pose.rotation_kind == kind)
        entries.emplace_back(word(body + ".rotation"), turn_text(*pose.rotation_vector));
    }
    for (const model::StartValue& start : mechanism_.start_values())
      if (start.kind == kind)
        entries.emplace_back(name(start.variable), value_text(start.variable, start.value));
    for (const model::StartRate& start : mechanism_.start_rates())
      if (kind == model::StartKind::kGuess)
        entries.emplace_back(name(start.variable), number_text(start.value));
    if (const auto& speed = mechanism_.start_speed(); speed && kind == model::StartKind::kExact)
      entries.emplace_back("speed", flow_map({{"of", word(mechanism_.body(speed->body).name)},
                                              {"value", number_text(speed->value)}}));
    if (entries.empty()) return;
    out_ += section + ":\n";
    for (const auto& [key, value] : entries) out_ += "  " + key + ": " + value + "\n";
  }

  void write_variables(const std::string& key, const std::vector<model::Variable>& variables) {
    if (variables.empty()) return;
    std::string list;
    for (const model::Variable& variable : variables) {
      list += list.empty() ? "" : ", ";
      const auto* formula = std::get_if<model::FormulaIndex>(&variable.element);
      list += formula == nullptr ? name(variable) : output_map(mechanism_.formulas()[formula->slot()]);
    }
    line(key, "[" + list + "]");
  }

  std::string output_map(const model::Formula& formula) const {
    return flow_map({{word(formula.name), output_text(mechanism_, formula)}});
  }

  const Mechanism& mechanism_;
  std::string out_;
};

}  // namespace

std::string write_mechanism(const Mechanism& mechanism) {
  return Writer(model::about_user_origin(mechanism)).write();
}

}  // namespace eslabon::io
