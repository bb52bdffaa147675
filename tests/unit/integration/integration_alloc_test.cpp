// After the first step a run with a fixed step takes nothing from the heap, with every formulation in every kind of coordinates.
#include <string>

#include "tests/allocation_counter.hpp"
#include "tests/simulated_case.hpp"
#include "tests/test_name.hpp"
#include <gtest/gtest.h>

namespace eslabon::integration {
namespace {

class AllocationOf : public testing::TestWithParam<std::string> {};

TEST_P(AllocationOf, StepsTakeNothingFromTheHeap) {
  if (!test::kCanCountAllocations) GTEST_SKIP() << "no glibc, or a sanitizer";
  for (const std::string& formulation : dynamics::formulation_names()) {
    std::vector<std::string> kinds = dynamics::coordinate_kinds(formulation);
    if (kinds.empty()) kinds.emplace_back();
    for (const std::string& kind : kinds)
      for (const std::string model : {"fourbar-testbed",      "slider-crank",
                                      "quarter-vehicle",      "pairs/disc-on-incline",
                                      "pairs/arc-four-bar",   "pairs/ball-in-groove",
                                      "pairs/cam-roller",     "pairs/cam-flat",
                                      "pairs/involute-teeth", "disc-cam",
                                      "screw-press-helical",  "pairs/cylinder-in-cylinder",
                                      "pairs/whitworth",      "pairs/swash-plate",
                                      "planetary-gearbox",    "differential",
                                      "pairs/tipper",         "pairs/bead-on-helix",
                                      "pairs/barrel-cam",     "rolling/disc",
                                      "rolling/bicycle"}) {
        if (std::string_view(model).starts_with("rolling/") && !test::rolls(formulation)) continue;
        if (std::string_view(model) == "pairs/tipper" && formulation == "augmented-lagrangian")
          continue;  // no rigid stops
        test::Way way{.formulation = formulation, .kind = kind, .integrator = GetParam()};
        way.options.step = 1e-3;
        test::SimulatedCase run(test::load_released(model), 0.05, way);
        ASSERT_TRUE(run.advance_to(2e-3));
        // A formulation that takes other coordinates makes new patterns, and the run tells it: the steps before and after count.
        long count = 0;
        for (int k = 3; k <= 50; ++k) {
          const std::size_t told = run.simulation.log().size();
          bool is_good = false;
          const long taken = test::count_allocations([&] { is_good = run.simulation.advance_to(1e-3 * k); });
          ASSERT_TRUE(is_good);
          if (run.simulation.log().size() == told) count += taken;
        }
        EXPECT_EQ(count, 0) << formulation << " " << kind << " " << model;
        EXPECT_LE(run.simulation.log().size(), 3U) << formulation << " " << kind << " " << model;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, AllocationOf,
                         testing::Values("rk4", "abm4", "dopri5", "trapezoidal", "generalized-alpha"),
                         [](const auto& name) { return test::test_name(name.param); });

}  // namespace
}  // namespace eslabon::integration
