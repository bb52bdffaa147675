#include "eslabon/dynamics/reduced/reduced_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "eslabon/core/index.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/formulations/spanning_rows.hpp"
#include "eslabon/dynamics/formulations/state_of_bodies.hpp"
#include "eslabon/dynamics/mass/body_inertia.hpp"
#include "eslabon/kinematics/freedoms/rolling_refusal.hpp"
#include "eslabon/kinematics/freedoms/row_rank.hpp"

namespace eslabon::dynamics {

using core::index;
using Eigen::Index;
using Eigen::Map;
using Eigen::VectorXd;

namespace {

constexpr int kMostIterations = 20;
constexpr double kLastCorrection = 1e-9;  // of the mechanism's size, or rad: Newton squares it
constexpr double kRoundoff = 1e-14;       // the same: nothing is left to correct
constexpr double kReach = 0.5;            // the same: farther from the guess another branch may lie
constexpr double kPreferInputs = 10.0;    // inputs are taken unless they move less than a tenth as much
constexpr double kPreferNamed = 1e3;      // the same for those that the caller names
constexpr double kMuchBetter = 2.0;       // by which other z must be better than the present ones

[[noreturn]] void refuse_unsmooth(bool is_written_down, std::string where, std::string expected,
                                  std::string actual, std::string next) {
  throw core::ModelError({.what = is_written_down ? "the equations of this mechanism cannot be written down"
                                                  : "no filter can step through this mechanism",
                          .where = std::move(where),
                          .expected = std::move(expected),
                          .actual = std::move(actual),
                          .next = std::move(next)});
}

}  // namespace

std::vector<Unknown> state_unknowns(const model::Mechanism& mechanism) {
  std::vector<Unknown> list;
  for (std::size_t k = 0; k < mechanism.states().size(); ++k)
    list.push_back({.kind = Unknown::Kind::kState, .index = static_cast<int>(k)});
  return list;
}

ReducedMotion::ReducedMotion(const DynamicModel& model, std::vector<Unknown> unknowns, Use use,
                             const std::vector<std::string>& preferred)
    : model_(model),
      use_(use),
      unknowns_(std::move(unknowns)),
      system_("relative", model.mechanism(), model.structure(), model.prescribed()),
      tree_(model.mechanism(), model.structure()),
      length_(coordinates::length_scale(model.mechanism())),
      scales_(system_.num_coordinates()),
      values_(model.prescribed().size()),
      zero_(index(system_.num_coordinates()), 0.0),
      wrenches_(model.mechanism().bodies().size()),
      body_factors_(model.mechanism().bodies().size(), 1.0),
      state_rates_(model.mechanism().states().size()),
      dual_state_rates_(model.mechanism().states().size()) {
  for (const Unknown& unknown : unknowns_) has_states_ = has_states_ || unknown.kind == Unknown::Kind::kState;
  check_model();
  for (Index c = 0; c < scales_.size(); ++c)
    scales_[c] = system_.coordinates()[index(c)].dimension == core::kLength ? length_ : 1.0;
  const State start = state_of_bodies(model_, system_, model_.start(), 0.0);
  model_.evaluate_drivers_or_throw(0.0, values_);
  system_.evaluate_positions(start.q, values_, level_);
  const kinematics::RowRank rank = kinematics::rank_rows_in_order(system_, level_.Phi_q);
  rows_ = rank.independent_rows;
  const bool is_written = use_ == Use::kEquations || use_ == Use::kKinematicEquations;
  if (rank.null_space.cols() == 0 && !is_written)
    throw core::ModelError({.what = "there is nothing to estimate",
                            .where = "mechanism '" + model.mechanism().name() + "'",
                            .expected = "a mechanism that is free to move",
                            .actual = "one whose drivers prescribe every motion",
                            .next = "Release a driver with --release."});
  VectorXd weights = VectorXd::Ones(scales_.size());
  for (Index c = 0; c < scales_.size(); ++c)
    if (std::ranges::find(preferred, system_.coordinates()[index(c)].name) != preferred.end())
      weights[c] = kPreferNamed;
  for (const structure::Input& input : model_.structure().inputs)
    if (input.variable)
      if (const auto column = system_.layout().column_of(*input.variable)) weights[*column] *= kPreferInputs;
  chosen_ = spanning_rows(rank.null_space, weights);
  place_entries();
  const std::size_t num_bodies = wrenches_.size();
  const auto f = num_freedoms();
  moving_.assign(index(f), coordinates::MechanismMotion(num_bodies));
  M_.resize(f, f);
  force_.resize(f);
  R_x_.resize(scales_.size(), f);
  factors_ = {std::vector<double>(model.mechanism().springs().size(), 1.0),
              std::vector<double>(model.mechanism().dampers().size(), 1.0),
              std::vector<double>(model.mechanism().joints().size(), 1.0)};
  dual_factors_ = {std::vector<Dual>(factors_.springs.size(), 1.0),
                   std::vector<Dual>(factors_.dampers.size(), 1.0),
                   std::vector<Dual>(factors_.frictions.size(), 1.0)};
  dual_body_factors_.assign(num_bodies, 1.0);
  dual_theta_.assign(unknowns_.size(), 0.0);
  dual_wrenches_.resize(num_bodies);
  dual_twists_.resize(num_bodies * index(f));
  prepared_q_.reserve(zero_.size());
  jet_q_.resize(zero_.size());
  dual_q_.resize(zero_.size());
  dual_v_.resize(zero_.size());
  dual_a_.resize(zero_.size());
  jet_Phi_q_.resize(index(system_.pattern().num_entries()));
  dual_Phi_q_.resize(jet_Phi_q_.size());
}

void ReducedMotion::check_model() const {
  kinematics::refuse_rolling_discs(model_.mechanism(), "sensing and estimation are");
  if (use_ == Use::kKinematics || use_ == Use::kKinematicEquations) return;
  const model::Mechanism& mechanism = model_.mechanism();
  if (system_.num_rows() > kinematics::kDenseLimit)
    refuse_unsmooth(use_ == Use::kEquations, "mechanism '" + mechanism.name() + "'",
                    "at most " + std::to_string(kinematics::kDenseLimit) + " constraint rows",
                    std::to_string(system_.num_rows()), "Take a smaller model of it.");
  check_smooth(mechanism, use_ == Use::kEquations);
}

void check_smooth(const model::Mechanism& mechanism, bool is_written_down) {
  const auto refuse = [&](std::string where, std::string expected, std::string actual, std::string next) {
    refuse_unsmooth(is_written_down, std::move(where), std::move(expected), std::move(actual),
                    std::move(next));
  };
  const std::string in_model = is_written_down ? " instead" : " in the model of the filter";
  for (const model::Stop& stop : mechanism.stops())
    if (stop.is_rigid())
      refuse("stop '" + stop.name + "'", "stops with a stiffness", "a rigid one, whose impacts are jumps",
             "Give it 'stiffness' and 'damping'" + in_model + ".");
  for (const model::Stop& stop : mechanism.stops())
    if (stop.coupling && is_written_down)
      refuse("stop '" + stop.name + "'", "stops of one coordinate each",
             "play between several, whose turns equations do not count", "Write a coupling instead.");
  for (const model::Joint& joint : mechanism.joints()) {
    if (joint.friction.depends_on_load())
      refuse("joint '" + joint.name + "'", "friction by torque or force", "friction by the load of the joint",
             "Give 'coulomb' and 'stiction'" + in_model +
                 (is_written_down ? "." : ", or estimate the force that is missing."));
    if (joint.rod_mass != 0.0)
      refuse("rod '" + joint.name + "'", "rods without mass", "a rod with mass",
             "Describe it as a body with two joints.");
  }
}

void ReducedMotion::place_entries() {
  prepared_q_.assign(1, std::numeric_limits<double>::quiet_NaN());
  const auto n = static_cast<int>(scales_.size());
  dependent_.clear();
  std::vector<int> slot(index(n), -1), row_slot(index(system_.num_rows()), -1);
  for (int c = 0; c < n; ++c) {
    const auto at = std::ranges::find(chosen_, c);
    if (at == chosen_.end()) {
      slot[index(c)] = static_cast<int>(dependent_.size());
      dependent_.push_back(c);
    } else {
      slot[index(c)] = static_cast<int>(at - chosen_.begin());
    }
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) row_slot[index(rows_[r])] = static_cast<int>(r);
  const coordinates::SparsePattern& pattern = system_.pattern();
  places_.assign(index(pattern.num_entries()), {});
  for (int c = 0; c < n; ++c)
    for (int e = pattern.column_start[index(c)]; e < pattern.column_start[index(c) + 1]; ++e)
      places_[index(e)] = {.row = row_slot[index(pattern.row_of_entry[index(e)])],
                           .coordinate = c,
                           .column = slot[index(c)],
                           .is_chosen = std::ranges::find(chosen_, c) != chosen_.end()};
  const auto m = static_cast<Index>(rows_.size());
  S_.resize(m, static_cast<Index>(dependent_.size()));
  of_z_.resize(m, num_freedoms());
  rhs_.resize(m);
  solved_.resize(m);
}

bool ReducedMotion::factor() {
  S_.setZero();
  of_z_.setZero();
  for (std::size_t e = 0; e < places_.size(); ++e)
    if (places_[e].row >= 0)
      (places_[e].is_chosen ? of_z_ : S_)(places_[e].row, places_[e].column) = level_.Phi_q[e];
  if (S_.rows() == 0) return true;
  lu_.compute(S_);
  return lu_.smallest_pivot() > 1e-13 * lu_.largest_pivot();
}

ReducedStatus ReducedMotion::close(const ReducedPoint& near, ReducedPoint& point) {
  Map<VectorXd> q(point.q.data(), scales_.size());
  if (&near != &point) point.q = near.q;
  for (Index k = 0; k < num_freedoms(); ++k) {  // a first guess, along R
    const double dz = point.z[k] - q[chosen_[index(k)]];
    if (near.R.rows() == q.size() && dz != 0.0) q += dz * near.R.col(k);
  }
  for (Index k = 0; k < num_freedoms(); ++k) q[chosen_[index(k)]] = point.z[k];
  double moved = 0.0, last = 0.0;
  for (int i = 0;; ++i) {
    system_.evaluate_positions(point.q, values_, level_);
    if (!factor()) return ReducedStatus::kSingular;
    if (rows_.empty()) return ReducedStatus::kSolved;
    for (std::size_t r = 0; r < rows_.size(); ++r) rhs_[static_cast<Index>(r)] = -level_.Phi[rows_[r]];
    solve_dependent();
    double size = 0.0;
    for (std::size_t d = 0; d < dependent_.size(); ++d)
      size = std::max(size, std::abs(solved_[static_cast<Index>(d)]) / scales_[dependent_[d]]);
    if (!(size < kReach)) return ReducedStatus::kNotClosed;
    if (size <= kRoundoff) return ReducedStatus::kSolved;
    for (std::size_t d = 0; d < dependent_.size(); ++d) q[dependent_[d]] += solved_[static_cast<Index>(d)];
    moved += size;
    if (moved > kReach || i == kMostIterations || (i > 3 && size > last && size > kLastCorrection))
      return ReducedStatus::kNotClosed;
    last = size;
    if (size <= kLastCorrection) {  // what is left is its square; rates need the Jacobian there
      system_.evaluate_positions(point.q, values_, level_);
      return factor() ? ReducedStatus::kSolved : ReducedStatus::kSingular;
    }
  }
}

void ReducedMotion::evaluate_rates(ReducedPoint& point) {
  Map<VectorXd> v(point.v.data(), scales_.size()), a(point.a.data(), scales_.size());
  const Index f = num_freedoms();
  for (Index k = 0; k < f; ++k) {
    rhs_ = -of_z_.col(k);
    solve_dependent();
    point.R.col(k).setZero();
    point.R(chosen_[index(k)], k) = 1.0;
    for (std::size_t d = 0; d < dependent_.size(); ++d)
      point.R(dependent_[d], k) = solved_[static_cast<Index>(d)];
  }
  v.noalias() = point.R * point.z_dot;
  if (!values_.empty()) {
    for (std::size_t r = 0; r < rows_.size(); ++r) rhs_[static_cast<Index>(r)] = -level_.Phi_t[rows_[r]];
    solve_dependent();
    for (std::size_t d = 0; d < dependent_.size(); ++d) v[dependent_[d]] += solved_[static_cast<Index>(d)];
  }
  system_.evaluate_gamma(level_, point.q, point.v, values_, gamma_workspace_, gamma_);
  for (std::size_t r = 0; r < rows_.size(); ++r) rhs_[static_cast<Index>(r)] = gamma_[rows_[r]];
  solve_dependent();
  a.setZero();  // b of (2)
  for (std::size_t d = 0; d < dependent_.size(); ++d) a[dependent_[d]] = solved_[static_cast<Index>(d)];
}

void ReducedMotion::evaluate_twists(const ReducedPoint& point) {
  for (Index k = 0; k < num_freedoms(); ++k)
    system_.evaluate_bodies(point.q, {point.R.col(k).data(), zero_.size()}, zero_, bodies_workspace_,
                            moving_[index(k)]);
}

template <class T>
void set_factors(const std::vector<Unknown>& unknowns, std::span<const T> theta, ElementFactors<T>& elements,
                 std::span<T> bodies) {
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    const auto place = index(unknowns[i].index);
    if (unknowns[i].kind == Unknown::Kind::kMass) bodies[place] = theta[i];
    if (unknowns[i].kind == Unknown::Kind::kSpring) elements.springs[place] = theta[i];
    if (unknowns[i].kind == Unknown::Kind::kDamper) elements.dampers[place] = theta[i];
    if (unknowns[i].kind == Unknown::Kind::kFriction) elements.frictions[place] = theta[i];
  }
}
template void set_factors(const std::vector<Unknown>&, std::span<const double>, ElementFactors<double>&,
                          std::span<double>);
template void set_factors(const std::vector<Unknown>&, std::span<const core::Dual<double>>,
                          ElementFactors<core::Dual<double>>&, std::span<core::Dual<double>>);
template void set_factors(const std::vector<Unknown>&, std::span<const core::Traced>,
                          ElementFactors<core::Traced>&, std::span<core::Traced>);

void ReducedMotion::take_states(ReducedPoint& point) const {
  if (!has_states_) return;
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    if (unknowns_[i].kind == Unknown::Kind::kState)
      point.memory.states[index(unknowns_[i].index)] = point.theta[static_cast<Index>(i)];
}

void ReducedMotion::evaluate_motion(ReducedPoint& point) {
  system_.evaluate_bodies(point.q, point.v, point.a, bodies_workspace_, point.bodies);
  if (!point.memory.angles.empty()) model_.forces().follow_angles(point.bodies, point.memory.angles);
}

// Seed000 eq. 115
// Seed003 eq. 13, eq. 14
ReducedStatus ReducedMotion::evaluate_accelerations(ReducedPoint& point) {
  const model::Mechanism& mechanism = model_.mechanism();
  evaluate_motion(point);
  take_states(point);
  set_factors<double>({point.theta.data(), unknowns_.size()}, factors_, body_factors_);
  if (!model_.forces().evaluate_without_weights(point.t, point.bodies, point.memory, wrenches_, state_rates_,
                                                &factors_))
    return ReducedStatus::kNoValue;
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    if (unknowns_[i].kind == Unknown::Kind::kForce)
      model_.forces().add_effort(*unknowns_[i].along, point.theta[static_cast<Index>(i)], point.bodies,
                                 wrenches_);
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    if (unknowns_[i].kind == Unknown::Kind::kState)
      point.theta_dot[static_cast<Index>(i)] = state_rates_[index(unknowns_[i].index)];
  add_inertia<double>(mechanism, point.bodies, body_factors_, wrenches_);
  const Index f = num_freedoms();
  force_.setZero();
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    if (unknowns_[i].kind == Unknown::Kind::kFreedomForce)
      force_[unknowns_[i].index] += point.theta[static_cast<Index>(i)];
  for (Index k = 0; k < f; ++k) {
    const coordinates::MechanismMotion& K = moving_[index(k)];
    for (std::size_t b = 1; b < wrenches_.size(); ++b)
      force_[k] += wrenches_[b].force.dot(K[b].v_WB_W) + wrenches_[b].torque.dot(K[b].w_WB_W);  // (3)
    for (Index j = 0; j <= k; ++j)
      point.mass(k, j) = point.mass(j, k) =
          mass_product(mechanism, point.bodies, body_factors_, K, moving_[index(j)]);
  }
  M_ = point.mass;
  if (!mass_factors_.factor(M_)) return ReducedStatus::kSingular;
  mass_factors_.solve(force_);
  point.z_ddot = force_;
  Map<VectorXd>(point.a.data(), scales_.size()).noalias() += point.R * point.z_ddot;  // (2)
  for (Index k = 0; k < f; ++k)
    for (std::size_t b = 1; b < wrenches_.size(); ++b) {
      point.bodies[b].alpha_WB_W += point.z_ddot[k] * moving_[index(k)][b].w_WB_W;
      point.bodies[b].a_WB_W += point.z_ddot[k] * moving_[index(k)][b].v_WB_W;
    }
  return point.z_ddot.allFinite() ? ReducedStatus::kSolved : ReducedStatus::kSingular;
}

core::ErrorText ReducedMotion::why_not(const ReducedPoint& point) const {
  if (std::optional<core::ErrorText> text = model_.why_no_drivers(point.t)) return std::move(*text);
  return model_.forces().why_not(point.t, point.bodies, point.memory);
}

ReducedPoint ReducedMotion::point_of(const coordinates::MechanismMotion& bodies, double t) {
  const State state = state_of_bodies(model_, system_, bodies, t);
  const Index n = scales_.size(), f = num_freedoms();
  ReducedPoint point;
  point.q = state.q;
  point.v = state.v;
  point.a.assign(index(n), 0.0);
  point.z.resize(f);
  point.z_dot.resize(f);
  point.z_ddot = VectorXd::Zero(f);
  for (Index k = 0; k < f; ++k) {
    point.z[k] = state.q[index(chosen_[index(k)])];
    point.z_dot[k] = state.v[index(chosen_[index(k)])];
  }
  point.theta.resize(num_unknowns());
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    point.theta[static_cast<Index>(i)] = unknowns_[i].kind == Unknown::Kind::kState
                                             ? state.memory.states[index(unknowns_[i].index)]
                                             : unknowns_[i].neutral();
  point.theta_dot = VectorXd::Zero(num_unknowns());
  point.mass = Eigen::MatrixXd::Zero(f, f);
  point.bodies.resize(wrenches_.size());
  point.memory = state.memory;
  point.R = Eigen::MatrixXd::Zero(n, f);
  const ReducedStatus status = use_ == Use::kForces ? solve(t, point, point) : follow(t, point, point);
  if (status == ReducedStatus::kSolved) return point;
  if (status == ReducedStatus::kNoValue) throw core::ModelError(why_not(point));
  throw core::ModelError({.what = "the motion cannot be found from its degrees of freedom",
                          .where = "mechanism '" + model_.mechanism().name() + "'",
                          .expected = "a position that is not singular, and mass in every degree of freedom",
                          .actual = "none",
                          .next = "Start somewhere else, or give the bodies that move a mass."});
}

ReducedStatus ReducedMotion::place(double t, const ReducedPoint& near, ReducedPoint& point) {
  prepared_q_.assign(1, std::numeric_limits<double>::quiet_NaN());
  point.t = t;
  if (!model_.evaluate_drivers(t, values_)) return ReducedStatus::kNoValue;
  if (&near != &point) point.memory = near.memory;
  if (!point.z.allFinite() || !point.z_dot.allFinite()) return ReducedStatus::kNotClosed;
  if (const ReducedStatus status = close(near, point); status != ReducedStatus::kSolved) return status;
  evaluate_rates(point);
  return ReducedStatus::kSolved;
}

ReducedStatus ReducedMotion::solve(double t, const ReducedPoint& near, ReducedPoint& point) {
  if (!point.theta.allFinite()) return ReducedStatus::kNotClosed;
  for (std::size_t i = 0; i < unknowns_.size();
       ++i)  // nothing has a negative mass, stiffness, damping or friction
    if (unknowns_[i].is_factor() && !(point.theta[static_cast<Index>(i)] >= 0.0))
      return ReducedStatus::kSingular;
  if (code_ && solve_by_code(t, near, point)) return ReducedStatus::kSolved;
  if (const ReducedStatus status = place(t, near, point); status != ReducedStatus::kSolved) return status;
  evaluate_twists(point);
  prepared_q_ = point.q;
  return evaluate_accelerations(point);
}

bool ReducedMotion::solve_by_code(double t, const ReducedPoint& near, ReducedPoint& point) {
  point.t = t;
  if (!model_.evaluate_drivers(t, values_) || !code_->solve(values_, near, point)) return false;
  if (&near != &point) point.memory = near.memory;
  return true;
}

ReducedStatus ReducedMotion::follow(double t, const ReducedPoint& near, ReducedPoint& point) {
  if (!point.z_ddot.allFinite()) return ReducedStatus::kNotClosed;
  if (const ReducedStatus status = place(t, near, point); status != ReducedStatus::kSolved) return status;
  Map<VectorXd>(point.a.data(), scales_.size()).noalias() += point.R * point.z_ddot;  // (2)
  evaluate_motion(point);
  return ReducedStatus::kSolved;
}

bool ReducedMotion::prepare(const ReducedPoint& point) {
  if (prepared_q_ == point.q) return true;
  if (!model_.evaluate_drivers(point.t, values_)) return false;
  system_.evaluate_positions(point.q, values_, level_);
  if (!factor()) return false;
  evaluate_twists(point);
  prepared_q_ = point.q;
  return true;
}

double ReducedMotion::leverage(const ReducedPoint& point) const {
  double largest = 0.0;
  for (Index k = 0; k < num_freedoms(); ++k)
    for (Index c = 0; c < scales_.size(); ++c)
      largest = std::max(largest, std::abs(point.R(c, k)) / scales_[c] * scales_[chosen_[index(k)]]);
  return largest;
}

bool ReducedMotion::exchange(ReducedPoint& point, const std::vector<int>& better) {
  if (better == chosen_) return false;
  const std::vector<int> before = chosen_;
  const double lever = leverage(point);
  const ReducedPoint old = point;
  std::shared_ptr<ReducedCode> code = std::move(code_);  // of the z before
  const auto take = [&](const std::vector<int>& columns) {
    chosen_ = columns;
    place_entries();
    for (Index k = 0; k < num_freedoms(); ++k) {
      const auto c = index(chosen_[index(k)]);
      point.z[k] = old.q[c];
      point.z_dot[k] = old.v[c];
      point.z_ddot[k] = old.a[c];
    }
    return (use_ == Use::kForces ? solve(old.t, old, point) : follow(old.t, old, point)) ==
           ReducedStatus::kSolved;
  };
  if (take(better) && leverage(point) * kMuchBetter <= lever) {
    if (compiler_) code_ = compiler_->compile(*this, readings_);
    return true;
  }
  static_cast<void>(take(before));
  code_ = std::move(code);
  return false;
}

bool ReducedMotion::choose(ReducedPoint& point, const ReducedTangent& tangent,
                           Eigen::Ref<Eigen::MatrixXd> T) {
  const Eigen::MatrixXd directions = scales_.cwiseInverse().asDiagonal() * point.R;
  if (!exchange(point, spanning_rows(directions, VectorXd::Ones(scales_.size())))) return false;
  T.setIdentity();
  const Index f = num_freedoms();
  for (Index k = 0; k < f; ++k) {
    T.row(k) = tangent.q_x.row(chosen_[index(k)]);
    T.row(f + k) = tangent.v_x.row(chosen_[index(k)]);
  }
  return true;
}

bool ReducedMotion::choose_among(ReducedPoint& point, const std::vector<std::string>& names) {
  VectorXd weights = VectorXd::Zero(scales_.size());
  for (Index c = 0; c < scales_.size(); ++c)
    if (std::ranges::find(names, system_.coordinates()[index(c)].name) != names.end()) weights[c] = 1.0;
  const Eigen::MatrixXd directions = scales_.cwiseInverse().asDiagonal() * point.R;
  return exchange(point, spanning_rows(directions, weights));
}

double ReducedMotion::constraint_error(const ReducedPoint& point) {
  model_.evaluate_drivers_or_throw(point.t, values_);
  system_.evaluate_positions(point.q, values_, level_);
  double largest = 0.0;
  for (int r = 0; r < system_.num_rows(); ++r)
    largest = std::max(largest, std::abs(level_.Phi[r]) * (system_.row_is_length(r) ? 1.0 : length_));
  return largest;
}

}  // namespace eslabon::dynamics
