// Filters whose coordinates become bad on the way, near dead centres, and are changed for others.

#include <cmath>
#include <numbers>

#include "tests/estimated_case.hpp"
#include "tests/sensed_mechanisms.hpp"
#include "tests/system_case.hpp"
#include "tests/testbed_closed_form.hpp"
#include <gtest/gtest.h>

#include "eslabon/dynamics/statics/extrapolated_difference.hpp"
#include "eslabon/estimation/mechanism/mechanism_system.hpp"

namespace eslabon::estimation {
namespace {

using dynamics::Unknown;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::SystemCase;

constexpr double kDegree = std::numbers::pi / 180.0;

/// Largest difference of two motions, accelerations included.
double distance(const coordinates::MechanismMotion& a, const coordinates::MechanismMotion& b) {
  double largest = 0.0;
  for (std::size_t i = 1; i < a.size(); ++i)
    largest = std::max({largest, (a[i].X_WB.p_AB_A - b[i].X_WB.p_AB_A).norm(),
                        (a[i].X_WB.R_AB.matrix() - b[i].X_WB.R_AB.matrix()).norm(),
                        (a[i].w_WB_W - b[i].w_WB_W).norm(), (a[i].alpha_WB_W - b[i].alpha_WB_W).norm(),
                        (a[i].a_WB_W - b[i].a_WB_W).norm()});
  return largest;
}

TEST(CoordinateChoice, TakesOtherCoordinatesNearADeadCentre_ForTheSameMotion) {
  const model::Mechanism mechanism = test::sensed_testbed("inputs: [B.q]\n");
  const MechanismSystemOptions options{
      .unknowns = {
          {.what = {Unknown::Kind::kForce, 0, model::find_variable(mechanism, "A.q")},
           .name = "effort",
           .dimension = core::kTorque},
          {.what = {Unknown::Kind::kMass, 3}, .name = "factor", .dimension = core::kNumber, .start = 1.0}}};
  SystemCase before(mechanism, {}, options), after(mechanism, {}, options);
  MatrixXd T = MatrixXd::Zero(4, 4);
  VectorXd x = before.system.start_state();
  EXPECT_FALSE(before.system.choose_coordinates(0.0, x, T)) << "far from a dead centre";
  // Crank and coupler are in line at 34.7°.
  const auto bodies = test::TestbedMotion(45.0 * kDegree, 2.0).bodies();
  x = after.system.state_of(bodies, 0.0);
  x[2] = 0.7;
  x[3] = 1.2;
  ASSERT_TRUE(after.system.accept(0.0, x));
  const VectorXd x_old = x;
  const auto moves = after.system.point().bodies;
  ASSERT_TRUE(after.system.choose_coordinates(0.0, x, T));
  EXPECT_NE(after.system.states()[0].name, "B.q");
  EXPECT_EQ(after.system.states()[1].name, "rate of " + after.system.states()[0].name);
  EXPECT_LE(distance(after.system.point().bodies, moves), 1e-9);
  EXPECT_EQ(x[3], 1.2);
  // It is the state accepted last: nothing is looked for again, and nothing moves.
  ASSERT_TRUE(after.system.accept(0.0, x));
  EXPECT_LE(distance(after.system.point().bodies, moves), 1e-9);
  EXPECT_LE(after.system.constraint_error(), 1e-10);
  // T against what the new coordinates are after small changes of the old ones.
  static_cast<void>(before.system.state_of(bodies, 0.0));
  for (Index d = 0; d < 2; ++d) {
    const auto difference = dynamics::extrapolated_difference(
        [&](double h) -> std::optional<VectorXd> {
          VectorXd moved = x_old;
          moved[d] += h;
          if (!before.system.accept(0.0, moved)) return std::nullopt;
          return after.system.state_of(before.system.point().bodies, 0.0).head(2).eval();
        },
        2e-3);
    ASSERT_TRUE(difference);
    EXPECT_LE((T.col(d).head(2) - difference->value).cwiseAbs().maxCoeff(), 1e-7 * T.cwiseAbs().maxCoeff())
        << d;
  }
  EXPECT_EQ(T.bottomRows(2), MatrixXd(MatrixXd::Identity(4, 4).bottomRows(2)))
      << "unknowns stay what they are";
  EXPECT_EQ(x[2], 0.7);
  // A force along a freedom would become another one: its filter keeps its coordinates.
  SystemCase along(mechanism, {}, {.unknowns = {{.what = {Unknown::Kind::kFreedomForce, 0}}}});
  VectorXd kept = along.system.state_of(bodies, 0.0);
  MatrixXd none(3, 3);
  EXPECT_FALSE(along.system.choose_coordinates(0.0, kept, none));
}

class FilterPastDeadCentres : public testing::TestWithParam<std::string> {};

// crosscheck: the same filter in a coordinate that never becomes bad.
TEST_P(FilterPastDeadCentres, KeepsItsEstimate) {
  const auto mechanism = [](const std::string& inputs) {
    std::string text = test::text_of_model("fourbar-testbed");
    text = test::with_after(text, "rocker.angle: 132 deg", ", crank.rate: 5 rad/s");
    return test::released(test::mechanism_of_text(text + inputs));
  };
  constexpr int kSteps = 2000;
  const auto truth = test::true_motion(mechanism(""), 1e-3, kSteps);
  const auto make = [&](const std::string& inputs) {
    return std::make_unique<test::FilterCase>(
        mechanism(inputs), std::vector<std::string>{"crank_encoder", "imu1_gyroscope"}, GetParam(),
        MechanismSystemOptions{.rule = StepRule::kRk4, .noise = {.velocity = 0.05}});
  };
  const auto filter = make("\ninputs: [B.q]\n"), steady = make("");
  filter->start(1.0 * kDegree, 0.05);
  steady->start(4.0 * kDegree, 0.2);
  core::Rng rng(3), same_rng(3);
  std::string coordinate = filter->system.states()[0].name;
  EXPECT_EQ(coordinate, "B.q");
  EXPECT_EQ(steady->system.states()[0].name, "A.q");
  int changes = 0;
  double largest_error = 0.0, largest_difference = 0.0;
  for (int k = 1; k <= kSteps; ++k) {
    ASSERT_TRUE(filter->estimator->predict(1e-3) && steady->estimator->predict(1e-3)) << k;
    if (filter->system.states()[0].name != coordinate) ++changes;
    coordinate = filter->system.states()[0].name;
    if (k % 10 == 0)
      for (const int sensor : {0, 1}) {
        const auto& bodies = truth[static_cast<std::size_t>(k)];
        ASSERT_EQ(filter->read(sensor, bodies, rng).status, UpdateReport::Status::kAccepted) << k;
        ASSERT_EQ(steady->read(sensor, bodies, same_rng).status, UpdateReport::Status::kAccepted) << k;
      }
    ASSERT_LE(filter->system.constraint_error(), 1e-10);
    const model::Mechanism& of = filter->c.mechanism;
    const double angle =
        kinematics::value_of(of, model::find_variable(of, "crank.angle"), truth[static_cast<std::size_t>(k)]);
    if (k < 200) continue;
    largest_error =
        std::max(largest_error, std::abs(test::turned_to_half(filter->value("crank.angle") - angle)));
    largest_difference =
        std::max(largest_difference,
                 std::abs(test::turned_to_half(filter->value("crank.angle") - steady->value("crank.angle"))));
  }
  EXPECT_GE(changes, 1);
  EXPECT_LE(largest_error, 0.2 * kDegree);
  EXPECT_LE(largest_difference, 0.05 * kDegree);
  EXPECT_TRUE(filter->estimator->covariance().allFinite());
}

INSTANTIATE_TEST_SUITE_P(Filters, FilterPastDeadCentres, testing::Values("dekf", "ukf", "cekf", "error-ekf"),
                         [](const auto& name) {
                           return name.param == "error-ekf" ? "error_ekf" : name.param;
                         });

}  // namespace
}  // namespace eslabon::estimation
