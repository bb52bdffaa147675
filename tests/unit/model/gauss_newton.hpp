#pragma once

#include <functional>
#include <vector>

#include <Eigen/Dense>

/// A least-squares solver for tests that may not lean on the library's own.
namespace eslabon::model::test {

using Eigen::Vector3d;
using Eigen::VectorXd;

/// Rows of equations that should be zero.
class Rows {
 public:
  void zero(double value) { values_.push_back(value); }
  void zero(const Vector3d& value) { values_.insert(values_.end(), {value.x(), value.y(), value.z()}); }
  void unit_and_perpendicular(const Vector3d& a, const Vector3d& b) {
    zero(a.squaredNorm() - 1.0);
    zero(b.squaredNorm() - 1.0);
    zero(a.dot(b));
  }
  VectorXd vector() const { return Eigen::Map<const VectorXd>(values_.data(), std::ssize(values_)); }

 private:
  std::vector<double> values_;
};

struct Solution {
  VectorXd x;
  double residual;
};

/// Gauss–Newton with a Jacobian by central differences: exact for the quadratic rows of natural coordinates,
/// and good to 1e-10 for rotations, which only costs an iteration.
inline Solution solve(const std::function<VectorXd(const VectorXd&)>& rows, VectorXd x) {
  constexpr double h = 1e-5;
  VectorXd r = rows(x);
  for (int k = 0; k < 25 && r.norm() > 1e-14; ++k) {
    Eigen::MatrixXd J(r.size(), x.size());
    for (Eigen::Index j = 0; j < x.size(); ++j) {
      const VectorXd e = h * VectorXd::Unit(x.size(), j);
      J.col(j) = (rows(x + e) - rows(x - e)) / (2.0 * h);
    }
    x -= J.completeOrthogonalDecomposition().solve(r);
    r = rows(x);
  }
  return {x, r.norm()};
}

}  // namespace eslabon::model::test
