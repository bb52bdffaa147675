#include "benchmarks/tables/dynamics_table.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace eslabon::benchmarks;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// Two formulations, one rival; groups take 0.1 µs per dyad, semi-recursive dyads^1.5 µs.
DynamicsTable made_up() {
  DynamicsTable table{{{"groups", ""}, {"semi-recursive", "relative"}},
                      {{"mujoco", "MuJoCo", "2.2", "libmujoco-dev", 1000}},
                      {}};
  for (const int size : {1, 17, 40}) {
    DynamicsRow& row = table.rows.emplace_back(DynamicsRow{.family = "scalable-fourbar", .size = size});
    row.ours = {OurCost{1e-7 * size}, OurCost{1e-6 * std::pow(size, 1.5)}};
    row.theirs = {RivalCost{{2e-6 * size, 1e-3 * size, "CG, dense"}}};
  }
  DynamicsRow& chain = table.rows.emplace_back(DynamicsRow{.family = "chain", .size = 20, .to_reach = 3e-6});
  chain.ours = {std::nullopt, OurCost{4e-6, 1234.0}};
  chain.theirs = {std::nullopt};
  return table;
}

constexpr double kRoundoff = 1e-12;  // of logarithms of a few units

TEST(DynamicsTable, ExponentsAreThoseOfThePowersThatTheTimesFollow) {
  const std::vector<Growth> found = growth(made_up());
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "groups");
  EXPECT_NEAR(found[0].exponent, 1.0, kRoundoff);
  EXPECT_EQ(found[1].name, "semi-recursive");
  EXPECT_NEAR(found[1].exponent, 1.5, kRoundoff);
}

TEST(DynamicsTable, OneSizeHasNoExponent) {
  DynamicsTable table = made_up();
  table.rows.erase(table.rows.begin() + 2);  // 1 dyad is below those that count
  EXPECT_THAT(growth(table), IsEmpty());
  EXPECT_EQ(fitted_exponent({17.0, 17.0}, {1.0, 2.0}), std::nullopt);
}

TEST(DynamicsTable, TheFastestCountsAndWhatIsLeftOutDoesNot) {
  const DynamicsTable table = made_up();
  EXPECT_EQ(best_way(table.rows.front()), 0u);
  EXPECT_EQ(best_way(table.rows.back()), 1u);
}

TEST(DynamicsTable, TimesThatWereToBeReachedAreMissedByName) {
  const std::vector<MissedTime> missed = missed_times(made_up());
  ASSERT_EQ(missed.size(), 2u);
  EXPECT_EQ(missed[0].row, 1u);  // 17 dyads: 70 µs
  EXPECT_EQ(missed[0].formulation, "semi-recursive");
  EXPECT_EQ(missed[1].row, 3u);
  EXPECT_EQ(missed[1].formulation, "");
  EXPECT_EQ(missed[1].seconds, 4e-6);
  EXPECT_EQ(missed[1].to_reach, 3e-6);
}

TEST(DynamicsTable, AgreementIsTheWorstOfEachKind) {
  const Agreement found = agreement(made_up(), 0);
  EXPECT_EQ(found.chains, std::nullopt);
  EXPECT_EQ(found.four_bars, 0.04);
  EXPECT_THAT(found.remarks, ElementsAre("CG, dense"));
}

TEST(DynamicsTable, FileHasARowForEachProgramThatWasMeasured) {
  DynamicsTable table = made_up();
  table.rows.erase(table.rows.begin(), table.rows.begin() + 2);
  EXPECT_EQ(csv_text(table),
            "mechanism,size,program,formulation,coordinates,evaluation,to_reach,instructions,difference\n"
            ",1,,,,s,s,1,1\n"
            "scalable-fourbar,40,eslabon,groups,,4e-06,,,\n"
            "scalable-fourbar,40,eslabon,semi-recursive,relative,0.000252982,,,\n"
            "scalable-fourbar,40,mujoco,,,8e-05,,,0.04\n"
            "chain,20,eslabon,semi-recursive,relative,4e-06,3e-06,1234,\n");
}

}  // namespace
