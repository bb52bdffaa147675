// Problems with published or independently computed answers (models/benchmarks, models/andrews-squeezer.yaml), integrated by the
// tests' own integrators; the values are those of the IFToMM library, the IVP test set and shared/benchmarks.md.
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/dynamic_case.hpp"
#include "tests/four_bars_exact.hpp"
#include "tests/local_integrator.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::dynamics {
namespace {

using coordinates::MechanismMotion;

/// A problem on its way through time.
class Course {
 public:
  explicit Course(const std::string& model, const std::string& kind = "reference-point",
                  const std::string& formulation = "multipliers")
      : case_(test::load_released(model), 1e4),
        formulation_(make_formulation(formulation, case_.model, {.kind = kind})),
        state_(test::start_state(case_.model, *formulation_)) {}

  void until(double t, double tolerance) {
    ASSERT_TRUE(test::run_dopri5(*formulation_, state_, t, tolerance)) << "stopped at " << state_.t << " s";
  }
  void until_by_steps(double t, double h) {
    ASSERT_TRUE(test::run_rk4(*formulation_, state_, t, h)) << "stopped at " << state_.t << " s";
  }
  MechanismMotion bodies() const {
    MechanismMotion out(case_.mechanism.bodies().size());
    const std::vector<double> zero(state_.q.size(), 0.0);
    formulation_->evaluate_bodies(state_, zero, out);
    return out;
  }
  double value(const std::string& name) const {
    return kinematics::value_of(case_.mechanism, model::find_variable(case_.mechanism, name), bodies());
  }
  /// An angle nearest to the expected one, which may be beyond a turn.
  double angle(const std::string& name, double near) const {
    return coordinates::unwrapped(value(name), near);
  }
  /// d²/dt² of a variable at this instant.
  double acceleration(const std::string& name) {
    return kinematics::value_of(case_.mechanism, model::find_variable(case_.mechanism, name),
                                test::accelerated(*formulation_, bodies(), state_.t));
  }
  double constraint_error() const { return formulation_->constraint_error(state_); }
  const model::Mechanism& mechanism() const { return case_.mechanism; }

 private:
  test::DynamicCase case_;
  std::unique_ptr<Formulation> formulation_;
  State state_;
};

struct PendulumRow {
  double t, x, y, vx, vy;
};

TEST(BenchmarkA01, SimplePendulum) {
  Course run("benchmarks/simple-pendulum");
  for (const PendulumRow& row :
       {PendulumRow{1, 0.98629175113187532, -0.16501085312554117, 0.29690551591631582, 1.7746436411126556},
        {5, -0.94230543504375734, -0.33475433841400058, 0.85790425688594907, -2.4149286543704886},
        {10, -0.27508746257611686, -0.96141920509912506, 4.1755981009517288, -1.1947490545604753}}) {
    run.until(row.t, 1e-12);
    const double tolerance = test::tolerance_scale() * 1e-8;  // 1e-3 is asked for
    EXPECT_NEAR(run.value("bob.P.x"), row.x, tolerance) << row.t;
    EXPECT_NEAR(run.value("bob.P.y"), row.y, tolerance) << row.t;
    EXPECT_NEAR(run.value("bob.P.vx"), row.vx, tolerance) << row.t;
    EXPECT_NEAR(run.value("bob.P.vy"), row.vy, tolerance) << row.t;
  }
}

TEST(BenchmarkA01, SimplePendulumFor2000Seconds) {
  Course run("benchmarks/simple-pendulum");
  run.until(2000.0, 1e-11);
  EXPECT_NEAR(run.value("bob.P.x"), 0.81460306858903215,
              test::tolerance_scale() * 1e-5);  // 1e-3 is asked for
  EXPECT_NEAR(run.value("bob.P.y"), -0.58001882783693546, test::tolerance_scale() * 1e-5);
  EXPECT_NEAR(run.value("bob.P.vx"), -1.9566477078826579, test::tolerance_scale() * 1e-4);
}

struct FourBarsRow {
  std::string model;
  double x5, y5, x10, y10;
};
void PrintTo(const FourBarsRow& row, std::ostream* out) { *out << row.model; }

class BenchmarkA02FourBars : public testing::TestWithParam<FourBarsRow> {};

TEST_P(BenchmarkA02FourBars, PassesSingularPositionsAsAParallelogram) {
  const FourBarsRow& row = GetParam();
  Course run(row.model);
  EXPECT_NEAR(run.value("vertical_1.B.vx"), 1.0, 1e-12);
  // Steps of fixed length go over the singular positions; error control would stop in front of the first.
  run.until_by_steps(5.0, 1e-3);
  EXPECT_NEAR(run.value("vertical_0.B.x"), row.x5, test::tolerance_scale() * 1e-6);  // 1e-3 is asked for
  EXPECT_NEAR(run.value("vertical_0.B.y"), row.y5, test::tolerance_scale() * 1e-6);
  run.until_by_steps(10.0, 1e-3);
  EXPECT_NEAR(run.value("vertical_0.B.x"), row.x10, test::tolerance_scale() * 1e-6);
  EXPECT_NEAR(run.value("vertical_0.B.y"), row.y10, test::tolerance_scale() * 1e-6);
  EXPECT_NEAR(run.value("horizontal_1.angle"), 0.0, 1e-6);
  EXPECT_LE(run.constraint_error(), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(
    Models, BenchmarkA02FourBars,
    testing::Values(FourBarsRow{"benchmarks/n-four-bars-1", -0.94490818604295389, -0.32733548531898346,
                                0.47838505776097056, 0.8781501787912093},
                    FourBarsRow{"benchmarks/n-four-bars-2", -0.81131046100510741, -0.58461554534897555,
                                0.32845811154081538, 0.94451853817860096}),
    [](const auto& row) { return test::test_name(row.param.model); });

TEST(BenchmarkA02, FilesAreMembersOfTheFamily) {
  for (const int n : {1, 2}) {
    model::MechanismParts file =
        io::load_model(
            std::string(ESLABON_SOURCE_DIR) + "/models/benchmarks/n-four-bars-" + std::to_string(n) + ".yaml",
            {})
            .parts();
    const model::MechanismParts member =
        io::load_model("family:n-fourbars,n=" + std::to_string(n), {}).parts();
    file.name = member.name;
    file.description = member.description;
    file.source = member.source;
    EXPECT_TRUE(file == member) << n;
  }
}

TEST(BenchmarkA02, FortyFourBars) {
  // The formula against the published values first.
  EXPECT_NEAR(std::sin(test::exact_four_bars(1, 10.0).phi), 0.47838505776097056, 1e-9);
  Course run("family:n-fourbars,n=40");
  run.until_by_steps(4.0, 1e-3);  // over four singular positions
  const auto [phi, rate] = test::exact_four_bars(40, 4.0);
  EXPECT_NEAR(run.value("vertical_0.B.x"), std::sin(phi),
              test::tolerance_scale() * 1e-6);  // 1e-3 is asked for
  EXPECT_NEAR(run.value("vertical_40.B.x"), 40.0 + std::sin(phi), test::tolerance_scale() * 1e-6);
  EXPECT_NEAR(run.value("vertical_40.B.vy"), -rate * std::sin(phi), test::tolerance_scale() * 1e-5);
}

TEST(BenchmarkA03, AndrewsSqueezer) {
  Course run("andrews-squeezer");
  EXPECT_NEAR(run.acceleration("crank.angular_acceleration"), 14222.44391995411,
              test::tolerance_scale() * 1e-6);  // 1e-10 of it
  run.until(0.03, 1e-10);
  const double tolerance = test::tolerance_scale() * 1e-6;
  EXPECT_NEAR(run.angle("crank.angle", 15.8), 15.810771195, tolerance);
  EXPECT_NEAR(run.angle("F.q", -15.7), -15.756371060, tolerance);
  EXPECT_NEAR(run.value("plate.angle"), 0.040822240, tolerance);
  EXPECT_NEAR(run.value("G.q"), -0.534730116, tolerance);
  EXPECT_NEAR(run.value("bar_ag.angle"), 0.524409966, tolerance);
  EXPECT_NEAR(run.value("bar_ah.angle"), 1.048080741, tolerance);
  EXPECT_NEAR(run.value("crank.rate"), 1139.9203, 1e-3);  // four decimals are published
  EXPECT_NEAR(run.value("F.v"), -1424.3793, 1e-3);
}

TEST(BenchmarkDoublePendulum, IsFollowedThroughChaos) {
  Course run("benchmarks/double-pendulum");
  run.until(1.0, 1e-13);
  const double tolerance = test::tolerance_scale() * 1e-6;
  EXPECT_NEAR(run.angle("upper.angle", -0.6), -0.62508769980639063, 1e-3 * tolerance);
  EXPECT_NEAR(run.angle("lower.angle", -1.0), -1.0345850856800123, 1e-3 * tolerance);
  run.until(10.0, 1e-13);
  EXPECT_NEAR(std::remainder(run.value("upper.angle") + 0.56847466401595019, 2.0 * std::numbers::pi), 0.0,
              tolerance);
  EXPECT_NEAR(std::remainder(run.value("lower.angle") + 0.52639372793240470, 2.0 * std::numbers::pi), 0.0,
              tolerance);
  EXPECT_NEAR(run.value("upper.rate"), 6.0783848857619649, 10.0 * tolerance);
  EXPECT_NEAR(run.value("lower.rate"), -9.6813606817088788, 10.0 * tolerance);
}

TEST(BenchmarkFreeBody, TurnsOverAndBack) {
  Course run("benchmarks/free-body");
  const double tolerance = test::tolerance_scale() * 1e-8;
  const auto w_WB_B = [&] {
    const coordinates::BodyMotion body = run.bodies()[1];
    return Eigen::Vector3d(body.X_WB.R_AB.inverse() * body.w_WB_W);
  };
  EXPECT_LE((w_WB_B() - Eigen::Vector3d(0.01, 5.0, 0.01)).norm(), 1e-14);
  run.until(5.0, 1e-12);
  EXPECT_LE((w_WB_B() - Eigen::Vector3d(-0.011325693900949, -4.999997172864967, 0.010460582239022)).norm(),
            tolerance);
  run.until(10.0, 1e-12);
  EXPECT_LE((w_WB_B() - Eigen::Vector3d(0.012714870629462, 4.999993833202685, 0.010979798649094)).norm(),
            tolerance);
}

}  // namespace
}  // namespace eslabon::dynamics
