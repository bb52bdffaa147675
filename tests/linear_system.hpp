#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/estimation/system.hpp"

namespace eslabon::test {

/// x ← F x + w, y = H x + n for each of its sensors, whatever the length of the step. Tests that need more derive from it.
class LinearSystem : public estimation::System {
 public:
  struct Sensor {
    Eigen::MatrixXd H, R_n;
    double period = 0.0;
    bool is_angle = false;
  };

  LinearSystem(Eigen::MatrixXd F, Eigen::MatrixXd Q_w, std::vector<Sensor> sensors)
      : F_(std::move(F)), Q_w_(std::move(Q_w)), sensors_(std::move(sensors)), scratch_(F_.rows()) {
    for (Eigen::Index k = 0; k < F_.rows(); ++k)
      states_.push_back({.name = "x" + std::to_string(k), .dimension = core::kNumber, .unknown_scale = 10.0});
  }

  void set_unknown_scale(std::size_t state, double scale) { states_[state].unknown_scale = scale; }

  int num_sensors() const override { return static_cast<int>(sensors_.size()); }
  Eigen::Index num_channels(int sensor) const override { return at(sensor).H.rows(); }
  bool is_angle(int sensor, Eigen::Index) const override { return at(sensor).is_angle; }
  double period(int sensor) const override { return at(sensor).period; }
  void sensor_noise(int sensor, estimation::MatrixRef R_n) const override { R_n = at(sensor).R_n; }

  bool step(double, double, estimation::StateRef x) override {
    scratch_.noalias() = F_.lazyProduct(x);
    x = scratch_;
    return !refuses(x);
  }
  bool step(double t, double h, estimation::StateRef x, estimation::MatrixRef F) override {
    F = F_;
    return step(t, h, x);
  }
  void simple_transition(double, estimation::MatrixRef F) override { F = F_; }
  void plant_noise(double, double, estimation::ConstStateRef, estimation::MatrixRef Q_w) override {
    Q_w = Q_w_;
  }

  bool measure(double, estimation::ConstStateRef x, int sensor, estimation::StateRef y) override {
    y.noalias() = at(sensor).H.lazyProduct(x);
    return !refuses(x);
  }
  bool measure(double t, estimation::ConstStateRef x, int sensor, estimation::StateRef y,
               estimation::MatrixRef H) override {
    H = at(sensor).H;
    return measure(t, x, sensor, y);
  }

  bool accept(double, estimation::ConstStateRef x) override {
    if (refuses(x)) return false;
    ++num_accepted;
    return true;
  }
  bool choose_coordinates(double, estimation::StateRef x, estimation::MatrixRef T) override {
    if (next_coordinates.size() == 0) return false;
    T = next_coordinates;
    x = (T * x).eval();
    next_coordinates.resize(0, 0);
    return true;
  }

  double largest_state = 1e300;      ///< states beyond are none
  Eigen::MatrixXd next_coordinates;  ///< T, for one choose_coordinates
  int num_accepted = 0;

 protected:
  bool refuses(estimation::ConstStateRef x) const { return !(x.cwiseAbs().maxCoeff() <= largest_state); }
  const Sensor& at(int sensor) const { return sensors_[static_cast<std::size_t>(sensor)]; }

  Eigen::MatrixXd F_, Q_w_;
  std::vector<Sensor> sensors_;
  Eigen::VectorXd scratch_;
};

/// (rows × columns) standard normal numbers.
inline Eigen::MatrixXd normal_matrix(core::Rng& rng, Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd out(rows, columns);
  for (Eigen::Index j = 0; j < columns; ++j)
    for (Eigen::Index i = 0; i < rows; ++i) out(i, j) = rng.normal();
  return out;
}

/// A covariance of full rank with random directions.
inline Eigen::MatrixXd random_covariance(core::Rng& rng, Eigen::Index n, double scale) {
  const Eigen::MatrixXd A = normal_matrix(rng, n, n);
  return scale * (A * A.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n));
}

/// The object with constant speed of shared/benchmarks.md: dt = 5 ms, acceleration noise [rad/s²], an angle read with 1°.
inline LinearSystem constant_speed(double acceleration_noise, double period = 0.0) {
  const double dt = 0.005, degree = std::acos(-1.0) / 180.0;
  Eigen::Matrix2d F;
  F << 1.0, dt, 0.0, 1.0;
  const Eigen::Vector2d G(0.5 * dt * dt, dt);
  return LinearSystem(F, acceleration_noise * acceleration_noise * G * G.transpose(),
                      {{.H = Eigen::RowVector2d(1.0, 0.0),
                        .R_n = Eigen::MatrixXd::Constant(1, 1, degree * degree),
                        .period = period}});
}

}  // namespace eslabon::test
