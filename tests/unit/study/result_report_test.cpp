#include "eslabon/study/result_report.hpp"

#include <filesystem>
#include <fstream>

#include "tests/sensed_pendulum.hpp"
#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "eslabon/io/files/file_error.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::study {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A folder with files of several kinds, gone after the test.
class ResultReport : public ::testing::Test {
 protected:
  ResultReport()
      : folder_(std::filesystem::temp_directory_path() / ("eslabon-report-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_ / "a");
    std::filesystem::create_directories(folder_ / "b");
    for (const char* name : {"a/out.csv", "b/out.csv"}) write(name, "t,x\ns,m\n0,1\n1,2\n");
    write("other.csv", "t,x\ns,m\n0,1\n1,3\n");
    write("estimate.csv", "t,x,x.sigma\ns,m,m\n0,1,0.1\n1,2,0.1\n");
    write("page.html", "<!doctype html>\n<p>A page of somebody else.</p>\n");
  }
  ~ResultReport() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::vector<std::string> names(const std::vector<std::string>& files) const {
    const report::Report report = result_report(files, sort_report_files(files), nullptr, runs::nobody());
    std::vector<std::string> all;
    for (const report::Recording& recording : report.recordings) all.push_back(recording.name);
    return all;
  }

  std::filesystem::path folder_;
};

TEST_F(ResultReport, SortsFilesByWhatTheyAre) {
  const ReportFiles sorted =
      sort_report_files({path("estimate.csv"), "family:scalable-fourbar,dyads=1", path("other.csv")});
  EXPECT_EQ(sorted.model, "family:scalable-fourbar,dyads=1");
  EXPECT_THAT(sorted.results, ElementsAre(path("other.csv")));
  EXPECT_THAT(sorted.estimates, ElementsAre(path("estimate.csv")));
}

TEST_F(ResultReport, IsOfOneMechanism) {
  EXPECT_THAT(test::sentence_of<runs::RequestError>([&] {
                sort_report_files({"family:scalable-fourbar", "family:truck-suspension"});
              }),
              HasSubstr("two mechanisms"));
}

TEST_F(ResultReport, CallsFilesByTheShortestNamesThatTellThemApart) {
  EXPECT_THAT(names({path("a/out.csv"), path("other.csv")}), ElementsAre("out", "other"));
  EXPECT_THAT(names({path("a/out.csv"), path("b/out.csv"), path("other.csv")}),
              ElementsAre("a/out", "b/out", "other"));
}

TEST_F(ResultReport, TakesResultsBesideAnEstimateForItsTruth) {
  const std::vector<std::string> files{path("other.csv"), path("estimate.csv")};
  const report::Report report = result_report(files, sort_report_files(files), nullptr, runs::nobody());
  ASSERT_EQ(report.recordings.size(), 2u);
  EXPECT_EQ(report.recordings[0].role, report::Recording::Role::kTruth);
  EXPECT_EQ(report.recordings[1].role, report::Recording::Role::kEstimate);
  EXPECT_EQ(report.title, "other.csv");
  EXPECT_EQ(report.subtitle, "from other.csv, estimate.csv");
}

TEST_F(ResultReport, ShowsAMechanismAloneWhereItIsAssembled) {
  const recording::ReportModel model(test::sensed_pendulum(), {}, std::nullopt, runs::nobody());
  const report::Report report =
      result_report({"pendulum.yaml"}, {.model = "pendulum.yaml"}, &model, runs::nobody());
  EXPECT_EQ(report.title, "sensed pendulum");
  EXPECT_EQ(report.subtitle, "structure and start position");
  EXPECT_EQ(report.recordings.size(), 1u);
  EXPECT_THAT(drawing_of(report, &model).value_or(""), HasSubstr("<svg"));
  EXPECT_FALSE(drawing_of(report::Report(), nullptr));
}

TEST_F(ResultReport, SaysWhichFieldNamesADriverThatThereIsNot) {
  EXPECT_THAT(test::sentence_of<runs::RequestError>([] {
                recording::ReportModel(test::sensed_pendulum(), {"motor"}, std::nullopt, runs::nobody());
              }),
              HasSubstr("[release"));
}

TEST_F(ResultReport, TakesNothingFromAPageThatIsNoReport) {
  EXPECT_THAT(test::sentence_of<io::FileError>([&] { static_cast<void>(read_page(path("page.html"))); }),
              HasSubstr("not a report"));
}

TEST(FileName, IsThatOfAFolderToo) {
  EXPECT_EQ(file_name("a/b/motion.csv"), "motion.csv");
  EXPECT_EQ(file_name("a/results/"), "results");
}

}  // namespace
}  // namespace eslabon::study
