#include "eslabon/kinematics/motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "eslabon/core/text/error.hpp"
#include "eslabon/kinematics/assembly/least_squares.hpp"

namespace eslabon::kinematics {

namespace {

constexpr int kMostIterations = 10;
constexpr double kLargestMiss = 0.02;  // of the increment, (2)
constexpr double kFreeMiss = 1e-9;     // a miss that is roundoff of the start, lengths in units of the size
constexpr double kLargestJump = 0.1;   // of the speed, (3)
constexpr double kFreeJump = 1e-6;     // per second, lengths in units of the size
constexpr double kLargestTurn =
    2.0;  // of a driver in one step [rad]: more is a jump, or looked at in smaller steps
constexpr double kSmallestStep = 1e-9;    // of the step that was wanted,
constexpr double kShortestPart = 1e-12;   // of the whole run
constexpr double kLeastIncrement = 1e-6;  // but one that is longer than roundoff near a singular position,
constexpr double kStepOver = 1e-3;        // and shorter than this part of the step that was wanted
// Increments over which one looks behind what is in the way: nearer to a singular position roundoff spoils the rates.
constexpr double kLeastStepOver = 1e-4, kMostStepOver = 0.02;  // lengths in units of the size
constexpr double kNearMeeting =
    1e-5;  // of a step: where branches that meet are looked at, but not nearer than
constexpr double kResolution = 1e-6;    // lengths in units of the size
constexpr double kClosed = 1e-12;       // of a position between two others, lengths in units of the size:
constexpr double kNearlyClosed = 1e-9;  // where it cannot be corrected
constexpr double kLargestCorrection = 1e-3;  // of it
constexpr double kLargestCornerMiss = 1e-5;  // lengths in units of the size

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

/// q, v, a at t by the Taylor series of a state.
State predicted(const State& from, double t) {
  State state = from;
  state.t = t;
  const double h = t - from.t;
  for (std::size_t c = 0; c < from.q.size(); ++c) {
    state.q[c] += h * (from.v[c] + 0.5 * h * from.a[c]);
    state.v[c] += h * from.a[c];
  }
  return state;
}

}  // namespace

Motion::Motion(std::string_view method, std::string_view kind, const DrivenMechanism& driven, double until,
               core::ProgramCompiler* compiler)
    : driven_(driven),
      until_(until),
      pace_(driven, until),
      method_(make_kinematic_method(method, kind, driven, compiler)),
      singularities_(*method_, driven),
      length_(coordinates::length_scale(driven.mechanism())),
      state_(method_->start()),
      next_(state_),
      origin_(state_),
      values_(driven.prescribed().size()),
      accepted_values_(values_),
      difference_(state_.q.size()) {
  for (const model::Driver& driver : driven.mechanism().drivers())
    is_angle_.push_back(model::dimension(driven.mechanism(), driver.target) == core::kAngle);
  driven.evaluate_or_throw(0.0, values_);
  const PositionSolution solved = solve(2 * kMostIterations, next_.q);
  if (!solved.position)
    throw core::ModelError(
        {.what = "the start position cannot be solved",
         .where = "mechanism '" + driven.mechanism().name() + "'",
         .expected = "an assembled position at which Newton's iteration stays",
         .actual = newton_.is_singular ? "a singular position" : "a position that it leaves",
         .next = "Start somewhere else: the drivers are near a dead centre."});
  solve_rates(*solved.position);
  accept();
}

// Seed003 alg. 1
Motion::Verdict Motion::try_step(double t) {
  const double h = t - state_.t;
  if (!driven_.evaluate(t, values_))
    return Verdict::kRejected;  // a driver has no value right there; what is around it is looked at first
  if (turns_too_far()) return Verdict::kRejected;
  next_.t = t;
  for (std::size_t c = 0; c < difference_.size(); ++c) {
    difference_[c] = h * (state_.v[c] + 0.5 * h * state_.a[c]);
    next_.q[c] = state_.q[c] + difference_[c];  // (1)
  }
  const double increment = method_->scaled_norm(difference_);
  const PositionSolution solved = solve(kMostIterations, next_.q);
  statistics_.iterations += newton_.iterations;
  if (!solved.position) return Verdict::kRejected;
  if (misses(state_, next_, increment)) return Verdict::kRejected;  // (2)
  solve_rates(*solved.position);
  if (misses(next_, state_, increment) || jumps()) return Verdict::kRejected;  // (2), (3)
  return is_same_branch() ? Verdict::kAccepted : Verdict::kOtherSign;          // (4)
}

PositionSolution Motion::solve(int most, std::vector<double>& q) {
  const PositionSolution solved = method_->solve_positions(values_, most, q);
  newton_ = solved.report;
  return solved;
}

void Motion::solve_rates(const SolvedPosition& position) {
  const SolvedVelocity velocity = method_->solve_velocities(position, next_.v);
  method_->solve_accelerations(velocity, values_, next_.q, next_.v, next_.a);
}

bool Motion::turns_too_far() const {
  for (std::size_t i = 0; i < is_angle_.size(); ++i)
    if (is_angle_[i] && std::abs(values_[i].position - accepted_values_[i].position) > kLargestTurn)
      return true;
  return false;
}

bool Motion::misses(const State& from, const State& to, double increment) {
  const double h = to.t - from.t;
  for (std::size_t c = 0; c < difference_.size(); ++c)
    difference_[c] = to.q[c] - from.q[c] - h * (from.v[c] + 0.5 * h * from.a[c]);
  return !(method_->scaled_norm(difference_) <= kLargestMiss * increment + kFreeMiss);
}

bool Motion::jumps() {
  const double h = next_.t - state_.t;
  for (std::size_t c = 0; c < difference_.size(); ++c)
    difference_[c] = next_.v[c] - state_.v[c] - h * state_.a[c];
  const double speed = std::max(method_->scaled_norm(state_.v), method_->scaled_norm(next_.v));
  return !(method_->scaled_norm(difference_) <= kLargestJump * speed + kFreeJump);
}

bool Motion::is_same_branch() {
  method_->branch_signs(other_signs_);
  return other_signs_ == signs_;
}

void Motion::accept() {
  step_ = next_.t - state_.t;
  std::swap(state_, next_);
  accepted_values_ = values_;
  method_->branch_signs(signs_);
  ++statistics_.steps;
  statistics_.worst_residual = std::max(statistics_.worst_residual, newton_.residual);
  if (on_step_) on_step_();
}

bool Motion::advance_to(double t_end) {
  if (!events_.empty() && events_.back().kind != MotionEvent::Kind::kPassed) return false;
  const double wanted = t_end - state_.t;
  // A rest of some roundings of t is no way to go.
  if (wanted <= 8.0 * std::numeric_limits<double>::epsilon() * t_end) {
    state_.t = std::max(state_.t, t_end);
    return true;
  }
  origin_ = state_;
  while (!follow(t_end, wanted)) {
    if (!overcome(t_end, wanted, origin_)) return false;
    origin_ = state_;
  }
  return true;
}

double Motion::smallest_step(double wanted) const {
  const double speed = method_->scaled_norm(state_.v), acceleration = method_->scaled_norm(state_.a);
  const double seen = std::min(kLeastIncrement / speed, std::sqrt(2.0 * kLeastIncrement / acceleration));
  const double least = kSmallestStep * wanted;
  return seen < kStepOver * wanted ? std::max(seen, least) : least;  // not when everything stands still
}

bool Motion::do_drivers_turn(double t) const {
  const double h = t - state_.t;
  for (std::size_t i = 0; i < is_angle_.size(); ++i) {
    const auto& [x0, v0, a0] = accepted_values_[i];
    const auto& [x1, v1, a1] = values_[i];
    const double scale = is_angle_[i] ? 1.0 : length_;
    const double increment = h * (v0 + 0.5 * h * a0);
    if (std::abs(x1 - x0 - increment) > kLargestMiss * std::abs(increment) + kFreeMiss * scale ||
        std::abs(v1 - v0 - h * a0) > kLargestJump * std::max(std::abs(v0), std::abs(v1)) + kFreeJump * scale)
      return true;
  }
  return false;
}

bool Motion::follow(double t_end, double wanted) {
  double h = step_ > 0.0 ? 2.0 * step_ : t_end - state_.t;
  while (state_.t < t_end) {
    h = std::min(h, pace_.longest_step(state_.t));
    // A rest of some roundings of t is no step.
    const double rest =
        std::max(kSmallestStep * wanted, 8.0 * std::numeric_limits<double>::epsilon() * t_end);
    const bool is_last = state_.t + h >= t_end - rest;
    // A pole is approached for ever.
    if (!is_last && h < std::max(kSmallestStep * wanted, kShortestPart * until_)) return false;
    const double t = is_last ? t_end : state_.t + h;
    const Verdict verdict = try_step(t);
    if (verdict == Verdict::kAccepted || (verdict == Verdict::kOtherSign && pass())) {
      accept();
      // That the end cut it short says nothing about the next.
      if (is_last) step_ = std::max(step_, 0.5 * h);
      h = 2.0 * step_;
      continue;
    }
    ++statistics_.rejected;
    h = 0.5 * (t - state_.t);
    if (h < (do_drivers_turn(t) ? kSmallestStep * wanted : smallest_step(wanted))) return false;
    const double doubled = 4.0 * h * method_->scaled_norm(state_.v);
    if (doubled > kLeastStepOver && doubled < kMostStepOver && step_over(4.0 * h, t_end)) h = 2.0 * step_;
  }
  return true;
}

bool Motion::step_over(double h, double t_end) {
  const double t = state_.t + h;
  const Place before = place();
  if (t > until_ || try_step(t) != Verdict::kOtherSign || !pass()) return false;
  accept();
  if (t <= t_end || come_back_to(t_end, before.state)) return true;
  return_to(before);
  return false;
}

bool Motion::come_back_to(double t_end, const State& before) {
  State there = interpolated(before, state_, t_end);
  driven_.evaluate_or_throw(t_end, values_);
  const double residual = method_->evaluate_residual(values_, there.q);
  if (residual > kClosed) {
    std::vector<double> q = there.q;
    const PositionSolution solved = method_->solve_positions(values_, kMostIterations, q);
    for (std::size_t c = 0; c < difference_.size(); ++c) difference_[c] = q[c] - there.q[c];
    if (solved.position && method_->scaled_norm(difference_) <= kLargestCorrection)
      there.q = q;
    else if (!(residual <= kNearlyClosed))
      return false;
  }
  state_ = there;
  accepted_values_ = values_;
  return true;
}

void Motion::return_to(const Place& place) {
  state_ = place.state;
  signs_ = place.signs;
  accepted_values_ = place.values;
  events_.resize(place.events);
}

bool Motion::pass() {
  const State to = next_;
  const NewtonReport newton = newton_;
  for (std::size_t c = 0; c < difference_.size(); ++c) difference_[c] = to.q[c] - state_.q[c];
  const double increment = method_->scaled_norm(difference_);
  // Where the determinant changes its sign on the smooth curve between the two.
  double low = state_.t, high = to.t;
  while (high - low > 1e-14 * std::max(1.0, high)) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    next_ = interpolated(state_, to, middle);
    driven_.evaluate_or_throw(middle, values_);
    if (method_->solve_positions(values_, 0, next_.q).report.is_singular) {
      low = high = middle;
      break;
    }
    (is_same_branch() ? low : high) = middle;
  }
  const double t_singular = 0.5 * (low + high);
  next_ = interpolated(state_, to, t_singular);
  driven_.evaluate_or_throw(t_singular, values_);
  const bool is_real = singularities_.is_singular(values_, next_.q);
  // Right beside it the curve must be a solution: branches that only come near each other leave a gap.
  bool is_meeting = true, is_seen = false;
  const double gap = std::max(kNearMeeting * increment, kResolution);
  const double beside = gap / increment * (to.t - state_.t);
  for (const double t : {t_singular - beside, t_singular + beside}) {
    if (t <= state_.t || t >= to.t || !is_meeting) continue;
    is_seen = true;
    next_ = interpolated(state_, to, t);
    difference_ = next_.q;
    driven_.evaluate_or_throw(t, values_);
    const PositionSolution solved = solve(kMostIterations, next_.q);
    for (std::size_t c = 0; c < difference_.size(); ++c) difference_[c] -= next_.q[c];
    is_meeting = solved.position && method_->scaled_norm(difference_) <= 0.1 * gap;
  }
  is_meeting = is_meeting && is_seen;
  if (is_meeting && is_real)
    events_.push_back(make_singular_event(MotionEvent::Kind::kPassed, t_singular, next_));
  // Back to where the step led.
  driven_.evaluate_or_throw(to.t, values_);
  next_ = to;
  is_meeting = is_meeting && method_->solve_positions(values_, kMostIterations, next_.q).report.is_converged;
  newton_ = newton;
  return is_meeting;
}

bool Motion::overcome(double t_end, double wanted, const State& origin) {
  const double smallest = smallest_step(wanted);
  driven_.evaluate_or_throw(t_end, values_);
  if (const auto jump = find_jump(driven_, state_.t, smallest, until_)) {
    events_.push_back(*jump);
    return false;
  }
  if (hop_over_corner(4.0 * smallest, t_end)) return true;
  // Times are measured by what a driver does in them: outputs close together say nothing about the limit.
  const double scale = std::max(wanted, std::min(until_, pace_.longest_step(state_.t)));
  if (auto limit = singularities_.find_limit(state_, scale, until_)) {
    events_.push_back(std::move(*limit));
    return false;
  }
  const double t_singular = state_.t;
  const State reached = state_;
  if (leap(t_singular, t_end, wanted, origin)) return true;
  state_ = reached;
  driven_.evaluate_or_throw(state_.t, values_);
  accepted_values_ = values_;
  static_cast<void>(solve(kMostIterations, state_.q));
  events_.push_back(make_singular_event(MotionEvent::Kind::kLost, state_.t, state_));
  return false;
}

bool Motion::hop_over_corner(double hop, double t_end) {
  const double t = std::min(state_.t + hop, t_end);
  std::vector<coordinates::CoordinateValue> before(values_.size());
  driven_.evaluate_or_throw(state_.t, before);
  driven_.evaluate_or_throw(t, values_);
  bool has_corner = false;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double change = std::abs(values_[i].velocity - before[i].velocity);
    const double expected =
        (std::abs(values_[i].acceleration) + std::abs(before[i].acceleration)) * (t - state_.t);
    has_corner = has_corner || (change > 1e-9 && change > 100.0 * expected);
  }
  if (!has_corner) return false;
  next_ = state_;
  next_.t = t;
  const PositionSolution solved = solve(kMostIterations, next_.q);
  for (std::size_t c = 0; c < difference_.size(); ++c) difference_[c] = next_.q[c] - state_.q[c];
  if (!solved.position || method_->scaled_norm(difference_) > kLargestCornerMiss || !is_same_branch())
    return false;
  solve_rates(*solved.position);
  accept();
  return true;
}

bool Motion::leap(double t_singular, double t_end, double wanted, const State& origin) {
  // From farther away than where the steps ended: the rates there are spoiled by roundoff over the distance, and its
  // square.
  state_ = origin;
  driven_.evaluate_or_throw(state_.t, accepted_values_);
  for (double half = 0.1 * wanted; half > 1e-6 * wanted; half *= 0.5) {
    if (t_singular - half > state_.t && !follow(t_singular - half, wanted)) return false;
    const double t = std::min(t_singular + half, until_);
    if (t - t_singular < 0.1 * half) {
      // The run ends at the singular position: nothing behind it can be looked at, the prediction is all there is.
      if (half * method_->scaled_norm(state_.v) > 2.0 * kLeastStepOver) continue;
      next_ = predicted(state_, t);
      driven_.evaluate_or_throw(state_.t, values_);
      std::vector<double> q = state_.q;
      static_cast<void>(solve(kMostIterations, q));
      events_.push_back(make_singular_event(MotionEvent::Kind::kPassed, t_singular, state_));
      driven_.evaluate_or_throw(t, values_);
      accept();
      return true;
    }
    const Place before = place();
    const Verdict verdict = try_step(t);
    if (verdict == Verdict::kRejected || (verdict == Verdict::kOtherSign && !pass())) continue;
    // With the signs kept it came near another branch and met none; without signs nobody knows.
    if (verdict == Verdict::kAccepted && std::ranges::find(signs_, 0) != signs_.end())
      events_.push_back(make_singular_event(MotionEvent::Kind::kPassed, t_singular, next_));
    accept();
    if (t <= t_end || come_back_to(t_end, before.state)) return true;
    return_to(before);
  }
  return false;
}

MotionEvent Motion::make_singular_event(MotionEvent::Kind kind, double t, const State& at) {
  MotionEvent event{.kind = kind, .t = t};
  driven_.evaluate_or_throw(t, values_);
  for (std::size_t i = 0; i < driven_.mechanism().drivers().size(); ++i)
    event.driver_values.push_back(values_[i].position);
  if (!newton_.is_singular) event.joints = singularities_.joints_that_nearly_move(values_, at.q);
  return event;
}

double Motion::constraint_error() { return method_->evaluate_residual(accepted_values_, state_.q) * length_; }

void Motion::evaluate_bodies(coordinates::MechanismMotion& out) { method_->evaluate_bodies(state_, out); }

}  // namespace eslabon::kinematics
