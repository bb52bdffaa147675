#pragma once

#include "eslabon/codegen/reduced_equations.hpp"
#include "eslabon/codegen/traced_kinematics.hpp"

/// How reduced equations follow from each other, for people; nothing happens when the trace keeps no names.
namespace eslabon::codegen {

/// Parts in the order in which they are read: sections of bodies, then what acts on them.
void name_reduced_parts(const std::vector<BodySection>& sections);
/// A, r, Ω, V, ω, v, α⁰ and a⁰ of bodies, each in its section.
void name_bodies(const model::Mechanism& mechanism, const std::vector<BodySection>& sections,
                 const TracedBodies& at);
/// M, f and z̈.
void name_reduced_solution(const ReducedEquations& equations);

}  // namespace eslabon::codegen
