#include "eslabon/dynamics/formulations/constrained_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "eslabon/dynamics/formulations/state_of_bodies.hpp"
#include "eslabon/kinematics/assembly/least_squares.hpp"
#include "eslabon/kinematics/freedoms/rolling_rank.hpp"
#include "eslabon/kinematics/freedoms/row_rank.hpp"
#include "eslabon/kinematics/global/sparse_elimination.hpp"

namespace eslabon::dynamics {

using coordinates::MechanismMotion;

ConstrainedMotion::ConstrainedMotion(std::string_view kind, const DynamicModel& model)
    : model_(model),
      system_(kind, model.mechanism(), model.structure(), model.prescribed()),
      rolling_(system_),
      mass_(make_masses(system_)),
      length_(coordinates::length_scale(model.mechanism())),
      values_(model.prescribed().size()),
      bodies_(model.mechanism().bodies().size()),
      wrenches_(model.mechanism().bodies().size()),
      state_rates_(model.mechanism().states().size()),
      zero_(static_cast<std::size_t>(system_.num_coordinates()), 0.0) {
  const State start = state_of(model.start(), 0.0);
  evaluate_rows_or_throw(start);
  for (const coordinates::Coordinate& coordinate : system_.coordinates())
    scales_.push_back(coordinate.dimension == core::kLength ? length_ : 1.0);
  std::vector<int> all(static_cast<std::size_t>(system_.num_rows()));
  std::iota(all.begin(), all.end(), 0);
  rows_ = system_.num_rows() <= kinematics::kMostDenseRows
              ? kinematics::rank_rows_in_order(system_, level_.Phi_q).independent_rows
              : kinematics::eliminate_rows(system_.pattern(), level_.Phi_q, scales_, all).independent_rows;
  rolling_rows_ = kinematics::independent_rolling_rows(system_, level_.Phi_q, rolling_, rolling_level_);
}

std::string ConstrainedMotion::description() const {
  const auto counted = [](int count, const std::string& word) {
    return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
  };
  const int repeated = system_.num_rows() - static_cast<int>(rows_.size());
  return std::string(system_.layout().name()) + ": " + counted(n(), "coordinate") + ", " +
         counted(system_.num_rows(), "constraint row") +
         (repeated == 0 ? "" : " (" + std::to_string(repeated) + " redundant)") + ", " +
         counted(num_freedoms(), "DOF") +
         (rolling_.is_empty()
              ? ""
              : " in position, " + std::to_string(num_freedoms() - static_cast<int>(rolling_rows_.size())) +
                    " in velocity by rolling");
}

bool ConstrainedMotion::evaluate_rows(double t, std::span<const double> q) {
  if (!model_.evaluate_drivers(t, values_)) return false;
  system_.evaluate_positions(q, values_, level_);
  rolling_.evaluate(q, rolling_level_);
  return rolling_.is_empty() || !rolling_.find_flat_disc(rolling_level_);
}

void ConstrainedMotion::evaluate_mass(std::span<const double> q, std::span<const double> v) {
  mass_->evaluate(q, v, Eigen::Vector3d::Zero(), masses_);
}

// Seed002 eq. 6, eq. 22
bool ConstrainedMotion::evaluate(const State& state) {
  StepTimer& timer = masses_.timer;
  timer.begin();
  if (!evaluate_rows(state.t, state.q)) return false;
  timer.lap(SemiRecursiveStep::kConstraints);
  system_.evaluate_gamma(level_, state.q, state.v, values_, gamma_workspace_, gamma_);
  rolling_.evaluate_gamma(state.q, state.v, rolling_level_);
  timer.lap(SemiRecursiveStep::kBias);
  mass_->evaluate(state.q, state.v, model_.mechanism().gravity_W(), masses_);
  if (model_.forces().has_weights_only()) {
    masses_.Q.setZero(n());
    return true;
  }
  system_.evaluate_bodies(state.q, state.v, zero_, bodies_workspace_, bodies_);
  if (!model_.forces().evaluate_without_weights(state.t, bodies_, state.memory, wrenches_, state_rates_))
    return false;
  timer.lap(SemiRecursiveStep::kForces);
  mass_->project(wrenches_, masses_);
  return true;
}

core::ErrorText ConstrainedMotion::why_not(const State& state) {
  if (std::optional<core::ErrorText> text = model_.why_no_drivers(state.t)) return std::move(*text);
  if (!rolling_.is_empty()) {
    rolling_.evaluate(state.q, rolling_level_);
    if (const auto joint = rolling_.find_flat_disc(rolling_level_))
      return coordinates::flat_disc_text(model_.mechanism(), *joint);
    if (const auto row = find_slipping_row(state))
      return {.what = "discs cannot all roll any more",
              .where = coordinates::describe_row(system_, rolling_, *row),
              .expected = "discs that roll without slipping, as at the start",
              .actual = "one that would have to slip",
              .next = "Where discs on one axis are steered or lean, give each its own degree of freedom."};
  }
  system_.evaluate_bodies(state.q, state.v, zero_, bodies_workspace_, bodies_);
  return model_.forces().why_not(state.t, bodies_, state.memory);
}

void ConstrainedMotion::evaluate_rows_or_throw(const State& state) {
  if (!evaluate_rows(state.t, state.q)) throw core::ModelError(why_not(state));
}

void ConstrainedMotion::evaluate_or_throw(const State& state) {
  if (!evaluate(state)) throw core::ModelError(why_not(state));
}

State ConstrainedMotion::state_of(const MechanismMotion& bodies, double t) const {
  return state_of_bodies(model_, system_, bodies, t);
}

void ConstrainedMotion::evaluate_bodies(const State& state, std::span<const double> a, MechanismMotion& out) {
  system_.evaluate_bodies(state.q, state.v, a, bodies_workspace_, out);
}

double ConstrainedMotion::constraint_error(const State& state) {
  evaluate_rows_or_throw(state);
  return kinematics::scaled_residual(system_, level_.Phi, length_) * length_;
}

double ConstrainedMotion::scaled_norm(std::span<const double> dq) const {
  double largest = 0.0;
  for (std::size_t c = 0; c < dq.size(); ++c) largest = std::max(largest, std::abs(dq[c]) / scales_[c]);
  return largest;
}

std::optional<int> ConstrainedMotion::find_slipping_row(const State& state) const {
  constexpr double kSlips = 1e-6;  // of the largest speed
  if (rolling_.size() == static_cast<int>(rolling_rows_.size())) return std::nullopt;
  const Eigen::Map<const Eigen::VectorXd> v(state.v.data(), n());
  const double speed = scaled_norm(state.v) * length_;
  for (int r = 0; r < rolling_.size(); ++r)
    if (std::abs(rolling_level_.A.row(r).dot(v)) > kSlips * speed) return r;
  return std::nullopt;
}

void ConstrainedMotion::follow_angles(State& state) {
  if (state.memory.angles.empty()) return;
  system_.evaluate_bodies(state.q, state.v, zero_, bodies_workspace_, bodies_);
  model_.forces().follow_angles(bodies_, state.memory.angles);
}

}  // namespace eslabon::dynamics
