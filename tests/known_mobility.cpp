#include "tests/known_mobility.hpp"

#include "tests/mechanism_sketch.hpp"

namespace eslabon::test {

std::vector<KnownMobility> known_mobility_mechanisms() {
  std::vector<KnownMobility> list;
  sketch::add_planar(list);
  sketch::add_loops_in_space(list);
  sketch::add_machines(list);
  return list;
}

}  // namespace eslabon::test
