#pragma once

#include <vector>

#include <Eigen/Core>

#include "eslabon/dynamics/reduced_motion.hpp"

namespace eslabon::sensing {

/// A motion that was written down, at any instant between its rows. Freedoms are interpolated by the polynomial of fifth degree that has
/// their values, rates and accelerations at both rows [HairerNorsettWanner1993, ch. II.6]; everything else follows from the
/// constraints. Error: h⁶/46080 of the sixth derivative. One per thread.
class RecordedMotion {
 public:
  /// `motion` must outlive it. t: (rows ≥ 1) increasing [s]; z, z_dot, z_ddot: (rows × f) in the order of its coordinates.
  RecordedMotion(dynamics::ReducedMotion& motion, std::vector<double> t, Eigen::MatrixXd z,
                 Eigen::MatrixXd z_dot, Eigen::MatrixXd z_ddot);

  double begin() const { return t_.front(); }
  double end() const { return t_.back(); }
  /// The motion at t, begin() ≤ t ≤ end(), on the branch of the start; cheap when t increases, otherwise the way from the start is gone
  /// again. Throws core::ModelError when the mechanism cannot be closed there.
  const dynamics::ReducedPoint& at(double t);

 private:
  void interpolate(double t);
  void follow(double t);
  /// How far freedoms are from where the motion stands, lengths in the mechanism's size.
  double distance(const Eigen::VectorXd& z) const;
  /// On to t, in pieces that are not too long.
  void lead_to(double t);

  dynamics::ReducedMotion& motion_;
  std::vector<double> t_;
  Eigen::MatrixXd z_, z_dot_, z_ddot_;
  dynamics::ReducedPoint start_, point_;
  Eigen::VectorXd scales_;  ///< (f)
};

}  // namespace eslabon::sensing
