#pragma once

#include <string>

#include "eslabon/core/dimension.hpp"
#include "eslabon/model/elements/force_elements.hpp"

namespace eslabon::model {

/// A number that a mechanism has beside its motion, and that has a rate of its own:  dx/dt = rate(t, q, v, x)  from x = start at t = 0.
/// Forces may look at it, and so may the rates of others: lags, controllers, temperatures, what a tyre remembers.
struct AuxiliaryState {
  std::string name;
  core::Dimension dimension;  ///< of x
  double start = 0.0;         ///< x at t = 0
  double size = 1.0;          ///< > 0; integrators see x in parts of it
  ForceLaw rate;              ///< dx/dt
  friend bool operator==(const AuxiliaryState&, const AuxiliaryState&) = default;
};

}  // namespace eslabon::model
