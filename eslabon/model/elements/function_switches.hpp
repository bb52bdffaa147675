#pragma once

#include <span>

#include "eslabon/model/elements/time_function.hpp"

namespace eslabon::model {

/// How many choices a function makes: its where and where_not.
std::size_t num_switches(const TimeFunction& function);

/// Which way choices go: (switches) whether what each looks at counts as > 0; none: as it is.
using Choices = std::span<const char>;

/// (switches) what the choices look at, at time t with these arguments: a function jumps, or bends, where one passes zero.
void switch_values(const TimeFunction& function, double t, std::span<const double> arguments,
                   std::span<double> out, Choices choices = {});

/// The function with choices that stay as they are: smooth where one passes zero.
double evaluate_chosen(const TimeFunction& function, double t, std::span<const double> arguments,
                       Choices choices);

}  // namespace eslabon::model
