// Whoever is made from a model keeps it: what a function returns goes on when all that it was made from is out of scope.
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "eslabon/eslabon.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon {
namespace {

using dynamics::DynamicModel;
using integration::Simulation;
using kinematics::AssembledMechanism;

model::Mechanism testbed() {
  return io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/fourbar-testbed.yaml");
}

Simulation testbed_run(const DynamicModel& model) {
  return {model, dynamics::make_formulation("null-space", model), integration::make_integrator("dopri5"),
          1.0};
}

Simulation forgetful_run() {
  const DynamicModel model(AssembledMechanism::assemble(testbed()));
  return testbed_run(model);
}

TEST(Ownership, OfARunIsItsOwn_EvenWhenItIsMoved) {
  const DynamicModel model(AssembledMechanism::assemble(testbed()));
  Simulation expected = testbed_run(model), first = forgetful_run();
  ASSERT_TRUE(expected.advance_to(1.0));
  ASSERT_TRUE(first.advance_to(0.4));
  Simulation run = std::move(first);
  ASSERT_TRUE(run.advance_to(1.0));
  EXPECT_EQ(run.point().state.q, expected.point().state.q);
}

TEST(Ownership, OfARecorderIsItsOwn) {
  const auto recorder = std::make_unique<integration::Recorder>(AssembledMechanism::assemble(testbed()));
  Simulation run = forgetful_run();
  coordinates::MechanismMotion bodies(testbed().bodies().size());
  run.evaluate_bodies(bodies);
  EXPECT_EQ(recorder->record(0.0, bodies, 0.0).size(), testbed().outputs().size() + 2);
}

TEST(Ownership, OfAnInstrumentAndAFilterIsTheirOwn) {
  const auto filter = [] {
    const model::Mechanism mechanism = testbed();
    const DynamicModel model(AssembledMechanism::assemble(model::without_drivers(mechanism, {"motor"})));
    const model::Sensor& sensor = mechanism.sensors().front();
    const std::shared_ptr<const sensing::Instrument> instrument = sensing::make_instrument(model, sensor);
    const auto system = std::make_shared<estimation::MechanismSystem>(
        model,
        std::vector<estimation::FilterSensor>{{instrument, sensing::sensor_facts(sensor, *instrument)}},
        estimation::MechanismSystemOptions{.noise = {.velocity = 0.01}});
    std::unique_ptr<estimation::Estimator> made = estimation::make_estimator("dekf", system);
    EXPECT_TRUE(made->start(0.0, system->start_state(), system->start_covariance(0.1, 0.1)));
    return made;
  }();
  EXPECT_TRUE(filter->predict(0.01));
}

TEST(Ownership, OfAForceIsThatOfTheModelItWasAddedTo) {
  DynamicModel pushed(AssembledMechanism::assemble(testbed()));
  const DynamicModel before = pushed;
  pushed.add_force(
      [](double, const auto&, std::span<dynamics::Wrench> wrenches) { wrenches[1].force.x() += 1.0; });
  EXPECT_EQ(&before.mechanism(), &pushed.mechanism());
  EXPECT_NE(&before.forces(), &pushed.forces());
}

// The speed of the driver is a function of time, which nobody prepared: two threads ask the same model for its position.
TEST(Ownership, OfDriversIsSharedByThreads) {
  const DynamicModel model(AssembledMechanism::assemble(
      io::read_mechanism("mechanism: m\nplane: xy\nground: {points: {O: [0, 0]}}\n"
                         "bodies: {bar: {mass: 1, shape: {bar: [O, P]}, points: {O: [0, 0], P: [1, 0]}}}\n"
                         "joints: {O: {revolute: [ground.O, bar.O]}}\n"
                         "drivers: {motor: {joint: O, speed: \"= 1 rad/s*(2 + sin(t/1 s))\", start: 0}}\n",
                         "m.yaml")));
  std::vector<double> found(2);
  {
    std::vector<std::jthread> threads;
    for (double& last : found)
      threads.emplace_back([&] {
        std::vector<coordinates::CoordinateValue> values(1);
        for (int k = 0; k <= 300; ++k) model.evaluate_drivers_or_throw(0.1 * k, values);
        last = values[0].position;
      });
  }
  EXPECT_EQ(found[0], found[1]);
  EXPECT_NEAR(found[0], 60.0 + 1.0 - std::cos(30.0), 1e-12);
}

}  // namespace
}  // namespace eslabon
