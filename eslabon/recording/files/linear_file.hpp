#pragma once

#include <string>
#include <vector>

#include "eslabon/recording/files/provenance.hpp"
#include "eslabon/runs/statics/modes_run.hpp"

namespace eslabon::recording {

/// Throws runs::RequestError, of the field `out`, unless the name ends with .mat, .npz or .csv.
void check_linear_file(const std::string& path);

/// The files of this name: itself, or of FILE.csv FILE.A.csv and so on.
std::vector<std::string> linear_files(const std::string& path);

/// Writes a linear system and its modes in the format of the file's name; the names of what was written. Of FILE.csv: FILE.A.csv,
/// FILE.B.csv, FILE.C.csv, FILE.D.csv, FILE.modes.csv, FILE.shapes.csv.
/// Throws core::ModelError when a file cannot be written.
std::vector<std::string> write_linear_file(const std::string& path, const runs::ModesResult& result,
                                           const Provenance& provenance);

}  // namespace eslabon::recording
