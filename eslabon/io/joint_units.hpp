#pragma once

#include <string>
#include <string_view>

#include "eslabon/io/dimension.hpp"
#include "eslabon/io/mechanism_sections.hpp"

/// What a position variable measures, before there is a mechanism to ask: units are checked while the file is
/// read.
namespace eslabon::io {

/// Whether coordinate `component` (from 0) of a joint of this type is a length; otherwise it is an angle.
bool has_translation(model::JointType type, int component);

/// Length or angle, from the name of a position variable: "A", "A.q", "A.q2", "crank.angle", "axle.P15.z". A
/// name that is wrong counts as an angle; the builder says later what is wrong with it.
Dimension dimension_of_position(const JointTypeTable& types, std::string_view variable);

/// "A" for a joint with one coordinate means "A.q"; everything else stays as it is.
std::string full_variable(const JointTypeTable& types, std::string_view variable);

/// Reads the value of key `joint`: the joint coordinate "A.q" that "A" or "A.q" names.
/// Fails: ModelError when there is no such joint, when it has no scalar coordinate, or several and none is
/// named.
std::string read_joint_coordinate(MapReader& map, std::string_view key, const JointTypeTable& types);

}  // namespace eslabon::io
