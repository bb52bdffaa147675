#include "eslabon/integration/recorder.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "eslabon/coordinates/layout.hpp"
#include "eslabon/dynamics/forces/stop_contact.hpp"
#include "eslabon/dynamics/mass/energy.hpp"

namespace eslabon::integration {

using model::Variable;

namespace {

/// What springs see, what stops limit and what drivers move.
std::vector<Variable> inner_variables(const model::Mechanism& mechanism) {
  std::vector<Variable> variables;
  for (std::size_t s = 0; s < mechanism.springs().size(); ++s)
    variables.push_back({model::VariableKind::kElementLength, model::SpringIndex(static_cast<int>(s)), 0});
  for (const model::Stop& stop : mechanism.stops())
    if (stop.coupling)
      for (const model::CouplingTerm& term : stop.coupling->terms)
        variables.push_back(model::variable_of(term.coordinate));
    else
      variables.push_back(stop.target);
  for (const model::Driver& driver : mechanism.drivers()) variables.push_back(driver.target);
  return variables;
}

/// What lifts all masses of a mechanism by its size [J].
double lifting_energy(const model::Mechanism& mechanism) {
  double mass = 0.0;
  for (std::size_t b = 1; b < mechanism.bodies().size(); ++b)
    mass += mechanism.bodies()[b].mass_properties.mass;
  for (const model::Joint& joint : mechanism.joints()) mass += joint.rod_mass;
  return mass * mechanism.gravity_W().norm() * coordinates::length_scale(mechanism);
}

/// Limits that move do work.
bool is_conservative(const model::Stop& stop) {
  return stop.damping == 0.0 && stop.restitution.value_or(1.0) == 1.0 &&
         (!stop.lower || stop.lower->is_constant()) && (!stop.upper || stop.upper->is_constant());
}

}  // namespace

bool is_conservative(const model::Mechanism& mechanism) {
  return mechanism.drivers().empty() && mechanism.dampers().empty() && mechanism.loads().empty() &&
         mechanism.tyres().empty() &&
         std::ranges::all_of(
             mechanism.springs(),
             [](const model::Spring& spring) { return spring.damping == 0.0 && !spring.law; }) &&
         std::ranges::all_of(mechanism.bushings(),
                             [](const model::Bushing& bushing) {
                               return std::ranges::all_of(bushing.damping, [](double c) { return c == 0.0; });
                             }) &&
         std::ranges::all_of(mechanism.stops(),
                             [](const model::Stop& stop) { return is_conservative(stop); }) &&
         std::ranges::none_of(mechanism.joints(),
                              [](const model::Joint& joint) { return !joint.friction.is_none(); });
}

std::vector<core::Column> recorded_columns(const model::Mechanism& mechanism) {
  std::vector<core::Column> columns;
  for (const Variable& output : mechanism.outputs())
    columns.push_back({model::name(mechanism, output), std::string(model::unit(mechanism, output))});
  columns.push_back({"energy", "J"});
  columns.push_back({"constraint_error", "m"});
  return columns;
}

Recorder::Recorder(kinematics::AssembledMechanism assembled)
    : assembled_(std::move(assembled)),
      laws_(assembled_.mechanism(), assembled_.assembly()),
      outputs_(mechanism(), mechanism().outputs()),
      inner_(mechanism(), inner_variables(mechanism()), kinematics::VariableRecorder::From::kOwnOrigin),
      springs_(mechanism().springs().size()),
      stopped_(mechanism().stops().size()),
      lifting_(lifting_energy(mechanism())),
      energy_{.of_origin = dynamics::origin_energy(mechanism())},
      values_(outputs_.variables().size() + 2),
      inner_values_(inner_.variables().size()) {
  give_hints(outputs_);
  give_hints(inner_);
}

void Recorder::count_turns(double t, const coordinates::MechanismMotion& bodies) {
  laws_.look(t, bodies);
  outputs_.follow(t, bodies);
  inner_.follow(t, bodies);
}

std::span<const double> Recorder::record(double t, const coordinates::MechanismMotion& bodies,
                                         double constraint_error) {
  laws_.look(t, bodies);
  outputs_.record(t, bodies, outputs());
  inner_.record(t, bodies, inner_values_);
  const double T = dynamics::kinetic_energy(mechanism(), bodies);
  double E = T + dynamics::potential_energy(mechanism(), bodies, lengths()), held = 0.0;
  for (std::size_t s = 0; s < springs_; ++s)
    held += std::abs(dynamics::spring_energy(mechanism().springs()[s], lengths()[s]));
  for (std::size_t s = 0, first = springs_; s < stopped_.size(); ++s) {
    const model::Stop& stop = mechanism().stops()[s];
    const std::size_t count = dynamics::num_stopped(stop);
    stopped_[s] = dynamics::stopped_position(stop, std::span(inner_values_).subspan(first, count));
    first += count;
    const double of_stop = dynamics::stop_energy(stop, stopped_[s], t);
    E += of_stop;
    held += std::abs(of_stop);
  }
  if (is_first_) energy_.start = E;
  is_first_ = false;
  energy_.end = E;
  energy_.largest_change = std::max(energy_.largest_change, std::abs(E - energy_.start));
  energy_.largest_kinetic = std::max(energy_.largest_kinetic, T);
  energy_.in_play = std::max(energy_.in_play, std::abs(E) + T + held + lifting_);
  values_[values_.size() - 2] = energy_.told_end();
  values_[values_.size() - 1] = constraint_error;
  return values_;
}

const model::Connection* Recorder::connection_of(const Variable& variable) const {
  if (const auto* spring = std::get_if<model::SpringIndex>(&variable.element))
    return &mechanism().springs()[spring->slot()].connection;
  if (const auto* damper = std::get_if<model::DamperIndex>(&variable.element))
    return &mechanism().dampers()[damper->slot()].connection;
  return nullptr;
}

Variable Recorder::followed(const Variable& variable) const {
  const model::Connection* const connection = connection_of(variable);
  const auto* coordinate = connection ? std::get_if<model::JointCoordinate>(connection) : nullptr;
  if (coordinate == nullptr) return variable;
  return {model::VariableKind::kJointPosition, coordinate->joint, coordinate->component};
}

void Recorder::give_hints(kinematics::VariableRecorder& recorder) const {
  const auto start_of = [&](const model::JointCoordinate& c) {
    const double near = kinematics::start_hint(mechanism(), assembled_.assembly(),
                                               {model::VariableKind::kJointPosition, c.joint, c.component})
                            .value_or(0.0);
    return coordinates::unwrapped(
        kinematics::connection_value(mechanism(), c, assembled_.assembly().bodies).length, near);
  };
  for (std::size_t k = 0; k < recorder.variables().size(); ++k) {
    const model::Connection* const connection = connection_of(recorder.variables()[k]);
    if (const auto* pair = connection ? std::get_if<model::CoordinatePair>(connection) : nullptr) {
      recorder.set_hint(static_cast<int>(k), start_of(pair->second) - start_of(pair->first));
      continue;
    }
    if (const auto hint =
            kinematics::start_hint(mechanism(), assembled_.assembly(), followed(recorder.variables()[k])))
      recorder.set_hint(static_cast<int>(k), *hint);
  }
  if (kinematics::VariableRecorder* operands = recorder.operands()) give_hints(*operands);
}

}  // namespace eslabon::integration
