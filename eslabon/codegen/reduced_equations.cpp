#include "eslabon/codegen/reduced_equations.hpp"

#include <map>

#include "eslabon/codegen/derivation.hpp"
#include "eslabon/core/index.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/mass/body_inertia.hpp"
#include "eslabon/dynamics/reduced/traced_names.hpp"

namespace eslabon::codegen {

using core::index;
using core::Traced;
using dynamics::TracedVector;
using dynamics::Unknown;
using dynamics::WrenchOf;
using Eigen::Index;
using std::size_t;

namespace {

/// What unknowns make of elements and masses.
struct UnknownFactors {
  UnknownFactors(const MotionForces& motion, const TracedVector& theta)
      : elements{ones(motion.model().mechanism().springs().size()),
                 ones(motion.model().mechanism().dampers().size()),
                 ones(motion.model().mechanism().joints().size())},
        bodies(ones(motion.model().mechanism().bodies().size())) {
    dynamics::set_factors<Traced>(motion.unknowns(), theta, elements, bodies);
  }
  static TracedVector ones(size_t count) { return TracedVector(count, Traced(1.0)); }

  dynamics::ElementFactors<Traced> elements;
  TracedVector bodies;
};

/// Forces of elements and of unknowns, without weights.
std::vector<WrenchOf<Traced>> applied(const MotionForces& motion, const TracedBodies::Bodies& bodies,
                                      const TracedVector& theta, const UnknownFactors& factors) {
  const dynamics::DynamicModel& model = motion.model();
  std::vector<WrenchOf<Traced>> wrenches(bodies.size());
  const TracedVector states = states_of(model, motion.unknowns(), theta);
  if (!model.forces().evaluate_without_weights<Traced>(0.0, bodies, {model.start_memory(), states}, wrenches,
                                                       {}, &factors.elements))
    throw core::ModelError(dynamics::AppliedForces::why_no_derivatives(0.0));
  for (size_t i = 0; i < theta.size(); ++i)
    if (motion.unknowns()[i].kind == Unknown::Kind::kForce)
      model.forces().add_effort<Traced>(*motion.unknowns()[i].along, theta[i], bodies, wrenches);
  return wrenches;
}

/// Σ K_bᵀ W_b, with those of unknowns along degrees of freedom.
TracedVector along_freedoms(const MotionForces& motion, const TracedBodies& at, const TracedVector& theta,
                            const std::vector<WrenchOf<Traced>>& wrenches) {
  TracedVector sums;
  for (const TracedBodies::Bodies& K : at.units) {
    Traced sum = 0.0;
    for (size_t b = 1; b < wrenches.size(); ++b) {
      core::Trace::mark();
      sum += wrenches[b].force.dot(K[b].v_WB_W) + wrenches[b].torque.dot(K[b].w_WB_W);
    }
    sums.push_back(sum);
  }
  for (size_t i = 0; i < theta.size(); ++i)
    if (motion.unknowns()[i].kind == Unknown::Kind::kFreedomForce)
      sums[index(motion.unknowns()[i].index)] += theta[i];
  return sums;
}

}  // namespace

TracedBodies::Bodies accelerated(const TracedBodies& at, const TracedVector& z_ddot) {
  TracedBodies::Bodies bodies = at.bodies;
  for (size_t k = 0; k < z_ddot.size(); ++k)
    for (size_t b = 1; b < bodies.size(); ++b) {
      core::Trace::mark();
      bodies[b].alpha_WB_W += z_ddot[k] * at.units[k][b].w_WB_W;
      bodies[b].a_WB_W += z_ddot[k] * at.units[k][b].v_WB_W;
    }
  return bodies;
}

Traced smallest_margin(const TracedVector& list) {
  Traced out = 1.0;
  for (const Traced& x : list) out = core::minimum(out, x);
  return out;
}

std::vector<KnownDerivative> by_themselves(std::span<const Traced> numbers) {
  std::vector<KnownDerivative> known;
  for (size_t k = 0; k < numbers.size(); ++k)
    known.push_back({numbers[k], {{static_cast<int>(k), Traced(1.0)}}});
  return known;
}

std::vector<KnownDerivative> known_positions(core::Trace& trace, const TracedFreedoms& freedoms,
                                             const TracedBodies& at,
                                             const std::vector<KnownDerivative>& known) {
  TracedVector causes = freedoms.z;
  for (const TracedVector& more : {freedoms.drivers.position, freedoms.parameters})
    causes.insert(causes.end(), more.begin(), more.end());
  const std::vector<Entry> entries = derivative(trace, causes, {}, known);
  std::vector<KnownDerivative> out = known;
  for (const TracedBodies::Known& one : at.known) {
    TracedVector by_causes = one.by_z;
    for (const TracedVector& more : {one.by_drivers, one.by_parameters})
      by_causes.insert(by_causes.end(), more.begin(), more.end());
    std::map<int, Traced> sums;
    for (const Entry& entry : entries)
      sums.try_emplace(entry.column, 0.0).first->second += by_causes[index(entry.row)] * entry.value;
    KnownDerivative chained{.number = one.number, .by_inputs = {}};
    for (const auto& [input, value] : sums)
      if (!(value == Traced(0.0))) chained.by_inputs.emplace_back(input, value);
    out.push_back(std::move(chained));
  }
  return out;
}

MotionForces::MotionForces(const dynamics::DynamicModel& model, std::vector<Unknown> unknowns)
    : model_(model), unknowns_(std::move(unknowns)) {
  dynamics::check_smooth(model.mechanism(), true);
}

// Seed003 eq. 13, eq. 14
ReducedEquations::ReducedEquations(const MotionForces& motion, const TracedBodies& at,
                                   const TracedVector& theta) {
  const model::Mechanism& mechanism = motion.model().mechanism();
  const UnknownFactors factors(motion, theta);
  const std::vector<WrenchOf<Traced>> forces = applied(motion, at.bodies, theta, factors);
  std::vector<WrenchOf<Traced>> wrenches = forces;
  dynamics::add_inertia<Traced>(mechanism, at.bodies, factors.bodies, wrenches);
  {
    const core::Trace::Scope scope("Forces");
    name_elements(motion.model(), at.bodies, states_of(motion.model(), motion.unknowns(), theta));
    dynamics::name_wrenches(mechanism, wrenches, "F_applied + m (g − a_C⁰)",
                            "T_applied + r_C × m (g − a_C⁰) − I α⁰ − ω × I ω");
  }
  force_ = along_freedoms(motion, at, theta, wrenches);
  const auto f = static_cast<Index>(at.units.size());
  mass_.resize(f, f);
  for (Index k = 0; k < f; ++k)
    for (Index j = 0; j <= k; ++j)
      mass_(k, j) = mass_(j, k) = dynamics::mass_product<Traced>(mechanism, at.bodies, factors.bodies,
                                                                 at.units[index(k)], at.units[index(j)]);
  factors_ = dynamics::TracedFactors(mass_, dynamics::Elimination::kFewestFirst);
  z_ddot_ = factors_.solve(force_);  // (1)
  bodies_ = accelerated(at, z_ddot_);
  wrenches = forces;
  held_ = to_be_held(mass_, z_ddot_);
  dynamics::add_inertia<Traced>(mechanism, accelerated(at, held_), factors.bodies, wrenches);
  residual_ = along_freedoms(motion, at, theta, wrenches);
  TracedVector margins = factors_.margins();
  margins.push_back(at.margin);
  margin_ = smallest_margin(margins);
}

std::vector<KnownDerivative> ReducedEquations::differentiate(
    core::Trace& trace, const std::vector<KnownDerivative>& known) const {
  std::vector<KnownDerivative> held = known;
  for (const Traced& a : held_) held.push_back({a, {}});
  return solve_derivatives(factors_, z_ddot_, derivative(trace, residual_, {}, held));  // (2)
}

TracedVector to_be_held(const TracedMatrix& mass, const TracedVector& z_ddot) {
  TracedVector held = z_ddot;
  bool has_constant = false;
  for (Index k = 0; k < mass.rows(); ++k) has_constant = has_constant || mass(k, k).is_constant();
  if (has_constant)
    for (Traced& a : held) a = core::Trace::listening().whole(a);
  return held;
}

std::vector<KnownDerivative> solve_derivatives(const dynamics::TracedFactors& factors, const TracedVector& x,
                                               const std::vector<Entry>& right_hand_sides) {
  std::map<int, TracedVector> columns;
  for (const Entry& entry : right_hand_sides)
    columns.try_emplace(entry.column, TracedVector(x.size(), Traced(0.0))).first->second[index(entry.row)] =
        entry.value;
  std::vector<KnownDerivative> out;
  for (const Traced& one : x) out.push_back({one, {}});
  for (const auto& [input, column] : columns) {
    const TracedVector by_input = factors.solve(column);
    for (size_t k = 0; k < out.size(); ++k)
      if (!(by_input[k] == Traced(0.0))) out[k].by_inputs.emplace_back(input, by_input[k]);
  }
  return out;
}

}  // namespace eslabon::codegen
