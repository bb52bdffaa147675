#include "eslabon/dynamics/coupled_forces.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>

namespace eslabon::dynamics {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kHoldRate = 20.0;    // κ of (1) [1/s]
constexpr double kSameLoad = 1e-13;   // of the largest
constexpr int kMostRepetitions = 12;  // of (2), before Newton
constexpr int kMostCorrections = 12;  // by Newton
constexpr double kDifference = 1e-6;  // of the largest load

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
      bodies_(model.mechanism().bodies().size()),
      found_(model.forces().loaded_joints().size()) {
  if (has_loads_) reactions_ = std::make_unique<Reactions>(model);
}

Gap CoupledForces::gap(const State& state, std::span<const double> a, std::size_t side) {
  formulation_.evaluate_bodies(state, a, bodies_);
  return model_.forces().gap(model_.forces().rigid_sides()[side], state.t, bodies_, state.memory);
}

DynamicsStatus CoupledForces::respond(const State& state, std::size_t side, std::span<double> change) {
  a_free_.resize(state.q.size());
  z_ddot_.resize(static_cast<std::size_t>(formulation_.num_integrated()));
  trial_ = state;
  std::ranges::fill(trial_.memory.holds, 0.0);
  if (const auto status = formulation_.accelerate(trial_, a_free_, z_ddot_);
      status != DynamicsStatus::kSolved)
    return status;
  // Large enough to be seen beside what acts already.
  const double effort = 1.0 + largest(a_free_);
  trial_.memory.holds[side] = effort;
  if (const auto status = formulation_.accelerate(trial_, change, z_ddot_); status != DynamicsStatus::kSolved)
    return status;
  for (std::size_t k = 0; k < change.size(); ++k) change[k] = (change[k] - a_free_[k]) / effort;
  return DynamicsStatus::kSolved;
}

DynamicsStatus CoupledForces::hold(State& state, std::span<double> a, std::span<double> z_ddot) {
  std::ranges::fill(state.memory.holds, 0.0);
  if (const auto status = formulation_.accelerate(state, a, z_ddot); status != DynamicsStatus::kSolved)
    return status;
  held_.clear();
  for (std::size_t k = 0; k < state.memory.rests.size(); ++k)
    if (state.memory.rests[k]) held_.push_back(k);
  if (held_.empty()) return DynamicsStatus::kSolved;

  const auto n = static_cast<Index>(held_.size());
  MatrixXd response(n, n);
  VectorXd missing(n);
  for (Index i = 0; i < n; ++i) {
    const Gap free = gap(state, a, held_[static_cast<std::size_t>(i)]);
    missing[i] = -kHoldRate * (2.0 * free.rate + kHoldRate * free.gap) - free.acceleration;
  }
  a_.resize(a.size());
  for (Index j = 0; j < n; ++j) {
    if (const auto status = respond(state, held_[static_cast<std::size_t>(j)], a_);
        status != DynamicsStatus::kSolved)
      return status;
    for (std::size_t k = 0; k < a_.size(); ++k) a_[k] += a[k];
    for (Index i = 0; i < n; ++i)
      response(i, j) = gap(state, a_, held_[static_cast<std::size_t>(i)]).acceleration;
  }
  for (Index i = 0; i < n; ++i) {
    const double free = gap(state, a, held_[static_cast<std::size_t>(i)]).acceleration;
    for (Index j = 0; j < n; ++j) response(i, j) -= free;
  }
  // Stops that hold one another share what there is to hold.
  const VectorXd holds = response.completeOrthogonalDecomposition().solve(missing);  // (1)
  for (Index i = 0; i < n; ++i) state.memory.holds[held_[static_cast<std::size_t>(i)]] = holds[i];
  return formulation_.accelerate(state, a, z_ddot);
}

void CoupledForces::find_loads(const State& state, std::span<const double> a) {
  formulation_.evaluate_bodies(state, a, bodies_);
  reactions_->solve(state.t, bodies_, state.memory);
  const std::vector<model::JointIndex>& joints = model_.forces().loaded_joints();
  for (std::size_t k = 0; k < joints.size(); ++k)
    found_[k] =
        friction_load(model_.mechanism().joint(joints[k]), reactions_->joints()[joints[k].slot()], bodies_);
}

DynamicsStatus CoupledForces::accelerate(State& state, std::span<double> a, std::span<double> z_ddot) {
  if (!is_needed()) return formulation_.accelerate(state, a, z_ddot);
  for (int i = 0; i < kMostRepetitions + kMostCorrections; ++i) {
    if (const auto status = hold(state, a, z_ddot); status != DynamicsStatus::kSolved || !has_loads_)
      return status;
    find_loads(state, a);
    double change = 0.0;
    for (std::size_t k = 0; k < found_.size(); ++k)
      change = std::max(change, std::abs(found_[k] - state.memory.loads[k]));
    if (!std::isfinite(change)) return DynamicsStatus::kJammed;
    if (change <= kSameLoad * largest(found_)) return DynamicsStatus::kSolved;
    before_ = state.memory.loads;
    if (i < kMostRepetitions) {
      state.memory.loads = found_;  // (2)
    } else if (const auto status = correct(state, before_); status != DynamicsStatus::kSolved) {
      return status;
    }
  }
  return DynamicsStatus::kJammed;
}

DynamicsStatus CoupledForces::correct(State& state, std::span<const double> loads) {
  const auto n = static_cast<Index>(loads.size());
  const std::vector<double> base = found_;
  const double step = kDifference * std::max(largest(loads), largest(base));
  MatrixXd J = MatrixXd::Identity(n, n);
  std::vector<double> a(state.q.size()), z_ddot(static_cast<std::size_t>(formulation_.num_integrated()));
  State moved = state;
  for (Index j = 0; j < n; ++j) {
    moved.memory = state.memory;
    moved.memory.loads[static_cast<std::size_t>(j)] += step;
    if (const auto status = hold(moved, a, z_ddot); status != DynamicsStatus::kSolved) return status;
    find_loads(moved, a);
    for (Index i = 0; i < n; ++i)
      J(i, j) -= (found_[static_cast<std::size_t>(i)] - base[static_cast<std::size_t>(i)]) / step;
  }
  VectorXd defect(n);
  for (Index i = 0; i < n; ++i)
    defect[i] = base[static_cast<std::size_t>(i)] - loads[static_cast<std::size_t>(i)];
  const VectorXd change = J.colPivHouseholderQr().solve(defect);
  for (Index i = 0; i < n; ++i)
    state.memory.loads[static_cast<std::size_t>(i)] =
        std::max(0.0, loads[static_cast<std::size_t>(i)] + change[i]);
  return DynamicsStatus::kSolved;
}

}  // namespace eslabon::dynamics
