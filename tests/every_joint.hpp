#pragma once

#include <cmath>

#include "eslabon/model/mechanism_builder.hpp"

namespace eslabon::test {

/// A curve in space past the origin, on which the nearest place moves smoothly with a point within some metres of it: it bends by a radius of 20 m.
/// `turn`: 0, 1, 2, which way it goes.
inline model::NamedCurve wire(const std::string& name, int turn) {
  model::NamedCurve curve{.name = name, .points = {}};
  for (int k = -4; k <= 4; ++k) {
    const double a = 0.1 * k;
    const Eigen::Vector3d p(20.0 * std::sin(a), 0.1 + 20.0 * (1.0 - std::cos(a)), 30.0 * a * a * a - 0.2);
    curve.points.push_back({p[turn], p[(turn + 1) % 3], p[(turn + 2) % 3]});
  }
  return curve;
}

/// A body with points, frames that are parallel to nothing, and curves beside them.
inline model::BodyDescription crooked_body(const std::string& name) {
  return {.name = name,
          .mass = 1.0,
          .center_of_mass = Eigen::Vector3d(0.1, 0.2, -0.1),
          .inertia = Eigen::Vector3d(0.02, 0.03, 0.04).asDiagonal().toDenseMatrix(),
          .points = {{"P", {0.3, -0.2, 0.1}}, {"Q", {-0.4, 0.1, 0.25}}},
          .frames = {{.name = "F", .p_BF_B = {0.3, -0.2, 0.1}, .x_B = {1, 2, 3}, .z_B = {0.3, -1, 0.5}},
                     {.name = "G", .p_BF_B = {-0.4, 0.1, 0.25}, .x_B = {2, -1, 0.4}, .z_B = {1, 1, -0.2}}},
          .curves = {wire("K", 0), wire("J", 2)}};
}

/// Every type of joint in space, each both in the tree (in both directions) and closing a loop. It is there to be
/// differentiated; nobody asks whether it can be assembled.
inline model::Mechanism every_joint() {
  using model::JointType;
  model::MechanismBuilder builder("every joint", model::Space::kSpatial);
  builder.add_ground_frame({.name = "F", .p_BF_B = {0.1, 0.2, 0.3}, .x_B = {1, 0.2, 0}, .z_B = {0, 0.1, 1}});
  builder.add_ground_frame({.name = "G", .p_BF_B = {1.1, 0.2, 0.3}, .x_B = {0, 0.2, 1}, .z_B = {1, 0.1, 0}});
  const JointType types[] = {JointType::kRevolute,
                             JointType::kPrismatic,
                             JointType::kCylindrical,
                             JointType::kUniversal,
                             JointType::kSpherical,
                             JointType::kPlanar,
                             JointType::kFixed,
                             JointType::kFree,
                             JointType::kRod,
                             JointType::kPointOnLine,
                             JointType::kPointOnPlane,
                             JointType::kLinearActuator,
                             JointType::kPointOnSpaceCurve,
                             JointType::kTranslation,
                             JointType::kRollingDisc,
                             JointType::kHelical};
  std::string before = "ground";
  for (const JointType type : types) {
    const std::string word(model::facts(type).name);
    const bool is_rod = type == JointType::kRod;
    const std::string first = is_rod ? ".P" : ".F", second = is_rod ? ".Q" : ".G";
    const bool is_curved = model::is_curve(type, 0);  // the first end is a curve, beside F or G
    builder.add_body(crooked_body("ahead_" + word));
    builder.add_body(crooked_body("back_" + word));
    const std::optional<double> length = is_rod ? std::optional(0.7) : std::nullopt;
    const std::optional<double> radius = model::has_radius(type) ? std::optional(0.3) : std::nullopt;
    // Steep: what differences miss grows with the cube of 2π/lead.
    const std::optional<double> lead = model::has_lead(type) ? std::optional(-40.0) : std::nullopt;
    builder.add_joint({.name = "ahead_by_" + word,
                       .type = type,
                       .first = before == "ground" ? "ground.F" : before + (is_curved ? ".K" : first),
                       .second = "ahead_" + word + second,
                       .length = length,
                       .radius = radius,
                       .lead = lead});
    builder.add_joint({.name = "back_by_" + word,
                       .type = type,
                       .first = "back_" + word + (is_curved ? ".K" : first),
                       .second = "ahead_" + word + (is_rod ? ".P" : ".F"),
                       .length = length,
                       .radius = radius,
                       .lead = lead});
    if (type != JointType::kFixed && type != JointType::kFree)
      builder.add_joint({.name = "closed_by_" + word,
                         .type = type,
                         .first = "back_" + word + (is_curved ? ".J" : second),
                         .second = "ahead_" + word + (is_rod ? ".Q" : ".G"),
                         .length = length,
                         .radius = radius,
                         .lead = lead});
    if (type != JointType::kFixed) before = "back_" + word;
  }
  return builder.build();
}

/// A closed curve that is round everywhere, counter-clockwise about a place beside the origin.
inline model::NamedCurve oval(const std::string& name) {
  model::NamedCurve curve{.name = name, .points = {}, .is_closed = true};
  for (int k = 0; k < 12; ++k) {
    const double x = 2.0 * 3.14159265358979 * k / 12.0;
    curve.points.push_back({0.1 + 0.5 * std::cos(x), -0.05 + 0.4 * std::sin(x), 0.0});
  }
  return curve;
}

/// The same in the plane.
inline model::Mechanism every_planar_joint() {
  using model::JointType;
  model::MechanismBuilder builder("every planar joint", model::Space::kPlanar);
  builder.add_ground_point("P", {0.1, 0.2, 0.0});
  const JointType types[] = {JointType::kRevolute,     JointType::kPrismatic,    JointType::kFixed,
                             JointType::kFree,         JointType::kRod,          JointType::kSlot,
                             JointType::kCircularSlot, JointType::kRolling,      JointType::kPointOnCurve,
                             JointType::kCurveOnLine,  JointType::kCurveOnCurve, JointType::kLinearActuator,
                             JointType::kTranslation};
  std::string before = "ground";
  for (const JointType type : types) {
    const std::string word(model::facts(type).name);
    for (const std::string& body : {"ahead_" + word, "back_" + word})
      builder.add_body({.name = body,
                        .mass = 1.0,
                        .center_of_mass = Eigen::Vector3d(0.1, 0.2, 0.0),
                        .inertia = Eigen::Vector3d(0.0, 0.0, 0.04).asDiagonal().toDenseMatrix(),
                        .points = {{"P", {0.3, -0.2, 0.0}}, {"Q", {-0.4, 0.1, 0.0}}, {"R", {0.2, 0.5, 0.0}}},
                        .curves = {oval("K"), oval("J")}});
    const std::optional<double> length = type == JointType::kRod ? std::optional(0.7) : std::nullopt;
    const std::optional<model::AxisPair> axis = model::facts(type).axis_use == model::AxisUse::kSlide
                                                    ? std::optional(model::AxisPair{{1, 2, 0}, {2, -0.4, 0}})
                                                    : std::nullopt;
    const std::optional<double> radius = model::may_have_radius(type) ? std::optional(0.3) : std::nullopt;
    // Curves beside the points: K beside P and Q, J beside R.
    const auto beside = [](std::string marker) {
      marker.back() = marker.back() == 'R' ? 'J' : 'K';
      return marker;
    };
    const auto add = [&](const std::string& name, const std::string& first, const std::string& second) {
      builder.add_joint({.name = name,
                         .type = type,
                         .first = model::is_curve(type, 0) ? beside(first) : first,
                         .second = model::is_curve(type, 1) ? beside(second) : second,
                         .axis = axis,
                         .length = length,
                         .radius = radius});
    };
    add("ahead_by_" + word, before + ".P", "ahead_" + word + ".Q");
    add("back_by_" + word, "back_" + word + ".P", "ahead_" + word + ".P");
    if (type != JointType::kFixed && type != JointType::kFree)
      add("closed_by_" + word, "back_" + word + ".R", "ahead_" + word + ".R");
    before = "back_" + word;
  }
  return builder.build();
}

}  // namespace eslabon::test
