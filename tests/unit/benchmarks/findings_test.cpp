#include "benchmarks/tables/findings.hpp"

#include "benchmarks/tables/dynamics_table.hpp"
#include "benchmarks/tables/kinematics_table.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace eslabon::benchmarks;
using testing::ElementsAre;

namespace {

/// The tables among the parts, in their order.
std::vector<Findings::Table> tables_of(const Findings& found) {
  std::vector<Findings::Table> tables;
  for (const Findings::Part& part : found.parts)
    if (const auto* table = std::get_if<Findings::Table>(&part)) tables.push_back(*table);
  return tables;
}

TEST(Findings, OfKinematicsHaveAColumnForEachMethod_AndADashWhereNoneIsMeasured) {
  KinematicsTable measured;
  measured.four_bars.push_back({.dyads = 3, .costs = {}});
  for (std::size_t m = 0; m < source_methods().size(); ++m)
    measured.four_bars.back().costs.push_back(m == kByGroups ? std::optional(SolutionCost{.seconds = 1.5e-6})
                                                             : std::nullopt);
  const std::vector<Findings::Table> tables = tables_of(findings(measured));
  ASSERT_EQ(tables.size(), 3u);  // solutions, shares, trucks
  ASSERT_EQ(tables[0].headings.size(), 2 + source_methods().size());
  EXPECT_THAT(tables[0].rows, ElementsAre(ElementsAre("3", "8", "–", "1.50", "–", "–")));
  EXPECT_EQ(tables[1].rows.size(), 1u);
  for (const Findings::Table& table : tables)
    for (const std::vector<std::string>& row : table.rows) EXPECT_EQ(row.size(), table.headings.size());
}

TEST(Findings, OfDynamicsSayThatNothingIsMissed) {
  DynamicsTable measured{{{"groups", ""}}, {}, {}};
  measured.rows.push_back(DynamicsRow{.family = "scalable-fourbar", .size = 2, .to_reach = 1e-6});
  measured.rows.back().ours = {OurCost{5e-7}};
  const Findings found = findings(measured);
  const auto* last = std::get_if<Findings::Fact>(&found.parts.back());
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(last->word, "To reach");
  EXPECT_EQ(last->text, "nothing missed");
}

}  // namespace
