// The manoeuvres of the quarter vehicle [Seed002] integrated by another program, Simbody 3.7: neither rows, masses, forces, solvers nor
// steps are shared.
#include "tests/oracles/simbody_oracle.hpp"
#include "tests/quarter_vehicle.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/text/number_text.hpp"

namespace eslabon::integration {
namespace {

using coordinates::MechanismMotion;

TEST(QuarterVehicleInSimbody, StartsInEquilibrium) {
  test::DynamicCase c(test::quarter_vehicle());
  test::SimbodyOracle simbody(c.mechanism, c.structure);
  for (const coordinates::BodyMotion& body : simbody.accelerated(c.model.start())) {
    EXPECT_LE(body.a_WB_W.norm(), 1e-9);
    EXPECT_LE(body.alpha_WB_W.norm(), 1e-9);
  }
}

class QuarterVehicleInSimbody : public testing::TestWithParam<std::string> {};

TEST_P(QuarterVehicleInSimbody, MovesAsOursForFiveSeconds) {
  const model::Mechanism mechanism = test::quarter_vehicle({GetParam()});
  const std::vector<double> times = test::vehicle_times();
  test::DynamicCase c(mechanism);
  test::SimbodyOracle simbody(c.mechanism, c.structure);
  const std::vector<MechanismMotion> theirs = simbody.integrated(c.model.start(), times, 1e-10);
  const double stabilised =
      test::largest_distance(test::motions(mechanism, test::by_multipliers_stabilised(1e-10), times), theirs);
  const double semi_recursive =
      test::largest_distance(test::motions(mechanism, test::by_semi_recursion(1e-10), times), theirs);
  RecordProperty("stabilised", core::number_text(stabilised));
  RecordProperty("semi_recursive", core::number_text(semi_recursive));
  EXPECT_GE(test::largest_travel(theirs), 0.019);
  EXPECT_LE(stabilised, test::tolerance_scale() * 1e-8);
  EXPECT_LE(semi_recursive, test::tolerance_scale() * 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Manoeuvres, QuarterVehicleInSimbody, testing::Values("drop=30 mm", "bump=20 mm"),
                         [](const auto& setting) { return test::test_name(setting.param); });

}  // namespace
}  // namespace eslabon::integration
