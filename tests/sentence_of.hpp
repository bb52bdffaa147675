#pragma once

#include <string>

namespace eslabon::test {

/// The sentence of the error of this type that the action throws.
template <class Error, class Action>
std::string sentence_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace eslabon::test
