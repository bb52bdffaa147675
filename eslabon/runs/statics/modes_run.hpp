#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "eslabon/dynamics/statics/linearisation.hpp"
#include "eslabon/runs/statics/static_case.hpp"

namespace eslabon::runs {

/// Linearises a mechanism about one of its states.
struct ModesRequest {
  enum class Place {
    kEquilibrium,  ///< found from the start, drivers held
    kStart,        ///< with its rates
    kTime,         ///< reached by simulation
  };
  StaticRequest common = {};
  Place at = Place::kEquilibrium;
  core::Duration after = {};             ///< kTime: how long the simulation takes
  std::vector<std::string> inputs = {};  ///< joint coordinates and loads: columns of B
  bool with_outputs = true;              ///< C and D; otherwise they are empty
};

/// Throws RequestError for what does not go together.
void check(const ModesRequest& request);

/// What small motions about that state are.
struct ModesResult {
  std::string mechanism;  ///< its name
  std::string about;      ///< "the equilibrium found from the start, stable, in 4 iterations"
  dynamics::LinearSystem linear;
  std::vector<dynamics::Mode> modes;     ///< slowest first
  std::vector<std::string> shape_texts;  ///< (modes) "A.q 1, B.q −0.3"
  std::vector<std::string> shape_names;  ///< joint coordinates, then those of bodies
  Eigen::MatrixXcd shapes;               ///< (names × modes) the largest of each is 1
  std::vector<HeldDriver> held;          ///< about an equilibrium
  std::vector<std::string> released;
};

/// Natural frequencies, damping and mode shapes. Throws RequestError, and core::ModelError for what cannot be linearised.
ModesResult find_modes(const model::Mechanism& mechanism, const ModesRequest& request = {},
                       RunObserver& observer = nobody());

}  // namespace eslabon::runs
