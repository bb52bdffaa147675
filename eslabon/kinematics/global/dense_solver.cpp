#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/Core>

#include "eslabon/kinematics/freedoms/chosen_rows.hpp"
#include "eslabon/kinematics/global/jacobian_solver.hpp"

namespace eslabon::kinematics {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kBlock = 48;  ///< columns that are eliminated before the rest of the matrix is touched
constexpr Index kLeaf = 8;    ///< columns that are eliminated one by one
constexpr Index kTile = 256;  ///< rows and columns of one product; see subtract_product

/// C −= A B by tiles. Eigen copies both factors of a product into a scratch block, on the stack up to
/// EIGEN_STACK_ALLOCATION_LIMIT (128 KiB) and else on the heap: tiles of 256 × 48 doubles (96 KiB) stay below.
template <class Left, class Right, class Result>
void subtract_product(const Left& A, const Right& B, Result&& C) {
  static_assert(kTile * kBlock * static_cast<Index>(sizeof(double)) < EIGEN_STACK_ALLOCATION_LIMIT);
  for (Index j = 0; j < C.cols(); j += kTile) {
    const Index width = std::min(kTile, C.cols() - j);
    for (Index i = 0; i < C.rows(); i += kTile) {
      const Index height = std::min(kTile, C.rows() - i);
      C.block(i, j, height, width).noalias() -= A.middleRows(i, height) * B.middleCols(j, width);
    }
  }
}

/// B := L⁻¹ B by tiles, for the same reason.
template <class Triangle, class Result>
void solve_unit_lower(const Triangle& L, Result&& B) {
  for (Index j = 0; j < B.cols(); j += kTile) {
    auto tile = B.middleCols(j, std::min(kTile, B.cols() - j));
    L.template triangularView<Eigen::UnitLower>().solveInPlace(tile);
  }
}

/// LU with partial pivoting in place, of the columns [begin, end) from row `begin` down:
///
///   P [A11 A12] = [L11    ] [U11 U12]        U12 = L11⁻¹ (P A)12,  A22 ← (P A)22 − L21 U12                    (1)
///     [A21 A22]   [L21  I ] [     A22]
///
/// [GolubVanLoan2013, ch. 3], right-looking by blocks. It stands here because Eigen's PartialPivLU takes its
/// scratch blocks from the heap when the matrix is large; it costs the same. A zero pivot stays on the diagonal
/// and its column is not divided, so the factors are those of a singular matrix.
class InPlaceLu {
 public:
  InPlaceLu(MatrixXd& A, std::vector<Index>& pivot_row) : A_(A), pivot_row_(pivot_row) {}

  // Seed004 eq. 30
  void run() {
    for (Index begin = 0; begin < A_.cols(); begin += kBlock) {
      const Index end = std::min(begin + kBlock, A_.cols());
      factor_columns(begin, end);
      swap_rows(begin, end, 0, begin);
      swap_rows(begin, end, end, A_.cols());
      eliminate(begin, end, A_.cols());
    }
  }

 private:
  /// (1) on the columns [begin, end) alone, halved until a few remain.
  void factor_columns(Index begin, Index end) {
    if (end - begin <= kLeaf) {
      for (Index k = begin; k < end; ++k) factor_column(k, begin, end);
      return;
    }
    const Index middle = begin + (end - begin + kLeaf) / (2 * kLeaf) * kLeaf;
    factor_columns(begin, middle);
    swap_rows(begin, middle, middle, end);
    eliminate(begin, middle, end);
    factor_columns(middle, end);
    swap_rows(middle, end, begin, middle);
  }

  void factor_column(Index k, Index begin, Index end) {
    const Index below = A_.rows() - k - 1;
    Index pivot = 0;
    const double largest = A_.col(k).tail(below + 1).cwiseAbs().maxCoeff(&pivot);
    pivot_row_[static_cast<std::size_t>(k)] = k + pivot;
    if (pivot != 0)
      for (Index j = begin; j < end; ++j) std::swap(A_(k, j), A_(k + pivot, j));
    if (largest == 0.0 || below == 0) return;
    A_.col(k).tail(below) /= A_(k, k);
    for (Index j = k + 1; j < end; ++j) A_.col(j).tail(below) -= A_(k, j) * A_.col(k).tail(below);
  }

  /// The row exchanges of the pivots [begin, end), on the columns [from, to).
  void swap_rows(Index begin, Index end, Index from, Index to) {
    for (Index j = from; j < to; ++j)
      for (Index k = begin; k < end; ++k) std::swap(A_(k, j), A_(pivot_row_[static_cast<std::size_t>(k)], j));
  }

  /// U12 and A22 of (1) for the pivots [begin, end), on the columns [end, to).
  void eliminate(Index begin, Index end, Index to) {
    const Index below = A_.rows() - end;
    if (to == end) return;
    solve_unit_lower(A_.block(begin, begin, end - begin, end - begin),
                     A_.block(begin, end, end - begin, to - end));
    subtract_product(A_.block(end, begin, below, end - begin), A_.block(begin, end, end - begin, to - end),
                     A_.block(end, end, below, to - end));
  }

  MatrixXd& A_;
  std::vector<Index>& pivot_row_;  ///< (n) row that was exchanged with row k, in the order of k
};

class DenseSolver final : public JacobianSolver {
 public:
  DenseSolver(const coordinates::SparsePattern& pattern, const std::vector<int>& rows)
      : chosen_(choose_rows(pattern, rows)),
        LU_(chosen_.size(), chosen_.size()),
        scale_(chosen_.size()),
        x_(chosen_.size()),
        pivot_row_(rows.size()) {}

  std::string_view name() const override { return "global"; }

  bool factor(std::span<const double> values) override {
    check_values(chosen_, values);
    was_called_ = true;
    is_factored_ = false;
    pivot_ratio_ = 0.0;
    if (!gather(values)) return false;
    InPlaceLu(LU_, pivot_row_).run();
    const Index n = LU_.rows();
    if (n == 0) {
      pivot_ratio_ = 1.0;
    } else {
      const auto pivots = LU_.diagonal().cwiseAbs();
      pivot_ratio_ = pivots.minCoeff() / pivots.maxCoeff();
    }
    is_factored_ = pivot_ratio_ >= static_cast<double>(n) * std::numeric_limits<double>::epsilon();
    return is_factored_;
  }

  // Seed004 eq. 31
  void solve(std::span<const double> b, std::span<double> x) override {
    check_factored(is_factored_, "solve");
    check_sides(chosen_, b, x);
    for (Index i = 0; i < x_.size(); ++i)
      x_(i) = scale_(i) * b[static_cast<std::size_t>(chosen_.rows[static_cast<std::size_t>(i)])];
    for (Index k = 0; k < x_.size(); ++k) std::swap(x_(k), x_(pivot_row_[static_cast<std::size_t>(k)]));
    LU_.triangularView<Eigen::UnitLower>().solveInPlace(x_);
    LU_.triangularView<Eigen::Upper>().solveInPlace(x_);
    std::copy(x_.begin(), x_.end(), x.begin());
  }

  void block_signs(std::vector<signed char>& signs) override {
    signs.assign(1, static_cast<signed char>(determinant_sign()));
  }

  int determinant_sign() override {
    check_factored(is_factored_, "determinant_sign");
    int sign = 1;
    for (Index k = 0; k < LU_.rows(); ++k) {
      if (pivot_row_[static_cast<std::size_t>(k)] != k) sign = -sign;
      if (LU_(k, k) < 0.0) sign = -sign;
    }
    return sign;
  }

  double pivot_ratio() const override {
    check_factored(was_called_, "pivot_ratio");
    return pivot_ratio_;
  }

 private:
  /// Writes the chosen rows to LU_, each times the power of two that brings its largest entry into [½, 1), which
  /// is exact. False when a row is zero or an entry not finite.
  bool gather(std::span<const double> values) {
    scale_.setZero();
    for (std::size_t k = 0; k < chosen_.entry.size(); ++k) {
      const double entry = values[chosen_.entry[k]];
      if (!std::isfinite(entry)) return false;
      double& largest = scale_(chosen_.A.row_of_entry[k]);
      largest = std::max(largest, std::abs(entry));
    }
    for (double& scale : scale_) {
      if (scale == 0.0) return false;
      int exponent = 0;
      std::frexp(scale, &exponent);
      scale = std::ldexp(1.0, std::min(-exponent, 1023));  // 2¹⁰²³ is the largest there is
    }
    LU_.setZero();
    for (Index column = 0; column < LU_.cols(); ++column) {
      const auto c = static_cast<std::size_t>(column);
      const auto end = static_cast<std::size_t>(chosen_.A.column_start[c + 1]);
      for (auto k = static_cast<std::size_t>(chosen_.A.column_start[c]); k < end; ++k) {
        const int row = chosen_.A.row_of_entry[k];
        LU_(row, column) = scale_(row) * values[chosen_.entry[k]];
      }
    }
    return true;
  }

  ChosenRows chosen_;
  MatrixXd LU_;                   ///< (n × n) factors of the scaled rows, set by factor
  VectorXd scale_;                ///< (n) what row i was multiplied with, set by factor
  VectorXd x_;                    ///< (n) scratch of solve
  std::vector<Index> pivot_row_;  ///< (n) row exchanges, set by factor
  double pivot_ratio_ = 0.0;      ///< set by factor
  bool was_called_ = false;       ///< set by factor
  bool is_factored_ = false;      ///< set by factor
};

}  // namespace

std::unique_ptr<JacobianSolver> make_dense_solver(const coordinates::SparsePattern& pattern,
                                                  const std::vector<int>& rows) {
  return std::make_unique<DenseSolver>(pattern, rows);
}

}  // namespace eslabon::kinematics
