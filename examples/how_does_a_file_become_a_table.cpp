// Question: how does a mechanism of a file swing when its motor is released?
// Shows:    from a file to a table in ten lines; README.md shows the same.
// Output:   checked by the test `example.how_does_a_file_become_a_table`.

#include <cstdio>

#include "eslabon/eslabon.hpp"

using namespace eslabon;
using namespace eslabon::core::literals;

int main() {
  const auto mechanism = io::load_model("models/fourbar-testbed.yaml");
  const auto swing = runs::simulate(mechanism, {.until = 1_s, .every = 200_ms, .release = {"motor"}});
  for (std::size_t k = 0; k < swing.t.size(); ++k)
    std::printf("%.1f s %8.4f rad\n", swing.t[k], swing.column("crank.angle")[k]);
  if (!swing.ok()) std::puts(swing.failure.c_str());
}
