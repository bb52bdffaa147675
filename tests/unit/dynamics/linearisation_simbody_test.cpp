#include <cmath>

#include "tests/dynamic_case.hpp"
#include "tests/oracles/simbody_oracle.hpp"
#include "tests/sprung_rssr.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/statics/equilibrium.hpp"
#include "eslabon/dynamics/statics/linearisation.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/kinematics/variable_value.hpp"

// A and C of spatial loops against differences of Simbody's accelerations at states beside the one that is linearised.
namespace eslabon::dynamics {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

const char* const kOutputs[] = {"coupler.T.ax", "coupler.T.az", "G.a", "rocker.wx", "coupler.T.y"};

/// Lower half of A, and C, by central differences of Simbody's accelerations, read as accelerations of y and as outputs.
MatrixXd by_simbody(test::SimbodyOracle& simbody, FreedomChart& chart, Index f) {
  constexpr Index kNumOutputs = std::size(kOutputs);
  const std::vector<double> zero(static_cast<std::size_t>(chart.n()), 0.0);
  const auto accelerations = [&](const VectorXd& y, const VectorXd& y_dot) {
    State state;
    EXPECT_EQ(chart.move(y, y_dot, state), ChartStatus::kGood);
    coordinates::MechanismMotion bodies(chart.model().mechanism().bodies().size());
    chart.evaluate_bodies(state, zero, bodies);
    const coordinates::MechanismMotion theirs = simbody.accelerated(bodies);
    std::vector<double> q(zero), v(zero), a(zero);
    chart.system().read_bodies(theirs, {q, v, a});
    VectorXd out(f + kNumOutputs);
    for (Index r = 0; r < kNumOutputs; ++r)
      out[f + r] = kinematics::value_of(
          chart.model().mechanism(),
          model::find_variable(chart.model().mechanism(), kOutputs[static_cast<std::size_t>(r)]), theirs);
    for (Index k = 0; k < f; ++k) {
      const auto column = static_cast<std::size_t>(chart.named_columns()[static_cast<std::size_t>(k)]);
      // Of Euler parameters e and −e either may have been read.
      out[k] = chart.system().coordinates()[column].dimension == core::kNumber &&
                       std::abs(q[column] + state.q[column]) < std::abs(q[column] - state.q[column])
                   ? -a[column]
                   : a[column];
    }
    return out;
  };
  MatrixXd A(f + kNumOutputs, 2 * f);
  const double h = 2e-4;
  const VectorXd none = VectorXd::Zero(f);
  for (Index k = 0; k < 2 * f; ++k) {
    const auto at = [&](double step) {
      const VectorXd along = step * VectorXd::Unit(f, k % f);
      return k < f ? accelerations(along, none) : accelerations(none, along);
    };
    A.col(k) = (8.0 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12.0 * h);
  }
  return A;
}

TEST(SprungRssr, AgainstSimbodyAtRestAndInMotion) {
  const test::DynamicCase c(io::read_mechanism(test::kSprungRssr, "rssr.yaml"));
  test::SimbodyOracle simbody(c.mechanism, c.structure);
  FreedomChart chart(c.model, FreedomChart::Drivers::kHeld);
  State start;
  ASSERT_EQ(chart.start(0.0, start), ChartStatus::kGood);
  const EquilibriumReport rest = find_equilibrium(chart, start);
  ASSERT_TRUE(rest.usable());
  State moving = chart.state_of(test::random_motion(c.model, 5), 0.0);
  double worst = 0.0;
  for (const State& state : {rest.equilibrium->state, moving}) {
    std::vector<model::Variable> outputs;
    for (const char* name : kOutputs) outputs.push_back(find_linear_output(c.mechanism, name));
    const LinearSystem linear = linearise(chart, state, {}, outputs);
    const Index f = chart.num_freedoms();
    ASSERT_EQ(f, 2);
    const MatrixXd theirs = by_simbody(simbody, chart, f);
    const double size = linear.A.cwiseAbs().maxCoeff();
    const double error = std::max((linear.A.bottomRows(f) - theirs.topRows(f)).cwiseAbs().maxCoeff() / size,
                                  (linear.C - theirs.bottomRows(linear.C.rows())).cwiseAbs().maxCoeff() /
                                      linear.C.cwiseAbs().maxCoeff());
    EXPECT_LT(error, 1e-9 * test::tolerance_scale()) << linear.A.bottomRows(f) << "\n\n" << theirs;
    worst = std::max(worst, error);
  }
  RecordProperty("largest_relative_difference", core::number_text(worst));
  // Simbody, too, is at rest there.
  const coordinates::MechanismMotion still = simbody.accelerated(rest.equilibrium->bodies);
  for (const coordinates::BodyMotion& body : still) {
    EXPECT_LT(body.a_WB_W.norm(), 1e-10);
    EXPECT_LT(body.alpha_WB_W.norm(), 1e-9);
  }
}

}  // namespace
}  // namespace eslabon::dynamics
