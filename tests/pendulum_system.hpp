#pragma once

#include <cmath>

#include "tests/linear_system.hpp"
#include <Eigen/Core>

namespace eslabon::test {

/// θ ← θ + h ω, ω ← ω − h k sin θ + w: a pendulum by explicit Euler, whose angle is read.
class PendulumSystem final : public LinearSystem {
 public:
  PendulumSystem(double stiffness, double step, double rate_noise, double reading_noise)
      : LinearSystem(Eigen::Matrix2d::Identity(),
                     Eigen::Vector2d(1e-12, rate_noise * rate_noise).asDiagonal().toDenseMatrix(),
                     {{.H = Eigen::RowVector2d(1.0, 0.0),
                       .R_n = Eigen::MatrixXd::Constant(1, 1, reading_noise * reading_noise),
                       .period = step}}),
        stiffness_(stiffness) {}

  bool step(double, double h, estimation::StateRef x) override {
    const double angle = x(0);
    x(0) += h * x(1);
    x(1) -= h * stiffness_ * std::sin(angle);
    return true;
  }
  bool step(double t, double h, estimation::StateRef x, estimation::MatrixRef F) override {
    F << 1.0, h, -h * stiffness_ * std::cos(x(0)), 1.0;
    return step(t, h, x);
  }
  void simple_transition(double h, estimation::MatrixRef F) override { F << 1.0, h, 0.0, 1.0; }

 private:
  double stiffness_;
};

}  // namespace eslabon::test
