#pragma once

#include <string>

#include "eslabon/model/elements/force_elements.hpp"

namespace eslabon::model {

/// In which way a quantity passes zero.
enum class PassageDirection { kBoth, kRising, kFalling };

/// Something to look out for on the way: the instants at which a quantity passes zero. It changes nothing of the motion.
struct Event {
  std::string name;
  ForceLaw quantity;  ///< of time, positions, velocities and auxiliary states
  PassageDirection direction = PassageDirection::kBoth;
  bool ends_run = false;  ///< the run is over at the first of them
  friend bool operator==(const Event&, const Event&) = default;
};

}  // namespace eslabon::model
