#include "eslabon/codegen/motion_export.hpp"

#include <algorithm>
#include <cmath>

#include "tests/dynamic_case.hpp"
#include "tests/exported_functions.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/forces/stop_contact.hpp"
#include "eslabon/dynamics/mass/energy.hpp"

namespace eslabon::codegen {
namespace {

using test::function;
using ::testing::HasSubstr;

/// A state of these bodies for the functions of an export.
CheckState state_of(const ExportedModel& model, const dynamics::State& state) {
  CheckState out = model.start;
  std::ranges::copy(state.q, out.x.begin());
  std::ranges::copy(state.v, out.x.begin() + static_cast<std::ptrdiff_t>(state.q.size()));
  out.u[0] = state.t;
  out.p = {0.0, 0.0};
  return out;
}

double largest(const std::vector<double>& list) {
  double out = 0.0;
  for (const double x : list) out = std::max(out, std::abs(x));
  return out;
}

struct Kind {
  const char* model;
  const char* coordinates;
};

class Exports : public ::testing::TestWithParam<Kind> {
 protected:
  Exports()
      : one_(test::load_released(GetParam().model)),
        model_(export_motion(one_.model, {.coordinates = GetParam().coordinates})) {}

  test::DynamicCase one_;
  ExportedModel model_;
};

TEST_P(Exports, AccelerateAsAnotherFormulationDoes) {
  const ExportedFunction& accelerations = function(model_, "accelerations");
  const auto formulation =
      dynamics::make_formulation("multipliers", one_.model, {.kind = GetParam().coordinates});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const dynamics::State state = formulation->state_of(test::random_motion(one_.model, seed), 0.0);
    std::vector<double> a(state.q.size()), z_ddot(state.q.size());
    ASSERT_EQ(formulation->accelerate(state, a, z_ddot), dynamics::DynamicsStatus::kSolved);
    const std::vector<double> found = ExportedModel::evaluate(accelerations, state_of(model_, state));
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(found[k], a[k], 1e-10 * largest(a)) << k;
    EXPECT_LT(found[a.size()], 1e-9);     // constraint error
    EXPECT_GT(found[a.size() + 1], 0.0);  // margin
  }
}

TEST_P(Exports, DifferentiateAsDifferencesDo) {
  const ExportedFunction& accelerations = function(model_, "accelerations");
  const ExportedFunction& by_x = function(model_, "accelerations_by_x");
  const CheckState state = model_.checks[1];
  const std::vector<double> entries = ExportedModel::evaluate(by_x, state);
  const std::size_t n = model_.num_coordinates();
  std::vector<double> matrix(n * 2 * n, 0.0);
  for (std::size_t e = 0; e < by_x.matrix->places.size(); ++e)
    matrix[static_cast<std::size_t>(by_x.matrix->places[e].first) * 2 * n +
           static_cast<std::size_t>(by_x.matrix->places[e].second)] = entries[e];
  double scale = 0.0;
  for (const double one_entry : matrix) scale = std::max(scale, std::abs(one_entry));
  constexpr double kStep = 1e-4;
  for (std::size_t c = 0; c < 2 * n; ++c) {
    const auto at = [&](double by) {
      CheckState moved = state;
      moved.x[c] += by * kStep;
      return ExportedModel::evaluate(accelerations, moved);
    };
    const auto p1 = at(1), m1 = at(-1), p2 = at(2), m2 = at(-2);
    for (std::size_t r = 0; r < n; ++r) {
      const double difference = (8.0 * (p1[r] - m1[r]) - (p2[r] - m2[r])) / (12.0 * kStep);  // error O(h⁴)
      EXPECT_NEAR(matrix[r * 2 * n + c], difference, 1e-6 * scale) << r << ", " << c;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, Exports,
    ::testing::Values(Kind{"fourbar-testbed", "relative"}, Kind{"slider-crank", "relative"},
                      Kind{"five-bar", "relative"}, Kind{"rssr", "relative"},
                      Kind{"andrews-squeezer", "relative"}, Kind{"watt-sixbar", "relative"},
                      Kind{"quarter-vehicle", "relative"},
                      Kind{"family:scalable-fourbar,dyads=5", "relative"}, Kind{"fourbar-testbed", "natural"},
                      Kind{"rssr", "natural"}, Kind{"slider-crank", "reference-point"},
                      Kind{"rssr", "reference-point"}, Kind{"quarter-vehicle", "reference-point"},
                      Kind{"planetary-gearbox", "relative"}, Kind{"differential", "relative"},
                      Kind{"rack-and-pinion", "relative"}, Kind{"screw-press-helical", "relative"},
                      Kind{"disc-cam", "relative"}, Kind{"pairs/whitworth", "relative"},
                      Kind{"pairs/arc-four-bar", "relative"}, Kind{"pairs/swash-plate", "relative"},
                      Kind{"pairs/ball-in-groove", "relative"}, Kind{"pairs/cam-roller", "relative"},
                      Kind{"pairs/cylinder-in-cylinder", "relative"}, Kind{"pairs/bead-on-helix", "relative"},
                      Kind{"pairs/whitworth", "natural"}, Kind{"pairs/cam-roller", "reference-point"}));

TEST_P(Exports, HaveTheEnergyOfTheBodies) {
  const ExportedFunction& energy = function(model_, "energy");
  const auto formulation =
      dynamics::make_formulation("multipliers", one_.model, {.kind = GetParam().coordinates});
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const coordinates::MechanismMotion bodies = test::random_motion(one_.model, seed);
    const model::Mechanism& mechanism = one_.model.mechanism();
    double expected = dynamics::mechanical_energy(mechanism, bodies);
    for (std::size_t s = 0; s < mechanism.stops().size(); ++s)
      expected += dynamics::stop_energy(
          mechanism.stops()[s],
          one_.model.forces().stopped_value<double>(s, bodies, one_.model.forces().empty_memory()).position,
          0.0);
    const double found =
        ExportedModel::evaluate(energy, state_of(model_, formulation->state_of(bodies, 0.0)))[0];
    EXPECT_NEAR(found, expected, 1e-10 * (std::abs(expected) + 1.0)) << seed;
  }
}

TEST(MotionExport, TakesFactorsAsParameters_InAllCoordinates) {
  const test::DynamicCase one(test::load_released("quarter-vehicle"));
  std::vector<ExportedUnknown> factors;
  for (std::size_t b = 1; b < one.model.mechanism().bodies().size(); ++b)
    factors.push_back({{dynamics::Unknown::Kind::kMass, static_cast<int>(b)}, {"mass", "1"}});
  factors.push_back({{dynamics::Unknown::Kind::kSpring, 0}, {"stiffness", "1"}});
  factors.push_back({{dynamics::Unknown::Kind::kDamper, 0}, {"damping", "1"}});
  for (const char* coordinates : {"relative", "reference-point"}) {
    const ExportedModel model = export_motion(one.model, {.coordinates = coordinates, .unknowns = factors});
    ASSERT_EQ(model.p.size(), 2 + factors.size());
    // Twice the masses, springs and dampers leave the motion above the road as it is, and are twice the energy.
    CheckState state = model.checks[1];
    state.p[0] = state.p[1] = 0.0;
    state.u[0] = 0.0;
    std::fill(state.p.begin() + 2, state.p.end(), 1.0);
    CheckState twice = state;
    std::fill(twice.p.begin() + 2, twice.p.end(), 2.0);
    const std::vector<double> f = ExportedModel::evaluate(function(model, "mass"), state),
                              g = ExportedModel::evaluate(function(model, "mass"), twice);
    for (std::size_t k = 0; k + 2 < f.size(); ++k)
      EXPECT_NEAR(g[k], 2.0 * f[k], 1e-12 * std::abs(f[k]) + 1e-15);
    const auto entry = [&](const CheckState& at) {
      return ExportedModel::evaluate(function(model, "forces"), at);
    };
    CheckState none = state;
    std::fill(none.p.begin() + 2, none.p.end(), 0.0);
    // Forces are those of the tyre, which has no factor, and a part that is proportional to the factors.
    const std::vector<double> f0 = entry(none), f1 = entry(state), f2 = entry(twice);
    for (std::size_t k = 0; k + 2 < f0.size(); ++k)
      EXPECT_NEAR(f2[k] - f0[k], 2.0 * (f1[k] - f0[k]), 1e-9 * (std::abs(f2[k]) + 1.0));
  }
}

struct Ratio {
  const char* model;
  double most;  ///< operations by those of the plain scheme
};
class PlainScheme : public ::testing::TestWithParam<Ratio> {};
TEST_P(PlainScheme, HasMoreOperations) {
  const test::DynamicCase one(test::load_released(GetParam().model));
  const ExportedModel model = export_motion(one.model, {.derivatives = false});
  const ExportedFunction& accelerations = function(model, "accelerations");
  EXPECT_LT(accelerations.program.counts().all(), GetParam().most * model.plain_scheme.all());
  ASSERT_TRUE(accelerations.requested);
  EXPECT_LT(accelerations.program.counts().all(), accelerations.requested->all());
}
INSTANTIATE_TEST_SUITE_P(Models, PlainScheme,
                         ::testing::Values(Ratio{"fourbar-testbed", 0.75}, Ratio{"slider-crank", 0.75},
                                           Ratio{"five-bar", 0.75}, Ratio{"rssr", 0.75},
                                           Ratio{"andrews-squeezer", 0.75}, Ratio{"watt-sixbar", 0.75},
                                           Ratio{"quarter-vehicle", 0.75},
                                           Ratio{"family:scalable-fourbar,dyads=17", 0.75},
                                           Ratio{"family:truck-suspension,axles=5", 0.75}));

TEST(MotionExport, TellsNoConstraintError_WhereACoordinateIsNoNumber) {
  const test::DynamicCase one(test::load_released("fourbar-testbed"));
  const ExportedModel model = export_motion(one.model, {});
  const ExportedFunction& accelerations = function(model, "accelerations");
  for (std::size_t k = 0; k < model.num_coordinates(); ++k) {
    CheckState state = model.start;
    state.x[k] = std::nan("");
    const std::vector<double> found = ExportedModel::evaluate(accelerations, state);
    EXPECT_TRUE(std::isnan(found[found.size() - 2])) << model.x[k].name;
  }
}

TEST(MotionExport, WritesDriversAsFunctionsOfTime) {
  const test::DynamicCase one(
      io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/fourbar-testbed.yaml", {}));
  const ExportedModel model = export_motion(one.model, {});
  ASSERT_EQ(model.u.size(), 1u);  // time alone
  const ExportedFunction& residual = function(model, "residual");
  std::vector<double> at_start = ExportedModel::evaluate(residual, model.start);
  EXPECT_LT(at_start[residual.numbers.size()], 1e-9);
  CheckState later = model.start;
  later.u[0] = 0.1;  // the crank has gone on, the state has not
  EXPECT_GT(ExportedModel::evaluate(residual, later)[residual.numbers.size()], 1e-3);
}

TEST(MotionExport, TakesEffortsFromOutside) {
  const test::DynamicCase one(test::load_released("fourbar-testbed"));
  const ExportedModel model = export_motion(one.model, {.efforts = {"A.q"}});
  ASSERT_EQ(model.u.size(), 2u);
  EXPECT_EQ(model.u[1].unit, "N*m");
  const ExportedFunction& forces = function(model, "forces");
  CheckState pushed = model.start;
  pushed.u[1] = 2.5;
  const std::vector<double> before = ExportedModel::evaluate(forces, model.start),
                            after = ExportedModel::evaluate(forces, pushed);
  double work = 0.0;
  for (std::size_t k = 0; k < forces.numbers.size(); ++k) work += std::abs(after[k] - before[k]);
  EXPECT_NEAR(work, 2.5, 1e-12);
}

TEST(MotionExport, RefusesWhatCannotBeWrittenDown) {
  const auto message = [](const std::string& name, const MotionExportOptions& options) {
    const test::DynamicCase one(test::load_released(name));
    try {
      static_cast<void>(export_motion(one.model, options));
    } catch (const core::ModelError& error) {
      return std::string(error.what());
    }
    return std::string("nothing is wrong");
  };
  EXPECT_THAT(message("bouncing-slider", {}),
              HasSubstr("the equations of this mechanism cannot be written down"));
  EXPECT_THAT(message("fourbar-testbed", {.efforts = {"crank.rate"}}),
              HasSubstr("a joint coordinate such as A.q"));
  EXPECT_THAT(message("fourbar-testbed", {.outputs = {"crnk.angle"}}), HasSubstr("crank.angle"));
}

TEST(MotionExport, WritesTheFunctionsThatAreAskedFor) {
  const test::DynamicCase one(test::load_released("fourbar-testbed"));
  const ExportedModel all = export_motion(one.model, {});
  const ExportedModel some = export_motion(one.model, {.functions = {"outputs", "mass"}});
  std::vector<std::string> names;
  for (const ExportedFunction& made : some.functions) names.push_back(made.name);
  EXPECT_THAT(names, ::testing::ElementsAre("mass", "accelerations", "outputs"));
  EXPECT_EQ(ExportedModel::evaluate(function(some, "accelerations"), some.checks[1]),
            ExportedModel::evaluate(function(all, "accelerations"), all.checks[1]));
  try {
    static_cast<void>(export_motion(one.model, {.functions = {"masses"}}));
    ADD_FAILURE() << "nothing is wrong";
  } catch (const core::ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("this model has no such function"));
    EXPECT_THAT(error.what(), HasSubstr("accelerations_by_x"));
  }
}

TEST(MotionExport, LeavesNoForceOfAUserOut) {
  for (const char* coordinates : {"relative", "reference-point", "natural"}) {
    test::DynamicCase one(test::load_released("fourbar-testbed"));
    one.model.add_force([](double, const coordinates::MechanismMotion&, std::span<dynamics::Wrench>) {});
    try {
      static_cast<void>(export_motion(one.model, {.coordinates = coordinates}));
      ADD_FAILURE() << coordinates;
    } catch (const core::ModelError& error) {
      EXPECT_THAT(error.what(), HasSubstr("a user's force"));
    }
  }
}

}  // namespace
}  // namespace eslabon::codegen
