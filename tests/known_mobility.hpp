#pragma once

#include <string>
#include <vector>

#include "eslabon/model/mechanism.hpp"

namespace eslabon::test {

/// A mechanism whose mobility is known from the literature or by thought, not from this library. Always
///   rank = gruebler + redundant.                                                                            (1)
/// Start values give the pose of every body and close the loops to roundoff; the start is generic unless it is shaky. A
/// shaky mechanism without mobility has no other position: only a step of second order tells its rank from 1.
struct KnownMobility {
  std::string name;
  model::Mechanism mechanism;
  int gruebler;        ///< 3 or 6 per moving body, minus the rows of all joints
  int rank;            ///< true mobility: freedoms of finite motion, idle ones included
  int redundant;       ///< rows that repeat others, at a generic position of the motion
  int idle = 0;        ///< spins of parts that balls and rods hold at two points
  bool shaky = false;  ///< the start position, and no generic one, has one freedom more to first order
  /// Joints that some state of self-stress loads at a generic position, in the order of the file: every redundant
  /// row is a row of one of these, and each of these has one that may be called redundant.
  std::vector<std::string> redundant_joints;
  std::string source;
};

/// All of them; every call builds them anew. Some are read from the folder `models`.
std::vector<KnownMobility> known_mobility_mechanisms();

}  // namespace eslabon::test
