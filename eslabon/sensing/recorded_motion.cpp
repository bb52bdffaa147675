#include "eslabon/sensing/recorded_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "eslabon/core/index.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::sensing {

using core::index;
using dynamics::ReducedPoint;
using Eigen::Index;
using Eigen::VectorXd;

namespace {
constexpr double kFar =
    0.1;  // rad, or of the mechanism's size: freedoms that go farther at once may lead to another branch
constexpr double kBadLeverage = 3.0;   // other freedoms are looked for
constexpr double kDeadCentre = 100.0;  // what is left beside it is lost
}  // namespace

RecordedMotion::RecordedMotion(dynamics::ReducedMotion& motion, RecordedCoordinates record)
    : motion_(motion),
      record_(std::move(record)),
      start_(motion.start()),
      point_(start_),
      columns_(index(motion.num_freedoms())),
      scales_(motion.num_freedoms()) {
  find_columns();
  find_jumps();
  count_turns_from(start_.z, record_.t.front());
  start_.t = record_.t.front();
  point_.t = std::numeric_limits<double>::infinity();  // the first instant is led to from the start
}

void RecordedMotion::find_columns() {
  for (Index k = 0; k < motion_.num_freedoms(); ++k) {
    const coordinates::Coordinate& z = motion_.coordinate(k);
    columns_[index(k)] = std::ranges::find(record_.names, z.name) - record_.names.begin();
    scales_[k] = z.dimension == core::kLength ? motion_.length() : 1.0;
  }
}

void RecordedMotion::find_jumps() {
  steepest_ = record_.q_ddot.cwiseAbs().colwise().maxCoeff().transpose();
  for (Index i = 0; i + 1 < record_.q.rows(); ++i) {
    const double h = record_.t[index(i) + 1] - record_.t[index(i)];
    for (Index c = 0; c < record_.q.cols(); ++c) {
      const RowMotion a = row(i, c), b = row(i + 1, c);
      if (!is_jump({a.rate, a.acceleration}, {b.rate, b.acceleration}, h, steepest_[c])) continue;
      jumps_.push_back(index(i));
      break;
    }
  }
}

std::optional<double> RecordedMotion::jump_after(Index i) const {
  if (!std::ranges::binary_search(jumps_, index(i))) return std::nullopt;
  const double h = record_.t[index(i) + 1] - record_.t[index(i)];
  double largest = -1.0, instant = 0.5 * h;  // by the freedom whose rate jumps most, by its accelerations
  for (const Index c : columns_) {
    const RowMotion a = row(i, c), b = row(i + 1, c);
    const double size = std::abs(b.rate - a.rate - 0.5 * h * (a.acceleration + b.acceleration)) /
                        std::max(steepest_[c], std::numeric_limits<double>::min());
    if (size > largest) instant = instant_of_jump(a, b, h);
    largest = std::max(largest, size);
  }
  return instant;
}

void RecordedMotion::count_turns_from(const VectorXd& z, double t) {
  interpolate(t);
  for (Index k = 0; k < z.size(); ++k)
    if (motion_.coordinate(k).dimension == core::kAngle)
      record_.q.col(columns_[index(k)]).array() += coordinates::unwrapped(point_.z[k], z[k]) - point_.z[k];
}

VectorXd RecordedMotion::freedoms(Index row) const {
  VectorXd z(motion_.num_freedoms());
  for (Index k = 0; k < z.size(); ++k) z[k] = record_.q(row, columns_[index(k)]);
  return z;
}

void RecordedMotion::interpolate(double t) {
  const std::vector<double>& times = record_.t;
  const auto after = std::ranges::upper_bound(times, t) - times.begin();
  const Index rows = record_.q.rows();
  const Index i = std::clamp<Index>(static_cast<Index>(after) - 1, 0, std::max<Index>(rows - 2, 0));
  const double h = rows == 1 ? 1.0 : times[index(i) + 1] - times[index(i)];
  const double s = rows == 1 ? 0.0 : (t - times[index(i)]) / h;
  const Index next = std::min(i + 1, rows - 1);
  const std::optional<double> jump = jump_after(i);
  for (Index k = 0; k < point_.z.size(); ++k) {
    const Index c = columns_[index(k)];
    const RowMotion here = !jump           ? quintic(row(i, c), row(next, c), h, s)
                           : s * h < *jump ? led_on(row(i, c), s * h)
                                           : led_on(row(next, c), (s - 1.0) * h);
    point_.z[k] = here.value;
    point_.z_dot[k] = here.rate;
    point_.z_ddot[k] = here.acceleration;
  }
}

const ReducedPoint& RecordedMotion::at(double t) {
  const std::vector<double>& times = record_.t;
  if (t < point_.t) {
    point_ = start_;
    motion_.read_freedoms(point_);
    static_cast<void>(is_closed_at(point_.t, start_));
    lead_to(times.front());
  }
  for (auto row = std::ranges::upper_bound(times, point_.t) - times.begin();
       row < static_cast<std::ptrdiff_t>(times.size()) && times[static_cast<std::size_t>(row)] < t; ++row)
    if (distance(freedoms(row)) > kFar) lead_to(times[static_cast<std::size_t>(row)]);
  lead_to(t);
  return point_;
}

double RecordedMotion::distance(const VectorXd& z) const {
  return (z - point_.z).cwiseQuotient(scales_).cwiseAbs().maxCoeff();
}

void RecordedMotion::lead_to(double t) {
  if (motion_.leverage(point_) > kBadLeverage && motion_.choose_among(point_, record_.names)) {
    find_columns();
    const VectorXd here = point_.z;
    count_turns_from(here, point_.t);
    motion_.read_freedoms(point_);
  }
  const VectorXd from = point_.z;
  interpolate(t);
  const VectorXd to = point_.z;
  point_.z = from;
  const int pieces = static_cast<int>(std::min(1e6, std::ceil(distance(to) / kFar)));
  for (int k = 1; k < pieces; ++k) {  // positions on the straight way there, at rest
    point_.z = from + static_cast<double>(k) / pieces * (to - from);
    point_.z_dot.setZero();
    point_.z_ddot.setZero();
    if (!is_closed_at(t, point_)) break;
  }
  follow(t);
}

bool RecordedMotion::is_closed_at(double t, const ReducedPoint& near) {
  const dynamics::ReducedStatus status = motion_.follow(t, near, point_);
  if (status == dynamics::ReducedStatus::kNoValue) throw core::ModelError(motion_.why_not(point_));
  return status == dynamics::ReducedStatus::kSolved;
}

void RecordedMotion::follow(double t) {
  interpolate(t);
  const bool is_closed = is_closed_at(t, point_);
  if (is_closed && motion_.leverage(point_) < kDeadCentre) return;
  std::string names;
  for (const std::string& name : record_.names) names += (names.empty() ? "'" : ", '") + name + "'";
  if (is_closed)
    throw core::ModelError(
        {.what = "the recorded coordinates do not determine the motion",
         .where = "t = " + core::number_text(t) + " s",
         .expected = "coordinates that move with the mechanism",
         .actual = "a dead centre of " + names,
         .next = "Record another coordinate too, one that turns on there, with its rate and acceleration."});
  throw core::ModelError(
      {.what = "the recorded motion does not fit the mechanism",
       .where = "t = " + core::number_text(t) + " s",
       .expected = "positions at which the mechanism can be closed",
       .actual = "none on the branch of its start, by " + names,
       .next = "Give the mechanism, with the same --set, that the motion was computed for; or record another "
               "coordinate too, if these pass a dead centre."});
}

}  // namespace eslabon::sensing
