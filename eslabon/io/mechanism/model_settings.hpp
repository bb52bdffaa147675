#pragma once

#include <string>
#include <utility>
#include <vector>

namespace eslabon::io {

/// How a model is to be changed when it is loaded.
struct ModelSettings {
  std::vector<std::string> set = {};  ///< "name=value": parameters of the file, or keys of the family
  std::string variant = {};           ///< one that the file names; empty: none

  ModelSettings() = default;
  ModelSettings(std::vector<std::string> settings)
      : set(std::move(settings)) {}  // NOLINT(google-explicit-constructor)

  bool empty() const { return set.empty() && variant.empty(); }
};

}  // namespace eslabon::io
