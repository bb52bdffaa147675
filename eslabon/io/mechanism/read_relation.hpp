#pragma once

#include <string>
#include <vector>

#include "eslabon/io/mechanism/map_reader.hpp"
#include "eslabon/io/quantities/joint_units.hpp"
#include "eslabon/model/descriptions.hpp"

namespace eslabon::io {

/// The keys of relations between joint coordinates: "gear", "sum", …
const std::vector<std::string>& relation_words();

/// The relation under one of these keys, {gear: {joints: [A, B], teeth: [20, 60]}}, without an offset.
model::CouplingDescription read_relation(MapReader& map, const std::string& word, const std::string& name,
                                         const JointTypeTable& types);

/// What its first coordinate measures.
Dimension dimension_of_first(const model::CouplingDescription& relation, const JointTypeTable& types);

}  // namespace eslabon::io
