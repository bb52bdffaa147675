#pragma once

#include <string>

#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/model_settings.hpp"

namespace eslabon::io {

/// The MODEL that is read from the standard input.
inline constexpr const char* kStandardInput = "-";

/// The mechanism that the word MODEL of the command line means: a file, `family:NAME,key=value…`, or "-" for a file from the standard
/// input, which may be loaded again and is read once. Throws FileError for one that cannot be read or breaks a rule.
/// It lies about an origin of its own, model::about_own_origin.
model::Mechanism load_model(const std::string& model, const ModelSettings& settings = {});
/// The same where the user laid it, to be written.
DescribedMechanism load_model_as_written(const std::string& model, const ModelSettings& settings = {});
/// The same with what can be set: the parameters of the file, or the keys of the family.
DescribedMechanism load_described_model(const std::string& model, const ModelSettings& settings = {},
                                        FileNumbers* numbers = nullptr);

}  // namespace eslabon::io
