#pragma once

#include <cmath>

#include <Eigen/Core>

namespace eslabon::test {

/// A planar four-bar A–B solved with trigonometry alone: pivots at (0, 0) and (g, 0), crank a, coupler h, rocker b.
///   a e^{iθ} + h e^{iφ} = g + b e^{iψ}                                                        (1)
/// |g + b e^{iψ} − a e^{iθ}| = h is Freudenstein's equation  A cos ψ + B sin ψ = C;  rates follow by differentiating (1)
/// and multiplying with e^{−iψ} or e^{−iφ}.
struct FourBarMotion {
  double theta, theta_dot;
  double phi, phi_dot, phi_ddot;
  double psi, psi_dot, psi_ddot;
};

inline FourBarMotion four_bar_motion(double g, double a, double h, double b, double theta, double theta_dot,
                                     bool is_open) {
  // With d = a e^{iθ} − g:  h² = |b e^{iψ} − d|²  ⇒  2 b (d_x cos ψ + d_y sin ψ) = b² + |d|² − h².
  const double dx = a * std::cos(theta) - g, dy = a * std::sin(theta);
  const double C = (b * b + dx * dx + dy * dy - h * h) / (2.0 * b);
  const double delta = std::acos(C / std::hypot(dx, dy));
  FourBarMotion m{};
  m.theta = theta;
  m.theta_dot = theta_dot;
  m.psi = std::atan2(dy, dx) + (is_open ? -delta : delta);
  const double cx = g + b * std::cos(m.psi) - a * std::cos(theta),
               cy = b * std::sin(m.psi) - a * std::sin(theta);
  m.phi = std::atan2(cy, cx);
  // First derivative of (1): a θ̇ e^{iθ} + h φ̇ e^{iφ} = b ψ̇ e^{iψ}; its part across ψ, then across φ.
  const double s = std::sin(m.phi - m.psi);
  m.phi_dot = -a * theta_dot * std::sin(theta - m.psi) / (h * s);
  m.psi_dot = a * theta_dot * std::sin(theta - m.phi) / (b * std::sin(m.psi - m.phi));
  // Second derivative: −a θ̇² e^{iθ} + h (iφ̈ − φ̇²) e^{iφ} = b (iψ̈ − ψ̇²) e^{iψ}.
  m.phi_ddot = (a * theta_dot * theta_dot * std::cos(theta - m.psi) +
                h * m.phi_dot * m.phi_dot * std::cos(m.phi - m.psi) - b * m.psi_dot * m.psi_dot) /
               (-h * s);
  m.psi_ddot = (-a * theta_dot * theta_dot * std::cos(theta - m.phi) - h * m.phi_dot * m.phi_dot +
                b * m.psi_dot * m.psi_dot * std::cos(m.psi - m.phi)) /
               (-b * std::sin(m.psi - m.phi));
  return m;
}

/// The coupler's point (x, y) from its first pin, along and across the coupler.
struct CouplerPoint {
  Eigen::Vector2d position, velocity, acceleration;
};

inline CouplerPoint coupler_point(const FourBarMotion& m, double a, double x, double y) {
  const auto turned = [](double angle, const Eigen::Vector2d& p) -> Eigen::Vector2d {
    return {std::cos(angle) * p.x() - std::sin(angle) * p.y(),
            std::sin(angle) * p.x() + std::cos(angle) * p.y()};
  };
  const auto across = [](const Eigen::Vector2d& p) -> Eigen::Vector2d { return {-p.y(), p.x()}; };
  const Eigen::Vector2d crank = turned(m.theta, {a, 0.0}), arm = turned(m.phi, {x, y});
  return {crank + arm, m.theta_dot * across(crank) + m.phi_dot * across(arm),
          -m.theta_dot * m.theta_dot * crank + m.phi_ddot * across(arm) - m.phi_dot * m.phi_dot * arm};
}

}  // namespace eslabon::test
