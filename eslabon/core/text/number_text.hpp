#pragma once

#include <string>

namespace eslabon::core {

/// A number as a person would type it: the shortest text that reads back to the same double
/// ("0.1", "1e+30", "nan"). For messages; the same on every machine and in every locale.
std::string number_text(double x);
/// The same with so many digits, for what is only known roughly: "2.42e-05".
std::string rounded_text(double x, int digits = 3);

}  // namespace eslabon::core
