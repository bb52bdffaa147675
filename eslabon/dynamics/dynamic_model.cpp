#include "eslabon/dynamics/dynamic_model.hpp"

#include <cmath>

#include "eslabon/core/error.hpp"
#include "eslabon/core/number_text.hpp"
#include "eslabon/dynamics/partition.hpp"
#include "eslabon/kinematics/redundancy.hpp"
#include "eslabon/kinematics/row_rank.hpp"
#include "eslabon/kinematics/start_velocity.hpp"

namespace eslabon::dynamics {

namespace {

constexpr double kJump = 0.4;    // of the change of a speed
constexpr double kSmall = 1e-6;  // of the speed itself
constexpr int kMostHalvings = 60;

}  // namespace

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
  check_start();
  find_start_velocities();
  for (std::size_t k = 0; k < static_cast<std::size_t>(forces_.num_angles()); ++k) {
    const model::JointCoordinate& angle = forces_.angle_coordinate(k);
    start_angles_.push_back(
        kinematics::start_hint(mechanism, assembly,
                               {model::VariableKind::kJointPosition, angle.joint, angle.component})
            .value_or(0.0));
  }
  forces_.follow_angles(start_, start_angles_);
}

void DynamicModel::check_start() const {
  const coordinates::ConstraintSystem system("relative", mechanism_, structure_, {});
  if (system.num_rows() == 0 || system.num_rows() > kMostDenseRows) return;
  const auto n = static_cast<std::size_t>(system.num_coordinates());
  std::vector<double> q(n), v(n), a(n);
  system.read_bodies(start_, {q, v, a});
  coordinates::PositionLevel level;
  system.evaluate_positions(q, {}, level);
  if (kinematics::rank_rows_in_order(system, level.Phi_q).repeated_rows.empty()) return;
  const kinematics::RedundancyReport report = kinematics::explain_redundancy(system, start_);
  if (!report.is_singular_at_start() && !report.is_shaky) return;
  const std::vector<std::string> rows = kinematics::describe_redundancy(mechanism_, report.redundant_here);
  throw core::ModelError({.what = "the run starts in a singular position",
                          .where = rows.empty() ? "mechanism '" + mechanism_.name() + "'" : rows.front(),
                          .expected = "one from which the motion is decided, with " +
                                      std::to_string(report.mobility) +
                                      (report.mobility == 1 ? " freedom" : " freedoms"),
                          .actual = "one with " + std::to_string(report.coordinates - report.rank_at_start) +
                                    ", where branches of the mechanism meet",
                          .next = "Start a little beside it: change a value under 'assembly:'."});
}

void DynamicModel::check_drivers(double t0, double t1) const {
  for (std::size_t i = 0; i < drivers_.size(); ++i) {
    if (mechanism_.drivers()[i].function.is_constant()) continue;
    coordinates::CoordinateValue x0 = drivers_[i].evaluate(t0), x1 = drivers_[i].evaluate(t1);
    const double h = t1 - t0, change = std::abs(x1.velocity - x0.velocity);
    const double scale = std::max({std::abs(x0.velocity), std::abs(x1.velocity),
                                   h * std::abs(x0.acceleration), h * std::abs(x1.acceleration)});
    const double jump = std::max(kJump * change, kSmall * scale);
    if (std::abs(x1.velocity - x0.velocity - 0.5 * h * (x0.acceleration + x1.acceleration)) <= jump) continue;
    double a = t0, b = t1;
    for (int k = 0; k < kMostHalvings && b - a > 1e-14 * (1.0 + b); ++k) {
      const double middle = 0.5 * (a + b);
      const coordinates::CoordinateValue x = drivers_[i].evaluate(middle);
      const bool is_before = std::abs(x.velocity - x0.velocity) > std::abs(x1.velocity - x.velocity);
      (is_before ? b : a) = middle;
      (is_before ? x1 : x0) = x;
    }
    // What is smooth has become small.
    if (std::abs(x1.velocity - x0.velocity) < jump) continue;
    throw core::ModelError(
        {.what = "the speed of a driver jumps",
         .where = prescribed_[i].name + ", t = " + core::number_text(b) + " s",
         .expected = "a speed that a finite force can follow",
         .actual = "a change by " + core::rounded_text(x1.velocity - x0.velocity) + " " +
                   std::string(model::unit(mechanism_, mechanism_.drivers()[i].target)) + "/s at once",
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
