#pragma once

#include <string>
#include <vector>

#include "eslabon/io/tyres/tyre_lines.hpp"
#include "eslabon/tyres/magic_formula.hpp"

namespace eslabon::io {

/// The units of a .tir file: factors to the SI.
class TyreUnits {
 public:
  /// Reads the section [UNITS], which must have LENGTH, FORCE, ANGLE, MASS and TIME; PRESSURE is force by area where it is missing.
  /// Throws FileError for units that are missing or not known.
  explicit TyreUnits(const TyreLines& lines);

  double factor(tyres::Measure measure) const;
  /// As messages show it: "mm", "newton/mm".
  std::string text(tyres::Measure measure) const;

 private:
  struct Unit {
    double factor = 1.0;
    std::string text;
  };
  static Unit read(const TyreLines& lines, const std::string& kind);

  Unit length_, force_, angle_, mass_, time_, pressure_;
};

}  // namespace eslabon::io
