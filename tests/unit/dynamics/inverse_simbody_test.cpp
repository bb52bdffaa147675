// Inverse dynamics of motions by another program, Simbody 3.7: the loads that it was given come back.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/dynamic_case.hpp"
#include "tests/oracles/simbody_oracle.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/reactions/inverse_dynamics.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"

namespace eslabon::dynamics {
namespace {

/// A model and constant loads; as actuators their names: "A.q", "upright.hub.z".
struct Sample {
  std::string model;
  std::string loads;  ///< lines under `forces:`
  std::vector<std::string> actuators;
  std::vector<double> efforts;
};
void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.model; }

std::string text_of(const std::string& model, const std::string& loads) {
  std::ifstream file(std::string(ESLABON_SOURCE_DIR) + "/models/" + model + ".yaml");
  std::stringstream read;
  read << file.rdbuf();
  std::string text = read.str();
  const std::size_t place = text.find("\nforces:\n");
  return place == std::string::npos ? text + "\nforces:\n" + loads : text.insert(place + 9, loads);
}

class LoadsInSimbody : public testing::TestWithParam<Sample> {};

TEST_P(LoadsInSimbody, AreGivenBackByInverseDynamics) {
  const Sample& sample = GetParam();
  const test::DynamicCase loaded(
      test::released(io::read_mechanism(text_of(sample.model, sample.loads), sample.model)));
  const test::DynamicCase plain(test::load_released(sample.model));
  test::SimbodyOracle simbody(loaded.mechanism, loaded.structure);
  std::vector<coordinates::Prescribed> actuators;
  for (const std::string& name : sample.actuators)
    actuators.push_back({model::find_variable(plain.mechanism, name), name});
  InverseDynamics inverse(plain.model, actuators);
  double size = 0.0, worst = 0.0;
  for (const double effort : sample.efforts) size = std::max(size, std::abs(effort));
  for (const std::uint64_t seed : {11u, 12u, 13u}) {
    inverse.solve(0.0, simbody.accelerated(test::random_motion(loaded.model, seed)), {});
    for (std::size_t k = 0; k < actuators.size(); ++k)
      worst = std::max(worst, std::abs(inverse.efforts()[k] - sample.efforts[k]));
    for (std::size_t j = 0; j < inverse.joints().size(); ++j) {
      // Efforts are no part of reactions, neither there nor here; what redundant joints do not share is the same, component by component.
      const auto& theirs = simbody.reactions()[j];
      if (!theirs) continue;
      const JointReaction& ours = inverse.joints()[j];
      const double largest = std::max({size, ours.force.norm(), ours.moment.norm()});
      for (std::size_t k = 0; k < 6; ++k) {
        if (!ours.is_unique_W[k]) continue;
        const auto component = static_cast<Eigen::Index>(k % 3);
        const double difference = k < 3 ? ours.force[component] - theirs->force[component]
                                        : ours.moment[component] - theirs->moment[component];
        EXPECT_LE(std::abs(difference), test::tolerance_scale() * 1e-8 * largest);
      }
    }
  }
  EXPECT_LE(worst, test::tolerance_scale() * 1e-9 * size);
  RecordProperty("largest_relative_difference", core::number_text(worst / size));
}

INSTANTIATE_TEST_SUITE_P(
    Models, LoadsInSimbody,
    testing::Values(Sample{"fourbar-testbed", "  e: {joint: A, torque: 4}\n", {"A.q"}, {4.0}},
                    Sample{"slider-crank", "  e: {joint: guide, force: -70}\n", {"guide.q"}, {-70.0}},
                    Sample{"stephenson-sixbar", "  e: {joint: C, torque: 2}\n", {"C.q"}, {2.0}},
                    Sample{"five-bar",
                           "  e: {joint: A, torque: 2}\n  f: {joint: C, torque: -3}\n",
                           {"A.q", "C.q"},
                           {2.0, -3.0}},
                    Sample{"andrews-squeezer", "  e: {body: crank, torque: 0.02}\n", {"crank.angle"}, {0.02}},
                    Sample{"double-wishbone",
                           "  e: {point: upright.hub, force: [0, 0, 900]}\n  f: {joint: hub, torque: 60}\n",
                           {"upright.hub.z", "hub.q"},
                           {900.0, 60.0}},
                    Sample{"quarter-vehicle",
                           "  e: {joint: A, torque: 35}\n  f: {joint: hub, torque: -6}\n",
                           {"A.q", "hub.q"},
                           {35.0, -6.0}}),
    [](const auto& sample) { return test::test_name(sample.param.model); });

}  // namespace
}  // namespace eslabon::dynamics
