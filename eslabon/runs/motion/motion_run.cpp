#include "eslabon/runs/motion/motion_run.hpp"

#include <algorithm>
#include <optional>

#include "eslabon/runs/motion/small_turn.hpp"

namespace eslabon::runs {

namespace {

const MotionRequest& checked(const MotionRequest& request) {
  check(request);
  return request;
}

}  // namespace

MotionRun::MotionRun(const model::Mechanism& mechanism, const MotionRequest& request, RunObserver& observer)
    : observer_(observer),
      chosen_(choose_outputs(mechanism, checked(request).outputs, false)),
      grid_(grid_of(request)),
      motion_(request, chosen_.mechanism, grid_, observer),
      recorder_(motion_.driven().assembled()),
      laws_(chosen_.mechanism),
      rows_(integration::recorded_columns(chosen_.mechanism), grid_.until()),
      bodies_(mechanism.bodies().size()),
      watch_(chosen_.mechanism) {
  rows_.has_default_outputs = chosen_.has_default_outputs;
  rows_.left_out = chosen_.left_out;
}

bool MotionRun::run(RowSink& sink) {
  sink.begin(rows_.columns);
  motion_.evaluate_bodies(bodies_);
  if (!watch_.is_empty()) watch_.begin(motion_.t(), bodies_);
  motion_.observe([this] {
    if (is_looking_ || motion_.t() == next_) return;
    motion_.evaluate_bodies(bodies_);
    recorder_.count_turns(motion_.t(), bodies_);
  });
  rows_.is_complete = run_so_far(sink);
  motion_.observe({});
  sink.finish();
  return rows_.is_complete;
}

bool MotionRun::run_so_far(RowSink& sink) {
  for (std::int64_t k = 0; k < grid_.rows(); ++k) {
    const double t = grid_[k];
    while (motion_.t() < t)
      if (!step_towards(t, grid_[k - 1], sink)) {
        if (!watch_.end() || rows_.failure || rows_.was_stopped) return false;
        rows_.ended_by = watch_.end()->name;
        observer_.progress(1.0);
        return motion_.t() == grid_[k - 1] || add_row(motion_.t(), true, sink);
      }
    if (!add_row(t, k + 1 == grid_.rows(), sink)) return false;
    observer_.progress(t / grid_.until());
  }
  return true;
}

bool MotionRun::add_row(double t, bool is_last, RowSink& sink) {
  const double constraint_error = motion_.constraint_error();
  const std::span<const double> row = recorder_.record(t, bodies_, constraint_error);
  rows_.failure = laws_.broken(
      {t, bodies_, constraint_error, recorder_.stopped(), recorder_.driven(), motion_.motion().prescribed()});
  if (rows_.failure) {
    rows_.failure->next += " Results up to there are kept.";
    return false;
  }
  sink.add({rows_.count, is_last, t, row, bodies_, nullptr});
  rows_.add(row);
  return true;
}

bool MotionRun::step_towards(double t, double before, RowSink& sink) {
  if (observer_.must_stop(motion_.motion().statistics().steps)) {
    rows_.was_stopped = true;
    return false;
  }
  const double h = std::max(time_of_small_turn(bodies_), 1e-6 * (t - before));
  next_ = motion_.next_instant(t, h);
  std::optional<kinematics::Motion::Place> place;
  if (!watch_.is_empty()) place = motion_.place();
  if (!motion_.advance_to(next_, sink)) {
    rows_.failure = motion_.motion().events().back().error_text(chosen_.mechanism);
    return false;
  }
  motion_.evaluate_bodies(bodies_);
  if (place && !see_events(*place, sink)) return false;
  if (next_ < t) recorder_.count_turns(next_, bodies_);
  return true;
}

bool MotionRun::see_events(const kinematics::Motion::Place& before, RowSink& sink) {
  const kinematics::Motion::Place after = motion_.place();
  coordinates::MechanismMotion bodies(bodies_.size());
  is_looking_ = true;
  const EventWatch::GoTo go_to = [&](double t) -> const coordinates::MechanismMotion* {
    motion_.return_to(before);
    if (!motion_.advance_to(t, sink)) return nullptr;
    motion_.evaluate_bodies(bodies);
    return &bodies;
  };
  const bool has_values = watch_.advance(next_, bodies_, go_to, passed_);
  const std::optional<PassedEvent>& end = watch_.end();
  if (end)
    static_cast<void>(go_to(end->t));
  else
    motion_.return_to(after);
  is_looking_ = false;
  if (!has_values) {
    rows_.failure = watch_.failure();
    rows_.failure->next += " Results up to there are kept.";
    return false;
  }
  if (end) bodies_ = bodies;
  events_.insert(events_.end(), passed_.begin(), passed_.end());
  return !end;
}

MotionSummary MotionRun::summary() const {
  MotionSummary summary = motion_.summary(rows_);
  summary.events = events_;
  return summary;
}

MotionResult move(const model::Mechanism& mechanism, const MotionRequest& request, RunObserver& observer) {
  Result table;
  NoteKeeper keeper(table, observer);
  MotionRun run(mechanism, request, keeper);
  ResultSink sink(table);
  static_cast<void>(run.run(sink));
  MotionResult result{std::move(table), run.summary()};
  for (const SingularPosition& position : result.summary.singular_positions)
    result.events.push_back({position.t, position.text});
  for (const PassedEvent& event : result.summary.events) result.events.push_back({event.t, event.name});
  tell_end(result.summary.rows, result);
  return result;
}

}  // namespace eslabon::runs
