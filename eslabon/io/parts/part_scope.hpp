#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <Eigen/Core>

#include "eslabon/io/parts/placement.hpp"
#include "eslabon/model/elements/body.hpp"
#include "eslabon/model/elements/joint_type.hpp"

/// What names mean in one file: in the file of the mechanism, or in that of a part for one of its instances.
namespace eslabon::io {

/// Directions that bodies name under `axes:`, by "body.axis"; joints refer to them.
using AxisTable = std::map<std::string, Eigen::Vector3d, std::less<>>;

/// Types of the joints by name, which say what unit a joint coordinate has.
using JointTypeTable = std::map<std::string, model::JointType, std::less<>>;

/// The joint coordinates that springs and dampers act along, by their names; empty for those between two points.
using SpringTable = std::map<std::string, std::string, std::less<>>;

/// A body that a part is given.
struct MountBinding {
  std::string body;                            ///< full name of the body that it is
  Placement in_body;                           ///< from the axes of the part to those of the body
  std::set<std::string, std::less<>> markers;  ///< points, axes, frames and curves that the part names on it
};

/// What a file knows of one of its instances.
struct InstanceFacts {
  std::string part_file;
  std::vector<std::string> exports;
  Eigen::Matrix3d mirror = Eigen::Matrix3d::Identity();  ///< by which it is mirrored in this file
};

/// The names of one file.
struct PartScope {
  std::string path;     ///< "front.left"; empty for the file that is read first
  Placement placement;  ///< from its drawing to that of the mechanism
  Eigen::Matrix3d mirror = Eigen::Matrix3d::Identity();  ///< N: from the axes of its bodies to those they get
  std::map<std::string, MountBinding, std::less<>> mounts;
  std::map<std::string, InstanceFacts, std::less<>> instances;
  AxisTable axes;
  JointTypeTable types;
  SpringTable springs;
  std::map<std::string, core::Dimension, std::less<>> state_dimensions;  ///< of auxiliary states

  bool is_part() const { return !path.empty(); }
  /// "front.left.hub" for "hub"
  std::string own_name(std::string_view name) const {
    return path.empty() ? std::string(name) : path + "." + std::string(name);
  }
};

/// All bodies of the mechanism as they are drawn, by full names.
struct Drawing {
  std::unordered_map<std::string, Placement> bodies;  ///< from their axes to the drawing of the mechanism
  std::unordered_map<std::string, Eigen::Vector3d> points;    ///< by "body.point", body axes
  std::unordered_map<std::string, model::NamedFrame> frames;  ///< by "body.frame"
  std::set<std::string> curves;                               ///< "body.curve"
};

}  // namespace eslabon::io
