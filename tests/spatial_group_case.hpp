#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "eslabon/model/mechanism.hpp"

/// Structural groups for tests that move the links before them.
namespace eslabon::test {

/// A group behind links that a test moves as it likes.
struct GroupCase {
  std::string name;
  std::string type;  ///< StructuralGroup::type, or StructuralGroup::assur
  model::Mechanism mechanism;
  std::vector<std::string> outer;     ///< the links before the group
  std::vector<Eigen::Vector3d> held;  ///< of each, the point whose motion is given, where it is at the start
  bool is_concurrent = false;         ///< that point is the same of all
};

void PrintTo(const GroupCase& c, std::ostream* out);

/// Two driven links, and a dyad between them: its joints by their letters, from the left. `order`: of each joint, whether its
/// bodies are written the other way round.
GroupCase dyad(const std::string& type, const std::string& letters, const std::string& order);

/// Two driven links, and a dyad of revolute joints between them: five axes through one point.
GroupCase spherical_dyad(const std::string& order);

/// The same dyad in the plane.
GroupCase planar_dyad();

/// A driven link on a link that moves: 'R' or 'P'. `is_swapped`: its bodies are written the other way round.
GroupCase driven_link(char letter, bool is_swapped);

/// Every dyad in space that has a closed form, with its joints in every place and its bodies in several orders.
std::vector<GroupCase> spatial_dyads();

}  // namespace eslabon::test
