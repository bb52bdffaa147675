// From one kind of coordinates to the bodies and on to every other kind: the motion of the bodies is the same, and in
// every kind it satisfies that kind's own constraints, velocities and accelerations.
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "tests/driven_run.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/io/mechanism/model_source.hpp"

namespace eslabon::coordinates {
namespace {

using test::DrivenRun;

model::Mechanism load(const std::string& name) {
  if (name.starts_with("family:")) return io::load_model(name, {});
  return io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/" + name + ".yaml", {});
}

/// q, v and a in one kind of coordinates.
struct Vectors {
  explicit Vectors(const ConstraintSystem& system)
      : q(static_cast<std::size_t>(system.num_coordinates())), v(q.size()), a(q.size()) {}
  CoordinateSpans spans() { return {q, v, a}; }
  std::vector<double> q, v, a;
};

/// Largest difference of the motions of all bodies, each part divided by its size (at least 1).
double difference(const MechanismMotion& one, const MechanismMotion& other) {
  double largest = 0.0;
  const auto compare = [&](const auto& x, const auto& y) {
    largest = std::max(largest, (x - y).cwiseAbs().maxCoeff() / std::max(1.0, x.cwiseAbs().maxCoeff()));
  };
  for (std::size_t b = 0; b < one.size(); ++b) {
    compare(one[b].X_WB.R_AB.matrix(), other[b].X_WB.R_AB.matrix());
    compare(one[b].X_WB.p_AB_A, other[b].X_WB.p_AB_A);
    compare(one[b].w_WB_W, other[b].w_WB_W);
    compare(one[b].v_WB_W, other[b].v_WB_W);
    compare(one[b].alpha_WB_W, other[b].alpha_WB_W);
    compare(one[b].a_WB_W, other[b].a_WB_W);
  }
  return largest;
}

class EveryKindOfModel : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(EveryKindOfModel, GivesTheSameMotionInEveryOtherKind_AlongAMotion) {
  const auto& [kind, name] = GetParam();
  const double until = name == "slider-crank" ? 0.2 : 2.0;
  DrivenRun run(load(name), until, "sparse", kind);
  for (int k = 0; k <= 10; ++k) {
    if (k > 0) {
      ASSERT_TRUE(run.advance_to(until * k / 10));
    }
    std::vector<CoordinateValue> values(run.driven.prescribed().size());
    run.driven.evaluate_or_throw(run.motion.state().t, values);
    std::vector<double> near;
    for (const CoordinateValue& value : values) near.push_back(value.position);
    for (const std::string& other : layout_names()) {
      const ConstraintSystem system(other, run.mechanism, run.structure, run.driven.prescribed());
      Vectors x(system);
      system.read_bodies(run.bodies, x.spans(), near);
      MechanismMotion bodies(run.bodies.size());
      BodiesWorkspace workspace;
      system.evaluate_bodies(x.q, x.v, x.a, workspace, bodies);
      // 1e-12, relative to the largest acceleration: rates of the slider-crank are of 1e4.
      EXPECT_LE(difference(run.bodies, bodies), test::tolerance_scale() * 1e-12) << other << " " << k;

      PositionLevel positions;
      system.evaluate_positions(x.q, values, positions);
      const Eigen::MatrixXd Phi_q = system.dense(positions.Phi_q);
      const Eigen::Map<const Eigen::VectorXd> v(x.v.data(), static_cast<Eigen::Index>(x.v.size()));
      const Eigen::Map<const Eigen::VectorXd> a(x.a.data(), static_cast<Eigen::Index>(x.a.size()));
      const double speed = std::max(1.0, v.cwiseAbs().maxCoeff()),
                   acceleration = std::max(1.0, a.cwiseAbs().maxCoeff());
      GammaWorkspace gamma_workspace;
      Eigen::VectorXd gamma;
      system.evaluate_gamma(positions, x.q, x.v, values, gamma_workspace, gamma);
      for (int r = 0; r < system.num_rows(); ++r) {
        // Angles of own coordinates come out in (−π, π]: a row of a coordinate is then whole turns off.
        const double Phi =
            std::holds_alternative<PrescribedIndex>(system.label(r).source) && !system.row_is_length(r)
                ? std::remainder(positions.Phi[r], 2.0 * std::numbers::pi)
                : positions.Phi[r];
        EXPECT_NEAR(Phi, 0.0, test::tolerance_scale() * 1e-12) << other << ": " << describe_row(system, r);
        EXPECT_NEAR(Phi_q.row(r) * v + positions.Phi_t[r], 0.0, test::tolerance_scale() * 1e-12 * speed)
            << other << ": " << describe_row(system, r);
        EXPECT_NEAR(Phi_q.row(r) * a - gamma[r], 0.0,
                    test::tolerance_scale() * 1e-12 * std::max(acceleration, speed * speed))
            << other << ": " << describe_row(system, r);
      }
    }
  }
}

// Read from the bodies, coordinates are the very coordinates that made them; e and −e are one orientation.
TEST_P(EveryKindOfModel, BodiesGiveBackTheCoordinatesThatMadeThem) {
  const auto& [kind, name] = GetParam();
  DrivenRun run(load(name), 0.2, "sparse", kind);
  ASSERT_TRUE(run.advance_to(0.1));
  const ConstraintSystem system(kind, run.mechanism, run.structure, run.driven.prescribed());
  std::vector<CoordinateValue> values(run.driven.prescribed().size());
  run.driven.evaluate_or_throw(0.1, values);
  std::vector<double> near;
  for (const CoordinateValue& value : values) near.push_back(value.position);
  Vectors x(system);
  system.read_bodies(run.bodies, x.spans(), near);
  const kinematics::State& state = run.motion.state();
  for (std::size_t c = 0; c < x.q.size(); ++c) {
    const Coordinate& coordinate = system.coordinates()[c];
    const bool is_angle = coordinate.dimension == core::kAngle;
    const double sign =
        x.q[c] * state.q[c] < 0.0 && coordinate.dimension == core::kNumber && kind != "natural" ? -1.0 : 1.0;
    const double off = sign * x.q[c] - state.q[c];
    EXPECT_NEAR(is_angle ? std::remainder(off, 2.0 * std::numbers::pi) : off, 0.0,
                test::tolerance_scale() * 1e-12)
        << coordinate.name;
    EXPECT_NEAR(sign * x.v[c], state.v[c],
                test::tolerance_scale() * 1e-11 * std::max(1.0, std::abs(state.v[c])))
        << coordinate.name;
    EXPECT_NEAR(sign * x.a[c], state.a[c],
                test::tolerance_scale() * 1e-10 * std::max(1.0, std::abs(state.a[c])))
        << coordinate.name;
  }
}

std::string name_of(const testing::TestParamInfo<std::tuple<std::string, std::string>>& info) {
  return test::test_name(std::get<0>(info.param) + "_" + std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, EveryKindOfModel,
    testing::Combine(testing::Values("natural", "reference-point", "relative"),
                     testing::Values("fourbar-testbed", "slider-crank", "five-bar", "watt-sixbar",
                                     "stephenson-sixbar", "rssr", "double-wishbone", "pairs/whitworth",
                                     "pairs/arc-four-bar", "pairs/cycloid", "pairs/swash-plate",
                                     "pairs/ball-in-groove", "pairs/cam-roller", "pairs/cam-flat",
                                     "pairs/involute-teeth", "pairs/barrel-cam",
                                     "family:scalable-fourbar,dyads=3", "family:truck-suspension,axles=1")),
    name_of);

}  // namespace
}  // namespace eslabon::coordinates
