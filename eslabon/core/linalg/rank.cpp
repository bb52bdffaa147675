#include "eslabon/core/linalg/rank.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "eslabon/core/linalg/orthogonal.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::core {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void require_usable(const MatrixXd& A, std::optional<double> tolerance, const char* where) {
  for (Index j = 0; j < A.cols(); ++j) {
    for (Index i = 0; i < A.rows(); ++i) {
      if (std::isfinite(A(i, j))) continue;
      throw ContractError({.what = "a matrix has no rank",
                           .where = std::string(where) + ", row " + std::to_string(i) + ", column " +
                                    std::to_string(j) + ", counted from 0",
                           .expected = "finite entries",
                           .actual = number_text(A(i, j)),
                           .next = "Check the positions that the matrix was evaluated at."});
    }
  }
  if (tolerance && !(*tolerance >= 0.0 && *tolerance < kInfinity)) {
    throw ContractError({.what = "a tolerance for the rank cannot be used",
                         .where = where,
                         .expected = "0 <= tolerance < inf",
                         .actual = number_text(*tolerance),
                         .next = "Leave it out for the default."});
  }
}

/// A P = Q [R₁₁ R₁₂; 0 ≈0] and what was decided from its diagonal.
struct RankedQr {
  int rank = 0;
  double tolerance = 0.0;  ///< in the units of A
  double pivot_gap = kInfinity;
  double condition = 1.0;   ///< |r₁₁| / |r_rr|, the order of the condition number of R₁₁; 1 at rank 0
  Eigen::VectorXi columns;  ///< (n) P: columns of A in pivot order
  MatrixXd R;               ///< (rank × n) [R₁₁ R₁₂] of A / scale
};

/// Column-pivoted Householder QR takes at each step the column whose part outside the span of those taken
/// is longest, so that |r₁₁| ≥ |r₂₂| ≥ … [GolubVanLoan2013, ch. 5]. Then
///
///   tolerance = ε max(m, n) |r₁₁|          the roundoff a zero pivot may show      (1)
///   rank = number of leading |r_ii| > tolerance                                    (2)
///
/// A is first scaled by a power of two, exactly, so that squares neither overflow nor vanish.
RankedQr decompose(const MatrixXd& A, std::optional<double> tolerance) {
  RankedQr out;
  const Index m = A.rows(), n = A.cols();
  out.columns = Eigen::VectorXi::LinSpaced(n, 0, static_cast<int>(n) - 1);
  out.R.resize(0, n);
  out.tolerance = tolerance.value_or(0.0);
  const double largest = A.size() == 0 ? 0.0 : A.cwiseAbs().maxCoeff();
  if (largest == 0.0) return out;

  const int exponent = std::ilogb(largest);
  const MatrixXd scaled = A.unaryExpr([exponent](double x) { return std::scalbn(x, -exponent); });
  const PivotedQr qr = pivoted_qr(scaled);
  const Eigen::VectorXd pivots = qr.R.diagonal().cwiseAbs();
  const double relative = kEpsilon * static_cast<double>(std::max(m, n)) * pivots(0);  // (1)
  const double bar = tolerance ? std::scalbn(*tolerance, -exponent) : relative;
  while (out.rank < pivots.size() && pivots(out.rank) > bar) ++out.rank;  // (2)
  out.tolerance = tolerance ? *tolerance : std::scalbn(relative, exponent);

  if (out.rank < pivots.size()) {
    const double rejected = pivots.tail(pivots.size() - out.rank).maxCoeff();
    const double accepted = out.rank > 0 ? pivots(out.rank - 1) : bar;
    if (rejected > 0.0) out.pivot_gap = accepted / rejected;
  }
  if (out.rank > 0) out.condition = pivots(0) / pivots(out.rank - 1);
  out.columns = qr.columns;
  out.R = qr.R.topRows(out.rank);
  return out;
}

std::vector<int> ascending_pivots(const RankedQr& qr) {
  std::vector<int> columns(qr.columns.data(), qr.columns.data() + qr.rank);
  std::sort(columns.begin(), columns.end());
  return columns;
}

/// A x = 0 means [R₁₁ R₁₂] Pᵀx = 0: Pᵀx is orthogonal to the r rows of R. A second QR, of Rᵀ (n × r), has
/// in its last n − r columns an orthonormal basis of just that; P puts the entries back in order.
MatrixXd null_space_of(const RankedQr& qr) {
  const Index n = qr.R.cols(), nullity = n - qr.rank;
  const MatrixXd permuted = orthogonal_complement(qr.R.transpose());
  MatrixXd basis(n, nullity);
  for (Index i = 0; i < n; ++i) basis.row(qr.columns(i)) = permuted.row(i);
  return basis;
}

/// One dependent row with its coefficients c in pivot order. A coefficient that moves the row by no more
/// than the roundoff in c, ε max(m, n) cond(R₁₁) of the largest contribution (at most √ε of it), is
/// noise and left out.
DependentRow describe(const MatrixXd& A, const RankedQr& qr, int row, const Eigen::VectorXd& c) {
  Eigen::VectorXd contribution(qr.rank);
  for (int k = 0; k < qr.rank; ++k) contribution(k) = std::abs(c(k)) * A.row(qr.columns(k)).stableNorm();
  const double size = static_cast<double>(std::max(A.rows(), A.cols()));
  const double relative = std::min(8.0 * kEpsilon * size * qr.condition, std::sqrt(kEpsilon));
  const double noise = relative * (qr.rank > 0 ? contribution.maxCoeff() : 0.0);

  std::vector<std::pair<int, double>> kept;
  for (int k = 0; k < qr.rank; ++k) {
    if (contribution(k) > noise) kept.emplace_back(qr.columns(k), c(k));
  }
  std::sort(kept.begin(), kept.end());
  DependentRow out{.row = row, .rows = {}, .coefficients = {}};
  for (const auto& [index, coefficient] : kept) {
    out.rows.push_back(index);
    out.coefficients.push_back(coefficient);
  }
  return out;
}

}  // namespace

RankReport analyse_rank(const MatrixXd& A, std::optional<double> tolerance) {
  require_usable(A, tolerance, "analyse_rank");
  const RankedQr qr = decompose(A, tolerance);
  return {.rank = qr.rank,
          .tolerance = qr.tolerance,
          .pivot_gap = qr.pivot_gap,
          .independent_columns = ascending_pivots(qr),
          .null_space = null_space_of(qr)};
}

/// Aᵀ P = Q [R₁₁ R₁₂; 0 ≈0]: the rejected columns of AᵀP are Q₁ R₁₂ = (Q₁ R₁₁) (R₁₁⁻¹ R₁₂), the accepted ones
/// times C = R₁₁⁻¹ R₁₂, whose columns are the coefficients asked for.
RowReport analyse_rows(const MatrixXd& A, std::optional<double> tolerance) {
  require_usable(A, tolerance, "analyse_rows");
  const RankedQr qr = decompose(A.transpose(), tolerance);
  RowReport out{.rank = qr.rank,
                .tolerance = qr.tolerance,
                .pivot_gap = qr.pivot_gap,
                .independent_rows = ascending_pivots(qr),
                .dependent_rows = {}};
  const Index rejected = A.rows() - qr.rank;
  MatrixXd C = qr.R.rightCols(rejected);
  if (C.size() > 0) qr.R.leftCols(qr.rank).triangularView<Eigen::Upper>().solveInPlace(C);
  for (Index k = 0; k < rejected; ++k) {
    out.dependent_rows.push_back(describe(A, qr, qr.columns(qr.rank + k), C.col(k)));
  }
  std::sort(out.dependent_rows.begin(), out.dependent_rows.end(),
            [](const DependentRow& a, const DependentRow& b) { return a.row < b.row; });
  return out;
}

}  // namespace eslabon::core
