#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "eslabon/model/elements/body.hpp"
#include "eslabon/model/elements/coupling.hpp"
#include "eslabon/model/elements/driver.hpp"
#include "eslabon/model/elements/event.hpp"
#include "eslabon/model/elements/force_elements.hpp"
#include "eslabon/model/elements/joint.hpp"
#include "eslabon/model/elements/sensor.hpp"
#include "eslabon/model/elements/tyre.hpp"

/// What a user says about each element, other elements by their names ("crank.P1"). MechanismBuilder checks
/// it and puts indices in the place of the names. SI units, radians; in planar mechanisms z is 0.
namespace eslabon::model {

/// A body. What is left out of mass, centre of mass and inertia is computed from the shape; without mass and
/// density the body is massless.
struct BodyDescription {
  std::string name;
  std::optional<double> mass = {};                     ///< [kg] > 0
  std::optional<double> density = {};                  ///< [kg/m³] > 0, instead of mass; needs a solid shape
  std::optional<Eigen::Vector3d> center_of_mass = {};  ///< (3) p_BC_B [m]
  std::optional<Eigen::Matrix3d> inertia = {};  ///< (3 × 3) I_BC_B [kg m²]; planar: only (2, 2) is read
  std::optional<Shape> shape = {};
  std::vector<NamedPoint> points = {};
  std::vector<NamedAxis> axes = {};
  std::vector<NamedFrame> frames = {};
  std::vector<NamedCurve> curves = {};
  std::vector<Shape> visuals = {};  ///< drawn beside the shape; they have no mass
  DrawnPose drawn = {};
  bool inertia_as_published = false;  ///< an inertia that no rigid body has is taken all the same; in space
};

/// The direction of a joint, in each of its bodies, as components in the axes of that body.
struct AxisPair {
  Eigen::Vector3d first;   ///< (3) axes of the first body
  Eigen::Vector3d second;  ///< (3) axes of the second body
};

/// A joint between two points or two frames. In space, a joint of points that turns, slides or keeps a plane
/// needs its axis in both bodies; a joint of frames takes it from them.
struct JointDescription {
  std::string name;
  JointType type;
  std::string first;   ///< "body.point" or "body.frame", "body.curve" where the joint has a curve there
  std::string second;  ///< the same
  std::optional<AxisPair> axis = {};
  std::optional<double> length = {};    ///< rods only, and there it must be given [m]
  std::optional<double> rod_mass = {};  ///< rods only [kg]
  JointFriction friction = {};
  std::optional<double> radius =
      {};  ///< circular slots and rolling, where it must be given, and rollers on curves [m]
  std::optional<CircleRolling> rolling = {};  ///< circular slots only, instead of a radius
  std::optional<double> lead = {};  ///< helical joints only, and there it must be given [m per turn], not 0
};

/// A relation between joint coordinates; `numbers` and `offset` as in Coupling.
struct CouplingDescription {
  std::string name;
  CouplingKind kind;
  std::vector<std::string> coordinates;  ///< "A" or "A.q2"
  std::vector<double> numbers;
  double offset = 0.0;
  std::optional<TimeFunction> law =
      {};  ///< kFollows, and there it must be given: of the position of the second in the place of the time
};

struct DriverDescription {
  std::string name;
  std::string target;  ///< a position variable: "A.q", "axle.wheel_left.z", "crank.angle"
  DriverLevel level;
  TimeFunction function;
  std::optional<double> start = {};
  std::optional<double> start_speed = {};
};

/// What a spring or damper acts between: two points ("body.point"), a joint coordinate ("A" or "A.q2"), two of these, or a coordinate of a
/// point ("body.point.x").
struct ConnectionDescription {
  std::string first;
  std::string second = {};         ///< empty: `first` is a joint coordinate, or a coordinate of a point
  bool is_of_coordinates = false;  ///< both are joint coordinates
  bool is_of_point = false;        ///< `first` is a coordinate of a point
};

/// A force as a function of time and of variables.
struct LawDescription {
  TimeFunction function;                    ///< its argument k is variable k
  std::vector<std::string> variables = {};  ///< "A.q", "wheel.C.vx"
};

struct SpringDescription {
  std::string name;
  ConnectionDescription connection;
  double stiffness = 0.0;
  double free_length = 0.0;
  double damping = 0.0;
  double preload = 0.0;
  ForceTable table = {};
  std::optional<GasCharge> gas = {};
  std::optional<LawDescription> law = {};
};

struct DamperDescription {
  std::string name;
  ConnectionDescription connection;
  double damping = 0.0;
  ForceTable table = {};
  std::optional<LawDescription> law = {};
};

/// In the plane components 2, 3 and 4 stay 0.
struct BushingDescription {
  std::string name;
  std::string first;   ///< "body.point" or "body.frame"
  std::string second;  ///< "body.point" or "body.frame"
  std::array<double, 6> stiffness{};
  std::array<double, 6> damping{};
};

struct StopDescription {
  std::string name;
  std::string target = {};                           ///< "A.q", "wheel.W.z"
  std::optional<CouplingDescription> coupling = {};  ///< instead of `target`; its offset is 0
  std::optional<TimeFunction> lower = {};
  std::optional<TimeFunction> upper = {};
  std::optional<double> restitution = {};
  double stiffness = 0.0;
  double damping = 0.0;
};

enum class LoadKind { kPointForce, kBodyTorque, kJointEffort };

struct LoadDescription {
  std::string name;
  LoadKind kind;
  std::string target;  ///< "body.point", "body", or a joint coordinate
  std::array<TimeFunction, 3> components =
      {};  ///< joint effort: the first only; planar torque: the third only
  bool in_body_axes = false;
  std::vector<std::string> variables = {};  ///< argument k of the components
};

/// An auxiliary state; its rate is set when the names that it looks at are there.
struct StateDescription {
  std::string name;
  core::Dimension dimension = {};
  double start = 0.0;
  std::optional<double> size = {};  ///< none: that of the start, or 1
  LawDescription rate = {};
};

struct TyreDescription {
  std::string name;
  std::string center = {};                            ///< "hub.C"
  Eigen::Vector3d axis_B = Eigen::Vector3d::UnitY();  ///< (3) body axes, any length but 0
  tyres::TyreSide side =
      tyres::TyreSide::kSymmetric;  ///< of the vehicle; kSymmetric: that of the measurement
  bool is_seen_in_mirror = false;   ///< of a mirrored part: on the other side than `side` says
  tyres::FittedTyre fitted = {};    ///< is_mirrored follows from all these
};

struct VehicleSteeringDescription {
  std::string driver;
  double ratio = 1.0;  ///< not 0
};

struct VehicleAxleDescription {
  std::vector<std::string> left, right;  ///< tyres
  double drive = 0.0;
  double brake = 0.0;
};

/// What is what in a vehicle.
struct VehicleDescription {
  std::string chassis;  ///< "chassis.O"
  std::optional<VehicleSteeringDescription> steering = {};
  std::vector<VehicleAxleDescription> axles = {};  ///< front to rear
};

struct EventDescription {
  std::string name;
  LawDescription quantity = {};
  PassageDirection direction = PassageDirection::kBoth;
  bool ends_run = false;
};

struct SensorDescription {
  std::string name;
  SensorKind kind;
  std::string target;  ///< a body, "body.point", a joint coordinate or a variable, as the kind needs
  std::string second_target = {};  ///< kDistance: the other point
  std::optional<std::string> frame = {};
  SensorErrors errors = {};                               ///< kImu: of its gyroscope
  std::optional<SensorErrors> accelerometer_errors = {};  ///< kImu only; left out: none
  std::optional<double> pulses = {};          ///< kEncoder of a turn: per turn, instead of errors.resolution
  std::optional<Eigen::Vector3d> field = {};  ///< kMagnetometer in space: (3) world axes, any length but 0
  double rate = 0.0;
  double latency = 0.0;
  double jitter = 0.0;
  double dropout = 0.0;
};

}  // namespace eslabon::model
