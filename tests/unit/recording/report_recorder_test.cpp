#include "eslabon/recording/pages/report_recorder.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/recording/pages/force_arrows.hpp"

namespace eslabon::recording {
namespace {

using Role = report::Recording::Role;
using testing::ElementsAre;
using testing::HasSubstr;

/// Ground and one body, at x.
coordinates::MechanismMotion bodies_at(double x) {
  coordinates::MechanismMotion bodies(2);
  bodies[1].X_WB.p_AB_A.x() = x;
  return bodies;
}

TEST(ReportRecorder, RowsAndFramesAreWhatCame_WhileThereAreFew) {
  ReportRecorder recorder("run", Role::kTruth, {{"a", "rad"}, {"b", "1"}});
  for (int k = 0; k < 5; ++k) {
    EXPECT_TRUE(recorder.wants_frame());
    recorder.add_row(0.5 * k, std::vector{1.0 * k, 10.0 * k});
    recorder.add_frame(bodies_at(3.0 * k));
  }
  EXPECT_FALSE(recorder.note());
  const report::Recording recording = recorder.take();
  EXPECT_EQ(recording.name, "run");
  EXPECT_EQ(recording.role, Role::kTruth);
  EXPECT_THAT(recording.times, ElementsAre(0.0, 0.5, 1.0, 1.5, 2.0));
  EXPECT_THAT(recording.channels[1].values, ElementsAre(0.0, 10.0, 20.0, 30.0, 40.0));
  EXPECT_EQ(recording.channels[0].unit, "rad");
  EXPECT_EQ(recording.channels[1].unit, "");  // "1" is what files write for a pure number
  EXPECT_EQ(recording.motion->times, recording.times);
  ASSERT_EQ(recording.motion->X_WB[4].size(), 1u);  // without the ground
  EXPECT_EQ(recording.motion->X_WB[4][0].p_AB_A.x(), 12.0);
}

TEST(ReportRecorder, DeviationsBelongToTheirColumn_WhereThereIsOne) {
  ReportRecorder recorder("run", Role::kEstimate,
                          {{"a", "m"}, {"a.sigma", "m"}, {"lost.sigma", "m"}, {"b", "m"}});
  recorder.add_row(0.0, std::vector{1.0, 2.0, 3.0, 4.0});
  const report::Recording recording = recorder.take();
  ASSERT_EQ(recording.channels.size(), 3u);
  EXPECT_THAT(recording.channels[0].sigma, ElementsAre(2.0));
  EXPECT_EQ(recording.channels[1].name, "lost.sigma");
  EXPECT_THAT(recording.channels[1].values, ElementsAre(3.0));
  EXPECT_TRUE(recording.channels[2].sigma.empty());
}

TEST(ReportRecorder, FramesOfALongRunAreEvenAndReachItsEnd) {
  for (const std::size_t rows : {6000u, 6001u, 6002u, 12001u, 12002u, 23456u, 50000u}) {
    ReportRecorder recorder("run", Role::kMotion, {});
    for (std::size_t k = 0; k < rows; ++k) {
      recorder.add_row(static_cast<double>(k), {});
      recorder.add_frame(bodies_at(static_cast<double>(k)));
    }
    const report::Recording recording = recorder.take();
    const std::vector<double>& times = recording.motion->times;
    EXPECT_LE(times.size(), ReportRecorder::kMostFrames + 1) << rows;
    EXPECT_GE(times.size(), std::min(rows, ReportRecorder::kMostFrames / 2)) << rows;
    EXPECT_EQ(times.front(), 0.0);
    EXPECT_EQ(times.back(), static_cast<double>(rows - 1));
    const double step = times[1];
    for (std::size_t k = 0; k < times.size(); ++k) {
      ASSERT_EQ(times[k], std::min(step * static_cast<double>(k), times.back())) << rows;
      ASSERT_EQ(recording.motion->X_WB[k][0].p_AB_A.x(), times[k]);
    }
    EXPECT_LE(times.back() - times[times.size() - 2], step);
  }
}

TEST(ReportRecorder, WantedFramesAreEnough_WithTheForcesThatBelongToThem) {
  ReportRecorder recorder("run", Role::kMotion, {});
  recorder.set_arrows({{"A", report::Arrow::Kind::kReaction, model::kGround, {}, {}}});
  std::size_t asked = 0;
  for (std::size_t k = 0; k < 20000; ++k) {
    const bool is_wanted = recorder.wants_frame();
    recorder.add_row(static_cast<double>(k), {});
    if (!is_wanted) continue;
    ++asked;
    const Eigen::Vector3d force(static_cast<double>(k), 0.0, 0.0);
    recorder.add_frame(bodies_at(0.0), std::span(&force, 1));
  }
  EXPECT_LT(asked, 12000u);
  const report::Recording recording = recorder.take();
  ASSERT_EQ(recording.arrows[0].vector_W.size(), recording.motion->times.size());
  for (std::size_t k = 0; k < recording.motion->times.size(); ++k)
    ASSERT_EQ(recording.arrows[0].vector_W[k].x(), recording.motion->times[k]);
}

TEST(ReportRecorder, AFrameWithoutItsForcesIsRefused) {
  ReportRecorder recorder("run", Role::kMotion, {});
  recorder.set_arrows({{"A", report::Arrow::Kind::kReaction, model::kGround, {}, {}}});
  recorder.add_row(0.0, {});
  EXPECT_THROW(recorder.add_frame(bodies_at(0.0)), core::ContractError);
  EXPECT_TRUE(recorder.take().arrows.empty());  // no motion, no arrows
}

TEST(ReportRecorder, ContactsBelongToTheirFrames) {
  ReportRecorder recorder("run", Role::kMotion, {});
  recorder.set_contacts({"left", "right"});
  const auto contacts_at = [](double t) {
    const Eigen::Vector3d zero = Eigen::Vector3d::Zero();
    return std::array<report::Contact::Instant, 2>{
        {{{t, 0.0, 0.0}, zero, zero}, {zero, {0.0, 0.0, t}, zero}}};
  };
  recorder.add_row(0.0, {});
  EXPECT_THROW(recorder.add_frame(bodies_at(0.0)), core::ContractError);
  recorder.add_frame(bodies_at(0.0), {}, contacts_at(0.0));
  for (std::size_t k = 1; k < 15000; ++k) {
    const double t = static_cast<double>(k);
    recorder.add_row(t, {});
    recorder.add_frame(bodies_at(0.0), {}, contacts_at(t));
  }
  const report::Recording recording = recorder.take();
  ASSERT_EQ(recording.contacts.size(), 2u);
  EXPECT_EQ(recording.contacts[1].name, "right");
  ASSERT_EQ(recording.contacts[0].instants.size(), recording.motion->times.size());
  EXPECT_EQ(recording.motion->times.back(), 14999.0);
  for (std::size_t k = 0; k < recording.motion->times.size(); ++k) {
    ASSERT_EQ(recording.contacts[0].instants[k].point_W.x(), recording.motion->times[k]);
    ASSERT_EQ(recording.contacts[1].instants[k].load_W.z(), recording.motion->times[k]);
  }
}

TEST(ReportRecorder, ForcesThatAreToldSometimesAreLinearBetween_AndStayAfterTheLast) {
  using Kind = report::Arrow::Kind;
  ReportRecorder recorder("run", Role::kMotion, {});
  recorder.set_arrows(
      {{"weight", Kind::kForce, model::kGround, {}, {}}, {"A", Kind::kReaction, model::kGround, {}, {}}}, 1);
  const std::int64_t rows = 20000, every = ForceArrows::rows_per_solution(rows);
  EXPECT_EQ(every, 128);  // 20000 / 64 > 300
  std::size_t solutions = 0;
  for (std::int64_t k = 0; k < rows; ++k) {
    const bool is_wanted = recorder.wants_frame();
    const double t = static_cast<double>(k);
    recorder.add_row(t, {});
    if (!is_wanted) continue;
    const bool is_whole = k % every == 0;
    if (is_whole) ++solutions;
    const std::array<Eigen::Vector3d, 2> forces{
        Eigen::Vector3d(t * t, 0.0, 0.0), Eigen::Vector3d(0.0, 3.0 * t, k % (2 * every) == 0 ? 1.0 : 0.0)};
    recorder.add_frame(bodies_at(0.0), std::span(forces).first(is_whole ? 2 : 1));
  }
  EXPECT_EQ(solutions, 157u);
  const report::Recording recording = recorder.take();
  const std::vector<double>& times = recording.motion->times;
  ASSERT_GT(times.size(), 10 * solutions);
  const double last = static_cast<double>(every) * 156.0;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double t = std::min(times[k], last), wave = std::abs(std::remainder(t, 256.0)) / 128.0;
    ASSERT_EQ(recording.arrows[0].vector_W[k].x(), times[k] * times[k]);
    ASSERT_NEAR(recording.arrows[1].vector_W[k].y(), 3.0 * t, 1e-9);
    ASSERT_NEAR(recording.arrows[1].vector_W[k].z(), 1.0 - wave, 1e-12);
  }
}

TEST(ReportRecorder, TheFirstFrameTellsAllForces) {
  ReportRecorder recorder("run", Role::kMotion, {});
  recorder.set_arrows({{"A", report::Arrow::Kind::kReaction, model::kGround, {}, {}}}, 1);
  recorder.add_row(0.0, {});
  EXPECT_THROW(recorder.add_frame(bodies_at(0.0)), core::ContractError);
}

TEST(ForceArrows, SolutionsAreFewInRunsOfAnyLength) {
  for (const std::int64_t rows : {1, 2, 299, 300, 301, 4001, 1000001}) {
    const std::int64_t every = ForceArrows::rows_per_solution(rows), solutions = (rows + every - 1) / every;
    EXPECT_LE(solutions, ForceArrows::kMostSolutions) << rows;
    EXPECT_GE(solutions, std::min<std::int64_t>(rows, ForceArrows::kMostSolutions / 2)) << rows;
  }
}

TEST(ReportRecorder, RowsBeyondWhatAPageTakesKeepTheirSpikes) {
  ReportRecorder recorder("run", Role::kMotion, {{"a", "m"}, {"b", "m"}}, 3000);
  for (int k = 0; k < 100000; ++k) {
    const double spike = k == 54321 ? 100.0 : 0.0;
    recorder.add_row(k, std::vector{std::sin(0.001 * k) + spike, std::cos(0.001 * k) - spike});
  }
  ASSERT_TRUE(recorder.note());
  EXPECT_THAT(*recorder.note(), HasSubstr("Of 100000 rows "));
  const report::Recording recording = recorder.take();
  EXPECT_LE(recording.times.size(), 1000u);
  EXPECT_EQ(recording.times.front(), 0.0);
  EXPECT_EQ(recording.times.back(), 99999.0);
  const auto& a = recording.channels[0].values;
  const auto largest = std::ranges::max_element(a);
  EXPECT_EQ(recording.times[static_cast<std::size_t>(largest - a.begin())], 54321.0);
  EXPECT_LT(std::ranges::min(recording.channels[1].values), -98.0);
  for (std::size_t k = 0; k < a.size(); ++k)  // rows stay whole
    ASSERT_EQ(a[k], std::sin(0.001 * recording.times[k]) + (recording.times[k] == 54321.0 ? 100.0 : 0.0));
}

TEST(ForceArrows, WhatIsNothingThroughoutIsLeftOut_EachUnitByItself) {
  using Kind = report::Arrow::Kind;
  const auto arrow = [](const char* name, Kind kind, double size) {
    return report::Arrow{name,
                         kind,
                         model::kGround,
                         Eigen::Vector3d::Zero(),
                         {Eigen::Vector3d::Zero(), Eigen::Vector3d(0.0, size, 0.0)}};
  };
  std::vector<report::Arrow> arrows{arrow("A", Kind::kReaction, 1e6), arrow("B", Kind::kForce, 1e-4),
                                    arrow("C", Kind::kForce, 1.0), arrow("A", Kind::kTorque, 1e-4),
                                    arrow("D", Kind::kTorque, 1e-15)};
  remove_idle_arrows(arrows);
  std::vector<std::string> names;
  for (const report::Arrow& one : arrows) names.push_back(one.name);
  EXPECT_THAT(names, ElementsAre("A", "C", "A"));
}

}  // namespace
}  // namespace eslabon::recording
