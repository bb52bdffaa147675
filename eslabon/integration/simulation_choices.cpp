#include <algorithm>
#include <cmath>
#include <utility>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/integration/simulation.hpp"

/// Choices in formulas of forces: a step ends where one changes over, and nothing jumps within it.
namespace eslabon::integration {

namespace {

constexpr double kAtOnce = 1e-13;      // relative: times that are one
constexpr double kPartAtOnce = 1e-10;  // of a step: the same
constexpr int kMostChangesAtOnce = 3;  // of a choice
constexpr int kMostReturns = 30;       // halvings of a step in which a choice may have gone over and back
constexpr int kLeaving = 4;            // of these, after which one is sure that it has not
constexpr double kNearer = 0.7;        // to zero in half the time
constexpr int kMostApproaches = 20;    // to the time of a change
constexpr double kFirstLook = 1e-6;  // of a step: how well a change is located in one that will be taken anew

}  // namespace

double Simulation::side_of(std::size_t k, const MotionPoint& point) {
  formulation_.evaluate_bodies(point.state, point.a, bodies_);
  model_.forces().switch_values(point.state.t, bodies_, point.state.memory, switches_);
  return point.state.memory.choices[k] != 0 ? switches_[k] : -switches_[k];
}

namespace {

/// Whether forces see the same there.
bool is_same(const MotionPoint& a, const MotionPoint& b) {
  const dynamics::State &s = a.state, &r = b.state;
  return s.t == r.t && s.q == r.q && s.v == r.v && a.a == b.a && s.memory.angles == r.memory.angles &&
         s.memory.states == r.memory.states && s.memory.choices == r.memory.choices;
}

}  // namespace

std::optional<Simulation::Switch> Simulation::find_switch(bool is_first_look) {
  const std::size_t count = model_.forces().num_switches();
  std::optional<Switch> first;
  if (!is_same(switches_at_, from_)) {
    static_cast<void>(side_of(0, from_));
    switches_after_ = switches_;
  }
  switches_before_ = switches_after_;
  static_cast<void>(side_of(0, to_));
  std::vector<double>& now = switches_after_;
  now = switches_;
  switches_at_ = to_;
  for (std::size_t k = 0; k < count; ++k) {
    const bool is_above = from_.state.memory.choices[k] != 0;
    if (is_above == (now[k] > 0.0) || (now[k] == 0.0 && !is_above)) continue;
    double t = from_.state.t;
    const auto value = [&, k](const MotionPoint& point) {
      static_cast<void>(side_of(k, point));
      return std::optional(switches_[k]);
    };
    const auto is_own = [&](double seen) { return seen != 0.0 && is_above == (seen > 0.0); };
    // Where it has just changed it is at zero still: it comes back after it has been away, or it does not go at all.
    double t0 = t, before = switches_before_[k];
    // One that goes to zero with the time, halving after halving, does not.
    for (int i = 1, leaving = 0; !is_own(before) && leaving < kLeaving && i < kMostReturns; ++i) {
      t0 = t + std::ldexp(to_.state.t - t, -i);
      if (!place_at(t0, between_)) break;
      const double last = std::exchange(before, *value(between_));
      leaving = i > 1 && std::abs(before) <= kNearer * std::abs(last) ? leaving + 1 : 0;
    }
    if (is_own(before)) {
      const double t1 = to_.state.t, near = is_first_look ? kFirstLook * (t1 - from_.state.t) : 0.0;
      std::optional<double> found = t1;
      // The step often ends there already.
      if (!place_at(std::max(t0, t1 - same_time()), between_) || !is_own(*value(between_))) {
        found = locate(value, t0, before, t1, now[k], near, &Simulation::place_at);
        // At its ends more digits are needed.
        if (found && near > 0.0 && std::min(*found - t, t1 - *found) <= 2.0 * near)
          found = locate(value, t0, before, t1, now[k], 0.0, &Simulation::place_at);
      }
      if (found) t = *found;
    }
    if (!first || t < first->t) first = Switch{k, t};
  }
  return first;
}

std::optional<double> Simulation::missing_to(std::size_t k) {
  const double h = to_.state.t - from_.state.t, value = side_of(k, to_);
  if (value == 0.0) return 0.0;
  if (!evaluate_at(to_.state.t - kPartOfStep * h, between_)) return std::nullopt;
  const double rate = (value - side_of(k, between_)) / (kPartOfStep * h);
  if (!(rate < 0.0)) return std::nullopt;
  return -value / rate;
}

// Of fixed-step integrators, and to the last digits of all, a step that ends elsewhere is another step: it is led to the change by Newton's
// method, on the tangent of what the choice looks at.
bool Simulation::step_to_switch() {
  if (!keeps_choices_) return true;
  // Ends the step where a choice passes zero before t, by halving: of values that jump, where no tangent leads on.
  const auto halve_to = [&](std::size_t k, double t) {
    for (double before = from_.state.t;;) {
      integrator_->restart();
      const double middle = 0.5 * (before + t);
      const bool is_last = t - before <= same_time() || !(before < middle && middle < t);
      if (!integrator_->step(equations_, from_, is_last ? t : middle, to_)) return false;
      if (is_last || to_.state.t < middle) return true;
      (side_of(k, to_) > 0.0 ? before : t) = middle;
    }
  };
  for (int i = 0; i < kMostHalvings; ++i) {
    const std::optional<Switch> first = find_switch(i == 0);
    if (!first) return true;
    const double t_limit = to_.state.t, t0 = from_.state.t;
    if (t_limit - first->t <= same_time()) {  // the step ends there already
      to_change_ = first->k;
      return true;
    }
    integrator_->restart();
    // What happens at stops is later, and will be looked for again.
    is_to_strike_ = false;
    released_.reset();
    ahead_.reset();
    approaches_ = 0;
    if (first->t - t0 <= same_time()) {
      if (!change_choice(first->k, from_)) return false;
      if (!integrator_->step(equations_, from_, t_limit, to_)) return false;
      continue;
    }
    double t = first->t;
    bool is_there = false;
    for (int correction = 0; correction < kMostApproaches; ++correction) {
      if (!integrator_->step(equations_, from_, t, to_)) return false;
      if (to_.state.t < t) break;  // a shorter step: what lies in it is looked for again
      const std::optional<double> missing = missing_to(first->k);
      is_there = missing && std::abs(*missing) <= same_time();
      if (!missing || is_there) break;
      t = std::clamp(t + *missing, 0.5 * (t0 + t), t_limit);
      integrator_->restart();
    }
    std::optional<Switch> passed = find_switch(false);
    // No way forward: Newton's method ended where it began.
    if (!is_there && passed && passed->k == first->k && to_.state.t >= t_limit &&
        side_of(first->k, from_) > 0.0) {
      if (!halve_to(first->k, t_limit)) return false;
      is_there = true;
      passed = find_switch(false);
    }
    // What the end of the step has come to is not before it: between them is roundoff.
    const bool is_same = is_there && passed && passed->k == first->k;
    if (passed && !is_same && to_.state.t - passed->t > same_time()) continue;
    if (passed)
      to_change_ = passed->k;
    else if (is_there)
      to_change_ = first->k;
    return true;
  }
  return equations_.give_up(from_.state.t, to_.state.t - from_.state.t);
}

double Simulation::same_time() const {
  return std::max(kAtOnce * std::max(1.0, std::abs(from_.state.t)),
                  kPartAtOnce * (to_.state.t - from_.state.t));
}

bool Simulation::change_choice() {
  if (!to_change_) return true;
  const std::size_t k = *to_change_;
  to_change_.reset();
  integrator_->restart();
  return change_choice(k, to_) || fail();
}

bool Simulation::change_choice(std::size_t k, MotionPoint& point) {
  const double t = point.state.t;
  static_cast<void>(side_of(k, point));
  const double seen = switches_[k];
  const char before = point.state.memory.choices[k];
  for (std::size_t j = 0; j < switches_.size(); ++j)  // if(c, a, b) has two that look at c
    if (switches_[j] == seen && point.state.memory.choices[j] == before)
      point.state.memory.choices[j] = before != 0 ? 0 : 1;
  const bool is_again = std::abs(t - changed_at_[k]) <= same_time();
  changes_there_[k] = is_again ? changes_there_[k] + 1 : 1;
  changed_at_[k] = t;
  if (changes_there_[k] > kMostChangesAtOnce) {
    equations_.trouble() = {
        .kind = Trouble::Kind::kForce,
        .t = t,
        .cause = {
            .what = "a force changes over again and again",
            .where = model_.forces().switch_owner(k) + ", t = " + core::rounded_text(t, 9) + " s",
            .expected = "a force with which the motion goes on where it changes",
            .actual = "one that pushes back from both sides, as dry friction does where it holds",
            .next = "Write 'friction:' of the joint, which can hold, or 'smooth_step' over a small range."}};
    return false;
  }
  return equations_.evaluate_state(point);
}

}  // namespace eslabon::integration
