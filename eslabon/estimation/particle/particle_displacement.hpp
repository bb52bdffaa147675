#pragma once

#include "eslabon/estimation/particle/particle_filter.hpp"

namespace eslabon::estimation {

template <class Fill>
void ParticleFilter::displace(const Fill& fill) {
  cloud_.for_blocks([&](int worker, std::size_t block, Lanes lanes) {
    fill(worker, block);
    leave_out_turns(lanes.count, scratch(worker).dx);
    swarm_->displace(cloud_.workspace(worker), lanes, scratch(worker).dx.data(), scratch(worker).ok.data());
  });
  has_second_ = false;
  forget_moments();
}

}  // namespace eslabon::estimation
