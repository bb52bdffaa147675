#pragma once

#include <span>

#include "eslabon/model/elements/time_function.hpp"

namespace eslabon::model {

/// How many choices a function makes: its where and where_not.
std::size_t num_switches(const TimeFunction& function);

/// (switches) what the choices look at, at time t with these arguments: a function jumps, or bends, where one passes zero.
void switch_values(const TimeFunction& function, double t, std::span<const double> arguments,
                   std::span<double> out);

}  // namespace eslabon::model
