#include "eslabon/report/data/road_surface.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/unit/report/rolling_wheel.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace eslabon::report {
namespace {

using testing::Each;
using testing::SizeIs;

constexpr double kBeside = 12.0;  // [m] 40 radii

/// Over the plane, linear between places of the grid.
double drawn_height(const RoadSurface& surface, double x, double y) {
  const auto place = [](const std::vector<double>& at, double value) {
    const auto above = std::clamp<std::ptrdiff_t>(std::ranges::upper_bound(at, value) - at.begin(), 1,
                                                  static_cast<std::ptrdiff_t>(at.size()) - 1);
    const auto k = static_cast<std::size_t>(above);
    return std::pair(k - 1, (value - at[k - 1]) / (at[k] - at[k - 1]));
  };
  const auto [i, u] = place(surface.x, x);
  const auto [j, v] = place(surface.y, y);
  const std::size_t n = surface.y.size();
  const auto along = [&](std::size_t k) {
    return (1.0 - u) * surface.height[i * n + k] + u * surface.height[(i + 1) * n + k];
  };
  return (1.0 - v) * along(j) + v * along(j + 1);
}

tyres::Road with_bump(tyres::RoadBump bump) {
  tyres::Road road;
  road.slope_x = 0.1;
  road.bumps = {std::move(bump)};
  return road;
}

// analytic: four corners, 40 radii beside the way; whatever its slopes, nothing is over the plane.
TEST(RoadSurface, APlaneHasFourPlaces) {
  tyres::Road road;
  road.height = 0.2;
  road.slope_x = 0.1;
  road.slope_y = -0.05;
  road.friction_right = 0.3;
  const auto surface = road_surface(test::wheel_report(road, 200.0));
  ASSERT_TRUE(surface);
  ASSERT_THAT(surface->x, SizeIs(2));
  ASSERT_THAT(surface->y, SizeIs(2));
  EXPECT_NEAR(surface->x[0], -kBeside, 1e-12);
  EXPECT_NEAR(surface->x[1], 200.0 + kBeside, 1e-12);
  EXPECT_NEAR(surface->y[1], kBeside, 1e-12);
  EXPECT_THAT(surface->height, Each(testing::DoubleNear(0.0, 1e-12)));
}

// analytic: the wave of a bump, to a two-hundredth of its height; on the other half of the road, and before and behind it, there is none.
TEST(RoadSurface, ABumpIsSeenWhereItIs) {
  const double height = 0.08, length = 1.5, begin = 150.0;
  const auto surface = road_surface(test::wheel_report(
      with_bump({.name = "b", .begin = begin, .length = length, .height = height, .on_right = false}),
      200.0));
  ASSERT_TRUE(surface);
  EXPECT_LT(surface->height.size(), 500u);
  for (double s = -1.0; s < length + 1.0; s += 0.0137) {
    const double wave =
        s > 0.0 && s < length ? 0.5 * height * (1.0 - std::cos(2.0 * std::numbers::pi * s / length)) : 0.0;
    EXPECT_NEAR(drawn_height(*surface, begin + s, 0.75), wave, height / 200.0 + 1e-6) << s;
    EXPECT_NEAR(drawn_height(*surface, begin + s, -0.75), 0.0, 1e-12) << s;
    EXPECT_NEAR(drawn_height(*surface, begin + s, 1e-3), wave, height / 200.0 + 1e-6) << s;
  }
}

// analytic: edges that stand upright are as steep as a tenth of a millimetre on either side of them makes them.
TEST(RoadSurface, UprightEdgesAreUpright) {
  const auto surface = road_surface(test::wheel_report(with_bump({.name = "b",
                                                                  .shape = tyres::BumpShape::kTrapezoid,
                                                                  .begin = 7.3,
                                                                  .length = 0.4,
                                                                  .height = -0.1,
                                                                  .ramp = 1e-4}),
                                                       50.0));
  ASSERT_TRUE(surface);
  EXPECT_NEAR(drawn_height(*surface, 7.3 - 2e-4, 0.0), 0.0, 1e-3);
  EXPECT_NEAR(drawn_height(*surface, 7.3 + 2e-4, 0.0), -0.1, 1e-3);
  EXPECT_NEAR(drawn_height(*surface, 7.7 - 2e-4, 0.0), -0.1, 1e-3);
  EXPECT_NEAR(drawn_height(*surface, 7.7 + 2e-4, 0.0), 0.0, 1e-3);
}

// invariant: however many bumps there are, there are no more places than promised, and the highest are among them.
TEST(RoadSurface, ManyBumpsFitIntoAPage) {
  tyres::Road road;
  for (int k = 0; k < 200; ++k)
    road.bumps.push_back({.name = "b", .begin = 5.0 * k, .length = 3.0, .height = 0.01 + 1e-4 * k});
  const auto surface = road_surface(test::wheel_report(road, 1000.0));
  ASSERT_TRUE(surface);
  EXPECT_LE(surface->height.size(), RoadSurface::kMostPlaces);
  EXPECT_EQ(surface->height.size(), surface->x.size() * surface->y.size());
  EXPECT_TRUE(std::ranges::is_sorted(surface->x));
  EXPECT_NEAR(*std::ranges::max_element(surface->height), 0.01 + 199e-4, 1e-3);
}

// invariant: the user's origin is where x, y and z of the road are measured.
TEST(RoadSurface, GoesWithTheOriginOfItsRoad) {
  tyres::Road road = with_bump({.name = "b", .begin = 10.0, .length = 2.0, .height = 0.1});
  road.origin_W = {-3.0, 4.0, 0.5};
  const auto surface = road_surface(test::wheel_report(road, 20.0));
  ASSERT_TRUE(surface);
  EXPECT_NEAR(drawn_height(*surface, 10.0 + 1.0 - 3.0, 0.0), 0.1, 1e-3);
  EXPECT_NEAR(drawn_height(*surface, 10.0 + 2.5 - 3.0, 0.0), 0.0, 1e-4);
}

TEST(RoadSurface, IsNowhereWithoutTyresThatGoThere) {
  Report report = test::wheel_report({}, 10.0);
  report.recordings[0].motion.reset();
  EXPECT_FALSE(road_surface(report));
  report.mechanism.reset();
  EXPECT_FALSE(road_surface(report));
}

}  // namespace
}  // namespace eslabon::report
