#include "eslabon/vehicle/vehicle_layout.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <variant>

#include <fmt/format.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/kinematics/assembly/assembled_mechanism.hpp"
#include "eslabon/model/mechanism_addition.hpp"

namespace eslabon::vehicle {

namespace {

using coordinates::BodyMotion;
using coordinates::MechanismMotion;
using Eigen::Vector3d;

[[noreturn]] void fail(std::string where, std::string what, std::string expected, std::string actual,
                       std::string next) {
  throw core::ModelError({.what = std::move(what),
                          .where = std::move(where),
                          .expected = std::move(expected),
                          .actual = std::move(actual),
                          .next = std::move(next)});
}

const model::Joint& spin_joint(const model::Mechanism& mechanism, model::BodyIndex wheel) {
  return *std::ranges::find_if(mechanism.joints(), [&](const model::Joint& joint) {
    return joint.type == model::JointType::kRevolute && (joint.first() == wheel || joint.second() == wheel);
  });
}

/// The mechanism at its start, seen from its chassis.
class Standing {
 public:
  explicit Standing(const model::Mechanism& mechanism)
      : mechanism_(mechanism),
        assembled_(kinematics::AssembledMechanism::assemble(mechanism)),
        vehicle_(*mechanism.vehicle()) {}

  const MechanismMotion& bodies() const { return assembled_.assembly().bodies; }
  double driver_start(model::DriverIndex driver) const {
    return assembled_.assembly().driver_starts[driver.slot()];
  }
  const BodyMotion& chassis() const { return bodies()[vehicle_.chassis.body.slot()]; }
  Vector3d chassis_point() const {
    return chassis().point_position(mechanism_.point(vehicle_.chassis).p_BP_B);
  }
  Vector3d in_chassis(const Vector3d& direction_W) const {
    return chassis().X_WB.R_AB.matrix().transpose() * direction_W;
  }
  Vector3d center(model::TyreIndex tyre) const {
    const model::PointRef& center = mechanism_.tyres()[tyre.slot()].center;
    return bodies()[center.body.slot()].point_position(mechanism_.point(center).p_BP_B);
  }
  /// By which a wheel is turned to the left, seen from the chassis [rad].
  double steer_angle(model::TyreIndex index) const {
    const model::Tyre& tyre = mechanism_.tyres()[index.slot()];
    const Vector3d left = in_chassis(bodies()[tyre.center.body.slot()].direction(tyre.axis_B));
    return std::atan2(-left.x(), left.y());
  }
  /// The mean of an axle.
  double steer_angle(const model::VehicleAxle& axle) const {
    double sum = 0.0;
    for (const auto* side : {&axle.left, &axle.right})
      for (const model::TyreIndex tyre : *side) sum += steer_angle(tyre);
    return sum / static_cast<double>(axle.left.size() + axle.right.size());
  }

 private:
  const model::Mechanism& mechanism_;
  kinematics::AssembledMechanism assembled_;
  const model::Vehicle& vehicle_;
};

Wheel wheel_of(const model::Mechanism& mechanism, const Standing& standing, model::TyreIndex index) {
  const model::Tyre& tyre = mechanism.tyres()[index.slot()];
  const model::Joint& joint = spin_joint(mechanism, tyre.center.body);
  const bool is_second = joint.second() == tyre.center.body;
  const Vector3d axis_B = joint.ends[is_second ? 1 : 0].X_BF.R_AB.matrix().col(2);
  const double along = axis_B.dot(tyre.axis_B) * (is_second ? 1.0 : -1.0);
  const tyres::Road& road = mechanism.road();
  const Vector3d center = standing.center(index);
  return {.tyre = tyre.name,
          .spin = joint.name,
          .spin_sign = along < 0.0 ? -1.0 : 1.0,
          .p_OC_B = standing.in_chassis(center - standing.chassis_point()),
          .center_height = center.z() - road.height - road.slope_x * center.x() - road.slope_y * center.y()};
}

std::vector<std::vector<Wheel>> axles_of(const model::Mechanism& mechanism, const Standing& standing) {
  std::vector<std::vector<Wheel>> axles;
  for (const model::VehicleAxle& axle : mechanism.vehicle()->axles) {
    std::vector<Wheel> wheels;
    for (const auto* side : {&axle.left, &axle.right})
      for (const model::TyreIndex tyre : *side) {
        wheels.push_back(wheel_of(mechanism, standing, tyre));
        const double part = 0.5 / static_cast<double>(side->size());
        wheels.back().drive = axle.drive * part;
        wheels.back().brake = axle.brake * part;
      }
    axles.push_back(std::move(wheels));
  }
  return axles;
}

double mean_x(const std::vector<Wheel>& axle) {
  double sum = 0.0;
  for (const Wheel& wheel : axle) sum += wheel.p_OC_B.x();
  return sum / static_cast<double>(axle.size());
}

void check_places(const model::Mechanism& mechanism, const VehicleLayout& layout, const Standing& standing) {
  const auto axle_text = [](std::size_t a) { return fmt::format("vehicle, axle {}", a + 1); };
  for (std::size_t a = 0; a < layout.axles.size(); ++a) {
    const model::VehicleAxle& axle = mechanism.vehicle()->axles[a];
    for (std::size_t k = 0; k < layout.axles[a].size(); ++k) {
      const Wheel& wheel = layout.axles[a][k];
      const bool is_left = k < axle.left.size();
      if (is_left == (wheel.p_OC_B.y() > 0.0)) continue;
      fail(axle_text(a) + (is_left ? ", left" : ", right"), "a tyre stands on the other side",
           std::string("a tyre ") + (is_left ? "left" : "right") + " of the chassis' point",
           fmt::format("{} at y = {} m", core::quoted(wheel.tyre), core::rounded_text(wheel.p_OC_B.y())),
           "Exchange the two, or let y of the chassis point to the left.");
    }
    if (a == 0 || mean_x(layout.axles[a]) < mean_x(layout.axles[a - 1])) continue;
    fail(axle_text(a), "the axles are not listed front to rear", "an axle behind the one before it",
         fmt::format("x = {} m after {} m", core::rounded_text(mean_x(layout.axles[a])),
                     core::rounded_text(mean_x(layout.axles[a - 1]))),
         "Change their order, or let x of the chassis point forward.");
  }
  constexpr double kStraight = 1e-3;  // rad
  const Vector3d x = standing.chassis().X_WB.R_AB.matrix().col(0);
  if (std::abs(std::atan2(x.y(), x.x())) > kStraight)
    fail("vehicle, chassis", "the vehicle does not look along x at the start",
         "a chassis whose x points along that of the world, where the course goes",
         fmt::format("{} deg beside it",
                     core::rounded_text(std::atan2(x.y(), x.x()) * 180.0 / std::numbers::pi)),
         "Turn it by its 'rotation' under 'assembly'.");
}

Steering steering_of(const model::Mechanism& mechanism, const Standing& standing) {
  const model::VehicleSteering& given = *mechanism.vehicle()->steering;
  const model::Driver& driver = mechanism.drivers()[given.driver.slot()];
  const model::Variable& target = driver.target;
  Steering steering{
      .driver = driver.name,
      .joint = mechanism.joint(std::get<model::JointIndex>(target.element)).name,
      .coordinate = model::name(mechanism, target),
      .rate = model::name(mechanism, {model::VariableKind::kJointVelocity, target.element, target.component}),
      .turns = model::dimension(mechanism, target) == core::kAngle,
      .straight = standing.driver_start(given.driver),
      .wheel_per_coordinate = given.ratio};
  const double step = steering.turns ? 0.01 : 1e-3;  // rad or m
  const model::VehicleAxle& front = mechanism.vehicle()->axles.front();
  const auto angle_at = [&](double by) {
    return Standing(model::with_addition(mechanism, {.drivers = {{driver.name, steering.straight + by}}}))
        .steer_angle(front);
  };
  steering.road_per_coordinate = (angle_at(step) - angle_at(-step)) / (2.0 * step);
  constexpr double kNothing = 1e-6;  // rad by rad or m
  if (std::abs(steering.road_per_coordinate) < kNothing)
    fail("vehicle, steering, driver", "the driver does not steer the first axle", "one that turns its wheels",
         core::quoted(driver.name), "Name the driver of the rack or the column.");
  if (!(steering.ratio() > 0.0))
    fail("vehicle, steering, ratio", "the ratio of the steering has the wrong sign",
         "a turn of the steering wheel to the left that turns the wheels to the left",
         core::rounded_text(given.ratio), "Change its sign.");
  return steering;
}

/// How far a shape of the chassis goes along the axes of its body.
void reach(const model::Shape& shape, Eigen::AlignedBox3d& outline) {
  std::visit(
      [&]<class S>(const S& one) {
        Vector3d half = Vector3d::Zero();
        if constexpr (requires { one.size; }) half = 0.5 * one.size;
        if constexpr (requires { one.length; })
          half =
              one.axis_B.normalized().cwiseAbs() * 0.5 * one.length +
              (Vector3d::Ones() - one.axis_B.normalized().cwiseAbs2()).cwiseMax(0.0).cwiseSqrt() * one.radius;
        else if constexpr (requires { one.radius; })
          half.setConstant(one.radius);
        if constexpr (requires { one.p_BC_B; }) {
          outline.extend(Vector3d(one.p_BC_B - half));
          outline.extend(Vector3d(one.p_BC_B + half));
        }
      },
      shape);
}

/// What cones may not touch: wheels, and what the chassis is drawn as.
void add_outline(const model::Mechanism& mechanism, VehicleLayout& layout) {
  constexpr double kHalfTyre = 0.1;  // m
  const model::Body& chassis = mechanism.body(layout.chassis_body);
  const Vector3d& p_BO_B = mechanism.point(mechanism.vehicle()->chassis).p_BP_B;
  Eigen::AlignedBox3d outline;
  for (const Wheel& wheel : layout.wheels()) {
    const Vector3d half(wheel.center_height, kHalfTyre, 0.0);
    outline.extend(Vector3d(wheel.p_OC_B + p_BO_B - half));
    outline.extend(Vector3d(wheel.p_OC_B + p_BO_B + half));
  }
  if (chassis.shape) reach(*chassis.shape, outline);
  for (const model::Shape& visual : chassis.visuals) reach(visual, outline);
  layout.width = 2.0 * std::max(outline.max().y() - p_BO_B.y(), p_BO_B.y() - outline.min().y());
  layout.front = outline.max().x() - p_BO_B.x();
  layout.rear = outline.min().x() - p_BO_B.x();
}

}  // namespace

std::vector<Wheel> VehicleLayout::wheels() const {
  std::vector<Wheel> all;
  for (const std::vector<Wheel>& axle : axles) all.insert(all.end(), axle.begin(), axle.end());
  return all;
}

double VehicleLayout::rolling_radius() const {
  double sum = 0.0;
  const std::vector<Wheel> all = wheels();
  for (const Wheel& wheel : all) sum += wheel.center_height;
  return sum / static_cast<double>(all.size());
}

VehicleLayout layout_of(const model::Mechanism& mechanism) {
  if (!mechanism.vehicle())
    fail("", "the mechanism is no vehicle", "a section 'vehicle:', which names chassis and axles",
         "mechanism " + core::quoted(mechanism.name()) + " without one",
         "Add it: docs/mechanism-file.md, Vehicle.");
  const model::Vehicle& vehicle = *mechanism.vehicle();
  const Standing standing(mechanism);
  VehicleLayout layout;
  layout.chassis_body = vehicle.chassis.body;
  layout.chassis = {mechanism.body(vehicle.chassis.body).name, mechanism.name_of(vehicle.chassis)};
  layout.axles = axles_of(mechanism, standing);
  check_places(mechanism, layout, standing);
  if (vehicle.steering) layout.steering = steering_of(mechanism, standing);
  for (const model::Body& body : mechanism.bodies()) layout.mass += body.mass_properties.mass;
  for (const model::Joint& joint : mechanism.joints()) layout.mass += joint.rod_mass;
  double behind = 0.0;
  for (std::size_t a = 1; a < layout.axles.size(); ++a) behind += mean_x(layout.axles[a]);
  if (layout.axles.size() > 1) {
    const double front = mean_x(layout.axles.front());
    const double rear = behind / static_cast<double>(layout.axles.size() - 1);
    layout.wheelbase = front - rear;
    layout.middle = 0.5 * (front + rear);
  }
  layout.start = standing.chassis_point().head<2>();
  add_outline(mechanism, layout);
  return layout;
}

}  // namespace eslabon::vehicle
