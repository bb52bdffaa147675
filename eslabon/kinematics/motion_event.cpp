#include "eslabon/kinematics/motion_event.hpp"

#include <algorithm>
#include <cmath>

#include "eslabon/core/index.hpp"
#include "eslabon/kinematics/assembly/moving_joints.hpp"
#include "eslabon/kinematics/global/kinematic_solver.hpp"
#include "eslabon/kinematics/report_text.hpp"
#include "eslabon/model/own_origin.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::ConstraintSystem;
using coordinates::CoordinateValue;
using core::index;

/// The curve of solutions (q, t), lengths in units of the size and times in units of the step.
class SolutionCurve {
 public:
  SolutionCurve(const KinematicSolver& solver, const DrivenMechanism& driven, double step, double until)
      : system_(solver.system()),
        driven_(driven),
        until_(until),
        n_(index(system_.num_coordinates())),
        values_(driven.prescribed().size()),
        weight_(n_ + 1, 1.0) {
    for (std::size_t c = 0; c < n_; ++c)
      if (system_.coordinates()[c].dimension == core::kLength) weight_[c] = 1.0 / solver.length();
    weight_[n_] = 1.0 / step;
    border(solver.rows());
  }

  /// A point of the curve and the unit tangent there.
  struct Point {
    std::vector<double> x;        ///< (n + 1) q and t
    std::vector<double> tangent;  ///< (n + 1)
    double time_part() const { return tangent.back(); }
  };

  Point start(const State& state) {
    Point point{state.q, state.v};
    point.x.push_back(state.t);
    point.tangent.push_back(1.0);
    normalise(point.tangent);
    return point;
  }

  /// The point at a distance ds along the tangent, corrected perpendicular to it; nothing when Newton fails.
  std::optional<Point> next(const Point& from, double ds) {
    Point point = from;
    for (std::size_t c = 0; c <= n_; ++c) point.x[c] += ds * from.tangent[c];
    std::vector<double> right(index(system_.num_rows()) + 1), correction(n_ + 1);
    for (int i = 0; i < 12; ++i) {
      if (!factor(point.x, from.tangent)) return std::nullopt;
      double along = -ds;
      for (std::size_t c = 0; c <= n_; ++c)
        along += weight_[c] * weight_[c] * from.tangent[c] * (point.x[c] - from.x[c]);
      for (int r = 0; r < system_.num_rows(); ++r) right[index(r)] = -positions_.Phi[r];
      right.back() = -along;
      solver_->solve(right, correction);
      double size = 0.0;
      for (std::size_t c = 0; c <= n_; ++c) {
        point.x[c] += correction[c];
        size = std::max(size, std::abs(weight_[c] * correction[c]));
      }
      if (!std::isfinite(size) || size > 10.0 * ds) return std::nullopt;
      if (size > 1e-11) continue;
      if (!factor(point.x, from.tangent)) return std::nullopt;
      std::ranges::fill(right, 0.0);
      right.back() = 1.0;
      solver_->solve(right, point.tangent);  // (1), in the sense of the tangent before
      normalise(point.tangent);
      return point;
    }
    return std::nullopt;
  }

  /// Whether the mean of both tangents leads from one point to the other, a distance ds ahead: no corner, no other branch.
  bool is_smooth(const Point& from, const Point& to, double ds) const {
    double square = 0.0;
    for (std::size_t c = 0; c <= n_; ++c)
      square +=
          std::pow(weight_[c] * (to.x[c] - from.x[c] - 0.5 * ds * (from.tangent[c] + to.tangent[c])), 2);
    return std::sqrt(square) <= 0.01 * ds;
  }

  /// How much each driver does to pass the limit, in all 1. With λᵀ Phi_q = 0 at the limit, the answer of the bordered
  /// equations to a speed of driver i alone is  t'_i = λ_i ẋ_i / Σ λ_k ẋ_k,  the share of the driver.
  std::vector<double> shares_of_drivers(const Point& limit) {
    std::vector<double> shares(driven_.mechanism().drivers().size(), 0.0);
    if (!factor(limit.x, limit.tangent)) return shares;
    std::vector<double> right(index(system_.num_rows()) + 1), answer(n_ + 1);
    for (int r = 0; r < system_.num_rows(); ++r) {
      const auto* driver = std::get_if<coordinates::PrescribedIndex>(&system_.label(r).source);
      if (driver == nullptr || driver->slot() >= shares.size()) continue;
      std::ranges::fill(right, 0.0);
      right[index(r)] = positions_.Phi_t[r];
      solver_->solve(right, answer);
      shares[driver->slot()] += answer.back();
    }
    return shares;
  }

 private:
  /// Phi_q with a column Phi_t and a row for the tangent.
  void border(std::vector<int> rows) {
    const coordinates::SparsePattern& inner = system_.pattern();
    pattern_.rows = inner.rows + 1;
    pattern_.columns = inner.columns + 1;
    pattern_.column_start.push_back(0);
    for (int c = 0; c < inner.columns; ++c) {
      for (int e = inner.column_start[index(c)]; e < inner.column_start[index(c) + 1]; ++e)
        pattern_.row_of_entry.push_back(inner.row_of_entry[index(e)]);
      pattern_.row_of_entry.push_back(inner.rows);
      pattern_.column_start.push_back(pattern_.num_entries());
    }
    for (int r = 0; r <= inner.rows; ++r) pattern_.row_of_entry.push_back(r);
    pattern_.column_start.push_back(pattern_.num_entries());
    rows.push_back(inner.rows);
    solver_ = make_sparse_solver(pattern_, rows);
    entries_.resize(pattern_.row_of_entry.size());
  }

  bool factor(const std::vector<double>& x, const std::vector<double>& tangent) {
    if (!(x.back() >= 0.0 && x.back() <= until_)) return false;
    driven_.evaluate_or_throw(x.back(), values_);
    system_.evaluate_positions(std::span(x).first(n_), values_, positions_);
    std::size_t entry = 0, inner = 0;
    for (std::size_t c = 0; c < n_; ++c) {
      const std::size_t count =
          index(system_.pattern().column_start[c + 1] - system_.pattern().column_start[c]);
      for (std::size_t e = 0; e < count; ++e) entries_[entry++] = positions_.Phi_q[inner++];
      entries_[entry++] = weight_[c] * weight_[c] * tangent[c];
    }
    for (int r = 0; r < system_.num_rows(); ++r) entries_[entry++] = positions_.Phi_t[r];
    entries_[entry] = weight_[n_] * weight_[n_] * tangent[n_];
    return solver_->factor(entries_);
  }

  void normalise(std::vector<double>& tangent) const {
    double square = 0.0;
    for (std::size_t c = 0; c <= n_; ++c) square += std::pow(weight_[c] * tangent[c], 2);
    for (double& component : tangent) component /= std::sqrt(square);
  }

  const ConstraintSystem& system_;
  const DrivenMechanism& driven_;
  double until_;  ///< the end of the run [s]
  std::size_t n_;
  std::vector<CoordinateValue> values_;
  std::vector<double> weight_;  ///< (n + 1)
  coordinates::SparsePattern pattern_;
  std::unique_ptr<JacobianSolver> solver_;
  std::vector<double> entries_;
  coordinates::PositionLevel positions_;
};

/// Where t' = 0 between `from` and `to`, a distance ds ahead of it: false position with halving of the side that stays.
SolutionCurve::Point refine(SolutionCurve& curve, const SolutionCurve::Point& from, SolutionCurve::Point to,
                            double ds) {
  double low = 0.0, high = ds, f_low = from.time_part(), f_high = to.time_part();
  SolutionCurve::Point best = to;
  for (int i = 0; i < 100 && high - low > 1e-14 && std::abs(best.time_part()) > 0.0; ++i) {
    const double s = low + (high - low) * f_low / (f_low - f_high);
    const auto point = curve.next(from, std::clamp(s, low, high));
    if (!point) break;
    if (std::abs(point->time_part()) < std::abs(best.time_part())) best = *point;
    if (point->time_part() > 0.0) {
      low = s;
      f_low = point->time_part();
      f_high *= 0.5;
    } else {
      high = s;
      f_high = point->time_part();
      f_low *= 0.5;
    }
    if (std::abs(point->time_part()) < 1e-15) break;
  }
  return best;
}

/// A point of the curve behind a limit around which no point can be solved: where a mechanism with redundant constraints
/// loses more than one rank at once, as a ring of scissors does when it is wide open. `ds` failed already.
struct FarPoint {
  SolutionCurve::Point point;
  double ds;
};
std::optional<FarPoint> look_behind(SolutionCurve& curve, const SolutionCurve::Point& from, double ds) {
  constexpr double kFarthestLook = 0.03;  // of a radian, or of the mechanism's size
  for (double far = 2.0 * ds; far < kFarthestLook; far *= 2.0)
    if (auto point = curve.next(from, far);
        point && point->time_part() < 0.0 && curve.is_smooth(from, *point, far))
      return FarPoint{std::move(*point), far};
  return std::nullopt;
}

/// The largest t between two points of which the curve comes and goes back, from the cubic through t and t' at both
/// [order 4 in their distance].
double latest_time(const SolutionCurve::Point& from, const SolutionCurve::Point& to, double ds) {
  const double t_0 = from.x.back(), d_0 = ds * from.time_part(), d_1 = ds * to.time_part();
  const double rise = to.x.back() - t_0;
  const double c_2 = 3.0 * rise - 2.0 * d_0 - d_1, c_3 = d_0 + d_1 - 2.0 * rise;
  double low = 0.0, high = 1.0;  // the slope d_0 + 2 c_2 s + 3 c_3 s² is positive at 0 and negative at 1
  for (int i = 0; i < 60; ++i) {
    const double s = 0.5 * (low + high);
    (d_0 + s * (2.0 * c_2 + 3.0 * c_3 * s) > 0.0 ? low : high) = s;
  }
  return t_0 + low * (d_0 + low * (c_2 + low * c_3));
}

/// The event at the end t of the motion; `near` is the point of the curve there, or one beside it.
MotionEvent limit_at(double t, const SolutionCurve::Point& near, SolutionCurve& curve,
                     const ConstraintSystem& system, const DrivenMechanism& driven) {
  MotionEvent event{.kind = MotionEvent::Kind::kLimit, .t = t};
  std::vector<CoordinateValue> values(driven.prescribed().size());
  driven.evaluate_or_throw(event.t, values);
  const std::vector<double> shares = curve.shares_of_drivers(near);
  for (std::size_t i = 0; i < shares.size(); ++i) event.driver_values.push_back(values[i].position);
  if (!shares.empty())
    event.driver = driven.mechanism()
                       .drivers()[index(static_cast<int>(std::ranges::max_element(shares) - shares.begin()))]
                       .name;
  const std::size_t n = near.x.size() - 1;
  event.joints = moving_joints(system, std::span(near.x).first(n), std::span(near.tangent).first(n));
  return event;
}

}  // namespace

std::optional<MotionEvent> find_jump(const DrivenMechanism& driven, double t, double step, double until) {
  std::vector<CoordinateValue> before(driven.prescribed().size()), after(before.size());
  const double later = std::min(t + 2.0 * step, until);
  driven.evaluate_or_throw(t, before);
  driven.evaluate_or_throw(later, after);
  for (std::size_t i = 0; i < driven.mechanism().drivers().size(); ++i) {
    const double change = std::abs(after[i].position - before[i].position);
    const double expected = (std::abs(before[i].velocity) + std::abs(after[i].velocity)) * (later - t);
    const bool is_angle =
        model::dimension(driven.mechanism(), driven.mechanism().drivers()[i].target) == core::kAngle;
    const double size = is_angle ? 1.0 : coordinates::length_scale(driven.mechanism());
    if (change <= 1e-6 * size || change <= 100.0 * expected) continue;
    // Halve the interval that holds the larger part of the change.
    double low = t, high = later, at_low = before[i].position;
    while (high - low > 1e-15 * std::max(1.0, high)) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) break;
      if (!driven.evaluate(middle, after)) break;  // no value where it jumps: found
      const bool is_behind = std::abs(after[i].position - at_low) > 0.5 * change;
      (is_behind ? high : low) = middle;
      if (!is_behind) at_low = after[i].position;
    }
    driven.evaluate_or_throw(low, before);
    MotionEvent event{
        .kind = MotionEvent::Kind::kJump, .t = low, .driver = driven.mechanism().drivers()[i].name};
    for (std::size_t k = 0; k < driven.mechanism().drivers().size(); ++k)
      event.driver_values.push_back(before[k].position);
    return event;
  }
  return std::nullopt;
}

std::optional<MotionEvent> find_limit(const KinematicSolver& solver, const DrivenMechanism& driven,
                                      const State& state, double step, double until) {
  constexpr double kFarthest = 0.5;  // of a radian, or of the mechanism's size
  SolutionCurve curve(solver, driven, step, until);
  SolutionCurve::Point point = curve.start(state);
  double travelled = 0.0, ds = 1e-5;
  while (travelled < kFarthest && ds > 1e-9) {
    const auto next = curve.next(point, ds);
    if (!next) {
      if (const auto behind = look_behind(curve, point, ds))
        return limit_at(latest_time(point, behind->point, behind->ds), behind->point, curve, solver.system(),
                        driven);
      ds *= 0.5;
      continue;
    }
    if (next->time_part() <= 0.0) {
      const SolutionCurve::Point limit = refine(curve, point, *next, ds);
      return limit_at(limit.x.back(), limit, curve, solver.system(), driven);
    }
    travelled += ds;
    point = *next;
    ds *= 1.5;
  }
  return std::nullopt;
}

std::string MotionEvent::brief(const model::Mechanism& mechanism) const {
  std::string values;
  for (std::size_t i = 0; i < driver_values.size() && i < 3; ++i) {
    const model::Driver& d = mechanism.drivers()[i];
    values += (i == 0 ? "" : ", ") + model::name(mechanism, d.target) + " = " +
              short_number(driver_values[i] + model::origin_part(mechanism, d.target), 9) + " " +
              std::string(model::unit(mechanism, d.target));
  }
  const std::string at = "t = " + short_number(t, 9) + " s, " + values;
  switch (kind) {
    case Kind::kLimit:
      return "driver '" + driver + "' cannot go beyond " + at + ": joint '" +
             (joints.empty() ? "?" : joints.front()) + "' is at a toggle (" + listed(joints, 6) +
             " can move while the driver stands still)";
    case Kind::kPassed:
      return "branches meet at " + at + ": joint '" + (joints.empty() ? "?" : joints.front()) +
             "' passed a singular position (" + listed(joints, 6) + "); the motion went straight on";
    case Kind::kJump:
      return "the function of driver '" + driver + "' jumps at " + at;
    case Kind::kLost:
      break;
  }
  return "the position could not be followed beyond " + at;
}

core::ErrorText MotionEvent::error_text(const model::Mechanism& mechanism) const {
  switch (kind) {
    case Kind::kJump:
      return {.what = "the motion ends early",
              .where = "driver '" + driver + "'",
              .expected = "a continuous function of time",
              .actual = brief(mechanism),
              .next = "Make its function continuous; results up to there are kept."};
    case Kind::kLimit:
      return {.what = "the motion ends early at a singular position",
              .where = "driver '" + driver + "', joint '" + (joints.empty() ? "?" : joints.front()) + "'",
              .expected = "a position that the driver can reach",
              .actual = brief(mechanism),
              .next =
                  "Keep the driver within this limit, or drive another joint through it; results up to there "
                  "are kept."};
    default:
      return {.what = "the motion ends early",
              .where = "mechanism '" + mechanism.name() + "'",
              .expected = "a position that can be solved",
              .actual = brief(mechanism),
              .next = "Try a smaller step or another start; results up to there are kept."};
  }
}

}  // namespace eslabon::kinematics
