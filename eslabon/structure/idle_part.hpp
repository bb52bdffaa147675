#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/core/geometry/vector.hpp"
#include "eslabon/model/mechanism.hpp"
#include "eslabon/structure/topology.hpp"

namespace eslabon::structure {

/// A point of a body.
struct BodyPoint {
  model::BodyIndex body = model::kGround;
  core::Vector3<double> p_BP_B = core::Vector3<double>::Zero();  ///< (3) [m]
};

/// A part that can spin about a line while the links that hold it, and everything else, stand still.
struct IdlePart {
  std::vector<LinkIndex>
      links;  ///< that spin; the first stands for the part, another one for each where there are enough
  std::array<BodyPoint, 2> line;  ///< two points of the line, at rest while the part spins
  std::string first;              ///< "coupler.A", or "the axis of joint C"
  std::string second = {};        ///< "coupler.B", the other end of the line; empty for an axis
  /// The joint coordinate that changes with the spin, if there is one.
  std::optional<model::Variable> variable = std::nullopt;
};

/// Two rules find them, both for every position of the mechanism:
///   - coaxial: all joints of a link let it turn about one line that is fixed in it (coaxial_spin.hpp);
///   - two points: a part, links connected by anything but spherical joints and rods, which those hold at exactly two
///     points, where no driver or input fixes another point of it. Found by names alone.
/// What holds the part must lead to two different links, or be a rod: two spherical joints to one link make a hinge,
/// and the spin is what the part is there for.
/// Cost: linear in links and joints.
std::vector<IdlePart> find_idle_parts(const model::Mechanism& mechanism, const Topology& topology);

}  // namespace eslabon::structure
