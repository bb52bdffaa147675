#include "eslabon/dynamics/statics/equilibrium_walk.hpp"

#include <algorithm>

#include "eslabon/core/linalg/eigenvalues.hpp"
#include "eslabon/core/linalg/lu.hpp"
#include "eslabon/core/linalg/singular_values.hpp"
#include "eslabon/dynamics/statics/own_sizes.hpp"

namespace eslabon::dynamics {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int kMostIterations = 200;
constexpr int kMostHalvings = 12;
constexpr double kLargestMove = 0.5;  // of a body in one step: rad, or of the mechanism's reach
constexpr double kQuickStep = 1e-4;   // of differences on the way

/// K⁺ f, and what it leaves of f (y's own).
struct LeastStep {
  VectorXd dy;
  VectorXd rest;
};

LeastStep least_step(const OwnSizes& own) {
  const core::SingularValues svd = core::full_singular_values(own.K);
  VectorXd in_basis = svd.U.transpose() * own.f, left = VectorXd::Zero(own.f.size());
  for (Index i = 0; i < in_basis.size(); ++i) {
    if (svd.values[i] > kNoStiffness) {
      in_basis[i] /= svd.values[i];
    } else {
      left += in_basis[i] * svd.U.col(i);
      in_basis[i] = 0.0;
    }
  }
  return {own.s.cwiseProduct(svd.V * in_basis), left.cwiseQuotient(own.s).cwiseAbs()};
}

/// (2)
VectorXd pushed_step(const OwnSizes& own) {
  constexpr double kSmall = 1e-6;
  const core::SymmetricEigen solver = core::symmetric_eigen(0.5 * (own.K + own.K.transpose()));
  const VectorXd& lambda = solver.values;
  if (lambda.minCoeff() > kSmall)  // Newton's, with the whole of K
    return own.s.cwiseProduct(core::Lu(own.K).solve(own.f));
  const VectorXd part = solver.vectors.transpose() * own.f;
  return own.s.cwiseProduct(solver.vectors * part.cwiseQuotient(lambda.cwiseAbs().cwiseMax(kSmall)));
}

}  // namespace

std::optional<MatrixXd> quick_stiffness(FreedomChart& chart) {
  const Index f = chart.num_freedoms();
  const VectorXd zero = VectorXd::Zero(f);
  MatrixXd K(f, f);
  for (Index k = 0; k < f; ++k) {
    const auto right = chart.force_at(kQuickStep * VectorXd::Unit(f, k), zero),
               left = chart.force_at(-kQuickStep * VectorXd::Unit(f, k), zero);
    if (!right || !left) return std::nullopt;
    K.col(k) = (*left - *right) / (2.0 * kQuickStep);
  }
  return K;
}

EquilibriumReport::Status EquilibriumWalk::run(const State& start) {
  State state = start;
  for (iterations_ = 0; iterations_ < kMostIterations; ++iterations_) {
    if (chart_.centre_at(state) != ChartStatus::kGood) return EquilibriumReport::Status::kSingular;
    if (!look()) return EquilibriumReport::Status::kNoForce;
    if (patience_ > 0 && since_least_ >= patience_) return EquilibriumReport::Status::kNotFound;
    const auto K = quick_stiffness(chart_);
    if (!K) return EquilibriumReport::Status::kNotFound;
    const OwnSizes own(*K, forces_.force, acting_);
    const LeastStep newton = least_step(own);
    if (scale_ == 0.0 || (chart_.size_of(chart_.centre(), forces_.directions * newton.dy) <= kLastStep &&
                          (newton.rest.array() <= kBalanced * acting_.array()).all())) {
      return polish() ? EquilibriumReport::Status::kFound : EquilibriumReport::Status::kNoForce;
    }
    const VectorXd dy = way_ == Way::kPushed ? pushed_step(own) : newton.dy;
    if (!step(dy, own.s, state))
      return blocked_ ? EquilibriumReport::Status::kSingular : EquilibriumReport::Status::kNotFound;
  }
  return EquilibriumReport::Status::kNotFound;
}

bool EquilibriumWalk::look() {
  if (chart_.evaluate(chart_.centre(), forces_) != ChartStatus::kGood) return false;
  acting_ = chart_.force_scales(chart_.centre(), forces_.directions);
  reach_ = reach();
  scale_ = std::max(scale_, acting_.maxCoeff());
  acting_ = acting_.cwiseMax(kLeastScale * scale_);
  const double force = forces_.force.norm();
  ++since_least_;
  if (least_.q.empty() || force < least_force_) {
    since_least_ = 0;
    least_force_ = force;
    least_ = chart_.centre();
  }
  return true;
}

double EquilibriumWalk::reach() {
  bodies_.resize(chart_.model().mechanism().bodies().size());
  chart_.evaluate_displacement(chart_.centre(), VectorXd::Zero(chart_.n()), bodies_);
  Eigen::Vector3d least = bodies_.back().X_WB.p_AB_A, most = least;
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    least = least.cwiseMin(bodies_[b].X_WB.p_AB_A);
    most = most.cwiseMax(bodies_[b].X_WB.p_AB_A);
  }
  return std::max(chart_.length(), (most - least).norm());
}

double EquilibriumWalk::largest_move(const VectorXd& dq) {
  chart_.evaluate_displacement(chart_.centre(), dq, bodies_);
  double largest = 0.0;
  for (const coordinates::BodyMotion& body : bodies_)
    largest = std::max({largest, body.w_WB_W.norm(), body.v_WB_W.norm() / reach_});
  return largest;
}

bool EquilibriumWalk::step(VectorXd dy, const VectorXd& s, State& state) {
  blocked_ = false;
  const double size = largest_move(forces_.directions * dy);
  if (!(size > 1e-14)) return false;
  if (size > kLargestMove) dy *= kLargestMove / size;
  const VectorXd zero = VectorXd::Zero(dy.size());
  const double push = forces_.force.dot(dy), force = forces_.force.cwiseProduct(s).norm();
  double part = 1.0;
  for (int i = 0; i < kMostHalvings; ++i, part *= 0.5) {
    const auto there = chart_.force_at(part * dy, zero);
    if (!there) {
      blocked_ = true;
      continue;
    }
    const bool is_good = way_ == Way::kPushed ? there->dot(dy) >= -0.5 * push
                                              : there->cwiseProduct(s).norm() <= (1.0 - 1e-4 * part) * force;
    if (is_good) return chart_.move(part * dy, zero, state) == ChartStatus::kGood;
  }
  return false;
}

bool EquilibriumWalk::polish() {
  found_ = chart_.centre();
  for (int i = 0; i < 5; ++i) {
    const auto K = quick_stiffness(chart_);
    if (!K) return true;
    const OwnSizes own(*K, forces_.force, acting_);
    State state;
    if (chart_.move(least_step(own).dy, VectorXd::Zero(K->rows()), state) != ChartStatus::kGood ||
        chart_.centre_at(state) != ChartStatus::kGood)
      return true;
    if (chart_.evaluate(chart_.centre(), forces_) != ChartStatus::kGood) return false;
    if (!(forces_.force.cwiseProduct(own.s).norm() < own.f.norm())) return true;
    found_ = chart_.centre();
  }
  return true;
}

}  // namespace eslabon::dynamics
