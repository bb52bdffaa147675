#pragma once

#include <cstddef>
#include <vector>

#include <Eigen/Core>

#include "eslabon/core/scalar/scalar.hpp"
#include "eslabon/tyres/relief_point.hpp"

namespace eslabon::tyres {

/// The numbers of a curved regular grid [OpenCrg]: rows at equal steps u along a reference line, in each row heights at the same places v to the left of it.
struct CrgGrid {
  double start_x = 0.0, start_y = 0.0;  ///< of the reference line [m]
  double increment = 0.0;               ///< > 0, from row to row [m]
  std::vector<double> heading;          ///< (rows − 1) from row to row, from x to the left [rad]
  std::vector<double> reference;        ///< (rows) height of the reference line [m]
  std::vector<double> bank;             ///< (rows) slope across, uphill to the left
  std::vector<double> v;                ///< (columns) strictly increasing, at least two [m]
  std::vector<double> z;  ///< (rows × columns) row by row, over the reference line and its bank [m]
  friend bool operator==(const CrgGrid&, const CrgGrid&) = default;
};

/// The surface that such a grid says. The reference line goes straight from row to row. Seen from the way from P_i to P_{i+1}, of length h, with ξ along
/// and η across it, rows stand on the bisectors of its bends δ, so that lines of equal v are parallel to it:
///   t = (ξ − η a_i)/(h + η (a_{i+1}' − a_i)),   a_i = tan(δ_i/2),   a_{i+1}' = −tan(δ_{i+1}/2),   v = η                     (1)
///   z = lerp(z_ref + b v + grid, t, v),  linear in t and in v                                                                  (2)
/// Before the first row and behind the last one the line goes on straight, and the heights of these rows with it; beside the grid those of its edge.
/// A value: immutable, safe to share between threads. No allocation after it is made.
class CrgSurface {
 public:
  /// Rows must not cross within the grid: h + v (a_{i+1}' − a_i) > 0.
  /// Fails: ContractError for grids of other sizes than said there, or without two rows.
  explicit CrgSurface(CrgGrid grid);

  const CrgGrid& grid() const { return grid_; }
  std::size_t rows() const { return points_.size(); }

  template <core::NumericScalar T>
  ReliefPointOf<T> at(const T& x, const T& y) const;

  friend bool operator==(const CrgSurface& a, const CrgSurface& b) { return a.grid_ == b.grid_; }

 private:
  /// A way from row to row.
  struct Way {
    Eigen::Vector2d along;  ///< unit
    double before, after;   ///< a_i, a_{i+1}'
  };
  template <class T>
  struct Place {
    T t, v;   ///< (1)
    T t_xi;   ///< ∂t/∂ξ
    T t_eta;  ///< ∂t/∂η
  };
  template <class T>
  Place<T> place_on(std::size_t way, const T& x, const T& y) const;
  std::size_t way_at(double x, double y) const;
  double height_at(std::size_t row, std::size_t column) const;

  CrgGrid grid_;
  std::vector<Eigen::Vector2d> points_;  ///< (rows) of the reference line
  std::vector<Way> ways_;                ///< (rows − 1)
  std::size_t stride_ = 1;               ///< the nearest row is looked for among every so many first
};

}  // namespace eslabon::tyres
