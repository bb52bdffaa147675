#pragma once

#include <vector>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/core/random/rng.hpp"
#include "eslabon/model/mechanism.hpp"
#include "eslabon/structure/structure.hpp"

namespace eslabon::kinematics {

/// A first guess of where all bodies are, from the file's start values and the starts of its drivers.
struct StartGuess {
  coordinates::MechanismMotion bodies;  ///< (bodies) poses; at rest
  std::vector<bool> is_turn_given;      ///< (links) whether the user said how the link is turned
  bool is_complete = true;              ///< whether every link follows from what the user said
};

/// Places one link after the other along the spanning tree: by its joint, with the coordinates that the user gave
/// and zero for those that he did not; then turned and moved as the user said. Joints of the tree
/// stay closed unless the user's own positions open them; those outside the tree are left to assembly.
/// With `rng`, coordinates that nobody gave are random instead of zero: another guess that says the same.
StartGuess guess_start(const model::Mechanism& mechanism, const structure::Structure& structure,
                       core::Rng* rng = nullptr);

}  // namespace eslabon::kinematics
