// Every formulation in every kind of coordinates on the same states: they agree with each other, and with the law of energy.
#include <cmath>
#include <string>
#include <tuple>

#include "tests/dynamic_case.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

namespace eslabon::dynamics {
namespace {

using coordinates::BodyMotion;
using coordinates::MechanismMotion;
using Eigen::Vector3d;

const std::vector<std::string>& models() {
  static const std::vector<std::string> names{"fourbar-testbed",
                                              "fourbar-crank-rocker",
                                              "slider-crank",
                                              "watt-sixbar",
                                              "stephenson-sixbar",
                                              "five-bar",
                                              "andrews-squeezer",
                                              "double-wishbone",
                                              "quarter-vehicle",
                                              "rssr",
                                              "family:scalable-fourbar,dyads=5",
                                              "family:truck-suspension,axles=1"};
  return names;
}

class EveryModel : public testing::TestWithParam<std::string> {};

/// dT/dt of these accelerations: Σ m v_C·a_C + ω·(I α + ω × I ω), and rods.
double kinetic_power(const model::Mechanism& mechanism, const MechanismMotion& motion) {
  double power = 0.0;
  for (std::size_t b = 1; b < motion.size(); ++b) {
    const model::MassProperties& mass = mechanism.bodies()[b].mass_properties;
    if (mass.is_massless()) continue;
    const Eigen::Matrix3d& R = motion[b].X_WB.R_AB.matrix();
    const Eigen::Matrix3d I = R * mass.I_BC_B * R.transpose();
    power +=
        mass.mass * motion[b].point_velocity(mass.p_BC_B).dot(motion[b].point_acceleration(mass.p_BC_B)) +
        motion[b].w_WB_W.dot(I * motion[b].alpha_WB_W);
  }
  return power;
}

// Joints do no work: what the applied forces do is what the motion gains.
TEST_P(EveryModel, PowerOfTheForcesIsTheGrowthOfKineticEnergy) {
  test::DynamicCase c(test::load_released(GetParam()));
  const MechanismMotion moving = test::random_motion(c.model, 3);
  const auto formulation = make_formulation("multipliers", c.model, {.kind = "reference-point"});
  const MechanismMotion motion = test::accelerated(*formulation, moving);
  std::vector<Wrench> wrenches(motion.size());
  std::vector<double> angles(static_cast<std::size_t>(c.model.forces().num_angles()), 0.0);
  c.model.forces().evaluate(0.0, motion, angles, wrenches);
  double power = 0.0, size = 0.0;
  for (std::size_t b = 1; b < motion.size(); ++b) {
    const double part = wrenches[b].force.dot(motion[b].v_WB_W) + wrenches[b].torque.dot(motion[b].w_WB_W);
    power += part;
    size += std::abs(part);
  }
  const double growth = kinetic_power(c.mechanism, motion);
  EXPECT_NEAR(growth, power, 1e-9 * (size + 1.0));
}

TEST_P(EveryModel, AllFormulationsInAllCoordinatesAgree) {
  test::DynamicCase c(test::load_released(GetParam()));
  for (const std::uint64_t seed : {1u, 2u}) {
    const MechanismMotion moving = test::random_motion(c.model, seed);
    MechanismMotion expected;
    double size = 1.0;
    for (const std::string& name : formulation_names()) {
      std::vector<std::string> kinds = coordinate_kinds(name);
      if (kinds.empty()) kinds.push_back("natural");
      for (const std::string& kind : kinds) {
        // Idle spins and inputs that are no variables: the formulation by groups does not have them yet.
        const bool is_refused =
            name == "groups" && (GetParam() == "rssr" || GetParam().starts_with("family:truck"));
        if (is_refused) {
          EXPECT_THROW(make_formulation(name, c.model, {.kind = kind}), core::ModelError);
          continue;
        }
        const auto formulation = make_formulation(name, c.model, {.kind = kind});
        const MechanismMotion motion = test::accelerated(*formulation, moving);
        if (expected.empty()) {
          expected = motion;
          for (const BodyMotion& body : motion)
            size = std::max({size, body.a_WB_W.norm(), body.alpha_WB_W.norm()});
        }
        for (std::size_t b = 1; b < motion.size(); ++b) {
          EXPECT_LE((motion[b].X_WB.p_AB_A - expected[b].X_WB.p_AB_A).norm(), 1e-10) << name << " " << kind;
          EXPECT_LE((motion[b].w_WB_W - expected[b].w_WB_W).norm(), 1e-9 * (1.0 + expected[b].w_WB_W.norm()));
          EXPECT_LE((motion[b].a_WB_W - expected[b].a_WB_W).norm(), 1e-9 * size)
              << name << " " << kind << " " << c.mechanism.bodies()[b].name;
          EXPECT_LE((motion[b].alpha_WB_W - expected[b].alpha_WB_W).norm(), 1e-9 * size)
              << name << " " << kind << " " << c.mechanism.bodies()[b].name;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(models()),
                         [](const auto& model) { return test::test_name(model.param); });

}  // namespace
}  // namespace eslabon::dynamics
