#include "eslabon/recording/filters/estimate_run.hpp"

#include <filesystem>

#include "tests/sensed_pendulum.hpp"
#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "eslabon/io/files/result_reader.hpp"
#include "eslabon/io/measurements/measurement_file.hpp"
#include "eslabon/runs/sensing/sense.hpp"

namespace eslabon::recording {
namespace {

using ::testing::HasSubstr;

/// A folder with a second of readings of the pendulum, gone after the test.
class EstimateOfAFile : public ::testing::Test {
 protected:
  EstimateOfAFile()
      : folder_(std::filesystem::temp_directory_path() / ("eslabon-estimate-" + std::to_string(getpid()))) {
    std::filesystem::create_directory(folder_);
    runs::SenseRun run(test::sensed_pendulum(), {.until = core::Duration::from_seconds(1.0), .seed = 3},
                       runs::nobody());
    io::MeasurementWriter writer(path("readings.csv"), run.facts());
    const runs::SenseResult sensed = run.run(runs::nobody());
    runs::for_each_row(sensed.taken.arriving,
                       [&](const std::vector<sensing::Reading>& row) { writer.write(row); });
    writer.finish();
    for (const runs::Arriving& one : sensed.taken.arriving) readings_.push_back(one.reading);
  }
  ~EstimateOfAFile() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  EstimateInput input() const {
    return {.mechanism = test::sensed_pendulum(), .measurements = path("readings.csv")};
  }
  bool write_rows(EstimateRun& run, runs::RunObserver& observer) const {
    io::ResultWriter rows(path("estimate.csv"), run.filter().columns());
    return run.run(rows, observer);
  }

  std::filesystem::path folder_;
  std::vector<sensing::Reading> readings_;
};

/// Ends a run after so many steps.
class Impatient final : public runs::RunObserver {
 public:
  bool must_stop(std::int64_t steps) override { return steps >= 20; }
};

TEST_F(EstimateOfAFile, WritesTheRowsOfTheEstimateInMemory) {
  const EstimateInput given = input();
  EstimateRun run(given, {}, runs::nobody());
  EXPECT_TRUE(write_rows(run, runs::nobody()));
  EXPECT_NO_THROW(run.check_result());
  const core::ResultTable file = io::read_results(path("estimate.csv"));
  const core::ResultTable memory = runs::estimate(test::sensed_pendulum(), readings_).table;
  EXPECT_EQ(file.t, memory.t);
  EXPECT_EQ(file.values, memory.values);
}

TEST_F(EstimateOfAFile, IsNotCompleteWhenTheObserverStopsIt) {
  const EstimateInput given = input();
  EstimateRun run(given, {}, runs::nobody());
  Impatient observer;
  EXPECT_FALSE(write_rows(run, observer));
  EXPECT_FALSE(run.is_complete());
  EXPECT_EQ(io::read_results(path("estimate.csv")).t.size(), 21u);
}

TEST_F(EstimateOfAFile, SaysWhichFieldLeavesItWithoutReadings) {
  io::MeasurementWriter writer(
      path("empty.csv"),
      runs::SenseRun(test::sensed_pendulum(), {.until = core::Duration::from_seconds(0.1)}, runs::nobody())
          .facts());
  writer.finish();
  EstimateInput given = input();
  given.measurements = path("empty.csv");
  EXPECT_THAT(test::sentence_of<core::DataError>([&] { EstimateRun(given, {}, runs::nobody()); }),
              HasSubstr("Check the file and sensors."));
}

TEST_F(EstimateOfAFile, ComparesFiltersInOneTable_AndHasAReportWhereOneIsAskedFor) {
  EstimateInput given = input();
  given.particles = 100;
  std::vector<std::unique_ptr<EstimateRun>> runs;
  for (const char* filter : {"dekf", "ukf"}) {
    runs.push_back(
        std::make_unique<EstimateRun>(given, runs::EstimateRequest{.filter = filter}, runs::nobody()));
    EXPECT_TRUE(write_rows(*runs.back(), runs::nobody()));
  }
  const report::Table table = comparison_table(runs);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0][0], "dekf");
  EXPECT_EQ(table.rows[1][0], "ukf");
  for (const std::vector<std::string>& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
  const std::optional<report::Report> report = estimate_report(runs);
  ASSERT_TRUE(report);
  EXPECT_GE(report->recordings.size(), 2u);
}

TEST_F(EstimateOfAFile, HasNoReportWhereNoneIsAskedFor) {
  const EstimateInput given = input();
  std::vector<std::unique_ptr<EstimateRun>> runs;
  runs.push_back(std::make_unique<EstimateRun>(given, runs::EstimateRequest(), runs::nobody()));
  EXPECT_TRUE(write_rows(*runs.back(), runs::nobody()));
  EXPECT_FALSE(estimate_report(runs));
}

TEST(CloudShare, IsDividedAmongFiltersOfManyParticles) {
  const double whole = report::SizeLimits{}.cloud_bytes;
  EXPECT_EQ(cloud_share({"dekf", "particle"}), whole);
  EXPECT_EQ(cloud_share({"particle", "grid"}), whole / 2.0);
}

}  // namespace
}  // namespace eslabon::recording
