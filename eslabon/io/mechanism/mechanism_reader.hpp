#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/io/mechanism/document.hpp"
#include "eslabon/io/mechanism/estimation_section.hpp"
#include "eslabon/io/quantities/parameter_facts.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::io {

class FileNumbers;

/// What errors call the value that a parameter is given from outside: "--set crank".
std::string place_of_setting(const std::string& parameter);

/// Another value for a parameter of the file, from outside: `--set crank=130 mm`.
struct ParameterOverride {
  std::string name;
  std::string text;
};

/// The mechanism that a text in the format of docs/mechanism-file.md describes. Strict: whatever is not
/// understood is an error, and there is no partial mechanism. Throws core::ModelError, with file, line,
/// column and element. Thread use: any number of calls at once.
model::Mechanism read_mechanism(std::string_view text, const std::string& file_name,
                                const std::vector<ParameterOverride>& overrides = {});

/// How a file is read.
struct ReadRequest {
  std::vector<ParameterOverride> overrides = {};
  std::string variant = {};  ///< one of those that the file names; empty: none
  /// Is told what follows from parameters, and may change it
  FileNumbers* numbers = nullptr;
  /// Where the files of parts and tyres come from
  std::function<std::string(const std::filesystem::path&)> text_of_file = read_file_text;
};

/// A mechanism with the parameters that its file declares.
struct DescribedMechanism {
  model::Mechanism mechanism;
  std::vector<ParameterFact> parameters;
  std::vector<std::string> part_files = {};        ///< paths of the files of its parts, each once
  std::vector<std::string> data_files = {};        ///< the same of files whose columns it reads
  std::vector<EstimationSetting> estimation = {};  ///< what it says to filters, unjudged

  /// Sentences about settings that look as if their unit had been forgotten.
  std::vector<std::string> doubts() const;
};
/// The same with its parameters. `numbers`, where it is given, is told what follows from parameters, and may change it.
DescribedMechanism read_described_mechanism(std::string_view text, const std::string& file_name,
                                            const std::vector<ParameterOverride>& overrides = {},
                                            FileNumbers* numbers = nullptr);
DescribedMechanism read_described_mechanism(std::string_view text, const std::string& file_name,
                                            const ReadRequest& request);

/// The same from a file of at most 16 MiB.
model::Mechanism read_mechanism_file(const std::filesystem::path& path,
                                     const std::vector<ParameterOverride>& overrides = {});
DescribedMechanism read_described_file(const std::filesystem::path& path,
                                       const std::vector<ParameterOverride>& overrides = {},
                                       FileNumbers* numbers = nullptr);
DescribedMechanism read_described_file(const std::filesystem::path& path, const ReadRequest& request);

}  // namespace eslabon::io
