#pragma once

#include <vector>

#include "eslabon/coordinates/velocity_rows.hpp"

namespace eslabon::kinematics {

/// Rows of rolling that are independent of the constraints on positions and of each other, ascending: as many as a mechanism has fewer
/// degrees of freedom in velocity than in position. Taken in their order: of A N, N the motions that Phi_q leaves, a row is kept when more
/// than 1e-8 of its length in A is no combination of those before it.
std::vector<int> independent_rolling_rows(const coordinates::ConstraintSystem& system,
                                          const std::vector<double>& Phi_q,
                                          const coordinates::VelocityRows& rows,
                                          const coordinates::VelocityLevel& level);

}  // namespace eslabon::kinematics
