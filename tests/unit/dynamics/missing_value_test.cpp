#include <cmath>
#include <stdexcept>
#include <string>

#include "tests/dynamic_case.hpp"
#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/reactions/reactions.hpp"
#include "eslabon/dynamics/reduced/reduced_motion.hpp"
#include "eslabon/dynamics/statics/equilibrium_search.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"

// Forces and drivers that have no value: evaluations say so by their status and throw nothing, and a sentence names the element.
namespace eslabon::dynamics {
namespace {

using testing::HasSubstr;

/// A mass on a slide, `at` metres from the origin.
std::string slide(const std::string& more, const std::string& at = "0.3") {
  return "mechanism: slide\nplane: xy\nground: {points: {O: [0, 0]}, axes: {u: [1, 0]}}\n"
         "bodies: {mass: {mass: 2, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: {u: [1, "
         "0]}}}\n"
         "joints: {J: {prismatic: [ground.O, mass.P], axis: [ground.u, mass.u]}}\nassembly: {J.q: " +
         at + "}\n" + more;
}
const char* const kSpring = "springs: {s: {between: [ground.O, mass.P], stiffness: 10, free_length: 0.5}}\n";
const char* const kDamper = "dampers: {d: {between: [ground.O, mass.P], table: [[-1, 1], [1, 2]]}}\n";
const char* const kLoad = "forces: {push: {joint: J, force: = sqrt(0.5 - t/1 s)*1 N}}\n";
const char* const kStop = "stops: {floor: {joint: J, lower: = sqrt(0.5 - t/1 s)*1 m, stiffness: 100}}\n";

model::Mechanism read(const std::string& text) { return io::read_mechanism(text, "test.yaml"); }

/// What every formulation says of accelerations at time t with the mass there, when they have no value.
void expect_no_value(const DynamicModel& model, double t, double x, const std::string& sentence) {
  coordinates::MechanismMotion bodies = model.start();
  bodies[1].X_WB.p_AB_A.x() = x;
  for (const std::string& name : formulation_names()) {
    const auto formulation = make_formulation(name, model);
    State state = formulation->state_of(bodies, 0.0);
    state.t = t;
    std::vector<double> a(state.q.size()), z_ddot(static_cast<std::size_t>(formulation->num_integrated()));
    DynamicsStatus status = DynamicsStatus::kSolved;
    EXPECT_NO_THROW(status = formulation->accelerate(state, a, z_ddot)) << name;
    EXPECT_EQ(status, DynamicsStatus::kNoValue) << name;
    EXPECT_EQ(core::to_sentence(formulation->why_not(state)), sentence) << name;
    if (DescriptorForm* const form = formulation->descriptor_form()) {
      Eigen::VectorXd r(static_cast<Eigen::Index>(a.size())),
          Phi(static_cast<Eigen::Index>(form->num_rows()));
      const std::vector<double> lambda(form->num_rows(), 0.0);
      EXPECT_NO_THROW(status = form->evaluate(state, a, lambda, r, Phi)) << name;
      EXPECT_EQ(status, DynamicsStatus::kNoValue) << name;
    }
  }
}

const std::string kNotANumber =
    "expected a finite force, got one that is not a number. Look at what it is computed from at this time.";
const std::string kCoincide =
    "expected two points apart from each other, got points that coincide, so that the force has no "
    "direction. "
    "Start somewhere else, or choose other points.";

TEST(MissingValue, OfAForceIsAStatusOfEveryFormulation_AndASentence) {
  const auto says = [](const std::string& more, double t, double x, const std::string& sentence) {
    expect_no_value(test::DynamicCase(read(slide(more))).model, t, x, sentence);
  };
  says(kSpring, 0.25, 0.0, "a force cannot be computed [spring 's', t = 0.25 s]: " + kCoincide);
  says(kDamper, 0.25, 0.0, "a force cannot be computed [damper 'd', t = 0.25 s]: " + kCoincide);
  says(kLoad, 0.75, 0.3, "a force cannot be computed [force 'push', t = 0.75 s]: " + kNotANumber);
  says(kStop, 0.75, 0.3,
       "a force cannot be computed [stop 'floor', t = 0.75 s]: expected a limit that has a value and a rate, "
       "got "
       "one that is not a number. Look at its function at this time.");
}

TEST(MissingValue, OfAUsersForceIsAStatus_AsIsWhatItThrowsAsAModelError) {
  test::DynamicCase nan(read(slide("")));
  nan.model.add_force([](double t, const auto&, std::span<Wrench> wrenches) {
    if (t > 0.5) wrenches[1].force.x() += std::nan("");
  });
  expect_no_value(nan.model, 0.75, 0.3,
                  "a force cannot be computed [a user's force on body 'mass', t = 0.75 s]: " + kNotANumber);
  test::DynamicCase thrown(read(slide("")));
  thrown.model.add_force([](double t, const auto&, std::span<Wrench>) {
    if (t > 0.5) throw core::ModelError({"the wind is unknown", "", "", "", "Ask later."});
  });
  expect_no_value(thrown.model, 0.75, 0.3, "the wind is unknown. Ask later.");
}

TEST(MissingValue, OfAUsersForceThatThrowsSomethingElsePassesThrough) {
  test::DynamicCase c(read(slide("")));
  c.model.add_force([](double t, const auto&, std::span<Wrench>) {
    if (t > 0.5) throw std::out_of_range("no row");
  });
  const auto formulation = make_formulation("semi-recursive", c.model);
  State state = formulation->start();
  state.t = 0.75;
  std::vector<double> a(state.q.size()), z_ddot(a.size());
  EXPECT_THROW(static_cast<void>(formulation->accelerate(state, a, z_ddot)), std::out_of_range);
}

TEST(MissingValue, OfADriverIsAStatusOfEveryFormulation_AndASentence) {
  // A second mass, so that something is left to integrate.
  const test::DynamicCase c(
      read("mechanism: two\nplane: xy\nground: {points: {O: [0, 0]}, axes: {u: [1, 0]}}\n"
           "bodies:\n"
           "  led: {mass: 2, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: {u: [1, 0]}}\n"
           "  free: {mass: 1, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: {u: [1, 0]}}\n"
           "joints:\n"
           "  J: {prismatic: [ground.O, led.P], axis: [ground.u, led.u]}\n"
           "  K: {prismatic: [led.P, free.P], axis: [led.u, free.u]}\n"
           "drivers: {motor: {joint: J, position: = sqrt(0.5 - t/1 s)*1 m}}\n"),
      0.25);
  for (const std::string& name : formulation_names()) {
    const auto formulation = make_formulation(name, c.model);
    State state = formulation->start();
    std::vector<double> a(state.q.size()), z(static_cast<std::size_t>(formulation->num_integrated())),
        z_dot(z), z_ddot(z);
    formulation->read(state, z, z_dot);
    DynamicsStatus completed = DynamicsStatus::kSolved, accelerated = DynamicsStatus::kSolved;
    state.t = 0.75;
    EXPECT_NO_THROW(completed = formulation->complete(0.75, z, z_dot, state)) << name;
    EXPECT_NO_THROW(accelerated = formulation->accelerate(state, a, z_ddot)) << name;
    const bool integrates_all = z.size() == a.size();  // then complete() asks no driver
    EXPECT_EQ(completed, integrates_all ? DynamicsStatus::kSolved : DynamicsStatus::kNoValue) << name;
    EXPECT_EQ(accelerated, DynamicsStatus::kNoValue) << name;
    EXPECT_THAT(core::to_sentence(formulation->why_not(state)),
                HasSubstr("the driver's function has no value [driver 'motor']: expected a finite number at "
                          "every time of the run, got "))
        << name;
  }
  EXPECT_FALSE(c.model.why_no_drivers(0.25));
  EXPECT_TRUE(c.model.why_no_drivers(0.75));
  EXPECT_FALSE(c.model.find_driver_jump(0.1, 0.2));
  EXPECT_THAT(core::to_sentence(c.model.find_driver_jump(0.25, 0.75).value()), HasSubstr("has no value"));
}

TEST(MissingValue, OfAForceIsThrownWhereItMustBeHad) {
  const test::DynamicCase c(read(slide(kSpring, "0")));
  const std::string sentence = "a force cannot be computed [spring 's', t = 0 s]: " + kCoincide;
  Reactions reactions(c.model);
  EXPECT_FALSE(reactions.solve(0.0, c.model.start(), {}));
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] { reactions.solve_or_throw(0.0, c.model.start(), {}); }),
            sentence);
  // Its softness is found at the start.
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] { make_formulation("augmented-lagrangian", c.model); }),
            sentence);
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] { ReducedMotion(c.model, {}).start(); }), sentence);
}

TEST(MissingValue, OfAForceIsAStatusOfTheMotionOfFilters) {
  const test::DynamicCase c(read(slide(kSpring)));
  ReducedMotion motion(c.model, {});
  const ReducedPoint start = motion.start();
  ReducedPoint point = start;
  point.z[0] = 0.0;
  ReducedStatus status = ReducedStatus::kSolved;
  EXPECT_NO_THROW(status = motion.solve(0.0, start, point));
  EXPECT_EQ(status, ReducedStatus::kNoValue);
  EXPECT_THAT(core::to_sentence(motion.why_not(point)), HasSubstr("[spring 's', t = 0 s]"));
  // The next point is none the worse for it.
  point.z[0] = 0.1;
  EXPECT_EQ(motion.solve(0.0, start, point), ReducedStatus::kSolved);
}

TEST(MissingValue, OfDerivativesOfAUsersForceLeavesNoTangent) {
  test::DynamicCase c(read(slide("")));
  c.model.add_force([](double, const auto&, std::span<Wrench> wrenches) { wrenches[1].force.x() += 1.0; });
  ReducedMotion motion(c.model, {});
  const ReducedPoint point = motion.start();
  ReducedTangent tangent = motion.make_tangent();
  bool is_known = true;
  EXPECT_NO_THROW(is_known = motion.differentiate(point, tangent));
  EXPECT_FALSE(is_known);
}

TEST(MissingValue, OfAForceIsToldByAReport_AndThrownWhereAnEquilibriumIsAskedFor) {
  test::DynamicCase c(read(slide(kSpring, "0")));
  FreedomChart chart(c.model, FreedomChart::Drivers::kHeld);
  State start;
  ASSERT_EQ(chart.start(0.0, start), ChartStatus::kGood);
  ASSERT_EQ(chart.centre_at(start), ChartStatus::kGood);
  FreedomForces forces;
  EXPECT_EQ(chart.evaluate(chart.centre(), forces), ChartStatus::kNoForce);
  EXPECT_FALSE(chart.force_at(Eigen::VectorXd::Zero(1), Eigen::VectorXd::Zero(1)));
  EquilibriumReport report;
  EXPECT_NO_THROW(report = try_equilibrium(chart, start));
  EXPECT_EQ(report.status, EquilibriumReport::Status::kNoForce);
  EXPECT_FALSE(report.usable());
  const std::string sentence = "a force cannot be computed [spring 's', t = 0 s]: " + kCoincide;
  EXPECT_EQ(core::to_sentence(report.cause), sentence);
  EXPECT_EQ(core::to_sentence(report.error_text(c.mechanism)), sentence);
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] { static_cast<void>(find_equilibrium(chart, start)); }),
            sentence);
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] { search_equilibria(chart, start, {}); }), sentence);
}

TEST(MissingValue, OfAForceSomewhereDoesNotEndASearchThatBeginsElsewhere) {
  const auto missing_below = [](double, const coordinates::MechanismMotion& bodies,
                                std::span<Wrench> wrenches) {
    if (bodies[1].X_WB.p_AB_A.x() < 0.1) wrenches[1].force.x() += std::nan("");
  };
  // One degree of freedom: a curve is followed up to there. Two: some of the starts are beyond it.
  const std::string another =
      "mechanism: slides\nplane: xy\nground: {points: {O: [0, 0]}, axes: {u: [1, 0], v: [0, 1]}}\n"
      "bodies:\n"
      "  a: {mass: 2, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: {u: [1, 0]}}\n"
      "  b: {mass: 1, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: {u: [1, 0]}}\n"
      "joints:\n"
      "  J: {prismatic: [ground.O, a.P], axis: [ground.u, a.u]}\n"
      "  K: {prismatic: [ground.O, b.P], axis: [ground.v, b.u]}\n"
      "springs: {s: {joint: J, stiffness: 10, free_length: 0.5}, t: {joint: K, stiffness: 5, free_length: "
      "0.2}}\n"
      "assembly: {J.q: 0.3, K.q: 0.3}\n";
  for (const std::string& text : {slide(kSpring), another}) {
    test::DynamicCase c(read(text));
    c.model.add_force(missing_below);
    FreedomChart chart(c.model, FreedomChart::Drivers::kHeld);
    State start;
    ASSERT_EQ(chart.start(0.0, start), ChartStatus::kGood);
    EquilibriumSearch search;
    EXPECT_NO_THROW(search = search_equilibria(chart, start, {}));
    ASSERT_EQ(search.found.size(), 1u);
    EXPECT_NEAR(search.found.front().bodies[1].X_WB.p_AB_A.x(), 0.5, 1e-9);
  }
}

}  // namespace
}  // namespace eslabon::dynamics
