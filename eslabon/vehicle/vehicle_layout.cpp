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

/// What cones may not touch: the wheels of a unit, and what its body is drawn as. From a point of the body, `at` from the chassis' point.
Eigen::AlignedBox3d outline_of(const VehicleLayout& layout, std::size_t unit, const model::Body& body,
                               const Vector3d& p_BO_B, const Vector3d& at) {
  constexpr double kHalfTyre = 0.1;  // m
  Eigen::AlignedBox3d outline;
  for (const Wheel& wheel : layout.wheels()) {
    if (wheel.unit != unit) continue;
    const Vector3d half(wheel.center_height, kHalfTyre, 0.0);
    outline.extend(Vector3d(wheel.p_OC_B - at + p_BO_B - half));
    outline.extend(Vector3d(wheel.p_OC_B - at + p_BO_B + half));
  }
  if (body.shape) reach(*body.shape, outline);
  for (const model::Shape& visual : body.visuals) reach(visual, outline);
  return outline.translate(-p_BO_B);
}

double width_of(const Eigen::AlignedBox3d& outline) {
  return 2.0 * std::max(outline.max().y(), -outline.min().y());
}

/// (bodies) how many joints lead to each from one of them; −1: none do, but for those through the ground.
std::vector<int> joints_away(const model::Mechanism& mechanism, model::BodyIndex from) {
  std::vector<int> away(mechanism.bodies().size(), -1);
  std::vector<std::size_t> front{from.slot()};
  away[from.slot()] = 0;
  for (std::size_t k = 0; k < front.size(); ++k)
    for (const model::Joint& joint : mechanism.joints())
      for (const auto& [here, there] :
           {std::pair(joint.first(), joint.second()), std::pair(joint.second(), joint.first())})
        if (here.slot() == front[k] && there != model::kGround && away[there.slot()] < 0) {
          away[there.slot()] = away[front[k]] + 1;
          front.push_back(there.slot());
        }
  return away;
}

/// A wheel carries the chassis, or another body of a fifth of its mass or more that fewer joints lead to: a trailer, if it has a point to be told by.
void find_trailers(const model::Mechanism& mechanism, const Standing& standing, VehicleLayout& layout) {
  constexpr double kLeast = 0.2;  // of the chassis' mass
  const double least = kLeast * mechanism.body(layout.chassis_body).mass_properties.mass;
  const auto& tyres = mechanism.tyres();
  std::vector<std::size_t> trailers;  // bodies
  for (std::vector<Wheel>& axle : layout.axles)
    for (Wheel& wheel : axle) {
      const auto tyre = std::ranges::find(tyres, wheel.tyre, &model::Tyre::name);
      const std::vector<int> away = joints_away(mechanism, tyre->center.body);
      std::size_t nearest = layout.chassis_body.slot();
      for (std::size_t b = 1; b < away.size(); ++b) {
        const model::Body& body = mechanism.bodies()[b];
        if (away[b] > 0 && body.mass_properties.mass >= least && !body.points.empty() &&
            (away[nearest] < 0 || away[b] < away[nearest]))
          nearest = b;
      }
      if (nearest == layout.chassis_body.slot()) continue;
      const auto known = std::ranges::find(trailers, nearest);
      wheel.unit = 1 + static_cast<std::size_t>(known - trailers.begin());
      if (known == trailers.end()) trailers.push_back(nearest);
    }
  for (std::size_t k = 0; k < trailers.size(); ++k) {
    const model::Body& body = mechanism.bodies()[trailers[k]];
    const model::NamedPoint& point = body.points.front();
    const Vector3d at = standing.in_chassis(standing.bodies()[trailers[k]].point_position(point.p_BP_B) -
                                            standing.chassis_point());
    const Eigen::AlignedBox3d outline = outline_of(layout, k + 1, body, point.p_BP_B, at);
    layout.trailers.push_back({.names = {body.name, body.name + "." + point.name},
                               .at = at.head<2>(),
                               .width = width_of(outline),
                               .front = outline.max().x(),
                               .rear = outline.min().x()});
  }
}

}  // namespace

std::vector<Wheel> VehicleLayout::wheels() const {
  std::vector<Wheel> all;
  for (const std::vector<Wheel>& axle : axles) all.insert(all.end(), axle.begin(), axle.end());
  return all;
}

double VehicleLayout::length() const {
  double first = front, last = rear;
  for (const Trailer& trailer : trailers) {
    first = std::max(first, trailer.at.x() + trailer.front);
    last = std::min(last, trailer.at.x() + trailer.rear);
  }
  return first - last;
}

double VehicleLayout::largest_width() const {
  double most = width;
  for (const Trailer& trailer : trailers) most = std::max(most, trailer.width);
  return most;
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
  find_trailers(mechanism, standing, layout);
  double behind = 0.0;
  int carrying = 0;
  for (std::size_t a = 1; a < layout.axles.size(); ++a) {
    if (layout.axles[a].front().unit != 0) continue;
    behind += mean_x(layout.axles[a]);
    ++carrying;
  }
  if (carrying > 0) {
    const double front = mean_x(layout.axles.front()), rear = behind / carrying;
    layout.wheelbase = front - rear;
    layout.middle = 0.5 * (front + rear);
  }
  layout.start = standing.chassis_point().head<2>();
  const Eigen::AlignedBox3d outline = outline_of(layout, 0, mechanism.body(layout.chassis_body),
                                                 mechanism.point(vehicle.chassis).p_BP_B, Vector3d::Zero());
  layout.width = width_of(outline);
  layout.front = outline.max().x();
  layout.rear = outline.min().x();
  return layout;
}

}  // namespace eslabon::vehicle
