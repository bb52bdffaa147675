#include "eslabon/runs/motion/simulation_run.hpp"

#include <cstdio>
#include <filesystem>
#include <limits>

#include "tests/followed_run.hpp"
#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "eslabon/core/time/time_literals.hpp"
#include "eslabon/io/files/result_reader.hpp"
#include "eslabon/io/files/result_writer.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::runs {
namespace {

using namespace core::literals;
using testing::HasSubstr;

std::string wrong(const SimulationRequest& request) {
  return test::sentence_of<RequestError>([&] { check(request); });
}

/// Writes rows as the program does.
class FileSink final : public RowSink {
 public:
  explicit FileSink(std::string path) : path_(std::move(path)) {}
  void begin(const std::vector<core::Column>& columns) override { writer_.emplace(path_, columns); }
  void add(const Row& row) override { writer_->write_row(row.t, row.values); }
  void finish() override { writer_->finish(); }

 private:
  std::string path_;
  std::optional<io::ResultWriter> writer_;
};

TEST(Simulate, NeedsNothingButAnEnd) {
  const Result result = simulate(test::model_named("benchmarks/simple-pendulum"), {.until = 1_s});
  ASSERT_EQ(result.t.size(), 1001u);
  EXPECT_EQ(result.t.back(), 1.0);
  EXPECT_EQ(result.columns[result.columns.size() - 2].name, "energy");
}

TEST(Simulate, KeepsTheEnergyOfWhatNothingDrives) {
  const SimulationResult result =
      simulate(test::model_named("fourbar-testbed"), {.until = 2_s, .verify = true, .release = {"motor"}});
  EXPECT_TRUE(result.summary.rows.is_complete);
  EXPECT_FALSE(result.summary.rows.failure);
  EXPECT_EQ(result.summary.released, std::vector<std::string>{"motor"});
  EXPECT_TRUE(result.summary.is_conservative);
  EXPECT_LT(result.summary.energy_verdict.part(), 1e-5);  // what tolerances of 1e-8 leave over some swings
  ASSERT_TRUE(result.summary.verified);
  EXPECT_EQ(result.summary.errors.size(), result.columns.size());
}

TEST(Simulate, IsTheTableThatAFileHas) {
  const model::Mechanism mechanism = test::model_named("slider-crank");
  const SimulationRequest request{.until = 1_s, .step = 1_ms, .every = 10_ms, .integrator = "rk4"};
  const Result result = simulate(mechanism, request);
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("eslabon_simulation_" + std::to_string(getpid()) + ".csv");
  SimulationRun run(mechanism, request);
  FileSink file(path.string());
  EXPECT_TRUE(run.run(file));
  const core::ResultTable written = io::read_results(path.string());
  std::filesystem::remove(path);
  EXPECT_EQ(written.t, result.t);
  EXPECT_EQ(written.values, result.values);  // 17 digits read back to the same doubles
  ASSERT_EQ(written.columns.size(), result.columns.size());
  for (std::size_t c = 0; c < written.columns.size(); ++c)
    EXPECT_EQ(written.columns[c].name, result.columns[c].name);
}

TEST(Simulate, EndsWhereItsObserverSaysSo_AndKeepsItsRows) {
  test::Impatient observer(10);
  const SimulationResult result =
      simulate(test::model_named("fourbar-testbed"), {.until = 100_s, .release = {"all"}}, observer);
  EXPECT_TRUE(result.summary.rows.was_stopped);
  EXPECT_FALSE(result.ok());
  EXPECT_THAT(result.failure, testing::HasSubstr("the run was stopped at t = "));
  EXPECT_FALSE(result.summary.rows.is_complete);
  EXPECT_LT(result.summary.rows.end, 100.0);
  EXPECT_EQ(result.summary.rows.count, static_cast<std::int64_t>(result.t.size()));
}

TEST(SimulationRun, SolvesForReactionsWhereASinkAsks) {
  SimulationRun run(test::model_named("fourbar-testbed"), {.until = 1_s, .every = 100_ms});
  test::SolvedForces forces;
  EXPECT_TRUE(run.run(forces));
  EXPECT_EQ(forces.finished, 1);
  EXPECT_EQ(forces.num_joints, run.mechanism().joints().size());
  EXPECT_EQ(forces.first_efforts.size(), 11u);
  for (const double residual : forces.residuals)
    EXPECT_LT(residual, 1e-6);  // beyond, a note says that joints cannot give what is needed
}

TEST(SimulationRequest, NamesTheFieldThatIsWrong) {
  EXPECT_THAT(wrong({}), HasSubstr("[until]"));
  EXPECT_THAT(wrong({.until = 1_s, .step = 1_ms}), HasSubstr("finds its own steps [step]"));
  EXPECT_THAT(wrong({.until = 1_s, .integrator = "rk4"}), HasSubstr("needs a step [step]"));
  EXPECT_THAT(wrong({.until = 1_s, .step = 1_ms, .rtol = 1e-3, .integrator = "rk4"}),
              HasSubstr("does not choose its steps [rtol]"));
  EXPECT_THAT(wrong({.until = 1_s, .rtol = 2.0}), HasSubstr("not a tolerance [rtol]"));
  EXPECT_THAT(wrong({.until = 1_s, .atol = std::numeric_limits<double>::quiet_NaN()}),
              HasSubstr("not a tolerance [atol]"));
  EXPECT_THAT(wrong({.until = 1_s, .largest_step = core::Duration()}), HasSubstr("[largest_step]"));
  EXPECT_THAT(wrong({.until = 1_s, .formulation = "lagrange"}), HasSubstr("[formulation]"));
  EXPECT_THAT(wrong({.until = 1_s, .matrices = "dense"}), HasSubstr("add formulation semi-recursive"));
  EXPECT_THAT(wrong({.until = 1_s, .formulation = "multipliers", .baumgarte = {{-1.0, 0.0}}}),
              HasSubstr("[baumgarte]"));
  EXPECT_THAT(test::sentence_of<RequestError>([] {
                simulate(test::model_named("fourbar-testbed"), {.until = 1_s, .release = {"engine"}});
              }),
              HasSubstr("[release"));
}

}  // namespace
}  // namespace eslabon::runs
