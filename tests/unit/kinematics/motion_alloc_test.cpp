// After the first steps a run takes nothing from the heap, in every kind of coordinates and by both methods.
#include <string>

#include "tests/allocation_counter.hpp"
#include "tests/driven_run.hpp"
#include <gtest/gtest.h>

#include "eslabon/io/mechanism/model_source.hpp"

namespace eslabon::kinematics {
namespace {

class AllocationInEveryWay : public test::EveryWay {};

TEST_P(AllocationInEveryWay, StepsTakeNothingFromTheHeap) {
  if (!test::kCanCountAllocations) GTEST_SKIP() << "no glibc, or a sanitizer";
  struct Case {
    std::string model;
    double step;
    int steps;
  };
  const Case cases[] = {{std::string(ESLABON_SOURCE_DIR) + "/models/fourbar-testbed.yaml", 0.05, 100},
                        {std::string(ESLABON_SOURCE_DIR) + "/models/rssr.yaml", 0.01, 100},
                        {std::string(ESLABON_SOURCE_DIR) + "/models/pairs/whitworth.yaml", 0.02, 100},
                        {std::string(ESLABON_SOURCE_DIR) + "/models/pairs/swash-plate.yaml", 0.005, 100},
                        {std::string(ESLABON_SOURCE_DIR) + "/models/planetary-gearbox.yaml", 0.02, 100},
                        {std::string(ESLABON_SOURCE_DIR) + "/models/disc-cam.yaml", 0.02, 100},
                        {"family:truck-suspension,axles=1", 0.05, 50},
                        {"family:scalable-fourbar,dyads=17", 0.05, 130}};
  for (const Case& c : cases) {
    test::DrivenRun run(io::load_model(c.model, {}), c.step * (c.steps + 2), method(), kind());
    ASSERT_TRUE(run.advance_to(c.step));
    long count = 0;
    for (int k = 2; k < c.steps; ++k) {
      bool is_good = false;
      count += test::count_allocations([&] { is_good = run.advance_to(c.step * k); });
      ASSERT_TRUE(is_good);
    }
    // The sparse solver may look for new pivots when the old ones are bad; these motions give it no reason.
    EXPECT_EQ(count, 0) << c.model;
  }
}

// The speed of the driver is a function of time: its panels are there before the run starts, those of the last instant too.
TEST(Allocation, OfDriversIsDoneBeforeTheRun) {
  if (!test::kCanCountAllocations) GTEST_SKIP() << "no glibc, or a sanitizer";
  const model::TimeFunction t = model::TimeFunction::time();
  const DriverMotion driver({.name = "crank",
                             .target = {model::VariableKind::kJointPosition, model::JointIndex(0)},
                             .level = model::DriverLevel::kSpeed,
                             .function = 1 + sin(t),
                             .start = std::nullopt,
                             .start_speed = std::nullopt},
                            0.0);
  driver.prepare(100.0);
  double sum = 0.0;
  EXPECT_EQ(test::count_allocations([&] {
              for (int k = 0; k <= 1000; ++k) sum += driver.value_at(0.1 * k).position;
            }),
            0);
  EXPECT_GT(sum, 0.0);
}

INSTANTIATE_TEST_SUITE_P(Ways, AllocationInEveryWay, test::every_way(), test::way_name);

}  // namespace
}  // namespace eslabon::kinematics
