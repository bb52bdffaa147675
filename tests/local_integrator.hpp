#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/dynamics/formulations/formulation.hpp"
#include "eslabon/kinematics/assembly/start_velocity.hpp"

/// Integrators of the tests, apart from those of the program, so that formulations are judged without them.
namespace eslabon::test {

/// The start at the rates of drivers and start rates.
inline dynamics::State start_state(const dynamics::DynamicModel& model, dynamics::Formulation& formulation) {
  const coordinates::ConstraintSystem system("reference-point", model.mechanism(), model.structure(),
                                             model.prescribed());
  std::vector<coordinates::CoordinateValue> values(model.prescribed().size());
  model.evaluate_drivers_or_throw(0.0, values);
  std::vector<double> near;
  for (const coordinates::CoordinateValue& value : values) near.push_back(value.position);
  const auto n = static_cast<std::size_t>(system.num_coordinates());
  std::vector<double> q(n), v(n), a(n);
  system.read_bodies(model.start(), {q, v, a}, near);
  const auto report = kinematics::find_start_velocities(system, q, values, model.mechanism().start_rates());
  EXPECT_TRUE(report.usable()) << report.brief();
  return formulation.state_of(report.bodies, 0.0);
}

/// y = (z, ż) and its derivative; false where the formulation fails.
class SecondOrderSystem {
 public:
  SecondOrderSystem(dynamics::Formulation& formulation, const dynamics::State& start)
      : formulation_(formulation),
        state_(start),
        n_(static_cast<std::size_t>(formulation.num_integrated())),
        a_(start.q.size()) {}

  std::vector<double> read(const dynamics::State& state) {
    std::vector<double> y(2 * n_);
    formulation_.read(state, {y.data(), n_}, {y.data() + n_, n_});
    state_ = state;
    return y;
  }
  bool evaluate(double t, const std::vector<double>& y, std::vector<double>& dy) {
    dy.resize(2 * n_);
    if (!complete(t, y)) return false;
    std::copy(y.begin() + static_cast<std::ptrdiff_t>(n_), y.end(), dy.begin());
    return formulation_.accelerate(state_, a_, {dy.data() + n_, n_}) == dynamics::DynamicsStatus::kSolved;
  }
  bool finish(double t, const std::vector<double>& y, dynamics::State& state) {
    if (!complete(t, y)) return false;
    state = state_;
    return formulation_.project(state) == dynamics::DynamicsStatus::kSolved;
  }

 private:
  bool complete(double t, const std::vector<double>& y) {
    return formulation_.complete(t, {y.data(), n_}, {y.data() + n_, n_}, state_) ==
           dynamics::DynamicsStatus::kSolved;
  }

  dynamics::Formulation& formulation_;
  dynamics::State state_;
  std::size_t n_;
  std::vector<double> a_;
};

/// y + h Σ w_i k_i
template <std::size_t N>
std::vector<double> combined(const std::vector<double>& y, double h, const std::array<double, N>& w,
                             const std::array<std::vector<double>, 7>& k) {
  std::vector<double> result = y;
  for (std::size_t i = 0; i < N; ++i)
    if (w[i] != 0.0)
      for (std::size_t j = 0; j < y.size(); ++j) result[j] += h * w[i] * k[i][j];
  return result;
}

/// The classical method of order 4 with steps of about h, from state.t until t; false where it fails.
[[nodiscard]] inline bool run_rk4(dynamics::Formulation& formulation, dynamics::State& state, double until,
                                  double h) {
  SecondOrderSystem system(formulation, state);
  const int steps = std::max(1, static_cast<int>(std::ceil((until - state.t) / h - 1e-9)));
  const double t0 = state.t, step = (until - t0) / steps;
  std::array<std::vector<double>, 7> k;
  for (int i = 0; i < steps; ++i) {
    const double t = t0 + i * step;
    const std::vector<double> y = system.read(state);
    if (!system.evaluate(t, y, k[0])) return false;
    if (!system.evaluate(t + 0.5 * step, combined<1>(y, step, {0.5}, k), k[1])) return false;
    if (!system.evaluate(t + 0.5 * step, combined<2>(y, step, {0.0, 0.5}, k), k[2])) return false;
    if (!system.evaluate(t + step, combined<3>(y, step, {0.0, 0.0, 1.0}, k), k[3])) return false;
    const std::vector<double> end = combined<4>(y, step, {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}, k);
    if (!system.finish(i + 1 == steps ? until : t + step, end, state)) return false;
  }
  return true;
}

/// Dormand and Prince's pair of orders 5 and 4 with error control; false where it fails.
[[nodiscard]] inline bool run_dopri5(dynamics::Formulation& formulation, dynamics::State& state, double until,
                                     double tolerance) {
  SecondOrderSystem system(formulation, state);
  double h = std::min(1e-5, until - state.t);  // the error control lets it grow
  std::array<std::vector<double>, 7> k;
  while (state.t < until) {
    h = std::min(h, until - state.t);
    if (h < 1e-12) return false;
    const double t = state.t;
    const std::vector<double> y = system.read(state);
    bool is_good = system.evaluate(t, y, k[0]);
    is_good = is_good && system.evaluate(t + h / 5, combined<1>(y, h, {1.0 / 5}, k), k[1]);
    is_good = is_good && system.evaluate(t + 3 * h / 10, combined<2>(y, h, {3.0 / 40, 9.0 / 40}, k), k[2]);
    is_good = is_good &&
              system.evaluate(t + 4 * h / 5, combined<3>(y, h, {44.0 / 45, -56.0 / 15, 32.0 / 9}, k), k[3]);
    is_good =
        is_good &&
        system.evaluate(t + 8 * h / 9,
                        combined<4>(y, h, {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729}, k),
                        k[4]);
    is_good =
        is_good &&
        system.evaluate(
            t + h,
            combined<5>(y, h, {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}, k),
            k[5]);
    const std::array<double, 6> b{35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84};
    const std::vector<double> end = is_good ? combined<6>(y, h, b, k) : y;
    is_good = is_good && system.evaluate(t + h, end, k[6]);
    double error = 2.0;
    if (is_good) {
      const std::array<double, 7> e{71.0 / 57600,      0.0,        -71.0 / 16695, 71.0 / 1920,
                                    -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
      error = 0.0;
      for (std::size_t j = 0; j < y.size(); ++j) {
        double difference = 0.0;
        for (std::size_t i = 0; i < e.size(); ++i) difference += h * e[i] * k[i][j];
        error = std::max(error, std::abs(difference) / (tolerance * std::max(1.0, std::abs(end[j]))));
      }
    }
    if (error <= 1.0 && !system.finish(t + h, end, state)) return false;
    h *= std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.2, 5.0);
  }
  return true;
}

}  // namespace eslabon::test
