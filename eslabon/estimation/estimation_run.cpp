#include "eslabon/estimation/estimation_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "eslabon/core/text/error.hpp"
#include "eslabon/estimation/chi_square.hpp"

namespace eslabon::estimation {

using Eigen::Index;
using sensing::Outcome;

namespace {

constexpr double kMostGrowth = 1e6;  // deviations end at their unknown scales long before
constexpr double kStrange = 1e-6;    // as few good readings look like that
constexpr int kMostInVain = 4;       // deviations are as large as they get
constexpr int kMostPasses = 6;       // to the state that fits the first reading after a restart
constexpr double kSettled = 1e-3;    // of the deviations that it moves within

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
      start_(estimator.mean()),
      start_deviations_(estimator.covariance().diagonal().cwiseSqrt()),
      good_(start_),
      start_choices_(num_choices()),
      is_anew_(static_cast<std::size_t>(system.num_sensors()), 0),
      F_(system.num_states(), system.num_states()),
      lost_(options.recovery),
      constraint_error_(estimation::constraint_error(system)) {
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
    strange_.push_back(chi_square_quantile(1.0 - kStrange, static_cast<int>(m)));
    y_.emplace_back(Eigen::VectorXd::Zero(m));
    predicted_.emplace_back(Eigen::VectorXd::Zero(m));
  }
}

long EstimationRun::num_choices() const {
  const Linearisation* const linear = estimator_.linearisation();
  return linear != nullptr ? linear->num_choices : 0;
}

double EstimationRun::growth(core::Instant t) {
  const bool is_relapse = restarts_ + reopenings_ > 0 && t - grown_ <= options_.relapse;
  growth_ = is_relapse ? std::min(growth_ * options_.reopening, kMostGrowth) : options_.reopening;
  grown_ = t;
  lost_.mark(t);
  return growth_;
}

void EstimationRun::forget(Index k, double value, double deviation) {
  x_[k] = value;
  P_.row(k).setZero();
  P_.col(k).setZero();
  P_(k, k) = deviation * deviation;
}

void EstimationRun::restart(core::Instant t) {
  estimator_.inflate(growth(t));
  ++restarts_;
  const bool has_good = good_choices_ == num_choices();
  x_ = has_good ? good_ : estimator_.mean();
  P_ = estimator_.covariance();
  for (Index k = 0; k < x_.size(); ++k) {  // what moved it there is forgotten
    const StateInfo& state = system_.states()[static_cast<std::size_t>(k)];
    if (state.is_rate)
      forget(k, 0.0, state.unknown_scale);
    else if (state.is_parameter)
      forget(k, start_[k], start_deviations_[k]);
    else if (P_(k, k) > state.unknown_scale * state.unknown_scale)
      forget(k, x_[k], state.unknown_scale);
  }
  const double seconds = (t - origin_).seconds();
  if (!estimator_.start(seconds, x_, P_) && start_choices_ == num_choices())
    // Where even that is no state, the next step is tried from where the filter stands, over a longer time.
    static_cast<void>(estimator_.start(seconds, start_, P_));
  std::ranges::fill(is_anew_, 1);
  monitor_.restart();
}

void EstimationRun::remember() {
  in_vain_ = 0;
  if (estimator_.linearisation() == nullptr) return;  // filters of many hypotheses have no need of it
  good_ = estimator_.mean();
  good_choices_ = num_choices();
}

// After a restart the estimate may be far off, where the tangent of a reading says little of what it means: the reading is taken again from
// where it led to, with the covariance of the restart, until it leads no farther (Gauss and Newton's method).
UpdateReport EstimationRun::update(std::size_t sensor) {
  const auto take_once = [&] {
    return estimator_.update(static_cast<int>(sensor), y_[sensor], gates_[sensor]);
  };
  const bool is_first = is_anew_[sensor] != 0 && estimator_.linearisation() != nullptr;
  is_anew_[sensor] = 0;
  if (!is_first) return take_once();
  x_ = estimator_.mean();
  P_ = estimator_.covariance();
  UpdateReport report = take_once();
  for (int pass = 0; pass < kMostPasses && report.status == UpdateReport::Status::kAccepted; ++pass) {
    double moved = 0.0;
    for (Index k = 0; k < x_.size(); ++k)
      if (P_(k, k) > 0.0)
        moved = std::max(moved, std::abs(estimator_.mean()[k] - x_[k]) / std::sqrt(P_(k, k)));
    if (moved <= kSettled) break;
    x_ = estimator_.mean();
    if (!estimator_.start(estimator_.t(), x_, P_)) break;
    report = take_once();
  }
  return report;
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
  const std::vector<sensing::Channel>& channels = front_end_.sensors()[s].channels;
  for (Index k = 0; k < m; ++k)
    y_[s][k] = reading.values[static_cast<std::size_t>(k)] - channels[static_cast<std::size_t>(k)].origin;
  Particles* const particles = estimator_.particles();
  if (!(particles != nullptr && particles->expect_reading(reading.sensor, predicted_[s])) &&
      !system_.measure(estimator_.t(), estimator_.mean(), reading.sensor, predicted_[s])) {
    front_end_.count(reading, Outcome::kFailed);
    lost_.add_reading(true);
    return;
  }
  if (!front_end_.judge(reading, {predicted_[s].data(), static_cast<std::size_t>(m)})) return;
  const UpdateReport report = update(s);
  lost_.add_reading(report.status != UpdateReport::Status::kAccepted || report.nis > strange_[s]);
  switch (report.status) {
    case UpdateReport::Status::kAccepted:
      front_end_.count(reading, Outcome::kAccepted);
      nis_[s].add(report.nis);
      monitor_.follow_update(reading.sensor, estimator_);
      remember();
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
  if (in_vain_ >= kMostInVain && estimator_.linearisation() != nullptr) {
    restart(now_);
    return;
  }
  estimator_.inflate(growth(now_));
  ++reopenings_;
  ++in_vain_;
}

void EstimationRun::step() {
  const std::int64_t h = options_.step.nanoseconds();
  const std::int64_t k = now_.nanoseconds() / h - (now_.nanoseconds() % h < 0 ? 1 : 0);
  const core::Instant target = core::Instant::at(core::Duration::from_nanoseconds((k + 1) * h));
  const long restarts = restarts_;
  sensing::Reading reading;
  while (front_end_.next(target, reading)) {
    predict_to(reading.t);
    take(reading);
  }
  predict_to(target);
  if (front_end_.should_reopen(now_)) reopen();
  lost_.advance(now_, options_.step, restarts_ > restarts);
  constraint_error_ = estimation::constraint_error(system_);
  worst_constraint_error_ = std::max(worst_constraint_error_, constraint_error_);
}

}  // namespace eslabon::estimation
