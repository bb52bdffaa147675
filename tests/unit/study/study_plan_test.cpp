#include "eslabon/study/study_plan.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace eslabon::study {
namespace {

using ::testing::ElementsAre;
using Kind = StudySubject::Kind;

StudyValue value(const std::string& text) { return {{text}, {}}; }

StudySubject option(const std::string& name) {
  StudySubject subject;
  subject.name = name;
  return subject;
}

StudySubject filter() {
  StudySubject subject;
  subject.kind = Kind::kFilter;
  return subject;
}

/// 3 × 2 points of 4 tries.
StudyFile study() {
  StudyFile file;
  file.tries = 4;
  file.seed = 7;
  file.settings.push_back({filter(), value("dekf")});
  file.settings.push_back({option("step"), value("1 ms")});
  file.settings.push_back({option("gate"), value("0")});
  file.axes.push_back({"step", option("step"), {value("6 ms"), value("9 ms"), value("0.5")}});
  file.axes.push_back({"filter", filter(), {value("ukf"), value("cekf")}});
  return file;
}

TEST(StudyPlan, HasAllValuesTimesEachOther_TheLastSweepFastest) {
  const StudyFile file = study();
  const StudyPlan plan(file);
  EXPECT_EQ(plan.num_points(), 6u);
  EXPECT_EQ(plan.size(), 24u);
  EXPECT_THAT(plan.values_of(0), ElementsAre(0, 0));
  EXPECT_THAT(plan.values_of(1), ElementsAre(0, 1));
  EXPECT_THAT(plan.values_of(5), ElementsAre(2, 1));
  EXPECT_EQ(plan.name_of(3), "step = 9 ms, filter = cekf");
}

TEST(StudyPlan, PutsSweptValuesInThePlaceOfFixedOnes) {
  const StudyFile file = study();
  const std::vector<StudySetting> settings = StudyPlan(file).settings_of(2);
  ASSERT_EQ(settings.size(), 3u);
  const auto shown = [&](const StudySubject& subject) {
    return std::ranges::find(settings, subject, &StudySetting::subject)->value.shown();
  };
  EXPECT_EQ(shown(filter()), "ukf");
  EXPECT_EQ(shown(option("step")), "9 ms");
  EXPECT_EQ(shown(option("gate")), "0");
}

TEST(StudyPlan, TakesEveryTryOnce_TheFirstOnesOfAllPointsFirst) {
  const StudyFile file = study();
  const StudyPlan plan(file);
  std::set<std::size_t> places;
  for (std::size_t k = 0; k < plan.size(); ++k) {
    EXPECT_EQ(plan.turn(k).attempt, k / 6);
    places.insert(plan.place_of(plan.turn(k)));
  }
  EXPECT_EQ(places.size(), plan.size());
  EXPECT_EQ(*places.rbegin(), plan.size() - 1);
}

TEST(StudyPlan, GivesTriesSeedsOfTheirOwn_WhateverTheirNumberIs) {
  StudyFile file = study();
  const StudyPlan plan(file);
  StudyFile longer = study();
  longer.tries = 1000;
  StudyFile other = study();
  other.seed = 8;
  const StudyPlan longer_plan(longer), other_plan(other);
  std::set<std::uint64_t> seen;
  for (std::size_t k = 0; k < plan.num_tries(); ++k) EXPECT_EQ(plan.seed_of(k), longer_plan.seed_of(k));
  for (std::size_t k = 0; k < longer_plan.num_tries(); ++k) {
    EXPECT_LT(longer_plan.seed_of(k), std::uint64_t{1} << 52);
    seen.insert(longer_plan.seed_of(k));
    seen.insert(other_plan.seed_of(k));
  }
  EXPECT_EQ(seen.size(), 2000u);  // false alarm: 2000² / 2⁵³
}

// A filter that drew from the generator of the truth would know where it starts.
TEST(StudyPlan, DrawsTruthReadingsAndFilterFromDifferentGenerators) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const TrySeeds seeds = try_seeds(seed);
    seen.insert({seed, seeds.truth, seeds.sensors, seeds.filter});
  }
  EXPECT_EQ(seen.size(), 4000u);
}

TEST(AxisColumn, HasNumbersInUnitsOrTexts) {
  const StudyFile file = study();
  const AxisColumn steps = axis_column(file.axes[0]), filters = axis_column(file.axes[1]);
  EXPECT_EQ(steps.unit, "s");
  EXPECT_THAT(steps.cells, ElementsAre("0.006", "0.009000000000000001", "0.5"));  // 9 × 10⁻³ in doubles
  EXPECT_EQ(filters.unit, "");
  EXPECT_THAT(filters.cells, ElementsAre("ukf", "cekf"));
  const AxisColumn lists = axis_column({"sensors", filter(), {{{"a", "b"}, {}}, {{"a,c"}, {}}}});
  EXPECT_THAT(lists.cells, ElementsAre("a+b", "a+c"));
}

}  // namespace
}  // namespace eslabon::study
