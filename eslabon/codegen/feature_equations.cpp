#include "eslabon/codegen/derivation.hpp"
#include "eslabon/codegen/traced_equations.hpp"
#include "eslabon/core/index.hpp"
#include "eslabon/core/linalg/eigenvalues.hpp"
#include "eslabon/core/scalar/trace_names.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/formulations/state_of_bodies.hpp"
#include "eslabon/dynamics/mass/feature_masses.hpp"
#include "eslabon/dynamics/reduced/traced_names.hpp"
#include "eslabon/kinematics/freedoms/row_rank.hpp"

namespace eslabon::codegen {

namespace {

using core::index;
using core::Traced;
using core::Vector3;
using dynamics::FeatureMasses;
using dynamics::TracedMatrix;
using dynamics::TracedVector;
using Eigen::Index;
using std::size_t;
using Jet = core::Dual<core::Dual<Traced>>;  // in time, twice

constexpr double kRegular = 1e-9;  // smallest eigenvalue of M by its greatest, with which it needs no Jᵀ J

std::vector<Jet> jets(const TracedVector& x, const TracedVector& rate, const TracedVector& second) {
  std::vector<Jet> list(x.size());
  for (size_t k = 0; k < x.size(); ++k) list[k] = {{x[k], rate[k]}, {rate[k], second[k]}};
  return list;
}

/// A feature with its first and second rate.
struct Moving {
  Vector3<Traced> x, rate, second;
};

class FeatureEquations final : public TracedEquations {
 public:
  FeatureEquations(const dynamics::ReducedMotion& motion, const std::string& kind, double length)
      : motion_(motion),
        length_(length),
        model_(motion.model()),
        system_(kind, model_.mechanism(), model_.structure(), model_.prescribed()),
        masses_(dynamics::feature_masses(model_.mechanism())),
        map_(system_.layout().make_map(masses_.features)) {
    std::vector<coordinates::CoordinateValue> values(model_.prescribed().size());
    model_.evaluate_drivers_or_throw(0.0, values);
    start_ = state_of_bodies(model_, system_, model_.start(), 0.0);
    coordinates::PositionLevel level;
    system_.evaluate_positions(start_.q, values, level);
    rows_ = kinematics::rank_rows_in_order(system_, level.Phi_q).independent_rows;
    find_augmentation();
  }

  std::string description() const override {
    return std::string(system_.layout().name()) + " coordinates, " + std::to_string(rows_.size()) + " of " +
           std::to_string(system_.num_rows()) + " constraint rows independent, Lagrange multipliers";
  }
  std::string says_of_masses() const override {
    return "With `x_i` the origin and the axes of each body, kinetic energy is `T = ½ Σ m_ij ˙x_i · ˙x_j` "
           "with constant numbers `m_ij` made of "
           "mass, centre of mass and inertia; so `M = Σ m_ij J_iᵀ J_j`, `J_i = ∂x_i/∂q`. Of Euler parameters "
           "that is `4 Gᵀ I G`, and "
           "more only along `e`, which `eᵀ e = 1` holds.";
  }
  std::string says_of_forces() const override {
    return "What springs, dampers, stops and friction do to each body, a force `F` through its origin and a "
           "torque `T`; then along the "
           "coordinates, `f = Σ J_0ᵀ F + ½ Σ J_kᵀ (T × x_k) − Σ m_ij J_iᵀ (¨x_j⁰ − g)` with weights and with "
           "what masses ask for when no "
           "coordinate accelerates.";
  }
  const coordinates::ConstraintSystem& system() const override { return system_; }
  const std::vector<int>& independent_rows() const override { return rows_; }
  double augmentation() const override { return augmentation_; }

  TracedParts write(const TracedState& state) const override {
    TracedParts parts;
    write_rows(state, parts);
    coordinates::FeatureValues<Traced> at;
    map_->evaluate(std::span<const Traced>(state.q), at);
    parts.M = mass_matrix(at, factors(state));
    const std::vector<Moving> moving = move(state, TracedVector(state.q.size(), Traced(0.0)));
    parts.f = forces(state, at, moving);
    return parts;
  }

  coordinates::MechanismMotionOf<Traced> bodies(const TracedState& state,
                                                const TracedVector& a) const override {
    return bodies_of(move(state, a));
  }

 private:
  void write_rows(const TracedState& state, TracedParts& parts) const {
    const auto num_rows = index(system_.num_rows());
    TracedVector Phi(num_rows), entries(index(system_.pattern().num_entries()));
    coordinates::FeatureValues<Traced> features;
    system_.evaluate_residual<Traced>(state.q, state.drivers.position, features, Phi);
    system_.evaluate_jacobian<Traced>(state.q, features, entries);
    parts.J = dynamics::dense_rows(system_.pattern(), rows_, entries);
    std::vector<Jet> rates(num_rows);
    coordinates::FeatureValues<Jet> moving;
    const TracedVector still(state.q.size(), Traced(0.0));
    system_.evaluate_residual<Jet>(
        jets(state.q, state.v, still),
        jets(state.drivers.position, state.drivers.velocity, state.drivers.acceleration), moving, rates);
    for (const int row : rows_) {
      parts.Phi.push_back(Phi[index(row)]);
      parts.Phi_dot.push_back(rates[index(row)].value.derivative);
      parts.gamma.push_back(-rates[index(row)].derivative.derivative);
    }
    for (int row = 0; row < system_.num_rows(); ++row)
      if (!system_.row_is_length(row)) Phi[index(row)] *= length_;
    parts.constraint_error = max_abs(Phi);
  }

  /// What unknowns that are factors make of elements and of the masses of bodies.
  struct Factors {
    dynamics::ElementFactors<Traced> elements;
    TracedVector bodies;  ///< (bodies)
  };
  Factors factors(const TracedState& state) const {
    const model::Mechanism& mechanism = model_.mechanism();
    const auto ones = [](size_t count) { return TracedVector(count, Traced(1.0)); };
    Factors out{.elements = {ones(mechanism.springs().size()), ones(mechanism.dampers().size()),
                             ones(mechanism.joints().size())},
                .bodies = ones(mechanism.bodies().size())};
    if (!state.efforts.empty()) motion_.set_factors<Traced>(state.efforts, out.elements, out.bodies);
    return out;
  }
  /// That of the mass of the body that carries a feature.
  Traced mass_factor(const Factors& factors, int feature) const {
    for (const FeatureMasses::BodyFeatures& of : masses_.bodies)
      if (of.origin <= feature && feature <= of.origin + of.num_axes) return factors.bodies[of.body];
    return 1.0;
  }

  /// M = Σ m_ij J_iᵀ J_j
  TracedMatrix mass_matrix(const coordinates::FeatureValues<Traced>& at, const Factors& factors) const {
    const auto n = static_cast<Index>(system_.num_coordinates());
    TracedMatrix M = TracedMatrix::Constant(n, n, Traced(0.0));
    for (const FeatureMasses::Coupling& coupling : masses_.couplings) {
      const Traced m = mass_factor(factors, coupling.i) * coupling.m;
      auto a = index(map_->first_column(coupling.i));
      for (const int row : map_->columns(coupling.i)) {
        auto b = index(map_->first_column(coupling.j));
        for (const int column : map_->columns(coupling.j)) M(row, column) += m * at.J[a].dot(at.J[b++]);
        ++a;
      }
    }
    return M;
  }

  std::vector<Moving> move(const TracedState& state, const TracedVector& a) const {
    coordinates::FeatureValues<Jet> values;
    const std::vector<Jet> q = jets(state.q, state.v, a);
    map_->evaluate(std::span<const Jet>(q), values);
    std::vector<Moving> list(values.x.size());
    for (size_t f = 0; f < list.size(); ++f)
      for (Index k = 0; k < 3; ++k) {
        const Jet& one = values.x[f][k];
        list[f].x[k] = one.value.value;
        list[f].rate[k] = one.value.derivative;
        list[f].second[k] = one.derivative.derivative;
      }
    return list;
  }

  /// Axes are columns of R;  ω = ½ Σ x_k × ẋ_k,  α = ½ Σ x_k × ẍ_k.
  coordinates::MechanismMotionOf<Traced> bodies_of(const std::vector<Moving>& moving) const {
    coordinates::MechanismMotionOf<Traced> out(model_.mechanism().bodies().size());
    for (const FeatureMasses::BodyFeatures& of : masses_.bodies) {
      const Moving& origin = moving[index(of.origin)];
      core::Matrix3<Traced> R = core::Matrix3<Traced>::Identity();
      Vector3<Traced> w = Vector3<Traced>::Zero(), alpha = Vector3<Traced>::Zero();
      for (int k = 0; k < of.num_axes; ++k) {
        const Moving& axis = moving[index(of.origin + 1 + k)];
        R.col(k) = axis.x;
        w += axis.x.cross(axis.rate);
        alpha += axis.x.cross(axis.second);
      }
      coordinates::BodyMotionOf<Traced>& body = out[of.body];
      body.X_WB = {core::Rotation<Traced>::from_known_matrix(R), origin.x};
      body.w_WB_W = Traced(0.5) * w;
      body.v_WB_W = origin.rate;
      body.alpha_WB_W = Traced(0.5) * alpha;
      body.a_WB_W = origin.second;
    }
    return out;
  }

  /// A, ˙A and ¨A⁰ of each body: what is known of its axes.
  void name_axes(const std::vector<Moving>& moving) const {
    core::Trace* const trace = core::Trace::naming();
    if (!trace) return;
    const core::Trace::Scope part("Bodies");
    for (const FeatureMasses::BodyFeatures& of : masses_.bodies) {
      const std::string& body = model_.mechanism().bodies()[of.body].name;
      const core::Trace::Scope scope(body);
      core::Matrix3<Traced> A = core::Matrix3<Traced>::Identity(), rate = core::Matrix3<Traced>::Zero(),
                            second = rate;
      for (int k = 0; k < of.num_axes; ++k) {
        A.col(k) = moving[index(of.origin + 1 + k)].x;
        rate.col(k) = moving[index(of.origin + 1 + k)].rate;
        second.col(k) = moving[index(of.origin + 1 + k)].second;
      }
      const bool has_parameters = system_.layout().name() == "reference-point" && of.num_axes == 3;
      name_matrix(*trace, "A_" + body, A,
                  has_parameters ? "(e_0² − εᵀ ε) I + 2 ε εᵀ + 2 e_0 ε̃,   ε = (e_1, e_2, e_3)" : "");
      name_matrix(*trace, "˙A_" + body, rate);
      name_matrix(*trace, "¨A⁰_" + body, second);
    }
  }

  /// f = Q − h with weights:  Q = Σ J_0ᵀ f + ½ Σ_k J_kᵀ (τ × x_k),  h = Σ m_ij J_iᵀ (x_bias,j − g)
  TracedVector forces(const TracedState& state, const coordinates::FeatureValues<Traced>& at,
                      const std::vector<Moving>& moving) const {
    const auto bodies_now = bodies_of(moving);
    name_axes(moving);
    dynamics::name_rates(model_.mechanism(), bodies_now);
    std::vector<dynamics::WrenchOf<Traced>> wrenches(bodies_now.size());
    const Factors known = factors(state);
    const TracedVector states = states_of(model_, motion_.unknowns(), state.efforts);
    if (!model_.forces().evaluate_without_weights<Traced>(0.0, bodies_now, {model_.start_memory(), states},
                                                          wrenches, {}, &known.elements))
      throw core::ModelError(dynamics::AppliedForces::why_no_derivatives(0.0));
    for (size_t i = 0; i < state.efforts.size(); ++i)
      if (motion_.unknowns()[i].kind == dynamics::Unknown::Kind::kForce)
        model_.forces().add_effort<Traced>(*motion_.unknowns()[i].along, state.efforts[i], bodies_now,
                                           wrenches);
    const core::Trace::Scope scope("Forces");
    name_elements(model_, bodies_now, states);
    dynamics::name_wrenches(model_.mechanism(), wrenches, "", "");
    TracedVector f(state.q.size(), Traced(0.0));
    const auto add = [&](int feature, const Vector3<Traced>& push) {
      auto slot = index(map_->first_column(feature));
      for (const int column : map_->columns(feature)) f[index(column)] += at.J[slot++].dot(push);
    };
    for (const FeatureMasses::BodyFeatures& of : masses_.bodies) {
      add(of.origin, wrenches[of.body].force);
      for (int k = 1; k <= of.num_axes; ++k)
        add(of.origin + k,
            Vector3<Traced>(Traced(0.5) * wrenches[of.body].torque.cross(at.x[index(of.origin + k)])));
    }
    const Vector3<Traced> g = model_.mechanism().gravity_W().cast<Traced>();
    std::vector<Vector3<Traced>> sums(masses_.features.size(), Vector3<Traced>::Zero());
    for (const FeatureMasses::Coupling& coupling : masses_.couplings) {
      Vector3<Traced> needs = moving[index(coupling.j)].second;
      if (masses_.features[index(coupling.j)].is_point) needs -= g;
      sums[index(coupling.i)] -= mass_factor(known, coupling.i) * coupling.m * needs;
    }
    for (size_t i = 0; i < sums.size(); ++i) add(static_cast<int>(i), sums[i]);
    return f;
  }

  /// ρ = tr M / tr JᵀJ where M is singular at the start, coordinates measured by their sizes.
  void find_augmentation() {
    core::Trace trace;
    const core::Trace::Listening listening(trace);
    TracedState state{.q = TracedVector(start_.q.begin(), start_.q.end()),
                      .v = TracedVector(start_.q.size(), Traced(0.0)),
                      .drivers = {},
                      .efforts = {}};
    coordinates::FeatureValues<Traced> at;
    map_->evaluate(std::span<const Traced>(state.q), at);
    const TracedMatrix M = mass_matrix(at, factors(state));
    Eigen::MatrixXd scaled(M.rows(), M.cols());
    const auto size = [&](Index c) {
      return system_.coordinates()[index(c)].dimension == core::kLength ? length_ : 1.0;
    };
    for (Index r = 0; r < M.rows(); ++r)
      for (Index c = 0; c < M.cols(); ++c) scaled(r, c) = M(r, c).constant() * size(r) * size(c);
    const Eigen::VectorXd values = core::symmetric_eigenvalues(scaled);
    if (values.minCoeff() > kRegular * values.maxCoeff()) return;
    std::vector<coordinates::CoordinateValue> prescribed(model_.prescribed().size());
    model_.evaluate_drivers_or_throw(0.0, prescribed);
    coordinates::PositionLevel level;
    system_.evaluate_positions(start_.q, prescribed, level);
    double of_rows = 0.0;
    for (int c = 0; c < system_.pattern().columns; ++c)
      for (int e = system_.pattern().column_start[index(c)]; e < system_.pattern().column_start[index(c) + 1];
           ++e)
        of_rows += level.Phi_q[index(e)] * level.Phi_q[index(e)] * size(c) * size(c);
    augmentation_ = scaled.trace() / of_rows;
  }

  const dynamics::ReducedMotion& motion_;
  double length_;
  const dynamics::DynamicModel& model_;
  coordinates::ConstraintSystem system_;
  FeatureMasses masses_;
  std::unique_ptr<coordinates::FeatureMap> map_;
  dynamics::State start_;
  std::vector<int> rows_;
  double augmentation_ = 0.0;
};

}  // namespace

std::unique_ptr<TracedEquations> make_feature_equations(const dynamics::ReducedMotion& motion,
                                                        const std::string& kind, double length) {
  return std::make_unique<FeatureEquations>(motion, kind, length);
}

}  // namespace eslabon::codegen
