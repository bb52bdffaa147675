#include "eslabon/codegen/compile/native_compiler.hpp"

#include <cmath>
#include <vector>

#include "tests/temporary_folder.hpp"
#include <gmock/gmock.h>

#include "eslabon/core/random/rng.hpp"

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
  }
  core::Trace trace;
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
