// Formulations with machine code against the same without.

#include "eslabon/codegen/compile/compiled_formulation.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/dynamic_case.hpp"
#include <gtest/gtest.h>

#include "eslabon/codegen/compile/native_compiler.hpp"

namespace eslabon::codegen {
namespace {

using dynamics::DynamicsStatus;

struct Way {
  const char* model;
  const char* formulation;
};

class CompiledFormulationTest : public testing::TestWithParam<Way> {
 protected:
  std::shared_ptr<NativeCompiler> compiler =
      std::make_shared<NativeCompiler>(compile_settings([](const char* name) -> const char* {
        static const std::string cache = testing::TempDir();
        return std::string_view(name) == "XDG_CACHE_HOME" ? cache.c_str() : std::getenv(name);
      }));
  MotionCompiler motions{compiler};
};

TEST_P(CompiledFormulationTest, MovesAsTheSameWithoutCode) {
  const test::DynamicCase one(test::load_released(GetParam().model));
  const auto plain = dynamics::make_formulation(GetParam().formulation, one.model);
  const auto code = motions.compile(dynamics::make_formulation(GetParam().formulation, one.model), one.model);
  ASSERT_EQ(motions.notes(), std::vector<std::string>());
  ASSERT_EQ(compiler->report().libraries, 1);
  const auto f = static_cast<std::size_t>(plain->num_integrated());
  std::vector<double> z(f), z_dot(f), z_ddot(f), z_ddot_code(f);
  core::Rng rng(3);
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    dynamics::State state = plain->state_of(test::random_motion(one.model, seed), 0.0);
    std::vector<double> a(state.q.size()), a_code(state.q.size());
    plain->read(state, z, z_dot);
    for (double& x : z) x += 0.2 * rng.normal();
    dynamics::State by_code = state;
    if (plain->complete(0.1, z, z_dot, state) != DynamicsStatus::kSolved) continue;
    ASSERT_EQ(code->complete(0.1, z, z_dot, by_code), DynamicsStatus::kSolved);
    ASSERT_EQ(plain->accelerate(state, a, z_ddot), DynamicsStatus::kSolved);
    ASSERT_EQ(code->accelerate(state, a_code, z_ddot_code), DynamicsStatus::kSolved);
    EXPECT_NEAR(code->regularity(), plain->regularity(), 1e-9);
    double size = 1.0;
    for (const double x : a) size = std::max(size, std::abs(x));
    for (std::size_t k = 0; k < a.size(); ++k) {
      EXPECT_NEAR(state.q[k], by_code.q[k], 1e-12) << k;
      EXPECT_NEAR(state.v[k], by_code.v[k], 1e-11) << k;
      EXPECT_NEAR(a[k], a_code[k], 1e-10 * size) << k;
    }
    for (std::size_t k = 0; k < f; ++k) EXPECT_NEAR(z_ddot[k], z_ddot_code[k], 1e-10 * size) << k;
    if (std::string_view(GetParam().formulation) == "groups") {
      ASSERT_EQ(code->accelerate(state, {}, z_ddot_code), DynamicsStatus::kSolved);
      for (std::size_t k = 0; k < f; ++k) EXPECT_NEAR(z_ddot[k], z_ddot_code[k], 1e-10 * size) << k;
    }
    ++compared;
  }
  EXPECT_GT(compared, 15);
}

INSTANTIATE_TEST_SUITE_P(Ways, CompiledFormulationTest,
                         testing::Values(Way{"fourbar-testbed", "groups"}, Way{"slider-crank", "groups"},
                                         Way{"andrews-squeezer", "groups"}, Way{"watt-sixbar", "groups"},
                                         Way{"family:scalable-fourbar,dyads=17", "groups"},
                                         Way{"quarter-vehicle", "semi-recursive"},
                                         Way{"five-bar", "semi-recursive"}));

// contract: what nothing is compiled of is what is picked without a compiler.
TEST_F(CompiledFormulationTest, PicksWhatCanBeCompiled_WhereSomethingCan) {
  const test::DynamicCase one(test::load_released("quarter-vehicle"));
  ASSERT_EQ(dynamics::choose_formulation(one.model).formulation, "groups");
  EXPECT_EQ(motions.choose(one.model).formulation, "semi-recursive");
  for (const char* program : {"/no/such/compiler", "/bin/true"}) {
    CompileSettings settings = compile_settings(&std::getenv);
    settings.c = program;
    MotionCompiler without{std::make_shared<NativeCompiler>(settings)};
    EXPECT_EQ(without.choose(one.model).formulation, "groups") << program;
  }
}

TEST_F(CompiledFormulationTest, SaysWhatItDoesNotCompile) {
  const test::DynamicCase one(test::load_released("quarter-vehicle"));
  const auto same = motions.compile(dynamics::make_formulation("groups", one.model), one.model);
  ASSERT_EQ(motions.notes().size(), 1u);
  EXPECT_NE(motions.notes()[0].find("has no closed form"), std::string::npos) << motions.notes()[0];
  EXPECT_EQ(same->name(), "groups");
}

}  // namespace
}  // namespace eslabon::codegen
