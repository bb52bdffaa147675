#include "eslabon/kinematics/assembly/assembled_mechanism.hpp"

#include <memory>
#include <string>

#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>

#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/kinematics/motion.hpp"

namespace eslabon::kinematics {
namespace {

using testing::StartsWith;

model::Mechanism testbed() {
  return io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/fourbar-testbed.yaml");
}

/// A crank too short for its coupler to reach the rocker.
model::Mechanism torn() {
  return io::read_mechanism(
      "mechanism: m\nplane: xy\nground: {points: {A: [0, 0], B: [9, 0]}}\nbodies:\n"
      "  crank: {points: {A: [0, 0], P: [1, 0]}}\n  coupler: {points: {P: [0, 0], Q: [1, 0]}}\n"
      "  rocker: {points: {B: [0, 0], Q: [1, 0]}}\n"
      "joints:\n  A: {revolute: [ground.A, crank.A]}\n  P: {revolute: [crank.P, coupler.P]}\n"
      "  Q: {revolute: [coupler.Q, rocker.Q]}\n  B: {revolute: [ground.B, rocker.B]}\n",
      "m.yaml");
}

TEST(AssembledMechanism, IsWhatItsPartsAre) {
  const model::Mechanism mechanism = testbed();
  const AssembledMechanism assembled = AssembledMechanism::assemble(mechanism);
  EXPECT_EQ(assembled.mechanism(), mechanism);
  EXPECT_EQ(assembled.structure().groups.size(), structure::analyse_structure(mechanism).groups.size());
  EXPECT_EQ(assembled.assembly().brief(), assemble(mechanism, assembled.structure()).brief());
}

TEST(AssembledMechanism, OfAMechanismThatDoesNotCloseIsRefused) {
  const model::Mechanism mechanism = torn();
  const structure::Structure structure = structure::analyse_structure(mechanism);
  const AssemblyReport report = assemble(mechanism, structure);
  ASSERT_FALSE(report.usable());
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] { AssembledMechanism::assemble(mechanism); }),
            core::to_sentence(report.error_text()));
  EXPECT_THAT(
      test::sentence_of<core::ContractError>([&] { AssembledMechanism::from(mechanism, structure, report); }),
      StartsWith("a mechanism that is not assembled cannot be moved [assembly]: "));
}

TEST(AssembledMechanism, InAnotherPositionSharesTheMechanism) {
  const AssembledMechanism assembled = AssembledMechanism::assemble(testbed());
  AssemblyReport other = assembled.assembly();
  other.iterations = 77;
  const AssembledMechanism placed = assembled.placed(other);
  EXPECT_EQ(&placed.mechanism(), &assembled.mechanism());
  EXPECT_EQ(placed.assembly().iterations, 77);
  EXPECT_NE(assembled.assembly().iterations, 77);
}

TEST(AssembledMechanism, LivesOnInWhatIsMadeFromIt) {
  const auto motion = [] {
    const DrivenMechanism driven(AssembledMechanism::assemble(testbed()));
    return std::make_unique<Motion>("sparse", "natural", driven, 2.0);
  }();
  const DrivenMechanism kept(AssembledMechanism::assemble(testbed()));
  Motion expected("sparse", "natural", kept, 2.0);
  ASSERT_TRUE(motion->advance_to(2.0));
  ASSERT_TRUE(expected.advance_to(2.0));
  EXPECT_EQ(motion->state().q, expected.state().q);
}

}  // namespace
}  // namespace eslabon::kinematics
