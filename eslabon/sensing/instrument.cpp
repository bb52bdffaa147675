#include "eslabon/sensing/instrument.hpp"

#include <array>
#include <cmath>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/forces/state_variable.hpp"
#include "eslabon/dynamics/reactions/force_outputs.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::sensing {

namespace {

using coordinates::BodyMotionOf;
using core::Vector3;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using model::SensorKind;

using Dual = Instrument::Dual;

/// Channels with these endings, or one with the sensor's own name.
std::vector<Channel> channels_of(const model::Sensor& sensor, const std::vector<const char*>& endings,
                                 const core::Dimension& dimension) {
  std::vector<Channel> list;
  for (const char* ending : endings)
    list.push_back({.name = *ending == 0 ? sensor.name : sensor.name + "." + ending,
                    .dimension = dimension,
                    .is_angle = dimension == core::kAngle});
  return list;
}

std::vector<const char*> axes(bool is_planar, std::vector<const char*> names) {
  if (is_planar) names.pop_back();
  return names;
}

/// Axes of the sensor's frame in its body.
Matrix3d mounting(const model::Mechanism& mechanism, const model::Sensor& sensor, model::BodyIndex body) {
  if (!sensor.frame) return Matrix3d::Identity();
  for (const model::NamedFrame& frame : mechanism.body(body).frames)
    if (frame.name == *sensor.frame) return frame.X_BF().R_AB.matrix();
  return Matrix3d::Identity();
}

/// R_WSᵀ x.
template <class T>
Vector3<T> in_sensor_axes(const BodyMotionOf<T>& body, const Matrix3d& R_BS, const Vector3<T>& x) {
  return R_BS.transpose().cast<T>() * (body.X_WB.R_AB.matrix().transpose() * x);
}

/// What a gyroscope and an accelerometer see.
struct Inertial {
  std::size_t body;
  Vector3d p_BP_B, gravity_W;
  Matrix3d R_BS;
  bool is_planar;

  // Seed000 eq. 131
  // Seed003 eq. 9
  template <class T>
  std::size_t gyroscope(const Scene<T>& scene, std::span<T> out) const {
    const BodyMotionOf<T>& motion = scene.bodies[body];
    if (is_planar) {
      out[0] = motion.w_WB_W.z();
      return 1;
    }
    const Vector3<T> w = in_sensor_axes(motion, R_BS, motion.w_WB_W);  // (1)
    for (int k = 0; k < 3; ++k) out[static_cast<std::size_t>(k)] = w(k);
    return 3;
  }
  // Seed003 eq. 10
  template <class T>
  void accelerometer(const Scene<T>& scene, std::span<T> out) const {
    const BodyMotionOf<T>& motion = scene.bodies[body];
    const Vector3<T> proper = in_sensor_axes<T>(
        motion, R_BS, motion.point_acceleration(p_BP_B) - gravity_W.template cast<T>());  // (2)
    for (int k = 0; k < (is_planar ? 2 : 3); ++k) out[static_cast<std::size_t>(k)] = proper(k);
  }
};

Inertial inertial(const model::Mechanism& mechanism, const model::Sensor& sensor) {
  const auto* point = std::get_if<model::PointRef>(&sensor.target);
  const model::BodyIndex body = point ? point->body : std::get<model::BodyIndex>(sensor.target);
  return {body.slot(), point ? mechanism.point(*point).p_BP_B : Vector3d(Vector3d::Zero()),
          mechanism.gravity_W(), mounting(mechanism, sensor, body), mechanism.is_planar()};
}

std::unique_ptr<Instrument> make_inertial(const model::Mechanism& mechanism, const model::Sensor& sensor) {
  const Inertial parts = inertial(mechanism, sensor);
  const bool is_planar = mechanism.is_planar();
  if (sensor.kind == SensorKind::kGyroscope)
    return make_instrument(channels_of(sensor, is_planar ? std::vector{""} : std::vector{"wx", "wy", "wz"},
                                       core::kAngularVelocity),
                           [parts](const auto& scene, auto out) { (void)parts.gyroscope(scene, out); });
  std::vector<Channel> accelerations =
      channels_of(sensor, axes(is_planar, {"ax", "ay", "az"}), core::kAcceleration);
  if (sensor.kind == SensorKind::kAccelerometer)
    return make_instrument(std::move(accelerations),
                           [parts](const auto& scene, auto out) { parts.accelerometer(scene, out); });
  std::vector<Channel> all = channels_of(
      sensor, is_planar ? std::vector{"wz"} : std::vector{"wx", "wy", "wz"}, core::kAngularVelocity);
  all.insert(all.end(), accelerations.begin(), accelerations.end());
  return make_instrument(std::move(all), [parts](const auto& scene, auto out) {
    const std::size_t rates = parts.gyroscope(scene, out);
    parts.accelerometer(scene, out.subspan(rates));
  });
}

/// Inclinometers and magnetometers.
std::unique_ptr<Instrument> make_attitude(const model::Mechanism& mechanism, const model::Sensor& sensor) {
  const model::BodyIndex body = std::get<model::BodyIndex>(sensor.target);
  const std::size_t slot = body.slot();
  const Matrix3d R_BS = mounting(mechanism, sensor, body);
  if (mechanism.is_planar()) {
    const Vector3d x_B = R_BS.col(0);
    return make_instrument(channels_of(sensor, {""}, core::kAngle), [slot, x_B](const auto& scene, auto out) {
      using std::atan2;
      const auto x = scene.bodies[slot].direction(x_B);
      out[0] = atan2(x.y(), x.x());
    });
  }
  if (sensor.kind == SensorKind::kMagnetometer) {
    const Vector3d n = sensor.field_W.normalized();
    return make_instrument(channels_of(sensor, {"x", "y", "z"}, core::kNumber),
                           [slot, R_BS, n]<class T>(const Scene<T>& scene, std::span<T> out) {
                             const Vector3<T> seen =
                                 in_sensor_axes<T>(scene.bodies[slot], R_BS, n.cast<T>());  // (4)
                             for (int k = 0; k < 3; ++k) out[static_cast<std::size_t>(k)] = seen(k);
                           });
  }
  if (mechanism.gravity_W().isZero(0.0))
    throw core::ModelError({.what = "an inclinometer has nothing to hold on to",
                            .where = "sensor '" + sensor.name + "'",
                            .expected = "gravity",
                            .actual = "none in this mechanism",
                            .next = "Give the mechanism 'gravity', or take a magnetometer."});
  const Vector3d up = -mechanism.gravity_W().normalized();
  return make_instrument(channels_of(sensor, {"roll", "pitch"}, core::kAngle),
                         [slot, R_BS, up]<class T>(const Scene<T>& scene, std::span<T> out) {
                           using std::atan2;
                           using std::sqrt;
                           const Vector3<T> u = in_sensor_axes<T>(scene.bodies[slot], R_BS, up.cast<T>());
                           out[0] = atan2(u.y(), u.z());  // (3)
                           out[1] = atan2(T(-u.x()), T(sqrt(T(u.y() * u.y() + u.z() * u.z()))));
                         });
}

/// Joint coordinates, variables.
std::unique_ptr<Instrument> make_variable(const model::Mechanism& mechanism, const std::string& name,
                                          const model::Variable& variable,
                                          const dynamics::AppliedForces& forces) {
  const core::Dimension dimension = model::dimension(mechanism, variable);
  std::vector<Channel> channels{{.name = name,
                                 .dimension = dimension,
                                 .is_angle = dimension == core::kAngle,
                                 .origin = model::origin_part(mechanism, variable)}};
  if (!kinematics::needs_forces(variable))
    return make_instrument(std::move(channels), [&mechanism, variable](const auto& scene, auto out) {
      out[0] = kinematics::value_of(mechanism, variable, scene.bodies);
    });
  if (dynamics::is_told_by_state(mechanism, variable))
    return make_instrument(
        std::move(channels), [&mechanism, &forces, variable]<class T>(const Scene<T>& scene, std::span<T> out) {
          out[0] = dynamics::value_at_state<T>(mechanism, forces, variable, scene.t, scene.bodies, scene.memory);
        });
  throw core::ModelError(
      {.what = "no instrument reads this",
       .where = "'" + name + "'",
       .expected =
           "a variable of the motion, an auxiliary state, a force of a spring, damper, stop or friction, or a formula of these",
       .actual = "'" + model::name(mechanism, variable) + "'",
       .next = "Reactions and efforts of drivers can be outputs of 'simulate'."});
}

model::Variable joint_variable(const model::Sensor& sensor, model::VariableKind kind) {
  const auto& coordinate = std::get<model::JointCoordinate>(sensor.target);
  return {kind, coordinate.joint, coordinate.component};
}

std::unique_ptr<Instrument> make_position(const model::Mechanism& mechanism, const model::Sensor& sensor) {
  if (sensor.kind == SensorKind::kDistance) {
    const auto& pair = std::get<model::PointPair>(sensor.target);
    const std::size_t first = pair.first.body.slot(), second = pair.second.body.slot();
    const Vector3d p1 = mechanism.point(pair.first).p_BP_B, p2 = mechanism.point(pair.second).p_BP_B;
    return make_instrument(channels_of(sensor, {""}, core::kLength), [=](const auto& scene, auto out) {
      out[0] = (scene.bodies[second].point_position(p2) - scene.bodies[first].point_position(p1)).norm();
    });
  }
  const auto& point = std::get<model::PointRef>(sensor.target);
  const std::size_t body = point.body.slot();
  const Vector3d p = mechanism.point(point).p_BP_B;
  const int count = mechanism.is_planar() ? 2 : 3;
  std::vector<Channel> channels =
      channels_of(sensor, axes(mechanism.is_planar(), {"x", "y", "z"}), core::kLength);
  for (int k = 0; k < count; ++k) channels[static_cast<std::size_t>(k)].origin = mechanism.origin_W()(k);
  return make_instrument(std::move(channels), [=](const auto& scene, auto out) {
    const auto position = scene.bodies[body].point_position(p);
    for (int k = 0; k < count; ++k) out[static_cast<std::size_t>(k)] = position(k);
  });
}

}  // namespace

std::unique_ptr<Instrument> make_instrument(const model::Mechanism& mechanism, const model::Sensor& sensor,
                                            const dynamics::AppliedForces& forces) {
  switch (sensor.kind) {
    case SensorKind::kGyroscope:
    case SensorKind::kAccelerometer:
    case SensorKind::kImu:
      return make_inertial(mechanism, sensor);
    case SensorKind::kInclinometer:
    case SensorKind::kMagnetometer:
      return make_attitude(mechanism, sensor);
    case SensorKind::kEncoder:
      return make_variable(mechanism, sensor.name,
                           joint_variable(sensor, model::VariableKind::kJointPosition), forces);
    case SensorKind::kTachometer:
      return make_variable(mechanism, sensor.name,
                           joint_variable(sensor, model::VariableKind::kJointVelocity), forces);
    case SensorKind::kVariable:
      return make_variable(mechanism, sensor.name, std::get<model::Variable>(sensor.target), forces);
    case SensorKind::kTracker:
    case SensorKind::kDistance:
      break;
  }
  return make_position(mechanism, sensor);
}

std::unique_ptr<Instrument> make_instrument(const model::Mechanism& mechanism,
                                            const model::Variable& variable,
                                            const dynamics::AppliedForces& forces) {
  return make_variable(mechanism, model::name(mechanism, variable), variable, forces);
}

std::unique_ptr<Instrument> make_instrument(const dynamics::DynamicModel& model,
                                            const model::Sensor& sensor) {
  std::unique_ptr<Instrument> instrument = make_instrument(model.mechanism(), sensor, model.forces());
  instrument->keep(model);
  return instrument;
}

std::unique_ptr<Instrument> make_instrument(const dynamics::DynamicModel& model,
                                            const model::Variable& variable) {
  std::unique_ptr<Instrument> instrument = make_instrument(model.mechanism(), variable, model.forces());
  instrument->keep(model);
  return instrument;
}

SensorFacts sensor_facts(const model::Sensor& sensor, const Instrument& instrument) {
  SensorFacts facts{.name = sensor.name, .channels = instrument.channels(), .period = {}};
  if (sensor.rate > 0.0) facts.period = core::Duration::from_seconds(1.0 / sensor.rate);
  const model::SensorErrors& first = sensor.errors;
  const model::SensorErrors& second = sensor.accelerometer_errors ? *sensor.accelerometer_errors : first;
  for (std::size_t k = 0; k < facts.channels.size(); ++k) {
    const bool is_first =
        !sensor.accelerometer_errors || facts.channels[k].dimension == core::kAngularVelocity;
    const model::SensorErrors& errors = is_first ? first : second;
    facts.channels[k].noise = errors.noise;
    facts.channels[k].resolution = errors.resolution;
    facts.channels[k].range = errors.range;
    facts.channels[k].bias = errors.bias;
  }
  return facts;
}

void evaluate_jacobian(const Instrument& instrument, const dynamics::ReducedPoint& point,
                       const dynamics::ReducedTangent& tangent, Eigen::Ref<Eigen::MatrixXd> H) {
  std::array<Dual, kMostChannels> out;
  const std::size_t m = instrument.channels().size();
  for (std::size_t d = 0; d < tangent.bodies.size(); ++d) {
    instrument.read(Scene<Dual>{point.t, tangent.bodies[d], {point.memory, tangent.states[d]}},
                    std::span(out).first(m));
    for (std::size_t k = 0; k < m; ++k)
      H(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(d)) = out[k].derivative;
  }
}

void evaluate_acceleration_jacobian(const Instrument& instrument, dynamics::ReducedMotion& motion,
                                    const dynamics::ReducedPoint& point, Eigen::Ref<Eigen::MatrixXd> H_a) {
  std::array<Dual, kMostChannels> out;
  coordinates::MechanismMotionOf<Dual> bodies;
  const std::size_t m = instrument.channels().size();
  for (Eigen::Index f = 0; f < motion.num_freedoms(); ++f) {
    motion.lift_acceleration(point, f, bodies);
    instrument.read(Scene<Dual>{point.t, bodies, point.memory}, std::span(out).first(m));
    for (std::size_t k = 0; k < m; ++k) H_a(static_cast<Eigen::Index>(k), f) = out[k].derivative;
  }
}

}  // namespace eslabon::sensing
