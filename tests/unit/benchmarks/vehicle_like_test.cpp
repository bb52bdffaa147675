#include "benchmarks/tables/vehicle_like.hpp"

#include <algorithm>

#include "benchmarks/tables/bench_case.hpp"
#include "tests/dynamic_case.hpp"
#include <gtest/gtest.h>

#include "eslabon/dynamics/formulations/clusters.hpp"

using namespace eslabon;

namespace {

struct Counts {
  std::string model;
  int freedoms, rows;
  std::size_t largest_cluster;
};
void PrintTo(const Counts& counts, std::ostream* out) { *out << counts.model; }

class VehicleLike : public testing::TestWithParam<Counts> {};

// invariant: the topology of vehicles is that of the source's, robots have the degrees of freedom of their kind.
TEST_P(VehicleLike, HasTheCountsOfTheSource) {
  const test::DynamicCase c(benchmarks::bench_mechanism(GetParam().model));
  const auto formulation = dynamics::make_formulation("clusters", c.model);
  EXPECT_EQ(formulation->num_integrated(), GetParam().freedoms);
  const coordinates::ConstraintSystem system("relative", c.mechanism, c.structure, {});
  int rows = 0;
  for (int r = 0; r < system.num_rows(); ++r) rows += system.label(r).direction != "unit Euler parameters";
  EXPECT_EQ(rows, GetParam().rows);
  EXPECT_EQ(dynamics::largest_cluster(c.model), GetParam().largest_cluster);
}

// crosscheck: articulated inertias over clusters against one matrix of all degrees of freedom, and against multipliers.
TEST_P(VehicleLike, AcceleratesBySmallMatricesAsByLargeOnes) {
  const test::DynamicCase c(benchmarks::bench_mechanism(GetParam().model));
  const auto clusters = dynamics::make_formulation("clusters", c.model);
  for (const std::uint64_t seed : {1u, 2u}) {
    const coordinates::MechanismMotion moving = test::random_motion(c.model, seed);
    const coordinates::MechanismMotion ours = test::accelerated(*clusters, moving);
    double size = 1.0;
    for (const auto& body : ours) size = std::max({size, body.a_WB_W.norm(), body.alpha_WB_W.norm()});
    for (const auto& [name, kind] :
         {std::pair("semi-recursive", "relative"), std::pair("multipliers", "reference-point")}) {
      const auto other = dynamics::make_formulation(name, c.model, {.kind = kind});
      const coordinates::MechanismMotion theirs = test::accelerated(*other, moving);
      for (std::size_t b = 1; b < ours.size(); ++b) {
        EXPECT_LE((ours[b].a_WB_W - theirs[b].a_WB_W).norm(), 1e-9 * size) << name << " " << b;
        EXPECT_LE((ours[b].alpha_WB_W - theirs[b].alpha_WB_W).norm(), 1e-9 * size) << name << " " << b;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Vehicles, VehicleLike,
                         testing::Values(Counts{"van-like:1", 17, 15, 13}, Counts{"van-like:3", 39, 45, 13},
                                         Counts{"truck-like", 40, 19, 15}, Counts{"delta", 3, 6, 10},
                                         Counts{"stewart", 12, 15, 22}, Counts{"four-bar-track:20", 26, 20, 7}),
                         [](const auto& one) {
                           std::string name = one.param.model;
                           std::ranges::replace_if(
                               name, [](char c) { return c == '-' || c == ':'; }, '_');
                           return name;
                         });

}  // namespace
