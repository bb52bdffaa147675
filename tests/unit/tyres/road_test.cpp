// Roads: random ones against their spectrum, grids against what another program reads from them, planks against a disc, slopes against differences.
#include "eslabon/tyres/road.hpp"

#include <cmath>
#include <complex>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/io/roads/crg_file.hpp"
#include "eslabon/tyres/road_relief.hpp"
#include "eslabon/tyres/wheel_contact.hpp"

namespace eslabon::tyres {
namespace {

using core::Dual;
using std::numbers::pi;
const std::string kRoads = ESLABON_SOURCE_DIR "/tests/data/roads/";

Road with(RoadRelief relief) {
  Road road;
  road.relief = std::make_shared<const RoadRelief>(std::move(relief));
  return road;
}
Road rough(const RoughRoad& road) { return with({.heights = draw(road), .drawn_from = road}); }

/// ∂z/∂x, ∂z/∂y against central differences, and both against dual numbers.
void expect_slopes(const Road& road, double x, double y, double step, double tolerance) {
  const RoadPointOf<double> at = road_at(road, x, y);
  const auto z = [&](double dx, double dy) { return road_at(road, x + dx, y + dy).height; };
  EXPECT_NEAR(at.slope_x, (z(step, 0.0) - z(-step, 0.0)) / (2.0 * step), tolerance) << x << ' ' << y;
  EXPECT_NEAR(at.slope_y, (z(0.0, step) - z(0.0, -step)) / (2.0 * step), tolerance) << x << ' ' << y;
  for (const double along : {1.0, 0.0}) {
    const auto dual = road_at(road, Dual<double>(x, along), Dual<double>(y, 1.0 - along));
    EXPECT_EQ(dual.height.value, at.height);
    EXPECT_NEAR(dual.height.derivative, along > 0.0 ? at.slope_x : at.slope_y, 1e-12);
    const double shift = along > 0.0
                             ? road_at(road, x + step, y).slope_x - road_at(road, x - step, y).slope_x
                             : road_at(road, x, y + step).slope_x - road_at(road, x, y - step).slope_x;
    EXPECT_NEAR(dual.slope_x.derivative, shift / (2.0 * step), 1e3 * tolerance);
  }
}

/// The amplitude of the wave that goes so often into a length, of heights at equal steps over it.
std::complex<double> wave_of(const std::vector<double>& z, int count) {
  const std::complex<double> turn = std::polar(1.0, -2.0 * pi * count / static_cast<double>(z.size()));
  std::complex<double> sum = 0.0, at = 1.0;
  for (const double height : z) {
    sum += height * at;
    at *= turn;
  }
  return 2.0 / static_cast<double>(z.size()) * sum;
}

/// G(n) averaged over each octave, by that of the class.
std::vector<double> octaves_by_class(const std::vector<double>& z, double length, double degree) {
  std::vector<double> out;
  for (const double centre : {0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6}) {
    double sum = 0.0, of_class = 0.0;
    const auto first = static_cast<int>(std::ceil(centre / std::sqrt(2.0) * length)),
               last = static_cast<int>(std::floor(centre * std::sqrt(2.0) * length));
    for (int k = first; k <= last; ++k) {
      sum += 0.5 * length * std::norm(wave_of(z, k));
      of_class += degree * std::pow(k / length / 0.1, -2.0);
    }
    out.push_back(sum / of_class);
  }
  return out;
}

std::vector<double> heights_along(const Road& road, double begin, double length, std::size_t count,
                                  double y) {
  std::vector<double> z;
  for (std::size_t i = 0; i < count; ++i)
    z.push_back(
        road_at(road, begin + length * static_cast<double>(i) / static_cast<double>(count), y).height);
  return z;
}

// ISO 8608: class C is 256e-6 m³. Everything about 1 km is in the seven octaves that matter to wheels.
TEST(RoughRoad, HasTheSpectrumOfItsClassOverOneKilometreInBothTracks) {
  for (const char letter : {'A', 'C', 'E'})
    for (const std::uint64_t seed : {1u, 2u}) {
      const Road road = rough({.letter = letter, .seed = seed});
      for (const double y : {0.75, -0.75}) {
        const std::vector<double> z = heights_along(road, 10.0, 1000.0, 6000, y);
        for (const double ratio : octaves_by_class(z, 1000.0, 16e-6 * std::pow(4.0, letter - 'A')))
          EXPECT_NEAR(ratio, 1.0, 0.02) << letter << seed << y;
      }
    }
}

// The same of the first kilometre as somebody drives it, who knows nothing of its period and of how it begins.
TEST(RoughRoad, HasItFromTheBeginTooByWindowedMeans) {
  const Road road = rough({.letter = 'D', .seed = 7});
  const std::vector<double> z = heights_along(road, 0.0, 1000.0, 8000, 0.75);
  const std::size_t part = 1000;  // Welch: windows of 125 m, half over each other
  double sum = 0.0, of_class = 0.0;
  const double length = 125.0;
  for (std::size_t begin = 0; begin + part <= z.size(); begin += part / 2)
    for (int k = 10; k <= 50; ++k) {  // 0.08 to 0.4 cycles/m
      double re = 0.0, im = 0.0, window_power = 0.0;
      for (std::size_t i = 0; i < part; ++i) {
        const double phase = 2.0 * pi * static_cast<double>(i) / static_cast<double>(part);
        const double window = 0.5 * (1.0 - std::cos(phase));
        window_power += window * window;
        re += window * z[begin + i] * std::cos(k * phase);
        im += window * z[begin + i] * std::sin(k * phase);
      }
      const double n = k / length;
      sum += 2.0 * length * (re * re + im * im) / (static_cast<double>(part) * window_power);
      of_class += 1024e-6 * std::pow(n / 0.1, -2.0);
    }
  EXPECT_NEAR(sum / of_class, 1.0, 0.15);
}

TEST(RoughRoad, TracksAreOneForLongWavesAndTwoForShortOnes) {
  const Road road = rough({.letter = 'C'});
  const std::vector<double> left = heights_along(road, 10.0, 1000.0, 4096, 0.75),
                            right = heights_along(road, 10.0, 1000.0, 4096, -0.75);
  const auto coherence = [&](double from, double to) {
    double together = 0.0, alone = 0.0;
    for (int k = static_cast<int>(from * 1000.0); k <= static_cast<int>(to * 1000.0); ++k) {
      const std::complex<double> a = wave_of(left, k), b = wave_of(right, k);
      together += (a * std::conj(b)).real();
      alone += 0.5 * (std::norm(a) + std::norm(b));
    }
    return together / alone;
  };
  EXPECT_GT(coherence(0.012, 0.03), 0.9);  // 2π n b K_1(2π n b) = 0.96 at n = 0.02, b = 1.5 m
  EXPECT_LT(std::abs(coherence(0.8, 1.2)), 0.2);
}

TEST(RoughRoad, IsTheSameOfTheSameSeedAndBeginsSmoothly) {
  const RoughRoad what{.letter = 'B', .seed = 5, .begin = 20.0};
  const Road one = rough(what), again = rough(what), other = rough({.letter = 'B', .seed = 6, .begin = 20.0});
  EXPECT_TRUE(one == again);
  EXPECT_FALSE(one == other);
  EXPECT_EQ(road_at(one, 19.9, 0.7).height, 0.0);
  for (const double x : {20.5, 23.0, 31.0, 500.0, 1500.3})
    for (const double y : {0.75, -0.1, -0.6}) expect_slopes(one, x, y, 1e-5, 1e-7);
  EXPECT_NEAR(road_at(one, 100.0, 0.7).height, road_at(one, 1100.0, 0.7).height, 1e-12);
}

TEST(RoughRoad, RefusesWhatHasNoWaves) {
  EXPECT_THROW(draw({.letter = 'C', .length = 0.1}), core::ContractError);
  EXPECT_THROW(draw({.letter = 'Z'}), core::ContractError);
  EXPECT_EQ(degree_of_class("c"), std::nullopt);
}

TEST(TrackHeights, GoThroughTheirPointsAndStayBehindThem) {
  const auto table = [](std::vector<core::CubicTable::Point> points) {
    return core::CubicTable(std::move(points), core::CubicTable::Ends::kNoValue);
  };
  const Road road =
      with({.heights = TrackHeights{.left = table({{0.0, 0.0}, {1.0, 0.1}, {2.0, 0.05}, {4.0, 0.2}}),
                                    .right = table({{0.0, 0.0}, {1.0, -0.1}, {2.0, 0.0}, {4.0, 0.1}})}});
  EXPECT_EQ(road_at(road, 1.0, 0.7).height, 0.1);
  EXPECT_EQ(road_at(road, 1.0, -0.7).height, -0.1);
  EXPECT_EQ(road_at(road, 9.0, 0.7).height, 0.2);
  EXPECT_EQ(road_at(road, 9.0, 0.7).slope_x, 0.0);
  EXPECT_NEAR(road_at(road, 1.0, 0.0).height, 0.0, 1e-15);  // the seam's middle is their mean
  for (const double y : {0.7, 0.1, -0.2, -0.7}) expect_slopes(road, 1.3, y, 1e-5, 1e-8);
}

// Values of the C library of ASAM OpenCRG at these places, which keeps its grid in numbers of 7 digits.
TEST(CrgSurface, IsWhatTheFormatsOwnLibraryReads) {
  const Road road = with({.heights = CrgSurface(io::read_crg_file(kRoads + "curved-banked-sloped.crg"))});
  std::ifstream file(kRoads + "curved-banked-sloped.csv");
  std::string line;
  std::getline(file, line);
  int count = 0;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    double x = 0.0, y = 0.0, z = 0.0;
    char comma = ' ';
    cells >> x >> comma >> y >> comma >> z;
    EXPECT_NEAR(road_at(road, x, y).height, z, 2e-9) << line;
    ++count;
  }
  EXPECT_EQ(count, 49);
}

TEST(CrgSurface, MeetsItsGridAtEveryPointAndHasTheSlopesOfItsHeights) {
  const CrgGrid grid = io::read_crg_file(kRoads + "curved-banked-sloped.crg");
  const Road road = with({.heights = CrgSurface(grid)});
  // Places of rows once more: along the line by headings, across by the bisectors of its bends.
  double x = grid.start_x, y = grid.start_y;
  for (std::size_t row = 0; row < grid.reference.size(); ++row) {
    const double before = grid.heading[row == 0 ? 0 : row - 1],
                 after = grid.heading[std::min(row, grid.heading.size() - 1)];
    const double across = 0.5 * (before + after), longer = 1.0 / std::cos(0.5 * (after - before));
    for (std::size_t column = 0; column < grid.v.size(); ++column) {
      const double v = grid.v[column];
      const double z = grid.reference[row] + grid.bank[row] * v + grid.z[row * grid.v.size() + column];
      EXPECT_NEAR(road_at(road, x - v * longer * std::sin(across), y + v * longer * std::cos(across)).height,
                  z, 1e-12);
    }
    if (row < grid.heading.size()) {
      x += grid.increment * std::cos(grid.heading[row]);
      y += grid.increment * std::sin(grid.heading[row]);
    }
  }
  for (const double u : {0.3, 4.4, 9.7, 15.2, 21.6, -3.0, 30.0})
    for (const double v : {-1.1, 0.3, 1.2, 2.7}) expect_slopes(road, u, 0.04 * u + v, 1e-6, 1e-8);
}

TEST(CrgSurface, FindsItsWayOnALongRoad) {
  CrgGrid grid{.increment = 0.5, .heading = {}, .reference = {}, .bank = {}, .v = {-2.0, 2.0}, .z = {}};
  for (int row = 0; row < 4000; ++row) {  // a circle of radius 200 m, more than once round: 1.6 turns
    if (row > 0) grid.heading.push_back(0.5 * row / 200.0 * 0.6);
    grid.reference.push_back(0.001 * row);
    grid.bank.push_back(0.0);
    grid.z.insert(grid.z.end(), {0.0, 0.0});
  }
  const CrgSurface surface(grid);
  double x = 0.0, y = 0.0;
  for (std::size_t row = 0; row + 1 < 4000; ++row) {
    if (row % 97 == 0) {
      EXPECT_NEAR(surface.at(x, y).height, 0.001 * static_cast<double>(row), 1e-9);
    }
    x += 0.5 * std::cos(grid.heading[row]);
    y += 0.5 * std::sin(grid.heading[row]);
  }
}

// A rigid disc of radius R that rolls over an edge of height h: its centre goes on a circle about the edge.
TEST(Plank, LiftsADiscOnACircleAboutItsEdge) {
  Road road;
  road.bumps = {{.name = "p", .shape = BumpShape::kPlank, .begin = 2.0, .length = 0.4, .height = 0.05}};
  const double R = 0.3, reach = std::sqrt(0.05 * (2.0 * R - 0.05));
  EXPECT_EQ(plank_lift(road, R, 2.0 - reach - 1e-9, 0.0), 0.0);
  for (const double x : {2.0 - 0.9 * reach, 1.95, 2.0, 2.2, 2.4, 2.43, 2.4 + 0.9 * reach}) {
    const double d = x < 2.0 ? 2.0 - x : x > 2.4 ? x - 2.4 : 0.0;
    const double centre = plank_lift(road, R, x, 0.0) + R;
    EXPECT_NEAR(std::hypot(d, centre - 0.05), R, 1e-12) << x;
  }
  EXPECT_EQ(plank_lift(road, R, 2.4 + reach + 1e-9, 0.0), 0.0);
  EXPECT_EQ(road_at(road, 2.2, 0.0).height, 0.0);  // planks are felt, not looked up
  const Dual<double> lift = plank_lift(road, R, Dual<double>(1.93, 1.0), Dual<double>(0.0));
  EXPECT_NEAR(lift.derivative,
              (plank_lift(road, R, 1.93 + 1e-6, 0.0) - plank_lift(road, R, 1.93 - 1e-6, 0.0)) / 2e-6, 1e-8);
}

TEST(Plank, PushesAWheelBackOnTheWayUpAndAheadOnTheWayDown) {
  Road road;
  road.bumps = {{.name = "p", .shape = BumpShape::kPlank, .begin = 2.0, .length = 0.4, .height = 0.05}};
  const auto contact = [&](double x) {
    return wheel_contact(
        road, {.free_radius = 0.3, .half_length = 0.0},
        WheelMotionOf<double>{{x, 0.0, 0.34}, {0.0, 1.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}});
  };
  EXPECT_LT(contact(1.9).normal.x(), -0.1);
  EXPECT_NEAR(contact(2.2).normal.x(), 0.0, 1e-12);
  EXPECT_NEAR(contact(2.2).radius, 0.29, 1e-12);
  EXPECT_GT(contact(2.5).normal.x(), 0.1);
  EXPECT_NEAR(contact(1.0).radius, 0.34, 1e-12);
}

}  // namespace
}  // namespace eslabon::tyres
