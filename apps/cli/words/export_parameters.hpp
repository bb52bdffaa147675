#pragma once

#include <string>
#include <vector>

#include "eslabon/io/mechanism/model_settings.hpp"
#include "eslabon/codegen/motion_export.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"

namespace eslabon::cli {

/// Where a mechanism comes from.
struct ModelWords {
  std::string model;
  io::ModelSettings set;
  std::vector<std::string> release;
};

/// What --parameters says, "crank,mass:coupler" or "all", becomes parameters and factors of an export. `loaded`: the mechanism of these words.
/// All are those of the file that are numbers; others follow from them.
void read_export_parameters(const std::string& text, const ModelWords& words,
                            const io::DescribedMechanism& loaded, codegen::MotionExportOptions& options);

}  // namespace eslabon::cli
