#pragma once

#include <span>
#include <string>
#include <vector>

#include "eslabon/io/mechanism/document.hpp"

namespace eslabon::io {

/// A setting of filters that section 'estimation' of a mechanism file gives, as it is written there.
struct EstimationSetting {
  std::string name;                ///< "velocity-noise"
  std::vector<std::string> texts;  ///< one, or the items of a list
  bool is_list = false;
  TextPlace place;  ///< of the value
};

/// The section as a file has it; no text where there is no setting.
std::string write_estimation(std::span<const EstimationSetting> settings);

}  // namespace eslabon::io
