#pragma once

#include <string>

#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/model_settings.hpp"

namespace eslabon::vehicle {

/// Whether the word MODEL names the file of a part. False for what cannot be read: who loads it says why.
bool is_part_file(const std::string& model);

/// A part with one tyre, a corner, and its mirror image as an axle; one with two tyres, an axle, as it is: on a chassis that stands still. What is
/// mounted on `rack` slides across the chassis and steers, 1 rad of the steering wheel for 1 m; other mounts are the chassis.
/// Throws core::ModelError, with the file, for a part without tyres, with more than two, and for one that does not export them.
io::DescribedMechanism part_on_axle(const std::string& file, const io::ModelSettings& settings);

}  // namespace eslabon::vehicle
