#include <algorithm>
#include <vector>

#include "eslabon/estimation/estimator_makers.hpp"
#include "eslabon/estimation/kalman/extended_filter.hpp"

// The continuous extended Kalman filter [KalmanBucy1961], as used on multibody models by [Cuadrado2012] and [Sanjurjo2017]. A reading is
// taken for a signal that keeps its value over the sensor's period T_s. White noise of intensity R_c, averaged over T_s, has the covariance
// R_c/T_s; that is to be R_n:
//   R_c = R_n T_s                                                                                        (1)
//   dx/dt = f_c(x) + P Hᵀ R_c⁻¹ (y − h(x))                                                               (2)
//   dP/dt = A P + P Aᵀ + Q_c − P Hᵀ R_c⁻¹ H P                                                            (3)
// Each step of h is split. First what is without readings: f, F and Q_w of the system's own rule. Then the rest, where with
// J = P⁻¹ and linear h the right-hand sides are constant,
//   dJ/dt = Hᵀ R_c⁻¹ H,   d(J x)/dt = Hᵀ R_c⁻¹ y                                                         (4)
// because dJ/dt = −J (dP/dt) J. Implicit Euler, like every other rule, integrates constants exactly:
//   J⁺ = J⁻ + Hᵀ (R_c/h)⁻¹ H,   J⁺ x⁺ = J⁻ x⁻ + Hᵀ (R_c/h)⁻¹ y                                           (5)
// which is the update of a discrete filter by a reading with covariance R_c/h, done as there, by roots. It is done once in every step
// while the reading is held: h/T_s of its information each time, all of it in T_s. With T_s = h this is dekf.
// A value that is kept is late by T_s/2 on the average: so it goes on as the model says that it does,
//   y ← y + h(x⁻) − h(x⁺)       in every step                                                            (6)
// Differs from those papers, which keep it, and which integrate (2) together with the equations of motion: here readings come between
// two steps.
namespace eslabon::estimation {

namespace {

class Cekf final : public ExtendedFilter {
 public:
  explicit Cekf(System& system) : ExtendedFilter(system, true), held_(linear_.R_n.size()) {
    for (std::size_t s = 0; s < held_.size(); ++s) {
      held_[s].y = Eigen::VectorXd::Zero(linear_.R_n[s].rows());
      held_[s].R = linear_.R_n[s];
      held_[s].before = held_[s].after = held_[s].y;
    }
  }

  std::string_view name() const override { return "cekf"; }

  bool start(double t, const Eigen::VectorXd& x, const Eigen::MatrixXd& P) override {
    if (!ExtendedFilter::start(t, x, P)) return false;
    for (Held& held : held_) held.left = 0.0;
    h_ = 0.0;
    return true;
  }

  bool predict(double h) override {
    check_step(h);
    follow(&Held::before);
    if (!propagate(h)) return false;
    h_ = h;
    follow(&Held::after);
    for (int sensor = 0; sensor < system_.num_sensors(); ++sensor) {
      Held& held = held_[static_cast<std::size_t>(sensor)];
      if (held.left > 0.0) held.y += held.after - held.before;  // (6)
      // A held reading that does not fit the new state any more is let go: the prediction stands without it.
      if (held.left > 0.0 && !(linearise(sensor, held.y) && weigh_part(sensor) &&
                               judge(innovation(sensor), kNoGate).status == kAccepted && commit_correction()))
        held.left = 0.0;
    }
    return true;
  }

  UpdateReport update(int sensor, ConstStateRef y, double gate) override {
    const auto s = static_cast<std::size_t>(sensor);
    if (!check_reading(sensor, y) || !linearise(sensor, y) || !root_.weigh(linear_.H[s], linear_.R_n[s]))
      return {.status = kFailed};
    // The reading as a whole is judged; a part of it, which has more noise, would pass any gate.
    UpdateReport report = judge(innovation(sensor), gate);
    if (report.status != kAccepted) return report;
    Held& held = held_[s];
    const double left_before = held.left;
    held.left = system_.period(sensor);
    if (weigh_part(sensor) && judge(innovation(sensor), kNoGate).status == kAccepted && commit_correction()) {
      held.y = y;
    } else {
      held.left = left_before;
      report.status = kFailed;
    }
    return report;
  }

 private:
  using enum UpdateReport::Status;
  static constexpr double kNoGate = std::numeric_limits<double>::infinity();

  struct Held {
    Eigen::VectorXd y;              // (m)
    Eigen::VectorXd before, after;  // (m) what the model says about it at both ends of a step
    Eigen::MatrixXd R;              // (m × m) scratch: R_c/h
    double left = 0.0;              // for so long the reading still speaks [s]
  };

  /// What held readings would be by the model now; one that has no value there is let go.
  void follow(Eigen::VectorXd Held::*reading) {
    for (int sensor = 0; sensor < system_.num_sensors(); ++sensor) {
      Held& held = held_[static_cast<std::size_t>(sensor)];
      if (held.left > 0.0 && !system_.measure(t_, x_, sensor, held.*reading)) held.left = 0.0;
    }
  }

  /// Weighs what a step uses of a held reading that is linearised: the step's share of the period, at most what is left. Before the first step,
  /// and where a step is longer than the period, that is all of it.
  bool weigh_part(int sensor) {
    const auto s = static_cast<std::size_t>(sensor);
    Held& held = held_[s];
    const double period = system_.period(sensor), used = h_ > 0.0 ? std::min(h_, held.left) : held.left;
    const double factor = used > 0.0 ? period / used : 1.0;
    held.left -= used;
    if (held.left < 1e-6 * period) held.left = 0.0;  // Roundoff of the differences.
    held.R = factor * linear_.R_n[s];                // (1), (5)
    return root_.weigh(linear_.H[s], held.R);
  }

  std::vector<Held> held_;  // (sensors)
  double h_ = 0.0;          // last step [s]
};

}  // namespace

std::unique_ptr<Estimator> make_cekf(System& system, const EstimatorOptions&) {
  return std::make_unique<Cekf>(system);
}

}  // namespace eslabon::estimation
