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
        if (std::string_view(model) == "pairs/cam-flat" && kind == "natural")
          continue;  // chooses others of its coordinates on the way
        test::Way way{.formulation = formulation, .kind = kind, .integrator = GetParam()};
        way.options.step = 1e-3;
        test::SimulatedCase run(test::load_released(model), 0.05, way);
        ASSERT_TRUE(run.advance_to(2e-3));
        bool is_good = false;
        const long count = test::count_allocations([&] { is_good = run.simulation.advance_to(0.05); });
        ASSERT_TRUE(is_good);
        EXPECT_EQ(count, 0) << formulation << " " << kind << " " << model;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, AllocationOf,
                         testing::Values("rk4", "dopri5", "trapezoidal", "generalized-alpha"),
                         [](const auto& name) { return test::test_name(name.param); });

}  // namespace
}  // namespace eslabon::integration
