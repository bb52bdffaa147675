#include "eslabon/dynamics/statics/state_balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "eslabon/core/linalg/lu.hpp"
#include "eslabon/dynamics/statics/extrapolated_difference.hpp"
#include "eslabon/dynamics/statics/scaled_newton.hpp"

namespace eslabon::dynamics {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int kMostSteps = 200;
constexpr int kMostHalvings = 20;
constexpr double kQuickStep = 1e-4;  // of differences on the way
constexpr double kRoundoff = 64.0 * std::numeric_limits<double>::epsilon();
constexpr double kCarefulStep = 8e-3;     // of extrapolated ones
constexpr double kLargestMove = 0.5;      // of a body in one step: rad, or of the mechanism's size
constexpr double kLastJointStep = 1e-10;  // rad, of the mechanism's size, of the states' sizes
constexpr double kAtRestTogether = 1e-9;  // of what the row could be

/// J of (1) at the centre, states held. `acting`: (f) what acts along each row in all; differences of f that are its roundoff are none: a column
/// of nothing else, of a vehicle that may stand anywhere, would be measured by its largest entry.
std::optional<MatrixXd> jacobian(FreedomChart& chart, const VectorXd& acting) {
  const Index f = chart.num_freedoms(), s = chart.num_states();
  const VectorXd zero = VectorXd::Zero(f);
  const VectorXd roundoff = kRoundoff / kQuickStep * acting.head(f);
  MatrixXd J(f + s, f + s);
  for (Index k = 0; k < f; ++k) {
    const auto right = chart.force_at(kQuickStep * VectorXd::Unit(f, k), zero, true),
               left = chart.force_at(-kQuickStep * VectorXd::Unit(f, k), zero, true);
    if (!right || !left) return std::nullopt;
    J.col(k) = (*right - *left) / (2.0 * kQuickStep);
    for (Index r = 0; r < f; ++r)
      if (std::abs(J(r, k)) <= roundoff[r]) J(r, k) = 0.0;
  }
  const std::optional<StateDerivatives> by = chart.differentiate_states(chart.centre());
  if (!by) return std::nullopt;
  J.topRightCorner(f, s) = by->force;
  J.bottomRightCorner(s, s) = by->rate;
  return J;
}

}  // namespace

bool states_tell_themselves(const MatrixXd& rate_by_state) {
  if (rate_by_state.rows() == 0) return true;
  const Scales scales = scales_of(rate_by_state);
  return core::full_pivots(scales.rows.asDiagonal() * rate_by_state * scales.columns.asDiagonal()).smallest >
         kRegularPivot;
}

std::optional<PushMatrix> differentiate_pushes(FreedomChart& chart, bool of_rates) {
  const Index f = chart.num_freedoms(), rows = f + chart.num_states();
  const VectorXd zero = VectorXd::Zero(f);
  PushMatrix out{MatrixXd(rows, f), MatrixXd(rows, f)};
  for (Index k = 0; k < f; ++k) {
    const auto derivative = extrapolated_difference(
        [&](double h) {
          const VectorXd along = h * VectorXd::Unit(f, k);
          return of_rates ? chart.force_at(zero, along, true) : chart.force_at(along, zero, true);
        },
        kCarefulStep);
    if (!derivative) return std::nullopt;
    out.value.col(k) = derivative->value;
    out.errors.col(k) = derivative->errors;
  }
  return out;
}

StateBalance balance_with_states(FreedomChart& chart, const State& start) {
  using Status = StateBalance::Status;
  chart.let_states_follow(false);
  const Index f = chart.num_freedoms(), s = chart.num_states();
  const VectorXd zero = VectorXd::Zero(f);
  StateBalance out;
  out.state = start;
  State state = start;
  for (out.iterations = 0; out.iterations < kMostSteps; ++out.iterations) {
    if (chart.centre_at(state) != ChartStatus::kGood) {
      out.status = Status::kSingular;
      return out;
    }
    const auto now = chart.force_at(zero, zero, true);
    FreedomForces forces;
    if (!now || chart.evaluate(chart.centre(), forces) != ChartStatus::kGood) {
      out.status = Status::kNoForce;
      return out;
    }
    out.state = chart.centre();
    const VectorXd acting = chart.force_scales(chart.centre(), forces.directions);
    const auto J = jacobian(chart, acting);
    if (!J) return out;
    const NewtonStep newton = newton_step(*J, *now);
    const Scales& by = newton.by;
    const VectorXd &residual = newton.residual, &left = newton.left, &step = newton.dx;  // (2)
    bool is_balanced = true;
    for (Index r = 0; r < f + s; ++r) {
      const double largest = r < f ? std::max(acting[r], 1.0 / by.rows[r]) : 1.0 / by.rows[r];
      is_balanced = is_balanced && std::abs(left[r]) <= kAtRestTogether * largest * by.rows[r];
    }
    const VectorXd xi = chart.measured_states(chart.centre());
    const double moved = chart.size_of(chart.centre(), forces.directions * step.head(f));
    const double changed = step.tail(s).cwiseAbs().maxCoeff() / (1.0 + xi.cwiseAbs().maxCoeff());
    if (is_balanced && moved <= kLastJointStep && changed <= kLastJointStep) {
      State last;  // once more: Newton squares what is left
      const auto before = residual.norm();
      State there = chart.centre();
      if (chart.move(step.head(f), zero, last) == ChartStatus::kGood) {
        chart.set_states(xi + step.tail(s), last);
        if (chart.centre_at(last) == ChartStatus::kGood) {
          const auto after = chart.force_at(zero, zero, true);
          if (after && by.rows.cwiseProduct(*after).norm() < before) there = chart.centre();
        }
      }
      out.state = there;
      out.status = Status::kFound;
      return out;
    }
    double share = moved > kLargestMove ? kLargestMove / moved : 1.0;
    bool is_smaller = false;
    for (int i = 0; i < kMostHalvings && !is_smaller; ++i, share *= 0.5) {
      if (chart.move(share * step.head(f), zero, state) != ChartStatus::kGood) continue;
      chart.set_states(xi + share * step.tail(s), state);
      const State kept = state;
      const auto there = chart.force_at_state(kept);
      is_smaller = there && by.rows.cwiseProduct(*there).norm() <= (1.0 - 1e-4 * share) * residual.norm();
    }
    if (is_smaller) continue;
    Index worst = 0;
    const VectorXd& told = left.norm() > 0.5 * residual.norm() ? left : residual;
    told.cwiseAbs().maxCoeff(&worst);
    if (worst >= f) {
      const auto k = static_cast<std::size_t>(worst - f);
      out.changing = k;
      out.rate = (*now)[worst] * chart.model().mechanism().states()[k].size;
      out.has_no_feedback = J->row(worst).isZero(0.0);
    }
    return out;
  }
  return out;
}

bool follow_if_they_can(FreedomChart& chart, const State& at) {
  chart.let_states_follow(false);
  if (chart.centre_at(at) != ChartStatus::kGood) return false;
  const auto by = chart.differentiate_states(chart.centre());
  const bool can = by && states_tell_themselves(by->rate);
  chart.let_states_follow(can);
  return can;
}

}  // namespace eslabon::dynamics
