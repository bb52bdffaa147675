#pragma once

#include <optional>
#include <string>

#include "eslabon/model/mechanism.hpp"
#include "eslabon/structure/spanning_tree.hpp"
#include "eslabon/structure/topology.hpp"

namespace eslabon::structure {

/// Who made a coordinate an input.
enum class InputOrigin {
  kDriver,  ///< a driver of the file moves it
  kChosen,  ///< the user asked for it under `inputs:`
  kPicked,  ///< the program picked it, to make the groups small
};

/// One independent coordinate of the mechanism.
struct Input {
  InputOrigin origin = InputOrigin::kDriver;
  std::string name;    ///< "A.q"; of a joint without scalar coordinates "ball.rotation_1"
  std::string driver;  ///< kDriver: name of the driver
  std::optional<model::Variable> variable;  ///< none for a joint without scalar coordinates
  std::optional<model::JointIndex> joint;   ///< the joint it belongs to; none for points and bodies
  LinkIndex first = kFrame;                 ///< the two links whose relative position it fixes
  LinkIndex second = kFrame;
};

/// The input that a position variable is.
Input input_of(const model::Mechanism& mechanism, const Topology& topology, const model::Variable& variable,
               InputOrigin origin);

/// Every coordinate that the program may pick, in the order in which it prefers them: joints at the frame,
/// other joints, then coordinates of points of bodies that only rods or free joints hold; within each in the order of
/// the file.
std::vector<Input> candidate_inputs(const model::Mechanism& mechanism, const Topology& topology,
                                    const SpanningTree& tree);

/// "driver", "chosen", "picked".
std::string_view name(InputOrigin origin);

}  // namespace eslabon::structure
