#include "eslabon/estimation/estimation_run.hpp"

#include <algorithm>
#include <limits>

#include "eslabon/core/error.hpp"
#include "eslabon/estimation/chi_square.hpp"

namespace eslabon::estimation {

using Eigen::Index;
using sensing::Outcome;

namespace {

constexpr double kMostReopening = 1e6;  // deviations end at their unknown scales long before

/// The window of the indicator holds three readings of the slowest sensor at least.
ObservabilityOptions long_enough(ObservabilityOptions options, const System& system) {
  for (int s = 0; s < system.num_sensors(); ++s)
    options.window = std::max(options.window, 6.0 * system.period(s));  // W/2 … W
  return options;
}

}  // namespace

EstimationRun::EstimationRun(System& system, Estimator& estimator, sensing::FrontEnd& front_end,
                             const RunOptions& options, core::Instant origin)
    : system_(system),
      estimator_(estimator),
      front_end_(front_end),
      options_(options),
      monitor_(system, long_enough(options.observability, system)),
      origin_(origin),
      now_(origin),
      nis_(static_cast<std::size_t>(system.num_sensors())),
      x_(system.num_states()),
      P_(system.num_states(), system.num_states()),
      F_(system.num_states(), system.num_states()),
      constraint_error_(system.constraint_error()) {
  if (!(options.step > core::Duration()) ||
      front_end.sensors().size() != static_cast<std::size_t>(system.num_sensors()))
    throw core::ContractError({.what = "a run that cannot be made",
                               .where = "EstimationRun",
                               .expected = "a positive step, and a front end with the sensors of the system",
                               .actual = std::to_string(options.step.nanoseconds()) + " ns and " +
                                         std::to_string(front_end.sensors().size()) + " sensors",
                               .next = "Make both from the same list."});
  for (int s = 0; s < system.num_sensors(); ++s) {
    const Index m = system.num_channels(s);
    gates_.push_back(options.false_alarms > 0.0
                         ? chi_square_quantile(1.0 - options.false_alarms, static_cast<int>(m))
                         : std::numeric_limits<double>::infinity());
    y_.emplace_back(Eigen::VectorXd::Zero(m));
    predicted_.emplace_back(Eigen::VectorXd::Zero(m));
  }
}

void EstimationRun::restart(core::Instant t) {
  ++restarts_;
  x_ = estimator_.mean();
  estimator_.inflate(options_.reopening);
  P_ = estimator_.covariance();
  for (Index k = 0; k < x_.size(); ++k) {  // what moved it there is forgotten
    const StateInfo& state = system_.states()[static_cast<std::size_t>(k)];
    if (!state.is_rate) continue;
    x_[k] = 0.0;
    P_.row(k).setZero();
    P_.col(k).setZero();
    P_(k, k) = state.unknown_scale * state.unknown_scale;
  }
  // Where even that is no state, the next step is tried from where the filter stands, over a longer time.
  static_cast<void>(estimator_.start((t - origin_).seconds(), x_, P_));
  monitor_.restart();
}

void EstimationRun::predict_to(core::Instant t) {
  if (t <= now_) return;
  now_ = t;
  const double h = (t - origin_).seconds() - estimator_.t();  // no sum of steps: nothing accumulates
  if (!(h > 0.0)) return;
  if (!estimator_.predict(h)) {
    restart(t);
    return;
  }
  if (const Linearisation* linear = estimator_.linearisation()) {
    if (linear->num_choices != choices_) {  // what it knew is told in other coordinates
      choices_ = linear->num_choices;
      monitor_.restart();
      return;
    }
    system_.simple_transition(h, F_);
    monitor_.predict(h, F_, linear->Q_w);
  }
}

void EstimationRun::take(const sensing::Reading& reading) {
  const auto s = static_cast<std::size_t>(reading.sensor);
  const Index m = y_[s].size();
  for (Index k = 0; k < m; ++k) y_[s][k] = reading.values[static_cast<std::size_t>(k)];
  if (!estimator_.expect_reading(reading.sensor, predicted_[s]) &&
      !system_.measure(estimator_.t(), estimator_.mean(), reading.sensor, predicted_[s])) {
    front_end_.count(reading, Outcome::kFailed);
    return;
  }
  if (!front_end_.judge(reading, {predicted_[s].data(), static_cast<std::size_t>(m)})) return;
  const UpdateReport report = estimator_.update(reading.sensor, y_[s], gates_[s]);
  switch (report.status) {
    case UpdateReport::Status::kAccepted:
      front_end_.count(reading, Outcome::kAccepted);
      nis_[s].add(report.nis);
      monitor_.follow_update(reading.sensor, estimator_);
      break;
    case UpdateReport::Status::kOutlier:
      front_end_.count(reading, Outcome::kOutlier);
      break;
    case UpdateReport::Status::kFailed:
      front_end_.count(reading, Outcome::kFailed);
      break;
  }
}

void EstimationRun::reopen() {
  const bool is_relapse = reopenings_ > 0 && now_ - reopened_ <= options_.relapse;
  reopening_ = is_relapse ? std::min(reopening_ * options_.reopening, kMostReopening) : options_.reopening;
  reopened_ = now_;
  ++reopenings_;
  estimator_.inflate(reopening_);
}

void EstimationRun::step() {
  const std::int64_t h = options_.step.nanoseconds();
  const std::int64_t k = now_.nanoseconds() / h - (now_.nanoseconds() % h < 0 ? 1 : 0);
  const core::Instant target = core::Instant::at(core::Duration::from_nanoseconds((k + 1) * h));
  sensing::Reading reading;
  while (front_end_.next(target, reading)) {
    predict_to(reading.t);
    take(reading);
  }
  predict_to(target);
  if (front_end_.should_reopen(now_)) reopen();
  constraint_error_ = system_.constraint_error();
  worst_constraint_error_ = std::max(worst_constraint_error_, constraint_error_);
}

}  // namespace eslabon::estimation
