#pragma once

#include "eslabon/kinematics/group_solver.hpp"

namespace eslabon::kinematics {

/// Any planar group, by Newton's iteration on its own rows (1) of group_solver.hpp: three coordinates (x, y, θ) for each of its
/// links, the rows of its joints and of the inputs inside it. Starts from where its links are, and keeps the branch
/// by the sign of its determinant: a solution with the other sign is not accepted (kSingular).
std::unique_ptr<PlanarGroupSolver> make_general_planar_group(const GroupContext& context,
                                                             const structure::StructuralGroup& group);

}  // namespace eslabon::kinematics
