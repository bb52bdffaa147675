#include "eslabon/dynamics/reduced/lane_motion.hpp"

#include "tests/moving_mechanisms.hpp"
#include <gmock/gmock.h>

namespace eslabon::dynamics {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// One state as a program takes it: q, v, a, θ, δz, δż as far as it asks for them.
struct OneLane {
  OneLane(const LaneMotion& lanes, const MotionProgram& program)
      : motion(lanes),
        chosen(program),
        workspace(program.program),
        uniforms(program.program.num_uniforms()) {}

  void run(double t, double h, std::size_t num_drivers, const std::vector<std::vector<double>>& parts) {
    std::vector<coordinates::CoordinateValue> drivers(num_drivers);
    ASSERT_TRUE(motion.evaluate_uniforms(chosen, t, h, drivers, uniforms));
    numbers.clear();
    for (const auto& part : parts) numbers.insert(numbers.end(), part.begin(), part.end());
    std::vector<const double*> inputs;
    for (const double& number : numbers) inputs.push_back(&number);
    ASSERT_EQ(inputs.size(), chosen.program.num_inputs());
    chosen.program.run(workspace, inputs, uniforms, 1);
  }
  std::vector<double> part(std::size_t which) const {
    const auto n = static_cast<std::size_t>(motion.num_coordinates());
    std::vector<double> out;
    for (std::size_t k = which * n; k < (which + 1) * n; ++k) out.push_back(*workspace.output(k));
    return out;
  }
  double last_correction() const { return std::sqrt(*workspace.output(motion.num_moving())); }

  const LaneMotion& motion;
  const MotionProgram& chosen;
  core::LaneProgram::Workspace workspace;
  std::vector<double> uniforms, numbers;
};

std::vector<double> list(const VectorXd& x) { return {x.data(), x.data() + x.size()}; }

std::vector<double> list_of(const Eigen::MatrixXd& A) { return {A.data(), A.data() + A.size()}; }

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}
double largest(const std::vector<double>& a) { return difference(a, std::vector<double>(a.size(), 0.0)); }

// crosscheck: ReducedMotion has neither multipliers nor composite inertias, and finds rates by factors of dependent columns.
TEST(LaneMotion, MovesFreedomsAndAcceleratesAsReducedMotionDoes) {
  for (const test::NamedMechanism& named : test::moving_mechanisms()) {
    SCOPED_TRACE(named.name);
    const test::DynamicCase c(named.mechanism);
    ReducedMotion reduced(c.model, test::all_unknowns(c.mechanism));
    const LaneMotion lanes(reduced);
    OneLane lane(lanes, lanes.displacement());
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const ReducedPoint from = reduced.point_of(test::random_motion(c.model, seed, 0.7), 0.0);
      ReducedPoint to = from;
      VectorXd dz = VectorXd::Zero(to.z.size()), dz_dot = dz;
      for (Index k = 0; k < dz.size(); ++k) {
        dz[k] = 0.02 * (static_cast<double>(seed) - 1.0) * (k % 2 == 0 ? 1.0 : -1.0);
        dz_dot[k] = 0.1 * static_cast<double>(seed);
      }
      to.z += dz;
      to.z_dot += dz_dot;
      for (Index i = 0; i < to.theta.size(); ++i) to.theta[i] += 0.1 * static_cast<double>(i + 1);
      ASSERT_EQ(reduced.solve(0.0, from, to), ReducedStatus::kSolved);
      lane.run(0.0, 0.0, c.model.prescribed().size(),
               {from.q, from.v, list(to.theta), list(dz), list(dz_dot)});
      EXPECT_LE(difference(lane.part(0), to.q), 1e-9);
      EXPECT_LE(difference(lane.part(1), to.v), 1e-8 * (1.0 + largest(to.v)));
      EXPECT_LE(difference(lane.part(2), to.a), 1e-8 * (1.0 + largest(to.a)));
      for (Index k = 0; k < dz.size(); ++k)
        EXPECT_LE(difference(lane.part(3 + static_cast<std::size_t>(k)), list(to.R.col(k))), 1e-8);
      EXPECT_LE(lane.last_correction(), 1e-7);
    }
  }
}

/// z and ż after T by steps of h, from accelerations of ReducedMotion and Runge and Kutta's rule.
VectorXd by_runge_kutta(ReducedMotion& reduced, ReducedPoint point, double T, int steps) {
  const Index f = point.z.size();
  const double h = T / steps;
  VectorXd x(2 * f);
  x << point.z, point.z_dot;
  const auto slope = [&](double t, const VectorXd& at) {
    ReducedPoint trial = point;
    trial.z = at.head(f);
    trial.z_dot = at.tail(f);
    EXPECT_EQ(reduced.solve(t, point, trial), ReducedStatus::kSolved);
    VectorXd out(2 * f);
    out << trial.z_dot, trial.z_ddot;
    return std::pair(out, trial);
  };
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    auto [k1, start] = slope(t, x);
    point = start;
    const VectorXd k2 = slope(t + 0.5 * h, x + 0.5 * h * k1).first;
    const VectorXd k3 = slope(t + 0.5 * h, x + 0.5 * h * k2).first;
    const VectorXd k4 = slope(t + h, x + h * k3).first;
    x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return x;
}

// order: halving the step divides the error by four, and positions stay closed.
TEST(LaneMotion, StepsWithSecondOrder) {
  for (const test::NamedMechanism& named : test::moving_mechanisms()) {
    if (named.name == "andrews-squeezer") continue;  // too fast for steps of this size
    SCOPED_TRACE(named.name);
    const test::DynamicCase c(named.mechanism);
    ReducedMotion reduced(c.model, {});
    const LaneMotion lanes(reduced);
    const ReducedPoint start = reduced.point_of(test::random_motion(c.model, 5, 0.5), 0.0);
    const double T = 0.02;
    const VectorXd exact = by_runge_kutta(reduced, start, T, 80);
    const std::vector<double> none(static_cast<std::size_t>(start.z.size()), 0.0);
    std::vector<double> errors;
    for (const int steps : {20, 40}) {
      OneLane lane(lanes, lanes.step(false));
      std::vector<double> q = start.q, v = start.v, a = start.a;
      for (int i = 0; i < steps; ++i) {
        lane.run(T / steps * (i + 1), T / steps, c.model.prescribed().size(),
                 {q, v, a, list_of(start.R), {}, none, none});
        q = lane.part(0);
        v = lane.part(1);
        a = lane.part(2);
      }
      double error = 0.0;
      for (Index k = 0; k < start.z.size(); ++k) {
        const auto column = static_cast<std::size_t>(reduced.chosen()[static_cast<std::size_t>(k)]);
        error = std::max(
            {error, std::abs(q[column] - exact[k]), std::abs(v[column] - exact[start.z.size() + k])});
      }
      errors.push_back(error);
      ReducedPoint end = start;
      end.t = T;
      end.q = q;
      EXPECT_LE(reduced.constraint_error(end), 1e-11 * std::max(1.0, reduced.length()));
    }
    EXPECT_LE(errors[1], 3e-4 * std::max(1.0, exact.cwiseAbs().maxCoeff()));
    if (errors[1] > 1e-10 && named.name != "quarter-vehicle") {  // whose tyre can leave the ground
      EXPECT_THAT(errors[0] / errors[1], testing::AllOf(testing::Ge(3.0), testing::Le(5.5)));
    }
  }
}

// analytic: a step with noise ends where the step without it ends, moved by δz and δż.
TEST(LaneMotion, NoiseOfAStepMovesFreedomsByWhatItIs) {
  for (const test::NamedMechanism& named : test::moving_mechanisms()) {
    SCOPED_TRACE(named.name);
    const test::DynamicCase c(named.mechanism);
    ReducedMotion reduced(c.model, {});
    const LaneMotion lanes(reduced);
    const ReducedPoint start = reduced.point_of(test::random_motion(c.model, 4, 0.5), 0.0);
    const double h = 1e-6, T = h;  // so that forces where it comes to do nothing
    for (const double size : {1e-3, 2e-2}) {
      const VectorXd dz = VectorXd::Constant(start.z.size(), size),
                     dz_dot = VectorXd::Constant(start.z.size(), -0.3 * size);
      const std::vector<double> none(static_cast<std::size_t>(dz.size()), 0.0);
      OneLane calm(lanes, lanes.step(false)), noisy(lanes, lanes.step(true));
      calm.run(T, h, c.model.prescribed().size(),
               {start.q, start.v, start.a, list_of(start.R), {}, none, none});
      noisy.run(T, h, c.model.prescribed().size(),
                {start.q, start.v, start.a, list_of(start.R), {}, list(dz), list(dz_dot)});
      EXPECT_LE(noisy.last_correction(), 10.0 * size * size);
      ReducedPoint end = start;
      end.t = T;
      end.q = noisy.part(0);
      const double last = noisy.last_correction();
      EXPECT_LE(reduced.constraint_error(end),
                (20.0 * last * last + 1e-12) * std::max(1.0, reduced.length()));
      for (Index k = 0; k < dz.size(); ++k) {
        const auto column = static_cast<std::size_t>(reduced.chosen()[static_cast<std::size_t>(k)]);
        EXPECT_NEAR(noisy.part(0)[column] - calm.part(0)[column], dz[k], 30.0 * size * size * size + 1e-9);
        EXPECT_NEAR(noisy.part(1)[column] - calm.part(1)[column], dz_dot[k], 1e-3 * size + h * size * 2e5);
      }
    }
  }
}

}  // namespace
}  // namespace eslabon::dynamics
