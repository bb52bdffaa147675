#include "eslabon/core/linalg/sparse_least_norm.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <vector>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace eslabon::core {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The rows of a sparse matrix, one behind the other.
struct SparseRowList {
  std::vector<int> start{0};  ///< (rows + 1)
  std::vector<int> column;    ///< (entries)
  std::vector<double> value;  ///< (entries)
};

SparseRowList rows_of(std::span<const SparseEntry> A, Index rows) {
  SparseRowList list;
  list.start.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (const SparseEntry& entry : A) ++list.start[static_cast<std::size_t>(entry.row) + 1];
  for (std::size_t row = 1; row < list.start.size(); ++row) list.start[row] += list.start[row - 1];
  std::vector<int> next = list.start;
  list.column.resize(A.size());
  list.value.resize(A.size());
  for (const SparseEntry& entry : A) {
    const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(entry.row)]++);
    list.column[place] = entry.column;
    list.value[place] = entry.value;
  }
  return list;
}

/// Rows in an order that leaves little fill.
std::vector<std::size_t> elimination_order(const SparseRowList& rows, Index columns) {
  const auto num_rows = static_cast<Index>(rows.start.size()) - 1;
  const Eigen::Map<const Eigen::SparseMatrix<double>> transposed(
      columns, num_rows, static_cast<Index>(rows.column.size()), rows.start.data(), rows.column.data(),
      rows.value.data());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> place;
  Eigen::COLAMDOrdering<int>()(transposed, place);
  std::vector<std::size_t> order(static_cast<std::size_t>(num_rows));
  for (Index row = 0; row < num_rows; ++row)
    order[static_cast<std::size_t>(place.indices()[row])] = static_cast<std::size_t>(row);
  return order;
}

/// H = I − (2 / vᵀv) v vᵀ
struct Reflection {
  std::vector<int> place;  ///< of the entries of v that are not 0; the first is its pivot
  std::vector<double> v;
  double vv = 0.0;

  template <class Column>
  void apply(Column&& w) const {
    double vw = 0.0;
    for (std::size_t k = 0; k < v.size(); ++k) vw += v[k] * w[place[k]];
    const double factor = 2.0 * vw / vv;
    for (std::size_t k = 0; k < v.size(); ++k) w[place[k]] -= factor * v[k];
  }
};

/// Aᵀ P = Q R, one column after the other; of R only the column at hand is kept.
class Factor {
 public:
  explicit Factor(Index columns)
      : w_(VectorXd::Zero(columns)),
        reflections_at_(static_cast<std::size_t>(columns)),
        pivot_of_(static_cast<std::size_t>(columns), -1),
        is_filled_(static_cast<std::size_t>(columns), false) {}

  /// Adds a column with its right-hand side. Nothing when it is a combination of others.
  void add(std::span<const int> place, std::span<const double> value, double b, double tolerance) {
    for (std::size_t k = 0; k < place.size(); ++k) {
      fill(place[k], 0);
      w_[place[k]] = value[k];
    }
    is_queued_.assign(reflections_.size(), false);
    while (!queue_.empty()) {
      const std::size_t r = queue_.top();
      queue_.pop();
      if (is_queued_[r]) continue;
      is_queued_[r] = true;
      for (const int p : reflections_[r].place) fill(p, r + 1);
      reflections_[r].apply(w_);
    }
    reflect(b, tolerance);
    for (const int p : filled_) {
      w_[p] = 0.0;
      is_filled_[static_cast<std::size_t>(p)] = false;
    }
    filled_.clear();
  }

  /// Q y
  VectorXd solution() const {
    VectorXd x = VectorXd::Zero(w_.size());
    for (std::size_t r = 0; r < reflections_.size(); ++r) x[reflections_[r].place[0]] = y_[r];
    turn(x);
    return x;
  }

  /// Q e of each unit vector e that no pivot has.
  MatrixXd null_space() const {
    MatrixXd N = MatrixXd::Zero(w_.size(), w_.size() - static_cast<Index>(reflections_.size()));
    Index column = 0;
    for (Index p = 0; p < w_.size(); ++p)
      if (pivot_of_[static_cast<std::size_t>(p)] < 0) {
        N(p, column) = 1.0;
        turn(N.col(column++));
      }
    return N;
  }

 private:
  /// x becomes Q x
  template <class Column>
  void turn(Column&& x) const {
    for (std::size_t r = reflections_.size(); r-- > 0;) reflections_[r].apply(x);
  }

  /// The column has an entry here: reflections from `first` on that have one too will change it.
  void fill(int p, std::size_t first) {
    const auto slot = static_cast<std::size_t>(p);
    if (is_filled_[slot]) return;
    is_filled_[slot] = true;
    filled_.push_back(p);
    for (const std::size_t r : reflections_at_[slot])
      if (r >= first) queue_.push(r);
  }

  /// What of the column is not yet in R becomes one entry, the diagonal of R.
  void reflect(double b, double tolerance) {
    Reflection next;
    double squares = 0.0;
    for (const int p : filled_) {
      const int r = pivot_of_[static_cast<std::size_t>(p)];
      if (r >= 0) {
        b -= w_[p] * y_[static_cast<std::size_t>(r)];  // Rᵀ y = Pᵀ b, row by row
      } else if (w_[p] != 0.0) {
        next.place.push_back(p);
        squares += w_[p] * w_[p];
      }
    }
    const double norm = std::sqrt(squares);
    if (!(norm >= tolerance) || next.place.empty()) return;
    const auto largest = std::ranges::max_element(next.place, {}, [&](int p) { return std::abs(w_[p]); });
    std::iter_swap(next.place.begin(), largest);
    for (const int p : next.place) next.v.push_back(w_[p]);
    const double diagonal = next.v[0] > 0.0 ? -norm : norm;
    next.v[0] -= diagonal;
    next.vv = 2.0 * norm * std::abs(next.v[0]);
    const std::size_t r = reflections_.size();
    for (const int p : next.place) reflections_at_[static_cast<std::size_t>(p)].push_back(r);
    pivot_of_[static_cast<std::size_t>(next.place[0])] = static_cast<int>(r);
    y_.push_back(b / diagonal);
    reflections_.push_back(std::move(next));
  }

  std::vector<Reflection> reflections_;
  std::vector<double> y_;                                 ///< (reflections)
  VectorXd w_;                                            ///< (columns of A) the column at hand, else 0
  std::vector<int> filled_;                               ///< where it may have entries
  std::vector<std::vector<std::size_t>> reflections_at_;  ///< (columns of A) those with an entry there
  std::vector<int> pivot_of_;                             ///< (columns of A) the reflection, or −1
  std::vector<bool> is_filled_;                           ///< (columns of A)
  std::vector<bool> is_queued_;                           ///< (reflections) applied to the column at hand
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> queue_;
};

Factor factorise(std::span<const SparseEntry> A, Index columns, const VectorXd& b, double tolerance) {
  const SparseRowList rows = rows_of(A, b.size());
  Factor factor(columns);
  for (const std::size_t row : elimination_order(rows, columns)) {
    const auto first = static_cast<std::size_t>(rows.start[row]);
    const auto size = static_cast<std::size_t>(rows.start[row + 1]) - first;
    factor.add(std::span(rows.column).subspan(first, size), std::span(rows.value).subspan(first, size),
               b[static_cast<Index>(row)], tolerance);
  }
  return factor;
}

}  // namespace

VectorXd shortest_solution(std::span<const SparseEntry> A, Index columns, const VectorXd& b,
                           double tolerance) {
  if (b.size() == 0 || columns == 0) return VectorXd::Zero(columns);
  return factorise(A, columns, b, tolerance).solution();
}

MatrixXd sparse_null_space(std::span<const SparseEntry> A, Index rows, Index columns, double tolerance) {
  if (rows == 0 || columns == 0) return MatrixXd::Identity(columns, columns);
  return factorise(A, columns, VectorXd::Zero(rows), tolerance).null_space();
}

}  // namespace eslabon::core
