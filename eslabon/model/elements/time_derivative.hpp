#pragma once

#include "eslabon/model/elements/time_function.hpp"

namespace eslabon::model {

/// df/dt of a function of time alone, as a function that can be written down like any other. Of |f|, min and max it is that of the side on
/// which the function is; at a kink that of |f| has no value.
/// Throws core::ContractError for a function of arguments, whose rates nobody has said, and where it gets longer than functions may be.
TimeFunction derivative(const TimeFunction& function);

}  // namespace eslabon::model
