#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/dynamics/statics/equilibrium.hpp"
#include "eslabon/runs/result.hpp"
#include "eslabon/runs/statics/static_case.hpp"

namespace eslabon::runs {

/// Looks for positions in which a mechanism stays at rest, its drivers held.
struct EquilibriumRequest {
  StaticRequest place =
      {};             ///< outputs, none: all joint coordinates, those of the mechanism, efforts of drivers
  int solutions = 1;  ///< how many; 0: all
};

/// Throws RequestError for what is out of range.
void check(const EquilibriumRequest& request);

/// One of them.
struct EquilibriumSolution {
  dynamics::Equilibrium at;
  std::vector<double> outputs;    ///< (outputs)
  double energy = 0.0;            ///< potential, from the user's origin [J]
  double constraint_error = 0.0;  ///< [m]
  std::string softest_shape;      ///< of the softest mode: "A.q 1, B.q −0.3"; empty: nothing can move
};

/// The table has a row for each solution: solution, stability (1 stable, 0 neutral, −1 unstable), softest_square where all have it, the
/// outputs, energy, constraint_error. Notes are those of the solutions; what comes before them the observer hears.
struct EquilibriumResult : Result {
  std::string mechanism;                       ///< its name
  std::vector<core::Column> outputs;           ///< what `EquilibriumSolution::outputs` are
  std::vector<model::Variable> variables;      ///< (outputs)
  std::vector<EquilibriumSolution> solutions;  ///< at least one
  std::string thoroughness;                    ///< of the search, in words
  double time = 0.0;                           ///< of loads and drivers [s]
  double length = 0.0;                         ///< of the mechanism [m]
  int num_freedoms = 0;                        ///< degrees of freedom, drivers held
  std::vector<std::string> freedoms;           ///< their names, at the start
  bool is_held = false;                        ///< the drivers hold everything: there was nothing to look for
  double start_error = 0.0;                    ///< constraint error at the start [m]
  std::vector<HeldDriver> held;
  std::vector<std::string> released;
};

/// The equilibria of a mechanism, their stability and softest modes. Throws RequestError, and core::ModelError when there is none.
EquilibriumResult find_equilibrium(const model::Mechanism& mechanism, const EquilibriumRequest& request = {},
                                   RunObserver& observer = nobody());

}  // namespace eslabon::runs
