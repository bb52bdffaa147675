#include "eslabon/dynamics/forces/auxiliary_states.hpp"

#include "eslabon/core/text/error.hpp"

namespace eslabon::dynamics {

void refuse_auxiliary_states(const model::Mechanism& mechanism, const std::string& task) {
  if (mechanism.states().empty()) return;
  throw core::ModelError({.what = task + " not done with auxiliary states",
                          .where = "state '" + mechanism.states().front().name + "'",
                          .expected = "forces that one instant tells",
                          .actual = "a state that depends on all that went before",
                          .next = "Take 'simulate' with the drivers: it integrates the state, and "
                                  "'DRIVER.effort' is what each driver "
                                  "needs."});
}

}  // namespace eslabon::dynamics
