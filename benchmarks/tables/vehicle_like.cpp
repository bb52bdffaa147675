#include "benchmarks/tables/vehicle_like.hpp"

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "benchmarks/tables/design_builder.hpp"

namespace eslabon::benchmarks {

namespace {

using Eigen::Vector3d;
using model::JointType;

/// x ahead, y to the left, z up.
class VehicleBuilder : public DesignBuilder {
 public:
  using DesignBuilder::DesignBuilder;

  /// Double wishbones on one side: two arms on the chassis, an upright between their ends, a tie rod to the rack, a wheel.
  void corner(const std::string& name, const std::string& chassis, const std::string& rack, double x,
              double side) {
    const auto at = [&](double dx, double y, double z) { return Vector3d(x + dx, side * y, z); };
    add_body(name + "_lower", 10.0, at(0.0, 0.55, -0.1), {0.1, 0.05, 0.12});
    add_body(name + "_upper", 4.0, at(-0.02, 0.6, 0.2), {0.03, 0.02, 0.04});
    add_body(name + "_upright", 20.0, at(0.0, 0.74, 0.0), {0.3, 0.25, 0.2});
    add_body(name + "_wheel", 25.0, at(0.0, 0.8, 0.0), {0.8, 1.4, 0.8});
    turn(chassis, name + "_lower", at(0.0, 0.35, -0.1), {1.0, 0.02, 0.03});
    turn(chassis, name + "_upper", at(-0.02, 0.42, 0.2), {1.0, -0.03, 0.05});
    join(name + "_lower", name + "_upright", JointType::kSpherical, at(0.01, 0.72, -0.12));
    join(name + "_upright", name + "_upper", JointType::kSpherical, at(-0.02, 0.7, 0.22));
    tie(rack, at(-0.15, 0.35, -0.02), name + "_upright", at(-0.14, 0.7, -0.02));
    turn(name + "_upright", name + "_wheel", at(0.0, 0.8, 0.0), Vector3d::UnitY());
    spring(chassis, at(0.0, 0.45, 0.35), name + "_lower", at(0.0, 0.6, -0.1));
  }
  /// A rigid axle: a limb on each side, one with a ball on the axle, the other with a drop link; two wheels unless it is steered.
  void axle(const std::string& name, const std::string& chassis, double x, bool has_wheels) {
    const auto at = [&](double dx, double y, double z) { return Vector3d(x + dx, y, z); };
    add_body(name, 120.0, at(0.0, 0.0, 0.0), {25.0, 1.5, 25.0});
    add_body(name + "_left_limb", 15.0, at(0.3, 0.5, 0.05), {0.1, 0.6, 0.6});
    add_body(name + "_right_limb", 15.0, at(0.3, -0.5, 0.05), {0.1, 0.6, 0.6});
    turn(chassis, name + "_left_limb", at(0.6, 0.5, 0.1), Vector3d::UnitY());
    turn(chassis, name + "_right_limb", at(0.6, -0.5, 0.1), Vector3d::UnitY());
    join(name + "_left_limb", name, JointType::kSpherical, at(0.0, 0.5, 0.06));
    tie(name + "_right_limb", at(0.02, -0.5, 0.2), name, at(0.0, -0.5, 0.0));
    if (has_wheels)
      for (const double side : {1.0, -1.0}) {
        const std::string wheel = name + (side > 0.0 ? "_left_wheel" : "_right_wheel");
        add_body(wheel, 40.0, at(0.0, 0.85 * side, 0.0), {1.5, 2.6, 1.5});
        turn(name, wheel, at(0.0, 0.85 * side, 0.0), Vector3d::UnitY());
      }
    for (const double side : {1.0, -1.0})
      spring(chassis, at(-0.05, 0.45 * side, 0.45), name, at(-0.05, 0.45 * side, 0.05));
  }
};

}  // namespace

model::Mechanism van_like(int sets) {
  VehicleBuilder builder("van-like");
  builder.add_body("chassis", 2300.0, {-1.2, 0.0, 0.3}, {800.0, 2600.0, 2800.0});
  builder.float_on_ground("chassis");
  for (int i = 0; i < sets; ++i) {
    const std::string number = std::to_string(i + 1);
    const double x = -6.0 * i;
    builder.add_body("rack" + number, 9.0, {x - 0.15, 0.0, -0.02}, {0.5, 0.1, 0.5});
    builder.slide("chassis", "rack" + number, {x - 0.15, 0.0, -0.02}, Vector3d::UnitY());
    builder.corner("left" + number, "chassis", "rack" + number, x, 1.0);
    builder.corner("right" + number, "chassis", "rack" + number, x, -1.0);
    builder.axle("axle" + number, "chassis", x - 2.4, true);
    for (const double side : {1.0, -1.0})
      builder.damper("damper" + number + (side > 0.0 ? "_left" : "_right"), "chassis",
                     {x - 2.75, 0.42 * side, 0.4}, "axle" + number, {x - 2.45, 0.45 * side, 0.02});
  }
  return builder.build();
}

model::Mechanism truck_like() {
  VehicleBuilder builder("truck-like");
  builder.add_body("tractor", 6000.0, {-1.5, 0.0, 0.8}, {4000.0, 12000.0, 12000.0});
  builder.add_body("trailer", 20000.0, {-9.0, 0.0, 1.2}, {20000.0, 150000.0, 150000.0});
  builder.float_on_ground("tractor");
  builder.join("tractor", "trailer", JointType::kSpherical, {-3.4, 0.0, 0.9});
  // The front axle: kingpins, a tie rod between them, a drag link to an arm on the chassis.
  builder.axle("axle1", "tractor", 0.0, false);
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0.0 ? "left" : "right";
    builder.add_body(name + "_knuckle", 30.0, {0.0, 0.8 * side, 0.0}, {0.5, 0.4, 0.5});
    builder.add_body(name + "_wheel", 70.0, {0.0, 0.95 * side, 0.0}, {6.0, 10.0, 6.0});
    builder.turn("axle1", name + "_knuckle", {0.0, 0.8 * side, 0.0}, {0.03, 0.1 * side, 1.0});
    builder.turn(name + "_knuckle", name + "_wheel", {0.0, 0.95 * side, 0.0}, Vector3d::UnitY());
  }
  builder.tie("left_knuckle", {-0.2, 0.75, 0.0}, "right_knuckle", {-0.2, -0.75, 0.0});
  builder.add_body("drop_arm", 5.0, {0.6, 0.6, 0.25}, {0.05, 0.05, 0.02});
  builder.turn("tractor", "drop_arm", {0.6, 0.6, 0.4}, Vector3d::UnitY());
  builder.tie("drop_arm", {0.6, 0.6, 0.15}, "left_knuckle", {0.0, 0.7, 0.15});
  const std::vector<std::pair<std::string, double>> rest{
      {"tractor", -3.6}, {"trailer", -9.0}, {"trailer", -10.3}, {"trailer", -11.6}};
  for (std::size_t i = 0; i < rest.size(); ++i)
    builder.axle("axle" + std::to_string(i + 2), rest[i].first, rest[i].second, true);
  int number = 0;
  for (const auto& [chassis, axle, x] :
       {std::tuple("tractor", "axle1", 0.0), std::tuple("tractor", "axle2", -3.6)})
    for (const double side : {1.0, -1.0})
      builder.damper("damper" + std::to_string(++number), chassis, {x - 0.35, 0.42 * side, 0.5}, axle,
                     {x - 0.05, 0.45 * side, 0.02});
  return builder.build();
}

}  // namespace eslabon::benchmarks
