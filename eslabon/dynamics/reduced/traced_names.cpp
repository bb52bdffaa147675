#include "eslabon/dynamics/reduced/traced_names.hpp"

#include "eslabon/core/index.hpp"
#include "eslabon/core/scalar/trace_names.hpp"

namespace eslabon::dynamics {

namespace {

using core::index;
using core::Trace;
using core::Traced;

/// Visits all bodies but the ground, each in its part.
template <class Visit>
void for_bodies(const model::Mechanism& mechanism, Visit visit) {
  for (std::size_t b = 1; b < mechanism.bodies().size(); ++b) {
    const std::string& name = mechanism.bodies()[b].name;
    const Trace::Scope scope(name);
    visit(b, name);
  }
}

}  // namespace

std::string link_name(const model::Mechanism& mechanism, const coordinates::KinematicTree& tree, int link) {
  int b = 0;
  while (tree.link_of(model::BodyIndex(b)) != link) ++b;
  const core::Pose<double>& X_LB = tree.X_LB(model::BodyIndex(b));
  const bool is_same = X_LB.R_AB.matrix().isIdentity(0.0) && X_LB.p_AB_A.isZero(0.0);
  return mechanism.bodies()[index(b)].name + (is_same ? "" : ",link");
}

void name_links(const model::Mechanism& mechanism, const coordinates::KinematicTree& tree,
                const coordinates::TreeValues<Traced>& at) {
  Trace* const trace = Trace::naming();
  if (!trace) return;
  const Trace::Scope bodies("Bodies");
  for (const int l : tree.order()) {
    if (l == 0) continue;
    const coordinates::TreeLink& link = tree.link(l);
    const std::string body = link_name(mechanism, tree, l);
    const Trace::Scope scope(body);
    name_matrix(*trace, "A_" + body, at.R_WL[index(l)]);
    name(*trace, "r_" + body, at.p_WL[index(l)]);
    std::string joint = mechanism.joints()[link.joint.slot()].name;
    for (const coordinates::JointStep& step : link.steps)
      for (int c = step.column; c < step.column + (step.kind == coordinates::JointStep::Kind::kBall ? 4 : 1);
           ++c, joint += "'") {
        name(*trace, "w_" + joint, at.axis_w[index(c)]);
        name(*trace, "o_" + joint, at.axis_v[index(c)]);
      }
  }
}

void name_link_rates(const model::Mechanism& mechanism, const coordinates::KinematicTree& tree,
                     const coordinates::TreeValues<core::Dual<core::Dual<Traced>>>& at) {
  Trace* const trace = Trace::naming();
  if (!trace) return;
  const Trace::Scope bodies("Bodies");
  for (const int l : tree.order()) {
    if (l == 0) continue;
    const std::string body = link_name(mechanism, tree, l);
    const Trace::Scope scope(body);
    const auto rate = [](const auto& x) { return x.value.derivative; };
    const auto second = [](const auto& x) { return x.derivative.derivative; };
    name_matrix(*trace, "˙A_" + body, core::Matrix3<Traced>(at.R_WL[index(l)].unaryExpr(rate)));
    name(*trace, "˙r_" + body, core::Vector3<Traced>(at.p_WL[index(l)].unaryExpr(rate)));
    name_matrix(*trace, "¨A⁰_" + body, core::Matrix3<Traced>(at.R_WL[index(l)].unaryExpr(second)));
    name(*trace, "¨r⁰_" + body, core::Vector3<Traced>(at.p_WL[index(l)].unaryExpr(second)));
  }
}

void name_rates(const model::Mechanism& mechanism, const coordinates::MechanismMotionOf<Traced>& bodies) {
  Trace* const trace = Trace::naming();
  if (!trace) return;
  const Trace::Scope part("Bodies");
  for_bodies(mechanism, [&](std::size_t b, const std::string& body) {
    name_matrix(*trace, "A_" + body, bodies[b].X_WB.R_AB.matrix());
    name(*trace, "r_" + body, bodies[b].X_WB.p_AB_A);
    const core::Vector3<Traced> p_BC = mechanism.bodies()[b].mass_properties.p_BC_B.cast<Traced>();
    name(*trace, "r_C," + body,
         core::Vector3<Traced>(bodies[b].X_WB.p_AB_A + bodies[b].X_WB.R_AB.matrix() * p_BC));
    name(*trace, "ω_" + body, bodies[b].w_WB_W);
    name(*trace, "v_" + body, bodies[b].v_WB_W);
    name(*trace, "α⁰_" + body, bodies[b].alpha_WB_W);
    name(*trace, "a⁰_" + body, bodies[b].a_WB_W);
  });
}

void name_accelerations(const model::Mechanism& mechanism,
                        const coordinates::MechanismMotionOf<Traced>& bodies) {
  Trace* const trace = Trace::naming();
  if (!trace) return;
  for_bodies(mechanism, [&](std::size_t b, const std::string& body) {
    name(*trace, "α_" + body, bodies[b].alpha_WB_W);
    name(*trace, "a_" + body, bodies[b].a_WB_W);
  });
}

void name_wrenches(const model::Mechanism& mechanism, const std::vector<WrenchOf<Traced>>& wrenches,
                   const std::string& law_of_force, const std::string& law_of_torque) {
  Trace* const trace = Trace::naming();
  if (!trace) return;
  for_bodies(mechanism, [&](std::size_t b, const std::string& body) {
    name(*trace, "F_" + body, wrenches[b].force, law_of_force);
    name(*trace, "T_" + body, wrenches[b].torque, law_of_torque);
  });
}

}  // namespace eslabon::dynamics
