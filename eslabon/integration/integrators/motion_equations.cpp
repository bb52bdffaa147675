#include "eslabon/integration/integrators/motion_equations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "eslabon/coordinates/velocity_rows.hpp"
#include "eslabon/dynamics/forces/fallen_disc.hpp"
#include "eslabon/integration/integrators/interpolation.hpp"
#include "eslabon/integration/integrators/newton_watch.hpp"

namespace eslabon::integration {

using dynamics::DynamicsStatus;
using dynamics::State;

namespace {

constexpr double kLargestDefect = 0.6;     // of (2)
constexpr double kLargestTurn = 1.6;       // of a body in a step [rad]: a quarter
constexpr double kNearMeeting = 0.005;     // of regularity: accelerations are then known to about 1e-10
constexpr double kFirstSide = 0.021;       // of a radian of the fastest body
constexpr int kMostSides = 3;              // distances that are tried, each twice the one before
constexpr double kSamePlace = 1e-7;        // of the largest coordinate
constexpr double kSamePlaceOfFour = 1e-5;  // the same, where four sides are compared with six

}  // namespace

std::vector<double> instants_of_small_turns(const MotionPoint& from, const MotionPoint& to) {
  const double h = to.state.t - from.state.t;
  constexpr double kMostPieces = 10'000.0;
  const double pieces =
      std::min(std::ceil(h * std::max(from.turn_rate, to.turn_rate) / kSmallTurn), kMostPieces);
  std::vector<double> instants;
  for (int k = 1; k < pieces; ++k) instants.push_back(from.state.t + h * k / pieces);
  return instants;
}

MotionPoint MotionEquations::make_point(const State& state) const {
  const std::vector<double> zero(size(), 0.0);
  return {state, std::vector<double>(state.q.size(), 0.0), zero, zero, zero, 0.0};
}

bool MotionEquations::evaluate_state(MotionPoint& point) {
  read(point);
  return accelerate(point);
}

void MotionEquations::read(MotionPoint& point) const {
  const std::size_t n = num_coordinates();
  formulation_.read(point.state, std::span(point.z).first(n), std::span(point.z_dot).first(n));
  for (std::size_t k = 0; k < states_.size(); ++k)
    point.z_dot[n + k] = point.state.memory.states[k] / states_[k].size;  // (0)
}

void MotionEquations::predict(const MotionPoint& from, double t, State& out) const {
  const double h = t - from.state.t;
  for (std::size_t k = 0; k < from.a.size(); ++k)
    out.q[k] = from.state.q[k] + h * (from.state.v[k] + 0.5 * h * from.a[k]);  // (1)
  out.memory = from.state.memory;
}

template <class Ask>
bool MotionEquations::is_solved(const State& state, const Ask& ask) {
  try {
    const DynamicsStatus status = ask();
    return status == DynamicsStatus::kSolved || fail(status, state);
  } catch (const core::ContractError& error) {  // coordinates that are no position of a rigid body
    return fail(error.text(), state.t);
  }
}

bool MotionEquations::complete(double t, MotionPoint& out) {
  out.state.t = t;
  const std::size_t n = num_coordinates();
  for (std::size_t k = 0; k < states_.size(); ++k)
    out.state.memory.states[k] = states_[k].size * out.z_dot[n + k];  // (0)
  return is_solved(out.state, [&] {
    return formulation_.complete(t, std::span(out.z).first(n), std::span(out.z_dot).first(n), out.state);
  });
}

bool MotionEquations::project(State& state) {
  return is_solved(state, [&] { return formulation_.project(state); });
}

// Seed000 eq. 1
// Seed002 eq. 28
bool MotionEquations::evaluate(const MotionPoint& from, double t, MotionPoint& out) {
  predict(from, t, out.state);
  out.state.t = t;
  const bool is_evaluated = complete(t, out) && accelerate(out);
  return pass_meeting(from, out, is_evaluated);
}

bool MotionEquations::pass_meeting(const MotionPoint& from, MotionPoint& point, bool is_evaluated) {
  if (is_evaluated && formulation_.regularity() >= kNearMeeting) return true;
  if (!is_evaluated && trouble_.kind != Trouble::Kind::kSingular &&
      trouble_.kind != Trouble::Kind::kNotClosed)
    return false;
  return pass_across(from, point, is_evaluated) || is_evaluated;
}

bool MotionEquations::pass_across(const MotionPoint& from, MotionPoint& point, bool is_known) {
  const double turn = longest_turn(from);
  if (!std::isfinite(turn)) return false;
  Trouble before = std::exchange(trouble_, {});
  bool is_good = false;
  double s = kFirstSide * turn;
  for (int i = 0; i < kMostSides && !is_good; ++i, s *= 2.0) is_good = evaluate_sides(from, point, s);
  trouble_ = std::move(before);  // what a side met is none
  if (!is_good) return false;
  // Where the position itself could not be found, that of four sides must do instead.
  if (!is_known)
    for (std::size_t k = 0; k < point.state.q.size(); ++k)
      point.state.q[k] = 2.0 / 3.0 * (sides_[0].state.q[k] + sides_[1].state.q[k]) -
                         1.0 / 6.0 * (sides_[2].state.q[k] + sides_[3].state.q[k]);
  const auto between = [&](auto value_of) {
    return 0.75 * (value_of(sides_[0]) + value_of(sides_[1])) -
           0.3 * (value_of(sides_[2]) + value_of(sides_[3])) +
           0.05 * (value_of(sides_[4]) + value_of(sides_[5]));  // (3)
  };
  double largest = 0.0, defect = 0.0;
  for (std::size_t k = 0; k < point.state.q.size(); ++k) {
    const double q = between([&](const MotionPoint& side) { return side.state.q[k]; });
    defect = std::max(defect, std::abs(q - point.state.q[k]));
    largest = std::max(largest, std::abs(q));
  }
  if (!(defect <= (is_known ? kSamePlace : kSamePlaceOfFour) * largest)) return false;
  if (!is_known) {
    for (std::size_t k = 0; k < point.state.q.size(); ++k)
      point.state.q[k] = between([&](const MotionPoint& side) { return side.state.q[k]; });
    trouble_ = {};
  }
  for (std::size_t k = 0; k < point.state.q.size(); ++k) {
    point.state.v[k] = between([&](const MotionPoint& side) { return side.state.v[k]; });
    point.a[k] = between([&](const MotionPoint& side) { return side.a[k]; });
  }
  for (std::size_t k = 0; k < point.z.size(); ++k)
    point.z_ddot[k] = between([&](const MotionPoint& side) { return side.z_ddot[k]; });
  return true;
}

bool MotionEquations::evaluate_sides(const MotionPoint& from, const MotionPoint& point, double s) {
  constexpr std::array<double, 6> kAt{1.0, -1.0, 2.0, -2.0, 3.0, -3.0};
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    MotionPoint& side = sides_[i];
    side = point;
    for (std::size_t k = 0; k < side.z.size(); ++k) side.z[k] += kAt[i] * s * side.z_dot[k];
    const double there = point.state.t + kAt[i] * s;
    predict(from, there, side.state);
    // Forces at their own time, where drivers do not ask for another: they may jump.
    if (!complete(has_drivers_ ? there : point.state.t, side) || !accelerate(side)) return false;
    if (formulation_.regularity() < kNearMeeting) return false;
  }
  return true;
}

bool MotionEquations::evaluate(dynamics::DescriptorForm& form, const MotionPoint& from, double t,
                               std::span<const double> a, std::span<const double> lambda, MotionPoint& out,
                               Eigen::Ref<Eigen::VectorXd> r, Eigen::Ref<Eigen::VectorXd> Phi) {
  out.state.memory = from.state.memory;
  if (!complete(t, out)) return false;
  ++statistics_.evaluations;
  if (!is_solved(out.state, [&] { return form.evaluate(out.state, a, lambda, r, Phi); })) return false;
  return r.allFinite() && Phi.allFinite() ? true : fail(Trouble::Kind::kNotFinite, out.state);
}

bool MotionEquations::place_between(const MotionPoint& from, const MotionPoint& to, double t,
                                    MotionPoint& out) {
  interpolate_quintic(from.state.t, to.state.t, t, from.state.q, from.state.v, from.a, to.state.q, to.state.v,
                      to.a, out.state.q, out.state.v);
  out.state.memory = from.state.memory;
  return complete(t, out) && project(out.state);
}

bool MotionEquations::evaluate_between(const MotionPoint& from, const MotionPoint& to, double t,
                                       MotionPoint& out) {
  const bool is_evaluated = place_between(from, to, t, out) && evaluate_state(out);
  return pass_meeting(from, out, is_evaluated);
}

bool MotionEquations::project(const MotionPoint& from, double t, MotionPoint& out) {
  predict(from, t, out.state);
  if (!complete(t, out) || !project(out.state)) return false;
  read(out);
  return true;
}

bool MotionEquations::accelerate(MotionPoint& point) {
  ++statistics_.evaluations;
  const std::span<double> z_ddot = std::span(point.z_ddot).first(num_coordinates());
  if (!is_solved(point.state, [&] { return coupled_.accelerate(point.state, point.a, z_ddot); }))
    return false;
  if (!states_.empty() && !differentiate_states(point)) return false;
  return is_finite(point.a) && is_finite(point.z_ddot) ? true : fail(Trouble::Kind::kNotFinite, point.state);
}

bool MotionEquations::differentiate_states(MotionPoint& point) {
  std::span<const double> rates = formulation_.state_rates();
  if (rates.empty()) {
    const State& state = point.state;
    formulation_.evaluate_bodies(state, point.a, bodies_);
    if (!model_.forces().evaluate_states(state.t, bodies_, state.memory, rates_))
      return fail(model_.forces().why_not(state.t, bodies_, state.memory), state.t);
    rates = rates_;
  }
  for (std::size_t k = 0; k < states_.size(); ++k)
    point.z_ddot[num_coordinates() + k] = rates[k] / states_[k].size;  // (0)
  return true;
}

bool MotionEquations::respond(const State& state, std::size_t side, std::span<double> change) {
  return is_solved(state, [&] { return coupled_.respond(state, side, change); });
}

bool MotionEquations::settle(const MotionPoint& from, MotionPoint& to, StepKind kind) {
  const double h = to.state.t - from.state.t;
  measure_turn(to);
  if (const double turn = turn_in_step(from, to, kind); turn > kLargestTurn) {
    trouble_ = {.kind = Trouble::Kind::kTurn, .t = from.state.t, .residual = turn};
    return false;
  }
  // What z do beside the trapezoidal rule, before they are projected.
  double allowed = 0.0;
  for (std::size_t k = 0; kind == StepKind::kImplicit && k < num_coordinates(); ++k)
    allowed =
        std::max(allowed, 10.0 * std::abs(to.z[k] - from.z[k] - 0.5 * h * (from.z_dot[k] + to.z_dot[k])));
  q_ = to.state.q;
  v_ = to.state.v;
  if (!project(to.state)) return false;
  if ((q_ != to.state.q || v_ != to.state.v) && !evaluate_state(to)) return false;
  if (has_discs_ && !check_discs(from, to)) return false;

  double defect = 0.0, way = 0.0, largest = 0.0;
  for (std::size_t k = 0; k < q_.size(); ++k) {
    const double moved = to.state.q[k] - from.state.q[k], v0 = from.state.v[k], v1 = to.state.v[k];
    defect = std::max(defect, std::abs(moved - 0.5 * h * (v0 + v1)));
    way = std::max({way, std::abs(moved), h * std::abs(v0), h * std::abs(v1)});
    largest = std::max(largest, std::abs(to.state.q[k]));
  }
  // What is below this is roundoff of the positions: a mechanism that stands still moves by it.
  const double roundoff = 1e-12 * (1.0 + largest);
  if (!(defect <= kLargestDefect * way + allowed + roundoff))
    return fail(Trouble::Kind::kJump, to.state);  // (2)
  return true;
}

bool MotionEquations::check_discs(const MotionPoint& from, const MotionPoint& to) {
  formulation_.evaluate_bodies(from.state, from.a, bodies_);
  after_.resize(bodies_.size());
  formulation_.evaluate_bodies(to.state, to.a, after_);
  const auto fallen =
      dynamics::find_fallen_disc(model_.mechanism(), bodies_, after_, to.state.t - from.state.t);
  return !fallen || fail(coordinates::flat_disc_text(model_.mechanism(), *fallen), to.state.t);
}

bool MotionEquations::check_drivers(double t0, double t1) {
  if (!has_drivers_) return true;
  const std::optional<core::ErrorText> jump = model_.find_driver_jump(t0, t1);
  return !jump || fail(*jump, t0);
}

bool MotionEquations::give_up(double t, double h) {
  const bool is_here = trouble_.kind != Trouble::Kind::kNone && trouble_.t >= t - 1e-9 * (1.0 + std::abs(t));
  if (!is_here) trouble_ = {.kind = Trouble::Kind::kTooSmall, .t = t};
  trouble_.step = h;
  return false;
}

std::optional<std::string> MotionEquations::choose(MotionPoint& point) {
  std::optional<std::string> sentence = formulation_.choose_integrated(point.state);
  if (!sentence) return sentence;
  point.a.resize(point.state.q.size());
  for (std::vector<double>* const values : {&point.z, &point.z_dot, &point.z_ddot}) values->resize(size());
  static_cast<void>(evaluate_state(point));  // what cannot be evaluated fails in the step that follows
  return sentence;
}

double MotionEquations::turn_in_step(const MotionPoint& from, const MotionPoint& to, StepKind kind) {
  const double h = to.state.t - from.state.t;
  // Springs count turns, and dependent coordinates are found from those before.
  if (!to.state.memory.angles.empty() || num_coordinates() != to.a.size()) return h * to.turn_rate;
  if (kind == StepKind::kControlled) return 0.0;
  // Otherwise bodies may turn as fast as they like, but not change that by much in a step that nothing controls.
  after_ = bodies_;  // of `to`, as measure_turn left them
  formulation_.evaluate_bodies(from.state, from.a, bodies_);
  double change = 0.0;
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    change = std::max(change, (after_[b].w_WB_W - bodies_[b].w_WB_W).norm());
  return h * change;
}

void MotionEquations::measure_turn(MotionPoint& point) {
  double w = 0.0;
  formulation_.evaluate_bodies(point.state, point.a, bodies_);
  for (const coordinates::BodyMotion& body : bodies_) w = std::max(w, body.w_WB_W.squaredNorm());
  point.turn_rate = std::sqrt(w);
}

double MotionEquations::longest_turn(const MotionPoint& point) {
  if (point.state.memory.angles.empty() && num_coordinates() == point.a.size())
    return std::numeric_limits<double>::infinity();
  double w = 0.0, alpha = 0.0;
  formulation_.evaluate_bodies(point.state, point.a, bodies_);
  for (const coordinates::BodyMotion& body : bodies_) {
    w = std::max(w, body.w_WB_W.squaredNorm());
    alpha = std::max(alpha, body.alpha_WB_W.squaredNorm());
  }
  return std::min(1.0 / std::sqrt(w), std::sqrt(2.0 / std::sqrt(alpha)));  // one radian for each body
}

bool MotionEquations::fail(Trouble::Kind kind, const State& state) {
  trouble_ = {.kind = kind, .t = state.t, .state = state};
  if (is_finite(state.q)) trouble_.residual = formulation_.constraint_error(state);
  return false;
}

bool MotionEquations::fail(DynamicsStatus status, const State& state) {
  if (status == DynamicsStatus::kNoValue) return fail(formulation_.why_not(state), state.t);
  return fail(status == DynamicsStatus::kNotClosed ? Trouble::Kind::kNotClosed
              : status == DynamicsStatus::kJammed  ? Trouble::Kind::kJammed
                                                   : Trouble::Kind::kSingular,
              state);
}

bool MotionEquations::fail(const core::ErrorText& cause, double t) {
  trouble_ = {.kind = Trouble::Kind::kForce, .t = t, .cause = cause};
  return false;
}

}  // namespace eslabon::integration
