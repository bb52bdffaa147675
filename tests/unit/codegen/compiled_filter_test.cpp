// Points of filters by machine code against the same by dynamics::ReducedMotion, whose derivatives are dual numbers.

#include <cmath>
#include <cstdlib>
#include <string>

#include "tests/dynamic_case.hpp"
#include <gtest/gtest.h>

#include "eslabon/codegen/compile/compiled_formulation.hpp"
#include "eslabon/dynamics/reduced/reduced_motion.hpp"

namespace eslabon::codegen {
namespace {

using dynamics::ReducedMotion;
using dynamics::ReducedPoint;
using dynamics::ReducedStatus;

double difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff() / (1.0 + b.cwiseAbs().maxCoeff());
}
Eigen::Map<const Eigen::VectorXd> vector(const std::vector<double>& list) {
  return {list.data(), static_cast<Eigen::Index>(list.size())};
}
/// Numbers of all bodies.
template <class T, class Part>
Eigen::VectorXd numbers(const coordinates::MechanismMotionOf<T>& bodies, const Part& part) {
  std::vector<double> list;
  for (const coordinates::BodyMotionOf<T>& body : bodies) {
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) list.push_back(part(body.X_WB.R_AB.matrix()(r, c)));
    for (const core::Vector3<T>& v :
         {body.X_WB.p_AB_A, body.w_WB_W, body.v_WB_W, body.alpha_WB_W, body.a_WB_W})
      for (int r = 0; r < 3; ++r) list.push_back(part(v(r)));
  }
  return vector(list);
}

class CompiledFilter : public testing::TestWithParam<const char*> {};

TEST_P(CompiledFilter, SolvesAndDifferentiatesAsTheInterpreterDoes) {
  const test::DynamicCase one(test::load_released(GetParam()));
  const std::vector<dynamics::Unknown> unknowns{{dynamics::Unknown::Kind::kMass, 1},
                                                {dynamics::Unknown::Kind::kFreedomForce, 0}};
  ReducedMotion plain(one.model, unknowns), fast(one.model, unknowns);
  const auto programs =
      std::make_shared<NativeCompiler>(compile_settings([](const char* name) -> const char* {
        static const std::string cache = testing::TempDir();
        return std::string_view(name) == "XDG_CACHE_HOME" ? cache.c_str() : std::getenv(name);
      }));
  const auto compiler = std::make_shared<MotionCompiler>(programs);
  fast.set_compiler(compiler);
  ASSERT_EQ(compiler->notes(), std::vector<std::string>());
  ASSERT_EQ(programs->report().programs, 2);
  core::Rng rng(5);
  ReducedPoint near = plain.start();
  dynamics::ReducedTangent expected = plain.make_tangent(), found = fast.make_tangent();
  int compared = 0;
  for (int k = 0; k < 100; ++k) {
    ReducedPoint point = near;
    for (Eigen::Index i = 0; i < point.z.size(); ++i) {
      point.z[i] += 0.02 * plain.length() * rng.normal();
      point.z_dot[i] = 2.0 * rng.normal();
    }
    point.theta << 1.3, 0.4;
    ReducedPoint by_code = point;
    if (plain.solve(0.1, near, point) != ReducedStatus::kSolved) continue;
    ASSERT_EQ(fast.solve(0.1, near, by_code), ReducedStatus::kSolved);
    EXPECT_LT(difference(vector(by_code.q), vector(point.q)), 1e-12);
    EXPECT_LT(difference(vector(by_code.v), vector(point.v)), 1e-11);
    EXPECT_LT(difference(vector(by_code.a), vector(point.a)), 1e-10);
    EXPECT_LT(difference(by_code.R, point.R), 1e-11);
    EXPECT_LT(difference(by_code.mass, point.mass), 1e-11);
    EXPECT_LT(difference(by_code.z_ddot, point.z_ddot), 1e-10);
    const auto value = [](double x) { return x; };
    EXPECT_LT(difference(numbers(by_code.bodies, value), numbers(point.bodies, value)), 1e-10);
    ASSERT_TRUE(plain.differentiate(point, expected));
    ASSERT_TRUE(fast.differentiate(point, found));
    EXPECT_LT(difference(found.q_x, expected.q_x), 1e-11);
    EXPECT_LT(difference(found.v_x, expected.v_x), 1e-10);
    EXPECT_LT(difference(found.z_ddot_x, expected.z_ddot_x), 1e-9);
    for (std::size_t d = 0; d < expected.bodies.size(); ++d) {
      const auto derivative = [](const core::Dual<double>& x) { return x.derivative; };
      EXPECT_LT(difference(numbers(found.bodies[d], derivative), numbers(expected.bodies[d], derivative)),
                1e-9)
          << d;
    }
    near = point;
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

INSTANTIATE_TEST_SUITE_P(Models, CompiledFilter,
                         testing::Values("fourbar-testbed", "slider-crank", "five-bar", "quarter-vehicle",
                                         "rssr"));

}  // namespace
}  // namespace eslabon::codegen
