#include "eslabon/estimation/kalman/gaussian_filter.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/estimation/estimator_checks.hpp"

namespace eslabon::estimation {

Eigen::Index most_channels(const System& system) {
  Eigen::Index most = 0;
  for (int s = 0; s < system.num_sensors(); ++s) most = std::max(most, system.num_channels(s));
  return most;
}

void read_unknown_scales(const System& system, Eigen::VectorXd& out) {
  for (Eigen::Index k = 0; k < out.size(); ++k) {
    const StateInfo& state = system.states()[static_cast<std::size_t>(k)];
    if (!(std::isfinite(state.unknown_scale) && state.unknown_scale > 0.0))
      throw core::ContractError({.what = "a state without a scale",
                                 .where = "state '" + state.name + "'",
                                 .expected = "a positive unknown_scale",
                                 .actual = core::number_text(state.unknown_scale),
                                 .next = "Give the deviation that means \"nothing is known\"."});
    out(k) = state.unknown_scale;
  }
}

GaussianFilter::GaussianFilter(System& system)
    : system_(system),
      root_(system.num_states(), most_channels(system)),
      x_(Eigen::VectorXd::Zero(system.num_states())),
      x_next_(x_),
      dx_(x_),
      unknown_(x_),
      overflow_(x_),
      P_(Eigen::MatrixXd::Zero(x_.size(), x_.size())),
      T_(P_),
      product_(P_) {
  read_unknown_scales(system, unknown_);
  overflow_ = kOverflow * unknown_;
  has_factors_ = std::ranges::any_of(system.states(), &StateInfo::is_factor);
  linear_.F = Eigen::MatrixXd::Identity(x_.size(), x_.size());
  linear_.Q_w = P_;
  for (int s = 0; s < system.num_sensors(); ++s) {
    const Eigen::Index m = system.num_channels(s);
    linear_.H.emplace_back(Eigen::MatrixXd::Zero(m, x_.size()));
    linear_.R_n.emplace_back(Eigen::MatrixXd::Zero(m, m));
  }
}

bool GaussianFilter::start(double t, const Eigen::VectorXd& x, const Eigen::MatrixXd& P) {
  check_start_size(num_states(), x, P);
  if (!root_.propose(P)) refuse_start_covariance();
  if (!std::isfinite(t) || !x.allFinite() || !system_.accept(t, x)) return false;
  root_.commit();
  t_ = t;
  x_ = x;
  return true;
}

void GaussianFilter::inflate(double factor) {
  check_inflation(factor);
  root_.inflate(factor, unknown_);
}

const Eigen::MatrixXd& GaussianFilter::covariance() {
  root_.read(P_);
  return P_;
}

void GaussianFilter::wrap(int sensor, StateRef difference) const {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  for (Eigen::Index k = 0; k < difference.size(); ++k) {
    if (!system_.is_angle(sensor, k)) continue;
    difference(k) = std::remainder(difference(k), kTurn);  // [−π, π]
    if (difference(k) <= -std::numbers::pi) difference(k) += kTurn;
  }
}

bool GaussianFilter::is_within_bounds(const Eigen::VectorXd& x) const {
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const StateInfo& state = system_.states()[static_cast<std::size_t>(k)];
    if (!(x(k) >= state.least && x(k) <= state.most)) return false;  // what is not finite is neither
  }
  return x.allFinite();
}

bool GaussianFilter::commit_prediction(double h) {
  if (!is_within_bounds(x_next_) || !system_.accept(t_ + h, x_next_)) return false;
  t_ += h;
  x_.swap(x_next_);
  root_.commit();
  if (system_.choose_coordinates(t_, x_, T_)) {
    if (!(x_.allFinite() && T_.allFinite() && root_.transform(T_)))
      throw core::ContractError({.what = "new coordinates without numbers",
                                 .where = "estimator",
                                 .expected = "finite x and T",
                                 .actual = "others",
                                 .next = "This is an error in the system's choose_coordinates."});
    root_.commit();
    ++linear_.num_choices;
    product_.noalias() = T_.lazyProduct(linear_.F);
    linear_.F = product_;
    product_.noalias() = T_.lazyProduct(linear_.Q_w);
    linear_.Q_w.noalias() = product_.lazyProduct(T_.transpose());
    read_unknown_scales(system_, unknown_);
    overflow_ = kOverflow * unknown_;
  }
  root_.limit(overflow_);
  return true;
}

UpdateReport GaussianFilter::judge(ConstStateRef innovation, double gate) {
  if (!innovation.allFinite()) return {.status = UpdateReport::Status::kFailed};
  const double nis = root_.normalised_square(innovation);
  if (!(nis <= gate)) return {.status = UpdateReport::Status::kOutlier, .nis = nis};
  root_.correction(dx_);
  if (!dx_.allFinite()) return {.status = UpdateReport::Status::kFailed, .nis = nis};
  return {.status = UpdateReport::Status::kAccepted, .nis = nis};
}

// With λ = log θ a reading that has H_θ and K ν = dx in θ has H_λ = θ H_θ and dx/θ in λ, so that
//   θ⁺ = θ exp(dx/θ),   σ_θ⁺ = σ_λ⁺ θ⁺ = σ (θ⁺/θ)      with σ of the candidate, which is that of θ                  (1)
// is what a filter of λ does: θ stays positive, and rows of the root grow with it.
void GaussianFilter::correct_factors() {
  T_.setIdentity();
  for (Eigen::Index k = 0; k < x_.size(); ++k) {
    const StateInfo& state = system_.states()[static_cast<std::size_t>(k)];
    if (!state.is_factor || !(x_(k) > 0.0)) continue;
    x_next_(k) = std::clamp(x_(k) * std::exp(dx_(k) / x_(k)), state.least, state.most);
    T_(k, k) = x_next_(k) / x_(k);
  }
}

// Seed003 eq. 20d
bool GaussianFilter::commit_correction() {
  x_next_ = x_ + dx_;
  if (has_factors_) correct_factors();
  if (!is_within_bounds(x_next_) || !system_.accept(t_, x_next_)) return false;
  x_.swap(x_next_);
  root_.commit();
  if (has_factors_ && root_.transform(T_)) root_.commit();
  return true;
}

}  // namespace eslabon::estimation
