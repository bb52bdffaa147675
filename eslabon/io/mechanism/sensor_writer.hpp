#pragma once

#include "eslabon/io/mechanism/flow_text.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::io {

/// When a sensor is read, and what is wrong with its readings, as mechanism files have it. `reads_angle`: its errors are angles.
void add_readings(Entries& entries, const model::Sensor& sensor, bool reads_angle);

}  // namespace eslabon::io
