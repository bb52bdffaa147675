#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tests/test_name.hpp"
#include <gtest/gtest.h>

#include "eslabon/kinematics/motion.hpp"
#include "eslabon/kinematics/variable_value.hpp"

/// Driven mechanisms with everything that a run needs, and the ways in which they can be run.
namespace eslabon::test {

struct DrivenRun {
  DrivenRun(const model::Mechanism& mechanism_, double until, std::string_view method, std::string_view kind)
      : mechanism(mechanism_),
        structure(structure::analyse_structure(mechanism)),
        assembly(kinematics::assemble(mechanism, structure)),
        driven(mechanism, structure, assembly),
        motion(method, kind, driven, until),
        bodies(mechanism.bodies().size()) {
    motion.evaluate_bodies(bodies);
  }
  double value(const std::string& name) const {
    return kinematics::value_of(mechanism, model::find_variable(mechanism, name), bodies);
  }
  [[nodiscard]] bool advance_to(double t) {
    const bool is_good = motion.advance_to(t);
    motion.evaluate_bodies(bodies);
    return is_good;
  }

  model::Mechanism mechanism;
  structure::Structure structure;
  kinematics::AssemblyReport assembly;
  kinematics::DrivenMechanism driven;
  kinematics::Motion motion;
  coordinates::MechanismMotion bodies;
};

/// Every method with all kinds of coordinates that it has: INSTANTIATE_TEST_SUITE_P(Ways, X, test::every_way(), test::way_name).
class EveryWay : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  std::string method() const { return std::get<0>(GetParam()); }
  std::string kind() const { return std::get<1>(GetParam()); }
};

inline auto every_way() {
  std::vector<std::tuple<std::string, std::string>> ways;
  for (const std::string& method : kinematics::method_names())
    for (const std::string& kind : coordinates::layout_names())
      if (kinematics::has_coordinates(method) || kind == "natural") ways.emplace_back(method, kind);
  return testing::ValuesIn(ways);
}

inline std::string way_name(const testing::TestParamInfo<std::tuple<std::string, std::string>>& info) {
  const auto& [method, kind] = info.param;
  return test_name(kinematics::has_coordinates(method) ? method + "_" + kind : method);
}

/// Difference of two angles apart from whole turns.
inline double turn_difference(double a, double b) { return std::remainder(a - b, 2.0 * std::numbers::pi); }

}  // namespace eslabon::test
