#pragma once

#include <string>
#include <vector>

#include "eslabon/dynamics/statics/equilibrium.hpp"

namespace eslabon::dynamics {

/// How far to look for equilibria.
struct SearchOptions {
  int most = 0;  ///< solutions after which it ends; 0: none
  int tries =
      40;  ///< random assemblies that are tried, for other branches; 0: stay on the branch of the start
  int walks = 40;  ///< with several degrees of freedom: walks away from the start
};

/// The equilibria of a mechanism, each once, and how thorough the search was.
struct EquilibriumSearch {
  std::vector<Equilibrium> found;  ///< the one that is found from the start first
  int starts = 0;                  ///< from how many positions it was looked
  int curves = 0;                  ///< of one degree of freedom: curves of motion that were followed
  bool is_exhaustive = false;      ///< of one degree of freedom: every curve was followed until it closed
  std::string thoroughness;        ///< in words
  EquilibriumReport from_start;    ///< what find_equilibrium says at the start
};

/// Looks for all equilibria, drivers held.
/// One degree of freedom: follows the whole curve of motion through the start, both ways, until it closes, and finds every change of sign of f on
/// it by bisection, and where f touches 0 by Newton; then the curves of other assemblies. A curve that does not close (a slider; a
/// spring that winds up) is followed for 40 rad, or 40 times the mechanism's size, each way.
/// Several degrees of freedom: looks from the start, from random assemblies, from walks of up to 3 rad along directions that fill all directions
/// evenly (Halton's), and from each equilibrium a little along its modes, both ways. What is found from many starts may not be all.
/// Positions that neutral motions lead into each other are one: those that differ in idle spins only, or, where neutral motions move
/// joints, those with the same energy and the same stiffnesses.
EquilibriumSearch search_equilibria(FreedomChart& chart, const State& start, const SearchOptions& options);

/// Largest difference of two positions: a turn of a body [rad], or a shift of an origin in units of `length`.
double distance_of(const coordinates::MechanismMotion& a, const coordinates::MechanismMotion& b,
                   double length);

}  // namespace eslabon::dynamics
