#include "eslabon/dynamics/forces/auxiliary_states.hpp"

#include "eslabon/core/text/error.hpp"

namespace eslabon::dynamics {

void refuse_auxiliary_states(const model::Mechanism& mechanism, const std::string& task) {
  if (mechanism.states().empty()) return;
  throw core::ModelError(
      {.what = task + " not done with auxiliary states",
       .where = "state '" + mechanism.states().front().name + "'",
       .expected = "forces of time, positions and velocities alone",
       .actual = "a state that has a rate of its own",
       .next = "Take 'simulate', which integrates it, or write what it follows in its place."});
}

}  // namespace eslabon::dynamics
