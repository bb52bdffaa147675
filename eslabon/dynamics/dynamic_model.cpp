#include "eslabon/dynamics/dynamic_model.hpp"

#include <cmath>
#include <utility>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/start_check.hpp"
#include "eslabon/dynamics/statics/steady_start.hpp"
#include "eslabon/kinematics/assembly/start_velocity.hpp"
#include "eslabon/kinematics/drivers/speed_jump.hpp"

namespace eslabon::dynamics {

DynamicModel::Parts::Parts(kinematics::AssembledMechanism from)
    : assembled(std::move(from)),
      start(assembled.assembly().bodies),
      forces(assembled.mechanism()),
      start_memory(forces.empty_memory()) {
  const model::Mechanism& mechanism = assembled.mechanism();
  for (std::size_t i = 0; i < mechanism.drivers().size(); ++i) {
    const model::Driver& driver = mechanism.drivers()[i];
    prescribed.push_back({driver.target, "driver '" + driver.name + "'"});
    drivers.emplace_back(driver, assembled.assembly().driver_starts[i]);
  }
  check_start(mechanism, assembled.structure(), start);
  find_start_velocities();
  for (std::size_t k = 0; k < start_memory.angles.size(); ++k) {
    const model::JointCoordinate& angle = forces.angle_coordinate(k);
    start_memory.angles[k] =
        kinematics::start_hint(mechanism, assembled.assembly(),
                               {model::VariableKind::kJointPosition, angle.joint, angle.component})
            .value_or(0.0);
  }
  forces.follow_angles(start, start_memory.angles);
  for (std::size_t k = 0; k < mechanism.states().size(); ++k)
    start_memory.states[k] = mechanism.states()[k].start;
}

void DynamicModel::Parts::find_start_velocities() {
  const model::Mechanism& mechanism = assembled.mechanism();
  if (drivers.empty() && mechanism.start_rates().empty()) return;  // at rest
  const coordinates::ConstraintSystem system("reference-point", mechanism, assembled.structure(), prescribed);
  const auto n = static_cast<std::size_t>(system.num_coordinates());
  std::vector<double> q(n), v(n), a(n), near;
  std::vector<coordinates::CoordinateValue> values(prescribed.size());
  for (std::size_t i = 0; i < drivers.size(); ++i) {
    values[i] = drivers[i].value_at(0.0);
    near.push_back(values[i].position);
  }
  system.read_bodies(start, {q, v, a}, near);
  const kinematics::StartVelocityReport report =
      kinematics::find_start_velocities(system, q, values, mechanism.start_rates());
  if (!report.usable()) throw core::ModelError(report.error_text());
  start = report.bodies;
}

DynamicModel::DynamicModel(kinematics::AssembledMechanism assembled)
    : parts_(std::make_shared<const Parts>(std::move(assembled))) {
  if (!mechanism().start_speed()) return;
  const SteadyStart found = find_steady_start(*this);
  auto parts = std::make_shared<Parts>(*parts_);
  parts->start = found.bodies;
  parts->start_memory.states = found.states;
  parts->forces.follow_angles(parts->start, parts->start_memory.angles);
  parts_ = parts;
}

void DynamicModel::add_force(UserForce force) {
  auto parts = std::make_shared<Parts>(*parts_);
  parts->forces.add(std::move(force));
  parts_ = std::move(parts);
}

void DynamicModel::prepare_drivers(double until) const {
  for (const kinematics::DriverMotion& driver : parts_->drivers) driver.prepare(until);
}

void DynamicModel::evaluate_drivers_or_throw(double t, std::span<coordinates::CoordinateValue> out) const {
  for (std::size_t i = 0; i < parts_->drivers.size(); ++i) out[i] = parts_->drivers[i].value_at(t);
}

std::optional<core::ErrorText> DynamicModel::why_no_drivers(double t) const {
  coordinates::CoordinateValue value;
  for (const kinematics::DriverMotion& driver : parts_->drivers)
    if (!driver.evaluate(t, value)) return driver.why_not(t);
  return std::nullopt;
}

std::optional<core::ErrorText> DynamicModel::find_driver_jump(double t0, double t1) const {
  for (std::size_t i = 0; i < parts_->drivers.size(); ++i) {
    const model::Driver& driver = mechanism().drivers()[i];
    if (driver.function.is_constant()) continue;
    const auto jump = kinematics::find_speed_jump(parts_->drivers[i], t0, t1);
    if (!jump) continue;
    if (std::isnan(jump->change)) return parts_->drivers[i].why_not(jump->t);
    return core::ErrorText{
        .what = "the speed of a driver jumps",
        .where = prescribed()[i].name + ", t = " + core::number_text(jump->t) + " s",
        .expected = "a speed that a finite force can follow",
        .actual = "a change by " + core::rounded_text(jump->change) + " " +
                  std::string(model::unit(mechanism(), driver.target)) + "/s at once",
        .next = "Write a function without kinks in the position, or without steps in the speed."};
  }
  return std::nullopt;
}

}  // namespace eslabon::dynamics
