#include "eslabon/kinematics/motion.hpp"

#include <algorithm>
#include <cmath>

#include "eslabon/core/error.hpp"
#include "eslabon/kinematics/least_squares.hpp"

namespace eslabon::kinematics {

namespace {

constexpr int kMostIterations = 10;
constexpr double kLargestMiss = 0.02;    // of the increment, (2)
constexpr double kFreeMiss = 1e-9;       // a miss that is roundoff of the start, lengths in units of the size
constexpr double kSmallestStep = 1e-9;  // of the step that was wanted

/// q, v, a at t between two states, from the polynomial of fifth degree through both [order 6 in their distance].
State interpolated(const State& from, const State& to, double t) {
  State state = from;
  state.t = t;
  const double h = to.t - from.t, s = (t - from.t) / h;
  for (std::size_t c = 0; c < from.q.size(); ++c) {
    const double q0 = from.q[c], v0 = h * from.v[c], a0 = h * h * from.a[c];
    const double dq = to.q[c] - q0 - v0 - 0.5 * a0, dv = h * to.v[c] - v0 - a0, da = h * h * to.a[c] - a0;
    const double c3 = 10.0 * dq - 4.0 * dv + 0.5 * da, c4 = -15.0 * dq + 7.0 * dv - da,
                 c5 = 6.0 * dq - 3.0 * dv + 0.5 * da;
    state.q[c] = q0 + s * (v0 + s * (0.5 * a0 + s * (c3 + s * (c4 + s * c5))));
    state.v[c] = (v0 + s * (a0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))) / h;
    state.a[c] = (a0 + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5))) / (h * h);
  }
  return state;
}

}  // namespace

Motion::Motion(std::string_view method, std::string_view kind, const DrivenMechanism& driven)
    : driven_(driven),
      solver_(method, kind, driven),
      state_(solver_.start()),
      values_(driven.prescribed().size()),
      trial_(state_.q),
      increment_(state_.q.size()) {
  driven.evaluate(0.0, values_);
  newton_ = solver_.solve_positions(values_, 2 * kMostIterations, trial_);
  if (!newton_.is_converged)
    throw core::ModelError({.what = "the start position cannot be solved",
                            .where = "mechanism '" + driven.mechanism().name() + "'",
                            .expected = "an assembled position at which Newton's iteration stays",
                            .actual = newton_.is_singular ? "a singular position" : "a position that it leaves",
                            .next = "Start somewhere else: the drivers are near a dead centre."});
  sign_ = solver_.determinant_sign();
  accept(0.0);
}

Motion::Verdict Motion::try_step(double t) {
  const double h = t - state_.t;
  driven_.evaluate(t, values_);
  for (std::size_t c = 0; c < trial_.size(); ++c) {
    increment_[c] = h * (state_.v[c] + 0.5 * h * state_.a[c]);
    trial_[c] = state_.q[c] + increment_[c];  // (1)
  }
  const double increment = solver_.scaled_norm(increment_);
  newton_ = solver_.solve_positions(values_, kMostIterations, trial_);
  statistics_.iterations += newton_.iterations;
  if (!newton_.is_converged) return Verdict::kRejected;
  for (std::size_t c = 0; c < trial_.size(); ++c) increment_[c] = trial_[c] - state_.q[c] - increment_[c];
  if (solver_.scaled_norm(increment_) > kLargestMiss * increment + kFreeMiss) return Verdict::kRejected;  // (2)
  return solver_.determinant_sign() == sign_ ? Verdict::kAccepted : Verdict::kOtherSign;
}

void Motion::accept(double t) {
  step_ = t - state_.t;
  state_.t = t;
  std::ranges::copy(trial_, state_.q.begin());
  solver_.solve_velocities(state_.v);
  solver_.solve_accelerations(values_, state_.q, state_.v, state_.a);
  sign_ = solver_.determinant_sign();
  residual_ = newton_.residual;
  ++statistics_.steps;
  statistics_.worst_residual = std::max(statistics_.worst_residual, residual_);
}

bool Motion::advance_to(double t_end) {
  const double wanted = t_end - state_.t;
  double h = step_ > 0.0 ? std::min(wanted, 2.0 * step_) : wanted;
  while (state_.t < t_end) {
    const bool is_last = state_.t + h >= t_end - kSmallestStep * wanted;
    const double t = is_last ? t_end : state_.t + h;
    const Verdict verdict = try_step(t);
    if (verdict == Verdict::kAccepted) {
      accept(t);
      h = 2.0 * step_;
      continue;
    }
    if (verdict == Verdict::kOtherSign) {
      pass(t);
      h = 2.0 * step_;
      continue;
    }
    ++statistics_.rejected;
    h *= 0.5;
    if (h < kSmallestStep * wanted) {
      if (!overcome(t_end, wanted)) return false;
      h = wanted;
    }
  }
  return true;
}

void Motion::pass(double t) {
  // Halve the interval in which the determinant changes its sign, always from the state before it.
  const double before = state_.t;
  double low = before, high = t;
  const std::vector<double> beyond = trial_;
  const NewtonReport newton = newton_;
  for (int i = 0; i < 40 && high - low > 1e-12 * std::max(1.0, high); ++i) {
    const double middle = 0.5 * (low + high);
    const Verdict verdict = try_step(middle);
    if (verdict == Verdict::kRejected) break;  // as near as one can get
    (verdict == Verdict::kAccepted ? low : high) = middle;
  }
  events_.push_back(make_singular_event(MotionEvent::Kind::kPassed, 0.5 * (low + high)));
  // Back to where the step led.
  driven_.evaluate(t, values_);
  trial_ = beyond;
  newton_ = solver_.solve_positions(values_, kMostIterations, trial_);
  newton_.iterations = newton.iterations;
  accept(t);
}

bool Motion::overcome(double t_end, double wanted) {
  if (const auto jump = find_jump(driven_, state_.t, kSmallestStep * wanted)) {
    events_.push_back(*jump);
    return false;
  }
  if (auto limit = find_limit(solver_, driven_, state_, wanted)) {
    events_.push_back(std::move(*limit));
    return false;
  }
  // No limit: branches may meet here. Straight on, to the first place beyond where the prediction holds.
  const State before = state_;
  for (double leap = 1e-6; leap < 0.1; leap *= 4.0) {
    const double t = std::min(before.t + leap * wanted, driven_.until());
    if (t <= before.t || try_step(t) == Verdict::kRejected) continue;
    events_.push_back(make_singular_event(MotionEvent::Kind::kPassed, 0.5 * (before.t + t)));
    accept(t);
    if (t > t_end) state_ = interpolated(before, state_, t_end);
    return true;
  }
  events_.push_back(make_singular_event(MotionEvent::Kind::kLost, state_.t));
  return false;
}

MotionEvent Motion::make_singular_event(MotionEvent::Kind kind, double t) {
  MotionEvent event{.kind = kind, .t = t};
  driven_.evaluate(t, values_);
  for (std::size_t i = 0; i < driven_.mechanism().drivers().size(); ++i)
    event.driver_values.push_back(values_[i].position);
  event.joints = solver_.joints_that_nearly_move(state_.q);
  return event;
}

void Motion::evaluate_bodies(coordinates::MechanismMotion& out) {
  solver_.system().evaluate_bodies(state_.q, state_.v, state_.a, bodies_workspace_, out);
}

}  // namespace eslabon::kinematics
