#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>

#include <klu.h>

#include "eslabon/kinematics/chosen_rows.hpp"
#include "eslabon/kinematics/jacobian_solver.hpp"

namespace eslabon::kinematics {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
/// The diagonal entry stays the pivot while it is at least this times the largest of its column: factors between
/// 0.1 and 1 keep both the growth and the fill small; KLU's own 0.001 is meant for circuits.
constexpr double kPivotTolerance = 0.1;
/// Old pivots are kept while the probe of (2) stays below.
constexpr double kLargestBackwardError = 1e-12;

/// +1 for an even permutation, −1 for an odd one: a cycle of k elements is k − 1 exchanges.
int parity(const int* permutation, std::size_t size, std::vector<char>& is_visited) {
  int sign = 1;
  std::fill(is_visited.begin(), is_visited.end(), char{0});
  for (std::size_t first = 0; first < size; ++first) {
    if (is_visited[first] != 0) continue;
    is_visited[first] = 1;
    for (auto k = static_cast<std::size_t>(permutation[first]); k != first;
         k = static_cast<std::size_t>(permutation[k])) {
      is_visited[k] = 1;
      sign = -sign;
    }
  }
  return sign;
}

/// KLU [DavisNatarajan2010]:  P S A Q = L U + F,  block upper triangular, S the (positive) scales of the rows, so
///
///   sign det A = parity(P) parity(Q) Π sign u_ii                                                              (1)
///
/// Reused pivots P may have become small, which shows as large entries in L or U. KLU's own measure (rgrowth)
/// looks at U alone; here one known x̂ is sent through the factors instead and judged by its backward error,
///
///   r = A x − A x̂,    max_i |r_i| / (|A| |x|)_i  ≤  kLargestBackwardError                                     (2)
///
/// which is the error that matters and costs one solve. x̂ has fixed numbers without pattern, because the rows of
/// a Jacobian often add up to zero.
class SparseSolver final : public JacobianSolver {
 public:
  SparseSolver(const coordinates::SparsePattern& pattern, const std::vector<int>& rows)
      : chosen_(choose_rows(pattern, rows)),
        n_(rows.size()),
        values_(chosen_.entry.size()),
        x_(n_),
        probe_(n_),
        probe_side_(n_),
        probe_scale_(n_),
        is_visited_(n_) {
    klu_defaults(&common_);
    common_.scale = 2;  // rows by their largest entry
    common_.tol = kPivotTolerance;
    std::uint64_t state = 1;
    for (double& x : probe_) {  // Knuth's linear congruential generator; any numbers of size 1 would do
      state = state * 6364136223846793005u + 1442695040888963407u;
      x = (state >> 63 != 0 ? -1.0 : 1.0) * (0.5 + static_cast<double>((state >> 11) & 0xfffff) * 0x1.0p-20);
    }
    if (n_ == 0) return;
    symbolic_ =
        klu_analyze(chosen_.size(), chosen_.A.column_start.data(), chosen_.A.row_of_entry.data(), &common_);
    if (symbolic_ == nullptr) throw std::bad_alloc();  // the pattern is valid: nothing else can fail
    is_structurally_regular_ = symbolic_->structural_rank == chosen_.size();
    column_parity_ = parity(symbolic_->Q, n_, is_visited_);
  }
  ~SparseSolver() override {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }
  SparseSolver(const SparseSolver&) = delete;
  SparseSolver& operator=(const SparseSolver&) = delete;

  std::string_view name() const override { return "sparse"; }

  bool factor(std::span<const double> values) override {
    check_values(chosen_, values);
    was_called_ = true;
    is_factored_ = false;
    pivot_ratio_ = n_ == 0 ? 1.0 : 0.0;
    if (n_ != 0) {
      for (std::size_t k = 0; k < values_.size(); ++k) values_[k] = values[chosen_.entry[k]];
      if (!is_structurally_regular_ || !has_usable_rows()) return false;
      if (!factor_with_old_pivots() && !factor_with_new_pivots()) return false;
    }
    is_factored_ = true;
    return true;
  }

  void solve(std::span<const double> b, std::span<double> x) override {
    check_factored(is_factored_, "solve");
    check_sides(chosen_, b, x);
    for (std::size_t i = 0; i < n_; ++i) x_[i] = b[static_cast<std::size_t>(chosen_.rows[i])];
    solve_in_place(x_);
    std::copy(x_.begin(), x_.end(), x.begin());
  }

  int determinant_sign() const override {
    check_factored(is_factored_, "determinant_sign");
    int sign = column_parity_ * row_parity_;
    for (std::size_t k = 0; k < n_; ++k)
      if (pivots()[k] < 0.0) sign = -sign;
    return sign;  // (1)
  }

  double pivot_ratio() const override {
    check_factored(was_called_, "pivot_ratio");
    return pivot_ratio_;
  }

 private:
  const double* pivots() const { return static_cast<const double*>(numeric_->Udiag); }

  /// KLU divides by the largest entry of each row and compares entries; it expects neither zero rows nor NaN.
  bool has_usable_rows() {
    std::fill(probe_scale_.begin(), probe_scale_.end(), 0.0);
    for (std::size_t k = 0; k < values_.size(); ++k) {
      if (!std::isfinite(values_[k])) return false;
      double& largest = probe_scale_[static_cast<std::size_t>(chosen_.A.row_of_entry[k])];
      largest = std::max(largest, std::abs(values_[k]));
    }
    return std::find(probe_scale_.begin(), probe_scale_.end(), 0.0) == probe_scale_.end();
  }

  bool factor_with_old_pivots() {
    if (numeric_ == nullptr) return false;
    if (klu_refactor(chosen_.A.column_start.data(), chosen_.A.row_of_entry.data(), values_.data(), symbolic_,
                     numeric_, &common_) == 0 ||
        common_.status != KLU_OK)
      return false;
    return has_usable_pivots() && probe_passes();
  }

  bool factor_with_new_pivots() {
    klu_numeric* numeric = klu_factor(chosen_.A.column_start.data(), chosen_.A.row_of_entry.data(),
                                      values_.data(), symbolic_, &common_);
    if (numeric == nullptr && common_.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
    pivot_ratio_ = 0.0;
    if (numeric == nullptr) return false;  // a zero pivot; the old ones may do for the next values
    klu_free_numeric(&numeric_, &common_);
    numeric_ = numeric;
    row_parity_ = parity(numeric_->Pnum, n_, is_visited_);
    return has_usable_pivots();
  }

  bool has_usable_pivots() {
    double smallest = std::numeric_limits<double>::infinity();
    double largest = 0.0;
    for (std::size_t k = 0; k < n_; ++k) {
      const double size = std::abs(pivots()[k]);
      if (!std::isfinite(size)) return false;
      smallest = std::min(smallest, size);
      largest = std::max(largest, size);
    }
    pivot_ratio_ = largest > 0.0 ? smallest / largest : 0.0;
    return pivot_ratio_ >= static_cast<double>(n_) * kEpsilon;
  }

  bool probe_passes() {
    std::fill(probe_side_.begin(), probe_side_.end(), 0.0);
    add_product(probe_, [&](std::size_t row, double term) { probe_side_[row] += term; });
    std::copy(probe_side_.begin(), probe_side_.end(), x_.begin());
    solve_in_place(x_);
    std::fill(probe_scale_.begin(), probe_scale_.end(), 0.0);
    add_product(x_, [&](std::size_t row, double term) {
      probe_side_[row] -= term;
      probe_scale_[row] += std::abs(term);
    });
    for (std::size_t i = 0; i < n_; ++i)
      if (!(std::abs(probe_side_[i]) <= kLargestBackwardError * probe_scale_[i])) return false;  // (2)
    return true;
  }

  /// Calls add(i, a_ij x_j) for every entry of A.
  template <class Add>
  void add_product(const std::vector<double>& x, Add add) const {
    for (std::size_t column = 0; column < n_; ++column) {
      const auto end = static_cast<std::size_t>(chosen_.A.column_start[column + 1]);
      for (auto k = static_cast<std::size_t>(chosen_.A.column_start[column]); k < end; ++k)
        add(static_cast<std::size_t>(chosen_.A.row_of_entry[k]), values_[k] * x[column]);
    }
  }

  void solve_in_place(std::vector<double>& x) {
    if (n_ != 0) klu_solve(symbolic_, numeric_, chosen_.size(), 1, x.data(), &common_);
  }

  ChosenRows chosen_;
  std::size_t n_;
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;  ///< order of elimination; set by the constructor, none for n = 0
  klu_numeric* numeric_ = nullptr;    ///< pivots and factors; set by factor
  bool is_structurally_regular_ = true;
  int column_parity_ = 1;            ///< of Q, set by the constructor
  int row_parity_ = 1;               ///< of P, set by factor
  std::vector<double> values_;       ///< (entries of A) set by factor
  std::vector<double> x_;            ///< (n) scratch of solve and factor
  std::vector<double> probe_;        ///< (n) x̂ of (2), set by the constructor
  std::vector<double> probe_side_;   ///< (n) scratch of factor: A x̂, then −r
  std::vector<double> probe_scale_;  ///< (n) scratch of factor: largest entries, |A| |x|
  std::vector<char> is_visited_;     ///< (n) scratch of parity
  double pivot_ratio_ = 0.0;         ///< set by factor
  bool was_called_ = false;          ///< set by factor
  bool is_factored_ = false;         ///< set by factor
};

}  // namespace

std::unique_ptr<JacobianSolver> make_sparse_solver(const coordinates::SparsePattern& pattern,
                                                   const std::vector<int>& rows) {
  return std::make_unique<SparseSolver>(pattern, rows);
}

}  // namespace eslabon::kinematics
