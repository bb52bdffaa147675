#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/codegen/exported_model.hpp"
#include "eslabon/codegen/symbolic_parameters.hpp"
#include "eslabon/dynamics/dynamic_model.hpp"
#include "eslabon/dynamics/reduced/reduced_motion.hpp"
#include "eslabon/estimation/mechanism/step_rule.hpp"

namespace eslabon::codegen {

/// A number that nobody knows, as a parameter of the code.
struct ExportedUnknown {
  dynamics::Unknown what;
  core::Column column;
};

/// What of a mechanism is exported, and how.
struct MotionExportOptions {
  /// "relative": along the spanning tree; "reference-point": with Euler parameters, as in [Seed002]; "natural"
  std::string coordinates = "relative";
  std::string name = "";  ///< of all functions; empty: that of the mechanism
  std::vector<std::string> outputs =
      {};  ///< variables of the function `outputs`; none: those of the mechanism
  std::vector<std::string> efforts =
      {};  ///< joint coordinates along which an effort comes from outside: "A.q"
  bool closed_forms =
      true;  ///< of the form "reduced": structural groups are solved in closed form where all have one
  std::vector<ExportedUnknown> unknowns =
      {};  ///< parameters: factors of masses and elements; in the reduced form also forces
  std::optional<estimation::StepRule> rule = std::nullopt;  ///< the same: with the step of an estimator
  std::vector<std::string> functions =
      {};                              ///< names of those that are made beside `accelerations`; none: all
  double alpha = 10.0, beta = 10.0;    ///< [1/s] defaults of the parameters of Baumgarte
  SymbolicParameters parameters = {};  ///< parameters of the mechanism that stay symbols
  bool derivatives = true;             ///< functions of names …_by_x, …_by_u and …_by_p as well
};

/// The equations of motion in some kind of coordinates q with rates v and Lagrange multipliers,
///   M a + Jᵀ λ = f,   J a = γ − 2 α Φ̇ − β² Φ                                       [Seed002, eqs. (27), (32), (33)]        (1)
/// solved by elimination in a fixed order: M, and then J M⁻¹ Jᵀ, are positive definite, so that no order needs a choice; see
/// dynamics::TracedMultipliers. Functions: residual, jacobian, gamma, mass, forces, accelerations, their derivatives by x and u, outputs and
/// readings of the sensors.
/// Throws core::ModelError for what cannot be written down: rigid stops, friction by a load, rods with mass, efforts along what is no joint
/// coordinate; and where the model stands in, or next to, a singular position.
ExportedModel export_motion(const dynamics::DynamicModel& model, const MotionExportOptions& options);

}  // namespace eslabon::codegen
