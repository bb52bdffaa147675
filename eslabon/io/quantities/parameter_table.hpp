#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/io/quantities/expression.hpp"

namespace eslabon::io {

/// A parameter as written in a file, or its new value from the command line.
struct ParameterText {
  std::string name;
  std::string text;                    ///< "120 mm" or "= crank/2"
  TextPlace place;                     ///< of the text
  TextPlace name_place{};              ///< of the name; that of the text is used if it has no source
  std::optional<Quantity> value = {};  ///< worked out already, in another file
};

/// The text of a parameter that has no value of its own.
inline constexpr std::string_view kNeeded = "needed";

/// The named parameters of a mechanism file with their values. Immutable.
class ParameterTable {
 public:
  ParameterTable() = default;
  /// Works out every parameter, whatever the order they are written in; an override replaces the text of
  /// a declared one. Cost: linear in the text for the tables people write.
  /// Fails: ModelError for a bad, reserved or repeated name, an unknown name (with the nearest known one),
  /// a circle (which it shows), and whatever is wrong inside a value.
  ParameterTable(const std::vector<ParameterText>& declared, const std::vector<ParameterText>& overrides);

  const Parameters& values() const { return values_; }
  /// Null pointer if there is no parameter of that name.
  const Quantity* find(std::string_view name) const;

 private:
  Parameters values_;
};

}  // namespace eslabon::io
