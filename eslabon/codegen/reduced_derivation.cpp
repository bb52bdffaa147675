#include "eslabon/codegen/reduced_derivation.hpp"

#include <utility>

#include "eslabon/core/scalar/trace_names.hpp"
#include "eslabon/dynamics/reduced/traced_names.hpp"

namespace eslabon::codegen {

namespace {

using core::Trace;
using core::Traced;
using std::size_t;

/// Opens a part, and closes it at once.
void plan(std::string_view title, std::string_view says) { const Trace::Scope scope(title, says); }

/// (3 × f) what unit rates of the degrees of freedom give a body.
dynamics::TracedMatrix coefficients(const TracedBodies& at, size_t body,
                                    core::Vector3<Traced> coordinates::BodyMotionOf<Traced>::*rate) {
  dynamics::TracedMatrix K(3, static_cast<Eigen::Index>(at.units.size()));
  for (size_t k = 0; k < at.units.size(); ++k) K.col(static_cast<Eigen::Index>(k)) = at.units[k][body].*rate;
  return K;
}

}  // namespace

void name_reduced_parts(const std::vector<BodySection>& sections) {
  plan("Drivers", "What is prescribed: `s`, its rate and its acceleration.");
  std::string symbols =
      " `A` turns components along axes of a body into those along axes of the world, `r` is the position of "
      "its origin; `Ω` and `V` are "
      "its angular velocity and the velocity of its origin for unit rates `˙z`, `ω` and `v` those that it "
      "has; a `⁰` marks accelerations "
      "when `¨z = 0`.";
  for (const BodySection& section : sections) plan(section.title, section.says + std::exchange(symbols, ""));
  plan("Masses",
       "Of the degrees of freedom, summed over all bodies: `M = Σ Ωᵀ I_C Ω + m V_Cᵀ V_C`, with "
       "`V_C` that of the centre of mass.");
  plan("Forces",
       "What acts on each body, at its origin, with its weight and with what its mass asks for when `z` does "
       "not accelerate; then "
       "along the degrees of freedom, `f = Σ Vᵀ F + Ωᵀ T`.");
  plan("Solution",
       "`M` is positive definite: it is eliminated in a fixed order, `L D Lᵀ`, without a choice of pivots.");
  plan("Accelerations of bodies",
       "`α` is the angular acceleration of a body, `a` the acceleration of its origin: `K ¨z` and what is "
       "there without it.");
  plan("Outputs", "What the function `outputs` gives.");
  plan("Sensors", "What sensors would read without errors: the function `readings`.");
}

void name_bodies(const model::Mechanism& mechanism, const std::vector<BodySection>& sections,
                 const TracedBodies& at) {
  Trace* const trace = Trace::naming();
  if (!trace) return;
  using Motion = coordinates::BodyMotionOf<Traced>;
  for (const BodySection& section : sections) {
    const Trace::Scope part(section.title);
    for (const model::BodyIndex index : section.bodies) {
      const std::string& body = mechanism.body(index).name;
      const Trace::Scope scope(body);
      const Motion& motion = at.bodies[index.slot()];
      name_matrix(*trace, "A_" + body, motion.X_WB.R_AB.matrix());
      name(*trace, "r_" + body, motion.X_WB.p_AB_A);
      name_matrix(*trace, "Ω_" + body, coefficients(at, index.slot(), &Motion::w_WB_W));
      name_matrix(*trace, "V_" + body, coefficients(at, index.slot(), &Motion::v_WB_W));
      name(*trace, "ω_" + body, motion.w_WB_W);
      name(*trace, "v_" + body, motion.v_WB_W);
      name(*trace, "α⁰_" + body, motion.alpha_WB_W);
      name(*trace, "a⁰_" + body, motion.a_WB_W);
    }
  }
}

void name_reduced_solution(const ReducedEquations& equations) {
  Trace* const trace = Trace::naming();
  if (!trace) return;
  {
    const Trace::Scope masses("Masses");
    name_matrix(*trace, "M", equations.mass());
  }
  {
    const Trace::Scope forces("Forces");
    name(*trace, "f", equations.force());
  }
  const Trace::Scope solution("Solution");
  trace->name({.symbol = "M ¨z", .law = "f"});
  name(*trace, "¨z", equations.z_ddot(), "M⁻¹ f");
}

}  // namespace eslabon::codegen
