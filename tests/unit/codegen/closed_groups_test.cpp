// Structural groups in traced numbers against the solvers of kinematics::GroupKinematics, which compute.

#include "eslabon/codegen/closed_groups.hpp"

#include <algorithm>
#include <cmath>

#include "tests/dynamic_case.hpp"
#include <gtest/gtest.h>

#include "eslabon/codegen/reduced_export.hpp"
#include "eslabon/core/scalar/program.hpp"
#include "eslabon/kinematics/drivers/input_value.hpp"

namespace eslabon::codegen {
namespace {

using core::Traced;

class ClosedGroupsTest : public testing::TestWithParam<const char*> {};

/// Differences of all links' numbers between what is written down and what is computed, at random inputs near the start.
template <class Link>
double worst_difference(const test::DynamicCase& at) {
  const auto arrangement = dynamics::arrange_groups<Link>(at.model);
  const kinematics::GroupKinematics<Link>& groups = arrangement->groups;
  const ClosedGroups<Link> written(dynamics::arrange_groups<Link>(at.model), 0);
  const std::size_t f = groups.problem().num_inputs();
  core::Trace trace;
  const core::Trace::Listening listening(trace);
  TracedFreedoms freedoms;
  for (std::size_t k = 0; k < f; ++k) freedoms.z.push_back(trace.input());
  for (std::size_t k = 0; k < f; ++k) freedoms.z_dot.push_back(trace.input());
  const FreedomValues start = written.start();
  for (std::size_t k = 0; k < start.branches.size(); ++k) freedoms.branches.push_back(trace.input());
  const auto links = written.write_links(freedoms);
  std::vector<Traced> outputs;
  for (const auto& link : links.links) {
    outputs.resize(outputs.size() + 3 * Link::kNumbers);
    Traced* const last = outputs.data() + outputs.size();
    link.write_position(last - 3 * Link::kNumbers);
    link.write_velocity(last - 2 * Link::kNumbers);
    link.write_acceleration(last - Link::kNumbers);
  }
  const core::Program program(trace, outputs);

  auto solution = groups.start();
  auto workspace = groups.make_workspace();
  core::Rng rng(7);
  double worst = 0.0;
  for (int k = 0; k < 200; ++k) {
    std::vector<double> x;
    std::vector<coordinates::CoordinateValue> inputs(f);
    for (std::size_t i = 0; i < f; ++i) inputs[i].position = start.z[i] + 0.3 * rng.normal();
    for (std::size_t i = 0; i < f; ++i) inputs[i].velocity = 2.0 * rng.normal();
    for (const auto& input : inputs) x.push_back(input.position);
    for (const auto& input : inputs) x.push_back(input.velocity);
    solution.branches = groups.start().branches;
    if (groups.solve(inputs, solution, workspace)) continue;
    const std::vector<double> signs = written.signs(solution.branches);
    x.insert(x.end(), signs.begin(), signs.end());
    std::vector<double> y(outputs.size());
    program.evaluate(x, y);
    std::vector<double> expected(outputs.size());
    double size = 1.0;
    for (std::size_t l = 0; l < solution.links.size(); ++l) {
      double* const first = expected.data() + 3 * Link::kNumbers * l;
      solution.links[l].write_position(first);
      solution.links[l].write_velocity(first + Link::kNumbers);
      solution.links[l].write_acceleration(first + 2 * Link::kNumbers);
    }
    for (const double e : expected) size = std::max(size, std::abs(e));
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double difference = std::abs(y[i] - expected[i]) / size;
      worst = difference <= worst ? worst : difference;
    }
  }
  return worst;
}

TEST_P(ClosedGroupsTest, LinksMoveAsTheSolversSay) {
  const test::DynamicCase at(test::load_released(GetParam()));
  const double worst = at.mechanism.is_planar() ? worst_difference<kinematics::PlanarLink>(at)
                                                : worst_difference<kinematics::SpatialLink>(at);
  EXPECT_LE(worst, 1e-11) << GetParam();
}

TEST_P(ClosedGroupsTest, ReducedExportAcceleratesAsTheFormulationDoes) {
  const test::DynamicCase one(test::load_released(GetParam()));
  const ExportedModel model = export_reduced(one.model, {});
  const auto accelerations = std::ranges::find(model.functions, "accelerations", &ExportedFunction::name);
  const auto formulation = dynamics::make_formulation("multipliers", one.model, {.kind = "relative"});
  const auto groups = dynamics::make_formulation("groups", one.model);
  const std::size_t f = model.num_coordinates();
  ASSERT_EQ(f, static_cast<std::size_t>(groups->num_integrated()));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const coordinates::MechanismMotion bodies = test::random_motion(one.model, seed);
    CheckState state = model.start;
    groups->read(groups->state_of(bodies, 0.0), std::span(state.x).first(f),
                 std::span(state.x).subspan(f, f));
    const std::vector<double> found = ExportedModel::evaluate(*accelerations, state);
    // The same motion by multipliers, which share nothing with groups, told as the groups tell it.
    const coordinates::MechanismMotion moved = test::accelerated(*formulation, bodies);
    std::vector<double> z_ddot;
    for (const model::Variable& variable : groups->integrated_variables())
      z_ddot.push_back(kinematics::input_value(one.mechanism, variable, moved).acceleration);
    double size = 1.0;
    for (const double a : z_ddot) size = std::max(size, std::abs(a));
    for (std::size_t k = 0; k < f; ++k) EXPECT_NEAR(found[k], z_ddot[k], 1e-10 * size) << k;
  }
}

TEST_P(ClosedGroupsTest, ReducedExportDifferentiatesAsDifferencesDo) {
  const test::DynamicCase one(test::load_released(GetParam()));
  const ExportedModel model = export_reduced(one.model, {});
  const auto find = [&](const char* name) {
    return *std::ranges::find(model.functions, name, &ExportedFunction::name);
  };
  const ExportedFunction accelerations = find("accelerations"), by_x = find("accelerations_by_x");
  const CheckState state = model.checks[1];
  const std::vector<double> entries = ExportedModel::evaluate(by_x, state);
  constexpr double kStep = 1e-4;
  double scale = 1.0;
  for (std::size_t e = 0; e < by_x.matrix->places.size(); ++e) scale = std::max(scale, std::abs(entries[e]));
  for (std::size_t e = 0; e < by_x.matrix->places.size(); ++e) {
    const auto [row, column] = by_x.matrix->places[e];
    const auto at = [&](double by) {
      CheckState moved = state;
      moved.x[static_cast<std::size_t>(column)] += by * kStep;
      return ExportedModel::evaluate(accelerations, moved)[static_cast<std::size_t>(row)];
    };
    const double difference = (8.0 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12.0 * kStep);  // error O(h⁴)
    EXPECT_NEAR(entries[e], difference, 1e-6 * scale) << row << ", " << column;
  }
}

INSTANTIATE_TEST_SUITE_P(ClosedForms, ClosedGroupsTest,
                         testing::Values("fourbar-testbed", "slider-crank", "watt-sixbar", "andrews-squeezer",
                                         "family:scalable-fourbar,dyads=17"));

}  // namespace
}  // namespace eslabon::codegen
