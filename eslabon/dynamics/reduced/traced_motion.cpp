#include "eslabon/dynamics/reduced/traced_motion.hpp"

#include <utility>

#include <Eigen/Geometry>

#include "eslabon/core/index.hpp"
#include "eslabon/core/linalg/eigenvalues.hpp"
#include "eslabon/core/scalar/trace_names.hpp"
#include "eslabon/dynamics/formulations/state_of_bodies.hpp"
#include "eslabon/dynamics/mass/body_inertia.hpp"
#include "eslabon/dynamics/reduced/traced_names.hpp"

namespace eslabon::dynamics {

using core::index;
using core::Matrix3;
using core::Traced;
using core::Vector3;
using Eigen::Index;
using std::size_t;
using Jet = core::Dual<core::Dual<Traced>>;  // in time, twice

namespace {

constexpr double kHeldPivot = 0.1;  // of what the pivot is at the start of the model
constexpr double kRegular = 1e-9;   // smallest eigenvalue of M by its largest, with which it needs no Jᵀ J

/// Mass, first and second moments about the world's origin.
struct TracedInertia {
  Traced mass = 0.0;
  Vector3<Traced> first = Vector3<Traced>::Zero();
  Matrix3<Traced> second = Matrix3<Traced>::Zero();

  void operator+=(const TracedInertia& other) {
    mass += other.mass;
    first += other.first;
    second += other.second;
  }
};

}  // namespace

TracedMotion::TracedMotion(const ReducedMotion& motion, const TracedScales& scales, Drivers drivers)
    : motion_(motion),
      system_(motion.system()),
      tree_(motion.tree()),
      scales_(scales),
      drivers_(std::move(drivers)) {
  for (const coordinates::Coordinate& coordinate : system_.coordinates()) {
    const double size = coordinate.dimension == core::kLength ? motion.length() : 1.0;
    sizes_.emplace_back(size * size);
  }
}

TracedMotion::Drivers TracedMotion::shared_drivers(const ReducedMotion& motion) {
  core::Trace& trace = core::Trace::listening();
  Drivers drivers;
  for (size_t k = 0; k < motion.model().prescribed().size(); ++k) {
    drivers.position.push_back(trace.uniform());
    drivers.velocity.push_back(trace.uniform());
    drivers.acceleration.push_back(trace.uniform());
  }
  return drivers;
}

TracedScales find_scales(const ReducedMotion& motion) {
  core::Trace trace;
  const core::Trace::Listening listening(trace);
  TracedScales scales{.length = motion.length(), .freedom_pivots = {}, .mass_pivots = {}};
  const TracedMotion traced(motion, scales);
  const State start = state_of_bodies(motion.model(), motion.system(), motion.model().start(), 0.0);
  TracedVector q(start.q.begin(), start.q.end()), theta;
  for (const Unknown& unknown : motion.unknowns()) theta.emplace_back(unknown.neutral());
  const TracedMotion::Position at =
      traced.position(q);  // of constants: numbers, but for what drivers prescribe
  const TracedMatrix M = traced.mass_matrix(at, theta);
  Eigen::MatrixXd scaled(M.rows(), M.cols());
  double of_rows = 0.0;
  for (Index r = 0; r < M.rows(); ++r)
    for (Index c = 0; c < M.cols(); ++c)
      scaled(r, c) =
          M(r, c).constant() * std::sqrt((traced.sizes_[index(r)] * traced.sizes_[index(c)]).constant());
  for (Index r = 0; r < at.J.rows(); ++r)
    for (Index c = 0; c < at.J.cols(); ++c)
      of_rows += at.J(r, c).constant() * at.J(r, c).constant() * traced.sizes_[index(c)].constant();
  const Eigen::VectorXd values = core::symmetric_eigenvalues(scaled);
  if (!(values.minCoeff() > kRegular * values.maxCoeff())) scales.augmentation = scaled.trace() / of_rows;
  const TracedMatrix by_sizes = traced.size_directions(at),
                     by_masses = traced.mass_directions(at, traced.masses(at, theta));
  for (Index k = 0; k < motion.num_freedoms(); ++k) {
    const Index z = motion.chosen()[index(k)];
    scales.freedom_pivots.push_back(kHeldPivot * by_sizes(z, k).constant());
    scales.mass_pivots.push_back(kHeldPivot * by_masses(z, k).constant());
  }
  return scales;
}

TracedVector TracedMotion::freedoms(const TracedVector& q) const {
  TracedVector z;
  for (const int column : motion_.chosen()) z.push_back(q[index(column)]);
  return z;
}

TracedMotion::Position TracedMotion::position(const TracedVector& q) const {
  Position at{.q = q, .tree = {}, .Phi = {}, .J = {}};
  coordinates::FeatureValues<Traced> features;
  TracedVector Phi(index(system_.num_rows())), entries(index(system_.pattern().num_entries()));
  system_.evaluate_residual<Traced>(q, drivers_.position, features, Phi);
  system_.evaluate_jacobian<Traced>(q, features, entries);
  tree_.evaluate<Traced>(q, at.tree);
  name_links(motion_.model().mechanism(), tree_, at.tree);
  for (const int row : motion_.independent_rows()) at.Phi.push_back(Phi[index(row)]);
  at.J = dense_rows(system_.pattern(), motion_.independent_rows(), entries);
  return at;
}

TracedVector TracedMotion::all_rows(const TracedVector& q) const {
  coordinates::FeatureValues<Traced> features;
  TracedVector Phi(index(system_.num_rows()));
  system_.evaluate_residual<Traced>(q, drivers_.position, features, Phi);
  for (int r = 0; r < system_.num_rows(); ++r)
    if (!system_.row_is_length(r)) Phi[index(r)] *= scales_.length;
  return Phi;
}

TracedMotion::RateRows TracedMotion::rate_rows(const TracedVector& q, const TracedVector& v) const {
  std::vector<Jet> jets(q.size()), values(drivers_.position.size()), Phi(index(system_.num_rows()));
  for (size_t c = 0; c < q.size(); ++c) jets[c] = {{q[c], v[c]}, {v[c], Traced(0.0)}};
  for (size_t k = 0; k < values.size(); ++k)
    values[k] = {{drivers_.position[k], drivers_.velocity[k]},
                 {drivers_.velocity[k], drivers_.acceleration[k]}};
  coordinates::FeatureValues<Jet> features;
  system_.evaluate_residual<Jet>(jets, values, features, Phi);
  if (!features.tree.R_WL.empty()) name_link_rates(motion_.model().mechanism(), tree_, features.tree);
  RateRows rows;
  for (const int r : motion_.independent_rows()) {
    rows.velocity.push_back(Phi[index(r)].value.derivative);
    rows.gamma.push_back(-Phi[index(r)].derivative.derivative);
  }
  return rows;
}

TracedFactors TracedMotion::size_factors(const Position& at) const {
  const Index m = at.J.rows(), n = at.J.cols();
  TracedMatrix S = TracedMatrix::Constant(m, m, Traced(0.0));
  for (Index c = 0; c < n; ++c) {
    std::vector<Index> rows;
    for (Index r = 0; r < m; ++r)
      if (!(at.J(r, c) == Traced(0.0))) rows.push_back(r);
    for (const Index i : rows)
      for (const Index j : rows) S(i, j) += at.J(i, c) * (sizes_[index(c)] * at.J(j, c));
  }
  return TracedFactors(S);
}

TracedVector TracedMotion::along_sizes(const Position& at, const TracedFactors& S,
                                       const TracedVector& x) const {
  TracedVector y = transposed_product(at.J, S.solve(x));
  for (size_t c = 0; c < y.size(); ++c) y[c] = sizes_[c] * y[c];
  return y;
}

TracedMatrix TracedMotion::size_directions(const Position& at) const {
  const TracedFactors S = size_factors(at);
  TracedMatrix N(at.J.cols(), motion_.num_freedoms());
  for (Index k = 0; k < N.cols(); ++k) {
    const Index z = motion_.chosen()[index(k)];
    TracedVector column(index(at.J.rows()));
    for (Index r = 0; r < at.J.rows(); ++r) column[index(r)] = at.J(r, z) * sizes_[index(z)];
    const TracedVector taken = along_sizes(at, S, column);
    for (Index c = 0; c < N.rows(); ++c)
      N(c, k) = (c == z ? sizes_[index(z)] : Traced(0.0)) - taken[index(c)];
  }
  return N;
}

TracedMatrix TracedMotion::mass_directions(const Position& at, const Masses& masses) const {
  // What unit efforts in z would set in motion.
  TracedMatrix N(at.J.cols(), motion_.num_freedoms());
  for (Index k = 0; k < N.cols(); ++k) {
    TracedVector unit(index(N.rows()), Traced(0.0));
    unit[index(motion_.chosen()[index(k)])] = 1.0;
    const TracedVector free = masses.M.solve(unit);
    const TracedVector taken = product(masses.Y, masses.S.solve(product(at.J, free)));
    for (Index c = 0; c < N.rows(); ++c) N(c, k) = free[index(c)] - taken[index(c)];
  }
  return N;
}

/// Factors of Eᵀ N.
TracedFactors TracedMotion::freedom_factors(const TracedMatrix& N, const std::vector<double>& least) const {
  TracedMatrix A(N.cols(), N.cols());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index k = 0; k < A.cols(); ++k) A(i, k) = N(motion_.chosen()[index(i)], k);
  return TracedFactors(A, Elimination::kAsItStands, TracedVector(least.begin(), least.end()));
}

TracedMatrix TracedMotion::freedom_basis(const Position& at) const {
  const Index n = at.J.cols(), f = motion_.num_freedoms();
  const TracedMatrix N = size_directions(at);
  const TracedFactors factors = freedom_factors(N, scales_.freedom_pivots);
  TracedMatrix R(n, f);
  for (Index k = 0; k < f; ++k) {
    TracedVector unit(index(f), Traced(0.0));
    unit[index(k)] = 1.0;
    const TracedVector column = product(N, factors.solve(unit));
    for (Index c = 0; c < n; ++c) R(c, k) = column[index(c)];
  }
  return R;
}

TracedVector TracedMotion::closed(const Position& at, const TracedVector& z, const TracedMatrix& R) const {
  const TracedVector step = along_sizes(at, size_factors(at), at.Phi), now = freedoms(at.q),
                     step_z = freedoms(step);
  TracedVector missing(z.size());
  for (size_t k = 0; k < z.size(); ++k) missing[k] = z[k] - now[k] + step_z[k];
  TracedVector q = product(R, missing);
  for (size_t c = 0; c < q.size(); ++c) q[c] = at.q[c] - step[c] + q[c];
  return q;
}

TracedMotion::Masses TracedMotion::masses(const Position& at, const TracedVector& theta) const {
  return {mass_matrix(at, theta), at.J, scales_.augmentation};
}

TracedMotion::Correction TracedMotion::corrected_positions(const Position& at, const Masses& masses,
                                                           bool holds_freedoms) const {
  TracedVector step = product(masses.Y, masses.S.solve(at.Phi));
  if (holds_freedoms) {
    const TracedVector back = moved_by_freedoms(at, masses, freedoms(step));
    for (size_t c = 0; c < step.size(); ++c) step[c] -= back[c];
  }
  Correction out{.q = at.q, .size_squared = 0.0};
  for (size_t c = 0; c < step.size(); ++c) {
    out.q[c] -= step[c];
    out.size_squared += step[c] * step[c] / sizes_[c];
  }
  return out;
}

TracedVector TracedMotion::corrected_rates(const Position& at, const Masses& masses,
                                           const TracedVector& v) const {
  // Phi_t is what is left of the rows' rates when nothing moves.
  TracedVector residual = rate_rows(at.q, TracedVector(v.size(), Traced(0.0))).velocity;
  const TracedVector moved = product(at.J, v);
  for (size_t r = 0; r < residual.size(); ++r) residual[r] += moved[r];
  const TracedVector step = product(masses.Y, masses.S.solve(residual));
  TracedVector out = v;
  for (size_t c = 0; c < v.size(); ++c) out[c] -= step[c];
  return out;
}

TracedVector TracedMotion::moved_by_freedoms(const Position& at, const Masses& masses,
                                             const TracedVector& dz) const {
  const TracedMatrix N = mass_directions(at, masses);
  return product(N, freedom_factors(N, scales_.mass_pivots).solve(dz));
}

TracedVector TracedMotion::freedom_columns(const Position& at, const Masses& masses) const {
  TracedVector columns;
  for (Index k = 0; k < motion_.num_freedoms(); ++k) {
    TracedVector unit(index(motion_.num_freedoms()), Traced(0.0));
    unit[index(k)] = 1.0;
    const TracedVector column = moved_by_freedoms(at, masses, unit);
    columns.insert(columns.end(), column.begin(), column.end());
  }
  return columns;
}

TracedVector TracedMotion::rates_with_freedoms(const Position& at, const Masses& masses,
                                               const TracedVector& v, const TracedVector& z_dot) const {
  TracedVector out = corrected_rates(at, masses, v), missing = freedoms(out);
  for (size_t k = 0; k < missing.size(); ++k) missing[k] = z_dot[k] - missing[k];
  const TracedVector step = moved_by_freedoms(at, masses, missing);
  for (size_t c = 0; c < out.size(); ++c) out[c] += step[c];
  return out;
}

coordinates::MechanismMotionOf<Traced> TracedMotion::bodies(const Position& at, const TracedVector& v,
                                                            const TracedVector& a) const {
  std::vector<Vector3<Traced>> motions(4 * index(tree_.num_links()), Vector3<Traced>::Zero());
  tree_.evaluate_motions(at.q, v, a, at.tree, motions);
  coordinates::MechanismMotionOf<Traced> out(motion_.model().mechanism().bodies().size());
  for (size_t b = 1; b < out.size(); ++b) {
    const model::BodyIndex body(static_cast<int>(b));
    const size_t link = index(tree_.link_of(body));
    const core::Pose<double>& X_LB = tree_.X_LB(body);
    const Vector3<Traced> p = at.tree.p_WL[link] + at.tree.R_WL[link] * X_LB.p_AB_A.cast<Traced>();
    const Vector3<Traced>&w = motions[4 * link], &alpha = motions[4 * link + 2];
    const Vector3<Traced> p_dot = motions[4 * link + 1] + w.cross(p);
    out[b].X_WB = {
        core::Rotation<Traced>::from_known_matrix(at.tree.R_WL[link] * X_LB.R_AB.matrix().cast<Traced>()), p};
    out[b].w_WB_W = w;
    out[b].v_WB_W = p_dot;
    out[b].alpha_WB_W = alpha;
    out[b].a_WB_W = motions[4 * link + 3] + alpha.cross(p) + w.cross(p_dot);
  }
  return out;
}

TracedMotion::Factors TracedMotion::factors(const TracedVector& theta) const {
  const model::Mechanism& mechanism = motion_.model().mechanism();
  const auto ones = [](size_t count) { return TracedVector(count, Traced(1.0)); };
  Factors out{.elements = {ones(mechanism.springs().size()), ones(mechanism.dampers().size()),
                           ones(mechanism.joints().size())},
              .bodies = ones(mechanism.bodies().size())};
  motion_.set_factors<Traced>(theta, out.elements, out.bodies);
  return out;
}

/// Composite inertias of what each link carries, then  M_cd = b_dᵀ (I_c b_c)  for coordinates d on the way to c.
TracedMatrix TracedMotion::mass_matrix(const Position& at, const TracedVector& theta) const {
  const model::Mechanism& mechanism = motion_.model().mechanism();
  const TracedVector mass_factors = factors(theta).bodies;
  std::vector<TracedInertia> carried(index(tree_.num_links()));
  for (size_t b = 1; b < mechanism.bodies().size(); ++b) {
    const model::MassProperties& properties = mechanism.bodies()[b].mass_properties;
    if (properties.is_massless()) continue;
    const model::BodyIndex body(static_cast<int>(b));
    const size_t link = index(tree_.link_of(body));
    const core::Pose<double>& X_LB = tree_.X_LB(body);
    const Matrix3<Traced>& R = at.tree.R_WL[link];
    const Vector3<Traced> c =
        at.tree.p_WL[link] + R * Vector3<Traced>(X_LB.apply_to_point(properties.p_BC_B).cast<Traced>());
    const Eigen::Matrix3d I_L = X_LB.R_AB.matrix() * properties.I_BC_B * X_LB.R_AB.matrix().transpose();
    const Traced mass = mass_factors[b] * properties.mass;
    Matrix3<Traced> I = R * I_L.cast<Traced>();
    I = (I * R.transpose()).eval();
    const Matrix3<Traced> c_tilde = core::skew<Traced>(c);
    TracedInertia own;
    own.mass = mass;
    own.first = mass * c;
    own.second = mass_factors[b] * I - mass * (c_tilde * c_tilde);
    carried[link] += own;
  }
  const auto n = static_cast<Index>(at.q.size());
  TracedMatrix M = TracedMatrix::Constant(n, n, Traced(0.0));
  for (size_t i = tree_.order().size(); i-- > 0;) {
    const int l = tree_.order()[i];
    if (l == 0) continue;
    const coordinates::TreeLink& link = tree_.link(l);
    const TracedInertia& inertia = carried[index(l)];
    if (core::Trace* const trace = core::Trace::naming()) {
      const std::string body = link_name(mechanism, tree_, l);
      const core::Trace::Scope scope(body);
      name(*trace, "m_" + body, inertia.mass, "Σ m");
      name(*trace, "h_" + body, inertia.first, "Σ m r_C");
      name_matrix(*trace, "I_" + body, inertia.second, "Σ A I_C Aᵀ − m r̃_C r̃_C");
    }
    for (const coordinates::JointStep& step : link.steps)
      for (int c = step.column; c < step.column + (step.kind == coordinates::JointStep::Kind::kBall ? 4 : 1);
           ++c) {
        const Vector3<Traced>&w = at.tree.axis_w[index(c)], &v = at.tree.axis_v[index(c)];
        const Vector3<Traced> momentum = inertia.mass * v - inertia.first.cross(w);
        const Vector3<Traced> spin = inertia.second * w + inertia.first.cross(v);
        for (const int d : link.path) {
          M(d, c) = at.tree.axis_w[index(d)].dot(spin) + at.tree.axis_v[index(d)].dot(momentum);
          M(c, d) = M(d, c);
        }
      }
    carried[index(link.parent)] += inertia;
  }
  return M;
}

TracedVector TracedMotion::states(const TracedVector& theta) const {
  TracedVector list;
  for (size_t i = 0; i < theta.size(); ++i) {
    const Unknown& unknown = motion_.unknowns()[i];
    if (unknown.kind != Unknown::Kind::kState) continue;
    const std::vector<double>& start = motion_.model().start_memory().states;
    if (list.empty()) list.assign(start.begin(), start.end());
    list[index(unknown.index)] = theta[i];
  }
  return list;
}

TracedVector TracedMotion::state_rates(const Position& at, const TracedVector& v,
                                       const TracedVector& theta) const {
  TracedVector rates(theta.size(), Traced(0.0));
  const TracedVector now = states(theta);
  if (now.empty()) return rates;
  const auto motion = bodies(at, v, TracedVector(at.q.size(), Traced(0.0)));
  TracedVector of_states(now.size());
  const DynamicModel& model = motion_.model();
  static_cast<void>(
      model.forces().evaluate_states<Traced>(0.0, motion, {model.start_memory(), now}, of_states));
  for (size_t i = 0; i < theta.size(); ++i)
    if (motion_.unknowns()[i].kind == Unknown::Kind::kState)
      rates[i] = of_states[index(motion_.unknowns()[i].index)];
  return rates;
}

TracedVector TracedMotion::generalised_forces(const Position& at, const TracedVector& v,
                                              const TracedVector& theta) const {
  const DynamicModel& model = motion_.model();
  const model::Mechanism& mechanism = model.mechanism();
  const auto motion = bodies(at, v, TracedVector(at.q.size(), Traced(0.0)));
  const Factors known = factors(theta);
  std::vector<WrenchOf<Traced>> wrenches(motion.size());
  const TracedVector now = states(theta);
  if (!model.forces().evaluate_without_weights<Traced>(0.0, motion, {model.start_memory(), now}, wrenches, {},
                                                       &known.elements))
    throw core::ModelError(AppliedForces::why_no_derivatives(0.0));
  for (size_t i = 0; i < theta.size(); ++i)
    if (motion_.unknowns()[i].kind == Unknown::Kind::kForce)
      model.forces().add_effort<Traced>(*motion_.unknowns()[i].along, theta[i], motion, wrenches);
  add_inertia<Traced>(mechanism, motion, known.bodies, wrenches);
  name_wrenches(mechanism, wrenches, "F_applied + m (g − a_C⁰)",
                "T_applied + r_C × m (g − a_C⁰) − I α⁰ − ω × I ω");
  // Everything about the world's origin, where the motions of coordinates are.
  std::vector<WrenchOf<Traced>> carried(index(tree_.num_links()));
  for (size_t b = 1; b < motion.size(); ++b) {
    WrenchOf<Traced>& sum = carried[index(tree_.link_of(model::BodyIndex(static_cast<int>(b))))];
    sum.force += wrenches[b].force;
    sum.torque += wrenches[b].torque + motion[b].X_WB.p_AB_A.cross(wrenches[b].force);
  }
  TracedVector f(at.q.size(), Traced(0.0));
  for (size_t i = tree_.order().size(); i-- > 0;) {
    const int l = tree_.order()[i];
    if (l == 0) continue;
    const coordinates::TreeLink& link = tree_.link(l);
    for (const coordinates::JointStep& step : link.steps)
      for (int c = step.column; c < step.column + (step.kind == coordinates::JointStep::Kind::kBall ? 4 : 1);
           ++c)
        f[index(c)] = at.tree.axis_w[index(c)].dot(carried[index(l)].torque) +
                      at.tree.axis_v[index(c)].dot(carried[index(l)].force);
    carried[index(link.parent)].force += carried[index(l)].force;
    carried[index(link.parent)].torque += carried[index(l)].torque;
  }
  for (size_t i = 0; i < theta.size(); ++i)
    if (motion_.unknowns()[i].kind == Unknown::Kind::kFreedomForce)
      f[index(motion_.chosen()[index(motion_.unknowns()[i].index)])] += theta[i];
  return f;
}

}  // namespace eslabon::dynamics
