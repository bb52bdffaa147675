#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>

#include <klu.h>

#include "eslabon/kinematics/freedoms/chosen_rows.hpp"
#include "eslabon/kinematics/global/jacobian_solver.hpp"

namespace eslabon::kinematics {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
/// The diagonal entry stays the pivot while it is at least this times the largest of its column: factors between
/// 0.1 and 1 keep both the growth and the fill small; KLU's own 0.001 is meant for circuits.
constexpr double kPivotTolerance = 0.1;
/// Below this ratio of pivots the scales that were taken with them are looked at; they fit within this factor.
constexpr double kSuspectRatio = 1e-4;
constexpr double kLargestMisfit = 100.0;
/// Old pivots are kept while (2) holds.
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
/// looks at U alone; here the first solution with new factors is judged by its backward error,
///
///   r = b − A x,    max_i |r_i| ≤ kLargestBackwardError max_i (|A| |x| + |b|)_i,   rows scaled                 (2)
///
/// which is the error that matters and costs one product with A; when it is too large, new pivots are looked for and
/// the system is solved again. A determinant that is asked for before any solution is checked with a known x̂ of fixed
/// numbers without pattern, because the rows of a Jacobian often add up to zero.
///
/// S is the one of the values that the pivots were chosen for: rows change their size slowly.
class SparseSolver final : public JacobianSolver {
 public:
  SparseSolver(const coordinates::SparsePattern& pattern, const std::vector<int>& rows)
      : chosen_(choose_rows(pattern, rows)),
        n_(rows.size()),
        values_(chosen_.entry.size()),
        row_scale_(n_, 1.0),
        x_(n_),
        side_(n_),
        residual_(n_),
        magnitude_(n_),
        probe_(n_),
        is_visited_(n_),
        place_(n_),
        order_(n_) {
    klu_defaults(&common_);
    common_.scale = -1;  // S is applied here
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

  // Seed001 alg. 3
  bool factor(std::span<const double> values) override {
    check_values(chosen_, values);
    was_called_ = true;
    is_factored_ = false;
    is_verified_ = false;
    pivot_ratio_ = n_ == 0 ? 1.0 : 0.0;
    if (n_ != 0) {
      if (!is_structurally_regular_) return false;
      for (std::size_t k = 0; k < values_.size(); ++k)
        values_[k] =
            values[chosen_.entry[k]] * row_scale_[static_cast<std::size_t>(chosen_.A.row_of_entry[k])];
      const bool is_good = factor_with_old_pivots() && (pivot_ratio_ > kSuspectRatio || has_fitting_scales());
      if (!is_good && !factor_with_new_pivots()) return false;
    }
    is_factored_ = true;
    return true;
  }

  // Seed004 eq. 32
  void solve(std::span<const double> b, std::span<double> x) override {
    check_factored(is_factored_, "solve");
    check_sides(chosen_, b, x);
    for (std::size_t i = 0; i < n_; ++i)
      side_[i] = row_scale_[i] * b[static_cast<std::size_t>(chosen_.rows[i])];
    solve_checked();
    std::copy(x_.begin(), x_.end(), x.begin());
  }

  int determinant_sign() override {
    verify_for("determinant_sign");
    int sign = column_parity_ * row_parity_;
    for (std::size_t k = 0; k < n_; ++k)
      if (pivots()[k] < 0.0) sign = -sign;
    return sign;  // (1)
  }

  void block_signs(std::vector<signed char>& signs) override {
    verify_for("block_signs");
    signs.resize(n_ == 0 ? 0 : static_cast<std::size_t>(symbolic_->nblocks));
    for (std::size_t b = 0; b < signs.size(); ++b) {
      signs[b] = block_parity_[b];
      for (int k = symbolic_->R[b]; k < symbolic_->R[b + 1]; ++k)
        if (pivots()[k] < 0.0) signs[b] = static_cast<signed char>(-signs[b]);
    }
  }

  double pivot_ratio() const override {
    check_factored(was_called_, "pivot_ratio");
    return pivot_ratio_;
  }

 private:
  /// Checks the factors with a known solution unless a solution has been looked at already.
  void verify_for(std::string_view caller) {
    check_factored(is_factored_, caller);
    if (is_verified_) return;
    std::fill(side_.begin(), side_.end(), 0.0);
    add_product(probe_, [&](std::size_t row, double term) { side_[row] += term; });
    solve_checked();
  }

  /// Within a diagonal block rows are exchanged with each other only: parity of their order against that of the analysis.
  void find_block_parities() {
    for (std::size_t k = 0; k < n_; ++k)
      place_[static_cast<std::size_t>(symbolic_->P[k])] = static_cast<int>(k);
    for (std::size_t k = 0; k < n_; ++k) order_[k] = place_[static_cast<std::size_t>(numeric_->Pnum[k])];
    block_parity_.resize(static_cast<std::size_t>(symbolic_->nblocks));
    std::fill(is_visited_.begin(), is_visited_.end(), char{0});
    for (std::size_t b = 0; b < block_parity_.size(); ++b) {
      int sign = 1;
      for (int first = symbolic_->R[b]; first < symbolic_->R[b + 1]; ++first) {
        if (is_visited_[static_cast<std::size_t>(first)] != 0) continue;
        is_visited_[static_cast<std::size_t>(first)] = 1;
        for (int k = order_[static_cast<std::size_t>(first)]; k != first;
             k = order_[static_cast<std::size_t>(k)]) {
          is_visited_[static_cast<std::size_t>(k)] = 1;
          sign = -sign;
        }
      }
      block_parity_[b] = static_cast<signed char>(sign);
    }
  }

  const double* pivots() const { return static_cast<const double*>(numeric_->Udiag); }

  bool factor_with_old_pivots() {
    return numeric_ != nullptr &&
           klu_refactor(chosen_.A.column_start.data(), chosen_.A.row_of_entry.data(), values_.data(),
                        symbolic_, numeric_, &common_) != 0 &&
           common_.status == KLU_OK && has_usable_pivots();
  }

  /// Largest entry of each (scaled) row into magnitude_; false when an entry is not finite or a row is zero.
  bool measure_rows() {
    std::fill(magnitude_.begin(), magnitude_.end(), 0.0);
    for (std::size_t k = 0; k < values_.size(); ++k) {
      if (!std::isfinite(values_[k])) return false;
      double& largest = magnitude_[static_cast<std::size_t>(chosen_.A.row_of_entry[k])];
      largest = std::max(largest, std::abs(values_[k]));
    }
    return std::find(magnitude_.begin(), magnitude_.end(), 0.0) == magnitude_.end();
  }

  bool has_fitting_scales() {
    return measure_rows() && std::all_of(magnitude_.begin(), magnitude_.end(), [](double largest) {
             return largest < kLargestMisfit && largest > 1.0 / kLargestMisfit;
           });
  }

  /// Scales the rows anew by their largest entry and chooses pivots; false for a singular A.
  bool factor_with_new_pivots() {
    if (!measure_rows()) return false;
    for (std::size_t i = 0; i < n_; ++i) row_scale_[i] /= magnitude_[i];
    for (std::size_t k = 0; k < values_.size(); ++k)
      values_[k] /= magnitude_[static_cast<std::size_t>(chosen_.A.row_of_entry[k])];
    klu_numeric* numeric = klu_factor(chosen_.A.column_start.data(), chosen_.A.row_of_entry.data(),
                                      values_.data(), symbolic_, &common_);
    if (numeric == nullptr && common_.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
    pivot_ratio_ = 0.0;
    if (numeric == nullptr) return false;  // a zero pivot; the old ones may do for the next values
    klu_free_numeric(&numeric_, &common_);
    numeric_ = numeric;
    row_parity_ = parity(numeric_->Pnum, n_, is_visited_);
    find_block_parities();
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

  /// x_ from side_, with new pivots where the old ones are not good enough for (2).
  void solve_checked() {
    solve_once();
    if (is_verified_ || n_ == 0 || has_small_backward_error()) {
      is_verified_ = true;
      return;
    }
    // side_ carries the scales of before.
    for (std::size_t i = 0; i < n_; ++i) side_[i] /= row_scale_[i];
    is_verified_ = true;
    if (!factor_with_new_pivots()) {  // singular after all: what x_ holds is as good as it gets
      for (std::size_t i = 0; i < n_; ++i) side_[i] *= row_scale_[i];
      return;
    }
    for (std::size_t i = 0; i < n_; ++i) side_[i] *= row_scale_[i];
    solve_once();
  }

  bool has_small_backward_error() {
    for (std::size_t i = 0; i < n_; ++i) {
      residual_[i] = side_[i];
      magnitude_[i] = std::abs(side_[i]);
    }
    add_product(x_, [&](std::size_t row, double term) {
      residual_[row] -= term;
      magnitude_[row] += std::abs(term);
    });
    const double largest = *std::max_element(magnitude_.begin(), magnitude_.end());
    return std::all_of(residual_.begin(), residual_.end(),
                       [&](double r) { return std::abs(r) <= kLargestBackwardError * largest; });  // (2)
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

  void solve_once() {
    std::copy(side_.begin(), side_.end(), x_.begin());
    if (n_ != 0) klu_solve(symbolic_, numeric_, chosen_.size(), 1, x_.data(), &common_);
  }

  ChosenRows chosen_;
  std::size_t n_;
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;  ///< order of elimination; set by the constructor, none for n = 0
  klu_numeric* numeric_ = nullptr;    ///< pivots and factors; set by factor
  bool is_structurally_regular_ = true;
  int column_parity_ = 1;                  ///< of Q, set by the constructor
  int row_parity_ = 1;                     ///< of P, set by factor
  std::vector<double> values_;             ///< (entries of A) scaled, set by factor
  std::vector<double> row_scale_;          ///< (n) S, set by factor_with_new_pivots
  std::vector<double> x_;                  ///< (n) scratch of solve
  std::vector<double> side_;               ///< (n) scratch of solve: the scaled right-hand side
  std::vector<double> residual_;           ///< (n) scratch of solve: r of (2)
  std::vector<double> magnitude_;          ///< (n) scratch: |A| |x| + |b| of (2), largest entries of the rows
  std::vector<double> probe_;              ///< (n) x̂, set by the constructor
  std::vector<char> is_visited_;           ///< (n) scratch of parity
  std::vector<int> place_, order_;         ///< (n) scratch of find_block_parities
  std::vector<signed char> block_parity_;  ///< (blocks) set by factor
  double pivot_ratio_ = 0.0;               ///< set by factor
  bool was_called_ = false;                ///< set by factor
  bool is_factored_ = false;               ///< set by factor
  bool is_verified_ = false;               ///< whether (2) has been looked at since factor
};

}  // namespace

std::unique_ptr<JacobianSolver> make_sparse_solver(const coordinates::SparsePattern& pattern,
                                                   const std::vector<int>& rows) {
  return std::make_unique<SparseSolver>(pattern, rows);
}

}  // namespace eslabon::kinematics
