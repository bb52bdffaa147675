#include "eslabon/codegen/compile/native_compiler.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <thread>
#include <vector>

#include "tests/temporary_folder.hpp"
#include <gmock/gmock.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/scalar/lane_program.hpp"

namespace eslabon::codegen {
namespace {

using core::Traced;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// Long enough for several pieces, with every operation and a number of each kind.
struct LongProgram {
  LongProgram() {
    const core::Trace::Listening listening(trace);
    Traced x = trace.input();
    trace.input();  // nobody asks for it
    Traced y = trace.input(), k = trace.uniform();
    std::vector<Traced> outputs{y, Traced(2.5), k};
    for (int i = 0; i < 120; ++i) {
      const Traced a = sin(x) * y + cos(x) / (2.0 + abs(y)), b = sqrt(x * x + 1.0) - k * a;
      x = select_less(a, b, a + 0.3, b - round(a)) + atan2(a, b) - 0.25 * b;
      y = exp(-0.1 * (y * y)) - (-b) / (1.5 + a * a);
      if (i % 10 == 0) outputs.push_back(x * y - a * b);
    }
    outputs.push_back(x);
    program = core::Program(trace, outputs);
    lanes = core::LaneProgram(trace, outputs);
  }
  core::Trace trace;
  core::LaneProgram lanes;
  core::Program program;
};

class NativeCompilers : public ::testing::Test {
 protected:
  NativeCompilers() : settings_(compile_settings(&std::getenv)) { settings_.cache = folder_.path(); }
  test::TemporaryFolder folder_;
  CompileSettings settings_;
};

// crosscheck: the program one operation after the other, the same bits.
TEST_F(NativeCompilers, MakeFunctionsOfPrograms) {
  const LongProgram source;
  NativeCompiler compiler(settings_);
  const auto functions = compiler.compile_functions(
      std::vector<core::NamedProgram>{{"one", &source.program}, {"two", &source.program}});
  ASSERT_THAT(functions, SizeIs(2)) << compiler.report().notes.front();
  EXPECT_GT(functions[0].num_work, 0u);
  const std::size_t count = source.program.outputs().size();
  std::vector<double> expected(count), actual(count), work(functions[1].num_work);
  core::Rng rng(5);
  for (int i = 0; i < 200; ++i) {
    const std::vector<double> inputs{rng.normal(), NAN, rng.normal()}, uniforms{0.3 * rng.normal()};
    source.program.evaluate(inputs, expected, uniforms);
    functions[1].call(inputs.data(), uniforms.data(), actual.data(), work.data());
    EXPECT_EQ(actual, expected);
  }
  EXPECT_EQ(compiler.report().programs, 2);
  EXPECT_EQ(compiler.report().operations, 2 * source.program.counts().all());
  EXPECT_THAT(summary(compiler.report()), HasSubstr("2 functions of "));
  EXPECT_THAT(summary(compiler.report()), HasSubstr(" s"));
}

/// Whether these are the same bits; two numbers that are none are the same.
bool are_same(double x, double y) {
  return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) || (x != x && y != y);
}

/// Outputs of two programs for the same states.
void compare(const core::LaneProgram& actual, const core::LaneProgram& expected,
             const std::vector<const double*>& inputs, const std::vector<double>& uniforms,
             std::size_t count) {
  core::LaneProgram::Workspace one(actual), other(expected);
  actual.run(one, inputs, uniforms, count);
  expected.run(other, inputs, uniforms, count);
  for (std::size_t k = 0; k < expected.num_outputs(); ++k)
    for (std::size_t i = 0; i < count; ++i)
      EXPECT_TRUE(are_same(one.output(k)[i], other.output(k)[i]))
          << "output " << k << " of state " << i << " of " << count << ", first input " << inputs[0][i]
          << ": " << one.output(k)[i] << " instead of " << other.output(k)[i];
}

// crosscheck: the same bits as the interpreter of lanes, for any number of them and numbers of any size.
TEST_F(NativeCompilers, MakeLanesOfPrograms) {
  const LongProgram source;
  core::LaneProgram compiled = source.lanes;
  NativeCompiler compiler(settings_);
  compile(&compiler, std::vector<core::NamedLaneProgram>{{"lanes", &compiled}});
  ASSERT_EQ(compiler.report().programs, 1) << compiler.report().notes.front();
  core::Rng rng(7);
  for (const double size : {1.0, 1e-9, 1e5, 1e9})
    for (const std::size_t count : {std::size_t{64}, std::size_t{1}, std::size_t{13}, std::size_t{56}}) {
      std::vector<double> x(count), y(count);
      for (double& number : x) number = size * rng.normal();
      for (double& number : y) number = size * rng.normal();
      compare(compiled, source.lanes, {x.data(), nullptr, y.data()}, {0.3 * rng.normal()}, count);
    }
}

// crosscheck: each operation by itself where it is delicate.
TEST_F(NativeCompilers, KeepTheBitsOfEachOperation) {
  core::Trace trace;
  const core::Trace::Listening listening(trace);
  const Traced x = trace.input(), y = trace.input();
  const core::LaneProgram interpreted(trace, {round(x),
                                              abs(x),
                                              -x,
                                              sin(x),
                                              cos(x),
                                              sin(x) * cos(x),
                                              sqrt(x),
                                              select_less(x, y, y, x),
                                              select_less(y, 0.5, -0.0, x),
                                              atan2(x, -2.0),
                                              tan(x),
                                              asin(x),
                                              acos(y),
                                              atan(x),
                                              log(x),
                                              exp(y),
                                              x / y,
                                              1.0 / x,
                                              x - 0.5,
                                              0.5 - x,
                                              x * y - 2.0 * x,
                                              x * x - y * y});
  core::LaneProgram compiled = interpreted;
  NativeCompiler compiler(settings_);
  compile(&compiler, std::vector<core::NamedLaneProgram>{{"lanes", &compiled}});
  ASSERT_EQ(compiler.report().programs, 1) << compiler.report().notes.front();
  std::vector<double> numbers;
  for (const double size : {0.0,
                            1e-310,
                            1e-20,
                            0.3,
                            0.5,
                            0.7853981633974483,
                            1.0,
                            1.5,
                            1.5707963267948966,
                            2.5,
                            3.141592653589793,
                            6.5,
                            1e5 + 0.5,
                            1e12,
                            0x1.0p51 + 0.5,
                            0x1.fp51 + 1.5,
                            0x1.0p52 + 1.0,
                            0x1.0p53,
                            1e300,
                            HUGE_VAL,
                            double(NAN)})
    for (const double sign : {1.0, -1.0}) numbers.push_back(sign * size);
  for (const double by : numbers)
    compare(compiled, interpreted, {numbers.data(), std::vector(numbers.size(), by).data()}, {},
            numbers.size());
}

// contract: threads that ask for the same code at once get it, and the compiler is called for it once.
TEST_F(NativeCompilers, MakeTheSameCodeOnce_WhoeverAsks) {
  const LongProgram source;
  settings_.cache.clear();  // nothing else remembers it
  NativeCompiler compiler(settings_);
  const std::vector<core::NamedProgram> one{{"one", &source.program}}, other{{"other", &source.program}};
  std::vector<core::CompiledFunction> made(4);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < made.size(); ++k)
    threads.emplace_back([&, k] { made[k] = compiler.compile_functions(one).at(0); });
  for (std::thread& thread : threads) thread.join();
  for (const core::CompiledFunction& function : made) EXPECT_EQ(function.call, made[0].call);
  EXPECT_EQ(compiler.report().libraries, 1);
  EXPECT_EQ(compiler.report().operations, source.program.counts().all());
  EXPECT_NE(compiler.compile_functions(other).at(0).call, made[0].call);
  EXPECT_EQ(compiler.report().libraries, 2);
}

TEST_F(NativeCompilers, MakeNothingWithoutACompiler_AndSayWhyOnce) {
  const LongProgram source;
  settings_.c = "/no/such/compiler";
  NativeCompiler compiler(settings_);
  const std::vector<core::NamedProgram> one{{"one", &source.program}};
  EXPECT_THAT(compiler.compile_functions(one), SizeIs(0));
  EXPECT_THAT(compiler.compile_functions(one), SizeIs(0));
  ASSERT_THAT(compiler.report().notes, SizeIs(1));
  EXPECT_THAT(compiler.report().notes[0], HasSubstr("there is no compiler"));
  EXPECT_EQ(summary(compiler.report()), "none: interpreted");
}

}  // namespace
}  // namespace eslabon::codegen
