#include "eslabon/codegen/derivation.hpp"

#include <algorithm>

#include "eslabon/core/index.hpp"
#include "eslabon/core/scalar/trace_names.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::codegen {

namespace {

using core::index;
using core::Trace;
using core::Traced;
using dynamics::TracedFactors;
using dynamics::TracedMatrix;
using dynamics::TracedVector;
using Eigen::Index;
using std::size_t;

constexpr Index kWhole = 7;    // a matrix with so many columns stands in one piece
constexpr Index kFactors = 6;  // so many coordinates, and the elimination is written out

/// Rows or columns that belong together.
struct Group {
  std::string name;
  std::vector<Index> members;
};

std::vector<Group> groups_of(const std::vector<std::string>& owners) {
  std::vector<Group> groups;
  for (size_t k = 0; k < owners.size(); ++k) {
    auto at = std::ranges::find(groups, owners[k], &Group::name);
    if (at == groups.end()) at = groups.insert(groups.end(), {owners[k], {}});
    at->members.push_back(static_cast<Index>(k));
  }
  return groups;
}

/// Coordinates by the body, joint or point before the dot: "coupler" of "coupler.x".
std::vector<Group> coordinate_groups(const coordinates::ConstraintSystem& system) {
  std::vector<std::string> owners;
  for (const coordinates::Coordinate& coordinate : system.coordinates())
    owners.push_back(coordinate.name.substr(0, coordinate.name.rfind('.')));
  return groups_of(owners);
}

/// Independent rows by who asks for them: "P2" of "joint 'P2', translation along x".
std::vector<Group> row_groups(const TracedEquations& equations) {
  std::vector<std::string> owners;
  for (const int row : equations.independent_rows()) {
    const std::string text = describe_row(equations.system(), row);
    owners.push_back(text.substr(0, text.find(',')));
  }
  return groups_of(owners);
}
/// "P2" of "joint 'P2'".
std::string short_name(const std::string& owner) {
  const size_t first = owner.find('\''), last = owner.rfind('\'');
  return first < last ? owner.substr(first + 1, last - first - 1) : owner;
}

TracedVector part_of(const TracedVector& x, const Group& group) {
  TracedVector out;
  for (const Index k : group.members) out.push_back(x[index(k)]);
  return out;
}
TracedMatrix block_of(const TracedMatrix& A, const Group& rows, const Group& columns) {
  TracedMatrix out(static_cast<Index>(rows.members.size()), static_cast<Index>(columns.members.size()));
  for (Index r = 0; r < out.rows(); ++r)
    for (Index c = 0; c < out.cols(); ++c) out(r, c) = A(rows.members[index(r)], columns.members[index(c)]);
  return out;
}
bool is_zero(const TracedMatrix& A) {
  return std::all_of(A.data(), A.data() + A.size(), [](const Traced& x) { return x == Traced(0.0); });
}

void state(Trace& trace, const std::string& left, const std::string& law) {
  trace.name({.symbol = left, .law = law});
}

/// L and D of A = L D Lᵀ, in the order of elimination.
void name_factors(Trace& trace, const std::string& of, const TracedFactors& factors) {
  TracedMatrix L = factors.L();
  for (Index r = 0; r < L.rows(); ++r)
    for (Index c = r; c < L.cols(); ++c) L(r, c) = r == c ? 1.0 : 0.0;
  std::string order;
  for (const Index k : factors.order()) order += (order.empty() ? "" : ", ") + std::to_string(k + 1);
  name(trace, "d_" + of, factors.reciprocals(), "1/D of " + of + " = L D Lᵀ, rows in the order " + order);
  name_matrix(trace, "L_" + of, L);
}

}  // namespace

Derivation derivation_of(Trace& trace, const std::vector<const Program*>& needed) {
  std::vector<char> is_needed(trace.nodes().size(), 0);
  for (const Program* const program : needed)
    for (const int origin : program->origins()) is_needed[index(origin)] = 1;
  Derivation out{.parts = trace.parts(), .quantities = {}, .program = {}};
  // One operation away from what is needed, as −sin θ is in a matrix of rotation: told with the rest.
  const auto follows = [&](const Traced& x) {
    return std::ranges::all_of(operands(trace.nodes()[index(x.node())]), [&](int operand) {
      return operand < 0 || is_needed[index(operand)] || !computes(trace.nodes()[index(operand)].operation);
    });
  };
  TracedVector entries;
  for (const Trace::Quantity& quantity : trace.quantities()) {
    const auto tells = [&](const Traced& x) { return !x.is_constant() && is_needed[index(x.node())]; };
    const auto is_number = [](const Traced& x) { return x.is_constant() && x.constant() != 0.0; };
    const auto is_moving = [](const Traced& x) { return !x.is_constant(); };
    const bool is_known =
        std::ranges::none_of(quantity.entries, is_moving) && std::ranges::any_of(quantity.entries, is_number);
    if (!quantity.entries.empty() && !is_known && std::ranges::none_of(quantity.entries, tells)) continue;
    Derivation::Quantity one{.symbol = quantity.symbol,
                             .law = quantity.law,
                             .part = quantity.part,
                             .rows = quantity.rows,
                             .columns = quantity.columns,
                             .is_spatial = quantity.is_spatial,
                             .is_solved = quantity.is_solved,
                             .entries = {},
                             .is_needed = {}};
    const bool is_whole = std::ranges::all_of(
        quantity.entries, [&](const Traced& x) { return x.is_constant() || tells(x) || follows(x); });
    for (const Traced& x : quantity.entries) {
      one.is_needed.push_back(is_whole || x.is_constant() || tells(x));
      entries.push_back(one.is_needed.back() ? x : Traced(0.0));
    }
    out.quantities.push_back(std::move(one));
  }
  out.program = Program(trace, entries);
  auto place = out.program.outputs().begin();
  for (Derivation::Quantity& quantity : out.quantities) {
    const auto count = static_cast<std::ptrdiff_t>(quantity.is_needed.size());
    quantity.entries.assign(place, place + count);
    place += count;
  }
  return out;
}

void name_parts(const std::string& masses, const std::string& forces) {
  // Each opens its part, and closes it at once.
  const auto plan = [](std::string_view title, std::string_view says) {
    const Trace::Scope scope(title, says);
  };
  plan("Drivers", "What is prescribed: `s`, its rate and its acceleration.");
  plan("Bodies",
       "Where bodies are and how they move, in axes of the world. `A` turns components along axes of a body "
       "into those along axes of the world, "
       "`r` is the position of its origin, `ω` its angular velocity, `v` the velocity of its origin, `r_C` "
       "the position of its centre of mass. A `⁰` "
       "marks accelerations when no "
       "coordinate accelerates.");
  plan("Loops",
       "What joints and drivers ask for beyond the choice of coordinates: rows `Φ(q, t) = 0`. Differentiated "
       "twice they are linear in the "
       "accelerations, `J a = γ` with `J = ∂Φ/∂q`; the terms with `α` and `β` bring back what drifts away "
       "(Baumgarte).");
  plan("Masses", masses);
  plan("Forces", forces);
  plan("Solution",
       "The equations of motion, with Lagrange multipliers `λ`: the efforts of the rows. `M` and `S` are "
       "positive definite, so that they "
       "are eliminated in a fixed order, `L D Lᵀ`, without a choice of pivots.");
  plan("Accelerations of bodies",
       "`α` is the angular acceleration of a body, `a` the acceleration of its origin.");
  plan("Outputs", "What the function `outputs` gives.");
  plan("Sensors", "What sensors would read without errors: the function `readings`.");
}

void name_rows(const TracedEquations& equations, const TracedParts& parts, const TracedVector& c) {
  Trace* const trace = Trace::naming();
  if (!trace) return;
  const Trace::Scope loops("Loops");
  state(*trace, "J a", "c,   c = γ − 2 α ˙Φ − β² Φ");
  const std::vector<Group> columns = coordinate_groups(equations.system());
  Group all{"", {}};
  for (Index k = 0; k < parts.J.cols(); ++k) all.members.push_back(k);
  for (const Group& rows : row_groups(equations)) {
    const std::string of = short_name(rows.name);
    std::string says = "Rows: ";
    for (const Index row : rows.members) {
      const std::string text = describe_row(equations.system(), equations.independent_rows()[index(row)]);
      says += (row == rows.members.front() ? "" : "; ") +
              text.substr(std::min(text.size(), rows.name.size() + 2));
    }
    const Trace::Scope scope(rows.name, says.size() > 6 ? says + "." : "");
    name(*trace, "Φ_" + of, part_of(parts.Phi, rows));
    if (parts.J.cols() <= kWhole) {
      name_matrix(*trace, "J_" + of, block_of(parts.J, rows, all), "∂Φ/∂q");
    } else {
      for (const Group& column : columns)
        if (const TracedMatrix block = block_of(parts.J, rows, column); !is_zero(block))
          name_matrix(*trace, "J_" + of + "," + column.name, block, "∂Φ_" + of + "/∂q_" + column.name);
    }
    name(*trace, "˙Φ_" + of, part_of(parts.Phi_dot, rows), "J ˙q + ∂Φ/∂t");
    TracedVector bias;
    for (const Index row : rows.members) bias.push_back(-parts.gamma[index(row)]);
    name(*trace, "¨Φ⁰_" + of, bias, "−γ:   ¨Φ when no coordinate accelerates");
    name(*trace, "γ_" + of, part_of(parts.gamma, rows), "−¨Φ⁰");
    name(*trace, "c_" + of, part_of(c, rows), "γ − 2 α ˙Φ − β² Φ");
  }
}

TracedVector states_of(const dynamics::DynamicModel& model, const std::vector<dynamics::Unknown>& unknowns,
                       const TracedVector& theta) {
  const std::vector<double>& start = model.start_memory().states;
  TracedVector states(start.begin(), start.end());
  for (size_t i = 0; i < theta.size(); ++i)
    if (unknowns[i].kind == dynamics::Unknown::Kind::kState) states[index(unknowns[i].index)] = theta[i];
  return states;
}

void name_elements(const dynamics::DynamicModel& model, const coordinates::MechanismMotionOf<Traced>& bodies,
                   const TracedVector& states) {
  Trace* const trace = Trace::naming();
  if (!trace) return;
  const Trace::Scope scope(
      "Springs, dampers and stops",
      "Positive pulls the ends of a spring or damper together; a stop is pushed towards larger values.");
  const model::Mechanism& mechanism = model.mechanism();
  const dynamics::AppliedForces& forces = model.forces();
  for (size_t k = 0; k < mechanism.springs().size(); ++k)
    name(*trace, "F_" + mechanism.springs()[k].name,
         forces.spring_force<Traced>(k, 0.0, bodies, {model.start_memory(), states}));
  for (size_t k = 0; k < mechanism.dampers().size(); ++k)
    name(*trace, "F_" + mechanism.dampers()[k].name,
         forces.damper_force<Traced>(k, 0.0, bodies, {model.start_memory(), states}));
  for (size_t k = 0; k < mechanism.stops().size(); ++k)
    name(*trace, "F_" + mechanism.stops()[k].name,
         forces.stop_force<Traced>(k, 0.0, bodies, model.start_memory()));
}

void name_mass_and_forces(const TracedEquations& equations, const TracedParts& parts) {
  Trace* const trace = Trace::naming();
  if (!trace) return;
  const bool is_whole = parts.M.cols() <= kWhole;
  const std::vector<Group> groups = coordinate_groups(equations.system());
  {
    const Trace::Scope masses("Masses");
    if (is_whole) name_matrix(*trace, "M", parts.M);
    for (size_t i = 0; i < groups.size() && !is_whole; ++i) {
      const Trace::Scope scope(groups[i].name);
      for (size_t k = i; k < groups.size(); ++k)
        if (const TracedMatrix block = block_of(parts.M, groups[i], groups[k]); !is_zero(block))
          name_matrix(*trace, "M_" + groups[i].name + (k == i ? "" : "," + groups[k].name), block);
    }
  }
  const Trace::Scope forces("Forces");
  if (is_whole) name(*trace, "f", parts.f);
  for (size_t i = 0; i < groups.size() && !is_whole; ++i) {
    const Trace::Scope scope(groups[i].name);
    name(*trace, "f_" + groups[i].name, part_of(parts.f, groups[i]));
  }
}

void name_solution(const dynamics::TracedMultipliers& multipliers,
                   const dynamics::TracedMultipliers::Solution& solution) {
  Trace* const trace = Trace::naming();
  if (!trace) return;
  const Trace::Scope scope("Solution");
  state(*trace, "M a + Jᵀ λ", "f,   J a = c");
  const bool is_long = multipliers.J.cols() > kFactors;
  const std::string M = multipliers.augmentation == 0.0 ? "M" : "M̂",
                    f = multipliers.augmentation == 0.0 ? "f" : "f̂";
  if (multipliers.augmentation != 0.0)
    state(*trace, "M̂",
          "M + ρ Jᵀ J,   f̂ = f + ρ Jᵀ c,   ρ = " + core::rounded_text(multipliers.augmentation) +
              ": regular where M alone is not, with the same a and λ");
  state(*trace, "S", "J Y,   Y = " + M + "⁻¹ Jᵀ");
  const bool has_rows = !solution.lambda.empty();
  if (!is_long) {
    name_factors(*trace, M, multipliers.M);
    if (has_rows) {
      name_matrix(*trace, "Y", multipliers.Y, M + "⁻¹ Jᵀ");
      name_factors(*trace, "S", multipliers.S);
    }
  }
  const auto solved = [&](const std::string& symbol, const std::string& law, const TracedVector& values) {
    trace->name({.symbol = symbol,
                 .law = law,
                 .rows = static_cast<int>(values.size()),
                 .is_solved = is_long,
                 .entries = values});
  };
  if (has_rows) solved("λ", "S⁻¹ (J " + M + "⁻¹ " + f + " − c)", solution.lambda);
  solved("a", M + "⁻¹ " + f + (has_rows ? " − Y λ" : ""), solution.a);
}

}  // namespace eslabon::codegen
