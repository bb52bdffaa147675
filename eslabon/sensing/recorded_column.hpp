#pragma once

#include <span>
#include <vector>

namespace eslabon::sensing {

/// A number that was written down row by row, at any instant between, by
///   the polynomial of fifth degree with value, rate and acceleration of both rows, where both derivatives were written down too;      (1)
///   that of third degree with value and rate, where there is a rate;                                                               (2)
///   that of third degree through the four rows around, or a straight line where there are not so many.                             (3)
/// [HairerNorsettWanner1993, ch. II.6]. The error is that of order() = 6, 4, 4 or 2 in the distance of rows.
class RecordedColumn {
 public:
  /// `t` (rows ≥ 1) increases, `values` (rows); `rates` and `accelerations` (rows) or empty, the latter with the former only. The caller
  /// keeps them.
  RecordedColumn(std::span<const double> t, std::span<const double> values,
                 std::span<const double> rates = {}, std::span<const double> accelerations = {});

  /// At t, first row ≤ t ≤ last row.
  double at(double t) const;
  int order() const;
  /// How far it may be from the truth in the middle between rows, as a root of the mean square. Every row is compared with what its
  /// neighbours tell without it, and without those next to it: by how much the second is worse, but at most 2^order(), the rows themselves
  /// are better than the first. What is alike in both, where rows resolve the motion, is noise of the rows and does not count. Beside jumps
  /// nothing is compared. 0 with two rows.
  double error() const;
  /// Of all rows.
  double largest_distance() const;
  /// Whether what is written of it jumps between row i and the next: its derivative does not lead from one to the other, by more than
  /// half of what the largest derivative does. An impact, or rows that are too far apart for the motion. False without a derivative.
  bool jumps_after(std::size_t i) const;

 private:
  /// By the rows k rows before and after row i, of (3) also 3k.
  double predicted(std::size_t i, std::size_t k) const;
  double between(std::size_t i, std::size_t j, double t) const;
  double through_four(std::size_t a, std::size_t b, std::size_t c, std::size_t d, double t) const;
  /// Root of the mean square of what rows differ from predicted(); negative where there is no row.
  double misfit(std::size_t k) const;
  /// From row to row, root of the mean square.
  double change() const;
  void find_jumps();

  std::span<const double> t_, values_, rates_, accelerations_;
  std::vector<char> jumps_;  ///< (rows − 1)
};

}  // namespace eslabon::sensing
