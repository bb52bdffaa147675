#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "eslabon/dynamics/reduced/reduced_motion.hpp"
#include "eslabon/sensing/row_polynomial.hpp"

namespace eslabon::sensing {

/// Coordinates that were written down, row by row.
struct RecordedCoordinates {
  std::vector<std::string> names;    ///< (m) of coordinates of ReducedMotion, at least as many as DOFs
  std::vector<double> t;             ///< (rows ≥ 1) increasing [s]
  Eigen::MatrixXd q, q_dot, q_ddot;  ///< (rows × m)
};

/// A motion that was written down, at any instant between its rows. Degrees of freedom are interpolated by the polynomial of fifth degree that has
/// their values, rates and accelerations at both rows [HairerNorsettWanner1993, ch. II.6]; everything else follows from the
/// constraints. Error: h⁶/46080 of the sixth derivative. Where rates jump between two rows (row_polynomial.hpp), by an impact, what the
/// row before says holds up to the instant at which it meets what the row after says, and that from there on. Where the coordinates that
/// are used come to a dead centre, others of the record are used. One per thread.
class RecordedMotion {
 public:
  /// Moves `motion`, which the caller keeps; its degrees of freedom are among the names.
  RecordedMotion(dynamics::ReducedMotion& motion, RecordedCoordinates record);

  double begin() const { return record_.t.front(); }
  double end() const { return record_.t.back(); }
  /// The motion at t, begin() ≤ t ≤ end(), on the branch of the start; cheap when t increases, otherwise the way from the start is gone
  /// again. Throws core::ModelError when the mechanism cannot be closed there, and at a dead centre of all recorded coordinates, behind which
  /// they do not determine the motion.
  const dynamics::ReducedPoint& at(double t);
  /// Rows after which a rate jumps before the next one.
  const std::vector<std::size_t>& jumps() const { return jumps_; }

 private:
  RowMotion row(Eigen::Index i, Eigen::Index column) const {
    return {record_.q(i, column), record_.q_dot(i, column), record_.q_ddot(i, column)};
  }
  void find_jumps();
  /// How long after row i a rate jumps; none: it does not before the next row.
  std::optional<double> jump_after(Eigen::Index i) const;
  /// Degrees of freedom, rates and accelerations of the record.
  void interpolate(double t);
  void follow(double t);
  /// Puts the point at its z, from where `near` is; whether it can be closed there. Throws core::ModelError when a driver has no value.
  bool is_closed_at(double t, const dynamics::ReducedPoint& near);
  /// How far degrees of freedom are from where the motion stands, lengths in the mechanism's size.
  double distance(const Eigen::VectorXd& z) const;
  /// The degrees of freedom of a row.
  Eigen::VectorXd freedoms(Eigen::Index row) const;
  /// On to t, in pieces that are not too long.
  void lead_to(double t);
  /// Where the degrees of freedom are in the record, and their scales.
  void find_columns();
  /// Angles of the record are those of z at t, but for whole turns, which positions do not determine: they are taken off.
  void count_turns_from(const Eigen::VectorXd& z, double t);

  dynamics::ReducedMotion& motion_;
  RecordedCoordinates record_;
  dynamics::ReducedPoint start_, point_;
  std::vector<std::size_t> jumps_;     ///< increasing
  Eigen::VectorXd steepest_;           ///< (m) largest accelerations
  std::vector<Eigen::Index> columns_;  ///< (f) in the record
  Eigen::VectorXd scales_;             ///< (f)
};

}  // namespace eslabon::sensing
