#pragma once

#include <vector>

#include "eslabon/structure/input.hpp"
#include "eslabon/structure/row_assignment.hpp"
#include "eslabon/structure/topology.hpp"

namespace eslabon::structure {

/// Picks the missing inputs of a mechanism with more degrees of freedom than drivers (the reduction coordinates of
/// [Seed001]) so that its groups come out smallest: min Σ n³ over the links n of the groups, ties by the
/// order of the candidates. Adds their rows to `assignment`, numbered from `first_number` on, and settles it.
///
/// All combinations are tried while that is affordable; otherwise one input after the other, each time the
/// one that leaves the smallest groups, and in very large mechanisms among the first candidates only. What hangs on two balls in the end and
/// is free to spin is held by exchanging one of them.
std::vector<Input> pick_inputs(const Topology& topology, const std::vector<Input>& candidates,
                               int first_number, RowAssignment& assignment);

}  // namespace eslabon::structure
