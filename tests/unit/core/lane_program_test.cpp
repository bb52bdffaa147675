#include "eslabon/core/scalar/lane_program.hpp"

#include <array>
#include <cmath>

#include <gmock/gmock.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/scalar/scalar.hpp"
#include "eslabon/core/scalar/sin_cos.hpp"
#include "eslabon/core/text/error.hpp"

namespace eslabon::core {
namespace {

constexpr std::size_t kLanes = LaneProgram::kLanes;

/// Everything that a kernel may do, for any scalar.
template <class T>
std::array<T, 6> kernel(const T& x, const T& y, const T& z) {
  using std::abs;
  using std::atan2;
  using std::exp;
  using std::sqrt;
  const SinCos<T> turn = sin_cos(x);
  const T a = turn.sine * y + turn.cosine * z, b = turn.cosine * y - turn.sine * z;
  const T c = 2.5 * a - b, d = b - 0.5 * a, e = 1.0 - a * b, f = a * b - z, g = z - a * y;
  return {a * b + c * d,
          sqrt(T(a * a + 1.0)) / (2.0 + abs(b)) + 3.0 / (1.5 + y * y),
          atan2(a, b) - x,
          select_less(a, b, T(c + e), T(f * g)),
          -(c - d) * exp(T(-0.1 * y * y)) + 0.0 * x,
          (e - f) - (-g) + 7.0};
}

struct Traced3 {
  Traced3() {
    const Trace::Listening listening(trace);
    const Traced x = trace.input(), y = trace.input(), z = trace.uniform();
    const auto out = kernel(x, y, z);
    outputs.assign(out.begin(), out.end());
    program = LaneProgram(trace, outputs);
  }
  Trace trace;
  std::vector<Traced> outputs;
  LaneProgram program;
};

struct Numbers {
  Numbers() {
    Rng rng(3);
    for (std::size_t i = 0; i < kLanes; ++i) {
      x[i] = 4.0 * rng.normal();
      y[i] = rng.normal();
    }
  }
  std::array<double, kLanes> x, y;
};

// crosscheck: the same kernel compiled for plain numbers.
TEST(LaneProgram, ComputesWhatTheKernelDoes) {
  const Traced3 traced;
  const Numbers numbers;
  LaneProgram::Workspace workspace(traced.program);
  const std::array<const double*, 2> inputs{numbers.x.data(), numbers.y.data()};
  const std::array<double, 1> uniforms{0.7};
  for (int again = 0; again < 2; ++again) traced.program.run(workspace, inputs, uniforms, kLanes);
  for (std::size_t i = 0; i < kLanes; ++i) {
    const auto expected = kernel(numbers.x[i], numbers.y[i], 0.7);
    for (std::size_t k = 0; k < expected.size(); ++k)
      EXPECT_NEAR(workspace.output(k)[i], expected[k], 2e-14 * (1.0 + std::abs(expected[k]))) << k;
  }
}

// contract
TEST(LaneProgram, GivesTheSameBits_ForAnyNumberOfLanes) {
  const Traced3 traced;
  const Numbers numbers;
  LaneProgram::Workspace all(traced.program), some(traced.program);
  const std::array<double, 1> uniforms{-0.3};
  const std::array<const double*, 2> inputs{numbers.x.data(), numbers.y.data()};
  traced.program.run(all, inputs, uniforms, kLanes);
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{8}, std::size_t{63}})
    for (std::size_t first = 0; first + count <= kLanes; first += 7) {
      const std::array<const double*, 2> part{numbers.x.data() + first, numbers.y.data() + first};
      traced.program.run(some, part, uniforms, count);
      for (std::size_t k = 0; k < traced.outputs.size(); ++k)
        for (std::size_t i = 0; i < count; ++i)
          EXPECT_EQ(some.output(k)[i], all.output(k)[first + i]) << count << " lanes, output " << k;
    }
}

// contract
TEST(Trace, WritesDownOnlyWhatDependsOnInputs_AndOnce) {
  Trace trace;
  const Trace::Listening listening(trace);
  const Traced x = trace.input(), y = trace.input();
  EXPECT_EQ(Traced(2.0) * 3.0 + 1.0, Traced(7.0));
  EXPECT_EQ(0.0 * x, Traced(0.0));
  EXPECT_EQ(1.0 * x + 0.0, x);
  EXPECT_EQ(x - x, Traced(0.0));
  EXPECT_EQ(x * y, y * x);
  EXPECT_EQ(-(x - y), y - x);
  EXPECT_EQ(x - (-y), x + y);
  EXPECT_EQ(2.0 * (3.0 * x), 6.0 * x);
  EXPECT_EQ(-x - y, -(x + y));
  EXPECT_EQ(-x + y, y - x);
  EXPECT_EQ((-x) * (-y), x * y);
  EXPECT_EQ((-x) / y, -(x / y));
  EXPECT_EQ(x / (-y), -(x / y));
  EXPECT_EQ(-(2.0 * x), -2.0 * x);
  EXPECT_EQ(x / 4.0, 0.25 * x);
  EXPECT_EQ(cos(-x), cos(x));
  EXPECT_EQ(sin(-x), -sin(x));
  EXPECT_EQ(select_less(Traced(1.0), Traced(2.0), x, y), x);
  const std::size_t before = trace.nodes().size();
  static_cast<void>(x * y + cos(x));
  const std::size_t after = trace.nodes().size();
  static_cast<void>(y * x + cos(-x));
  EXPECT_EQ(trace.nodes().size(), after);
  EXPECT_GT(after, before);
}

// contract: products go into sums, sines and cosines into one instruction, what nobody needs away.
TEST(LaneProgram, JoinsWhatBelongsTogether) {
  Trace trace;
  const Trace::Listening listening(trace);
  const Traced x = trace.input(), y = trace.input();
  static_cast<void>(sqrt(x) * 17.0);
  const Traced rotated = cos(x) * y - sin(x) * x;
  EXPECT_EQ(LaneProgram(trace, {rotated}).num_instructions(), 2u);
  EXPECT_EQ(LaneProgram(trace, {x * y + 2.0}).num_instructions(), 2u);
  EXPECT_EQ(LaneProgram(trace, {3.0 * x - y}).num_instructions(), 1u);
  EXPECT_EQ(LaneProgram(trace, {x, Traced(4.0)}).num_instructions(), 0u);
}

// contract
TEST(LaneProgram, HandsOnInputsAndConstants) {
  Trace trace;
  const Trace::Listening listening(trace);
  const Traced x = trace.input();
  const LaneProgram program(trace, {x, Traced(4.0)});
  LaneProgram::Workspace workspace(program);
  const std::array<double, 2> numbers{1.5, -2.0};
  const std::array<const double*, 1> inputs{numbers.data()};
  program.run(workspace, inputs, {}, 2);
  EXPECT_EQ(workspace.output(0)[1], -2.0);
  EXPECT_EQ(workspace.output(1)[1], 4.0);
}

// contract
TEST(Trace, KeepsNamesByParts_WhenItIsAskedTo) {
  Trace silent, named;
  named.keep_names();
  { const Trace::Scope scope("nobody listens"); }
  for (Trace* const trace : {&silent, &named}) {
    const Trace::Listening listening(*trace);
    EXPECT_EQ(Trace::naming(), trace == &named ? trace : nullptr);
    const Trace::Scope bodies("Bodies", "They move.");
    const Traced x = trace->input();
    for (int again = 0; again < 2; ++again) {
      const Trace::Scope coupler("coupler");
      const Traced y = x * x;
      if (Trace* const names = Trace::naming()) names->name({.symbol = "y", .rows = 1, .entries = {y}});
    }
  }
  EXPECT_EQ(silent.parts().size(), 1u);
  ASSERT_EQ(named.parts().size(), 3u);  // the whole, "Bodies", and once "coupler"
  EXPECT_EQ(named.parts()[2].title, "coupler");
  EXPECT_EQ(named.parts()[2].parent, 1);
  EXPECT_EQ(named.part_of_node(), (std::vector<int>{1, 2}));
  ASSERT_EQ(named.quantities().size(), 1u);  // the same is named once
  EXPECT_EQ(named.quantities()[0].part, 2);
  EXPECT_EQ(silent.nodes(), named.nodes());
}

TEST(Trace, IsAskedForByName_WhenNobodyListens) {
  Traced x;
  {
    Trace trace;
    const Trace::Listening listening(trace);
    x = trace.input();
  }
  EXPECT_THROW(static_cast<void>(x + 1.0), ContractError);
}

}  // namespace
}  // namespace eslabon::core
