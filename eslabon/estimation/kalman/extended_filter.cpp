#include "eslabon/estimation/kalman/extended_filter.hpp"

namespace eslabon::estimation {

ExtendedFilter::ExtendedFilter(System& system, bool exact_jacobian)
    : GaussianFilter(system),
      exact_jacobian_(exact_jacobian),
      innovation_(Eigen::VectorXd::Zero(most_channels(system))) {}

// Seed003 eq. 16a
bool ExtendedFilter::propagate(double h) {
  x_next_ = x_;
  if (exact_jacobian_) {
    if (!system_.step(t_, h, x_next_, linear_.F)) return false;
  } else {
    if (!system_.step(t_, h, x_next_)) return false;
    system_.simple_transition(h, linear_.F);  // [Seed003, eq. (18)]
  }
  system_.plant_noise(t_, h, x_, linear_.Q_w);
  return root_.predict(linear_.F, linear_.Q_w) && commit_prediction(h);  // [Seed003, eq. (16b)]
}

// Seed003 eq. 20a
bool ExtendedFilter::linearise(int sensor, ConstStateRef y) {
  const auto s = static_cast<std::size_t>(sensor);
  StateRef difference = innovation(sensor);
  if (!system_.measure(t_, x_, sensor, difference, linear_.H[s])) return false;
  difference = y - difference;
  wrap(sensor, difference);
  system_.sensor_noise(sensor, linear_.R_n[s]);
  return difference.allFinite();
}

UpdateReport ExtendedFilter::correct(int sensor, ConstStateRef y, double gate) {
  using enum UpdateReport::Status;
  const auto s = static_cast<std::size_t>(sensor);
  if (!check_reading(sensor, y) || !linearise(sensor, y) || !root_.weigh(linear_.H[s], linear_.R_n[s]))
    return {.status = kFailed};
  UpdateReport report = judge(innovation(sensor), gate);
  if (report.status == kAccepted && !commit_correction()) report.status = kFailed;
  return report;
}

}  // namespace eslabon::estimation
