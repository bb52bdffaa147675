#include "eslabon/estimation/system.hpp"

#include "eslabon/estimation/particle/system_swarm.hpp"

namespace eslabon::estimation {

std::unique_ptr<Swarm> System::make_swarm() { return std::make_unique<SystemSwarm>(*this); }

}  // namespace eslabon::estimation
