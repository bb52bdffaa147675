#pragma once

#include <string>
#include <vector>

/// Pieces of the sentences in which reports of this layer speak.
namespace eslabon::kinematics {

/// "A, B, C" of at most `most` names, then "…".
std::string listed(const std::vector<std::string>& names, std::size_t most);

/// The number with so many significant digits.
std::string short_number(double value, int digits = 3);

}  // namespace eslabon::kinematics
