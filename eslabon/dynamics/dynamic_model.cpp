#include "eslabon/dynamics/dynamic_model.hpp"

#include "eslabon/core/error.hpp"
#include "eslabon/core/number_text.hpp"
#include "eslabon/dynamics/start_check.hpp"
#include "eslabon/kinematics/speed_jump.hpp"
#include "eslabon/kinematics/start_velocity.hpp"

namespace eslabon::dynamics {

DynamicModel::DynamicModel(const model::Mechanism& mechanism, const structure::Structure& structure,
                           const kinematics::AssemblyReport& assembly)
    : mechanism_(mechanism),
      structure_(structure),
      start_(assembly.bodies),
      forces_(mechanism),
      start_memory_(forces_.empty_memory()) {
  for (std::size_t i = 0; i < mechanism.drivers().size(); ++i) {
    const model::Driver& driver = mechanism.drivers()[i];
    prescribed_.push_back({driver.target, "driver '" + driver.name + "'"});
    drivers_.emplace_back(driver, assembly.driver_starts[i]);
  }
  check_start(mechanism, structure, start_);
  find_start_velocities();
  for (std::size_t k = 0; k < start_memory_.angles.size(); ++k) {
    const model::JointCoordinate& angle = forces_.angle_coordinate(k);
    start_memory_.angles[k] =
        kinematics::start_hint(mechanism, assembly,
                               {model::VariableKind::kJointPosition, angle.joint, angle.component})
            .value_or(0.0);
  }
  forces_.follow_angles(start_, start_memory_.angles);
}

void DynamicModel::prepare_drivers(double until) const {
  for (const kinematics::DriverMotion& driver : drivers_) driver.prepare(until);
}

void DynamicModel::check_drivers(double t0, double t1) const {
  for (std::size_t i = 0; i < drivers_.size(); ++i) {
    const model::Driver& driver = mechanism_.drivers()[i];
    if (driver.function.is_constant()) continue;
    const auto jump = kinematics::find_speed_jump(drivers_[i], t0, t1);
    if (!jump) continue;
    throw core::ModelError(
        {.what = "the speed of a driver jumps",
         .where = prescribed_[i].name + ", t = " + core::number_text(jump->t) + " s",
         .expected = "a speed that a finite force can follow",
         .actual = "a change by " + core::rounded_text(jump->change) + " " +
                   std::string(model::unit(mechanism_, driver.target)) + "/s at once",
         .next = "Write a function without kinks in the position, or without steps in the speed."});
  }
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
