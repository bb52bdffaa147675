// A user's program: public headers only, no flags of its own.
#include <cstdlib>
#include <iostream>

#include "eslabon/core/error.hpp"

int main() {
  try {
    throw eslabon::core::ModelError({.what = "a particle cannot move",
                                     .where = "particle 'bob'",
                                     .expected = "mass > 0 kg",
                                     .actual = "0 kg",
                                     .next = "Give it a mass."});
  } catch (const eslabon::core::ModelError& error) {
    std::cout << error.what() << '\n';
    return error.text().actual == "0 kg" ? EXIT_SUCCESS : EXIT_FAILURE;
  }
}
