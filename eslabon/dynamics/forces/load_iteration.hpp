#pragma once

#include <functional>
#include <vector>

#include "eslabon/dynamics/formulations/formulation.hpp"

namespace eslabon::dynamics {

/// What loads cause: sets `found` to the loads that belong to the forces that `loads` make, and `scale` to the size of forces in the
/// mechanism: a load may pass zero [N].
using LoadsCaused = std::function<DynamicsStatus(const std::vector<double>& loads, std::vector<double>& found,
                                                 double& scale)>;

/// Loads N that agree with what they cause, from those that stand in `loads`:
///   N = caused(N)                                                                                            (1)
/// repeated; where that does not converge, as behind μ tan φ = 1, by Newton with differences. The last call of `caused` was with the
/// result, to roundoff. kJammed: none were found.
[[nodiscard]] DynamicsStatus solve_loads(std::vector<double>& loads, const LoadsCaused& caused);

}  // namespace eslabon::dynamics
