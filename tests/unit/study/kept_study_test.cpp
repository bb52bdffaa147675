#include "eslabon/study/kept_study.hpp"

#include <filesystem>
#include <fstream>

#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "eslabon/runs/request_error.hpp"

namespace eslabon::study {
namespace {

using ::testing::HasSubstr;

/// A folder with a study of three tries of a pendulum, gone after the test.
class KeptStudy : public ::testing::Test {
 protected:
  KeptStudy()
      : folder_(std::filesystem::temp_directory_path() / ("eslabon-study-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "pendulum.yaml") << R"(
mechanism: pendulum
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}}
bodies: {bob: {mass: 1, shape: {bar: [O, tip]}, points: {O: [0, 0], tip: [1 m, 0]}}}
joints: {A: {revolute: [ground.O, bob.O]}}
assembly: {bob.angle: 0 deg}
sensors: {encoder: {encoder: A, noise: 1 mrad, rate: 100 Hz}}
outputs: [bob.angle]
)";
    study_ = study_of(3);
  }
  ~KeptStudy() override { std::filesystem::remove_all(folder_); }

  StudyFile study_of(int tries) const {
    return read_study("study: tries\nmodel: pendulum.yaml\ntruth: {until: 0.1 s}\nfilter: dekf\ntries: " +
                          std::to_string(tries) + "\nseed: 1\nconverged: {bob.angle: 5 deg}\n",
                      (folder_ / "study.yaml").string());
  }
  StudyOutcome run(runs::RunObserver& observer = runs::nobody()) const {
    const StudyPlan plan(study_);
    StudyCases cases(plan, runs::nobody());
    return run_kept_study(
        plan, cases, {.folder = make_study_folder((folder_ / "out").string()), .build = "a test"}, observer);
  }

  std::filesystem::path folder_;
  StudyFile study_;
};

/// Ends a study at once.
class Impatient final : public runs::RunObserver {
 public:
  bool must_stop(std::int64_t /*steps*/) override { return true; }
};

TEST_F(KeptStudy, WritesItsResults_AndHasNothingToDoTheSecondTime) {
  const StudyOutcome first = run();
  EXPECT_TRUE(first.is_complete);
  EXPECT_EQ(first.found, 0u);
  ASSERT_EQ(first.results.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(first.results[k].index.attempt, k);
  EXPECT_FALSE(first.failure_note());
  for (const std::string& file : study_files((folder_ / "out").string()))
    EXPECT_TRUE(std::filesystem::exists(file)) << file;
  const StudyOutcome second = run();
  EXPECT_EQ(second.found, 3u);
  EXPECT_EQ(second.results, first.results);  // bit for bit, by the journal
}

TEST_F(KeptStudy, KeepsWhatIsDoneWhenItIsStopped) {
  study_ = study_of(100'000);  // more than can be over when it is asked first
  Impatient observer;
  const StudyOutcome stopped = run(observer);
  EXPECT_FALSE(stopped.is_complete);
  EXPECT_LT(stopped.results.size(), 100'000u);
  const StudyPlan plan(study_);
  EXPECT_THAT(study_report(plan, stopped).notes, ::testing::Contains(HasSubstr("The study was stopped")));
  EXPECT_EQ(run(observer).found, stopped.results.size());
}

TEST(StudyOutcomeNote, CountsTriesThatCouldNotBeRun) {
  StudyOutcome outcome;
  outcome.results.resize(5);
  outcome.summaries.resize(2);
  outcome.summaries[1].failed = 2;
  outcome.summaries[1].complaint = "it broke.";
  EXPECT_EQ(outcome.failure_note(),
            "2 of 5 tries could not be run and count as not converged; the first, point 2: it broke.");
}

TEST(StudyFolder, IsNamed) {
  EXPECT_THAT(test::sentence_of<runs::RequestError>([] { make_study_folder(""); }),
              HasSubstr("Write, for example, folder results."));
  EXPECT_EQ(try_file("out", {2, 16}), "out/point-3-try-17.csv");
}

}  // namespace
}  // namespace eslabon::study
