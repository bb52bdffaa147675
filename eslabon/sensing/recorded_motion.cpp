#include "eslabon/sensing/recorded_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "eslabon/core/error.hpp"
#include "eslabon/core/number_text.hpp"

namespace eslabon::sensing {

using Eigen::Index;

namespace {
constexpr double kFar =
    0.1;  // rad, or of the mechanism's size: freedoms that go farther at once may lead to another branch
}

RecordedMotion::RecordedMotion(dynamics::ReducedMotion& motion, std::vector<double> t, Eigen::MatrixXd z,
                               Eigen::MatrixXd z_dot, Eigen::MatrixXd z_ddot)
    : motion_(motion),
      t_(std::move(t)),
      z_(std::move(z)),
      z_dot_(std::move(z_dot)),
      z_ddot_(std::move(z_ddot)),
      start_(motion.start()),
      point_(start_),
      scales_(z_.cols()) {
  for (Index k = 0; k < z_.cols(); ++k) {
    const bool is_length = motion.coordinate(k).unit == coordinates::CoordinateUnit::kLength;
    scales_[k] = is_length ? motion.length() : 1.0;
    if (motion.coordinate(k).unit ==
        coordinates::CoordinateUnit::kAngle)  // whole turns before the record do not matter
      z_.col(k).array() += coordinates::unwrapped(z_(0, k), start_.z[k]) - z_(0, k);
  }
  start_.t = t_.front();
  point_.t = std::numeric_limits<double>::infinity();  // the first instant is led to from the start
}

void RecordedMotion::interpolate(double t) {
  const auto after = std::ranges::upper_bound(t_, t) - t_.begin();
  const Index rows = z_.rows();
  const Index i = std::clamp<Index>(static_cast<Index>(after) - 1, 0, std::max<Index>(rows - 2, 0));
  if (rows == 1) {
    point_.z = z_.row(0);
    point_.z_dot = z_dot_.row(0);
    point_.z_ddot = z_ddot_.row(0);
    return;
  }
  const double h = t_[static_cast<std::size_t>(i) + 1] - t_[static_cast<std::size_t>(i)];
  const double s = (t - t_[static_cast<std::size_t>(i)]) / h;
  for (Index k = 0; k < z_.cols(); ++k) {
    // In s:  p = c₀ + c₁ s + … + c₅ s⁵ with the values, rates and accelerations of both rows.
    const double c0 = z_(i, k), c1 = h * z_dot_(i, k), c2 = 0.5 * h * h * z_ddot_(i, k);
    const double d = z_(i + 1, k) - c0 - c1 - c2, d1 = h * z_dot_(i + 1, k) - c1 - 2.0 * c2,
                 d2 = h * h * z_ddot_(i + 1, k) - 2.0 * c2;
    const double c3 = 10.0 * d - 4.0 * d1 + 0.5 * d2, c4 = -15.0 * d + 7.0 * d1 - d2,
                 c5 = 6.0 * d - 3.0 * d1 + 0.5 * d2;
    point_.z[k] = c0 + s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5))));
    point_.z_dot[k] = (c1 + s * (2.0 * c2 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))) / h;
    point_.z_ddot[k] = (2.0 * c2 + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5))) / (h * h);
  }
}

const dynamics::ReducedPoint& RecordedMotion::at(double t) {
  if (t < point_.t) {
    point_ = start_;
    lead_to(t_.front());
  }
  for (auto row = std::ranges::upper_bound(t_, point_.t) - t_.begin();
       row < static_cast<std::ptrdiff_t>(t_.size()) && t_[static_cast<std::size_t>(row)] < t; ++row)
    if (distance(z_.row(row).transpose()) > kFar) lead_to(t_[static_cast<std::size_t>(row)]);
  lead_to(t);
  return point_;
}

double RecordedMotion::distance(const Eigen::VectorXd& z) const {
  return (z - point_.z).cwiseQuotient(scales_).cwiseAbs().maxCoeff();
}

void RecordedMotion::lead_to(double t) {
  const Eigen::VectorXd from = point_.z;
  interpolate(t);
  const Eigen::VectorXd to = point_.z;
  point_.z = from;
  const int pieces = static_cast<int>(std::min(1e6, std::ceil(distance(to) / kFar)));
  for (int k = 1; k < pieces; ++k) {  // positions on the straight way there, at rest
    point_.z = from + static_cast<double>(k) / pieces * (to - from);
    point_.z_dot.setZero();
    point_.z_ddot.setZero();
    if (motion_.follow(t, point_, point_) != dynamics::ReducedStatus::kSolved) break;
  }
  follow(t);
}

void RecordedMotion::follow(double t) {
  interpolate(t);
  if (motion_.follow(t, point_, point_) == dynamics::ReducedStatus::kSolved) return;
  throw core::ModelError(
      {.what = "the recorded motion does not fit the mechanism",
       .where = "t = " + core::number_text(t) + " s",
       .expected = "positions at which the mechanism can be closed",
       .actual = "none on the branch of its start",
       .next = "Give the mechanism, with the same --set, that the motion was computed for."});
}

}  // namespace eslabon::sensing
