#include "eslabon/codegen/traced_equations.hpp"

namespace eslabon::codegen {

namespace {

using dynamics::TracedMotion;
using dynamics::TracedVector;

class TreeEquations final : public TracedEquations {
 public:
  explicit TreeEquations(const dynamics::ReducedMotion& motion)
      : motion_(motion), scales_(dynamics::find_scales(motion)) {}

  std::string description() const override {
    return "relative coordinates, masses along the spanning tree, loops closed by Lagrange multipliers";
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
            .M = traced.mass_matrix(at, state.efforts),
            .f = traced.generalised_forces(at, state.v, state.efforts),
            .constraint_error = max_abs(traced.all_rows(state.q))};
  }
  coordinates::MechanismMotionOf<core::Traced> bodies(const TracedState& state,
                                                      const TracedVector& a) const override {
    const TracedMotion traced(motion_, scales_, state.drivers);
    return traced.bodies(traced.position(state.q), state.v, a);
  }

 private:
  const dynamics::ReducedMotion& motion_;
  dynamics::TracedScales scales_;
};

}  // namespace

std::unique_ptr<TracedEquations> make_tree_equations(const dynamics::ReducedMotion& motion) {
  return std::make_unique<TreeEquations>(motion);
}

core::Traced max_abs(const TracedVector& list) {
  core::Traced out = 0.0;
  for (const core::Traced& x : list) out = core::select_less(out, abs(x), abs(x), out);
  return out;
}

}  // namespace eslabon::codegen
