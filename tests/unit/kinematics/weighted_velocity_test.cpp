// Half the square of the weighted velocities is the kinetic energy.
#include "eslabon/kinematics/assembly/weighted_velocity.hpp"

#include <string>

#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/dynamics/mass/energy.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/model_source.hpp"

namespace eslabon::kinematics {
namespace {

model::Mechanism with_rod() {
  return io::read_mechanism(
      "mechanism: rod with mass\nground: {points: {O: [0, 0, 0]}}\nbodies:\n"
      "  a: {mass: 3, center_of_mass: [0.1, 0.2, -0.3], inertia: [2, 3, 4, 0.1, -0.2, 0.3], "
      "points: {O: [0, 0, 0], P: [1, 2, 3]}}\n  b: {points: {P: [0.5, 0, 0]}}\n"
      "joints: {A: {spherical: [ground.O, a.O]}, B: {free: [ground.O, b.P]}, R: {rod: [a.P, b.P], length: 4, "
      "mass: 5}}\n",
      "m.yaml");
}

// crosscheck: any motion, fitting the joints or not; bodies with products of inertia, and rods with mass.
TEST(WeightedVelocity, HalfItsSquareIsTheKineticEnergy) {
  core::Rng rng(7);
  for (const model::Mechanism& mechanism :
       {io::load_model("family:truck-suspension,axles=2", {}), with_rod()}) {
    SCOPED_TRACE(mechanism.name());
    const auto draw = [&] { return Eigen::Vector3d(rng.normal(), rng.normal(), rng.normal()); };
    coordinates::MechanismMotion motion(mechanism.bodies().size());
    for (std::size_t b = 1; b < motion.size(); ++b)
      motion[b] = {.X_WB = {core::Rotation<double>::from_rotation_vector(draw()), draw()},
                   .w_WB_W = draw(),
                   .v_WB_W = draw()};
    const WeightedVelocity weighted(mechanism);
    const double T = dynamics::kinetic_energy(mechanism, motion);
    ASSERT_GT(T, 0.0);
    EXPECT_NEAR(0.5 * weighted.of(motion).squaredNorm(), T, test::roundoff(1000.0, T));
  }
}

}  // namespace
}  // namespace eslabon::kinematics
