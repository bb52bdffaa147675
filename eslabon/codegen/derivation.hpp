#pragma once

#include <string>
#include <vector>

#include "eslabon/codegen/graph/program.hpp"
#include "eslabon/codegen/traced_equations.hpp"

namespace eslabon::codegen {

/// How the equations of a mechanism follow from each other, for people: parts with quantities, as they were named when they were written down.
struct Derivation {
  struct Quantity {
    std::string symbol, law;
    int part = 0;
    int rows = 0, columns = 1;
    bool is_spatial = false, is_solved = false;
    std::vector<int> entries;     ///< places in the program
    std::vector<char> is_needed;  ///< (entries) constants, or what some function asks for
  };
  std::vector<core::Trace::Part> parts;
  std::vector<Quantity> quantities;  ///< in the order in which they were named
  Program program;                   ///< all entries
};
/// `needed`: programs whose numbers are worth telling of.
Derivation derivation_of(core::Trace& trace, const std::vector<const Program*>& needed);

/// Parts of a derivation in the order in which they are read, with what is said of each.
void name_parts(const std::string& masses, const std::string& forces);
/// Names the rows Φ, J, Φ̇, γ and c = γ − 2 α Φ̇ − β² Φ, by the joint or body that has them.
void name_rows(const TracedEquations& equations, const TracedParts& parts, const dynamics::TracedVector& c);
/// (states) auxiliary states: those that are unknowns, or else where they start.
dynamics::TracedVector states_of(const dynamics::DynamicModel& model,
                                 const std::vector<dynamics::Unknown>& unknowns,
                                 const dynamics::TracedVector& theta);
/// Names what springs, dampers and soft stops pull or push with, in the part that stands.
void name_elements(const dynamics::DynamicModel& model,
                   const coordinates::MechanismMotionOf<core::Traced>& bodies,
                   const dynamics::TracedVector& states);
/// Names M and f, by the coordinates of bodies or joints where there are many.
void name_mass_and_forces(const TracedEquations& equations, const TracedParts& parts);
/// Names λ and a, with all factors where they are few.
void name_solution(const dynamics::TracedMultipliers& multipliers,
                   const dynamics::TracedMultipliers::Solution& solution);

}  // namespace eslabon::codegen
