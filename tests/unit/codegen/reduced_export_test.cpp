#include "eslabon/codegen/reduced_export.hpp"

#include <algorithm>
#include <cmath>

#include "tests/dynamic_case.hpp"
#include "tests/exported_functions.hpp"
#include "tests/simulated_case.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/reduced/reduced_motion.hpp"
#include "eslabon/sensing/instrument.hpp"

namespace eslabon::codegen {
namespace {

using dynamics::ReducedMotion;
using dynamics::ReducedPoint;
using dynamics::ReducedStatus;
using test::function;
using test::matrix;
using ::testing::HasSubstr;

/// Motions of a mechanism somewhere within reach of its start, at random.
class Motions {
 public:
  explicit Motions(const dynamics::DynamicModel& model)
      : motion_(model, {}), tangent_(motion_.make_tangent()) {}

  ReducedPoint at(std::uint64_t seed) {
    constexpr int kWay = 20;
    core::Rng rng(seed);
    ReducedPoint point = motion_.start();
    const Eigen::Index f = motion_.num_freedoms();
    Eigen::VectorXd direction(f);
    for (Eigen::Index k = 0; k < f; ++k) {
      const double size = motion_.coordinate(k).dimension == core::kLength ? motion_.length() : 1.0;
      direction[k] = 0.4 * size * (2.0 * rng.uniform() - 1.0) / kWay;
      point.z_dot[k] += 3.0 * size * rng.normal();
    }
    for (int k = 0; k < kWay; ++k) {
      const ReducedPoint near = point;
      point.z += direction;
      if (motion_.solve(0.0, near, point) == ReducedStatus::kSolved && motion_.leverage(point) < 10.0)
        continue;
      point = near;
      break;
    }
    return point;
  }
  const dynamics::ReducedTangent& tangent(const ReducedPoint& point) {
    EXPECT_TRUE(motion_.differentiate(point, tangent_));
    return tangent_;
  }
  /// Positions and rates of the point; the memory is that of `near`.
  CheckState state_of(const ExportedModel& model, const ReducedPoint& point, const ReducedPoint& near) const {
    CheckState state = model.start;
    for (std::size_t k = 0; k < model.x.size(); ++k) {
      std::string name = model.x[k].name;
      const bool is_rate = name.starts_with("d/dt ");
      if (is_rate) name = name.substr(5);
      const bool is_memory = name.ends_with(", as found last");
      if (is_memory) name = name.substr(0, name.find(", as found last"));
      const auto& coordinates = motion_.system().coordinates();
      const auto at = std::ranges::find(coordinates, name, &coordinates::Coordinate::name);
      EXPECT_NE(at, coordinates.end()) << name;
      const auto column = static_cast<std::size_t>(at - coordinates.begin());
      state.x[k] = is_rate ? point.v[column] : is_memory ? near.q[column] : point.q[column];
    }
    return state;
  }
  const ReducedMotion& motion() const { return motion_; }

 private:
  ReducedMotion motion_;
  dynamics::ReducedTangent tangent_;
};

class ReducedExports : public ::testing::TestWithParam<const char*> {
 protected:
  ReducedExports()
      : one_(test::load_released(GetParam())),
        motions_(one_.model),
        model_(export_reduced(one_.model, {.closed_forms = false})) {}

  test::DynamicCase one_;
  Motions motions_;
  ExportedModel model_;
};

// Shares no equation with the export: masses of all coordinates, loops closed by multipliers.
TEST_P(ReducedExports, AccelerateAsAnotherFormulationDoes) {
  const ExportedFunction& accelerations = function(model_, "accelerations");
  const auto formulation = dynamics::make_formulation("multipliers", one_.model, {.kind = "relative"});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ReducedPoint point = motions_.at(seed);
    dynamics::State state = formulation->state_of(point.bodies, 0.0);
    state.q = point.q;  // Euler parameters of the same sign
    state.v = point.v;
    std::vector<double> a(state.q.size()), integrated(state.q.size());
    ASSERT_EQ(formulation->accelerate(state, a, integrated), dynamics::DynamicsStatus::kSolved);
    const std::vector<double> found =
        ExportedModel::evaluate(accelerations, motions_.state_of(model_, point, point));
    double largest = 0.0;
    for (const double one_a : a) largest = std::max(largest, std::abs(one_a));
    const std::size_t f = model_.num_coordinates();
    ASSERT_EQ(f, motions_.motion().chosen().size());
    for (std::size_t k = 0; k < f; ++k)
      EXPECT_NEAR(found[k], a[static_cast<std::size_t>(motions_.motion().chosen()[k])], 1e-11 * largest)
          << k << ", seed " << seed;
    EXPECT_LT(found[f], 1e-12 + 1e-12 * motions_.motion().length());  // constraint error
    EXPECT_GT(found[f + 1], 0.0);                                     // margin
  }
}

TEST_P(ReducedExports, FindPositionsFromNearby) {
  if (model_.num_memory == 0) return;  // nothing is looked for
  const ExportedFunction& positions = function(model_, "positions");
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const ReducedPoint near = motions_.at(seed);
    ReducedPoint point = near;
    const double h = 0.002;
    point.z += h * near.z_dot;
    ReducedMotion motion(one_.model, {});
    ASSERT_EQ(motion.solve(0.0, near, point), ReducedStatus::kSolved);
    const std::vector<double> found =
        ExportedModel::evaluate(positions, motions_.state_of(model_, point, near));
    const CheckState expected = motions_.state_of(model_, point, point);
    for (std::size_t k = 0; k < model_.num_memory; ++k)
      EXPECT_NEAR(found[k], expected.x[expected.x.size() - model_.num_memory + k], 1e-11)
          << positions.numbers[k].name;
  }
}

TEST_P(ReducedExports, DifferentiateAsDualNumbersDo) {
  const ExportedFunction& by_x = function(model_, "accelerations_by_x");
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const ReducedPoint point = motions_.at(seed);
    const Eigen::MatrixXd expected = motions_.tangent(point).z_ddot_x,
                          found = matrix(by_x, motions_.state_of(model_, point, point));
    EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), 1e-10 * expected.cwiseAbs().maxCoeff()) << seed;
  }
}

// The memory moves with z, as it does from call to call; derivatives look through it.
TEST_P(ReducedExports, DifferentiateAsDifferencesDo) {
  const ExportedFunction& accelerations = function(model_, "accelerations");
  const CheckState state = model_.checks[1];
  const Eigen::MatrixXd by_x = matrix(function(model_, "accelerations_by_x"), state);
  constexpr double kStep = 1e-4;
  for (Eigen::Index c = 0; c < by_x.cols(); ++c) {
    const auto at = [&](double by) {
      CheckState moved = state;
      moved.x[static_cast<std::size_t>(c)] += by * kStep;
      return ExportedModel::evaluate(accelerations, moved);
    };
    const auto p1 = at(1), m1 = at(-1), p2 = at(2), m2 = at(-2);
    for (Eigen::Index r = 0; r < by_x.rows(); ++r) {
      const auto k = static_cast<std::size_t>(r);
      const double difference = (8.0 * (p1[k] - m1[k]) - (p2[k] - m2[k])) / (12.0 * kStep);  // error O(h⁴)
      EXPECT_NEAR(by_x(r, c), difference, 1e-6 * by_x.cwiseAbs().maxCoeff()) << r << ", " << c;
    }
  }
}

TEST_P(ReducedExports, ReadAsInstrumentsDo) {
  const auto at = std::ranges::find(model_.functions, "readings", &ExportedFunction::name);
  ASSERT_EQ(at == model_.functions.end(), one_.mechanism.sensors().empty());
  if (at == model_.functions.end()) return;
  const ReducedPoint point = motions_.at(5);
  const dynamics::ReducedTangent& tangent = motions_.tangent(point);
  const CheckState state = motions_.state_of(model_, point, point);
  const std::vector<double> found = ExportedModel::evaluate(*at, state);
  const Eigen::MatrixXd by_x = matrix(function(model_, "readings_by_x"), state);
  std::size_t row = 0;
  for (const model::Sensor& sensor : one_.mechanism.sensors()) {
    const auto instrument = sensing::make_instrument(one_.model, sensor);
    const std::size_t m = instrument->channels().size();
    std::vector<double> y(m);
    instrument->read(sensing::Scene<double>{0.0, point.bodies, point.memory}, y);
    Eigen::MatrixXd H(m, by_x.cols());
    sensing::evaluate_jacobian(*instrument, point, tangent, H);
    for (std::size_t k = 0; k < m; ++k, ++row) {
      EXPECT_NEAR(found[row], y[k] + instrument->channels()[k].origin, 1e-11 * (1.0 + std::abs(y[k])));
      const auto r = static_cast<Eigen::Index>(row), mine = static_cast<Eigen::Index>(k);
      EXPECT_LE((by_x.row(r) - H.row(mine)).cwiseAbs().maxCoeff(),
                1e-10 * (1.0 + H.row(mine).cwiseAbs().maxCoeff()));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ReducedExports,
                         ::testing::Values("fourbar-testbed", "slider-crank", "five-bar", "rssr",
                                           "andrews-squeezer", "watt-sixbar", "quarter-vehicle",
                                           "family:scalable-fourbar,dyads=5", "benchmarks/double-pendulum",
                                           "fourbar-double-crank", "screw-press-helical", "disc-cam",
                                           "pairs/whitworth", "pairs/swash-plate"));

// analytic: x'' = −48 x − 6 x' of a mass of 1 kg, and of 2 kg. Its mass is a constant, and of 1 kg the acceleration is the force itself.
TEST(ReducedExport, DifferentiatesWhereTheMassIsConstant) {
  for (const double mass : {1.0, 2.0}) {
    const test::DynamicCase one(test::mechanism_of_text(
        "mechanism: mass\nplane: xy\nground: {points: {O: [0, 0]}}\nbodies: {block: {mass: " +
        std::to_string(mass) +
        ", center_of_mass: [0, 0], inertia: 1, points: {P: [0, 0]}}}\njoints: {J: {prismatic: [ground.O, "
        "block.P], "
        "axis: x}}\nsprings: {s: {joint: J, stiffness: 48, damping: 6}}\n"));
    const ExportedModel model = export_reduced(one.model, {});
    const Eigen::MatrixXd by_x = matrix(function(model, "accelerations_by_x"), model.checks[1]);
    ASSERT_EQ(by_x.cols(), 2);
    EXPECT_NEAR(by_x(0, 0), -48.0 / mass, 1e-12);
    EXPECT_NEAR(by_x(0, 1), -6.0 / mass, 1e-13);
  }
}

TEST(ReducedExport, TakesEffortsAsInputs) {
  const test::DynamicCase one(test::load_released("fourbar-testbed"));
  const ExportedModel model = export_reduced(one.model, {.efforts = {"A.q"}});
  ASSERT_EQ(model.u.size(), 2u);
  CheckState pushed = model.start;
  pushed.u[1] = 2.5;
  const ExportedFunction& forces = function(model, "forces");
  EXPECT_NEAR(ExportedModel::evaluate(forces, pushed)[0] - ExportedModel::evaluate(forces, model.start)[0],
              2.5, 1e-12);
  const double mass = ExportedModel::evaluate(function(model, "mass"), pushed)[0];
  EXPECT_NEAR(matrix(function(model, "accelerations_by_u"), pushed)(0, 1), 1.0 / mass, 1e-12 / mass);
}

// A driver beside a degree of freedom: derivatives by time go through what it prescribes.
TEST(ReducedExport, DifferentiatesByTimeThroughDrivers) {
  const test::DynamicCase one(io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/five-bar.yaml", {}));
  const model::Mechanism half = model::without_drivers(one.mechanism, {one.mechanism.drivers()[0].name});
  const test::DynamicCase driven(half);
  const ExportedModel model = export_reduced(driven.model, {});
  ASSERT_EQ(model.num_coordinates(), 1u);
  const CheckState state = model.checks[2];
  const Eigen::MatrixXd by_u = matrix(function(model, "accelerations_by_u"), state);
  constexpr double kStep = 1e-4;
  const auto at = [&](double by) {
    CheckState moved = state;
    moved.u[0] += by * kStep;
    return ExportedModel::evaluate(function(model, "accelerations"), moved)[0];
  };
  EXPECT_NEAR(by_u(0, 0), (8.0 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12.0 * kStep),
              1e-6 * by_u.cwiseAbs().maxCoeff());
}

TEST(ReducedExport, RefusesWhatDriversAloneMove) {
  const test::DynamicCase one(
      io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/fourbar-testbed.yaml", {}));
  try {
    static_cast<void>(export_reduced(one.model, {}));
    FAIL();
  } catch (const core::ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no equation of motion is left"));
  }
}

}  // namespace
}  // namespace eslabon::codegen
