#pragma once

#include <string>
#include <string_view>

#include "eslabon/io/mechanism/mechanism_sections.hpp"
#include "eslabon/io/quantities/dimension.hpp"

/// What a position variable, or the rate of one, measures, before there is a mechanism to ask: units are checked while the file is
/// read.
namespace eslabon::io {

/// The joint that the name of a variable begins with; empty for other variables.
std::string_view joint_in(const JointTypeTable& types, std::string_view variable);

/// 1 for "q2" and "v2", 0 for "q".
int component_in(std::string_view word);

/// Length or angle, from the name of a position variable: "A", "A.q", "A.q2", "crank.angle", "axle.P15.z". A
/// name that is wrong counts as an angle; the builder says later what is wrong with it.
Dimension dimension_of_position(const JointTypeTable& types, std::string_view variable);

/// Whether a variable of that name is a position, if there is one: "crank.angle", "A", "A.q2", "axle.P15.z".
bool names_position(std::string_view variable);

/// Whether a variable of that name is a rate, if there is one: "crank.rate", "A.v", "A.v2", "axle.P15.vz", "arm.wx".
bool names_rate(std::string_view variable);

/// The same for a rate of a body, point or joint: the kind of its position over time. "arm.wx" counts as a rate of an angle.
Dimension dimension_of_rate(const JointTypeTable& types, std::string_view variable);

/// "A" for a joint with one coordinate means "A.q"; everything else stays as it is.
std::string full_variable(const JointTypeTable& types, std::string_view variable);

/// Reads the value of key `joint`: the joint coordinate "A.q" that "A" or "A.q" names.
/// Fails: ModelError when there is no such joint, when it has no scalar coordinate, or several and none is
/// named.
std::string read_joint_coordinate(MapReader& map, std::string_view key, const JointTypeTable& types);
/// A coordinate of a point under `point:`, "wheel.W.z".
std::string read_coordinate_of_point(MapReader& map);

}  // namespace eslabon::io
