#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace eslabon::core {

/// Rows  lower_i x_{i−1} + diagonal_i x_i + upper_i x_{i+1} = right_i  with dominant diagonals, by elimination without exchanges. V: numbers or
/// vectors. Cost: linear.
template <class V>
std::vector<V> solve_tridiagonal(const std::vector<double>& lower, std::vector<double> diagonal,
                                 const std::vector<double>& upper, std::vector<V> right) {
  for (std::size_t i = 1; i < right.size(); ++i) {
    const double factor = lower[i] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    right[i] -= factor * right[i - 1];
  }
  for (std::size_t i = right.size(); i-- > 0;) {
    if (i + 1 < right.size()) right[i] -= upper[i] * right[i + 1];
    right[i] /= diagonal[i];
  }
  return right;
}

/// The same where x_{−1} is the last and x_n the first. With the corners taken off as the product of two vectors u and w,
///   (B + u wᵀ) x = r:   x = y − z (wᵀy)/(1 + wᵀz),   B y = r,  B z = u                  [ShermanMorrison1950]
template <class V>
std::vector<V> solve_cyclic(const std::vector<double>& lower, std::vector<double> diagonal,
                            const std::vector<double>& upper, std::vector<V> right) {
  const std::size_t n = right.size();
  const double gamma = -diagonal[0], corner = lower[0], other = upper[n - 1];
  diagonal[0] -= gamma;
  diagonal[n - 1] -= corner * other / gamma;
  std::vector<double> u(n, 0.0);
  u[0] = gamma;
  u[n - 1] = other;
  std::vector<V> y = solve_tridiagonal(lower, diagonal, upper, std::move(right));
  const std::vector<double> z = solve_tridiagonal(lower, diagonal, upper, std::move(u));
  const double wz = z[0] + corner / gamma * z[n - 1];
  const V wy = V(y[0] + corner / gamma * y[n - 1]);
  for (std::size_t i = 0; i < n; ++i) y[i] -= z[i] / (1.0 + wz) * wy;
  return y;
}

/// Second derivatives m_i at the points of a cubic spline, from the lengths h_i of its pieces and the slopes s_i of its chords:
///   h_{i−1} m_{i−1} + 2 (h_{i−1} + h_i) m_i + h_i m_{i+1} = 6 (s_i − s_{i−1})                           (1)
/// `is_closed`: all the way round, as many points as pieces. An open one has one point more than pieces, and the same cubic on both sides of its
/// second and of its last but one point ("not a knot") [DeBoor1978, ch. IV]: three points give a parabola, two a line.
template <class V>
std::vector<V> spline_second_derivatives(const std::vector<double>& h, const std::vector<V>& slope,
                                         bool is_closed) {
  const std::size_t n = h.size();
  if (!is_closed && n == 1) return std::vector<V>(2, V(0.0 * slope[0]));
  if (!is_closed && n == 2) return std::vector<V>(3, V(2.0 / (h[0] + h[1]) * (slope[1] - slope[0])));
  // Row k is that of the point between the pieces `before` and `after`.
  const std::size_t rows = is_closed ? n : n - 1;
  std::vector<double> lower(rows), diagonal(rows), upper(rows);
  std::vector<V> right(rows);
  for (std::size_t k = 0; k < rows; ++k) {
    const std::size_t before = is_closed ? (k + n - 1) % n : k, after = is_closed ? k : k + 1;
    lower[k] = h[before];
    diagonal[k] = 2.0 * (h[before] + h[after]);
    upper[k] = h[after];
    right[k] = 6.0 * (slope[after] - slope[before]);  // (1)
  }
  if (is_closed) return solve_cyclic(lower, std::move(diagonal), upper, std::move(right));
  // The first and the last are where the cubics of their neighbours go on:  m_0 = m_1 − (h_0/h_1)(m_2 − m_1).
  const double first = h[0] / h[1], last = h[n - 1] / h[n - 2];
  diagonal.front() += h[0] * (1.0 + first);
  upper.front() -= h[0] * first;
  diagonal.back() += h[n - 1] * (1.0 + last);
  lower.back() -= h[n - 1] * last;
  const std::vector<V> m = solve_tridiagonal(lower, std::move(diagonal), upper, std::move(right));
  std::vector<V> all;
  all.reserve(n + 1);
  all.push_back(V(m[0] - first * (m[1] - m[0])));
  all.insert(all.end(), m.begin(), m.end());
  all.push_back(V(m[rows - 1] + last * (m[rows - 1] - m[rows - 2])));
  return all;
}

}  // namespace eslabon::core
