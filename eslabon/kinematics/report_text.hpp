#pragma once

#include <string>

#include "eslabon/core/text/name_list.hpp"

/// Pieces of the sentences in which reports of this layer speak.
namespace eslabon::kinematics {

using core::listed;

/// The number with so many significant digits.
std::string short_number(double value, int digits = 3);

}  // namespace eslabon::kinematics
