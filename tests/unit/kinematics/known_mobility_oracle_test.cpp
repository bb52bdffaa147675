// The answers of tests/known_mobility.hpp against screws: two ways that share no code, and none with the library's
// own analysis.

#include <random>
#include <set>

#include "tests/known_mobility.hpp"
#include "tests/screw_rank.hpp"
#include "tests/tolerances.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace eslabon::test {
namespace {

const std::vector<KnownMobility>& mechanisms() {
  static const std::vector<KnownMobility> list = known_mobility_mechanisms();
  return list;
}

/// Up to three positions reached by finite steps along random null vectors, each from the one before and not back.
std::vector<ScrewChain> positions_on_the_motion(const model::Mechanism& mechanism) {
  std::mt19937_64 random(20240607);
  std::vector<ScrewChain> list;
  ScrewChain chain(mechanism);
  Eigen::VectorXd heading;
  for (int trial = 0; trial < 6 && list.size() < 3; ++trial) {
    const Eigen::MatrixXd N = chain.rank().null_space;
    if (N.cols() == 0) break;
    Eigen::VectorXd direction = N * ScrewChain::random_unit(static_cast<int>(N.cols()), random);
    if (heading.size() > 0 && heading.dot(direction) < 0.0) direction = -direction;
    ScrewChain moved = chain;
    const auto step = moved.move(direction, 0.15);
    if (!step.closed || step.kept < 0.3) continue;
    heading = step.displacement;
    chain = moved;
    list.push_back(moved);
  }
  return list;
}

/// The last of them; the start of what cannot move.
ScrewChain generic_position(const model::Mechanism& mechanism) {
  const std::vector<ScrewChain> positions = positions_on_the_motion(mechanism);
  return positions.empty() ? ScrewChain(mechanism) : positions.back();
}

/// No singular value near the decision between kept and dropped.
void expect_clear(const ScrewRank& rank) {
  EXPECT_GT(rank.least_kept, 1e3 * ScrewChain::kRankTolerance);
  EXPECT_LT(rank.most_dropped, 1e-2 * ScrewChain::kRankTolerance);
}

TEST(KnownMobility, ListNamesManyMechanismsOnce) {
  std::set<std::string> names;
  for (const KnownMobility& known : mechanisms()) names.insert(known.name);
  EXPECT_EQ(names.size(), mechanisms().size());
  EXPECT_GE(names.size(), 34u);
}

TEST(KnownMobility, StartValuesCloseTheLoops) {
  for (const KnownMobility& known : mechanisms())
    EXPECT_LE(ScrewChain(known.mechanism).start_misfit(), roundoff(64.0, 4.0)) << known.name;
}

TEST(KnownMobility, CountsObeyTheIdentity) {
  for (const KnownMobility& known : mechanisms()) {
    const ScrewRank start = ScrewChain(known.mechanism).rank();
    EXPECT_EQ(known.gruebler, start.freedoms - start.rows) << known.name;
    EXPECT_EQ(known.rank, known.gruebler + known.redundant) << known.name;
  }
}

TEST(KnownMobility, IsThatOfTheScrewsAtTheStart_AndOneMoreWhereItIsShaky) {
  for (const KnownMobility& known : mechanisms()) {
    SCOPED_TRACE(known.name);
    const ScrewRank start = ScrewChain(known.mechanism).rank();
    EXPECT_EQ(start.mobility(), known.rank + (known.shaky ? 1 : 0));
    EXPECT_EQ(start.redundant(), known.redundant + (known.shaky ? 1 : 0));
    expect_clear(start);
  }
}

TEST(KnownMobility, IsThatOfTheScrewsAfterFiniteSteps) {
  for (const KnownMobility& known : mechanisms()) {
    SCOPED_TRACE(known.name);
    const std::vector<ScrewChain> positions = positions_on_the_motion(known.mechanism);
    EXPECT_EQ(positions.size(), known.rank == 0 ? 0u : 3u);
    for (const ScrewChain& position : positions) {
      const ScrewRank there = position.rank();
      EXPECT_EQ(there.mobility(), known.rank);
      EXPECT_EQ(there.redundant(), known.redundant);
      expect_clear(there);
      EXPECT_LE(position.joint_misfit(), roundoff(1e3, 4.0));  // a thousand small turns at most
    }
  }
}

TEST(KnownMobility, IsTheNumberOfDirectionsThatSurviveFiniteSteps) {
  for (const KnownMobility& known : mechanisms()) {
    std::mt19937_64 random(7);
    EXPECT_EQ(generic_position(known.mechanism).finite_mobility(random), known.rank) << known.name;
  }
}

TEST(KnownMobility, IdleFreedomsAreSpinsOfPartsHeldAtTwoPoints) {
  for (const KnownMobility& known : mechanisms())
    EXPECT_EQ(ScrewChain(known.mechanism).idle_spins(), known.idle) << known.name;
}

TEST(KnownMobility, RedundantJointsAreThoseThatSelfStressLoads) {
  for (const KnownMobility& known : mechanisms()) {
    if (known.shaky) continue;  // stressed at the start only
    EXPECT_THAT(generic_position(known.mechanism).stressed_joints(),
                ::testing::UnorderedElementsAreArray(known.redundant_joints))
        << known.name;
  }
}

}  // namespace
}  // namespace eslabon::test
