// Mobility and redundant rows of mechanisms with known answers; what is known comes from tests/known_mobility.cpp, which
// an oracle of loop screws confirms without the library (known_mobility_oracle_test.cpp).
#include "eslabon/kinematics/freedoms/redundancy.hpp"

#include "tests/known_mobility.hpp"
#include "tests/test_name.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/kinematics/assembly/assembly.hpp"
#include "eslabon/kinematics/freedoms/idle_spin.hpp"
#include "eslabon/kinematics/freedoms/row_rank.hpp"

namespace eslabon::kinematics {
namespace {

class KnownMechanism : public testing::TestWithParam<test::KnownMobility> {};

RedundancyReport survey(const model::Mechanism& mechanism, std::string_view kind = "relative") {
  const structure::Structure structure = structure::analyse_structure(mechanism);
  const AssemblyReport assembly = assemble(mechanism, structure);
  EXPECT_TRUE(assembly.usable()) << mechanism.name() << ": " << assembly.brief();
  const coordinates::ConstraintSystem system(kind, mechanism, structure, {});
  return explain_redundancy(system, assembly.bodies);
}

std::string name_of(const testing::TestParamInfo<test::KnownMobility>& info) {
  return test::test_name(info.param.name);
}

TEST_P(KnownMechanism, MobilityByRankIsTheKnownOne) {
  const test::KnownMobility& known = GetParam();
  const RedundancyReport report = survey(known.mechanism);
  EXPECT_EQ(structure::count_mobility(known.mechanism), known.gruebler);
  EXPECT_EQ(report.mobility, known.rank);
  if (!report.is_shaky) {
    EXPECT_EQ(static_cast<int>(report.redundant.size()), known.redundant);
  }
  EXPECT_EQ(known.shaky, report.is_shaky || report.is_singular_at_start());
}

TEST_P(KnownMechanism, RedundantRowsBelongToJointsThatSelfStressLoads) {
  const test::KnownMobility& known = GetParam();
  if (known.redundant_joints.empty()) return;
  std::vector<std::string> joints;
  for (const RedundantRow& row : survey(known.mechanism).redundant) {
    joints.push_back(known.mechanism.joint(row.joint).name);
    for (const model::JointIndex other : row.repeats) EXPECT_NE(other, row.joint);
  }
  EXPECT_THAT(joints, testing::Each(testing::AnyOfArray(known.redundant_joints)));
}

TEST_P(KnownMechanism, EveryKindOfCoordinatesFindsTheSameMobility) {
  const test::KnownMobility& known = GetParam();
  for (const char* kind : {"natural", "reference-point"}) {
    const RedundancyReport report = survey(known.mechanism, kind);
    EXPECT_EQ(report.mobility, known.rank) << kind;
    if (std::string(kind) == "reference-point" && !report.is_shaky) {
      EXPECT_EQ(static_cast<int>(report.redundant.size()), known.redundant);
    }
  }
}

TEST_P(KnownMechanism, IdleSpinsAreTheKnownOnes) {
  const test::KnownMobility& known = GetParam();
  if (known.shaky) return;
  const structure::Structure structure = structure::analyse_structure(known.mechanism);
  const AssemblyReport assembly = assemble(known.mechanism, structure);
  const coordinates::ConstraintSystem system("relative", known.mechanism, structure, {});
  const auto n = static_cast<std::size_t>(system.num_coordinates());
  std::vector<double> q(n), v(n), a(n);
  system.read_bodies(assembly.bodies, {q, v, a});
  coordinates::PositionLevel positions;
  system.evaluate_positions(q, {}, positions);
  const FreeMotions motions(system, q, rank_rows_in_order(system, positions.Phi_q).null_space);
  EXPECT_EQ(static_cast<int>(find_idle_spins(system, motions).size()), known.idle);
}

INSTANTIATE_TEST_SUITE_P(Known, KnownMechanism, testing::ValuesIn(test::known_mobility_mechanisms()),
                         name_of);

TEST(Redundancy, QuarterVehicle_Has43RowsOfWhich40AreIndependentAnd2Freedoms) {
  const model::Mechanism mechanism =
      io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/quarter-vehicle.yaml", {});
  const RedundancyReport report = survey(mechanism, "reference-point");
  EXPECT_EQ(report.coordinates, 42);
  EXPECT_EQ(report.rows, 43);
  EXPECT_EQ(report.rank, 40);
  EXPECT_EQ(report.mobility, 2);
  EXPECT_EQ(report.redundant.size(), 3u);
}

}  // namespace
}  // namespace eslabon::kinematics
