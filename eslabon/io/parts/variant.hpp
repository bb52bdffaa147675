#pragma once

#include <string>
#include <vector>

#include "eslabon/io/parts/instance_reader.hpp"

namespace eslabon::io {

/// What a variant of a file changes.
struct Variant {
  std::vector<ParameterText> set;
  InstanceReader::Replacements replacements;
};

/// The variant of that name under 'variants'; nothing for an empty name. All of them are checked.
/// Throws core::ModelError, with the nearest name, for one that there is not.
Variant read_variant(const Document& document, const std::string& name);

}  // namespace eslabon::io
