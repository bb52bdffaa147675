#include "eslabon/model/mechanism_builder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "eslabon/core/text/dotted_name.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/model/checks/body_checks.hpp"
#include "eslabon/model/checks/coupling_checks.hpp"
#include "eslabon/model/checks/curve_checks.hpp"
#include "eslabon/model/checks/element_checks.hpp"
#include "eslabon/model/checks/joint_checks.hpp"
#include "eslabon/model/checks/sensor_checks.hpp"
#include "eslabon/model/checks/tyre_checks.hpp"
#include "eslabon/model/checks/value_checks.hpp"
#include "eslabon/model/checks/vehicle_checks.hpp"
#include "eslabon/model/variables/name_lookup.hpp"

namespace eslabon::model {

namespace {

using detail::fail;
using detail::Place;

constexpr Place kGroundPlace{detail::kGroundWord, detail::kGroundWord};

/// Throws unless every text is new. `what` names the fault: "an output is asked for twice".
void check_listed_once(const std::vector<std::string>& names, std::string_view kind,
                       const std::string& what) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (seen.insert(name).second) continue;
    fail({kind, name}, {},
         {what, "each variable once", core::quoted(name) + " twice", "Remove one of the two."});
  }
}

/// Every variable has one name, so equal targets have equal texts.
void check_driven_once(const std::vector<DriverDescription>& drivers) {
  std::unordered_map<std::string_view, std::string_view> driver_of;
  for (const DriverDescription& driver : drivers) {
    const auto [before, is_new] = driver_of.emplace(driver.target, driver.name);
    if (is_new) continue;
    fail({detail::kDriverWord, driver.name}, {"target"},
         {"a variable is driven twice", "one driver per variable",
          core::quoted(driver.target) + ", which driver '" + std::string(before->second) + "' moves already",
          "Remove one of the two drivers."});
  }
}

/// "a body and a joint", "two bodies"
std::string two_kinds(std::string_view first, std::string_view second) {
  const auto one = [](std::string_view kind) {
    return (kind == detail::kEventWord ? "an " : "a ") + std::string(kind);
  };
  if (first != second) return one(first) + " and " + one(second);
  return first == detail::kBodyWord ? "two bodies" : "two " + std::string(first) + "s";
}

/// So that "front.left.hub.C" begins with the name of one element: there is no 'front' beside 'front.left'.
void check_begins_with_no_other(const Mechanism& mechanism, std::string_view name, std::string_view kind) {
  const std::string_view first =
      core::leading_name(name, [&](std::string_view begin) { return mechanism.find(begin).has_value(); });
  if (first != name)
    fail({kind, name}, {},
         {"a name goes on after that of another element", "no element of the name " + core::quoted(first),
          core::quoted(first) + " and " + core::quoted(name), "Rename one of the two."});
}

/// A driver's start and the start value of the variable that it moves are one and the same number.
void check_agrees_with_driver(const Mechanism& mechanism, const std::string& variable, double value) {
  for (const Driver& driver : mechanism.drivers())
    if (driver.start && *driver.start != value && name(mechanism, driver.target) == variable)
      detail::fail({detail::kStartValueWord, variable}, {},
                   {"a start value and a driver disagree",
                    "the start of driver '" + driver.name + "', " + core::number_text(*driver.start),
                    core::number_text(value), "Remove one of the two."});
}

}  // namespace

MechanismBuilder::MechanismBuilder(std::string name, Space space) {
  if (name.empty())
    fail({detail::kMechanismWord, name}, {},
         {"a name is empty", "a name of at least one letter", "nothing", "Give the mechanism a name."});
  parts_.name = std::move(name);
  parts_.is_planar = space == Space::kPlanar;
  parts_.bodies.emplace_back().name = detail::kGroundWord;
  body_slots_.emplace(detail::kGroundWord, 0);
}

void MechanismBuilder::set_gravity(const Eigen::Vector3d& gravity_W) {
  const Place place{detail::kMechanismWord, parts_.name};
  detail::check_finite(gravity_W, place, {"gravity"});
  if (parts_.is_planar && gravity_W.z() != 0.0)
    fail(
        place, {"gravity"},
        {"gravity leaves the plane", "z = 0 in a planar mechanism", detail::with_unit(gravity_W.z(), "m/s^2"),
         "Set z to 0, or remove 'plane' to make the mechanism spatial."});
  parts_.gravity_W = gravity_W;
}

MechanismBuilder::MarkerNames& MechanismBuilder::marker_names(const std::string& body) {
  const auto [names, is_new] = marker_names_.try_emplace(body);
  if (is_new) {
    const Body& owner = parts_.bodies[body_slots_.at(body)];
    for (const NamedPoint& point : owner.points) names->second.points_and_frames.insert(point.name);
    for (const NamedFrame& frame : owner.frames) names->second.points_and_frames.insert(frame.name);
    for (const NamedCurve& curve : owner.curves) names->second.points_and_frames.insert(curve.name);
    for (const NamedAxis& axis : owner.axes) names->second.axes.insert(axis.name);
  }
  return names->second;
}

void MechanismBuilder::add_markers(const std::string& body, std::vector<NamedPoint> points,
                                   std::vector<NamedAxis> axes, std::vector<NamedFrame> frames,
                                   std::vector<NamedCurve> curves) {
  const auto slot = body_slots_.find(body);
  if (slot == body_slots_.end())
    fail({detail::kBodyWord, body}, {},
         {"no such body", "a body that was added before", core::quoted(body), "Add the body first."});
  const Place place{body == detail::kGroundWord ? detail::kGroundWord : detail::kBodyWord, body};
  MarkerNames& names = marker_names(body);
  Body& owner = parts_.bodies[slot->second];
  for (NamedPoint& point : points) {
    detail::check_point(point, parts_.is_planar, place);
    detail::check_marker_is_new(!names.points_and_frames.insert(point.name).second, place,
                                {"point", point.name});
    owner.points.push_back(std::move(point));
  }
  for (NamedAxis& axis : axes) {
    detail::check_axis(axis, parts_.is_planar, place);
    detail::check_marker_is_new(!names.axes.insert(axis.name).second, place, {"axis", axis.name});
    owner.axes.push_back(std::move(axis));
  }
  for (NamedFrame& frame : frames) {
    detail::check_frame(frame, parts_.is_planar, place);
    detail::check_marker_is_new(!names.points_and_frames.insert(frame.name).second, place,
                                {"frame", frame.name});
    owner.frames.push_back(std::move(frame));
  }
  for (NamedCurve& curve : curves) {
    detail::check_curve(curve, parts_.is_planar, place);
    detail::check_marker_is_new(!names.points_and_frames.insert(curve.name).second, place,
                                {"curve", curve.name});
    owner.curves.push_back(std::move(curve));
  }
}

void MechanismBuilder::add_ground_point(std::string name, const Eigen::Vector3d& p_WP_W) {
  add_markers(std::string(detail::kGroundWord), {{std::move(name), p_WP_W}}, {}, {});
}

void MechanismBuilder::add_ground_axis(std::string name, const Eigen::Vector3d& u_W) {
  add_markers(std::string(detail::kGroundWord), {}, {{std::move(name), u_W}}, {});
}

void MechanismBuilder::add_ground_frame(NamedFrame frame) {
  add_markers(std::string(detail::kGroundWord), {}, {}, {std::move(frame)});
}

void MechanismBuilder::add_ground_visual(Shape visual) {
  Body& ground = parts_.bodies.front();
  detail::check_visual(visual, ground.points, parts_.is_planar, kGroundPlace);
  ground.visuals.push_back(std::move(visual));
}

void MechanismBuilder::add_body(BodyDescription description) {
  parts_.bodies.push_back(detail::make_body(std::move(description), parts_.is_planar));
  body_slots_.emplace(parts_.bodies.back().name, parts_.bodies.size() - 1);
}

void MechanismBuilder::add_joint(JointDescription description) {
  detail::check_joint(description, parts_.is_planar);
  joints_.push_back(std::move(description));
}

void MechanismBuilder::add_coupling(CouplingDescription description) {
  detail::check_coupling(description, {detail::kCouplingWord, description.name});
  couplings_.push_back(std::move(description));
}

void MechanismBuilder::add_driver(DriverDescription description) {
  detail::check_driver(description);
  drivers_.push_back(std::move(description));
}

void MechanismBuilder::add_spring(SpringDescription description) {
  detail::check_spring(description);
  springs_.push_back(std::move(description));
}

void MechanismBuilder::add_damper(DamperDescription description) {
  detail::check_damper(description);
  dampers_.push_back(std::move(description));
}

void MechanismBuilder::add_tyre(TyreDescription description) {
  detail::check_tyre(description, parts_.is_planar);
  tyres_.push_back(std::move(description));
}

void MechanismBuilder::set_road(tyres::Road road) {
  detail::check_road(road, parts_.is_planar);
  parts_.road = std::move(road);
}

void MechanismBuilder::set_vehicle(VehicleDescription description) {
  detail::check_vehicle(description, parts_.is_planar);
  vehicle_ = std::move(description);
}

void MechanismBuilder::add_bushing(BushingDescription description) {
  detail::check_bushing(description, parts_.is_planar);
  bushings_.push_back(std::move(description));
}

void MechanismBuilder::set_law(const std::string& element, LawDescription law) {
  for (SpringDescription& spring : springs_)
    if (spring.name == element) spring.law = law;
  for (DamperDescription& damper : dampers_)
    if (damper.name == element) damper.law = law;
}

void MechanismBuilder::add_state(StateDescription description) {
  detail::check_state(description);
  states_.push_back(std::move(description));
}

void MechanismBuilder::set_rate(const std::string& state, LawDescription rate) {
  for (StateDescription& description : states_)
    if (description.name == state) description.rate = rate;
}

void MechanismBuilder::add_stop(StopDescription description) {
  detail::check_stop(description);
  stops_.push_back(std::move(description));
}

void MechanismBuilder::add_load(LoadDescription description) {
  detail::check_load(description, parts_.is_planar);
  loads_.push_back(std::move(description));
}

void MechanismBuilder::add_event(EventDescription description) {
  detail::check_element_name({detail::kEventWord, description.name});
  events_.push_back(std::move(description));
}

void MechanismBuilder::add_sensor(SensorDescription description) {
  detail::check_sensor(description, parts_.is_planar);
  sensors_.push_back(std::move(description));
}

void MechanismBuilder::add_start_value(std::string variable, double value, StartKind kind) {
  detail::check_finite(value, "", {detail::kStartValueWord, variable}, {});
  start_values_.push_back({std::move(variable), value, kind});
}

void MechanismBuilder::add_start_rate(std::string variable, double value) {
  detail::check_finite(value, "", {detail::kStartRateWord, variable}, {});
  start_rates_.push_back({std::move(variable), value});
}

void MechanismBuilder::set_start_speed(std::string body, double value) {
  const Place place{detail::kStartWord, ""};
  if (parts_.is_planar)
    fail(place, {"speed"},
         {"a speed of the whole in a planar mechanism", "rates of variables", "'speed'",
          "Give the rate of a coordinate, as in 'slider.P.vx: 2 m/s'."});
  detail::check_finite(value, "m/s", place, {"speed"});
  start_speed_ = {std::move(body), value};
}

void MechanismBuilder::add_start_position(std::string body, const Eigen::Vector3d& p_WB_W, StartKind kind) {
  add_start_pose({std::move(body), p_WB_W, std::nullopt, kind});
}

void MechanismBuilder::add_start_rotation(std::string body, const Eigen::Vector3d& rotation_vector,
                                          StartKind kind) {
  add_start_pose({std::move(body), std::nullopt, rotation_vector, kind});
}

void MechanismBuilder::add_start_pose(StartPoseDescription pose) {
  const std::string variable = pose.variable();
  const Place place{detail::kStartValueWord, variable};
  if (parts_.is_planar)
    fail(place, {},
         {"a start pose in a planar mechanism", "an angle or a coordinate of a point", core::quoted(variable),
          "Use '" + pose.body + ".angle' and '" + pose.body + ".POINT.x', '.y' instead."});
  detail::check_finite(pose.p_WB_W ? *pose.p_WB_W : *pose.rotation_vector, place, {});
  start_poses_.push_back(std::move(pose));
}

void MechanismBuilder::add_input(std::string variable) { inputs_.push_back(std::move(variable)); }

void MechanismBuilder::add_output(std::string variable) { outputs_.push_back(std::move(variable)); }

Mechanism MechanismBuilder::build() const {
  if (parts_.bodies.size() == 1)
    fail({detail::kMechanismWord, parts_.name}, {},
         {"nothing moves", "at least one body beside the ground", "none", "Add a body and a joint."});
  Mechanism mechanism;
  mechanism.parts_ = parts_;
  index_names(mechanism);
  const detail::NameLookup lookup(mechanism);
  resolve_joints(mechanism, lookup);
  resolve_couplings(mechanism, lookup);
  resolve_drivers(mechanism, lookup);
  resolve_force_elements(mechanism, lookup);
  for (const SensorDescription& sensor : sensors_)
    mechanism.parts_.sensors.push_back(detail::make_sensor(sensor, mechanism, lookup));
  resolve_start(mechanism, lookup);
  resolve_start_rates(mechanism, lookup);
  resolve_start_speed(mechanism, lookup);
  resolve_inputs_and_outputs(mechanism, lookup);
  if (vehicle_) mechanism.parts_.vehicle = detail::make_vehicle(*vehicle_, mechanism, lookup);
  return mechanism;
}

Mechanism MechanismBuilder::with_sensor(const Mechanism& mechanism, const SensorDescription& description) {
  detail::check_sensor(description, mechanism.is_planar());
  if (const auto other = mechanism.find(description.name))
    fail({detail::kSensorWord, description.name}, {},
         {"two elements have the same name", "one element per name",
          std::holds_alternative<FormulaIndex>(*other) ? "an output and a sensor"
                                                       : "another element and a sensor",
          "Rename one of the two."});
  Mechanism result = mechanism;
  result.elements_.emplace(description.name, Mechanism::Element());
  check_begins_with_no_other(result, description.name, detail::kSensorWord);
  result.parts_.sensors.push_back(detail::make_sensor(description, result, detail::NameLookup(result)));
  return result;
}

void MechanismBuilder::index_names(Mechanism& mechanism) const {
  std::unordered_map<std::string_view, std::string_view> kind_of;
  const std::size_t count = parts_.bodies.size() + joints_.size() + couplings_.size() + drivers_.size() +
                            springs_.size() + dampers_.size() + bushings_.size() + stops_.size() +
                            loads_.size() + states_.size() + tyres_.size() + events_.size() + sensors_.size();
  kind_of.reserve(count);
  mechanism.elements_.reserve(count);
  const auto add_all = [&](const auto& elements, std::string_view kind, const auto& element_at) {
    for (std::size_t k = 0; k < elements.size(); ++k) {
      const std::string& name = elements[k].name;
      const auto [before, is_new] = kind_of.emplace(name, kind);
      if (!is_new)
        fail({kind, name}, {},
             {"two elements have the same name", "one element per name", two_kinds(before->second, kind),
              "Rename one of the two."});
      mechanism.elements_.emplace(name, element_at(static_cast<int>(k)));
    }
  };
  using Element = Mechanism::Element;
  add_all(parts_.bodies, detail::kBodyWord, [](int k) { return Element(BodyIndex(k)); });
  add_all(joints_, detail::kJointWord, [](int k) { return Element(JointIndex(k)); });
  add_all(couplings_, detail::kCouplingWord, [](int k) { return Element(CouplingIndex(k)); });
  add_all(drivers_, detail::kDriverWord, [](int k) { return Element(DriverIndex(k)); });
  add_all(springs_, detail::kSpringWord, [](int k) { return Element(SpringIndex(k)); });
  add_all(dampers_, detail::kDamperWord, [](int k) { return Element(DamperIndex(k)); });
  add_all(bushings_, detail::kBushingWord, [](int) { return Element(); });
  add_all(stops_, detail::kStopWord, [](int k) { return Element(StopIndex(k)); });
  add_all(loads_, detail::kLoadWord, [](int k) { return Element(LoadIndex(k)); });
  add_all(states_, detail::kStateWord, [](int k) { return Element(StateIndex(k)); });
  const int num_described = static_cast<int>(states_.size());
  const std::vector<AuxiliaryState> slips = slips_of_tyres();
  add_all(slips, detail::kStateWord, [&](int k) { return Element(StateIndex(num_described + k)); });
  add_all(tyres_, detail::kTyreWord, [](int k) { return Element(TyreIndex(k)); });
  add_all(events_, detail::kEventWord, [](int) { return Element(); });
  add_all(sensors_, detail::kSensorWord, [](int) { return Element(); });
  for (const auto& [name, kind] : kind_of) check_begins_with_no_other(mechanism, name, kind);
}

void MechanismBuilder::resolve_joints(Mechanism& mechanism, const detail::NameLookup& lookup) const {
  mechanism.parts_.joints.reserve(joints_.size());
  for (const JointDescription& joint : joints_)
    mechanism.parts_.joints.push_back(detail::make_joint(joint, mechanism, lookup));
  detail::check_joints_together(mechanism);
}

void MechanismBuilder::resolve_couplings(Mechanism& mechanism, const detail::NameLookup& lookup) const {
  for (const CouplingDescription& coupling : couplings_)
    mechanism.parts_.couplings.push_back(
        detail::make_coupling(coupling, {detail::kCouplingWord, coupling.name}, mechanism, lookup));
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    if (mechanism.joints()[j].rolling)
      mechanism.parts_.couplings.push_back(detail::make_rolling(mechanism, JointIndex(static_cast<int>(j))));
}

void MechanismBuilder::resolve_drivers(Mechanism& mechanism, const detail::NameLookup& lookup) const {
  for (const DriverDescription& driver : drivers_)
    mechanism.parts_.drivers.push_back(detail::make_driver(driver, lookup));
  check_driven_once(drivers_);
}

void MechanismBuilder::resolve_force_elements(Mechanism& mechanism, const detail::NameLookup& lookup) const {
  for (const SpringDescription& spring : springs_)
    mechanism.parts_.springs.push_back(detail::make_spring(spring, mechanism, lookup));
  for (const DamperDescription& damper : dampers_)
    mechanism.parts_.dampers.push_back(detail::make_damper(damper, mechanism, lookup));
  for (const BushingDescription& bushing : bushings_)
    mechanism.parts_.bushings.push_back(detail::make_bushing(bushing, mechanism, lookup));
  for (const StopDescription& stop : stops_)
    mechanism.parts_.stops.push_back(detail::make_stop(stop, mechanism, lookup));
  for (const StateDescription& state : states_) mechanism.parts_.states.push_back(detail::make_state(state));
  resolve_tyres(mechanism, lookup);
  resolve_laws(mechanism, lookup);
  for (const LoadDescription& load : loads_)
    mechanism.parts_.loads.push_back(detail::make_load(load, mechanism, lookup));
  for (const EventDescription& event : events_)
    mechanism.parts_.events.push_back(
        {event.name,
         detail::make_law(event.quantity, {detail::kEventWord, event.name}, "when", mechanism, lookup),
         event.direction, event.ends_run});
}

std::vector<AuxiliaryState> MechanismBuilder::slips_of_tyres() const {
  std::vector<AuxiliaryState> slips;
  for (const TyreDescription& tyre : tyres_)
    for (const char* what : {"_kappa", "_tan_alpha"})
      slips.push_back(
          {.name = tyre.name + what, .dimension = core::kNumber, .size = detail::kSizeOfSlip, .rate = {}});
  return slips;
}

void MechanismBuilder::resolve_tyres(Mechanism& mechanism, const detail::NameLookup& lookup) const {
  int state = static_cast<int>(mechanism.parts_.states.size());
  std::vector<AuxiliaryState> slips = slips_of_tyres();
  for (AuxiliaryState& slip : slips) mechanism.parts_.states.push_back(std::move(slip));
  for (const TyreDescription& tyre : tyres_) {
    mechanism.parts_.tyres.push_back(
        detail::make_tyre(tyre, StateIndex(state), StateIndex(state + 1), lookup));
    state += 2;
  }
}

/// Laws may look at every spring, damper and auxiliary state: they are there by now.
void MechanismBuilder::resolve_laws(Mechanism& mechanism, const detail::NameLookup& lookup) const {
  for (std::size_t s = 0; s < springs_.size(); ++s)
    if (springs_[s].law)
      mechanism.parts_.springs[s].law = detail::make_law(
          *springs_[s].law, {detail::kSpringWord, springs_[s].name}, "force", mechanism, lookup);
  for (std::size_t d = 0; d < dampers_.size(); ++d)
    if (dampers_[d].law)
      mechanism.parts_.dampers[d].law = detail::make_law(
          *dampers_[d].law, {detail::kDamperWord, dampers_[d].name}, "force", mechanism, lookup);
  for (std::size_t k = 0; k < states_.size(); ++k)
    mechanism.parts_.states[k].rate =
        detail::make_law(states_[k].rate, {detail::kStateWord, states_[k].name}, "rate", mechanism, lookup);
}

namespace {

/// Assembly knows an angle up to whole turns: which turn a wheel in mesh is in, drivers alone can say.
void check_coupled_start(const Mechanism& mechanism, const Variable& variable, double value,
                         const detail::Place& place) {
  if (variable.kind != VariableKind::kJointPosition || dimension(mechanism, variable) != core::kAngle ||
      std::abs(value) <= std::numbers::pi)
    return;
  const JointCoordinate coordinate{std::get<JointIndex>(variable.element), variable.component};
  for (const Coupling& coupling : mechanism.couplings())
    if (std::ranges::find(coupling.terms, coordinate, &CouplingTerm::coordinate) != coupling.terms.end())
      fail(place, {},
           {"a coupled angle starts beyond half a turn",
            "an angle from -180 to 180 deg, of a joint that '" + coupling.name + "' looks at",
            core::rounded_text(value) + " rad",
            "Take whole turns off and give them to 'offset:', or move the joint by a driver."});
}

}  // namespace

void MechanismBuilder::resolve_start(Mechanism& mechanism, const detail::NameLookup& lookup) const {
  std::vector<std::string> names;
  for (const NamedStart& start : start_values_) {
    names.push_back(start.name);
    check_agrees_with_driver(mechanism, start.name, start.value);
    const Place place{detail::kStartValueWord, start.name};
    const Variable variable = lookup.variable(start.name, place, {});
    if (!is_position(variable) && !is_rate(variable))
      fail(place, {},
           {"neither a position nor a rate",
            std::string(parts_.is_planar ? "an angle or rate" : "an angular velocity") +
                " of a body, or a coordinate of a point or joint or its velocity",
            core::quoted(start.name),
            "Choose a variable that says where the mechanism is, or how fast it moves."});
    check_coupled_start(mechanism, variable, start.value, place);
    mechanism.parts_.start_values.push_back(
        {lookup.position_variable(start.name, place, {}), start.value, start.kind});
  }
  std::unordered_map<std::string_view, std::size_t> pose_of;  // by body
  for (const StartPoseDescription& start : start_poses_) {
    names.push_back(start.variable());
    const BodyIndex body = lookup.moving_body(start.body, {detail::kStartValueWord, names.back()}, {});
    std::vector<StartPose>& poses = mechanism.parts_.start_poses;
    const auto [slot, is_new] = pose_of.emplace(start.body, poses.size());
    if (is_new) poses.push_back({.body = body, .p_WB_W = {}, .rotation_vector = {}});
    StartPose& pose = poses[slot->second];
    if (start.p_WB_W) {
      pose.p_WB_W = start.p_WB_W;
      pose.position_kind = start.kind;
    } else {
      pose.rotation_vector = start.rotation_vector;
      pose.rotation_kind = start.kind;
    }
  }
  check_listed_once(names, detail::kStartValueWord, "a start value is given twice");
}

void MechanismBuilder::resolve_start_rates(Mechanism& mechanism, const detail::NameLookup& lookup) const {
  std::vector<std::string> names;
  for (const NamedValue& start : start_rates_) {
    names.push_back(start.name);
    const Place place{detail::kStartRateWord, start.name};
    mechanism.parts_.start_rates.push_back({lookup.rate_variable(start.name, place, {}), start.value});
  }
  check_listed_once(names, detail::kStartRateWord, "a start rate is given twice");
}

void MechanismBuilder::resolve_start_speed(Mechanism& mechanism, const detail::NameLookup& lookup) const {
  if (!start_speed_) return;
  if (!start_rates_.empty())
    fail({detail::kStartWord, ""}, {"speed"},
         {"a speed of the whole beside start rates", "one of the two",
          core::quoted(start_rates_.front().name), "Remove the rates: the speed tells them all."});
  const auto mass_of = [](const Body& body) { return body.mass_properties.mass; };
  const auto& bodies = mechanism.bodies();
  const auto heaviest = std::ranges::max_element(bodies.begin() + 1, bodies.end(), {}, mass_of);
  const BodyIndex body = start_speed_->name.empty()
                             ? BodyIndex(static_cast<int>(heaviest - bodies.begin()))
                             : lookup.moving_body(start_speed_->name, {detail::kStartWord, ""}, {"speed"});
  mechanism.parts_.start_speed = StartSpeed{body, start_speed_->value};
}

void MechanismBuilder::resolve_inputs_and_outputs(Mechanism& mechanism,
                                                  const detail::NameLookup& lookup) const {
  std::unordered_map<std::string_view, std::string_view> driver_of;  // by target
  for (const DriverDescription& driver : drivers_) driver_of.emplace(driver.target, driver.name);
  for (const std::string& input : inputs_) {
    const Place place{detail::kInputWord, input};
    mechanism.parts_.inputs.push_back(lookup.position_variable(input, place, {}));
    const auto driver = driver_of.find(input);
    if (driver != driver_of.end())
      fail(place, {},
           {"an input is driven already", "a variable that no driver moves",
            core::quoted(input) + ", which driver " + core::quoted(driver->second) + " moves",
            "Remove the input, or the driver."});
  }
  check_listed_once(inputs_, detail::kInputWord, "an input is listed twice");
  mechanism.parts_.outputs = resolve_outputs(outputs_, lookup);
}

std::vector<Variable> MechanismBuilder::resolve_outputs(const std::vector<std::string>& names,
                                                        const detail::NameLookup& lookup) {
  std::vector<Variable> outputs;
  outputs.reserve(names.size());
  for (const std::string& name : names)
    outputs.push_back(lookup.variable(name, {detail::kOutputWord, name}, {}));
  check_listed_once(names, detail::kOutputWord, "an output is listed twice");
  return outputs;
}

}  // namespace eslabon::model
