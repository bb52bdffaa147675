#include <algorithm>
#include <array>
#include <cmath>

#include "eslabon/integration/simulation.hpp"

/// Functions that somebody wants to see pass zero, within steps that are over.
namespace eslabon::integration {

namespace {

constexpr double kResolvedEvent = 1e-8;  // of the largest value in a step

}  // namespace

void Simulation::add_event(EventFunction event) { watches_.push_back(std::move(event)); }

void Simulation::add_events_of_mechanism() {
  using Direction = EventFunction::Direction;
  constexpr std::array kDirections{Direction::kBoth, Direction::kRising, Direction::kFalling};
  const std::vector<model::Event>& events = model_.mechanism().events();
  for (std::size_t k = 0; k < events.size(); ++k)
    add_event({.name = events[k].name,
               .g = {},
               .direction = kDirections[static_cast<std::size_t>(events[k].direction)],
               .ends_run = events[k].ends_run,
               .of_mechanism = k});
}

double Simulation::value_of(const EventFunction& event, const MotionPoint& point) {
  formulation_.evaluate_bodies(point.state, point.a, bodies_);
  if (event.of_mechanism)
    return model_.forces().event_value(*event.of_mechanism, point.state.t, bodies_, point.state.memory);
  return event.g(point.state.t, bodies_);
}

namespace {

/// By a parabola through three values, d from one to the next, the one in the middle at `middle`.
Knot knot_of(const std::array<double, 3>& g, double middle, double d, double t, double value) {
  const double acceleration = (g[0] - 2.0 * g[1] + g[2]) / (d * d);
  return {t, value, 0.5 * (g[2] - g[0]) / d + (t - middle) * acceleration, acceleration};
}

}  // namespace

std::optional<Knot> Simulation::knot_at(const EventFunction& event, double t) {
  const double t0 = from_.state.t, t1 = to_.state.t, d = kPartOfStep * (t1 - t0);
  const double middle = std::clamp(t, t0 + d, t1 - d);
  std::array<double, 3> g{};
  for (std::size_t k = 0; k < 3; ++k) {
    if (!evaluate_at(middle + d * (static_cast<double>(k) - 1.0), between_)) return std::nullopt;
    g[k] = value_of(event, between_);
  }
  if (!evaluate_at(t, between_)) return std::nullopt;
  return knot_of(g, middle, d, t, value_of(event, between_));
}

bool Simulation::evaluate_knots(double t, std::vector<Knot>& out) {
  const double t0 = from_.state.t, t1 = to_.state.t, d = kPartOfStep * (t1 - t0);
  const double middle = std::clamp(t, t0 + d, t1 - d);
  std::vector<std::array<double, 4>> g(watches_.size());
  for (std::size_t k = 0; k < 4; ++k) {
    if (!evaluate_at(k < 3 ? middle + d * (static_cast<double>(k) - 1.0) : t, between_)) return false;
    for (std::size_t e = 0; e < g.size(); ++e) g[e][k] = value_of(watches_[e], between_);
  }
  out.clear();
  for (const auto& [a, b, c, value] : g) out.push_back(knot_of({a, b, c}, middle, d, t, value));
  return true;
}

bool Simulation::goes_on_smoothly() const {
  return last_knots_.size() == watches_.size() && last_knots_.front().t == from_.state.t &&
         last_rates_ == from_.state.v && last_accelerations_ == from_.a &&
         last_choices_ == from_.state.memory.choices;
}

// Seed000 eq. 3
bool Simulation::find_events() {
  const std::size_t first = log_.size();
  std::vector<double> instants = instants_of_small_turns(from_, to_);
  instants.insert(instants.begin(), from_.state.t);
  instants.push_back(to_.state.t);
  std::vector<std::vector<Knot>> knots(watches_.size());
  for (std::size_t i = 0; i < instants.size(); ++i) {
    const bool is_known = i == 0 && goes_on_smoothly();
    if (!is_known && !evaluate_knots(instants[i], last_knots_)) return fail();
    for (std::size_t e = 0; e < watches_.size(); ++e) {
      if (watches_[e].of_mechanism && !std::isfinite(last_knots_[e].value))
        return fail_without_value(watches_[e], instants[i]);
      knots[e].push_back(last_knots_[e]);
    }
  }
  last_rates_ = to_.state.v;
  last_accelerations_ = to_.a;
  last_choices_ = to_.state.memory.choices;
  for (std::size_t e = 0; e < watches_.size(); ++e) {
    double largest = 0.0;
    for (const Knot& knot : knots[e]) largest = std::max(largest, std::abs(knot.value));
    if (!log_passages(watches_[e], std::move(knots[e]), kResolvedEvent * largest)) return fail();
  }
  std::sort(log_.begin() + static_cast<std::ptrdiff_t>(first), log_.end(),
            [](const LogEntry& a, const LogEntry& b) { return a.t < b.t; });
  if (end_) std::erase_if(log_, [&](const LogEntry& entry) { return entry.t > end_->t; });
  return true;
}

bool Simulation::fail_without_value(const EventFunction& event, double t) {
  if (!evaluate_at(t, between_)) return fail();
  formulation_.evaluate_bodies(between_.state, between_.a, bodies_);
  const auto why = model_.forces().why_no_event(*event.of_mechanism, t, bodies_, between_.state.memory);
  equations_.trouble() = {.kind = Trouble::Kind::kForce, .t = t, .cause = why.value_or(core::ErrorText{})};
  return fail();
}

void Simulation::log_passage(const EventFunction& event, bool rises, double t) {
  using Direction = EventFunction::Direction;
  if (event.direction == (rises ? Direction::kFalling : Direction::kRising)) return;
  const LogEntry entry{LogEntry::Kind::kEvent, t, event.name};
  if (event.ends_run && (!end_ || t < end_->t)) end_ = entry;
  if (log_.size() < kMostEntries) log_.push_back(entry);
}

void Simulation::log_jumps(const MotionPoint& before) {
  for (const EventFunction& event : watches_) {
    const double g0 = value_of(event, before), g1 = value_of(event, to_);
    if ((g0 < 0.0 && g1 > 0.0) || (g0 > 0.0 && g1 < 0.0)) log_passage(event, g1 > 0.0, to_.state.t);
  }
}

bool Simulation::log_passages(const EventFunction& event, std::vector<Knot> knots, double resolved) {
  // Above zero the function falls to it; below, its negative does.
  const auto side_of = [](const Knot& knot) {
    return knot.value != 0.0 ? knot.value : knot.rate != 0.0 ? knot.rate : knot.acceleration;
  };
  double sign = std::copysign(1.0, side_of(knots.front()));
  const auto turned = [&](Knot knot) {
    return Knot{knot.t, sign * knot.value, sign * knot.rate, sign * knot.acceleration};
  };
  while (knots.size() > 1) {
    std::vector<Knot> above;
    for (const Knot& knot : knots) above.push_back(turned(knot));
    const auto above_at = [&](double t) -> std::optional<Knot> {
      const std::optional<Knot> knot = knot_at(event, t);
      if (!knot) return std::nullopt;
      return turned(*knot);
    };
    std::optional<Passage> passage;
    if (!find_first_passage(above, {.floor = 0.0, .resolved = resolved}, above_at, passage)) return false;
    if (!passage) return true;
    const auto g = [&](const MotionPoint& point) { return value_of(event, point); };
    const std::optional<Knot> before = knot_at(event, passage->t0), after = knot_at(event, passage->t1);
    if (!before || !after) return false;
    if (sign * before->value > 0.0) {
      const std::optional<double> t = locate(g, passage->t0, before->value, passage->t1, after->value);
      if (!t) return false;
      log_passage(event, sign < 0.0, *t);
    }
    std::erase_if(knots, [&](const Knot& knot) { return knot.t <= passage->t1; });
    knots.insert(knots.begin(), *after);
    sign = -sign;
  }
  return true;
}

}  // namespace eslabon::integration
