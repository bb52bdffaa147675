// Question: where is a pendulum, when all that is known of it is how bright a lamp at its tip looks?
// Shows:    a sensor of one's own as a function, and a filter that uses it.
// Output:   checked by the test `example.how_is_a_sensor_of_my_own_added`.

#include <cmath>
#include <cstdio>
#include <limits>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/dynamics/formulations/formulation.hpp"
#include "eslabon/estimation/estimator.hpp"
#include "eslabon/estimation/mechanism/mechanism_system.hpp"
#include "eslabon/integration/simulation.hpp"
#include "eslabon/model/mechanism_builder.hpp"

using namespace eslabon;

int main() {
  model::MechanismBuilder builder("pendulum with a lamp", model::Space::kPlanar);
  builder.set_gravity({0.0, -9.81, 0.0});
  builder.add_ground_point("O", {0.0, 0.0, 0.0});
  builder.add_body({.name = "bar",
                    .mass = 0.2,
                    .shape = model::Bar{"top", "tip"},
                    .points = {{"top", {0, 0, 0}}, {"tip", {1.0, 0, 0}}}});
  builder.add_joint({"O", model::JointType::kRevolute, "ground.O", "bar.top"});
  const model::Mechanism pendulum = builder.build();
  const double until = 2.0, h = 0.01;
  const dynamics::DynamicModel model(kinematics::AssembledMechanism::assemble(pendulum));

  // What an eye at (1, −2) sees: 1/d². The function is read with plain and with dual numbers, so that its derivatives are exact.
  const auto bar = std::get<model::BodyIndex>(*pendulum.find("bar")).slot();
  const std::shared_ptr<const sensing::Instrument> eye = sensing::make_instrument(
      {{.name = "brightness", .dimension = core::kNumber / core::kArea, .noise = 0.005}},
      [bar](const auto& scene, auto brightness) {
        const auto tip = scene.bodies[bar].point_position({1.0, 0.0, 0.0});
        const auto x = tip.x() - 1.0, y = tip.y() + 2.0;
        brightness[0] = 1.0 / (x * x + y * y);
      });

  // The filter begins 20 degrees off.
  estimation::MechanismSystem system(model, {{eye, {"eye", eye->channels(), {}}}},
                                     {.noise = {.velocity = 0.01}});
  const auto filter = estimation::make_estimator("error-ekf", system);
  Eigen::VectorXd x = system.start_state();
  x[0] += 0.35;
  if (!filter->start(0.0, x, system.start_covariance(0.4, 0.1))) return 1;

  integration::Simulation truth(model, dynamics::make_formulation("semi-recursive", model),
                                integration::make_integrator("dopri5"), until);
  coordinates::MechanismMotion bodies(pendulum.bodies().size());
  const dynamics::ForceMemory memory = model.forces().empty_memory();
  core::Rng rng(1);
  for (int k = 1; k <= 200; ++k) {
    if (!truth.advance_to(h * k) || !filter->predict(h)) return 1;
    truth.evaluate_bodies(bodies);
    Eigen::VectorXd reading(1);
    eye->read(sensing::Scene<double>{h * k, bodies, memory}, {reading.data(), 1});
    reading[0] += eye->channels()[0].noise * rng.normal();
    if (filter->update(0, reading, std::numeric_limits<double>::infinity()).status !=
        estimation::UpdateReport::Status::kAccepted)
      return 1;
    if (k != 10 && k % 50 != 0) continue;
    const Eigen::Matrix3d& R = bodies[bar].X_WB.R_AB.matrix();
    const double degree = std::acos(-1.0) / 180.0, angle = std::atan2(R(1, 0), R(0, 0));
    std::printf("t = %.2f s: angle %6.1f deg, estimated %6.1f, deviation %.1f\n", h * k, angle / degree,
                filter->mean()[0] / degree, std::sqrt(filter->covariance()(0, 0)) / degree);
  }
}
