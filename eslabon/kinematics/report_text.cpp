#include "eslabon/kinematics/report_text.hpp"

#include <cstdio>

namespace eslabon::kinematics {

std::string short_number(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

}  // namespace eslabon::kinematics
