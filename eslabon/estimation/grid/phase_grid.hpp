#pragma once

#include <utility>
#include <vector>

#include <Eigen/Core>

namespace eslabon::estimation {

/// One direction of a lattice that has no end, and the window of it that is stored.
struct LatticeAxis {
  double origin = 0.0;
  double spacing = 1.0;
  bool is_turn = false;  ///< `count` nodes are a whole turn, the last one beside the first
  long first = 0;        ///< number of the first node stored
  Eigen::Index count = 1;

  double value(Eigen::Index i) const {
    return origin + spacing * static_cast<double>(first + static_cast<long>(i));
  }
  /// Where x is in the window, in nodes from its first.
  double slot(double x) const { return (x - origin) / spacing - static_cast<double>(first); }
};

/// Masses on a lattice of positions and rates, one sheet for each branch. Masses move conservatively: mass that arrives between nodes is
/// shared by the six nearest ones in either direction with Lagrange's weights, so that moments up to the fifth stay as they are and
/// nothing diffuses; noise is spread with moments up to the fifth as well, or as samples of the normal density where these are exact to
/// roundoff. Where the density is resolved, the error falls with the sixth power of the spacing; where it is not, some
/// masses are negative.
class PhaseGrid {
 public:
  PhaseGrid(const LatticeAxis& position, const LatticeAxis& rate, int sheets);

  const LatticeAxis& position() const { return axes_[0]; }
  const LatticeAxis& rate() const { return axes_[1]; }
  int num_sheets() const { return static_cast<int>(mass_.size()); }
  /// (rates × positions)
  const Eigen::ArrayXXd& mass(int sheet) const { return mass_[static_cast<std::size_t>(sheet)]; }
  Eigen::ArrayXXd& mass(int sheet) { return mass_[static_cast<std::size_t>(sheet)]; }
  /// First row with mass in a column, and how many to the last; set by tidy().
  std::pair<Eigen::Index, Eigen::Index> rows(int sheet, Eigen::Index column) const {
    return rows_[static_cast<std::size_t>(sheet)][static_cast<std::size_t>(column)];
  }

  /// The window becomes large enough for these values; what is stored stays. Arrays of `others` of the same shape follow, filled up with
  /// `fill`. False, and nothing has changed, when it would have more than kMostNodes.
  [[nodiscard]] bool make_room(double lowest_position, double highest_position, double lowest_rate,
                               double highest_rate, const std::vector<Eigen::ArrayXXd*>& others, double fill);
  static constexpr double kMostNodes = 2e7;

  /// Begins a new density; deposit() fills it, commit() makes it the present one.
  void clear_next();
  void deposit(int sheet, double position, double rate, double mass);
  void commit() { mass_.swap(next_); }
  /// Every mass moves by a normal number of covariance Q (2 × 2).
  void spread(const Eigen::Matrix2d& Q);
  /// Drops what is nothing beside the largest mass, and makes the sum 1. False, and nothing has changed, when the sum is not positive.
  bool tidy();

  /// Σ over sheets of −∫ p log p.
  double entropy() const;
  /// (bins) probability of the position in parts of the turn, or of the window, of equal width; columns are divided where bins end.
  Eigen::VectorXd position_bins(int bins) const;

 private:
  void find_rows();
  void spread_positions(double deviation);
  void spread_along(double deviation, double positions_per_rate);
  void add_shifted(const Eigen::ArrayXXd& from, Eigen::Index column, Eigen::Index rows_up,
                   double columns_right, double weight, std::pair<Eigen::Index, Eigen::Index> range,
                   Eigen::ArrayXXd& to) const;
  /// The column, by whole turns; −1: outside the window.
  Eigen::Index wrapped(long column) const;

  LatticeAxis axes_[2];
  std::vector<Eigen::ArrayXXd> mass_, next_;                              ///< (sheets) (rates × positions)
  std::vector<std::vector<std::pair<Eigen::Index, Eigen::Index>>> rows_;  ///< (sheets) (positions)
};

/// Weights of the nodes −r … r for a normal number of this deviation, counted in nodes.
std::vector<double> spread_weights(double deviation);

}  // namespace eslabon::estimation
