#include "sensor_choice.hpp"

#include <algorithm>

#include "command_line.hpp"

#include "eslabon/core/nearest_name.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::cli {

std::vector<ChosenSensor> choose_sensors(const model::Mechanism& mechanism,
                                         const std::optional<std::string>& names,
                                         const dynamics::AppliedForces& forces) {
  if (mechanism.sensors().empty())
    throw core::ModelError(
        {.what = "the mechanism has no sensors",
         .where = "mechanism '" + mechanism.name() + "'",
         .expected = "a section 'sensors'",
         .actual = "none",
         .next = "Write, for example, sensors: {imu: {gyroscope: crank, noise: 0.5 deg/s, rate: 100 Hz}}."});
  std::vector<std::string> known, wanted;
  for (const model::Sensor& sensor : mechanism.sensors()) known.push_back(sensor.name);
  wanted = names ? read_names("--sensors", *names, "imu1,encoder") : known;
  std::vector<ChosenSensor> chosen;
  for (const std::string& name : wanted) {
    check_word("--sensors", "unknown sensor", name, known);
    if (std::ranges::count(wanted, name) > 1)
      throw CommandLineError({.what = "a sensor is named twice",
                              .where = "--sensors",
                              .expected = "each sensor once",
                              .actual = "'" + name + "' twice",
                              .next = "Remove one."});
    const model::Sensor& sensor = *std::ranges::find(mechanism.sensors(), name, &model::Sensor::name);
    std::shared_ptr<const sensing::Instrument> instrument =
        sensing::make_instrument(mechanism, sensor, forces);
    chosen.push_back({&sensor, instrument, sensing::sensor_facts(sensor, *instrument)});
  }
  return chosen;
}

}  // namespace eslabon::cli
