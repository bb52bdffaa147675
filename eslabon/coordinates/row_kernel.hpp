#pragma once

#include <array>
#include <cmath>

#include "eslabon/coordinates/row.hpp"

namespace eslabon::coordinates {

/// Residual of a row that has features, without −c − q_k − s except where they stand inside the form.
/// `f`: the features; `angle`: q_k, read by kAngle only.
// Seed001 eq. 3.3, eq. 3.4
template <core::Scalar T>
T row_residual(RowForm form, const std::array<const core::Vector3<T>*, 3>& f, double constant,
               const T& angle) {
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
    default:
      return T(0.0);
  }
}

/// Derivatives of the residual by its features, and by the angle.
template <core::Scalar T>
struct RowGradient {
  std::array<core::Vector3<T>, 3> by_feature;
  T by_angle = T(0.0);  ///< kAngle only
};

// Seed001 eq. 3.8, eq. 3.9
// Seed004 eq. 24
template <core::Scalar T>
RowGradient<T> row_gradient(RowForm form, const std::array<const core::Vector3<T>*, 3>& f, double constant,
                            const T& angle) {
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
    default:
      break;
  }
  return g;
}

/// The part of the residual's second time derivative that is quadratic in the velocities of the features (and of the
/// angle): Φ̈ = Σ ∂Φ/∂f · f̈ + ∂Φ/∂q_k q̈_k + this.
inline double row_second_order(RowForm form, const std::array<const Eigen::Vector3d*, 3>& f,
                               const std::array<const Eigen::Vector3d*, 3>& f_dot, double constant,
                               double angle, double angle_rate) {
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
    default:
      return 0.0;
  }
}

}  // namespace eslabon::coordinates
