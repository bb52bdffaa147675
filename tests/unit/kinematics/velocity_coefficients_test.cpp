#include "eslabon/kinematics/groups/velocity_coefficients.hpp"

#include <array>
#include <string>

#include "tests/driven_run.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/scalar/dual.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/kinematics/global/kinematic_solver.hpp"

namespace eslabon::kinematics {
namespace {

using coordinates::CoordinateValue;

/// n bars on each other, each with a motor, and a dyad from the last one's tip back to the ground.
std::string driven_chain(int n) {
  std::string points, bodies, joints, drivers, before = "ground.O";
  for (int i = 1; i <= n; ++i) {
    const std::string name = "bar" + std::to_string(i);
    bodies += "  " + name + ": {points: {O: [0, 0], P: [0.3, 0.0" + std::to_string(i % 10) + "]}}\n";
    joints += "  J" + std::to_string(i) + ": {revolute: [" + before + ", " + name + ".O]}\n";
    drivers +=
        "  m" + std::to_string(i) + ": {joint: J" + std::to_string(i) + ", speed: 0.2 rad/s, start: 0.1}\n";
    before = name + ".P";
  }
  return "mechanism: chain\nplane: xy\nground: {points: {O: [0, 0], B: [0.5, -1]}}\nbodies:\n" + bodies +
         "  one: {points: {P: [0, 0], C: [2.5, 0.1]}}\n  two: {points: {P: [0, 0], C: [2.2, 0]}}\njoints:\n" +
         joints + "  P: {revolute: [" + before +
         ", one.P]}\n  C: {revolute: [one.C, two.C]}\n  B: {revolute: [ground.B, two.P]}\n" + "drivers:\n" +
         drivers + "assembly: {one.angle: -0.5, two.angle: 0.8}\n";
}

/// A driven mechanism, its groups and their coefficients where it starts.
template <class Link>
struct CoefficientRun {
  explicit CoefficientRun(const model::Mechanism& mechanism_)
      : mechanism(mechanism_),
        structure(structure::analyse_structure(mechanism)),
        assembly(assemble(mechanism, structure)),
        driven(mechanism, structure, assembly),
        groups(driven),
        at(groups.start()),
        workspace(groups.make_workspace()),
        inputs(driven.prescribed().size()),
        finder(groups) {
    driven.evaluate_or_throw(0.0, inputs);
    EXPECT_TRUE(find());
  }
  bool find() { return !finder.find(inputs, at, workspace); }
  int num_inputs() const { return static_cast<int>(mechanism.drivers().size()); }

  model::Mechanism mechanism;
  structure::Structure structure;
  AssemblyReport assembly;
  DrivenMechanism driven;
  GroupKinematics<Link> groups;
  typename GroupKinematics<Link>::Solution at;
  typename GroupKinematics<Link>::Workspace workspace;
  std::vector<CoordinateValue> inputs;
  VelocityCoefficientFinder<Link> finder;
  const VelocityCoefficients& coefficients = finder.coefficients();
};

// The other side is the global method: constraint rows, their Jacobian and gamma.
template <class Link>
void expect_global_rates(const model::Mechanism& mechanism, int inputs) {
  CoefficientRun<Link> run(mechanism);
  ASSERT_EQ(run.num_inputs(), inputs);
  KinematicSolver global("global", "reference-point", run.driven);
  core::Rng rng(5);
  for (int k = 0; k < 50; ++k) {
    Eigen::VectorXd z_dot(inputs), z_ddot(inputs);
    std::vector<CoordinateValue> values = run.inputs;
    for (int i = 0; i < inputs; ++i) {
      z_dot[i] = rng.normal();
      z_ddot[i] = rng.normal();
      CoordinateValue& value = values[static_cast<std::size_t>(i)];
      value = {value.position, z_dot[i], z_ddot[i]};
    }
    State state = global.start();
    const PositionSolution solved = global.solve_positions(values, 20, state.q);
    ASSERT_TRUE(solved.position);
    const SolvedVelocity velocity = global.solve_velocities(*solved.position, state.v);
    global.solve_accelerations(velocity, values, state.q, state.v, state.a);
    coordinates::MechanismMotion bodies(run.mechanism.bodies().size());
    global.evaluate_bodies(state, bodies);
    const Eigen::VectorXd v = run.coefficients.velocities(z_dot),
                          a = run.coefficients.accelerations(z_dot, z_ddot);
    for (std::size_t l = 1; l < run.at.links.size(); ++l) {
      const Link should = Link::from_body_motion(bodies[run.structure.topology.links[l].front().slot()]);
      const Eigen::Index c = Link::kFreedoms * static_cast<Eigen::Index>(l - 1);
      EXPECT_LE((v.segment<Link::kFreedoms>(c) - should.velocity()).norm(),
                1e-11 * (1.0 + should.velocity().norm()));
      EXPECT_LE((a.segment<Link::kFreedoms>(c) - should.acceleration()).norm(),
                1e-11 * (10.0 + should.acceleration().norm()));
    }
  }
}

// L is the derivative of K; in space, where ω is no derivative, its symmetric part.
template <class Link>
void expect_differences(const model::Mechanism& mechanism) {
  CoefficientRun<Link> run(mechanism);
  const VelocityCoefficients at = run.coefficients;
  const double h = test::central_step(1.0);
  std::vector<Eigen::MatrixXd> derivative;
  for (int i = 0; i < run.num_inputs(); ++i) {
    double& z = run.inputs[static_cast<std::size_t>(i)].position;
    const double middle = z;
    z = middle + h;
    ASSERT_TRUE(run.find());
    const Eigen::MatrixXd ahead = run.coefficients.K;
    z = middle - h;
    ASSERT_TRUE(run.find());
    derivative.push_back((ahead - run.coefficients.K) / (2.0 * h));
    z = middle;
  }
  for (std::size_t i = 0; i < derivative.size(); ++i)
    for (std::size_t j = 0; j < derivative.size(); ++j) {
      const Eigen::VectorXd symmetric = 0.5 * (derivative[i].col(static_cast<Eigen::Index>(j)) +
                                               derivative[j].col(static_cast<Eigen::Index>(i)));
      EXPECT_LE((symmetric - at.L[i].col(static_cast<Eigen::Index>(j))).cwiseAbs().maxCoeff(),
                test::central_tolerance(h, 1000.0));
    }
}

struct InputsCase {
  std::string name;
  int inputs;
  bool is_planar;
  std::string model;  ///< "": a driven chain
};
void PrintTo(const InputsCase& c, std::ostream* out) { *out << c.name; }

class Inputs : public testing::TestWithParam<InputsCase> {
 protected:
  static model::Mechanism mechanism() {
    if (GetParam().model.empty()) return io::read_mechanism(driven_chain(GetParam().inputs), "chain.yaml");
    if (GetParam().model.starts_with("family:")) return io::load_model(GetParam().model, {});
    return io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/" + GetParam().model, {});
  }
};

TEST_P(Inputs, FormsInTheInputsEqualTheGlobalVelocitiesAndAccelerations) {
  if (GetParam().is_planar)
    expect_global_rates<PlanarLink>(mechanism(), GetParam().inputs);
  else
    expect_global_rates<SpatialLink>(mechanism(), GetParam().inputs);
}

TEST_P(Inputs, LIsTheDerivativeOfK) {
  if (GetParam().is_planar)
    expect_differences<PlanarLink>(mechanism());
  else
    expect_differences<SpatialLink>(mechanism());
}

INSTANTIATE_TEST_SUITE_P(
    Number, Inputs,
    testing::Values(InputsCase{"one", 1, true, "watt-sixbar.yaml"},
                    InputsCase{"one_in_space", 1, false, "rssr.yaml"},
                    InputsCase{"two", 2, true, "five-bar.yaml"},
                    InputsCase{"two_in_space", 2, false, "family:truck-suspension,axles=1"},
                    InputsCase{"five", 5, true, ""}, InputsCase{"ten", 10, true, ""},
                    InputsCase{"ten_in_space", 10, false, "family:truck-suspension,axles=5"}),
    [](const auto& c) { return c.param.name; });

INSTANTIATE_TEST_SUITE_P(
    HigherPairsAndCouplings, Inputs,
    testing::Values(InputsCase{"slot", 1, true, "pairs/scotch-yoke.yaml"},
                    InputsCase{"slot_of_a_rocker", 1, true, "pairs/whitworth.yaml"},
                    InputsCase{"circular_slot", 1, true, "pairs/arc-four-bar.yaml"},
                    InputsCase{"rolling", 1, true, "pairs/cycloid.yaml"},
                    InputsCase{"rolling_in_a_circle", 1, true, "pairs/cardan-circles.yaml"},
                    InputsCase{"point_on_curve", 1, true, "pairs/cam-roller.yaml"},
                    InputsCase{"curve_on_line", 1, true, "pairs/cam-flat.yaml"},
                    InputsCase{"curve_on_curve", 1, true, "pairs/involute-teeth.yaml"},
                    InputsCase{"follower", 1, true, "disc-cam.yaml"},
                    InputsCase{"gears", 2, true, "planetary-gearbox.yaml"},
                    InputsCase{"belt", 2, true, "scara-with-belt.yaml"},
                    InputsCase{"point_on_plane", 1, false, "pairs/swash-plate.yaml"},
                    InputsCase{"point_on_line", 1, false, "pairs/ball-in-groove.yaml"},
                    InputsCase{"point_on_curve_in_space", 1, false, "pairs/barrel-cam.yaml"}),
    [](const auto& c) { return c.param.name; });

// The axles of the truck share nothing: one party for the left wheels, one for the right ones.
TEST(VelocityCoefficients, InputsThatNeverMoveACommonLinkAreSentTogether) {
  EXPECT_EQ(
      CoefficientRun<SpatialLink>(io::load_model("family:truck-suspension,axles=5", {})).finder.num_parties(),
      2);
  EXPECT_EQ(
      CoefficientRun<PlanarLink>(io::read_mechanism(driven_chain(5), "chain.yaml")).finder.num_parties(), 5);
}

using D2 = core::Dual<core::Dual<double>>;

/// The pin C of the driven chain's dyad by the intersection of circles.
std::array<D2, 2> circle_intersection(const std::vector<D2>& z) {
  D2 angle(0.0), x(0.0), y(0.0);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double across = 0.01 * static_cast<double>((i + 1) % 10);
    angle = angle + z[i];
    const D2 c = cos(angle), s = sin(angle);
    x = x + 0.3 * c - across * s;
    y = y + 0.3 * s + across * c;
  }
  const D2 dx = 0.5 - x, dy = -1.0 - y, square = dx * dx + dy * dy;
  const double one = 2.5 * 2.5 + 0.1 * 0.1, two = 2.2 * 2.2;
  const D2 along = 0.5 + 0.5 * (one - two) / square, left = sqrt(one / square - along * along);
  return {x + along * dx - left * dy, y + along * dy + left * dx};
}

class Chain : public testing::TestWithParam<int> {};

// Second derivatives of the closed form by dual numbers: they share nothing with the groups.
TEST_P(Chain, CoefficientsOfTheDyadsPinEqualDualNumbers) {
  const int n = GetParam();
  CoefficientRun<PlanarLink> run(io::read_mechanism(driven_chain(n), "chain.yaml"));
  const auto body = std::get<model::BodyIndex>(*run.mechanism.find("one"));
  const std::size_t link = run.structure.topology.link_of(body).slot();
  const PlanarVector r = run.at.links[link].direction({2.5, 0.1});
  const auto c = static_cast<Eigen::Index>(3 * (link - 1));
  const VelocityCoefficients& is = run.coefficients;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      std::vector<D2> z;
      for (int k = 0; k < n; ++k)
        z.emplace_back(
            core::Dual<double>(run.inputs[static_cast<std::size_t>(k)].position, k == i ? 1.0 : 0.0),
            core::Dual<double>(k == j ? 1.0 : 0.0, 0.0));
      const auto [x, y] = circle_intersection(z);
      const PlanarVector C = run.at.links[link].position({2.5, 0.1});
      ASSERT_NEAR(C.x, x.value.value, 1e-12);
      ASSERT_NEAR(C.y, y.value.value, 1e-12);
      const double wi = is.K(c + 2, i), wj = is.K(c + 2, j);
      const Eigen::MatrixXd& L = is.L[static_cast<std::size_t>(i)];
      EXPECT_NEAR(is.K(c, i) - wi * r.y, x.value.derivative, test::tolerance_scale() * 1e-11);
      EXPECT_NEAR(is.K(c + 1, i) + wi * r.x, y.value.derivative, test::tolerance_scale() * 1e-11);
      EXPECT_NEAR(L(c, j) - L(c + 2, j) * r.y - wi * wj * r.x, x.derivative.derivative,
                  test::tolerance_scale() * 1e-11);
      EXPECT_NEAR(L(c + 1, j) + L(c + 2, j) * r.x - wi * wj * r.y, y.derivative.derivative,
                  test::tolerance_scale() * 1e-11);
    }
}

INSTANTIATE_TEST_SUITE_P(Number, Chain, testing::Values(1, 2, 5, 10));

}  // namespace
}  // namespace eslabon::kinematics
