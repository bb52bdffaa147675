#pragma once

#include <optional>
#include <string>
#include <variant>

#include <Eigen/Core>

#include "eslabon/model/elements/mass_properties.hpp"

namespace eslabon::model {

/// A thin uniform bar between two named points of the body.
struct Bar {
  std::string from;
  std::string to;
  friend bool operator==(const Bar&, const Bar&) = default;
};

/// A thin uniform disc; planar mechanisms: in the plane, otherwise perpendicular to `axis`.
struct Disc {
  double radius = 0.0;                                ///< [m]
  Eigen::Vector3d p_BC_B = Eigen::Vector3d::Zero();   ///< centre [m]
  Eigen::Vector3d axis_B = Eigen::Vector3d::UnitZ();  ///< normal of the disc
  friend bool operator==(const Disc& a, const Disc& b) {
    return a.radius == b.radius && a.p_BC_B == b.p_BC_B && a.axis_B == b.axis_B;
  }
};

/// A uniform box along the body's axes.
struct Box {
  Eigen::Vector3d size = Eigen::Vector3d::Zero();    ///< lengths along x, y, z [m]; planar: z is 0
  Eigen::Vector3d p_BC_B = Eigen::Vector3d::Zero();  ///< centre [m]
  friend bool operator==(const Box& a, const Box& b) { return a.size == b.size && a.p_BC_B == b.p_BC_B; }
};

/// A uniform solid cylinder.
struct Cylinder {
  double radius = 0.0;                                ///< [m]
  double length = 0.0;                                ///< [m]
  Eigen::Vector3d p_BC_B = Eigen::Vector3d::Zero();   ///< centre [m]
  Eigen::Vector3d axis_B = Eigen::Vector3d::UnitZ();  ///< direction of its axis
  friend bool operator==(const Cylinder& a, const Cylinder& b) {
    return a.radius == b.radius && a.length == b.length && a.p_BC_B == b.p_BC_B && a.axis_B == b.axis_B;
  }
};

/// A uniform solid ball.
struct Sphere {
  double radius = 0.0;                               ///< [m]
  Eigen::Vector3d p_BC_B = Eigen::Vector3d::Zero();  ///< centre [m]
  friend bool operator==(const Sphere& a, const Sphere& b) {
    return a.radius == b.radius && a.p_BC_B == b.p_BC_B;
  }
};

/// What a body looks like. Mass properties that the user does not give are computed from it.
using Shape = std::variant<Bar, Disc, Box, Cylinder, Sphere>;

/// The word for the shape in files: "bar", "disc", "box", "cylinder", "sphere".
std::string_view name(const Shape& shape);

/// Volume [m³]; nothing for bars and discs, which are thin, and for the boxes of planar mechanisms.
std::optional<double> volume(const Shape& shape);

/// Mass properties of a uniform body of this shape and mass.
/// p_from, p_to: the end points of a Bar in body axes [m]; not read for other shapes.
MassProperties uniform_mass_properties(const Shape& shape, double mass, const Eigen::Vector3d& p_from,
                                       const Eigen::Vector3d& p_to);

}  // namespace eslabon::model
