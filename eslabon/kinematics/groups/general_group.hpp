#pragma once

#include "eslabon/kinematics/groups/group_solver.hpp"

namespace eslabon::kinematics {

/// Any group, by Newton's iteration on its own equations (1) of group_solver.hpp. Its unknowns are the degrees of freedom of those of its
/// joints that make a tree of its links, rooted on all links before it, with as few degrees of freedom as possible; its rows
/// are those of the other joints and of the inputs inside it. It starts from where its links are; its branch is the sign of
/// its determinant, or, where rows repeat others, of that of the rows that were most independent at the start.
/// Differs from [Seed001, §2.2.1], which solves groups in natural coordinates: an axle of the truck has 37 of them (§3.1.3), the
/// tree has 8 degrees of freedom.
/// Nothing when an input of the group is no variable, when a link hangs on nothing, or when the rows do not determine the
/// group where it starts.
std::unique_ptr<PlanarGroupSolver> make_general_group(const PlanarGroupContext& context,
                                                      const structure::StructuralGroup& group);
std::unique_ptr<SpatialGroupSolver> make_general_group(const SpatialGroupContext& context,
                                                       const structure::StructuralGroup& group);

}  // namespace eslabon::kinematics
