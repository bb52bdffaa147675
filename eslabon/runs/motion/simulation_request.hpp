#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/dynamics/formulations/formulation_compiler.hpp"
#include "eslabon/integration/integrators/integrator.hpp"
#include "eslabon/runs/motion/motion_request.hpp"

namespace eslabon::runs {

/// Forward dynamics: the motion of a mechanism from its masses, forces and drivers.
struct SimulationRequest {
  core::Duration until = {};
  std::optional<core::Duration> step = {};          ///< of integrators that need one
  std::optional<core::Duration> every = {};         ///< from row to row; none: the step, or a thousandth
  std::optional<double> rtol = {}, atol = {};       ///< of integrators that find their steps: error in a step
  std::optional<core::Duration> largest_step = {};  ///< of these
  std::string integrator = "dopri5";                ///< of integration::integrator_names()
  std::string formulation = kAuto;                  ///< of dynamics::formulation_names()
  std::optional<std::string> coordinates = {};      ///< of coordinates::layout_names()
  std::optional<std::string> matrices = {};         ///< of semi-recursive: "dense" or "sparse"
  std::optional<dynamics::Baumgarte> baumgarte = {};  ///< of multipliers, instead of projections
  bool accept_drift = false;                          ///< energy out of nowhere is no failure
  bool verify = false;                                ///< a second run, by another formulation
  bool step_times = false;                            ///< of semi-recursive: time its steps
  std::vector<std::string> release = {};              ///< drivers that are released; "all"
  std::optional<std::vector<std::string>> outputs =
      {};               ///< none: those of the mechanism, or all joint coordinates
  bool states = false;  ///< with outputs: also what tells the whole motion; without, it is told anyway
  std::optional<std::string> branch = {};                        ///< none: that of the start values
  std::shared_ptr<dynamics::FormulationCompiler> compiler = {};  ///< of machine code; none: it is interpreted
};

/// Formulations and variants that a request may name.
std::vector<std::string> known_formulations();
std::vector<std::string> known_matrices();

/// Throws RequestError for what is unknown, out of range or does not go together.
void check(const SimulationRequest& request);

/// The rows of a run. Throws RequestError.
TimeGrid grid_of(const SimulationRequest& request);

/// How the motion is integrated. Integrators that find their steps do not step over what depends on time: without `largest_step` theirs are
/// at most those from row to row, and a thousandth of the run.
integration::IntegratorOptions stepping_of(const SimulationRequest& request,
                                           const model::Mechanism& mechanism, const TimeGrid& grid);

}  // namespace eslabon::runs
