#include "eslabon/core/index.hpp"
#include "eslabon/dynamics/mass/body_inertia.hpp"
#include "eslabon/dynamics/reduced/reduced_motion.hpp"

// Derivatives along one direction of x = (z, ż, θ). With δ for them, and S_d the columns of Phi_q that are not z:
//   δq = R δz,    S_d δv_d = −(δPhi_q) v,    S_d δR_d = −(δPhi_q) R                                          (1)
//   S_d δa_d = δγ − (δPhi_q) a,    γ = −(dPhi_q/dt) v                     while z̈ stays                      (2)
//   (Rᵀ M R) δz̈ = δ Σ K_bᵀ (W_b − M_b a_b − …)                                                               (3)
// What stands on the right comes from evaluations with dual numbers, by δx in (1), by δx and by time in (2). Along ż_k nothing moves, and
// what is needed stands there from z_k, because derivatives of Phi_q along v and along R e_k are the same matrix of second derivatives:
//   δγ = −2 (dPhi_q/dt) R e_k,   δ(db/dt v) = (db/dt) R e_k + (∂b/∂z_k) v       b: motions of the coordinates        (4)
namespace eslabon::dynamics {

using core::index;
using core::Vector3;
using Eigen::Index;
using Eigen::VectorXd;

ReducedTangent ReducedMotion::make_tangent() const {
  const Index n = scales_.size(), d = num_directions();
  ReducedTangent tangent;
  tangent.q_x = tangent.v_x = Eigen::MatrixXd::Zero(n, d);
  tangent.z_ddot_x = Eigen::MatrixXd::Zero(num_freedoms(), d);
  tangent.theta_dot_x = Eigen::MatrixXd::Zero(num_unknowns(), d);
  tangent.bodies.assign(index(d), coordinates::MechanismMotionOf<Dual>(wrenches_.size()));
  tangent.states.assign(index(d), std::vector<Dual>(state_rates_.size()));
  return tangent;
}

bool ReducedMotion::differentiate(const ReducedPoint& point, ReducedTangent& out) {
  if (code_ && model_.evaluate_drivers(point.t, values_) && code_->differentiate(values_, point, out))
    return true;
  if (!prepare(point)) return false;
  M_ = point.mass;
  if (!mass_factors_.factor(M_)) return false;
  const Index f = num_freedoms();
  for (Index k = 0; k < f; ++k) {  // a freedom, then its rate: see (4)
    if (!differentiate_along(point, k, out) || !differentiate_along(point, f + k, out)) return false;
  }
  for (Index d = 2 * f; d < num_directions(); ++d)
    if (!differentiate_along(point, d, out)) return false;
  return out.z_ddot_x.allFinite() && out.theta_dot_x.allFinite() && out.v_x.allFinite();
}

void ReducedMotion::lift_constants(const ReducedPoint& point, coordinates::MechanismMotionOf<Dual>& out) {
  out.resize(point.bodies.size());
  for (std::size_t b = 1; b < out.size(); ++b) {
    const coordinates::BodyMotion& body = point.bodies[b];
    out[b].X_WB = {core::Rotation<Dual>::from_known_matrix(body.X_WB.R_AB.matrix().cast<Dual>()),
                   body.X_WB.p_AB_A.cast<Dual>()};
    out[b].w_WB_W = body.w_WB_W.cast<Dual>();
    out[b].v_WB_W = body.v_WB_W.cast<Dual>();
    out[b].alpha_WB_W = body.alpha_WB_W.cast<Dual>();
    out[b].a_WB_W = body.a_WB_W.cast<Dual>();
  }
}

void ReducedMotion::add_acceleration(Index k, double z_ddot,
                                     coordinates::MechanismMotionOf<Dual>& bodies) const {
  for (std::size_t b = 1; b < bodies.size(); ++b)
    for (int r = 0; r < 3; ++r) {
      bodies[b].alpha_WB_W(r).derivative += z_ddot * moving_[index(k)][b].w_WB_W(r);
      bodies[b].a_WB_W(r).derivative += z_ddot * moving_[index(k)][b].v_WB_W(r);
    }
}

void ReducedMotion::lift_acceleration(const ReducedPoint& point, Index k,
                                      coordinates::MechanismMotionOf<Dual>& out) {
  evaluate_twists(point);
  lift_constants(point, out);
  add_acceleration(k, 1.0, out);
}

void ReducedMotion::lift_rates(const ReducedPoint& point, Index direction, ReducedTangent& out) {
  const Index f = num_freedoms();
  auto dq = out.q_x.col(direction), dv = out.v_x.col(direction);
  dq.setZero();
  dv.setZero();
  R_x_.setZero();
  if (direction >= f) {
    if (direction < 2 * f) dv = point.R.col(direction - f);
    return;
  }
  dq = point.R.col(direction);
  for (std::size_t c = 0; c < zero_.size(); ++c) dual_q_[c] = {point.q[c], dq[static_cast<Index>(c)]};
  system_.evaluate_jacobian<Dual>(dual_q_, duals_, dual_Phi_q_);
  const auto solve_for = [&](const double* rates, auto&& target) {  // (1)
    rhs_.setZero();
    for (std::size_t e = 0; e < places_.size(); ++e)
      if (places_[e].row >= 0)
        rhs_[places_[e].row] -= dual_Phi_q_[e].derivative * rates[places_[e].coordinate];
    solve_dependent();
    for (std::size_t d = 0; d < dependent_.size(); ++d)
      target[dependent_[d]] = solved_[static_cast<Index>(d)];
  };
  if (rows_.empty()) return;
  solve_for(point.v.data(), dv);
  for (Index k = 0; k < f; ++k) solve_for(point.R.col(k).data(), R_x_.col(k));
}

void ReducedMotion::lift_accelerations(const ReducedPoint& point, Index direction,
                                       const ReducedTangent& tangent) {
  const auto dq = tangent.q_x.col(direction), dv = tangent.v_x.col(direction);
  for (std::size_t c = 0; c < zero_.size(); ++c) {
    const auto i = static_cast<Index>(c);
    dual_v_[c] = {point.v[c], dv[i]};
    dual_a_[c] = {point.a[c], 0.0};
    jet_q_[c] = {Dual(point.q[c], dq[i]), dual_v_[c]};
  }
  system_.evaluate_jacobian<Jet>(jet_q_, jets_, jet_Phi_q_);
  if (rows_.empty()) return;
  rhs_.setZero();
  for (std::size_t e = 0; e < places_.size(); ++e) {
    if (places_[e].row < 0) continue;
    const auto c = index(places_[e].coordinate);
    rhs_[places_[e].row] -= (jet_Phi_q_[e].derivative * dual_v_[c]).derivative +
                            jet_Phi_q_[e].value.derivative * point.a[c];  // (2)
  }
  solve_dependent();
  for (std::size_t d = 0; d < dependent_.size(); ++d)
    dual_a_[index(dependent_[d])].derivative = solved_[static_cast<Index>(d)];
}

void ReducedMotion::lift_bodies(coordinates::MechanismMotionOf<Dual>& bodies) const {
  const coordinates::TreeValues<Jet>& tree = jets_.tree;
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const model::BodyIndex body(static_cast<int>(b));
    const int l = tree_.link_of(body);
    const core::Pose<double>& X_LB = tree_.X_LB(body);
    coordinates::BodyMotionOf<Dual>& out = bodies[b];
    core::Matrix3<Dual> R_WL;
    Vector3<Dual> p;
    for (int r = 0; r < 3; ++r) {
      p(r) = tree.p_WL[index(l)](r).value;
      for (int c = 0; c < 3; ++c) R_WL(r, c) = tree.R_WL[index(l)](r, c).value;
    }
    p += R_WL * X_LB.p_AB_A;
    out.X_WB = {core::Rotation<Dual>::from_known_matrix(R_WL * X_LB.R_AB.matrix()), p};
    // Motion of everything above the joints, about the world's origin, as in KinematicTree.
    Vector3<Dual> w = Vector3<Dual>::Zero(), v_O = w, alpha = w, a_O = w;
    for (const int column : tree_.link(l).path) {
      const auto c = index(column);
      for (int r = 0; r < 3; ++r) {
        const Jet &b_w = tree.axis_w[c](r), &b_v = tree.axis_v[c](r);
        w(r) += b_w.value * dual_v_[c];
        v_O(r) += b_v.value * dual_v_[c];
        alpha(r) += b_w.value * dual_a_[c] + b_w.derivative * dual_v_[c];
        a_O(r) += b_v.value * dual_a_[c] + b_v.derivative * dual_v_[c];
      }
    }
    out.w_WB_W = w;
    out.v_WB_W = v_O + w.cross(p);
    out.alpha_WB_W = alpha;
    out.a_WB_W = a_O + alpha.cross(p) + w.cross(out.v_WB_W);
  }
}

void ReducedMotion::lift_twists(const ReducedPoint& point,
                                const coordinates::MechanismMotionOf<Dual>& bodies) {
  const auto f = index(num_freedoms());
  for (std::size_t b = 1; b < bodies.size(); ++b)
    for (std::size_t k = 0; k < f; ++k) {
      Vector3<Dual> w = Vector3<Dual>::Zero(), v_O = w;
      for (const int column : tree_.link(tree_.link_of(model::BodyIndex(static_cast<int>(b)))).path) {
        const Dual rate(point.R(column, static_cast<Index>(k)), R_x_(column, static_cast<Index>(k)));
        for (int r = 0; r < 3; ++r) {
          w(r) += jets_.tree.axis_w[index(column)](r).value * rate;
          v_O(r) += jets_.tree.axis_v[index(column)](r).value * rate;
        }
      }
      dual_twists_[b * f + k] = {w, v_O + w.cross(bodies[b].X_WB.p_AB_A)};
    }
}

void ReducedMotion::lift_rate(const ReducedPoint& point, Index k,
                              coordinates::MechanismMotionOf<Dual>& bodies) {
  const auto dv = point.R.col(k);
  for (Dual& a : dual_a_) a.derivative = 0.0;
  if (!rows_.empty()) {
    rhs_.setZero();
    for (std::size_t e = 0; e < places_.size(); ++e)
      if (places_[e].row >= 0)
        rhs_[places_[e].row] -= 2.0 * jet_Phi_q_[e].derivative.value * dv[places_[e].coordinate];  // (4)
    solve_dependent();
    for (std::size_t d = 0; d < dependent_.size(); ++d)
      dual_a_[index(dependent_[d])].derivative = solved_[static_cast<Index>(d)];
  }
  lift_constants(point, bodies);
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const coordinates::BodyMotion &body = point.bodies[b], &K = moving_[index(k)][b];
    Eigen::Vector3d alpha = Eigen::Vector3d::Zero(), a_O = alpha;
    for (const int column : tree_.link(tree_.link_of(model::BodyIndex(static_cast<int>(b)))).path) {
      const auto c = index(column);
      for (int r = 0; r < 3; ++r) {
        const Jet &b_w = jets_.tree.axis_w[c](r), &b_v = jets_.tree.axis_v[c](r);
        alpha(r) += b_w.value.value * dual_a_[c].derivative + b_w.derivative.value * dv[column] +
                    duals_.tree.axis_w[c](r).derivative * point.v[c];  // (4)
        a_O(r) += b_v.value.value * dual_a_[c].derivative + b_v.derivative.value * dv[column] +
                  duals_.tree.axis_v[c](r).derivative * point.v[c];
      }
    }
    const Eigen::Vector3d& p = body.X_WB.p_AB_A;
    const Eigen::Vector3d a =
        a_O + alpha.cross(p) + K.w_WB_W.cross(body.v_WB_W) + body.w_WB_W.cross(K.v_WB_W);
    for (int r = 0; r < 3; ++r) {
      bodies[b].w_WB_W(r).derivative = K.w_WB_W(r);
      bodies[b].v_WB_W(r).derivative = K.v_WB_W(r);
      bodies[b].alpha_WB_W(r).derivative = alpha(r);
      bodies[b].a_WB_W(r).derivative = a(r);
    }
  }
}

void ReducedMotion::lift_unknowns(const ReducedPoint& point, Index direction) {
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    const auto slot = static_cast<Index>(i);
    dual_theta_[i] = {point.theta[slot], slot == direction - 2 * num_freedoms() ? 1.0 : 0.0};
  }
  set_factors<Dual>(dual_theta_, dual_factors_, dual_body_factors_);
}

bool ReducedMotion::differentiate_along(const ReducedPoint& point, Index direction, ReducedTangent& out) {
  const auto f = index(num_freedoms());
  const bool is_position = direction < num_freedoms();
  coordinates::MechanismMotionOf<Dual>& bodies = out.bodies[index(direction)];
  lift_rates(point, direction, out);
  if (is_position) {
    lift_accelerations(point, direction, out);
    lift_bodies(bodies);
    lift_twists(point, bodies);
  } else if (direction < 2 * num_freedoms()) {
    lift_rate(point, direction - num_freedoms(), bodies);
  } else {
    lift_constants(point, bodies);
  }
  lift_unknowns(point, direction);
  std::vector<Dual>& states = out.states[index(direction)];
  for (std::size_t k = 0; k < states.size(); ++k) states[k] = point.memory.states[k];
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    if (unknowns_[i].kind == Unknown::Kind::kState) states[index(unknowns_[i].index)] = dual_theta_[i];
  const ForceMemoryView<Dual> memory(point.memory, states);
  if (!model_.forces().evaluate_without_weights<Dual>(point.t, bodies, memory, dual_wrenches_,
                                                      dual_state_rates_, &dual_factors_))
    return false;
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    if (unknowns_[i].kind == Unknown::Kind::kState)
      out.theta_dot_x(static_cast<Index>(i), direction) =
          dual_state_rates_[index(unknowns_[i].index)].derivative;
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    if (unknowns_[i].kind == Unknown::Kind::kForce)
      model_.forces().add_effort(*unknowns_[i].along, dual_theta_[i], bodies, dual_wrenches_);
  add_inertia<Dual>(model_.mechanism(), bodies, dual_body_factors_, dual_wrenches_);
  force_.setZero();
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    if (unknowns_[i].kind == Unknown::Kind::kFreedomForce)
      force_[unknowns_[i].index] += dual_theta_[i].derivative;
  for (std::size_t k = 0; k < f; ++k)
    for (std::size_t b = 1; b < bodies.size(); ++b) {
      const Vector3<Dual>&force = dual_wrenches_[b].force, &torque = dual_wrenches_[b].torque;
      double& sum = force_[static_cast<Index>(k)];  // (3)
      if (is_position) {
        const DualTwist& K = dual_twists_[b * f + k];
        sum += Dual(force.dot(K.v) + torque.dot(K.w)).derivative;
      } else {
        sum += Dual(force.dot(moving_[k][b].v_WB_W) + torque.dot(moving_[k][b].w_WB_W)).derivative;
      }
    }
  mass_factors_.solve(force_);
  out.z_ddot_x.col(direction) = force_;
  for (std::size_t k = 0; k < f; ++k)
    add_acceleration(static_cast<Index>(k), force_[static_cast<Index>(k)], bodies);
  return true;
}

}  // namespace eslabon::dynamics
