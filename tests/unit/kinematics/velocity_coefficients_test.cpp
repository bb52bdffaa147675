#include "eslabon/kinematics/velocity_coefficients.hpp"

#include <string>

#include "tests/driven_run.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/rng.hpp"
#include "eslabon/io/mechanism_reader.hpp"
#include "eslabon/io/model_source.hpp"

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

class Inputs : public testing::TestWithParam<int> {
 protected:
  static model::Mechanism mechanism(int inputs) {
    const std::string models = std::string(ESLABON_SOURCE_DIR) + "/models/";
    if (inputs == 1) return io::load_model(models + "watt-sixbar.yaml", {});
    if (inputs == 2) return io::load_model(models + "five-bar.yaml", {});
    return io::read_mechanism(driven_chain(inputs), "chain.yaml");
  }
};

// The other side is the global method: constraint rows, their Jacobian and gamma.
TEST_P(Inputs, FormsInTheInputsEqualTheGlobalVelocitiesAndAccelerations) {
  const int n = GetParam();
  const model::Mechanism model = mechanism(n);
  const structure::Structure structure = structure::analyse_structure(model);
  const AssemblyReport assembly = assemble(model, structure);
  ASSERT_TRUE(assembly.usable()) << assembly.brief();
  const DrivenMechanism driven(model, structure, assembly, 1.0);
  ASSERT_EQ(static_cast<int>(driven.prescribed().size()), n);
  const GroupKinematics groups(driven);
  KinematicSolver global("global", "reference-point", driven);
  std::vector<PlanarLink> links = groups.start();
  const auto coefficients = find_velocity_coefficients(groups, assembly.driver_starts, links);
  ASSERT_TRUE(coefficients);
  core::Rng rng(5);
  for (int k = 0; k < 50; ++k) {
    Eigen::VectorXd z_dot(n), z_ddot(n);
    std::vector<CoordinateValue> values;
    for (int i = 0; i < n; ++i) {
      z_dot[i] = rng.normal();
      z_ddot[i] = rng.normal();
      values.push_back({assembly.driver_starts[static_cast<std::size_t>(i)], z_dot[i], z_ddot[i]});
    }
    State state = global.start();
    ASSERT_TRUE(global.solve_positions(values, 20, state.q).is_converged);
    global.solve_velocities(state.v);
    global.solve_accelerations(values, state.q, state.v, state.a);
    coordinates::MechanismMotion bodies(model.bodies().size());
    coordinates::BodiesWorkspace workspace;
    global.system().evaluate_bodies(state.q, state.v, state.a, workspace, bodies);
    const Eigen::VectorXd v = coefficients->velocities(z_dot), a = coefficients->accelerations(z_dot, z_ddot);
    for (std::size_t l = 1; l < links.size(); ++l) {
      const coordinates::BodyMotion& body = bodies[structure.topology.links[l].front().slot()];
      const auto c = static_cast<Eigen::Index>(3 * (l - 1));
      EXPECT_NEAR(v[c], body.v_WB_W.x(), 1e-11 * (1.0 + body.v_WB_W.norm()));
      EXPECT_NEAR(v[c + 2], body.w_WB_W.z(), 1e-11 * (1.0 + body.w_WB_W.norm()));
      EXPECT_NEAR(a[c + 1], body.a_WB_W.y(), 1e-11 * (10.0 + body.a_WB_W.norm()));
      EXPECT_NEAR(a[c + 2], body.alpha_WB_W.z(), 1e-11 * (10.0 + body.alpha_WB_W.norm()));
    }
  }
}

TEST_P(Inputs, LIsTheDerivativeOfK) {
  const int n = GetParam();
  const model::Mechanism model = mechanism(n);
  const structure::Structure structure = structure::analyse_structure(model);
  const AssemblyReport assembly = assemble(model, structure);
  const DrivenMechanism driven(model, structure, assembly, 1.0);
  const GroupKinematics groups(driven);
  std::vector<PlanarLink> links = groups.start();
  std::vector<double> z = assembly.driver_starts;
  const auto at = find_velocity_coefficients(groups, z, links);
  const double h = test::central_step(1.0);
  for (int i = 0; i < n; ++i) {
    std::vector<double> ahead = z, behind = z;
    ahead[static_cast<std::size_t>(i)] += h;
    behind[static_cast<std::size_t>(i)] -= h;
    const Eigen::MatrixXd difference = (find_velocity_coefficients(groups, ahead, links)->K -
                                        find_velocity_coefficients(groups, behind, links)->K) /
                                       (2.0 * h);
    EXPECT_LE((difference - at->L[static_cast<std::size_t>(i)]).cwiseAbs().maxCoeff(),
              test::central_tolerance(h, 1000.0));
  }
}

INSTANTIATE_TEST_SUITE_P(Number, Inputs, testing::Values(1, 2, 5, 10));

}  // namespace
}  // namespace eslabon::kinematics
