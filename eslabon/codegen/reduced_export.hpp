#pragma once

#include "eslabon/codegen/exported_model.hpp"
#include "eslabon/codegen/motion_export.hpp"
#include "eslabon/dynamics/dynamic_model.hpp"

namespace eslabon::codegen {

/// The equations of motion in as many numbers as there are degrees of freedom: see ReducedEquations. x are z and ż, and then what the
/// positions were found to be last: dependent coordinates are looked for from there by a fixed number of Newton steps, and steps hand them
/// on. Functions: positions (which renews that end of x), mass, forces, accelerations z̈ with their derivatives by x and u, outputs and
/// readings with theirs by x. Unknowns of the options are parameters p, with derivatives by them. With a rule also the step of an estimator,
/// whose x is (z, ż, p): see EstimatorStep.
/// Throws core::ModelError as export_motion does, and for mechanisms that have no degree of freedom.
ExportedModel export_reduced(const dynamics::DynamicModel& model, const MotionExportOptions& options);

}  // namespace eslabon::codegen
