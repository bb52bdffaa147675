#pragma once

#include <string>

#include "eslabon/model/mechanism.hpp"

namespace eslabon::io {

/// The mechanism in the format of docs/mechanism-file.md, SI units, numbers exact: read_mechanism gives back
/// an equal mechanism. Parameters and units of the file it may have come from are gone: what is written is
/// what they came to. Deterministic: the same mechanism gives the same bytes.
std::string write_mechanism(const model::Mechanism& mechanism);

}  // namespace eslabon::io
