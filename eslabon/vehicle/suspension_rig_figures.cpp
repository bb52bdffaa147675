#include "eslabon/vehicle/suspension_rig_figures.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace eslabon::vehicle {

using Eigen::Vector3d;

namespace {

constexpr double kStraight = std::numbers::pi / 180.0;
constexpr double kNoTurn = 1e-12;

Vector3d ahead_of(const WheelPlace& place) { return place.axis.cross(Vector3d::UnitZ()).normalized(); }

double arm_length(double way, double turn) {
  if (std::abs(way) >= kLongestArm * std::abs(turn))
    return std::signbit(way) == std::signbit(turn) ? kLongestArm : -kLongestArm;
  return way / turn;
}

}  // namespace

WheelAngles wheel_angles(const WheelPlace& place, double side) {
  const double steer = std::atan2(-place.axis.x(), place.axis.y());  // (1)
  return {.steer = steer,
          .toe = -side * steer,                                                 // (2)
          .camber = -side * std::asin(std::clamp(place.axis.z(), -1.0, 1.0))};  // (3)
}

WheelAngles angle_rates(const WheelPlace& place, const WheelRate& rate, double side) {
  const Vector3d& a = place.axis;
  const Vector3d a_rate = rate.w.cross(a);
  const double across = a.head<2>().squaredNorm();
  const double steer = (a.x() * a_rate.y() - a.y() * a_rate.x()) / across;
  return {.steer = steer, .toe = -side * steer, .camber = -side * a_rate.z() / std::sqrt(across)};
}

std::optional<SteerAxis> steer_axis(const WheelPlace& place, const WheelRate& steering, double side) {
  const double turn = steering.w.norm();
  if (!(turn > kNoTurn)) return std::nullopt;
  const Vector3d along = steering.w / turn;
  const Vector3d k = along.z() < 0.0 ? Vector3d(-along) : along;
  if (!(k.z() > 1e-6)) return std::nullopt;
  const Vector3d near = place.center + steering.w.cross(steering.v) / (turn * turn);  // (4)
  const Vector3d ahead = ahead_of(place), left = Vector3d::UnitZ().cross(ahead);
  const auto at_height = [&](double z) -> Vector3d { return near + k * ((z - near.z()) / k.z()); };
  const Vector3d from_road = place.contact - at_height(place.contact.z());
  const Vector3d from_center = place.center - at_height(place.center.z());
  return SteerAxis{.caster = std::atan2(-k.x(), k.z()),              // (5)
                   .inclination = std::atan2(-side * k.y(), k.z()),  // (6)
                   .scrub = side * from_road.dot(left),              // (7)
                   .trail = -from_road.dot(ahead),                   // (8)
                   .center_scrub = side * from_center.dot(left),
                   .center_trail = -from_center.dot(ahead),
                   .pitch = steering.w.dot(steering.v) / (turn * turn)};
}

SwingArms swing_arms(const WheelPlace& place, const WheelRate& travel, double side) {
  return {.front = arm_length(side * travel.contact_rate(place).z(), travel.w.x()),  // (9)
          .side = arm_length(travel.v.z(), travel.w.y())};                           // (10)
}

double roll_center_height(const std::array<WheelPlace, 2>& places,
                          const std::array<std::array<WheelRate, 2>, 2>& travel) {
  // Rates for contact points that go up instead of centres: the inverse of how these take them along.
  Eigen::Matrix2d up, across;  // (contact point, centre that goes up)
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const auto k = static_cast<std::size_t>(j);
      const Vector3d rate = travel[static_cast<std::size_t>(i)][k].contact_rate(places[k]);
      up(j, i) = rate.z();
      across(j, i) = rate.y();
    }
  Eigen::Matrix2d back;
  back << up(1, 1), -up(0, 1), -up(1, 0), up(0, 0);
  const Eigen::Matrix2d by_contact = across * back / (up(0, 0) * up(1, 1) - up(0, 1) * up(1, 0));
  const double middle = 0.5 * (places[0].contact.y() + places[1].contact.y());
  double height = 0.0;
  for (int i = 0; i < 2; ++i)
    height +=
        0.5 * (places[static_cast<std::size_t>(i)].contact.y() - middle) * by_contact.col(i).sum();  // (11)
  return height;
}

SupportSlopes support_slopes(const WheelPlace& place, const WheelRate& travel) {
  const Vector3d contact = travel.contact_rate(place);
  return {.contact = contact.x() / contact.z(), .center = travel.v.x() / contact.z()};  // (12)
}

SteerGeometry steer_geometry(const std::array<WheelPlace, 2>& places, double x_0) {
  const std::array<double, 2> steer{wheel_angles(places[0], 1.0).steer, wheel_angles(places[1], -1.0).steer};
  const double way = 0.5 * (places[0].contact.x() + places[1].contact.x()) - x_0;
  const double inwards = way * (steer[0] + steer[1]) >= 0.0 ? 1.0 : -1.0;  // of y: the turn goes to the left
  const std::size_t in = inwards > 0.0 ? 0 : 1, out = 1 - in;
  const Vector3d& S_in = places[in].contact;
  const Vector3d& S_out = places[out].contact;
  const double ahead = way >= 0.0 ? inwards : -inwards;
  const double inner = ahead * steer[in], outer = ahead * steer[out];
  const double run_in = std::abs(S_in.x() - x_0), run_out = std::abs(S_out.x() - x_0);
  SteerGeometry geometry;
  // (14), (15): tan δ_A = run_out/(run_in/tan δ_in + width), written so that straight ahead is a number
  const double width = inwards * (S_in.y() - S_out.y());
  const double wanted = std::atan(run_out * std::tan(inner) / (run_in + width * std::tan(inner)));
  geometry.error = outer - wanted;                           // (16)
  geometry.curvature = inwards * std::sin(outer) / run_out;  // (17)
  if (std::min(std::abs(inner), std::abs(outer)) >= kStraight)
    geometry.ackermann = (inner - outer) / (inner - wanted);  // (16)
  return geometry;
}

}  // namespace eslabon::vehicle
