#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace eslabon::dynamics {

/// work(first, number) for 0 … count − 1 in blocks, whose number the compiler knows: sums then stay in registers.
template <class Work>
void in_blocks(std::size_t count, const Work& work) {
  using std::integral_constant;
  std::size_t first = 0;
  for (; count - first >= 4; first += 4) work(first, integral_constant<std::size_t, 4>());
  switch (count - first) {
    case 1:
      return work(first, integral_constant<std::size_t, 1>());
    case 2:
      return work(first, integral_constant<std::size_t, 2>());
    case 3:
      return work(first, integral_constant<std::size_t, 3>());
    default:
      return;
  }
}

/// LU with partial pivoting of a small matrix, rows divided by their largest entry before pivots are compared, as
/// kinematics::JacobianSolver does; takes its memory once.
class SmallLu {
 public:
  SmallLu() = default;
  explicit SmallLu(std::size_t m) : m_(m), a_(m * m), scale_(m), order_(m) {}

  /// The square part of a matrix by rows, `width` apart; `largest`: of each of its rows. False where it is singular.
  [[nodiscard]] bool factor(const double* rows, std::size_t width, const double* largest) {
    ratio_ = 1.0;
    if (m_ == 0) return true;
    ratio_ = 0.0;
    for (std::size_t r = 0; r < m_; ++r) {
      if (!(largest[r] > 0.0)) return false;
      scale_[r] = 1.0 / largest[r];
      for (std::size_t c = 0; c < m_; ++c) a_[r * m_ + c] = scale_[r] * rows[r * width + c];
      order_[r] = r;
    }
    double least = 1.0, most = 1.0;  // the ones of the independent coordinates
    for (std::size_t k = 0; k < m_; ++k) {
      std::size_t best = k;
      for (std::size_t r = k + 1; r < m_; ++r)
        if (std::abs(a_[r * m_ + k]) > std::abs(a_[best * m_ + k])) best = r;
      if (best != k) {
        std::swap_ranges(&a_[best * m_], &a_[best * m_] + m_, &a_[k * m_]);
        std::swap(order_[best], order_[k]);
        std::swap(scale_[best], scale_[k]);
      }
      const double pivot = a_[k * m_ + k], size = std::abs(pivot);
      if (!(size > 0.0) || !std::isfinite(size)) return false;
      least = std::min(least, size);
      most = std::max(most, size);
      const double inverse = 1.0 / pivot;
      a_[k * m_ + k] = inverse;
      for (std::size_t r = k + 1; r < m_; ++r) {
        double& first = a_[r * m_ + k];
        if (first == 0.0) continue;
        first *= inverse;
        for (std::size_t c = k + 1; c < m_; ++c) a_[r * m_ + c] -= first * a_[k * m_ + c];
      }
    }
    ratio_ = least / most;
    return ratio_ >= static_cast<double>(m_) * std::numeric_limits<double>::epsilon();
  }
  /// x (m, `step` apart) for b (m, `step` apart); the two do not overlap.
  void solve(const double* b, std::size_t b_step, double* x, std::size_t x_step) const {
    for (std::size_t r = 0; r < m_; ++r) {
      double sum = scale_[r] * b[order_[r] * b_step];
      for (std::size_t c = 0; c < r; ++c) sum -= a_[r * m_ + c] * x[c * x_step];
      x[r * x_step] = sum;
    }
    for (std::size_t r = m_; r-- > 0;) {
      double sum = x[r * x_step];
      for (std::size_t c = r + 1; c < m_; ++c) sum -= a_[r * m_ + c] * x[c * x_step];
      x[r * x_step] = sum * a_[r * m_ + r];
    }
  }
  /// X (m × count, by rows) for B (m × count, by rows, `width` apart).
  void solve_rows(const double* B, std::size_t width, std::size_t count, double* X) const {
    in_blocks(count, [&](std::size_t first, auto block) {
      std::array<double, block> x;
      for (std::size_t r = 0; r < m_; ++r) {
        const double* const b = B + order_[r] * width + first;
        for (std::size_t i = 0; i < block; ++i) x[i] = scale_[r] * b[i];
        for (std::size_t c = 0; c < r; ++c)
          if (const double l = a_[r * m_ + c]; l != 0.0)
            for (std::size_t i = 0; i < block; ++i) x[i] -= l * X[c * count + first + i];
        std::ranges::copy(x, X + r * count + first);
      }
      for (std::size_t r = m_; r-- > 0;) {
        for (std::size_t i = 0; i < block; ++i) x[i] = X[r * count + first + i];
        for (std::size_t c = r + 1; c < m_; ++c)
          if (const double u = a_[r * m_ + c]; u != 0.0)
            for (std::size_t i = 0; i < block; ++i) x[i] -= u * X[c * count + first + i];
        for (std::size_t i = 0; i < block; ++i) X[r * count + first + i] = x[i] * a_[r * m_ + r];
      }
    });
  }
  /// How far it is from singular: JacobianSolver::pivot_ratio.
  double pivot_ratio() const { return ratio_; }

 private:
  std::size_t m_ = 0;
  std::vector<double> a_;  ///< (m × m) by rows; inverse pivots on the diagonal
  std::vector<double> scale_;
  std::vector<std::size_t> order_;
  double ratio_ = 1.0;
};

/// Cholesky factors  S D S = L Lᵀ  of a small symmetric matrix, S = diag(D_kk^−½), as MassFactors does.
class SmallCholesky {
 public:
  SmallCholesky() = default;
  explicit SmallCholesky(std::size_t f) : f_(f), l_(f * f), scale_(f) {}

  /// `D` (f × f) by rows, of which the lower half is read. False where a degree of freedom has no mass: a pivot is roundoff.
  [[nodiscard]] bool factor(const double* D) {
    constexpr double kRoundoff = 1e-14;
    for (std::size_t i = 0; i < f_; ++i) {
      const double diagonal = D[i * f_ + i];
      if (!(diagonal > 0.0)) return false;
      scale_[i] = 1.0 / std::sqrt(diagonal);
    }
    for (std::size_t i = 0; i < f_; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        double sum = scale_[i] * D[i * f_ + j] * scale_[j];
        for (std::size_t k = 0; k < j; ++k) sum -= l_[i * f_ + k] * l_[j * f_ + k];
        l_[i * f_ + j] = sum * l_[j * f_ + j];
      }
      double pivot = 1.0;
      for (std::size_t k = 0; k < i; ++k) pivot -= l_[i * f_ + k] * l_[i * f_ + k];
      if (!(pivot > kRoundoff)) return false;
      l_[i * f_ + i] = 1.0 / std::sqrt(pivot);
    }
    return true;
  }
  /// x ← L⁻¹ S x and x ← S L⁻ᵀ x of vectors with `step` between their numbers: one after the other solve D x = b.
  void solve_lower(double* x, std::size_t step) const {
    for (std::size_t i = 0; i < f_; ++i) {
      double sum = scale_[i] * x[i * step];
      for (std::size_t k = 0; k < i; ++k) sum -= l_[i * f_ + k] * x[k * step];
      x[i * step] = sum * l_[i * f_ + i];
    }
  }
  /// The first of these for f vectors at once.
  template <class Vector>
  void solve_lower(const Vector* b, Vector* x) const {
    for (std::size_t i = 0; i < f_; ++i) {
      Vector sum = scale_[i] * b[i];
      for (std::size_t k = 0; k < i; ++k) sum -= l_[i * f_ + k] * x[k];
      x[i] = l_[i * f_ + i] * sum;
    }
  }
  void solve_upper(double* x, std::size_t step) const {
    for (std::size_t i = f_; i-- > 0;) {
      double sum = x[i * step];
      for (std::size_t k = i + 1; k < f_; ++k) sum -= l_[k * f_ + i] * x[k * step];
      x[i * step] = sum * l_[i * f_ + i];
    }
    for (std::size_t i = 0; i < f_; ++i) x[i * step] *= scale_[i];
  }

 private:
  std::size_t f_ = 0;
  std::vector<double> l_;  ///< (f × f) by rows; inverse pivots on the diagonal
  std::vector<double> scale_;
};

}  // namespace eslabon::dynamics
