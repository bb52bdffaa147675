#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/dynamics/dynamic_model.hpp"
#include "eslabon/sensing/instrument.hpp"

namespace eslabon::runs {

/// A sensor of the mechanism with what it reads.
struct ChosenSensor {
  model::Sensor sensor;
  std::shared_ptr<const sensing::Instrument> instrument;
  sensing::SensorFacts facts;
};

/// The sensors of these names, or all of the mechanism. Throws RequestError for names that are none, and core::ModelError when there is no
/// sensor at all.
std::vector<model::Sensor> named_sensors(const model::Mechanism& mechanism,
                                         const std::optional<std::vector<std::string>>& names);

/// The same with what they read.
std::vector<ChosenSensor> choose_sensors(const dynamics::DynamicModel& model,
                                         const std::optional<std::vector<std::string>>& names);

}  // namespace eslabon::runs
