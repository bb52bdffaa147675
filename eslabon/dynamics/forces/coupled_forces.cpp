#include "eslabon/dynamics/forces/coupled_forces.hpp"

#include <algorithm>
#include <cmath>

#include "eslabon/core/linalg/orthogonal.hpp"

namespace eslabon::dynamics {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kHoldRate = 20.0;  // κ of (1) [1/s]
constexpr double kNoHold = 1e-11;   // of accelerations

double largest(std::span<const double> values) {
  double result = 0.0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

}  // namespace

CoupledForces::CoupledForces(const DynamicModel& model, Formulation& formulation)
    : model_(model),
      formulation_(formulation),
      has_loads_(!model.forces().loaded_joints().empty()),
      bodies_(model.mechanism().bodies().size()) {
  if (has_loads_) reactions_ = std::make_unique<Reactions>(model);
}

std::optional<Gap> CoupledForces::find_gap(const State& state, std::span<const double> a, std::size_t side) {
  formulation_.evaluate_bodies(state, a, bodies_);
  return model_.forces().find_gap(model_.forces().rigid_sides()[side], state.t, bodies_, state.memory);
}

DynamicsStatus CoupledForces::respond(const State& state, std::size_t side, std::span<double> change) {
  a_free_.resize(state.q.size());
  z_ddot_.resize(static_cast<std::size_t>(formulation_.num_integrated()));
  trial_ = state;
  std::ranges::fill(trial_.memory.holds, 0.0);
  if (const auto status = formulation_.accelerate(trial_, a_free_, z_ddot_);
      status != DynamicsStatus::kSolved)
    return status;
  // An effort that is seen beside what acts already, whatever the masses are.
  const double seen = 1.0 + largest(a_free_);
  double effort = seen;
  for (int i = 0; i < 2; ++i) {
    trial_.memory.holds[side] = effort;
    if (const auto status = formulation_.accelerate(trial_, change, z_ddot_);
        status != DynamicsStatus::kSolved)
      return status;
    for (std::size_t k = 0; k < change.size(); ++k) change[k] = (change[k] - a_free_[k]) / effort;
    const double size = largest(change) * effort;
    if (size == 0.0 || (size > 1e-2 * seen && size < 1e2 * seen)) break;
    effort *= seen / size;
  }
  return DynamicsStatus::kSolved;
}

// Seed000 eq. 5
DynamicsStatus CoupledForces::hold(State& state, std::span<double> a, std::span<double> z_ddot) {
  std::ranges::fill(state.memory.holds, 0.0);
  if (const auto status = formulation_.accelerate(state, a, z_ddot); status != DynamicsStatus::kSolved)
    return status;
  held_.clear();
  for (std::size_t k = 0; k < state.memory.rests.size(); ++k)
    if (state.memory.rests[k]) held_.push_back(k);
  if (held_.empty()) return DynamicsStatus::kSolved;

  const auto n = static_cast<Index>(held_.size());
  const double seen = 1.0 + largest(a);
  MatrixXd response(n, n);
  VectorXd missing(n), free(n);
  for (Index i = 0; i < n; ++i) {
    const std::optional<Gap> now = find_gap(state, a, held_[static_cast<std::size_t>(i)]);
    if (!now) return DynamicsStatus::kNoValue;
    free[i] = now->acceleration;
    missing[i] = -kHoldRate * (2.0 * now->rate + kHoldRate * now->gap) - now->acceleration;
  }
  a_.resize(a.size());
  for (Index j = 0; j < n; ++j) {
    if (const auto status = respond(state, held_[static_cast<std::size_t>(j)], a_);
        status != DynamicsStatus::kSolved)
      return status;
    const double size = largest(a_), effort = size > 0.0 ? seen / size : 1.0;
    for (std::size_t k = 0; k < a_.size(); ++k) a_[k] = a[k] + effort * a_[k];
    for (Index i = 0; i < n; ++i) {
      const std::optional<Gap> pushed = find_gap(state, a_, held_[static_cast<std::size_t>(i)]);
      if (!pushed) return DynamicsStatus::kNoValue;
      response(i, j) = (pushed->acceleration - free[i]) / effort;
    }
  }
  // Stops that hold one another share what there is to hold.
  const VectorXd holds = core::solve_least_norm(response, missing);  // (1)
  for (Index i = 0; i < n; ++i)  // what is roundoff holds nothing, and lets nothing go
    state.memory.holds[held_[static_cast<std::size_t>(i)]] =
        std::abs(holds[i] * response(i, i)) <= kNoHold * seen ? 0.0 : holds[i];
  return formulation_.accelerate(state, a, z_ddot);
}

bool CoupledForces::find_loads(const State& state, std::span<const double> a, std::vector<double>& found) {
  formulation_.evaluate_bodies(state, a, bodies_);
  if (!reactions_->solve(state.t, bodies_, state.memory)) return false;
  const std::vector<model::JointIndex>& joints = model_.forces().loaded_joints();
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const JointReaction& reaction = reactions_->joints()[joints[k].slot()];
    found[k] = friction_load(model_.mechanism().joint(joints[k]), reaction, bodies_);
    const auto& is_unique = reaction.is_unique_W;
    if (!(is_unique[0] && is_unique[1] && is_unique[2]) &&
        std::ranges::find(uncertain_, joints[k]) == uncertain_.end())
      uncertain_.push_back(joints[k]);
  }
  return true;
}

DynamicsStatus CoupledForces::accelerate(State& state, std::span<double> a, std::span<double> z_ddot) {
  if (!is_needed()) return formulation_.accelerate(state, a, z_ddot);
  if (!has_loads_) return hold(state, a, z_ddot);
  loads_ = state.memory.loads;
  return solve_loads(loads_,
                     [&](const std::vector<double>& loads, std::vector<double>& found, double& scale) {
                       state.memory.loads = loads;
                       const DynamicsStatus held = hold(state, a, z_ddot);
                       if (held != DynamicsStatus::kSolved) return held;
                       if (!find_loads(state, a, found)) return DynamicsStatus::kNoValue;
                       scale = largest_force(reactions_->joints());
                       return DynamicsStatus::kSolved;
                     });  // (2)
}

}  // namespace eslabon::dynamics
