#include "eslabon/study/study_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"

namespace eslabon::study {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = StudySubject::Kind;

StudyFile read(const std::string& text) { return read_study(text, "studies/some.yaml"); }

std::string sentence_of(const std::string& text) {
  try {
    read(text);
  } catch (const core::ModelError& error) {
    return error.what();
  }
  return "";
}

const std::string kLeast =
    "study: something\nmodel: ../models/four.yaml\ntruth: {until: 2 s}\nconverged: {crank.angle: 5 deg}\n";

TEST(StudyFile, SaysWhatItMeans) {
  const StudyFile study = read(
      "study: something\nmodel: ../models/four.yaml\nparameters: {crank: 120 mm}\nrelease: [motor]\n"
      "branch: '+-'\ntruth: {start: unknown, until: 1.02 s, parameters: {friction: 0.2 N*m}}\n"
      "sensors: {gyroscope: {noise: 0.01 rad/s, rate: step}, encoder: {}}\nfilter: ukf\nstart: unknown\n"
      "options: {step: 6 ms, forces: true, unknown: ['bias:gyroscope', 'mass:bar']}\n"
      "sweep:\n  particles: [10, 20]\n  parameters.crank: [1 m, 2 m, 3 m]\n  sensors: [[gyroscope], [a, b]]\n"
      "  sensors.gyroscope.noise: [0.1]\n  truth.friction: [0 N*m]\n"
      "tries: 7\nseed: 9\nconverged: {crank.angle: 5 deg, slider.q: 1 mm}\nrmse: {from: 0.5 s}\n");
  EXPECT_EQ(study.title, "something");
  EXPECT_EQ(study.model, "models/four.yaml");
  EXPECT_TRUE(study.is_truth_unknown);
  EXPECT_TRUE(study.is_filter_unknown);
  EXPECT_EQ(study.until.nanoseconds(), 1'020'000'000);
  EXPECT_EQ(study.rmse_from.nanoseconds(), 500'000'000);
  EXPECT_THAT(study.release, ElementsAre("motor"));
  EXPECT_EQ(study.branch, "+-");
  EXPECT_EQ(study.tries, 7);
  EXPECT_EQ(study.seed, 9u);
  const auto setting = [&](const StudySubject& subject) {
    for (const StudySetting& one : study.settings)
      if (one.subject == subject) return one.value.shown();
    return std::string("none");
  };
  EXPECT_EQ(setting({Kind::kParameter, "crank"}), "120 mm");
  EXPECT_EQ(setting({Kind::kTruthParameter, "friction"}), "0.2 N*m");
  EXPECT_EQ(setting({Kind::kSensorNoise, "gyroscope"}), "0.01 rad/s");
  EXPECT_EQ(setting({Kind::kSensorRate, "gyroscope"}), "step");
  EXPECT_EQ(setting({Kind::kSensors}), "gyroscope+encoder");
  EXPECT_EQ(setting({Kind::kFilter}), "ukf");
  EXPECT_EQ(setting({Kind::kOption, "step"}), "6 ms");
  EXPECT_EQ(setting({Kind::kOption, "unknown"}), "bias:gyroscope+mass:bar");
  ASSERT_EQ(study.axes.size(), 5u);
  EXPECT_EQ(study.axes[1].subject, (StudySubject{Kind::kParameter, "crank"}));
  EXPECT_EQ(study.axes[2].values[1].shown(), "a+b");
  EXPECT_EQ(study.axes[3].subject, (StudySubject{Kind::kSensorNoise, "gyroscope"}));
  EXPECT_EQ(study.axes[4].subject, (StudySubject{Kind::kTruthParameter, "friction"}));
  ASSERT_EQ(study.criteria.size(), 2u);
  EXPECT_EQ(study.criteria[1].output, "slider.q");
}

TEST(StudyFile, HasDefaults) {
  const StudyFile study = read(kLeast);
  EXPECT_FALSE(study.is_truth_unknown);
  EXPECT_FALSE(study.is_filter_unknown);
  EXPECT_EQ(study.tries, 100);
  EXPECT_EQ(study.seed, 1u);
  EXPECT_EQ(study.rmse_from.nanoseconds(), 1'000'000'000);
  EXPECT_TRUE(study.axes.empty());
  EXPECT_EQ(read_study(kLeast, "some.yaml").model, "../models/four.yaml");
  EXPECT_EQ(read("study: s\nmodel: family:n-fourbars,n=2\ntruth: {until: 1}\nconverged: {A.q: 1}\n").model,
            "family:n-fourbars,n=2");
}

TEST(StudyFile, SaysWhatIsWrongAndWhere) {
  const auto with = [](const std::string& line) { return kLeast + line + "\n"; };
  struct Wrong {
    std::string text, where, what;
  };
  for (const Wrong& wrong : {
           Wrong{with("triess: 3"), ":5:1", "Did you mean 'tries'?"},
           Wrong{with("tries: 0"), ":5:8", "a whole number from 1 to"},
           Wrong{with("tries: 2.5"), ":5:8", "a whole number"},
           Wrong{with("seed: -1"), ":5:7", "a whole number from 0"},
           Wrong{with("start: somewhere"), ":5:8", "this start is not known"},
           Wrong{with("options: {partcles: 3}"), ":5:11", "Did you mean 'particles'?"},
           Wrong{with("options: {step: }"), ":5:", "value"},
           Wrong{with("options: {step: [1 ms]}"), ":5:17", "a list"},
           Wrong{with("options: {forces: maybe}"), ":5:19", "true or false"},
           Wrong{with("sweep: {particls: [1]}"), ":5:9", "Did you mean 'particles'?"},
           Wrong{with("sweep: {sensors.gyroscope: [1]}"), ":5:9", "sensors.NAME.noise"},
           Wrong{with("sweep: {particles: 10}"), ":5:20", "not a list"},
           Wrong{with("sweep: {particles: []}"), ":5:20", "not a list"},
           Wrong{with("sweep: {particles: [1, 2, 1]}"), ":5:27", "listed twice"},
           Wrong{with("sensors: {g: {nois: 1}}"), ":5:15", "Did you mean 'noise'?"},
           Wrong{with("rmse: {from: 3 s}"), ":5:14", "after the end"},
           Wrong{with("rmse: {from: 3 kg}"), ":5:14", "unit of the wrong kind"},
           Wrong{"study: s\nmodel: m.yaml\ntruth: {until: 2 m}\nconverged: {A.q: 1}\n", ":3:16",
                 "unit of the wrong kind"},
           Wrong{"study: s\nmodel: m.yaml\ntruth: {until: 0}\nconverged: {A.q: 1}\n", ":3:16",
                 "out of range"},
           Wrong{"study: s\nmodel: m.yaml\ntruth: {untill: 1}\nconverged: {A.q: 1}\n", ":3:", "until"},
           Wrong{"study: s\nmodel: m.yaml\ntruth: {until: 1}\n", ":1:1", "'converged' is missing"},
           Wrong{"study: s\nmodel: m.yaml\ntruth: {until: 1}\nconverged: {}\n", ":4:12", "no output"},
           Wrong{"study: s\ntruth: {until: 1}\nconverged: {A.q: 1}\n", ":1:1", "'model' is missing"},
       }) {
    EXPECT_THAT(sentence_of(wrong.text),
                AllOf(HasSubstr("studies/some.yaml" + wrong.where), HasSubstr(wrong.what)))
        << wrong.text;
  }
}

TEST(StudyFile, MeansTheSame_WhenOnlyWordsForPeopleOrTheNumberOfTriesChange) {
  const std::string meaning = study_meaning(read(kLeast));
  EXPECT_EQ(study_meaning(read("# remark\n" + kLeast + "description: more\ntries: 5\n")), meaning);
  for (const char* line :
       {"seed: 2", "start: unknown", "filter: ukf", "options: {step: 1 ms}", "sweep: {step: [1 ms]}",
        "sensors: [g]", "branch: ''", "release: [all]", "parameters: {a: 1}", "rmse: {from: 1.5 s}"})
    EXPECT_NE(study_meaning(read(kLeast + line + "\n")), meaning) << line;
}

}  // namespace
}  // namespace eslabon::study
