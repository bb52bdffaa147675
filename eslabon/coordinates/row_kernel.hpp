#pragma once

#include <array>
#include <cmath>

#include "eslabon/coordinates/contact_kernel.hpp"
#include "eslabon/coordinates/row_terms.hpp"
#include "eslabon/coordinates/space_curve_kernel.hpp"

namespace eslabon::coordinates {

/// Residual of a row that has features, without −c − q_k − s except where they stand inside the form.
/// `f`: the features; `angle`: q_k, read by forms that hold a coordinate only.
// Seed001 eq. 3.3, eq. 3.4
template <core::Scalar T>
T row_residual(RowForm form, const FeaturesOf<T>& f, const RowConstant& number, const T& angle) {
  using std::cos;
  using std::sin;
  const double constant = number.value;
  switch (form) {
    case RowForm::kDot:
      return f[0]->dot(*f[1]);
    case RowForm::kOffset:
      return f[0]->dot(*f[2] - *f[1]);
    case RowForm::kDistance: {
      const core::Vector3<T> d = *f[1] - *f[0];
      return (d.dot(d) - constant * constant) / (2.0 * constant);
    }
    case RowForm::kSpan:
      return (*f[1] - *f[0]).norm();
    case RowForm::kAngle:
      return cos(angle) * f[1]->dot(*f[2]) - sin(angle) * f[0]->dot(*f[2]);
    case RowForm::kBearing: {
      const core::Vector3<T> d = *f[3] - *f[2];
      return (cos(angle) * f[1]->dot(d) - sin(angle) * f[0]->dot(d)) / constant;
    }
    case RowForm::kRolling: {
      const RollingTerms<T> terms = rolling_terms<T>(f, constant);
      return terms.c * terms.B - terms.s * terms.A;
    }
    case RowForm::kTouch: {
      const TouchTerms<T> terms = touch_terms<T>(f);
      return f[0]->dot(terms.d) - constant * terms.rho;
    }
    case RowForm::kCurveGap:
    case RowForm::kCurvePlace:
    case RowForm::kFaceGap:
    case RowForm::kFacePlace:
    case RowForm::kPairGap:
    case RowForm::kPairPlace:
      return contact_residual<T>(form, f, number, angle);
    case RowForm::kSpaceCurveFirst:
    case RowForm::kSpaceCurveSecond:
    case RowForm::kSpaceCurvePlace:
      return space_curve_residual<T>(form, f, number, angle);
    case RowForm::kScrew: {
      const ScrewTerms<T> terms = screw_terms<T>(f, constant);
      return terms.c * terms.B - terms.s * terms.A;
    }
    default:
      return T(0.0);
  }
}

/// Derivatives of the residual by its features, and by the angle or place; of kNoSlip the g_i of its (1).
template <core::Scalar T>
struct RowGradient {
  std::array<core::Vector3<T>, kMostFeatures> by_feature;
  T by_angle = T(0.0);  ///< forms that hold a coordinate only
};

// Seed001 eq. 3.8, eq. 3.9
// Seed004 eq. 24
template <core::Scalar T>
RowGradient<T> row_gradient(RowForm form, const FeaturesOf<T>& f, const RowConstant& number, const T& angle) {
  using std::cos;
  using std::sin;
  const double constant = number.value;
  RowGradient<T> g;
  switch (form) {
    case RowForm::kDot:
      g.by_feature[0] = *f[1];
      g.by_feature[1] = *f[0];
      break;
    case RowForm::kOffset:
      g.by_feature[0] = *f[2] - *f[1];
      g.by_feature[1] = -*f[0];
      g.by_feature[2] = *f[0];
      break;
    case RowForm::kDistance:
      g.by_feature[1] = (*f[1] - *f[0]) / constant;
      g.by_feature[0] = -g.by_feature[1];
      break;
    case RowForm::kSpan: {
      const core::Vector3<T> d = *f[1] - *f[0];
      const T length = d.norm();
      // Points that coincide have no direction: a row of zeros, which is told as a singular position.
      if constexpr (core::NumericScalar<T>)
        if (!(core::value_of(length) > 0.0)) break;
      g.by_feature[1] = d / length;
      g.by_feature[0] = -g.by_feature[1];
      break;
    }
    case RowForm::kAngle: {
      const T c = cos(angle), s = sin(angle);
      g.by_feature[0] = -s * *f[2];
      g.by_feature[1] = c * *f[2];
      g.by_feature[2] = c * *f[1] - s * *f[0];
      g.by_angle = -s * f[1]->dot(*f[2]) - c * f[0]->dot(*f[2]);
      break;
    }
    case RowForm::kBearing: {
      const T c = cos(angle), s = sin(angle);
      const core::Vector3<T> d = *f[3] - *f[2];
      g.by_feature[0] = (-s * d) / constant;
      g.by_feature[1] = (c * d) / constant;
      g.by_feature[3] = (c * *f[1] - s * *f[0]) / constant;
      g.by_feature[2] = -g.by_feature[3];
      g.by_angle = (-s * f[1]->dot(d) - c * f[0]->dot(d)) / constant;
      break;
    }
    case RowForm::kRolling: {
      // ∂Φ/∂α = −s B − c A,  ∂B/∂f₀ = −ẑ×f₁,  ∂B/∂f₁ = ẑ×f₀
      const auto [d, A, B, c, s] = rolling_terms<T>(f, constant);
      const T by_way = T((s * B + c * A) / constant);  // by f₀·d
      g.by_feature[0] = c * core::Vector3<T>(f[1]->y(), -f[1]->x(), T(0.0)) - s * *f[1] + by_way * d;
      g.by_feature[1] = c * core::Vector3<T>(-f[0]->y(), f[0]->x(), T(0.0)) - s * *f[0];
      g.by_feature[3] = by_way * *f[0];
      g.by_feature[2] = -g.by_feature[3];
      break;
    }
    case RowForm::kTouch: {
      // ρ ∂ρ/∂f₀ = f₁ × m,  ρ ∂ρ/∂f₁ = m × f₀
      const auto [d, m, rho] = touch_terms<T>(f);
      const T by_m = T(constant / rho);
      g.by_feature[0] = d - by_m * f[1]->cross(m);
      g.by_feature[1] = -by_m * m.cross(*f[0]);
      g.by_feature[2] = -*f[0];
      g.by_feature[3] = *f[0];
      break;
    }
    case RowForm::kNoSlip: {
      const NoSlipTerms<T> terms = no_slip_terms<T>(f);
      const T by_x = T(constant * terms.xi), by_z = T(constant * terms.eta);
      g.by_feature[0] = *f[2] - *f[1] - by_x * *f[3] - by_z * *f[4];  // (1)
      g.by_feature[1] = -*f[0];
      g.by_feature[2] = *f[0];
      g.by_feature[3] = -by_x * *f[0];
      g.by_feature[4] = -by_z * *f[0];
      g.by_feature[5] = core::Vector3<T>::Zero();
      break;
    }
    case RowForm::kCurveGap:
    case RowForm::kCurvePlace:
    case RowForm::kFaceGap:
    case RowForm::kFacePlace:
    case RowForm::kPairGap:
    case RowForm::kPairPlace:
      add_contact_gradient<T>(form, f, number, angle, g.by_feature, g.by_angle);
      break;
    case RowForm::kSpaceCurveFirst:
    case RowForm::kSpaceCurveSecond:
    case RowForm::kSpaceCurvePlace:
      add_space_curve_gradient<T>(form, f, number, angle, g.by_feature, g.by_angle);
      break;
    case RowForm::kScrew: {
      // ∂Φ/∂α = −s B − c A,  α p = f₀·(f₁×d) = f₁·(d×f₀)
      const auto [d, e, A, B, c, s] = screw_terms<T>(f, constant);
      const T by_way = T(-(s * B + c * A) / constant);
      g.by_feature[0] = -s * *f[2] + by_way * f[1]->cross(d);
      g.by_feature[1] = c * *f[2] + by_way * d.cross(*f[0]);
      g.by_feature[2] = c * *f[1] - s * *f[0];
      g.by_feature[4] = by_way * e;
      g.by_feature[3] = -g.by_feature[4];
      break;
    }
    default:
      break;
  }
  return g;
}

/// The part of the residual's second time derivative that is quadratic in the velocities of the features (and of the
/// angle): Φ̈ = Σ ∂Φ/∂f · f̈ + ∂Φ/∂q_k q̈_k + this. Of kNoSlip, Σ ġ_i·ḟ_i of its (2).
inline double row_second_order(RowForm form, const FeaturesOf<double>& f, const FeaturesOf<double>& f_dot,
                               const RowConstant& number, double angle, double angle_rate) {
  const double constant = number.value;
  switch (form) {
    case RowForm::kDot:
      return 2.0 * f_dot[0]->dot(*f_dot[1]);
    case RowForm::kOffset:
      return 2.0 * f_dot[0]->dot(*f_dot[2] - *f_dot[1]);
    case RowForm::kDistance:
      return (*f_dot[1] - *f_dot[0]).squaredNorm() / constant;
    case RowForm::kSpan: {
      const Eigen::Vector3d d = *f[1] - *f[0], d_dot = *f_dot[1] - *f_dot[0];
      return d.cross(d_dot).squaredNorm() / std::pow(d.norm(), 3);  // (|ḋ|² − (d·ḋ)²/|d|²)/|d|
    }
    case RowForm::kAngle: {
      // Φ = c A − s B with A = f₁·f₂, B = f₀·f₂.
      const double c = std::cos(angle), s = std::sin(angle);
      const double A = f[1]->dot(*f[2]), B = f[0]->dot(*f[2]);
      const double A_dot = f_dot[1]->dot(*f[2]) + f[1]->dot(*f_dot[2]);
      const double B_dot = f_dot[0]->dot(*f[2]) + f[0]->dot(*f_dot[2]);
      return -angle_rate * angle_rate * (c * A - s * B) - 2.0 * angle_rate * (s * A_dot + c * B_dot) +
             2.0 * c * f_dot[1]->dot(*f_dot[2]) - 2.0 * s * f_dot[0]->dot(*f_dot[2]);
    }
    case RowForm::kBearing: {
      // c Φ = cos q A − sin q B with A = f₁·d, B = f₀·d.
      const double c = std::cos(angle), s = std::sin(angle);
      const Eigen::Vector3d d = *f[3] - *f[2], d_dot = *f_dot[3] - *f_dot[2];
      const double A = f[1]->dot(d), B = f[0]->dot(d);
      const double A_dot = f_dot[1]->dot(d) + f[1]->dot(d_dot), B_dot = f_dot[0]->dot(d) + f[0]->dot(d_dot);
      return (-angle_rate * angle_rate * (c * A - s * B) - 2.0 * angle_rate * (s * A_dot + c * B_dot) +
              2.0 * c * f_dot[1]->dot(d_dot) - 2.0 * s * f_dot[0]->dot(d_dot)) /
             constant;
    }
    case RowForm::kRolling: {
      const auto [d, A, B, c, s] = rolling_terms<double>(f, constant);
      const Eigen::Vector3d d_dot = *f_dot[3] - *f_dot[2];
      const auto turned = [](const Eigen::Vector3d& u, const Eigen::Vector3d& w) {
        return u.x() * w.y() - u.y() * w.x();  // (ẑ×u)·w
      };
      const double A_dot = f_dot[0]->dot(*f[1]) + f[0]->dot(*f_dot[1]);
      const double B_dot = turned(*f_dot[0], *f[1]) + turned(*f[0], *f_dot[1]);
      const double alpha_dot = -(f_dot[0]->dot(d) + f[0]->dot(d_dot)) / constant;
      const double by_alpha = -s * B - c * A;
      return -alpha_dot * alpha_dot * (c * B - s * A) - 2.0 * alpha_dot * (s * B_dot + c * A_dot) -
             by_alpha * 2.0 * f_dot[0]->dot(d_dot) / constant + 2.0 * c * turned(*f_dot[0], *f_dot[1]) -
             2.0 * s * f_dot[0]->dot(*f_dot[1]);
    }
    case RowForm::kTouch: {
      // ρ̇ = m·ṁ/ρ,  ρ̈ = (|ṁ|² + m·m̈ − ρ̇²)/ρ with m̈ = 2 ḟ₀ × ḟ₁ + …
      const auto [d, m, rho] = touch_terms<double>(f);
      const Eigen::Vector3d d_dot = *f_dot[3] - *f_dot[2];
      const Eigen::Vector3d m_dot = f_dot[0]->cross(*f[1]) + f[0]->cross(*f_dot[1]);
      const double rho_dot = m.dot(m_dot) / rho;
      return 2.0 * f_dot[0]->dot(d_dot) -
             constant / rho *
                 (m_dot.squaredNorm() + 2.0 * m.dot(f_dot[0]->cross(*f_dot[1])) - rho_dot * rho_dot);
    }
    case RowForm::kNoSlip: {
      const auto [A, B, rho, xi, eta] = no_slip_terms<double>(f);
      const double A_dot = f_dot[5]->dot(*f[3]) + f[5]->dot(*f_dot[3]);
      const double B_dot = f_dot[5]->dot(*f[4]) + f[5]->dot(*f_dot[4]);
      const double rho_dot = (A * A_dot + B * B_dot) / rho;
      const double xi_dot = (A_dot - xi * rho_dot) / rho, eta_dot = (B_dot - eta * rho_dot) / rho;
      const auto rate = [&](std::size_t k) { return f[0]->dot(*f_dot[k]) + f_dot[0]->dot(*f[k]); };
      return 2.0 * f_dot[0]->dot(*f_dot[2] - *f_dot[1] - constant * (xi * *f_dot[3] + eta * *f_dot[4])) -
             constant * (xi_dot * rate(3) + eta_dot * rate(4));  // (2)
    }
    case RowForm::kCurveGap:
    case RowForm::kCurvePlace:
    case RowForm::kFaceGap:
    case RowForm::kFacePlace:
    case RowForm::kPairGap:
    case RowForm::kPairPlace:
      return contact_second_order(form, f, f_dot, number, angle, angle_rate);
    case RowForm::kSpaceCurveFirst:
    case RowForm::kSpaceCurveSecond:
    case RowForm::kSpaceCurvePlace:
      return space_curve_second_order(form, f, f_dot, number, angle, angle_rate);
    case RowForm::kScrew: {
      const auto [d, e, A, B, c, s] = screw_terms<double>(f, constant);
      const Eigen::Vector3d d_dot = *f_dot[4] - *f_dot[3];
      const Eigen::Vector3d e_dot = f_dot[0]->cross(*f[1]) + f[0]->cross(*f_dot[1]);
      const double A_dot = f_dot[0]->dot(*f[2]) + f[0]->dot(*f_dot[2]);
      const double B_dot = f_dot[1]->dot(*f[2]) + f[1]->dot(*f_dot[2]);
      const double alpha_dot = (e_dot.dot(d) + e.dot(d_dot)) / constant;
      // of the way, without second rates of features
      const double way_bend = 2.0 * (f_dot[0]->cross(*f_dot[1]).dot(d) + e_dot.dot(d_dot)) / constant;
      return -alpha_dot * alpha_dot * (c * B - s * A) - 2.0 * alpha_dot * (s * B_dot + c * A_dot) -
             (s * B + c * A) * way_bend + 2.0 * c * f_dot[1]->dot(*f_dot[2]) -
             2.0 * s * f_dot[0]->dot(*f_dot[2]);
    }
    default:
      return 0.0;
  }
}

}  // namespace eslabon::coordinates
