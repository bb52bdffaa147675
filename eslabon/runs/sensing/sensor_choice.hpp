#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/sensing/instrument.hpp"

namespace eslabon::runs {

/// A sensor of the mechanism with what it reads.
struct ChosenSensor {
  const model::Sensor* sensor;
  std::shared_ptr<const sensing::Instrument> instrument;
  sensing::SensorFacts facts;
};

/// The sensors of these names, or all of the mechanism. Mechanism and forces must outlive them. Throws RequestError for names that are
/// none, and core::ModelError when there is no sensor at all.
std::vector<ChosenSensor> choose_sensors(const model::Mechanism& mechanism,
                                         const std::optional<std::vector<std::string>>& names,
                                         const dynamics::AppliedForces& forces);

}  // namespace eslabon::runs
