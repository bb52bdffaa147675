#pragma once

#include <string>
#include <vector>

#include "eslabon/io/mechanism_reader.hpp"

namespace eslabon::io {

/// The mechanism that the word MODEL of the command line means: a file, or `family:NAME,key=value…`.
/// `settings` are "name=value": parameters of the file, or keys of the family.
model::Mechanism load_model(const std::string& model, const std::vector<std::string>& settings = {});
/// The same with what can be set: the parameters of the file, or the keys of the family.
DescribedMechanism load_described_model(const std::string& model,
                                        const std::vector<std::string>& settings = {});

}  // namespace eslabon::io
