#include "eslabon/model/checks/body_checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>
#include <utility>

#include <Eigen/Geometry>

#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/model/checks/curve_checks.hpp"
#include "eslabon/model/checks/value_checks.hpp"
#include "eslabon/model/variables/variable_words.hpp"

namespace eslabon::model::detail {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Directions nearer to parallel than this sine give no frame: a few thousand roundoffs of a hand-written
/// axis.
constexpr double kSmallestSine = 1e-9;

void check_markers(const BodyDescription& body, bool is_planar, const Place& place) {
  std::unordered_set<std::string_view> markers, axes;
  for (const NamedPoint& point : body.points) {
    check_point(point, is_planar, place);
    check_marker_is_new(!markers.insert(point.name).second, place, {"point", point.name});
  }
  for (const NamedFrame& frame : body.frames) {
    check_frame(frame, is_planar, place);
    check_marker_is_new(!markers.insert(frame.name).second, place, {"frame", frame.name});
  }
  for (const NamedCurve& curve : body.curves) {
    check_curve(curve, is_planar, place);
    check_marker_is_new(!markers.insert(curve.name).second, place, {"curve", curve.name});
  }
  for (const NamedAxis& axis : body.axes) {
    check_axis(axis, is_planar, place);
    check_marker_is_new(!axes.insert(axis.name).second, place, {"axis", axis.name});
  }
}

const Field kShape{"shape"}, kVisuals{"visuals"};

/// The axis of a flat or round shape; planar mechanisms see shapes that their plane cuts into equal halves.
void check_shape_axis(const Vector3d& axis, bool is_planar, bool may_lie_in_plane, const Place& place,
                      const Field& field) {
  check_direction(axis, false, place, field);
  if (!is_planar) return;
  const bool is_normal = axis.x() == 0.0 && axis.y() == 0.0;
  if (is_normal || (may_lie_in_plane && axis.z() == 0.0)) return;
  fail(place, field,
       {"the axis of the shape is askew to the plane",
        may_lie_in_plane ? "an axis along z or in the plane" : "an axis along z", to_text(axis),
        "Change the axis, or remove 'plane' to make the mechanism spatial."});
}

Vector3d bar_end(const std::vector<NamedPoint>& points, const std::string& end, const Place& place,
                 const Field& field) {
  const auto found = std::ranges::find(points, end, &NamedPoint::name);
  if (found != points.end()) return found->p_BP_B;
  std::vector<std::string> names;
  for (const NamedPoint& point : points) names.push_back(point.name);
  const auto nearest = core::nearest_name(end, names);
  fail(place, field,
       {"an end of the bar is not a point of the body", "a point of the body: " + core::quoted_list(names),
        core::quoted(end), nearest ? "Did you mean '" + *nearest + "'?" : "Add the point to the body."});
}

struct ShapeCheck {
  const std::vector<NamedPoint>& points;  ///< of its body
  const Place& place;
  const Field& field;
  bool is_planar;

  void operator()(const Bar& bar) const {
    const Vector3d p_from = bar_end(points, bar.from, place, field);
    const Vector3d p_to = bar_end(points, bar.to, place, field);
    if (p_from == p_to)
      fail(place, field,
           {"the bar has no length", "two ends at different places",
            core::quoted(bar.from) + " and " + core::quoted(bar.to) + ", both at " + to_text(p_from) + " m",
            "Choose another end."});
  }
  void operator()(const Disc& disc) const {
    check_size("radius", disc.radius);
    check_position(disc.p_BC_B, is_planar, place, field);
    check_shape_axis(disc.axis_B, is_planar, false, place, field);
  }
  void operator()(const Box& box) const {
    check_size("x size", box.size.x());
    check_size("y size", box.size.y());
    if (!is_planar) check_size("z size", box.size.z());
    if (is_planar && box.size.z() != 0.0)
      fail(place, field,
           {"the box leaves the plane", "two sizes, along x and y", to_text(box.size) + " m",
            "Remove the third size, or remove 'plane' to make the mechanism spatial."});
    check_position(box.p_BC_B, is_planar, place, field);
  }
  void operator()(const Cylinder& cylinder) const {
    check_size("radius", cylinder.radius);
    check_size("length", cylinder.length);
    check_position(cylinder.p_BC_B, is_planar, place, field);
    check_shape_axis(cylinder.axis_B, is_planar, true, place, field);
  }
  void operator()(const Sphere& ball) const {
    check_size("radius", ball.radius);
    check_position(ball.p_BC_B, is_planar, place, field);
  }

 private:
  void check_size(std::string_view what, double size) const {
    if (std::isfinite(size) && size > 0.0) return;
    const std::string name(what);
    fail(place, field,
         {"the " + name + " of the shape is not positive", name + " > 0 m", with_unit(size, "m"),
          "Give a positive value."});
  }
};

/// Mass from mass or density; 0 for a massless body, which may have neither centre of mass nor inertia.
double checked_mass(const BodyDescription& body, const Place& place) {
  if (body.mass) check_positive(*body.mass, "kg", place, {"mass"});
  if (!body.density) return body.mass.value_or(0.0);

  const Field field{"density"};
  check_positive(*body.density, "kg/m^3", place, field);
  if (body.mass)
    fail(place, field,
         {"mass and density are both given", "one of the two",
          with_unit(*body.mass, "kg") + " and " + with_unit(*body.density, "kg/m^3"), "Remove one of them."});
  const auto solid = body.shape ? volume(*body.shape) : std::nullopt;
  if (!solid)
    fail(place, field,
         {"density without a volume", "a solid shape: box, cylinder or sphere",
          body.shape ? std::string(name(*body.shape)) +
                           (std::holds_alternative<Box>(*body.shape) ? " in the plane" : "")
                     : "no shape",
          "Give mass instead of density, or another shape."});
  const double mass = *body.density * *solid;
  if (!std::isfinite(mass) || mass <= 0.0)
    fail(place, field,
         {"density gives a mass that is not finite and positive", "a finite mass > 0 kg",
          with_unit(mass, "kg"), "Check the density and the size of the shape."});
  return mass;
}

/// What a body with mass must also have: a centre of mass and an inertia, given or from a shape.
void check_complete(const BodyDescription& body, const Place& place) {
  if (body.shape) return;
  const auto require = [&](bool is_given, std::string_view key) {
    if (is_given) return;
    fail(place, {"mass"},
         {std::string(key) + " is missing", std::string(key) + " or shape beside mass", "neither",
          "Give '" + std::string(key) + ":', or a 'shape:' it can be computed from."});
  };
  require(body.center_of_mass.has_value(), "center_of_mass");
  require(body.inertia.has_value(), "inertia");
}

void check_massless(const BodyDescription& body, const Place& place) {
  const auto forbid = [&](bool is_given, std::string_view key) {
    if (!is_given) return;
    fail(place, {key},
         {std::string(key) + " of a body without mass", "mass or density beside " + std::string(key),
          "neither", "Give the body a mass, or remove '" + std::string(key) + ":'."});
  };
  forbid(body.center_of_mass.has_value(), "center_of_mass");
  forbid(body.inertia.has_value(), "inertia");
}

Matrix3d checked_inertia(const Matrix3d& I, bool is_planar, bool as_published, const Place& place) {
  const Field field{"inertia"};
  if (is_planar) {
    check_not_negative(I(2, 2), "kg*m^2", place, field);
    return Vector3d(0.0, 0.0, I(2, 2)).asDiagonal();
  }
  for (const double component : I.reshaped()) check_finite(component, "kg*m^2", place, field);
  static constexpr std::array<std::pair<int, int>, 3> kPairs{{{0, 1}, {0, 2}, {1, 2}}};
  for (const auto& [row, column] : kPairs) {
    // Roundoff of the sums that a user's program may have made: the measure of find_inertia_fault.
    if (std::abs(I(row, column) - I(column, row)) <= 1e-12 * I.cwiseAbs().maxCoeff()) continue;
    fail(place, field,
         {"inertia is not symmetric", "the same number on both sides of the diagonal",
          core::number_text(I(row, column)) + " and " + with_unit(I(column, row), "kg*m^2"),
          "Give one of the two on both sides."});
  }
  const Matrix3d symmetric = 0.5 * I + 0.5 * I.transpose();
  if (auto fault = as_published ? find_indefinite_inertia(symmetric) : find_inertia_fault(symmetric))
    fail(place, field,
         {as_published ? "no motion can be computed with this inertia" : "no rigid body has this inertia",
          std::move(fault->expected), std::move(fault->actual),
          "Check that it is about the centre of mass, in the axes of the body."});
  return symmetric;
}

MassProperties mass_properties_from_shape(const BodyDescription& body, double mass, bool is_planar,
                                          const Place& place) {
  Vector3d p_from = Vector3d::Zero(), p_to = Vector3d::Zero();
  if (const auto* bar = std::get_if<Bar>(&*body.shape)) {
    p_from = bar_end(body.points, bar->from, place, kShape);
    p_to = bar_end(body.points, bar->to, place, kShape);
  }
  MassProperties properties = uniform_mass_properties(*body.shape, mass, p_from, p_to);
  if (!properties.p_BC_B.allFinite() || !properties.I_BC_B.allFinite())
    fail(place, kShape,
         {"the shape is too large to compute with", "a finite moment of inertia", "an overflow",
          "Check the units of the shape."});
  if (is_planar) properties.I_BC_B = Vector3d(0.0, 0.0, properties.I_BC_B(2, 2)).asDiagonal();
  return properties;
}

MassProperties make_mass_properties(const BodyDescription& body, bool is_planar, const Place& place) {
  const double mass = checked_mass(body, place);
  if (mass == 0.0) {
    check_massless(body, place);
    return {};
  }
  check_complete(body, place);
  MassProperties properties;
  if (body.shape) properties = mass_properties_from_shape(body, mass, is_planar, place);
  properties.mass = mass;
  if (body.center_of_mass) {
    check_position(*body.center_of_mass, is_planar, place, {"center_of_mass"});
    properties.p_BC_B = *body.center_of_mass;
  }
  if (body.inertia)
    properties.I_BC_B = checked_inertia(*body.inertia, is_planar, body.inertia_as_published, place);
  return properties;
}

void check_drawn(const DrawnPose& drawn, bool is_planar, const Place& place) {
  const Field field{"drawn"};
  check_position(drawn.p_WB_W, is_planar, place, field);
  check_finite(drawn.rotation_vector, place, field);
  if (is_planar && (drawn.rotation_vector.x() != 0.0 || drawn.rotation_vector.y() != 0.0))
    fail(place, field,
         {"a body is drawn askew to the plane", "a turn about z in a planar mechanism",
          to_text(drawn.rotation_vector), "Turn it about z alone."});
}

}  // namespace

void check_point(const NamedPoint& point, bool is_planar, const Place& place) {
  const Field field{"point", point.name};
  check_marker_name(place, field);
  if (is_body_word(point.name))
    fail(place, field,
         {"a point has the name of a variable of its body", "any name but those of variables",
          core::quoted(point.name) + ", so that '" + std::string(place.name) + "." + point.name +
              "' would mean two things",
          "Choose another name."});
  check_position(point.p_BP_B, is_planar, place, field);
}

void check_axis(const NamedAxis& axis, bool is_planar, const Place& place) {
  const Field field{"axis", axis.name};
  check_marker_name(place, field);
  check_direction(axis.u_B, is_planar, place, field);
}

void check_frame(const NamedFrame& frame, bool is_planar, const Place& place) {
  const Field field{"frame", frame.name};
  check_marker_name(place, field);
  check_position(frame.p_BF_B, is_planar, place, field);
  check_direction(frame.x_B, is_planar, place, field);
  check_direction(frame.z_B, false, place, field);
  const Vector3d x = frame.x_B.stableNormalized(), z = frame.z_B.stableNormalized();
  if (x.cross(z).norm() < kSmallestSine)
    fail(place, field,
         {"the axes of a frame are parallel", "an x axis that is not along the z axis",
          "x along " + to_text(frame.x_B) + " and z along " + to_text(frame.z_B), "Turn one of the two."});
  if (is_planar && z != Vector3d::UnitZ())
    fail(place, field,
         {"a frame leaves the plane", "a z axis along [0, 0, 1] in a planar mechanism", to_text(frame.z_B),
          "Remove the z axis of the frame, or remove 'plane' to make the mechanism spatial."});
}

void check_marker_is_new(bool is_taken, const Place& place, const Field& field) {
  if (!is_taken) return;
  const bool is_axis = field.key == "axis";
  fail(place, field,
       {"a name is used twice in one body", is_axis ? "one axis per name" : "one point or frame per name",
        core::quoted(field.name) + " twice", "Rename one of the two."});
}

void check_visual(const Shape& visual, const std::vector<NamedPoint>& points, bool is_planar,
                  const Place& place) {
  std::visit(ShapeCheck{points, place, kVisuals, is_planar}, visual);
}

Body make_body(BodyDescription description, bool is_planar) {
  const Place place{kBodyWord, description.name};
  check_element_name(place);
  check_markers(description, is_planar, place);
  if (description.shape)
    std::visit(ShapeCheck{description.points, place, kShape, is_planar}, *description.shape);
  for (const Shape& visual : description.visuals) check_visual(visual, description.points, is_planar, place);
  check_drawn(description.drawn, is_planar, place);
  if (description.inertia_as_published && (is_planar || !description.inertia))
    fail(place, {"accept_inertia"},
         {"'accept_inertia' accepts nothing", "an inertia of a body in space beside it",
          is_planar ? "a planar mechanism" : "none", "Remove the key."});
  const MassProperties properties = make_mass_properties(description, is_planar, place);
  return {.name = std::move(description.name),
          .mass_properties = properties,
          .shape = std::move(description.shape),
          .visuals = std::move(description.visuals),
          .points = std::move(description.points),
          .axes = std::move(description.axes),
          .frames = std::move(description.frames),
          .curves = std::move(description.curves),
          .drawn = description.drawn,
          .inertia_as_published = description.inertia_as_published};
}

}  // namespace eslabon::model::detail
