#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "eslabon/core/geometry/pose.hpp"
#include "eslabon/model/elements/curve.hpp"
#include "eslabon/model/elements/mass_properties.hpp"
#include "eslabon/model/elements/shape.hpp"

namespace eslabon::model {

/// A point that the user named.
struct NamedPoint {
  std::string name;
  Eigen::Vector3d p_BP_B;  ///< (3) from the body's origin, body axes [m]; planar: z is 0
  friend bool operator==(const NamedPoint& a, const NamedPoint& b) {
    return a.name == b.name && a.p_BP_B == b.p_BP_B;
  }
};

/// A direction that the user named. Kept as written; not necessarily of unit length.
struct NamedAxis {
  std::string name;
  Eigen::Vector3d u_B;  ///< (3) body axes, not zero
  friend bool operator==(const NamedAxis& a, const NamedAxis& b) {
    return a.name == b.name && a.u_B == b.u_B;
  }
};

/// An origin with axes. Kept as written: z is the direction of z_B, x is x_B made perpendicular to it.
struct NamedFrame {
  std::string name;
  Eigen::Vector3d p_BF_B = Eigen::Vector3d::Zero();  ///< (3) origin [m]
  Eigen::Vector3d x_B = Eigen::Vector3d::UnitX();    ///< (3) not parallel to z_B
  Eigen::Vector3d z_B = Eigen::Vector3d::UnitZ();    ///< (3) not zero

  core::Pose<double> X_BF() const;
  friend bool operator==(const NamedFrame& a, const NamedFrame& b) {
    return a.name == b.name && a.p_BF_B == b.p_BF_B && a.x_B == b.x_B && a.z_B == b.z_B;
  }
};

/// Where the axes of a body are in the drawing of the mechanism. The bodies start there if nothing else is said and this closes the joints.
struct DrawnPose {
  Eigen::Vector3d p_WB_W = Eigen::Vector3d::Zero();           ///< (3) origin of the body [m]
  Eigen::Vector3d rotation_vector = Eigen::Vector3d::Zero();  ///< (3) axis times angle [rad]
  friend bool operator==(const DrawnPose& a, const DrawnPose& b) {
    return a.p_WB_W == b.p_WB_W && a.rotation_vector == b.rotation_vector;
  }
};

/// One rigid body as the user described it; the ground is one too, without mass.
struct Body {
  std::string name;
  MassProperties mass_properties;
  std::optional<Shape> shape;
  std::vector<Shape> visuals;  ///< drawn beside the shape; they have no mass
  std::vector<NamedPoint> points;
  std::vector<NamedAxis> axes;
  std::vector<NamedFrame> frames;
  std::vector<NamedCurve> curves = {};
  DrawnPose drawn = {};
  bool inertia_as_published = false;  ///< the user knows that no rigid body may have it
  /// (3) from the user's origin of the body to that of all positions here [m]; zero except after about_own_origin
  Eigen::Vector3d origin_B = Eigen::Vector3d::Zero();
  friend bool operator==(const Body&, const Body&) = default;
};

/// A frame with its origin at p and its x (or z) along `axis`; the other two axes follow from the axis alone,
/// so that two bodies that give the same components get frames that coincide when the bodies are parallel.
core::Pose<double> frame_with_z_along(const Eigen::Vector3d& p_BF_B, const Eigen::Vector3d& axis_B);
core::Pose<double> frame_with_x_along(const Eigen::Vector3d& p_BF_B, const Eigen::Vector3d& axis_B);

}  // namespace eslabon::model
