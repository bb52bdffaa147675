#include "eslabon/kinematics/report_text.hpp"

#include <algorithm>
#include <cstdio>

namespace eslabon::kinematics {

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return text + (names.size() > most ? ", …" : "");
}

std::string short_number(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

}  // namespace eslabon::kinematics
