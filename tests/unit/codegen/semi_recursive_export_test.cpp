#include "eslabon/codegen/semi_recursive_export.hpp"

#include <algorithm>
#include <cmath>

#include "tests/dynamic_case.hpp"
#include "tests/exported_functions.hpp"
#include <gtest/gtest.h>

#include "eslabon/codegen/motion_export.hpp"

namespace eslabon::codegen {
namespace {

using test::function;
using test::matrix;

class SemiRecursiveExports : public ::testing::TestWithParam<const char*> {
 protected:
  SemiRecursiveExports()
      : one_(test::load_released(GetParam())), model_(export_semi_recursive(one_.model, {})) {}

  test::DynamicCase one_;
  ExportedModel model_;
};

TEST_P(SemiRecursiveExports, AccelerateAsAnotherFormulationDoes) {
  const ExportedFunction& accelerations = function(model_, "accelerations");
  const auto formulation = dynamics::make_formulation("multipliers", one_.model, {.kind = "relative"});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const dynamics::State state = formulation->state_of(test::random_motion(one_.model, seed), 0.0);
    std::vector<double> a(state.q.size()), integrated(state.q.size());
    ASSERT_EQ(formulation->accelerate(state, a, integrated), dynamics::DynamicsStatus::kSolved);
    CheckState at = model_.start;
    std::ranges::copy(state.q, at.x.begin());
    std::ranges::copy(state.v, at.x.begin() + static_cast<std::ptrdiff_t>(state.q.size()));
    const std::vector<double> found = ExportedModel::evaluate(accelerations, at);
    double largest = 0.0;
    for (const double one_a : a) largest = std::max(largest, std::abs(one_a));
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(found[k], a[k], 1e-11 * largest) << k;
  }
}

// Where constraints do not hold the two agree as well: both satisfy J a = γ there, and no work is done along R.
TEST_P(SemiRecursiveExports, AgreeWithMultipliersAwayFromTheConstraints) {
  const ExportedModel multipliers = export_motion(one_.model, {.alpha = 0.0, .beta = 0.0});
  const ExportedFunction &first = function(model_, "accelerations"),
                         &second = function(multipliers, "accelerations");
  const ExportedFunction &first_by_x = function(model_, "accelerations_by_x"),
                         &second_by_x = function(multipliers, "accelerations_by_x");
  for (const CheckState& state : model_.checks) {
    CheckState other = state;
    other.p = {0.0, 0.0};
    const std::vector<double> a = ExportedModel::evaluate(first, state),
                              b = ExportedModel::evaluate(second, other);
    double largest = 1.0;
    for (std::size_t k = 0; k < model_.num_coordinates(); ++k) largest = std::max(largest, std::abs(b[k]));
    for (std::size_t k = 0; k < model_.num_coordinates(); ++k) EXPECT_NEAR(a[k], b[k], 1e-10 * largest) << k;
    const Eigen::MatrixXd A = matrix(first_by_x, state), B = matrix(second_by_x, other);
    EXPECT_LE((A - B).cwiseAbs().maxCoeff(), 1e-9 * B.cwiseAbs().maxCoeff());
  }
}

INSTANTIATE_TEST_SUITE_P(Models, SemiRecursiveExports,
                         ::testing::Values("fourbar-testbed", "slider-crank", "five-bar", "rssr",
                                           "andrews-squeezer", "watt-sixbar", "quarter-vehicle",
                                           "benchmarks/double-pendulum", "screw-press-helical", "disc-cam",
                                           "pairs/whitworth", "pairs/swash-plate"));

}  // namespace
}  // namespace eslabon::codegen
