#include "eslabon/dynamics/formulations/state_of_bodies.hpp"

namespace eslabon::dynamics {

State state_of_bodies(const DynamicModel& model, const coordinates::ConstraintSystem& system,
                      const coordinates::MechanismMotion& bodies, double t) {
  const auto size = static_cast<std::size_t>(system.num_coordinates());
  State state{t, std::vector<double>(size), std::vector<double>(size), model.start_memory()};
  std::vector<double> a(size), near;
  std::vector<coordinates::CoordinateValue> values(model.prescribed().size());
  model.evaluate_drivers_or_throw(t, values);
  for (const coordinates::CoordinateValue& value : values) near.push_back(value.position);
  system.read_bodies(bodies, {state.q, state.v, a}, near);
  model.forces().follow_angles(bodies, state.memory.angles);
  return state;
}

}  // namespace eslabon::dynamics
