#include "eslabon/dynamics/statics/freedom_chart.hpp"

#include <algorithm>
#include <cmath>

#include "eslabon/core/index.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/formulations/spanning_rows.hpp"
#include "eslabon/dynamics/formulations/state_of_bodies.hpp"
#include "eslabon/kinematics/freedoms/rolling_refusal.hpp"
#include "eslabon/kinematics/freedoms/row_rank.hpp"

namespace eslabon::dynamics {

using coordinates::MechanismMotion;
using core::index;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int kMostIterations = 20;
constexpr double kLastCorrection = 1e-9;  // of the mechanism's size, or rad: Newton squares it
constexpr double kSingular = 1e-6;        // of the regularity at the start
constexpr double kDriverStep = 0.1;       // rad, or of the mechanism's size
constexpr double kPreferInputs = 10.0;    // inputs are taken unless they move less than a tenth as much
constexpr int kMostStateSteps = 50;
constexpr double kLastStateStep = 1e-11;  // of the states' sizes: Newton squares it

}  // namespace

FreedomChart::FreedomChart(const DynamicModel& model, Drivers drivers, std::string_view kind)
    : model_(model),
      drivers_(drivers),
      system_(kind, model.mechanism(), model.structure(), model.prescribed()),
      mass_(make_masses(system_)),
      length_(coordinates::length_scale(model.mechanism())),
      scales_(system_.num_coordinates()),
      values_(model.prescribed().size()),
      bodies_(model.mechanism().bodies().size()),
      wrenches_(model.mechanism().bodies().size()),
      zero_(index(system_.num_coordinates()), 0.0) {
  kinematics::refuse_rolling_discs(model.mechanism(), "statics and linearisation are");
  if (system_.num_rows() > kinematics::kDenseLimit)
    throw core::ModelError(
        {.what = "the mechanism is too large for statics and linearisation",
         .where = "mechanism '" + model.mechanism().name() + "'",
         .expected = "at most " + std::to_string(kinematics::kDenseLimit) + " constraint rows",
         .actual = std::to_string(system_.num_rows()),
         .next = "Take a smaller mechanism of the same kind."});
  for (Index c = 0; c < scales_.size(); ++c)
    scales_[c] = system_.coordinates()[index(c)].dimension == core::kLength ? length_ : 1.0;
  const State start = state_of(model.start(), 0.0);
  evaluate_rows(0.0, start.q);
  const kinematics::RowRank rank = kinematics::rank_rows_in_order(system_, level_.Phi_q);
  rows_ = rank.independent_rows;
  start_regularity_ = rank.least_independent;
}

void FreedomChart::evaluate_rows(double t, std::span<const double> q) {
  model_.evaluate_drivers_or_throw(t, values_);
  if (drivers_ == Drivers::kHeld)
    for (coordinates::CoordinateValue& value : values_) value.velocity = value.acceleration = 0.0;
  system_.evaluate_positions(q, values_, level_);
  level_q_.assign(q.begin(), q.end());
  level_t_ = t;
}

State FreedomChart::state_of(const MechanismMotion& bodies, double t) const {
  State state = state_of_bodies(model_, system_, bodies, t);
  state.memory.limits_stand = drivers_ == Drivers::kHeld;
  return state;
}

ChartStatus FreedomChart::start(double t, State& out) {
  out = state_of(model_.start(), 0.0);
  std::ranges::fill(out.v, 0.0);
  if (const ChartStatus status = centre_at(out); status != ChartStatus::kGood) return status;
  out = centre_;
  std::vector<coordinates::CoordinateValue> before(values_.size()), after(values_.size());
  while (out.t < t) {
    double next = t;
    model_.evaluate_drivers_or_throw(out.t, before);
    while (true) {  // no driver goes far at once
      model_.evaluate_drivers_or_throw(next, after);
      double largest = 0.0;
      for (std::size_t i = 0; i < after.size(); ++i) {
        const auto& target = std::get<model::Variable>(system_.prescribed()[i].what);
        const double unit = model::dimension(model_.mechanism(), target) == core::kAngle ? 1.0 : length_;
        largest = std::max(largest, std::abs(after[i].position - before[i].position) / unit);
      }
      if (largest <= kDriverStep || next - out.t < 1e-6 * t) break;
      next = out.t + 0.5 * (next - out.t);
    }
    out.t = next;
    if (const ChartStatus status = centre_at(out); status != ChartStatus::kGood) return status;
    out = centre_;
  }
  return ChartStatus::kGood;
}

bool FreedomChart::factor() {
  if (has_factors_ && (rows_.empty() || (factored_t_ == level_t_ && factored_ == level_q_))) return true;
  has_factors_ = false;
  const MatrixXd Phi_q = system_.dense(level_.Phi_q);
  const auto m = static_cast<Index>(rows_.size());
  MatrixXd S(n(), n());
  row_scales_.resize(m);
  for (Index r = 0; r < m; ++r) {
    S.row(r) = Phi_q.row(rows_[index(r)]).cwiseProduct(scales_.transpose());
    const double size = S.row(r).norm();
    if (!(size > 0.0)) return false;
    row_scales_[r] = 1.0 / size;
    S.row(r) /= size;
  }
  S.bottomRows(n() - m) = B_ * scales_.asDiagonal();
  if (!S.allFinite()) return false;
  if (n() > 0) lu_.compute(S);
  has_factors_ = n() == 0 || lu_.smallest_pivot() > 0.0;
  factored_ = level_q_;
  factored_t_ = level_t_;
  return has_factors_;
}

VectorXd FreedomChart::solve(const VectorXd& of_rows, const VectorXd& of_y) const {
  if (n() == 0) return VectorXd();
  const auto m = static_cast<Index>(rows_.size());
  VectorXd right(n());
  for (Index r = 0; r < m; ++r) right[r] = row_scales_[r] * of_rows[rows_[index(r)]];
  right.tail(n() - m) = of_y;
  return scales_.cwiseProduct(lu_.solve(right));
}

ChartStatus FreedomChart::close(const VectorXd& y, State& state) {
  Eigen::Map<VectorXd> q(state.q.data(), n());
  const Eigen::Map<const VectorXd> q0(centre_.q.data(), n());
  double last = 0.0;
  evaluate_rows(state.t, state.q);
  for (int i = 0;; ++i) {
    if (i == kMostIterations) return ChartStatus::kNotClosed;
    if (!factor()) return ChartStatus::kSingular;
    const VectorXd dq = solve(-level_.Phi, y - B_ * (q - q0));
    if (!dq.allFinite()) return ChartStatus::kSingular;
    q += dq;
    const double size = n() == 0 ? 0.0 : dq.cwiseQuotient(scales_).cwiseAbs().maxCoeff();
    if (i > 3 && size > last && size > kLastCorrection) return ChartStatus::kNotClosed;
    last = size;
    evaluate_rows(state.t, state.q);
    if (size <= kLastCorrection) return ChartStatus::kGood;
  }
}

void FreedomChart::follow_angles(State& state) {
  if (state.memory.angles.empty()) return;
  system_.evaluate_bodies(state.q, state.v, zero_, bodies_workspace_, bodies_);
  model_.forces().follow_angles(bodies_, state.memory.angles);
}

ChartStatus FreedomChart::take_centre(const State& state, bool is_named) {
  centre_ = state;
  kinematics::RowRank rank;
  for (int pass = 0; pass < 2; ++pass) {  // the tangent space where the state is; then where it is closed
    evaluate_rows(centre_.t, centre_.q);
    rank = kinematics::rank_rows_in_order(system_, level_.Phi_q);
    regularity_ = rank.least_independent / start_regularity_;
    if (rank.rank != static_cast<int>(rows_.size()) || regularity_ < kSingular) return ChartStatus::kSingular;
    rows_ = rank.independent_rows;
    B_ = rank.null_space.transpose() * scales_.cwiseInverse().asDiagonal();
    has_factors_ = false;
    if (pass == 1) break;
    State closed = centre_;
    if (const ChartStatus status = close(VectorXd::Zero(B_.rows()), closed); status != ChartStatus::kGood)
      return status;
    centre_ = closed;
  }
  follow_angles(centre_);
  if (states_follow_ && !follow_states(centre_)) return ChartStatus::kNotClosed;
  named_columns_.clear();
  if (is_named) {
    VectorXd weights = VectorXd::Ones(n());
    for (const structure::Input& input : model_.structure().inputs)
      if (input.variable)
        if (const auto column = system_.layout().column_of(*input.variable)) weights[*column] = kPreferInputs;
    named_columns_ = spanning_rows(rank.null_space, weights);
    B_.setZero();
    for (std::size_t k = 0; k < named_columns_.size(); ++k)
      B_(static_cast<Index>(k), named_columns_[k]) = 1.0;
    has_factors_ = false;
  }
  evaluate_rows(centre_.t, centre_.q);
  if (!factor()) return ChartStatus::kSingular;
  R_ = find_directions();
  return ChartStatus::kGood;
}

MatrixXd FreedomChart::find_directions() const {
  const Index f = B_.rows();
  if (n() == 0 || f == 0) return MatrixXd(n(), f);
  MatrixXd right = MatrixXd::Zero(n(), f);
  right.bottomRows(f).setIdentity();
  return scales_.asDiagonal() * lu_.solve(right);  // (1)
}

VectorXd FreedomChart::find_bias(const State& state) {
  if (rows_.empty()) return VectorXd::Zero(n());  // S does not depend on q
  system_.evaluate_gamma(level_, state.q, state.v, values_, gamma_workspace_, gamma_);
  return solve(gamma_, VectorXd::Zero(B_.rows()));  // (1)
}

ChartStatus FreedomChart::centre_at(const State& state) { return take_centre(state, false); }
ChartStatus FreedomChart::centre_at_named(const State& state) { return take_centre(state, true); }

ChartStatus FreedomChart::move(const VectorXd& y, const VectorXd& y_dot, State& out) {
  out = centre_;
  Eigen::Map<VectorXd>(out.q.data(), n()) += R_ * y;  // a first guess
  if (const ChartStatus status = close(y, out); status != ChartStatus::kGood) return status;
  if (!factor()) return ChartStatus::kSingular;
  const Eigen::Map<const VectorXd> v0(centre_.v.data(), n());
  Eigen::Map<VectorXd>(out.v.data(), n()) = solve(-level_.Phi_t, B_ * v0 + y_dot);  // (2)
  follow_angles(out);
  return !states_follow_ || follow_states(out) ? ChartStatus::kGood : ChartStatus::kNotClosed;
}

VectorXd FreedomChart::measured_states(const State& state) const {
  VectorXd xi(num_states());
  for (Index k = 0; k < xi.size(); ++k)
    xi[k] = state.memory.states[index(k)] / model_.mechanism().states()[index(k)].size;
  return xi;
}

void FreedomChart::set_states(const VectorXd& xi, State& state) const {
  for (Index k = 0; k < xi.size(); ++k)
    state.memory.states[index(k)] = xi[k] * model_.mechanism().states()[index(k)].size;
}

std::optional<VectorXd> FreedomChart::state_rates(const State& state) {
  std::vector<double> rates(index(num_states()));
  evaluate_rows(state.t, state.q);
  system_.evaluate_bodies(state.q, state.v, zero_, bodies_workspace_, bodies_);
  if (!model_.forces().evaluate_states(state.t, bodies_, state.memory, rates)) return std::nullopt;
  VectorXd out(num_states());
  for (Index k = 0; k < out.size(); ++k)
    out[k] = rates[index(k)] / model_.mechanism().states()[index(k)].size;
  return out;
}

std::optional<StateDerivatives> FreedomChart::differentiate_states(const State& state) {
  using Dual = core::Dual<double>;
  const Index s = num_states(), f = B_.rows();
  if (!apply_forces(state) || !factor()) return std::nullopt;
  const MatrixXd R = rows_.empty() ? R_ : find_directions();
  coordinates::MechanismMotionOf<Dual> bodies(bodies_.size());
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    bodies[b].X_WB = {core::Rotation<Dual>::from_known_matrix(bodies_[b].X_WB.R_AB.matrix().cast<Dual>()),
                      bodies_[b].X_WB.p_AB_A.cast<Dual>()};
    bodies[b].w_WB_W = bodies_[b].w_WB_W.cast<Dual>();
    bodies[b].v_WB_W = bodies_[b].v_WB_W.cast<Dual>();
  }
  StateDerivatives out{MatrixXd::Zero(f, s), MatrixXd::Zero(s, s)};
  std::vector<Dual> states(state.memory.states.begin(), state.memory.states.end()), rates(states.size());
  std::vector<WrenchOf<Dual>> wrenches(bodies.size());
  const std::vector<model::AuxiliaryState>& list = model_.mechanism().states();
  for (Index k = 0; k < s; ++k) {
    states[index(k)].derivative = list[index(k)].size;
    const ForceMemoryView<Dual> memory(state.memory, states);
    if (!model_.forces().evaluate_without_weights<Dual>(state.t, bodies, memory, wrenches, rates))
      return std::nullopt;
    for (std::size_t b = 0; b < wrenches.size(); ++b)
      for (int r = 0; r < 3; ++r) {
        wrenches_[b].force(r) = wrenches[b].force(r).derivative;
        wrenches_[b].torque(r) = wrenches[b].torque(r).derivative;
      }
    mass_->project(wrenches_, masses_);
    out.force.col(k) = R.transpose() * masses_.Q;
    for (Index r = 0; r < s; ++r) out.rate(r, k) = rates[index(r)].derivative / list[index(r)].size;
    states[index(k)].derivative = 0.0;
  }
  if (!out.force.allFinite() || !out.rate.allFinite()) return std::nullopt;
  return out;
}

bool FreedomChart::follow_states(State& state) {
  if (num_states() == 0) return true;
  VectorXd xi = measured_states(state);
  std::optional<VectorXd> rate = state_rates(state);
  for (int i = 0; rate && i < kMostStateSteps; ++i) {
    const std::optional<StateDerivatives> by = differentiate_states(state);
    if (!by) return false;
    const core::Lu lu(by->rate);
    if (!(lu.smallest_pivot() > 0.0)) return false;
    const VectorXd step = -lu.solve(*rate);
    if (!step.allFinite()) return false;
    const double before = rate->norm();
    for (double part = 1.0;; part *= 0.5) {  // until the rates are smaller
      set_states(xi + part * step, state);
      rate = state_rates(state);
      if (rate && (rate->norm() < before || before == 0.0)) break;
      if (part < 1e-3) {
        set_states(xi, state);
        return step.cwiseAbs().maxCoeff() <= 1e3 * kLastStateStep * (1.0 + xi.cwiseAbs().maxCoeff());
      }
    }
    xi = measured_states(state);
    if (step.cwiseAbs().maxCoeff() <= kLastStateStep * (1.0 + xi.cwiseAbs().maxCoeff())) return true;
  }
  return false;
}

bool FreedomChart::apply_forces(const State& state) {
  evaluate_rows(state.t, state.q);
  mass_->evaluate(state.q, state.v, model_.mechanism().gravity_W(), masses_);
  system_.evaluate_bodies(state.q, state.v, zero_, bodies_workspace_, bodies_);
  if (!model_.forces().evaluate_without_weights(state.t, bodies_, state.memory, wrenches_)) return false;
  mass_->project(wrenches_, masses_);
  return true;
}

core::ErrorText FreedomChart::why_not(const State& state) {
  if (!apply_forces(state)) return model_.forces().why_not(state.t, bodies_, state.memory);
  return {.what = "the position is singular",
          .where = "mechanism '" + model_.mechanism().name() + "'",
          .expected = "constraints that leave as many degrees of freedom as at nearby positions",
          .actual = "constraints that lose rank",
          .next = "Branches of motion meet there: move a little away from it."};
}

void FreedomChart::evaluate_or_throw(const State& state, FreedomForces& out) {
  if (evaluate(state, out) != ChartStatus::kGood) throw core::ModelError(why_not(state));
}

ChartStatus FreedomChart::evaluate(const State& state, FreedomForces& out) {
  if (!apply_forces(state)) return ChartStatus::kNoForce;
  const Index f = B_.rows();
  if (!factor()) return ChartStatus::kSingular;
  out.directions = find_directions();
  out.bias = find_bias(state);
  MatrixXd MR(n(), f);
  for (Index k = 0; k < f; ++k)
    mass_->multiply(masses_, {out.directions.col(k).data(), zero_.size()}, {MR.col(k).data(), zero_.size()});
  out.mass = out.directions.transpose() * MR;
  out.mass = (0.5 * (out.mass + out.mass.transpose())).eval();
  out.force = out.directions.transpose() * (masses_.Q - masses_.h) - MR.transpose() * out.bias;  // (2)
  return ChartStatus::kGood;
}

std::optional<VectorXd> FreedomChart::force_at(const VectorXd& y, const VectorXd& y_dot, bool with_states) {
  State state;
  if (move(y, y_dot, state) != ChartStatus::kGood) return std::nullopt;
  return force_at_state(state, with_states);
}

std::optional<VectorXd> FreedomChart::force_at_state(const State& state, bool with_states) {
  if (!apply_forces(state) || !factor()) return std::nullopt;
  const VectorXd bias = find_bias(state);
  VectorXd Mc = VectorXd::Zero(n());
  if (!bias.isZero(0.0)) mass_->multiply(masses_, {bias.data(), zero_.size()}, {Mc.data(), zero_.size()});
  const VectorXd pushed = masses_.Q - masses_.h - Mc;  // (2)
  VectorXd force = (rows_.empty() ? R_ : find_directions()).transpose() * pushed;
  if (!force.allFinite()) return std::nullopt;
  if (!with_states || num_states() == 0) return force;
  const std::optional<VectorXd> rates = state_rates(state);
  if (!rates) return std::nullopt;
  force.conservativeResize(force.size() + rates->size());
  force.tail(rates->size()) = *rates;
  return force;
}

void FreedomChart::evaluate_bodies(const State& state, std::span<const double> a, MechanismMotion& out) {
  system_.evaluate_bodies(state.q, state.v, a, bodies_workspace_, out);
}

void FreedomChart::evaluate_displacement(const State& state, const VectorXd& dq, MechanismMotion& out) {
  system_.evaluate_bodies(state.q, {dq.data(), zero_.size()}, zero_, bodies_workspace_, out);
}

double FreedomChart::size_of(const State& state, const VectorXd& dq) {
  evaluate_displacement(state, dq, bodies_);
  double largest = 0.0;
  for (const coordinates::BodyMotion& body : bodies_)
    largest = std::max({largest, body.w_WB_W.norm(), body.v_WB_W.norm() / length_});
  return largest;
}

VectorXd FreedomChart::force_scales(const State& state, const MatrixXd& directions) {
  if (!apply_forces(state)) throw core::ModelError(why_not(state));
  const double g = model_.mechanism().gravity_W().norm();
  MechanismMotion moving(bodies_.size());
  VectorXd scales(directions.cols());
  for (Index k = 0; k < directions.cols(); ++k) {
    evaluate_displacement(state, directions.col(k), moving);
    double sum = 0.0;
    for (std::size_t b = 1; b < moving.size(); ++b) {
      const double turn = moving[b].w_WB_W.norm();
      sum += (wrenches_[b].force.norm() + model_.mechanism().bodies()[b].mass_properties.mass * g) *
                 (moving[b].v_WB_W.norm() + length_ * turn) +
             wrenches_[b].torque.norm() * turn;
    }
    scales[k] = sum;
  }
  return scales;
}

double FreedomChart::force_scale(const State& state, const MatrixXd& directions) {
  const VectorXd scales = force_scales(state, directions);
  return scales.size() > 0 ? scales.maxCoeff() : 0.0;
}

double FreedomChart::constraint_error(const State& state) {
  evaluate_rows(state.t, state.q);
  double largest = 0.0;
  for (int r = 0; r < system_.num_rows(); ++r)
    largest = std::max(largest, std::abs(level_.Phi[r]) * (system_.row_is_length(r) ? 1.0 : length_));
  return largest;
}

}  // namespace eslabon::dynamics
