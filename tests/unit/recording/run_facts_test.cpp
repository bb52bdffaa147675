#include "eslabon/recording/facts/run_facts.hpp"

#include "tests/followed_run.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "eslabon/core/text/field_name.hpp"
#include "eslabon/core/time/time_literals.hpp"
#include "eslabon/recording/facts/mechanism_facts_json.hpp"
#include "eslabon/recording/facts/run_json.hpp"
#include "eslabon/recording/facts/statics_facts.hpp"

namespace eslabon::recording {
namespace {

using namespace core::literals;
using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

runs::SimulationResult simulated() {
  return runs::simulate(test::model_named("fourbar-testbed"),
                        {.until = 100_ms,
                         .release = {"motor"},
                         .outputs = std::vector<std::string>{"crank.angle"},
                         .states = true});
}

TEST(RunFacts, TheJsonOfARunIsItsSummary) {
  const runs::SimulationResult result = simulated();
  const json told = json::parse(simulation_json(
      result.summary, {.results = "out.csv", .events = "events.csv", .seconds = 0.25}, Provenance({"me"})));
  EXPECT_EQ(told["command"], "simulate");
  EXPECT_EQ(told["mechanism"], result.summary.mechanism);
  EXPECT_EQ(told["rows"], result.t.size());
  EXPECT_EQ(told["complete"], true);
  EXPECT_EQ(told["seconds"], 0.25);
  EXPECT_EQ(told["outputs"][0]["end"], result.values[0].back());
  EXPECT_EQ(
      told["files"],
      json({{"results", "out.csv"}, {"report", nullptr}, {"events", "events.csv"}, {"reactions", nullptr}}));
  EXPECT_EQ(told["provenance"]["command"], json({"me"}));
}

/// Options are words of one program; whoever shows facts says fields in its own.
TEST(RunFacts, NameFieldsAndNoOptions) {
  const runs::SimulationResult result = simulated();
  std::string all;
  for (const report::Fact& fact : simulation_facts(result.summary, 1.0)) all += fact.value + "\n";
  EXPECT_THAT(all, Not(HasSubstr("--")));
  EXPECT_THAT(all, HasSubstr("be the " + core::field("truth") + " of 'sense'"));
  EXPECT_THAT(default_outputs_text(), HasSubstr(core::field("outputs")));
}

TEST(RunFacts, RowsLeaveOutWhatNobodyAskedFor) {
  const runs::SimulationResult result = simulated();
  std::vector<std::string> names;
  for (const auto& cells : output_rows(result.summary)) names.push_back(cells.front());
  EXPECT_THAT(names, Contains("crank.angle"));
  EXPECT_THAT(names, Not(Contains("constraint_error")));
  for (const std::string& state : result.summary.states) EXPECT_THAT(names, Not(Contains(state)));
}

TEST(RunFacts, AMechanismAndItsEquilibriumAsJson) {
  const model::Mechanism mechanism = test::model_named("quarter-vehicle");
  const json info = json::parse(mechanism_facts_json(runs::examine(mechanism, false), {}, {}));
  EXPECT_EQ(info["name"], mechanism.name());
  EXPECT_EQ(info["bodies"], mechanism.bodies().size() - 1);
  const runs::EquilibriumResult result = runs::find_equilibrium(mechanism);
  const json rest = json::parse(equilibrium_json(result, std::nullopt, {}));
  EXPECT_EQ(rest["solutions"].size(), result.solutions.size());
  EXPECT_EQ(rest["solutions"][0]["energy"], result.solutions[0].energy);
  EXPECT_EQ(solution_rows(result).size(), result.solutions.size());
}

}  // namespace
}  // namespace eslabon::recording
