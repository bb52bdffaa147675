#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eslabon/recording/files/provenance.hpp"
#include "eslabon/runs/sensing/sense.hpp"

/// What is told of readings that were simulated, wherever it is shown.
namespace eslabon::recording {

/// Cells: name, what it reads, time between readings, readings, lost ones of each sensor.
std::vector<std::vector<std::string>> sensor_rows(const std::vector<runs::ChosenSensor>& sensors,
                                                  const std::vector<runs::SensorTally>& tallies);

/// Readings that were taken and written.
struct WrittenReadings {
  const runs::SenseRun& run;
  const runs::SenseResult& result;
  std::uint64_t seed;
  std::size_t rows;
  std::string file;
};
/// For programs: one JSON object. Its keys are a contract, docs/command-line.md lists them.
std::string sense_json(const WrittenReadings& written, const Provenance& provenance);

}  // namespace eslabon::recording
