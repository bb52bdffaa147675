#include "eslabon/integration/simulation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "eslabon/coordinates/layout.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/forces/tyre_places.hpp"
#include "eslabon/dynamics/formulations/diagnosis.hpp"
#include "eslabon/integration/driver_limit.hpp"

namespace eslabon::integration {

namespace {

constexpr double kShortStep = 1e-12;  // relative: no integrator can make a shorter one
constexpr int kMostCorrections = 20;  // of the time of an impact
constexpr double kMostTurns = 100.0;  // of a body in a step within which stops are looked for [rad]
// A run that needs more than 10¹⁰ steps is given up; one of fixed steps, which the user chose, when they are cut and lead nowhere.
constexpr long kMilestone = 10'000, kFixedMilestone = 1'000;
constexpr double kLeastWay = 1e-6, kNoWay = 1e-13;  // of what is left, of the time
constexpr int kMostStepsAtOnce = 16;
constexpr double kOpen = 1e-3;    // of the mechanism's size
constexpr double kTooFast = 1.0;  // radians, or times constants of time, in a step

void check_time(double t, double now, double until) {
  if (t >= now && t <= until) return;
  throw core::ContractError({.what = "a run cannot go there",
                             .where = "Simulation::advance_to",
                             .expected = "a time from " + core::number_text(now) +
                                         " s, where it stands, to its end at " + core::number_text(until) +
                                         " s",
                             .actual = core::number_text(t) + " s",
                             .next = "Ask for times in their order."});
}

}  // namespace

Simulation::Simulation(const dynamics::DynamicModel& model, dynamics::Formulation& formulation,
                       std::unique_ptr<Integrator> integrator, double until,
                       const std::optional<dynamics::State>& start)
    : Simulation(model, std::shared_ptr<dynamics::Formulation>(std::shared_ptr<void>(), &formulation),
                 std::move(integrator), until, start) {}

Simulation::Simulation(const dynamics::DynamicModel& model,
                       std::shared_ptr<dynamics::Formulation> formulation,
                       std::unique_ptr<Integrator> integrator, double until,
                       const std::optional<dynamics::State>& start)
    : model_(model),
      kept_formulation_(std::move(formulation)),
      formulation_(*kept_formulation_),
      integrator_(std::move(integrator)),
      until_(until),
      length_(coordinates::length_scale(model.mechanism())),
      kept_equations_(std::make_unique<MotionEquations>(formulation_, model_)),
      equations_(*kept_equations_),
      to_(equations_.make_point(start ? *start : formulation_.start())),
      sticks_(model_.mechanism()),
      stops_(model_, equations_),
      bodies_(model_.mechanism().bodies().size()) {
  model.prepare_drivers(until);
  check_positions_can_be_solved();
  if (!equations_.evaluate_state(to_)) {
    explain(equations_.trouble());
    throw core::ModelError(equations_.trouble().error_text(integrator_->facts().is_adaptive));
  }
  keeps_choices_ = model_.forces().num_switches() > 0;
  if (keeps_choices_) {
    const std::size_t count = model_.forces().num_switches();
    switches_.resize(count);
    changed_at_.assign(count, -std::numeric_limits<double>::infinity());
    changes_there_.assign(count, 0);
    formulation_.evaluate_bodies(to_.state, to_.a, bodies_);
    model_.forces().take_choices(to_.state.t, bodies_, to_.state.memory);
  }
  stops_.check_start(to_);
  is_to_strike_ = !stops_.is_empty();
  if (!strike()) throw core::ModelError(failure_->error_text(integrator_->facts().is_adaptive));
  equations_.measure_turn(to_);
  formulation_.evaluate_bodies(to_.state, to_.a, bodies_);
  for (std::size_t k = 0; k < sticks_.size(); ++k) sticks_.begin(k, sticks_.value(k, bodies_));
  static_cast<void>(watch_constraints(to_));
  from_ = output_ = between_ = to_;
}

void Simulation::check_positions_can_be_solved() {
  if (!integrator_->facts().solves_positions || !formulation_.descriptor_form()) return;
  const bool is_coupled = equations_.coupled().is_needed();
  if (!is_coupled && model_.mechanism().states().empty()) return;
  throw core::ModelError(
      {.what = is_coupled ? "rigid stops and friction by load are not simulated this way"
                          : "auxiliary states are not integrated this way",
       .where = "integrator '" + std::string(integrator_->name()) + "' with formulation '" +
                std::string(formulation_.name()) + "'",
       .expected = "a formulation that gives accelerations, or an integrator that asks for them",
       .actual = "one that solves for positions",
       .next = "Take another formulation, or 'dopri5' or 'bdf'."});
}

// Seed000 eq. 7
bool Simulation::advance_to(double t) {
  check_time(t, output_.state.t, until_);
  if (failure_) return t <= output_.state.t;
  while (to_.state.t < t && !end_)
    if (!take_step()) {
      output_ = to_;
      return false;
    }
  const double reached = end_ ? std::min(t, end_->t) : t;
  if (!evaluate_at(reached, between_)) return fail();
  output_ = between_;
  if (reached != to_.state.t && !watch_constraints(output_)) return fail();
  return reached == t;
}

bool Simulation::advance_by_small_turns(double t) {
  check_time(t, output_.state.t, until_);
  if (failure_) return t <= output_.state.t;
  const double start = output_.state.t;
  double now = start, fastest = 0.0;
  int steps = 0;
  while (now < t) {  // up to an event that ends the run as well, which lies within the last step
    if (to_.state.t <= now) {
      if (end_) break;
      if (++steps > kMostStepsAtOnce) break;  // who follows the run may want to end it
      if (!take_step()) {
        output_ = to_;
        return false;
      }
    }
    fastest = std::max({fastest, from_.turn_rate, to_.turn_rate});
    const double next = std::min(t, to_.state.t);
    if ((next - start) * fastest > kSmallTurn) {
      // Not into a step that is so much faster than what was before it.
      if (now == start) now = std::min(next, start + kSmallTurn / fastest);
      break;
    }
    now = next;
  }
  return advance_to(std::min(t, now));
}

void Simulation::leave_step() { leave_step(output_.state.t < to_.state.t ? output_ : to_); }

void Simulation::leave_step(const MotionPoint& end) {
  if (watch_ == nullptr || end.state.t == from_.state.t) return;
  watch_->leave_step(from_, end, [&](double t) { return evaluate_at(t, between_) ? &between_ : nullptr; });
}

bool Simulation::take_step() {
  leave_step(to_);
  // Between steps, and not at the end of one: the last step can then still be interpolated.
  if (auto sentence = equations_.choose(to_)) {
    if (log_.size() < kMostEntries)
      log_.push_back({LogEntry::Kind::kChoice, to_.state.t, std::move(*sentence)});
    integrator_->restart();
    output_ = between_ = to_;  // of the new sizes
  }
  if (!strike() || !change_choice()) return false;
  from_ = to_;
  if (!step_to_stop() || !step_to_switch() || !equations_.check_drivers(from_.state.t, to_.state.t)) {
    to_ = from_;
    return fail();
  }
  ++equations_.statistics().steps;
  if (!watch_constraints(to_)) return fail();
  if (is_stuck()) return fail();
  return find_sliding() && (watches_.empty() || to_.state.t == from_.state.t || find_events());
}

bool Simulation::step_to_stop() {
  for (int i = 0; i < kMostHalvings; ++i) {
    double t_limit = ahead_ ? std::min(t_ahead_, until_) : until_;
    if (!stops_.is_empty() || !watches_.empty())
      t_limit = std::min(t_limit, from_.state.t + kMostTurns / from_.turn_rate);
    bool flies = false;
    for (std::size_t k = 0; k < model_.mechanism().tyres().size(); ++k)
      flies = flies || dynamics::flies_over_bumps(model_.mechanism(), k, from_.state.memory);
    if (flies) {
      formulation_.evaluate_bodies(from_.state, from_.a, bodies_);
      t_limit = std::min(
          t_limit, from_.state.t + dynamics::longest_flight(model_.mechanism(), bodies_, from_.state.memory));
    }
    if (t_limit <= from_.state.t) {  // at once
      to_ = from_;
      return arrive();
    }
    if (!integrator_->step(equations_, from_, t_limit, to_)) return false;
    if (stops_.is_empty()) return true;
    const bool is_there = ahead_ && to_.state.t == t_ahead_;
    bool is_earlier = false;
    if (!find_stop(is_there, is_earlier)) return false;
    // Steps of another length end elsewhere, of fixed-step integrators much so: this one may have turned back already.
    const bool is_back = is_there && !is_earlier && !ahead_->is_release && stops_.rate(*ahead_, to_) > 0.0;
    if (is_back && !find_stop(false, is_earlier)) return false;
    if (is_back && !is_earlier) {
      if (stops_.is_touching(to_, ahead_->side)) return arrive();
      ahead_.reset();
      approaches_ = 0;
      return true;
    }
    if (!is_earlier) {
      if (!is_there) return true;
      if (ahead_->is_release) return arrive();
      // What is approached again and again is reached.
      if (++approaches_ > kMostCorrections && stops_.is_touching(to_, ahead_->side)) return arrive();
      // By Newton to where the gap is closed: further on, or from the start of the step again.
      const double missing = -*stops_.value(*ahead_, to_) / stops_.rate(*ahead_, to_);
      const double small = 4.0 * std::numeric_limits<double>::epsilon() * std::max(1.0, std::abs(t_ahead_));
      if (!(std::abs(missing) > small) || i > kMostCorrections) return arrive();
      t_ahead_ += missing;
      if (missing > kShortStep * std::max(1.0, std::abs(t_ahead_))) return true;
    } else if (ahead_->is_release && t_ahead_ == to_.state.t) {
      return arrive();
    }
    integrator_->restart();
  }
  return equations_.give_up(from_.state.t, t_ahead_ - from_.state.t);
}

bool Simulation::arrive() {
  is_to_strike_ = true;
  approaches_ = 0;
  released_.reset();
  if (ahead_ && ahead_->is_release) released_ = ahead_->side;
  ahead_.reset();
  return true;
}

bool Simulation::find_stop(bool is_there, bool& is_earlier) {
  std::optional<StopImpacts::Find> first;
  double t_first = 0.0;
  const PointAt point_at = [&](double t) { return evaluate_at(t, between_) ? &between_ : nullptr; };
  if (!stops_.search(from_, to_, point_at, finds_)) return false;
  for (const StopImpacts::Find& find : finds_) {
    if (is_there && find.side == ahead_->side) continue;
    double t = find.t0;
    if (find.t1 > find.t0) {
      const std::optional<double> located = locate_stop(find);
      if (!located) return false;
      t = *located;
    }
    // What comes at the same time is struck with it.
    if (is_there && t > t_ahead_ - kShortStep * std::max(1.0, std::abs(t_ahead_))) continue;
    if (first && t >= t_first) continue;
    first = find;
    t_first = t;
  }
  is_earlier = first.has_value();
  if (first) {
    if (!ahead_ || ahead_->side != first->side) approaches_ = 0;
    ahead_ = first;
    t_ahead_ = t_first;
  }
  return true;
}

std::optional<double> Simulation::locate_stop(const StopImpacts::Find& find) {
  const auto value = [&](const MotionPoint& point) { return stops_.value(find, point); };
  double t0 = find.t0;
  const auto value_at = [&](double t) -> std::optional<double> {
    if (!evaluate_at(t, between_)) return std::nullopt;
    return value(between_);
  };
  const std::optional<double> g1 = value_at(find.t1);
  if (!g1) return std::nullopt;
  std::optional<double> g0 = value_at(t0);
  // What has just left touches still: it comes back after it has been away.
  for (int i = 0; g0 && !(*g0 > 0.0) && i < kMostHalvings; ++i)
    g0 = value_at(t0 = find.t0 + std::ldexp(find.t1 - find.t0, -1 - i));
  if (!g0) return std::nullopt;
  if (!(*g0 > 0.0)) return find.t0;
  return locate(value, t0, *g0, find.t1, *g1);
}

bool Simulation::strike() {
  if (!is_to_strike_) return true;
  is_to_strike_ = false;
  std::vector<std::string> sentences;
  const double t = to_.state.t;
  between_ = to_;
  if (!stops_.strike(to_, released_, sentences)) return fail();
  if (keeps_choices_) {  // of velocities that are others now
    const std::vector<char> before = to_.state.memory.choices;
    formulation_.evaluate_bodies(to_.state, to_.a, bodies_);
    model_.forces().take_choices(to_.state.t, bodies_, to_.state.memory);
    if (before != to_.state.memory.choices && !equations_.evaluate_state(to_)) return fail();
  }
  if (watch_ != nullptr) watch_->strike(between_, to_);
  log_jumps(between_);
  released_.reset();
  for (std::string& sentence : sentences)
    if (log_.size() < kMostEntries) log_.push_back({LogEntry::Kind::kStop, t, std::move(sentence)});
  equations_.measure_turn(to_);
  formulation_.evaluate_bodies(to_.state, to_.a, bodies_);
  for (std::size_t k = 0; k < sticks_.size(); ++k) {  // what stops may make hold, or slide, at once
    const double before = sticks_.before(k), now = sticks_.value(k, bodies_);
    if ((before < 0.0) != (now < 0.0)) sticks_.pass(k, now < 0.0, t, bodies_);
    sticks_.end_step(k, now);
  }
  integrator_->restart();
  return true;
}

bool Simulation::find_sliding() {
  if (sticks_.size() == 0) return true;
  for (std::size_t k = 0; k < sticks_.size(); ++k) {
    const auto value = [&](const MotionPoint& point) {
      formulation_.evaluate_bodies(point.state, point.a, bodies_);
      return sticks_.value(k, bodies_);
    };
    const double before = sticks_.before(k), now = value(to_);
    sticks_.end_step(k, now);
    if ((before < 0.0) == (now < 0.0)) continue;
    const std::optional<double> t = locate(value, from_.state.t, before, to_.state.t, now);
    if (!t || !evaluate_at(*t, between_)) return fail();
    formulation_.evaluate_bodies(between_.state, between_.a, bodies_);
    sticks_.pass(k, now < 0.0, *t, bodies_);
  }
  std::vector<StickLog::Sentence> said;
  sticks_.collect(to_.state.t < until_ ? to_.state.t : HUGE_VAL, said);  // what holds at the end holds
  for (StickLog::Sentence& sentence : said) {
    if (log_.size() >= kMostEntries) break;
    const auto place = std::ranges::upper_bound(log_, sentence.t, {}, &LogEntry::t);
    log_.insert(place, {LogEntry::Kind::kFriction, sentence.t, std::move(sentence.text)});
  }
  return true;
}

bool Simulation::is_stuck() {
  const bool is_adaptive = integrator_->facts().is_adaptive;
  const long steps = is_adaptive ? kMilestone : kFixedMilestone;
  if (statistics().steps < milestone_steps_ + steps) return false;
  const double t = to_.state.t, way = t - milestone_t_;
  milestone_steps_ = statistics().steps;
  milestone_t_ = t;
  if (is_adaptive ? way >= kLeastWay * (until_ - t) : way > kNoWay * t) return false;
  equations_.trouble() = {.kind = Trouble::Kind::kTooSmall, .t = t, .step = way / static_cast<double>(steps)};
  if (!log_.empty() && log_.back().t >= t - way) equations_.trouble().place = log_.back().text;
  return true;
}

bool Simulation::fail() {
  failure_ = equations_.trouble();
  explain(*failure_);
  return false;
}

void Simulation::explain(Trouble& trouble) {
  using Kind = Trouble::Kind;
  const std::optional<dynamics::FastElement> fast = dynamics::fastest_element(model_.mechanism());
  const bool is_about_steps = trouble.kind == Kind::kJump || trouble.kind == Kind::kTurn ||
                              trouble.kind == Kind::kNotFinite || trouble.kind == Kind::kNotConverged ||
                              trouble.kind == Kind::kTooSmall;
  if (is_about_steps && fast && fast->rate * trouble.step > kTooFast) trouble.fast = fast;
  if (trouble.kind != Kind::kForce && !model_.mechanism().drivers().empty())
    trouble.driver = model_.mechanism().drivers().size() == 1
                         ? "Driver '" + model_.mechanism().drivers().front().name + "'"
                         : "A driver";
  if (trouble.is_stuck() && !trouble.driver.empty()) trouble.limit = driver_limit(model_, trouble.t, until_);
  const bool has_position = std::ranges::all_of(trouble.state.q, [](double q) { return std::isfinite(q); });
  if (trouble.state.q.empty() || !has_position) return;
  const std::vector<double> zero(trouble.state.q.size(), 0.0);
  formulation_.evaluate_bodies(trouble.state, zero, bodies_);
  if (trouble.kind == Kind::kNotClosed || trouble.kind == Kind::kOpened) {
    dynamics::OpenPlace widest = dynamics::widest_gap(model_, bodies_, trouble.t);
    trouble.place = std::move(widest.name);
    trouble.residual = widest.gap;
  }
  if (trouble.kind == Kind::kSingular)
    trouble.without_mass = dynamics::bodies_moving_without_mass(model_, bodies_, trouble.t);
}

bool Simulation::evaluate_at(double t, MotionPoint& out) {
  if (t == to_.state.t || t == from_.state.t) {
    out = t == to_.state.t ? to_ : from_;
    return true;
  }
  integrator_->interpolate(from_, to_, t, out.z, out.z_dot);
  return equations_.evaluate_between(from_, to_, t, out);
}

bool Simulation::place_at(double t, MotionPoint& out) {
  if (t == to_.state.t || t == from_.state.t) return evaluate_at(t, out);
  integrator_->interpolate(from_, to_, t, out.z, out.z_dot);
  return equations_.place_between(from_, to_, t, out) || evaluate_at(t, out);
}

bool Simulation::watch_constraints(MotionPoint& point) {
  point.constraint_error = formulation_.constraint_error(point.state);
  double& worst = equations_.statistics().worst_constraint_error;
  worst = std::max(worst, point.constraint_error);
  if (point.constraint_error <= kOpen * length_) return true;
  equations_.trouble() = {.kind = Trouble::Kind::kOpened,
                          .t = point.state.t,
                          .residual = point.constraint_error,
                          .state = point.state};
  return false;
}

void Simulation::evaluate_bodies(coordinates::MechanismMotion& out) {
  formulation_.evaluate_bodies(output_.state, output_.a, out);
}

std::optional<double> Simulation::locate(const ValueAt& value, double t0, double g0, double t1, double g1,
                                         double near, Reach reach) {
  // Regula falsi with the Illinois weights, which cannot lose the zero and ends at roundoff of t, or before.
  const bool is_below = g0 < 0.0;
  const double small = near + 1e-15 * std::max(std::abs(t0), std::abs(t1)) + 1e-14 * (t1 - t0);
  for (int i = 0; i < kMostHalvings && t1 - t0 > small && g1 != 0.0; ++i) {
    double t = i % 3 == 2 ? 0.5 * (t0 + t1) : t1 - g1 * (t1 - t0) / (g1 - g0);
    t = std::clamp(t, t0 + 0.25 * small, t1 - 0.25 * small);
    if (!(this->*reach)(t, between_)) return std::nullopt;
    const std::optional<double> g = value(between_);
    if (!g) return std::nullopt;
    if ((*g < 0.0) == is_below && *g != 0.0) {
      t0 = t;
      g0 = *g;
      g1 *= 0.5;
    } else {
      t1 = t;
      g1 = *g;
      g0 *= 0.5;
    }
  }
  return t1;
}

}  // namespace eslabon::integration
