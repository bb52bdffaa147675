#include "eslabon/codegen/derivation.hpp"
#include "eslabon/codegen/traced_equations.hpp"
#include "eslabon/dynamics/reduced/traced_names.hpp"

namespace eslabon::codegen {

namespace {

using dynamics::TracedMotion;
using dynamics::TracedVector;

class TreeEquations final : public TracedEquations {
 public:
  TreeEquations(const dynamics::ReducedMotion& motion, double length)
      : motion_(motion), scales_(dynamics::find_scales(motion)) {
    scales_.length = length;
  }

  std::string description() const override {
    return "relative coordinates, masses along the spanning tree, loops closed by Lagrange multipliers";
  }
  std::string says_of_masses() const override {
    return "From the leaves of the spanning tree to its root: mass `m`, first moment `h` and inertia `I` "
           "about the origin of the world, of a "
           "link with all that it carries; then `M_cd = w_d · (I w_c + h × o_c) + o_d · (m o_c − h × w_c)` "
           "for every coordinate `d` on the "
           "way to the link of `c`. `w` and `o` are the motion that a unit rate of a coordinate gives to all "
           "that it carries: angular "
           "velocity, and velocity at the origin of the world.";
  }
  std::string says_of_forces() const override {
    return "What acts on each body, with its weight and with what its mass asks for when no coordinate "
           "accelerates; then along the coordinates, "
           "`f_c = w_c · T + o_c · F` of all that `c` carries.";
  }
  const coordinates::ConstraintSystem& system() const override { return motion_.system(); }
  const std::vector<int>& independent_rows() const override { return motion_.independent_rows(); }
  double augmentation() const override { return scales_.augmentation; }

  TracedParts write(const TracedState& state) const override {
    const TracedMotion traced(motion_, scales_, state.drivers);
    const TracedMotion::Position at = traced.position(state.q);
    const TracedMotion::RateRows rates = traced.rate_rows(state.q, state.v);
    return {.Phi = at.Phi,
            .Phi_dot = rates.velocity,
            .gamma = rates.gamma,
            .J = at.J,
            .M = masses(traced, at, state),
            .f = forces(traced, at, state, motion_.model()),
            .constraint_error = max_abs(traced.all_rows(state.q))};
  }
  coordinates::MechanismMotionOf<core::Traced> bodies(const TracedState& state,
                                                      const TracedVector& a) const override {
    const TracedMotion traced(motion_, scales_, state.drivers);
    return traced.bodies(traced.position(state.q), state.v, a);
  }

 private:
  static dynamics::TracedMatrix masses(const TracedMotion& traced, const TracedMotion::Position& at,
                                       const TracedState& state) {
    const core::Trace::Scope scope("Masses");
    return traced.mass_matrix(at, state.efforts);
  }
  static TracedVector forces(const TracedMotion& traced, const TracedMotion::Position& at,
                             const TracedState& state, const dynamics::DynamicModel& model) {
    const auto bodies = traced.bodies(at, state.v, TracedVector(state.q.size(), core::Traced(0.0)));
    dynamics::name_rates(model.mechanism(), bodies);
    const core::Trace::Scope scope("Forces");
    name_elements(model, bodies, traced.states(state.efforts));
    return traced.generalised_forces(at, state.v, state.efforts);
  }

  const dynamics::ReducedMotion& motion_;
  dynamics::TracedScales scales_;
};

}  // namespace

std::unique_ptr<TracedEquations> make_tree_equations(const dynamics::ReducedMotion& motion, double length) {
  return std::make_unique<TreeEquations>(motion, length);
}

core::Traced max_abs(const TracedVector& list) {
  core::Traced out = 0.0, sum = 0.0;  // comparisons pass over what is no number, the sum does not
  for (const core::Traced& x : list) {
    out = core::select_less(out, abs(x), abs(x), out);
    sum = sum + abs(x);
  }
  return core::select_less(-1.0, sum, out, sum);
}

}  // namespace eslabon::codegen
