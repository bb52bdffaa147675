#pragma once

#include <string>

namespace eslabon::core {

/// One column of a table of results.
struct Column {
  std::string name;  ///< "crank.angle"
  std::string unit;  ///< "rad"
};

}  // namespace eslabon::core
