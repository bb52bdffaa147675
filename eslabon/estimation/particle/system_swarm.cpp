#include "eslabon/estimation/particle/system_swarm.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "eslabon/estimation/kalman/covariance_root.hpp"
#include "eslabon/estimation/kalman/gaussian_filter.hpp"

namespace eslabon::estimation {

using Eigen::Index;

Eigen::VectorXd sizes_of_states(const System& system) {
  double length = 1.0;
  for (const StateInfo& state : system.states())
    if (state.dimension == core::kLength && !state.is_rate) length = state.unknown_scale;
  Eigen::VectorXd sizes = Eigen::VectorXd::Ones(system.num_states());
  for (Index k = 0; k < sizes.size(); ++k) {
    const core::Dimension& dimension = system.states()[static_cast<std::size_t>(k)].dimension;
    if (dimension == core::kLength || dimension == core::kVelocity) sizes(k) = length;
  }
  return sizes;
}

SystemSwarm::SystemSwarm(System& system)
    : system_(system),
      size_(sizes_of_states(system)),
      x_(Eigen::VectorXd::Zero(system.num_states())),
      y_(Eigen::VectorXd::Zero(most_channels(system))),
      noise_(x_),
      Q_w_(Eigen::MatrixXd::Zero(x_.size(), x_.size())),
      last_Q_w_(Q_w_),
      root_(Q_w_) {}

void SystemSwarm::load(Lanes lanes, std::size_t i) const {
  for (Index k = 0; k < x_.size(); ++k) x_(k) = lanes.array(static_cast<int>(k))[i];
}

void SystemSwarm::store(Lanes lanes, std::size_t i) const {
  for (Index k = 0; k < x_.size(); ++k) lanes.array(static_cast<int>(k))[i] = x_(k);
}

bool SystemSwarm::place(ConstStateRef x, Lanes lanes) {
  if (!x.allFinite() || !system_.accept(t_, x)) return false;
  x_ = x;
  for (std::size_t i = 0; i < lanes.count; ++i) store(lanes, i);
  return true;
}

bool SystemSwarm::draw(const UnknownStart& start, core::Rng& rng, Lanes one) {
  constexpr int kTries = 100;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    for (Index k = 0; k < x_.size(); ++k) {
      const StateInfo& state = system_.states()[static_cast<std::size_t>(k)];
      const double range = state.is_angle ? std::numbers::pi : state.unknown_scale;
      x_(k) = state.is_rate ? start.rate_deviation * size_(k) * rng.normal()
                            : range * (2.0 * rng.uniform() - 1.0);
    }
    if (system_.num_sensors() > 0 && !system_.measure(t_, x_, 0, y_.head(system_.num_channels(0)))) continue;
    store(one, 0);
    return true;
  }
  return false;
}

void SystemSwarm::prepare_step(double t, double h, double motion) {
  step_t_ = t;
  h_ = h;
  motion_ = motion;
}

bool SystemSwarm::find_noise_root() const {
  system_.plant_noise(step_t_, h_, x_, Q_w_);
  for (Index k = 0; k < x_.size(); ++k)
    if (!system_.states()[static_cast<std::size_t>(k)].is_rate)
      Q_w_(k, k) += motion_ * motion_ * size_(k) * size_(k);
  if (has_root_ && Q_w_ == last_Q_w_) return true;
  last_Q_w_ = Q_w_;
  has_root_ = find_root(Q_w_, root_);
  return has_root_;
}

void SystemSwarm::step(Workspace&, Lanes lanes, const double* normals, double* ok) const {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < lanes.count; ++i) {
    load(lanes, i);
    ok[i] = 0.0;
    if (!find_noise_root()) continue;
    for (Index k = 0; k < x_.size(); ++k) noise_(k) = normals[static_cast<std::size_t>(k) * kBlock + i];
    if (!system_.step(step_t_, h_, x_)) continue;
    x_.noalias() += root_.lazyProduct(noise_);
    if (!x_.allFinite()) continue;
    store(lanes, i);
    ok[i] = 1.0;
  }
}

void SystemSwarm::accept(Lanes one) {
  load(one, 0);
  static_cast<void>(system_.accept(t_, x_));
}

void SystemSwarm::displace(Workspace&, Lanes lanes, const double* dx, double* ok) const {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < lanes.count; ++i) {
    load(lanes, i);
    for (Index k = 0; k < x_.size(); ++k) x_(k) += dx[static_cast<std::size_t>(k) * kBlock + i];
    ok[i] = x_.allFinite() ? 1.0 : 0.0;
    if (ok[i] > 0.0) store(lanes, i);
  }
}

void SystemSwarm::measure(Workspace&, Lanes lanes, int sensor, double* y) const {
  const std::lock_guard lock(mutex_);
  const Index m = system_.num_channels(sensor);
  for (std::size_t i = 0; i < lanes.count; ++i) {
    load(lanes, i);
    if (!system_.measure(t_, x_, sensor, y_.head(m)))
      y_.head(m).setConstant(std::numeric_limits<double>::quiet_NaN());
    for (Index k = 0; k < m; ++k) y[static_cast<std::size_t>(k) * kBlock + i] = y_(k);
  }
}

}  // namespace eslabon::estimation
