// Speeds and accelerations of groups, by closed form and by Newton on constraint rows, against central differences along
// smooth motions of the links that a group hangs on.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/spatial_group_bench.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

namespace eslabon::kinematics {
namespace {

using coordinates::CoordinateValue;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using test::Dice;
using test::dyad;
using test::GroupBench;
using test::GroupCase;

/// A smooth motion of a link:  R = exp(f a) exp(g b) R₀  with a fixed and b carried by the first turn, so that
///   ω = ḟ a + ġ b',   α = f̈ a + g̈ b' + ḟ a × ġ b',   b' = exp(f a) b                                         (1)
struct SmoothMotion {
  struct Wave {
    double size, rate, phase;
    CoordinateValue at(double t) const {
      const double s = std::sin(rate * t + phase), c = std::cos(rate * t + phase);
      return {size * s, size * rate * c, -size * rate * rate * s};
    }
  };
  Vector3d a, b;
  std::array<Wave, 2> turns;
  std::array<Wave, 3> shifts;

  SmoothMotion(Dice& dice, bool is_planar) {
    const auto wave = [&](double size) {
      return Wave{dice.number(size), 1.0 + dice.number(0.5), dice.number(3.0)};
    };
    a = is_planar ? Vector3d(Vector3d::UnitZ()) : dice.turn(3.0).col(0);
    b = is_planar ? Vector3d(Vector3d::UnitZ()) : dice.turn(3.0).col(0);
    for (Wave& turn : turns) turn = wave(1.5);
    for (Wave& shift : shifts) shift = wave(0.2);
    if (is_planar) shifts[2].size = 0.0;
  }

  SpatialPoint shifted(const Vector3d& from, double t) const {
    SpatialPoint at{from, Vector3d::Zero(), Vector3d::Zero()};
    for (int i = 0; i < 3; ++i) {
      const CoordinateValue shift = shifts[static_cast<std::size_t>(i)].at(t);
      at.p[i] += shift.position;
      at.v[i] = shift.velocity;
      at.a[i] = shift.acceleration;
    }
    return at;
  }
  SpatialLink turned(const SpatialLink& from, double t) const {
    const CoordinateValue f = turns[0].at(t), g = turns[1].at(t);
    const Matrix3d first = Eigen::AngleAxisd(f.position, a).toRotationMatrix();
    const Vector3d carried = first * b;
    SpatialLink link;
    link.R = first * Eigen::AngleAxisd(g.position, b).toRotationMatrix() * from.R;
    link.w = f.velocity * a + g.velocity * carried;
    link.alpha =
        f.acceleration * a + g.acceleration * carried + (f.velocity * g.velocity) * a.cross(carried);  // (1)
    return link;
  }
};

/// Follows the group along a smooth motion of its outer links, by one of its solvers.
template <class Link>
void expect_derivatives(const GroupCase& group_case, bool is_general, std::uint64_t seed) {
  GroupBench<Link> bench(group_case);
  ASSERT_NE(bench.general, nullptr);
  const std::string& name = bench.group().assur.empty() ? bench.group().type : bench.group().assur;
  ASSERT_EQ(name, group_case.type);
  const GroupSolver<Link>& solver = is_general ? *bench.general : bench.closed();
  Dice dice{core::Rng(seed)};
  const double h = test::central_step(1.0);
  constexpr double kRough =
      100.0;  // lengths of 2 m, speeds of 2 rad/s; third derivatives bring factors of their own
  int compared = 0;
  for (int k = 0; k < 2000; ++k) {
    std::vector<SmoothMotion> motions;
    for (std::size_t i = 0; i < bench.outer.size(); ++i)
      motions.emplace_back(dice, bench.mechanism.is_planar());
    const double t = dice.number(1.0);
    GroupBranch branch = kNearestBranch;
    const auto solve = [&](double time, std::vector<Link>& links) {
      for (std::size_t i = 0; i < bench.outer.size(); ++i) {
        const SpatialLink from = bench.start[bench.outer[i]].to_spatial();
        SpatialLink link = motions[i].turned(from, time);
        link.put_point(bench.held[i],
                       motions[group_case.is_concurrent ? 0 : i].shifted(group_case.held[i], time));
        links[bench.outer[i]] = Link::from_spatial(link);
      }
      return solver.solve(bench.inputs, branch, links, bench.scratch) == GroupStatus::kSolved;
    };
    std::vector<Link> at = bench.start;
    if (!solve(t, at)) continue;
    double fastest = 1.0;
    for (const structure::LinkIndex own : bench.group().links) {
      const SpatialLink link = at[own.slot()].to_spatial();
      fastest = std::max(
          {fastest, link.w.norm(), link.v.norm(), std::cbrt(link.alpha.norm()), std::cbrt(link.a.norm())});
    }
    if (fastest > 3.0) continue;
    std::vector<Link> behind = at, ahead = at;
    ASSERT_TRUE(solve(t - h, behind));
    ASSERT_TRUE(solve(t + h, ahead));
    ++compared;
    // At ε before a toggle positions go as ε, ε² being the time left, and their derivatives as ε⁻¹, ε⁻³, ε⁻⁵, ε⁻⁷.
    const double slow = test::central_tolerance(h, kRough * std::pow(fastest, 5.0));
    const double fast = test::central_tolerance(h, kRough * std::pow(fastest, 7.0));
    for (const structure::LinkIndex own : bench.group().links) {
      const SpatialLink is = at[own.slot()].to_spatial(), a = behind[own.slot()].to_spatial(),
                        b = ahead[own.slot()].to_spatial();
      for (int i = 0; i < 3; ++i)
        ASSERT_LE(((b.R.col(i) - a.R.col(i)) / (2.0 * h) - is.w.cross(is.R.col(i))).norm(), slow) << k;
      ASSERT_LE(((b.p - a.p) / (2.0 * h) - is.v).norm(), slow) << k;
      ASSERT_LE(((b.w - a.w) / (2.0 * h) - is.alpha).norm(), fast) << k;
      ASSERT_LE(((b.v - a.v) / (2.0 * h) - is.a).norm(), fast) << k;
    }
  }
  EXPECT_GT(compared, 100);
}

struct DerivativeCase {
  GroupCase group;
  bool is_general;
};

void PrintTo(const DerivativeCase& c, std::ostream* out) { *out << c.group.name; }

class GroupRates : public testing::TestWithParam<DerivativeCase> {};

TEST_P(GroupRates, EqualCentralDifferencesOfPositionsAndSpeeds_AlongSmoothMotionsOfTheOuterLinks) {
  const DerivativeCase& c = GetParam();
  if (c.group.mechanism.is_planar())
    expect_derivatives<PlanarLink>(c.group, c.is_general, 13);
  else
    expect_derivatives<SpatialLink>(c.group, c.is_general, 13);
}

std::vector<DerivativeCase> derivative_cases() {
  std::vector<DerivativeCase> cases;
  for (const bool is_general : {true, false})
    for (const GroupCase& group :
         {dyad("1C1E1R", "CRE", "fff"), dyad("1C1E1R", "REC", "sff"), dyad("1C1E1P", "CPE", "sff"),
          dyad("1C1E1P", "PCE", "fff"), dyad("2E1R", "REE", "fff"), dyad("2E1R", "ERE", "fff"),
          dyad("2E1P", "EPE", "fff"), test::spherical_dyad("fff"), test::planar_dyad()})
      cases.push_back({group, is_general});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Types, GroupRates, testing::ValuesIn(derivative_cases()), [](const auto& c) {
  return c.param.group.name + (c.param.is_general ? "_general" : "_closed");
});

}  // namespace
}  // namespace eslabon::kinematics
