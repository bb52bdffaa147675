#pragma once

#include <string>

namespace eslabon::runs {

/// A value as people read it: "0.705°", "1.2 °/s", "0.003 m".
std::string size_text(double value, const std::string& unit);

}  // namespace eslabon::runs
