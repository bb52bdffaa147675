#pragma once

#include <optional>
#include <vector>

#include "eslabon/core/text/error.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::model {

/// What a formula of motion is for.
enum class FormulaOf { kForce, kEvent };

/// What is said of a variable that a formula of a force may not have, `where` left to the caller. Forces depend on positions and velocities
/// alone: accelerations and reactions follow from them, and a force that another looks at would have no order.
std::optional<core::ErrorText> why_no_force_variable(const Mechanism& mechanism, const Variable& variable,
                                                     FormulaOf whose = FormulaOf::kForce);

/// Every variable that a load, a law of a spring or damper, or the rate of an auxiliary state looks at; some may stand there twice.
std::vector<Variable> force_variables(const Mechanism& mechanism);

/// Whether a load, a law of a spring or damper, or the rate of an auxiliary state is a function of time.
bool forces_depend_on_time(const Mechanism& mechanism);

}  // namespace eslabon::model
