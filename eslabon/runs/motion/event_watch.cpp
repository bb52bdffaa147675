#include "eslabon/runs/motion/event_watch.hpp"

#include <algorithm>
#include <cmath>

namespace eslabon::runs {

using model::PassageDirection;

namespace {

constexpr int kMostHalvings = 200;

bool passes(PassageDirection direction, double before, double now) {
  const bool rises = before < 0.0 && now >= 0.0, falls = before > 0.0 && now <= 0.0;
  return (rises && direction != PassageDirection::kFalling) ||
         (falls && direction != PassageDirection::kRising);
}

void check_variables(const model::Mechanism& mechanism) {
  for (const model::Event& event : mechanism.events())
    for (const model::Variable& variable : event.quantity.variables)
      if (variable.kind == model::VariableKind::kState)
        throw core::ModelError({.what = "an event looks at what a prescribed motion does not have",
                                .where = "event '" + event.name + "'",
                                .expected = "positions, velocities and the time",
                                .actual = "'" + model::name(mechanism, variable) + "', an auxiliary state",
                                .next = "Take 'simulate', which integrates it, or another quantity."});
}

}  // namespace

EventWatch::EventWatch(const model::Mechanism& mechanism)
    : mechanism_(mechanism), forces_(mechanism), memory_(forces_.empty_memory()) {
  check_variables(mechanism);
}

bool EventWatch::evaluate(double t, const coordinates::MechanismMotion& bodies, dynamics::ForceMemory& memory,
                          std::vector<double>& values) {
  forces_.follow_angles(bodies, memory.angles);
  values.resize(mechanism_.events().size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = forces_.event_value(k, t, bodies, memory);
    if (std::isfinite(values[k])) continue;
    failure_ = forces_.why_no_event(k, t, bodies, memory);
    return false;
  }
  return true;
}

void EventWatch::begin(double t, const coordinates::MechanismMotion& bodies) {
  t_ = t;
  if (!evaluate(t, bodies, memory_, values_)) throw core::ModelError(*failure_);
}

bool EventWatch::advance(double t, const coordinates::MechanismMotion& bodies, const GoTo& go_to,
                         std::vector<PassedEvent>& passed) {
  passed.clear();
  dynamics::ForceMemory memory = memory_;
  std::vector<double> values;
  if (!evaluate(t, bodies, memory, values)) return false;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const model::Event& event = mechanism_.events()[k];
    if (!passes(event.direction, values_[k], values[k])) continue;
    const PassedEvent found{locate(k, values_[k], t, values[k], go_to).value_or(t), event.name};
    passed.push_back(found);
    if (event.ends_run && (!end_ || found.t < end_->t)) end_ = found;
  }
  std::ranges::stable_sort(passed, {}, &PassedEvent::t);
  if (end_) std::erase_if(passed, [&](const PassedEvent& event) { return event.t > end_->t; });
  t_ = t;
  memory_ = std::move(memory);
  values_ = std::move(values);
  return true;
}

std::optional<double> EventWatch::locate(std::size_t k, double g0, double t1, double g1,
                                         const GoTo& go_to) const {
  // Regula falsi with the Illinois weights, which cannot lose the zero and ends at roundoff of t.
  double t0 = t_;
  const bool is_below = g0 < 0.0;
  const double small = 1e-15 * std::max(std::abs(t0), std::abs(t1)) + 1e-14 * (t1 - t0);
  for (int i = 0; i < kMostHalvings && t1 - t0 > small && g1 != 0.0; ++i) {
    const double wanted = i % 3 == 2 ? 0.5 * (t0 + t1) : t1 - g1 * (t1 - t0) / (g1 - g0);
    const double t = std::clamp(wanted, t0 + 0.25 * small, t1 - 0.25 * small);
    const coordinates::MechanismMotion* const bodies = go_to(t);
    if (bodies == nullptr) return std::nullopt;
    dynamics::ForceMemory memory = memory_;
    forces_.follow_angles(*bodies, memory.angles);
    const double g = forces_.event_value(k, t, *bodies, memory);
    if ((g < 0.0) == is_below && g != 0.0) {
      t0 = t;
      g0 = g;
      g1 *= 0.5;
    } else {
      t1 = t;
      g1 = g;
      g0 *= 0.5;
    }
  }
  return t1;
}

}  // namespace eslabon::runs
