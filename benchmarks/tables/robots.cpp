#include "benchmarks/tables/robots.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "benchmarks/tables/design_builder.hpp"

namespace eslabon::benchmarks {

namespace {

using Eigen::Vector3d;
using std::numbers::pi;

/// At this angle around z.
Vector3d around(double angle, double radius, double z) {
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

}  // namespace

model::Mechanism delta_robot() {
  DesignBuilder builder("delta");
  builder.add_body("platform", 0.5, {0.0, 0.0, -0.5}, {4e-4, 4e-4, 8e-4});
  builder.float_on_ground("platform");
  for (int i = 0; i < 3; ++i) {
    const double angle = 2.0 * pi / 3.0 * i + 0.1;
    const Vector3d aside(-std::sin(angle), std::cos(angle), 0.0);
    const std::string arm = "arm" + std::to_string(i + 1);
    builder.add_body(arm, 0.8, around(angle, 0.28, -0.06), {6e-3, 6e-3, 6e-3});
    builder.turn("ground", arm, around(angle, 0.2, 0.0), aside);
    for (const double side : {1.0, -1.0})
      builder.tie(arm, around(angle, 0.36, -0.12) + 0.05 * side * aside, "platform",
                  around(angle, 0.06, -0.5) + 0.05 * side * aside);
  }
  return builder.build();
}

model::Mechanism stewart_platform() {
  DesignBuilder builder("stewart");
  builder.add_body("base", 400.0, {0.0, 0.0, -0.1}, {40.0, 40.0, 60.0});
  builder.add_body("platform", 80.0, {0.0, 0.0, 1.0}, {5.0, 5.0, 8.0});
  builder.float_on_ground("base");
  for (int i = 0; i < 6; ++i) {
    const double below = pi / 3.0 * (i + 0.5 - 0.35 * std::pow(-1.0, i)), side = std::pow(-1.0, i);
    const double above = below + 0.35 * side;
    const Vector3d foot = around(below, 0.9, 0.0), head = around(above, 0.6, 1.0);
    builder.damper("leg" + std::to_string(i + 1), "base", foot, "platform", head);
    builder.spring("base", foot, "platform", head);
  }
  return builder.build();
}

model::Mechanism four_bar_track(int four_bars) {
  DesignBuilder builder("track");
  builder.add_body("base", 50.0, {-0.5, 0.0, 0.0}, {2.0, 6.0, 6.0});
  builder.float_on_ground("base");
  std::string before = "base";
  Vector3d at = Vector3d::Zero();
  for (int i = 1; i <= four_bars; ++i) {
    const std::string crank = "crank" + std::to_string(i), coupler = "coupler" + std::to_string(i);
    const Vector3d axis(0.1 * (i % 3), 1.0, 0.0), top = at + Vector3d(0.02, 0.0, 0.2);
    builder.add_body(crank, 1.0, at + Vector3d(0.01, 0.0, 0.1), {4e-3, 4e-3, 1e-3});
    builder.add_body(coupler, 2.0, at + Vector3d(0.25, 0.0, 0.2), {3e-3, 0.02, 0.02});
    builder.turn(before, crank, at, axis);
    builder.turn(crank, coupler, top, axis);
    builder.tie(before, at + Vector3d(-0.1, 0.05, 0.0), coupler, at + Vector3d(0.2, 0.05, 0.22));
    before = coupler;
    at += Vector3d(0.45, 0.0, 0.18);
  }
  return builder.build();
}

}  // namespace eslabon::benchmarks
