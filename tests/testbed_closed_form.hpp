#pragma once

#include <cmath>
#include <vector>

#include "tests/four_bar_closed_form.hpp"
#include <Eigen/Dense>

#include "eslabon/coordinates/body_motion.hpp"

namespace eslabon::test {

/// models/fourbar-testbed.yaml by hand: its motion from trigonometry, and the forces in it from the equilibrium of each bar. Numbers
/// are written here a second time; crank a disc about its pin, coupler and rocker uniform bars.
class TestbedMotion {
 public:
  static constexpr double g = 0.8, a = 0.12, h = 0.54, b = 0.455;  ///< base, crank, coupler, rocker [m]
  static constexpr double kGravity = 9.81;

  TestbedMotion(double theta, double theta_dot) : m_(four_bar_motion(g, a, h, b, theta, theta_dot, true)) {
    const Eigen::Vector2d B(g, 0.0), arm = 0.5 * b * Eigen::Vector2d(std::cos(m_.psi), std::sin(m_.psi)),
                                     across(-arm.y(), arm.x()), zero = Eigen::Vector2d::Zero();
    const CouplerPoint pin_A{zero, zero, zero}, pin_B{B, zero, zero};
    const CouplerPoint rocker{B + arm, m_.psi_dot * across,
                              m_.psi_ddot * across - m_.psi_dot * m_.psi_dot * arm};
    links_.push_back({11.10, 0.5 * 11.10 * 0.15 * 0.15, m_.theta, m_.theta_dot, 0.0, pin_A, pin_A});
    links_.push_back({0.40, 0.40 * h * h / 12.0, m_.phi, m_.phi_dot, m_.phi_ddot,
                      coupler_point(m_, a, 0.0, 0.0), coupler_point(m_, a, 0.5 * h, 0.0)});
    links_.push_back({1.23, 1.23 * b * b / 12.0, m_.psi, m_.psi_dot, m_.psi_ddot, pin_B, rocker});
  }

  const FourBarMotion& motion() const { return m_; }
  double x3() const { return (h * h + 0.384 * 0.384 - 0.212 * 0.212) / (2.0 * h); }
  double y3() const { return std::sqrt(0.384 * 0.384 - x3() * x3()); }

  /// Ground, crank, coupler, rocker.
  coordinates::MechanismMotion bodies() const {
    coordinates::MechanismMotion out(4);
    const auto in_space = [](const Eigen::Vector2d& v) { return Eigen::Vector3d(v.x(), v.y(), 0.0); };
    for (std::size_t k = 0; k < 3; ++k) {
      const Link& link = links_[k];
      coordinates::BodyMotion& body = out[k + 1];
      body.X_WB = {core::Rotation<double>::about_z(link.angle), in_space(link.start.position)};
      body.w_WB_W = {0.0, 0.0, link.rate};
      body.alpha_WB_W = {0.0, 0.0, link.acceleration};
      body.v_WB_W = in_space(link.start.velocity);
      body.a_WB_W = in_space(link.start.acceleration);
    }
    return out;
  }

  /// What a motor must give: Σ m a·v + I α ω − m g·v.
  double power() const {
    double sum = 0.0;
    for (const Link& link : links_)
      sum +=
          link.mass * (link.centre.acceleration + Eigen::Vector2d(0.0, kGravity)).dot(link.centre.velocity) +
          link.inertia * link.acceleration * link.rate;
    return sum;
  }

  /// Forces on the second body of A, P1, P2, B, x and y of each, and the torque of a motor at A on the crank: nine unknowns from
  ///   Σ F = m (a − g),   Σ M about the centre of mass = I α     of crank, coupler and rocker.
  Eigen::VectorXd reactions() const {
    using V = Eigen::Vector2d;
    const V A(0.0, 0.0), P1 = links_[1].start.position, P2 = P1 + h * V(std::cos(m_.phi), std::sin(m_.phi)),
                         B(g, 0.0);
    Eigen::MatrixXd E = Eigen::MatrixXd::Zero(9, 9);
    Eigen::VectorXd needed(9);
    const auto act = [&](int link, int pin, const V& at, double sign) {
      const V r = at - links_[static_cast<std::size_t>(link)].centre.position;
      E(3 * link, 2 * pin) += sign;
      E(3 * link + 1, 2 * pin + 1) += sign;
      E(3 * link + 2, 2 * pin) -= sign * r.y();
      E(3 * link + 2, 2 * pin + 1) += sign * r.x();
    };
    act(0, 0, A, 1.0);    // A: ground on crank
    act(0, 1, P1, -1.0);  // P1: crank on coupler
    act(1, 1, P1, 1.0);
    act(1, 2, P2, -1.0);  // P2: coupler on rocker
    act(2, 2, P2, 1.0);
    act(2, 3, B, 1.0);  // B: ground on rocker
    E(2, 8) = 1.0;
    for (int k = 0; k < 3; ++k) {
      const Link& link = links_[static_cast<std::size_t>(k)];
      needed.segment<2>(3 * k) = link.mass * (link.centre.acceleration + V(0.0, kGravity));
      needed[3 * k + 2] = link.inertia * link.acceleration;
    }
    return E.fullPivLu().solve(needed);
  }

 private:
  struct Link {
    double mass, inertia;  ///< about the centre of mass
    double angle, rate, acceleration;
    CouplerPoint start, centre;  ///< the body's origin, its centre of mass
  };

  FourBarMotion m_;
  std::vector<Link> links_;
};

}  // namespace eslabon::test
