#include "eslabon/runs/sensing/sensor_choice.hpp"

#include <algorithm>

#include "eslabon/runs/request_error.hpp"

namespace eslabon::runs {

std::vector<model::Sensor> named_sensors(const model::Mechanism& mechanism,
                                         const std::optional<std::vector<std::string>>& names) {
  if (mechanism.sensors().empty())
    throw core::ModelError({.what = "the mechanism has no sensors",
                            .where = "mechanism '" + mechanism.name() + "'",
                            .expected = "at least one",
                            .actual = "none",
                            .next = "Add one, in a file for example by sensors: {imu: {gyroscope: crank, "
                                    "noise: 0.5 deg/s, rate: 100 Hz}}."});
  std::vector<std::string> known;
  for (const model::Sensor& sensor : mechanism.sensors()) known.push_back(sensor.name);
  const std::vector<std::string>& wanted = names ? *names : known;
  std::vector<model::Sensor> sensors;
  for (const std::string& name : wanted) {
    require_known("sensors", "unknown sensor", name, known);
    if (std::ranges::count(wanted, name) > 1)
      throw RequestError({.what = "a sensor is named twice",
                          .where = field("sensors"),
                          .expected = "each sensor once",
                          .actual = "'" + name + "' twice",
                          .next = "Remove one."});
    sensors.push_back(*std::ranges::find(mechanism.sensors(), name, &model::Sensor::name));
  }
  return sensors;
}

std::vector<ChosenSensor> choose_sensors(const dynamics::DynamicModel& model,
                                         const std::optional<std::vector<std::string>>& names) {
  std::vector<ChosenSensor> chosen;
  for (const model::Sensor& sensor : named_sensors(model.mechanism(), names)) {
    std::shared_ptr<const sensing::Instrument> instrument = sensing::make_instrument(model, sensor);
    chosen.push_back({sensor, instrument, sensing::sensor_facts(sensor, *instrument)});
  }
  return chosen;
}

}  // namespace eslabon::runs
