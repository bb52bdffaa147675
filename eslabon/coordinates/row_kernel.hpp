#pragma once

#include <array>
#include <cmath>

#include "eslabon/coordinates/row.hpp"

namespace eslabon::coordinates {

/// The features of a row, or their rates; null where it has none.
template <core::Scalar T>
using FeaturesOf = std::array<const core::Vector3<T>*, kMostFeatures>;

/// Turn of a circle that rolls: Φ = c B − s A with A = f₀·f₁, B = (ẑ×f₀)·f₁, c = cos α, s = sin α, α = −f₀·(f₃ − f₂)/r.
template <core::Scalar T>
struct RollingTerms {
  core::Vector3<T> d;  ///< f₃ − f₂
  T A, B, c, s;
};
template <core::Scalar T>
RollingTerms<T> rolling_terms(const FeaturesOf<T>& f, double radius) {
  using std::cos;
  using std::sin;
  RollingTerms<T> terms;
  terms.d = *f[3] - *f[2];
  const T alpha = T(-(f[0]->dot(terms.d)) / radius);
  terms.A = f[0]->dot(*f[1]);
  terms.B = f[0]->x() * f[1]->y() - f[0]->y() * f[1]->x();
  terms.c = cos(alpha);
  terms.s = sin(alpha);
  return terms;
}

/// Residual of a row that has features, without −c − q_k − s except where they stand inside the form.
/// `f`: the features; `angle`: q_k, read by kAngle only.
// Seed001 eq. 3.3, eq. 3.4
template <core::Scalar T>
T row_residual(RowForm form, const FeaturesOf<T>& f, double constant, const T& angle) {
  using std::cos;
  using std::sin;
  switch (form) {
    case RowForm::kDot:
      return f[0]->dot(*f[1]);
    case RowForm::kOffset:
      return f[0]->dot(*f[2] - *f[1]);
    case RowForm::kDistance: {
      const core::Vector3<T> d = *f[1] - *f[0];
      return (d.dot(d) - constant * constant) / (2.0 * constant);
    }
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
    default:
      return T(0.0);
  }
}

/// Derivatives of the residual by its features, and by the angle.
template <core::Scalar T>
struct RowGradient {
  std::array<core::Vector3<T>, kMostFeatures> by_feature;
  T by_angle = T(0.0);  ///< kAngle and kBearing only
};

// Seed001 eq. 3.8, eq. 3.9
// Seed004 eq. 24
template <core::Scalar T>
RowGradient<T> row_gradient(RowForm form, const FeaturesOf<T>& f, double constant, const T& angle) {
  using std::cos;
  using std::sin;
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
    default:
      break;
  }
  return g;
}

/// The part of the residual's second time derivative that is quadratic in the velocities of the features (and of the
/// angle): Φ̈ = Σ ∂Φ/∂f · f̈ + ∂Φ/∂q_k q̈_k + this.
inline double row_second_order(RowForm form, const FeaturesOf<double>& f, const FeaturesOf<double>& f_dot,
                               double constant, double angle, double angle_rate) {
  switch (form) {
    case RowForm::kDot:
      return 2.0 * f_dot[0]->dot(*f_dot[1]);
    case RowForm::kOffset:
      return 2.0 * f_dot[0]->dot(*f_dot[2] - *f_dot[1]);
    case RowForm::kDistance:
      return (*f_dot[1] - *f_dot[0]).squaredNorm() / constant;
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
    default:
      return 0.0;
  }
}

}  // namespace eslabon::coordinates
