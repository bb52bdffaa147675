// The groups of random mechanisms against the definition itself, searched by brute force over sets of links.

#include <algorithm>
#include <bit>
#include <set>

#include "tests/mechanisms.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/structure/structure.hpp"

namespace eslabon::structure {
namespace {

using model::JointType;
using test::GraphJoint;

struct Mechanism {
  std::vector<GraphJoint> joints;
  int links = 0;
};

/// A chain that grows link by link and gets extra joints while Grübler's count stays ≥ 1.
Mechanism random_planar(core::Rng& rng) {
  Mechanism mechanism;
  mechanism.links = 2 + static_cast<int>(rng.uniform_index(6));
  int mobility = 3 * mechanism.links;
  const auto link_name = [](std::uint64_t i) {
    return i == 0 ? std::string("ground") : "l" + std::to_string(i);
  };
  const auto add = [&](std::uint64_t a, std::uint64_t b) {
    const bool slides = rng.uniform() < 0.25;
    mechanism.joints.push_back({"j" + std::to_string(mechanism.joints.size()),
                                slides ? JointType::kPrismatic : JointType::kRevolute, link_name(a),
                                link_name(b)});
    mobility -= 2;
  };
  for (int i = 1; i <= mechanism.links; ++i)
    add(rng.uniform_index(static_cast<std::uint64_t>(i)), static_cast<std::uint64_t>(i));
  for (int tries = 0; tries < 12 && mobility >= 3; ++tries) {
    const std::uint64_t a = rng.uniform_index(static_cast<std::uint64_t>(mechanism.links) + 1);
    const std::uint64_t b = rng.uniform_index(static_cast<std::uint64_t>(mechanism.links) + 1);
    if (a != b) add(a, b);
  }
  return mechanism;
}

/// Rows minus 3 × links of the set: zero for a set that can be solved once the links in `solved` are known.
int excess(const model::Mechanism& mechanism, const Structure& structure, unsigned set, unsigned solved) {
  const auto in = [](unsigned links, LinkIndex link) {
    return link == kFrame || ((links >> (link.value() - 1)) & 1u) != 0;
  };
  const auto belongs = [&](LinkIndex a, LinkIndex b) {
    const bool touches = (a != kFrame && in(set, a)) || (b != kFrame && in(set, b));
    return touches && in(set | solved, a) && in(set | solved, b);
  };
  int rows = -3 * std::popcount(set);
  for (const model::Joint& joint : mechanism.joints())
    if (belongs(structure.topology.link_of(joint.first()), structure.topology.link_of(joint.second())))
      rows += model::constraint_rows(joint.type, true);
  for (const Input& input : structure.inputs)
    if (belongs(input.first, input.second)) ++rows;
  return rows;
}

/// Seed 001, §2.1.3: again and again the smallest set of links that fulfils the fundamental condition.
std::set<unsigned> groups_by_definition(const model::Mechanism& mechanism, const Structure& structure) {
  const unsigned all = (1u << (structure.topology.num_links() - 1)) - 1u;
  std::set<unsigned> groups;
  unsigned solved = 0;
  while (solved != all) {
    unsigned best = 0;
    for (unsigned set = 1; set <= all; ++set)
      if ((set & solved) == 0 && excess(mechanism, structure, set, solved) == 0 &&
          (best == 0 || std::popcount(set) < std::popcount(best)))
        best = set;
    if (best == 0) return {};
    groups.insert(best);
    solved |= best;
  }
  return groups;
}

TEST(GroupSearch, FindsTheSmallestSetsOfTheDefinition_OnRandomPlanarMechanisms) {
  core::Rng rng(424242);
  int compared = 0;
  int with_redundancy = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const Mechanism random = random_planar(rng);
    const auto mechanism = test::mechanism_of(random.joints, model::Space::kPlanar);
    const Structure structure = analyse_structure(mechanism);
    if (structure.num_redundant() > 0) {
      ++with_redundancy;
      continue;  // the definition does not speak of them
    }
    std::set<unsigned> found;
    for (const StructuralGroup& group : structure.groups) {
      unsigned set = 0;
      for (const LinkIndex link : group.links) set |= 1u << (link.value() - 1);
      found.insert(set);
    }
    ASSERT_EQ(found, groups_by_definition(mechanism, structure)) << "trial " << trial;
    ++compared;
  }
  EXPECT_GT(compared, 500);
  EXPECT_GT(with_redundancy, 10);
}

TEST(GroupSearch, EveryGroupComesAfterThoseItNeeds) {
  core::Rng rng(99);
  for (int trial = 0; trial < 300; ++trial) {
    const auto mechanism = test::mechanism_of(random_planar(rng).joints, model::Space::kPlanar);
    const Structure structure = analyse_structure(mechanism);
    for (std::size_t g = 0; g < structure.groups.size(); ++g)
      for (const int needed : structure.groups[g].depends_on) EXPECT_LT(needed, static_cast<int>(g));
  }
}

TEST(GroupSearch, PickedInputsMakeTheGroupsSmallest_AmongAllChoicesOfJoints) {
  core::Rng rng(5150);
  for (int trial = 0; trial < 60; ++trial) {
    const Mechanism random = random_planar(rng);
    const auto mechanism = test::mechanism_of(random.joints, model::Space::kPlanar);
    const Structure picked = analyse_structure(mechanism);
    if (picked.inputs.size() > 2 || picked.num_redundant() > 0) continue;
    const auto cost = [](const Structure& structure) {
      double sum = 0.0;
      for (const auto& group : structure.groups) sum += std::pow(static_cast<double>(group.links.size()), 3);
      return sum;
    };
    for (std::size_t i = 0; i < random.joints.size(); ++i)
      for (std::size_t j = i + 1; j < random.joints.size(); ++j) {
        std::vector<std::string> chosen{random.joints[i].name + ".q"};
        if (picked.inputs.size() == 2) chosen.push_back(random.joints[j].name + ".q");
        try {
          const auto other =
              analyse_structure(test::mechanism_of(random.joints, model::Space::kPlanar, {}, chosen));
          if (other.num_redundant() > 0) continue;  // an input that is believed, not a choice
          EXPECT_LE(cost(picked), cost(other)) << "trial " << trial;
        } catch (const core::ModelError&) {
          // not independent: no choice at all
        }
      }
  }
}

/// A connected spatial graph with every type of joint; drivers on joints that can carry one.
Mechanism random_spatial(core::Rng& rng, std::vector<std::string>& driven) {
  Mechanism mechanism;
  mechanism.links = 1 + static_cast<int>(rng.uniform_index(8));
  const auto link_name = [](std::uint64_t i) {
    return i == 0 ? std::string("ground") : "l" + std::to_string(i);
  };
  const auto add = [&](std::uint64_t a, std::uint64_t b) {
    const auto type = static_cast<JointType>(rng.uniform_index(9));
    mechanism.joints.push_back(
        {"j" + std::to_string(mechanism.joints.size()), type, link_name(a), link_name(b)});
    const bool can_be_driven = type == JointType::kRevolute || type == JointType::kPrismatic;
    if (can_be_driven && rng.uniform() < 0.25) driven.push_back(mechanism.joints.back().name);
  };
  for (int i = 1; i <= mechanism.links; ++i)
    add(rng.uniform_index(static_cast<std::uint64_t>(i)), static_cast<std::uint64_t>(i));
  const std::uint64_t extra = rng.uniform_index(static_cast<std::uint64_t>(2 * mechanism.links));
  for (std::uint64_t e = 0; e < extra; ++e) {
    const std::uint64_t a = rng.uniform_index(static_cast<std::uint64_t>(mechanism.links) + 1);
    const std::uint64_t b = rng.uniform_index(static_cast<std::uint64_t>(mechanism.links) + 1);
    if (a != b) add(a, b);
  }
  return mechanism;
}

// Identities of counting, for whatever joints there are: equation (1) of structure.hpp for the whole, (2) of
// structural_group.hpp for every group, no input twice, every moving body in exactly one group.
TEST(GroupSearch, CountsAddUp_OnRandomSpatialMechanismsOfAllJoints) {
  core::Rng rng(31337);
  int analysed = 0;
  int refused = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<std::string> driven;
    const Mechanism random = random_spatial(rng, driven);
    const auto mechanism = test::mechanism_of(random.joints, model::Space::kSpatial, driven);
    Structure structure;
    try {
      structure = analyse_structure(mechanism);
    } catch (const core::ModelError&) {
      ++refused;  // over-driven, which random drivers often are
      continue;
    }
    ++analysed;
    SCOPED_TRACE("trial " + std::to_string(trial));
    ASSERT_EQ(structure.mobility,
              static_cast<int>(structure.inputs.size() + structure.idle.size()) - structure.num_redundant());
    std::set<std::string> names;
    for (const Input& input : structure.inputs) EXPECT_TRUE(names.insert(input.name).second) << input.name;
    std::multiset<int> bodies;
    for (const StructuralGroup& group : structure.groups) {
      int S_c = 0;
      for (const model::JointIndex joint : group.joints)
        S_c += model::freedoms(mechanism.joint(joint).type, false);
      const int pairs_minus_links =
          static_cast<int>(group.joints.size()) - static_cast<int>(group.links.size());
      EXPECT_EQ(S_c - static_cast<int>(group.inputs.size()) - group.idle + group.redundant,
                6 * pairs_minus_links);
      for (const model::BodyIndex body : group.bodies) bodies.insert(body.value());
    }
    EXPECT_EQ(bodies.size(), std::set<int>(bodies.begin(), bodies.end()).size());
  }
  EXPECT_GT(analysed, 1000);
  EXPECT_GT(refused, 20);
}

}  // namespace
}  // namespace eslabon::structure
