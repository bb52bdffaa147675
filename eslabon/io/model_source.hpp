#pragma once

#include <string>
#include <vector>

#include "eslabon/model/mechanism.hpp"

namespace eslabon::io {

/// The mechanism that the word MODEL of the command line means: a file, or `family:NAME,key=value…`.
/// `settings` are "name=value": parameters of the file, or keys of the family.
model::Mechanism load_model(const std::string& model, const std::vector<std::string>& settings = {});

}  // namespace eslabon::io
