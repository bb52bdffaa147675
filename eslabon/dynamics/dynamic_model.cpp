#include "eslabon/dynamics/dynamic_model.hpp"

#include "eslabon/core/error.hpp"
#include "eslabon/kinematics/start_velocity.hpp"

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
  find_start_velocities();
}

void DynamicModel::find_start_velocities() {
  if (drivers_.empty() && mechanism_.start_rates().empty()) return;  // at rest
  const coordinates::ConstraintSystem system("reference-point", mechanism_, structure_, prescribed_);
  const auto n = static_cast<std::size_t>(system.num_coordinates());
  std::vector<double> q(n), v(n), a(n), near;
  std::vector<coordinates::CoordinateValue> values(prescribed_.size());
  evaluate_drivers(0.0, values);
  for (const coordinates::CoordinateValue& value : values) near.push_back(value.position);
  system.read_bodies(start_, {q, v, a}, near);
  const kinematics::StartVelocityReport report =
      kinematics::find_start_velocities(system, q, values, mechanism_.start_rates());
  if (!report.usable()) throw core::ModelError(report.error_text());
  start_ = report.bodies;
}

}  // namespace eslabon::dynamics
