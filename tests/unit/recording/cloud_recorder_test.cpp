#include "eslabon/recording/pages/cloud_recorder.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace eslabon::recording {
namespace {

/// Hypotheses that stand where their number says, one body each, and have nothing else.
class Standing final : public estimation::ManyStates {
 public:
  explicit Standing(std::size_t number) : number_(number) {}
  bool start_unknown(double, const estimation::UnknownStart&) override { return true; }
  double log_evidence() const override { return 0.0; }
  bool find_hypotheses(std::size_t most, estimation::Hypotheses& out) override {
    ++asked;
    if (number_ == 0) return false;
    out.num_all = number_;
    const std::size_t count = std::min(most, number_);
    out.weights.resize(count);
    std::iota(out.weights.begin(), out.weights.end(), 1.0);
    out.X_WB.resize(2 * count);
    for (std::size_t i = 0; i < 2 * count; ++i) out.X_WB[i].p_AB_A.x() = static_cast<double>(i);
    return true;
  }
  int asked = 0;

 private:
  std::size_t number_;
};

constexpr double kMuch = 1e12;

// contract: twenty in a second from the first row on, whatever the rows are.
TEST(CloudRecorder, KeepsTwentyInASecond_WhileThereIsRoom) {
  Standing filter(5);
  CloudRecorder recorder("standing", 100, true, kMuch);
  for (int k = 0; k <= 2000; ++k) recorder.add(3.0 + 1e-3 * k, filter);
  const auto cloud = recorder.take();
  ASSERT_TRUE(cloud);
  EXPECT_EQ(cloud->name, "standing");
  ASSERT_EQ(cloud->instants.size(), 41u);
  EXPECT_EQ(filter.asked, 41);
  for (std::size_t k = 0; k < cloud->instants.size(); ++k)
    EXPECT_NEAR(cloud->instants[k].t, 3.0 + 0.05 * static_cast<double>(k), 1e-9);
  EXPECT_FALSE(recorder.take());
}

// contract: poses and weights are those of the filter, hypothesis by hypothesis.
TEST(CloudRecorder, KeepsHypothesesAsTheyAre) {
  Standing filter(7);
  CloudRecorder recorder("standing", 4, true, kMuch);
  recorder.add(0.0, filter);
  EXPECT_EQ(recorder.num_all(), 7u);
  EXPECT_EQ(recorder.num_kept(), 4u);
  const auto cloud = recorder.take();
  ASSERT_TRUE(cloud);
  const report::Cloud::Instant& instant = cloud->instants.front();
  EXPECT_EQ(instant.weights, (std::vector<double>{1.0, 2.0, 3.0, 4.0}));
  ASSERT_EQ(instant.X_WB.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    ASSERT_EQ(instant.X_WB[i].size(), 2u);
    EXPECT_EQ(instant.X_WB[i][1].p_AB_A.x(), static_cast<double>(2 * i + 1));
  }
}

// analytic: two bodies in the plane are 8 numbers of two bytes and a weight of one, in base64. Never more than the limit, and at least half
// of it once instants had to go; those that stay are even.
TEST(CloudRecorder, KeepsEverySecond_WhenThereIsNoMoreRoom) {
  constexpr double kInstant = 300.0 * 17.0 * 4.0 / 3.0;
  for (const double room : {10.5, 16.0, 33.9, 64.0}) {
    SCOPED_TRACE(room);
    Standing filter(300);
    CloudRecorder recorder("standing", 2000, true, room * kInstant);
    for (int k = 0; k <= 30000; ++k) recorder.add(1e-3 * k, filter);
    const double spacing = recorder.spacing();
    const auto cloud = recorder.take();
    ASSERT_TRUE(cloud);
    const auto count = static_cast<double>(cloud->instants.size());
    EXPECT_LE(count, room);
    EXPECT_GE(count, std::floor(room / 2.0));
    EXPECT_NEAR(std::log2(spacing / CloudRecorder::kSpacing),
                std::round(std::log2(spacing / CloudRecorder::kSpacing)), 1e-12);
    for (std::size_t k = 0; k < cloud->instants.size(); ++k)
      EXPECT_NEAR(cloud->instants[k].t, spacing * static_cast<double>(k), 1e-9);
    EXPECT_GT(cloud->instants.back().t, 30.0 - spacing - 1e-9);
  }
}

// contract
TEST(CloudRecorder, KeepsOneInstantAtLeast_AndNothingOfFiltersWithoutHypotheses) {
  Standing many(10000), none(0);
  CloudRecorder narrow("many", 10000, false, 1.0), empty("none", 10, false, kMuch);
  for (int k = 0; k < 100; ++k) {
    narrow.add(0.1 * k, many);
    empty.add(0.1 * k, none);
  }
  EXPECT_EQ(narrow.take()->instants.size(), 1u);
  EXPECT_FALSE(empty.take());
}

}  // namespace
}  // namespace eslabon::recording
