// Question: how does a pendulum swing in air, whose drag no element of the mechanism file describes?
// Shows:    a force of one's own as a lambda, a simulation with an event, the energy that is lost.
// Output:   checked by the test `example.how_is_a_force_of_my_own_added`.

#include <cstdio>

#include "eslabon/dynamics/formulations/formulation.hpp"
#include "eslabon/dynamics/mass/energy.hpp"
#include "eslabon/integration/simulation.hpp"
#include "eslabon/model/mechanism_builder.hpp"

using namespace eslabon;

int main() {
  model::MechanismBuilder builder("pendulum in air", model::Space::kPlanar);
  builder.set_gravity({0.0, -9.81, 0.0});
  builder.add_ground_point("O", {0.0, 0.0, 0.0});
  builder.add_body({.name = "bar",
                    .mass = 0.2,
                    .shape = model::Bar{"top", "tip"},
                    .points = {{"top", {0, 0, 0}}, {"tip", {1.0, 0, 0}}}});
  builder.add_joint({"O", model::JointType::kRevolute, "ground.O", "bar.top"});
  const model::Mechanism pendulum = builder.build();

  // It starts where it is described: along x, at rest.
  const double until = 3.0;
  dynamics::DynamicModel model(kinematics::AssembledMechanism::assemble(pendulum));

  // F = −c |v| v at the tip; a wrench acts at the origin of its body.
  const auto bar = std::get<model::BodyIndex>(*pendulum.find("bar")).slot();
  model.add_force([bar](double, const coordinates::MechanismMotion& bodies, std::span<dynamics::Wrench> on) {
    const Eigen::Vector3d tip(1.0, 0.0, 0.0), v = bodies[bar].point_velocity(tip);
    on[bar].add_force(-0.05 * v.norm() * v, bodies[bar].X_WB.R_AB * tip);
  });

  integration::Simulation run(model, dynamics::make_formulation("semi-recursive", model),
                              integration::make_integrator("dopri5"), until);
  run.add_event(
      {.name = "hangs straight down", .g = [bar](double, const coordinates::MechanismMotion& bodies) {
         return bodies[bar].X_WB.R_AB.matrix()(0, 0);
       }});

  coordinates::MechanismMotion bodies(pendulum.bodies().size());
  for (const double t : {0.0, 1.0, 2.0, 3.0}) {
    if (!run.advance_to(t)) return 1;
    run.evaluate_bodies(bodies);
    std::printf("t = %.0f s: energy %.4f J\n", t, dynamics::mechanical_energy(pendulum, bodies));
  }
  for (const integration::LogEntry& entry : run.log())
    std::printf("%s at %.4f s\n", entry.text.c_str(), entry.t);
}
