#include "eslabon/recording/pages/element_texts.hpp"

#include <array>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/io/quantities/expression.hpp"
#include "eslabon/model/own_origin.hpp"

namespace eslabon::recording {

namespace {

using model::TimeFunction;

std::string text_of(const TimeFunction& function, std::span<const std::string> variables = {}) {
  return function.is_constant() ? core::number_text(function.constant_value())
                                : io::write_expression(function, variables);
}

/// In the plane x and y of a force, z of a torque.
std::vector<std::string> components_of(const std::array<TimeFunction, 3>& functions, bool is_planar,
                                       bool is_torque, std::span<const std::string> variables) {
  if (is_planar && is_torque) return {text_of(functions[2], variables)};
  std::vector<std::string> components{text_of(functions[0], variables), text_of(functions[1], variables)};
  if (!is_planar) components.push_back(text_of(functions[2], variables));
  return components;
}

LoadText text_of(const model::Mechanism& mechanism, const model::Load& load) {
  const bool is_planar = mechanism.is_planar();
  std::vector<std::string> names;
  for (const model::Variable& variable : load.variables) names.push_back(model::name(mechanism, variable));
  if (const auto* const force = std::get_if<model::PointForce>(&load.action))
    return {load.name,
            "force",
            mechanism.name_of(force->point),
            components_of(force->components, is_planar, false, names),
            "N",
            force->in_body_axes};
  if (const auto* const torque = std::get_if<model::BodyTorque>(&load.action))
    return {load.name,
            "torque",
            mechanism.body(torque->body).name,
            components_of(torque->components, is_planar, true, names),
            "N*m",
            torque->in_body_axes};
  const auto& effort = std::get<model::JointEffort>(load.action);
  const model::Variable coordinate{model::VariableKind::kJointPosition, effort.coordinate.joint,
                                   effort.coordinate.component};
  const bool turns = model::dimension(mechanism, coordinate) == core::kAngle;
  return {load.name,
          turns ? "torque" : "force",
          model::name(mechanism, coordinate),
          {text_of(effort.effort, names)},
          turns ? "N*m" : "N"};
}

}  // namespace

std::vector<DriverText> driver_texts(const model::Mechanism& mechanism) {
  static constexpr std::array<const char*, 3> kLevels{"position", "speed", "acceleration"};
  static constexpr std::array<const char*, 3> kPerTime{"", "/s", "/s^2"};
  std::vector<DriverText> texts;
  const model::Mechanism as_written = model::about_user_origin(mechanism);
  for (const model::Driver& driver : as_written.drivers()) {
    const auto level = static_cast<std::size_t>(driver.level);
    const std::string unit(model::unit(mechanism, driver.target));
    texts.push_back({driver.name, model::name(mechanism, driver.target), kLevels[level],
                     text_of(driver.function), unit + kPerTime[level], unit, driver.start});
  }
  return texts;
}

std::vector<LoadText> load_texts(const model::Mechanism& mechanism) {
  std::vector<LoadText> texts;
  for (const model::Load& load : mechanism.loads()) texts.push_back(text_of(mechanism, load));
  return texts;
}

}  // namespace eslabon::recording
