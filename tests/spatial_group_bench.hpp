#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "tests/spatial_group_case.hpp"
#include <Eigen/Geometry>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/kinematics/groups/general_group.hpp"
#include "eslabon/kinematics/groups/group_kinematics.hpp"

/// Solving one group behind links that are moved at random, and what is to be true of the answer.
namespace eslabon::test {

/// The last group of a mechanism with its closed form, if it has one, and its general solver.
template <class Link>
struct GroupBench {
  explicit GroupBench(const GroupCase& group_case);
  const structure::StructuralGroup& group() const { return structure.groups.back(); }
  const kinematics::GroupSolver<Link>& closed() const { return groups.solver(groups.num_groups() - 1); }

  model::Mechanism mechanism;
  structure::Structure structure;
  kinematics::AssemblyReport assembly;
  kinematics::DrivenMechanism driven;
  kinematics::GroupKinematics<Link> groups;
  coordinates::KinematicTree tree;
  coordinates::CoupledCoordinates coupled;  ///< none
  std::vector<coordinates::CoordinateValue> inputs;
  std::vector<Link> start;
  std::unique_ptr<kinematics::GroupSolver<Link>> general;
  std::vector<std::size_t> outer;     ///< links before the group
  std::vector<Eigen::Vector3d> held;  ///< of each, in its frame: the point that is moved
  kinematics::GroupScratch scratch;
};

extern template struct GroupBench<kinematics::PlanarLink>;
extern template struct GroupBench<kinematics::SpatialLink>;

using SpatialBench = GroupBench<kinematics::SpatialLink>;
using SpatialLinks = std::vector<kinematics::SpatialLink>;

/// Random numbers as the tests need them.
struct Dice {
  core::Rng rng;
  double number(double size) { return size * (2.0 * rng.uniform() - 1.0); }
  Eigen::Vector3d vector(double size) { return {number(size), number(size), number(size)}; }
  Eigen::Matrix3d turn(double size) {
    Eigen::Vector3d axis = vector(1.0);
    while (axis.norm() < 0.1) axis = vector(1.0);
    return Eigen::AngleAxisd(number(size), axis.normalized()).toRotationMatrix();
  }
};

/// Any orientation and any rates; the held points near their start.
void move_outer_links(const SpatialBench& bench, bool is_concurrent, Dice& dice, SpatialLinks& links);

/// The group's own links near where they are, at rest.
SpatialLinks disturbed(const SpatialBench& bench, Dice& dice, SpatialLinks links);

/// Near a toggle rates grow without bound: unit speeds of the outer links become these.
bool is_near_toggle(const SpatialBench& bench, const SpatialLinks& links);

/// All joints of the group are closed, and its links are rotated, not deformed.
void expect_closed(const SpatialBench& bench, const SpatialLinks& links);

/// The group's links have the same poses, velocities and accelerations.
void expect_same(const SpatialBench& bench, const SpatialLinks& actual, const SpatialLinks& expected);

/// Largest difference of the poses of the group's links.
double distance(const SpatialBench& bench, const SpatialLinks& a, const SpatialLinks& b);

}  // namespace eslabon::test
