#include "eslabon/recording/facts/sense_facts.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "eslabon/recording/facts/json_parts.hpp"

namespace eslabon::recording {

std::vector<std::vector<std::string>> sensor_rows(const std::vector<runs::ChosenSensor>& sensors,
                                                  const std::vector<runs::SensorTally>& tallies) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t s = 0; s < sensors.size(); ++s)
    rows.push_back(
        {sensors[s].sensor.name, std::string(model::name(sensors[s].sensor.kind)),
         sensors[s].sensor.rate > 0.0 ? fmt::format("{:g} ms", 1e3 / sensors[s].sensor.rate) : "step",
         std::to_string(tallies[s].readings), std::to_string(tallies[s].lost)});
  return rows;
}

std::string sense_json(const WrittenReadings& written, const Provenance& provenance) {
  using Json = nlohmann::ordered_json;
  const auto& [run, result, seed, rows, file] = written;
  Json json = result_of<Json>("sense", run.mechanism().name());
  json["begin"] = run.begin();
  json["end"] = run.end();
  json["seed"] = seed;
  json["complete"] = result.is_complete;
  json["rows"] = rows;
  json["sensors"] = Json::array();
  for (std::size_t s = 0; s < run.sensors().size(); ++s) {
    const model::Sensor& sensor = run.sensors()[s].sensor;
    json["sensors"].push_back({{"name", sensor.name},
                               {"reads", model::name(sensor.kind)},
                               {"rate", sensor.rate > 0.0 ? Json(sensor.rate) : Json(nullptr)},
                               {"readings", result.taken.tallies[s].readings},
                               {"lost", result.taken.tallies[s].lost}});
  }
  json["files"] = {{"readings", file}};
  return json_text(json, provenance);
}

}  // namespace eslabon::recording
