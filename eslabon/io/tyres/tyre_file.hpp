#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/tyres/magic_formula.hpp"

namespace eslabon::io {

/// One point of half of a tyre's cross-section, of the table [SHAPE].
struct ShapePoint {
  double radial = 0.0;  ///< by the free radius
  double width = 0.0;   ///< from the middle, by half of the width
};

/// A tyre as its .tir file has it.
struct TyreFile {
  std::string name;          ///< of the file
  tyres::MagicFormula tyre;  ///< in SI units
  std::vector<ShapePoint> shape;
  /// Coefficients of combined slip that it does not have
  std::vector<std::string> missing_combined_slip;
  /// Coefficients that it has, that are not 0 (1 for scale factors), and that no equation here reads
  std::vector<std::string> unused;

  /// The tyre for F_x and F_y at once. Throws FileError when coefficients of combined slip are missing.
  const tyres::MagicFormula& with_combined_slip() const;
};

/// The tyre that a text in the format of docs/theory-tyres.md, 5 describes. Strict: what is not known is an error.
/// Throws FileError with file and line. Thread use: any number of calls at once.
TyreFile read_tyre(std::string_view text, const std::string& file_name);

/// The same from a file of at most 1 MiB.
TyreFile read_tyre_file(const std::filesystem::path& path);

}  // namespace eslabon::io
