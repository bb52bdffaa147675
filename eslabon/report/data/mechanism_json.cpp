#include "eslabon/report/data/mechanism_json.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include "eslabon/report/data/array_json.hpp"

namespace eslabon::report {

namespace {

using model::BodyIndex;
using model::Mechanism;
using nlohmann::json;

template <class... Cases>
struct Visitor : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Visitor(Cases...) -> Visitor<Cases...>;

json vector_json(const Eigen::Vector3d& a) { return {a(0), a(1), a(2)}; }

json quaternion_json(const core::Rotation<double>& R) {
  const core::EulerParameters<double> e = R.to_euler_parameters();
  return {e(0), e(1), e(2), e(3)};
}

json attachment(BodyIndex body, const Eigen::Vector3d& p_BP_B) {
  return {{"body", body.value()}, {"at", vector_json(p_BP_B)}};
}

json attachment(const Mechanism& mechanism, const model::PointRef& ref) {
  json place = attachment(ref.body, mechanism.point(ref).p_BP_B);
  place["name"] = mechanism.point(ref).name;
  return place;
}

/// Where something that belongs to the body as a whole is drawn.
json at_centre(const Mechanism& mechanism, BodyIndex body) {
  return attachment(body, mechanism.body(body).mass_properties.p_BC_B);
}

const model::NamedPoint* find_point(const model::Body& body, const std::string& name) {
  const auto found = std::find_if(body.points.begin(), body.points.end(),
                                  [&](const auto& point) { return point.name == name; });
  return found == body.points.end() ? nullptr : &*found;
}

Eigen::Vector3d point_of_bar(const model::Body& body, const std::string& name) {
  const model::NamedPoint* point = find_point(body, name);
  return point != nullptr ? point->p_BP_B : Eigen::Vector3d::Zero();
}

json shape_json(const model::Body& body, const model::Shape& of) {
  json shape =
      std::visit(Visitor{[&](const model::Bar& bar) -> json {
                           return {{"from", vector_json(point_of_bar(body, bar.from))},
                                   {"to", vector_json(point_of_bar(body, bar.to))}};
                         },
                         [](const model::Disc& disc) -> json {
                           return {{"radius", disc.radius},
                                   {"centre", vector_json(disc.p_BC_B)},
                                   {"axis", vector_json(disc.axis_B.normalized())}};
                         },
                         [](const model::Box& box) -> json {
                           return {{"size", vector_json(box.size)}, {"centre", vector_json(box.p_BC_B)}};
                         },
                         [](const model::Cylinder& cylinder) -> json {
                           return {{"radius", cylinder.radius},
                                   {"length", cylinder.length},
                                   {"centre", vector_json(cylinder.p_BC_B)},
                                   {"axis", vector_json(cylinder.axis_B.normalized())}};
                         },
                         [](const model::Sphere& sphere) -> json {
                           return {{"radius", sphere.radius}, {"centre", vector_json(sphere.p_BC_B)}};
                         }},
                 of);
  shape["kind"] = name(of);
  return shape;
}

/// The line of a curve, a few places between two of its points.
json curve_json(const model::NamedCurve& curve) {
  constexpr int kPlacesBetween = 4;
  const auto touched = model::touched_curve(curve);
  const std::vector<double>& knots = touched->spline.knots();
  json line = json::array();
  const auto add = [&](double u) {
    line.push_back(vector_json(curve.points.front() + touched->spline.at(u).p));
  };
  for (std::size_t i = 0; i + 1 < knots.size(); ++i)
    for (int k = 0; k < kPlacesBetween; ++k) add(knots[i] + (knots[i + 1] - knots[i]) * k / kPlacesBetween);
  if (!curve.is_closed) add(knots.back());
  return {{"name", curve.name},
          {"line", std::move(line)},
          {"closed", curve.is_closed},
          {"solid", curve.is_closed && !curve.is_other_side}};
}

json body_json(const model::Body& body) {
  json points = json::array();
  for (const model::NamedPoint& point : body.points)
    points.push_back({{"name", point.name}, {"at", vector_json(point.p_BP_B)}});
  json out{{"name", body.name},
           {"mass", body.mass_properties.mass},
           {"centre", vector_json(body.mass_properties.p_BC_B)},
           {"points", std::move(points)}};
  if (!body.origin_B.isZero(0.0)) out["origin"] = vector_json(body.origin_B);
  if (body.shape) out["shape"] = shape_json(body, *body.shape);
  for (const model::NamedCurve& curve : body.curves) out["curves"].push_back(curve_json(curve));
  for (const model::Shape& visual : body.visuals) out["visuals"].push_back(shape_json(body, visual));
  return out;
}

json joint_json(const model::Joint& joint) {
  json ends = json::array();
  for (const model::JointEnd& end : joint.ends) {
    json place = attachment(end.body, end.X_BF.p_AB_A);
    place["name"] = end.marker;
    place["axes"] = quaternion_json(end.X_BF.R_AB);
    if (end.curve) place["curve"] = true;
    ends.push_back(std::move(place));
  }
  json out{{"name", joint.name},
           {"kind", model::facts(joint.type).name},
           {"ends", std::move(ends)},
           {"length", joint.length},
           {"mass", joint.rod_mass}};
  if (joint.rolling) out["rolling"] = {{"radius", joint.rolling->radius}, {"base", joint.rolling->base}};
  return out;
}

json coupling_json(const model::Coupling& coupling) {
  json joints = json::array();
  for (const model::CouplingTerm& term : coupling.terms) joints.push_back(term.coordinate.joint.value());
  return {{"name", coupling.name},
          {"kind", model::name(coupling.kind)},
          {"joints", std::move(joints)},
          {"numbers", coupling.numbers}};
}

/// Wheels with play are drawn as those without.
json couplings_json(const Mechanism& mechanism) {
  json out = array_json<json>(mechanism.couplings(), coupling_json);
  for (const model::Stop& stop : mechanism.stops())
    if (stop.coupling) out.push_back(coupling_json(*stop.coupling));
  return out;
}

/// Puts where a spring or damper acts: `ends` or `joint`; on a coordinate of a point neither.
void put_connection(json& out, const Mechanism& mechanism, const model::Connection& connection) {
  std::visit(
      Visitor{[&](const model::PointPair& pair) {
                out["ends"] = {attachment(mechanism, pair.first), attachment(mechanism, pair.second)};
              },
              [&](const model::JointCoordinate& coordinate) { out["joint"] = coordinate.joint.value(); },
              [&](const model::CoordinatePair& pair) { out["joint"] = pair.second.joint.value(); },
              [](const model::PointCoordinate&) {}},  // has no second place: arrows show its force
      connection);
}

json springs_json(const Mechanism& mechanism) {
  json out = json::array();
  for (const model::Spring& spring : mechanism.springs()) {
    const bool has_coils = spring.stiffness != 0.0 || !spring.table.empty() || spring.preload != 0.0 ||
                           spring.gas.has_value() || spring.law.has_value();
    out.push_back({{"name", spring.name}, {"coils", has_coils}, {"damping", spring.damping != 0.0}});
    put_connection(out.back(), mechanism, spring.connection);
  }
  for (const model::Damper& damper : mechanism.dampers()) {
    out.push_back({{"name", damper.name}, {"coils", false}, {"damping", true}});
    put_connection(out.back(), mechanism, damper.connection);
  }
  return out;
}

/// Puts where a sensor sits: `place`, `second`, `joint`.
class SensorPlace {
 public:
  SensorPlace(json& out, const Mechanism& mechanism) : out_(out), mechanism_(mechanism) {}

  void operator()(BodyIndex body) const { out_["place"] = at_centre(mechanism_, body); }
  void operator()(const model::PointRef& point) const { out_["place"] = attachment(mechanism_, point); }
  void operator()(model::JointIndex joint) const { out_["joint"] = joint.value(); }
  void operator()(const model::JointCoordinate& coordinate) const { (*this)(coordinate.joint); }
  void operator()(const model::CoordinatePair& pair) const { (*this)(pair.second.joint); }
  void operator()(const model::PointCoordinate& coordinate) const { (*this)(coordinate.point); }
  void operator()(const model::PointPair& pair) const {
    (*this)(pair.first);
    out_["second"] = attachment(mechanism_, pair.second);
  }
  void operator()(const model::Variable& variable) const { std::visit(*this, variable.element); }
  void operator()(model::DriverIndex driver) const { (*this)(mechanism_.drivers()[driver.slot()].target); }
  void operator()(model::SpringIndex spring) const {
    std::visit(*this, mechanism_.springs()[spring.slot()].connection);
  }
  void operator()(model::DamperIndex damper) const {
    std::visit(*this, mechanism_.dampers()[damper.slot()].connection);
  }
  void operator()(const model::AxisRef& axis) const { (*this)(axis.body); }
  void operator()(model::StateIndex) const {}
  void operator()(model::TyreIndex tyre) const { (*this)(mechanism_.tyres()[tyre.slot()].center); }
  void operator()(model::FormulaIndex) const {}
  void operator()(model::CouplingIndex coupling) const {
    (*this)(mechanism_.coupling(coupling).terms.front().coordinate);
  }
  void operator()(model::LoadIndex load) const {
    const auto& action = mechanism_.loads()[load.slot()].action;
    if (const auto* force = std::get_if<model::PointForce>(&action)) (*this)(force->point);
    if (const auto* torque = std::get_if<model::BodyTorque>(&action)) (*this)(torque->body);
    if (const auto* effort = std::get_if<model::JointEffort>(&action)) (*this)(effort->coordinate);
  }
  void operator()(model::StopIndex stop) const { (*this)(mechanism_.stops()[stop.slot()].target); }

 private:
  json& out_;
  const Mechanism& mechanism_;
};

json sensor_json(const Mechanism& mechanism, const model::Sensor& sensor) {
  json out{{"name", sensor.name}, {"kind", model::name(sensor.kind)}};
  std::visit(SensorPlace(out, mechanism), sensor.target);
  if (!model::facts(sensor.kind).has_axes) return out;
  core::Pose<double> X_BS;
  if (sensor.frame && out.contains("place")) {
    const model::Body& body = mechanism.body(BodyIndex(out["place"]["body"].get<int>()));
    for (const model::NamedFrame& frame : body.frames)
      if (frame.name == *sensor.frame) X_BS = frame.X_BF();
    if (std::holds_alternative<BodyIndex>(sensor.target)) {
      out["place"]["at"] = vector_json(X_BS.p_AB_A);
      out["place"]["name"] = *sensor.frame;
    }
  }
  out["axes"] = quaternion_json(X_BS.R_AB);
  return out;
}

json driver_json(const Mechanism& mechanism, const model::Driver& driver) {
  json out{{"name", driver.name}, {"target", model::name(mechanism, driver.target)}};
  if (const auto* joint = std::get_if<model::JointIndex>(&driver.target.element))
    out["joint"] = joint->value();
  return out;
}

json load_json(const Mechanism& mechanism, const model::Load& load) {
  json out{{"name", load.name}};
  std::visit(Visitor{[&](const model::PointForce& force) {
                       out["kind"] = "force";
                       out["place"] = attachment(mechanism, force.point);
                     },
                     [&](const model::BodyTorque& torque) {
                       out["kind"] = "torque";
                       out["place"] = at_centre(mechanism, torque.body);
                     },
                     [&](const model::JointEffort& effort) {
                       out["kind"] = "effort";
                       out["joint"] = effort.coordinate.joint.value();
                     }},
             load.action);
  return out;
}

/// Limits are those at t = 0.
json stop_json(const Mechanism& mechanism, const model::Stop& stop) {
  json out{{"name", stop.name}};
  if (stop.coupling) return out;
  if (const auto* point = std::get_if<model::PointRef>(&stop.target.element)) {
    out["place"] = attachment(mechanism, *point);
    out["axis"] = vector_json(Eigen::Vector3d::Unit(stop.target.component));
  } else if (const auto* joint = std::get_if<model::JointIndex>(&stop.target.element);
             joint != nullptr && stop.target.component == 0) {
    out["joint"] = joint->value();
  }
  const auto put_limit = [&](const char* key, const std::optional<model::TimeFunction>& limit) {
    if (!limit) return;
    if (const double value = limit->evaluate(0.0); std::isfinite(value)) out[key] = value;
  };
  put_limit("lower", stop.lower);
  put_limit("upper", stop.upper);
  return out;
}

/// The width that its file tells, else that of the wheel where this is drawn as a cylinder, else that of a usual tyre [m].
double width_of(const Mechanism& mechanism, const model::Tyre& tyre) {
  constexpr double kUsual = 0.65;  // of the radius
  if (const auto* of_file = std::get_if<tyres::MagicFormula>(&tyre.fitted.model);
      of_file != nullptr && of_file->WIDTH > 0.0)
    return of_file->WIDTH;
  const model::Body& wheel = mechanism.body(tyre.center.body);
  std::vector<model::Shape> shapes = wheel.visuals;
  if (wheel.shape) shapes.push_back(*wheel.shape);
  for (const model::Shape& shape : shapes)
    if (const auto* cylinder = std::get_if<model::Cylinder>(&shape)) return cylinder->length;
  return kUsual * tyres::unloaded_radius(tyre.fitted);
}

json tyre_json(const Mechanism& mechanism, const model::Tyre& tyre) {
  return {{"name", tyre.name},
          {"place", attachment(mechanism, tyre.center)},
          {"axis", vector_json(tyre.axis_B)},
          {"radius", tyres::unloaded_radius(tyre.fitted)},
          {"width", width_of(mechanism, tyre)}};
}

json traces_json(const Mechanism& mechanism) {
  std::vector<model::PointRef> traced;
  for (const model::Variable& output : mechanism.outputs()) {
    if (output.kind != model::VariableKind::kPointPosition) continue;
    const auto& point = std::get<model::PointRef>(output.element);
    if (point.body != model::kGround && std::find(traced.begin(), traced.end(), point) == traced.end())
      traced.push_back(point);
  }
  json out = json::array();
  for (const model::PointRef& point : traced) out.push_back(attachment(mechanism, point));
  return out;
}

/// Half the box around a disc and around a line of half length 1, by their direction.
Eigen::Vector3d half_disc(const Eigen::Vector3d& axis) {
  return (1.0 - axis.normalized().array().square()).max(0.0).sqrt();
}
Eigen::Vector3d half_line(const Eigen::Vector3d& axis) { return axis.normalized().cwiseAbs(); }

void extend_by_shape(Eigen::AlignedBox3d& box, const model::Body& body) {
  const auto extend = [&](const Eigen::Vector3d& centre, const Eigen::Vector3d& half) {
    box.extend(centre - half);
    box.extend(centre + half);
  };
  std::visit(
      Visitor{[&](const model::Bar& bar) {
                box.extend(point_of_bar(body, bar.from));
                box.extend(point_of_bar(body, bar.to));
              },
              [&](const model::Disc& disc) { extend(disc.p_BC_B, disc.radius * half_disc(disc.axis_B)); },
              [&](const model::Box& of) { extend(of.p_BC_B, 0.5 * of.size); },
              [&](const model::Cylinder& of) {
                extend(of.p_BC_B, of.radius * half_disc(of.axis_B) + 0.5 * of.length * half_line(of.axis_B));
              },
              [&](const model::Sphere& sphere) {
                extend(sphere.p_BC_B, Eigen::Vector3d::Constant(sphere.radius));
              }},
      *body.shape);
}

}  // namespace

double typical_length(const Mechanism& mechanism) {
  std::vector<Eigen::AlignedBox3d> boxes(mechanism.bodies().size());
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    const model::Body& body = mechanism.bodies()[b];
    for (const model::NamedPoint& point : body.points) boxes[b].extend(point.p_BP_B);
    if (body.shape) extend_by_shape(boxes[b], body);
  }
  std::vector<double> lengths;
  for (const model::Joint& joint : mechanism.joints()) {
    for (const model::JointEnd& end : joint.ends) boxes[end.body.slot()].extend(end.X_BF.p_AB_A);
    if (joint.length > 0.0) lengths.push_back(joint.length);
  }
  for (const Eigen::AlignedBox3d& box : boxes)
    if (!box.isEmpty() && box.diagonal().norm() > 0.0) lengths.push_back(box.diagonal().norm());
  if (lengths.empty()) return 1.0;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

std::string mechanism_json(const Mechanism& mechanism) {
  const json out{
      {"name", mechanism.name()},
      {"description", mechanism.description()},
      {"source", mechanism.source()},
      {"planar", mechanism.is_planar()},
      {"gravity", vector_json(mechanism.gravity_W())},
      {"size", typical_length(mechanism)},
      {"bodies", array_json<json>(mechanism.bodies(), body_json)},
      {"joints", array_json<json>(mechanism.joints(), joint_json)},
      {"couplings", couplings_json(mechanism)},
      {"springs", springs_json(mechanism)},
      {"sensors",
       array_json<json>(mechanism.sensors(),
                        [&](const model::Sensor& sensor) { return sensor_json(mechanism, sensor); })},
      {"drivers",
       array_json<json>(mechanism.drivers(),
                        [&](const model::Driver& driver) { return driver_json(mechanism, driver); })},
      {"loads", array_json<json>(mechanism.loads(),
                                 [&](const model::Load& load) { return load_json(mechanism, load); })},
      {"stops", array_json<json>(mechanism.stops(),
                                 [&](const model::Stop& stop) { return stop_json(mechanism, stop); })},
      {"tyres", array_json<json>(mechanism.tyres(),
                                 [&](const model::Tyre& tyre) { return tyre_json(mechanism, tyre); })},
      {"traces", traces_json(mechanism)}};
  return out.dump(-1, ' ', true, json::error_handler_t::replace);
}

}  // namespace eslabon::report
