#pragma once

#include <cctype>
#include <string>

namespace eslabon::test {

/// The text as GoogleTest allows it in the name of a test: letters and digits, underscores for the rest.
inline std::string test_name(std::string text) {
  for (char& c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return text;
}

}  // namespace eslabon::test
