#include "eslabon/dynamics/dynamic_model.hpp"

namespace eslabon::dynamics {

DynamicModel::DynamicModel(const model::Mechanism& mechanism, const structure::Structure& structure,
                           const kinematics::AssemblyReport& assembly, double until)
    : mechanism_(mechanism),
      structure_(structure),
      start_(assembly.bodies),
      until_(until),
      forces_(mechanism) {
  for (std::size_t i = 0; i < mechanism.drivers().size(); ++i) {
    const model::Driver& driver = mechanism.drivers()[i];
    prescribed_.push_back({driver.target, "driver '" + driver.name + "'"});
    drivers_.emplace_back(driver, assembly.driver_starts[i], until);
  }
}

}  // namespace eslabon::dynamics
