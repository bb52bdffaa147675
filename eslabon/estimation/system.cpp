#include "eslabon/estimation/system.hpp"

#include "eslabon/estimation/swarm.hpp"

namespace eslabon::estimation {

std::unique_ptr<Swarm> System::make_swarm() { return nullptr; }

}  // namespace eslabon::estimation
