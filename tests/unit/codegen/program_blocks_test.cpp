#include "eslabon/codegen/graph/program_blocks.hpp"

#include <gtest/gtest.h>

#include "eslabon/codegen/graph/independent_parts.hpp"
#include "eslabon/core/index.hpp"
#include "eslabon/core/random/rng.hpp"

namespace eslabon::codegen {
namespace {

using core::Traced;

/// What the calls compute.
std::vector<double> carried_out(const BlockCalls& program, const BlockLibrary& library,
                                const std::vector<double>& inputs) {
  std::vector<double> slots(core::index(program.num_slots), 0.0);
  std::ranges::copy(inputs, slots.begin());
  for (const BlockCalls::Call& call : program.calls) {
    std::vector<double> given;
    for (const int slot : call.inputs) given.push_back(slots[core::index(slot)]);
    given.insert(given.end(), call.constants.begin(), call.constants.end());
    std::vector<double> found(call.outputs.size());
    library.blocks()[core::index(call.block)].program.evaluate(given, found);
    for (std::size_t k = 0; k < found.size(); ++k) slots[core::index(call.outputs[k])] = found[k];
  }
  std::vector<double> out;
  for (const BlockCalls::Output& output : program.outputs)
    out.push_back(output.slot < 0 ? output.constant : slots[core::index(output.slot)]);
  return out;
}

/// A chain: every link is the like of the others, with other constants, and hangs on the one before or on an earlier one.
core::Program chain(core::Trace& trace, int links) {
  const core::Trace::Listening listening(trace);
  core::Rng rng(5);
  const Traced x = trace.input(), y = trace.input();
  std::vector<Traced> heads{x, y};
  Traced sum = 0.0;
  for (int k = 0; k < links; ++k) {
    core::Trace::mark();
    const Traced before = heads[rng.uniform_index(heads.size())];
    const Traced turned = sin(before * (2.0 + rng.uniform())) + cos(y - rng.uniform());
    heads.push_back(turned / (3.5 + x * x) + rng.uniform());
    sum = sum + turned * heads.back();
  }
  return core::Program(trace, std::vector<Traced>{sum, heads.back(), 4.5, x});
}

TEST(ProgramBlocks, ComputeWhatTheProgramComputes) {
  core::Trace trace;
  const core::Program program = chain(trace, 40);
  BlockLibrary library;
  const BlockCalls calls = find_blocks(program, library);
  for (const double a : {0.3, -1.2}) {
    std::vector<double> expected(4);
    program.evaluate(std::vector<double>{a, 0.7}, expected);
    EXPECT_EQ(carried_out(calls, library, {a, 0.7}), expected);
  }
}

TEST(ProgramBlocks, GrowWithTheKindsOfStretchesAlone) {
  BlockLibrary few, many;
  core::Trace short_trace, long_trace;
  const BlockCalls short_calls = find_blocks(chain(short_trace, 30), few);
  const BlockCalls long_calls = find_blocks(chain(long_trace, 300), many);
  EXPECT_GE(long_calls.calls.size(), 300u);
  EXPECT_LE(many.blocks().size(), 8u);  // those on x, on y, on neither; used or not
  EXPECT_LE(few.blocks().size(), many.blocks().size());
}

TEST(ProgramBlocks, AreFoundAgainInAnotherProgram) {
  BlockLibrary library;
  core::Trace one, other;
  static_cast<void>(find_blocks(chain(one, 300), library));
  const std::size_t before = library.blocks().size();
  static_cast<void>(find_blocks(chain(other, 200), library));
  EXPECT_LE(library.blocks().size(), before + 1);
}

/// Axles: each has two numbers of the state and constants of its own; they are written down step by step, all axles in each. Outputs: a
/// number of each axle, then what compares them. The last input is the time.
core::Program axles(core::Trace& trace, int count) {
  const core::Trace::Listening listening(trace);
  core::Rng rng(6);
  std::vector<Traced> x, y, out;
  for (int k = 0; k < count; ++k) {
    x.push_back(trace.input());
    y.push_back(trace.input());
  }
  const Traced t = trace.input(), twice = t * 2.0;
  for (int step = 0; step < 50; ++step)
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (step == 20) core::Trace::mark();
      const Traced moved = x[k] + (1.0 + rng.uniform()) * sin(y[k] + twice);
      y[k] = y[k] * (0.1 + rng.uniform()) - moved;
      x[k] = moved;
    }
  Traced least = 1.0;
  for (const Traced& one : y) least = core::minimum(least, one);
  out = x;
  out.push_back(least);
  return core::Program(trace, out);
}

TEST(IndependentParts, ComputeWhatTheProgramComputes) {
  core::Trace trace;
  const core::Program program = axles(trace, 3);
  const core::Program apart = independent_parts(program, {.num_state = 6, .num_results = 3});
  const std::vector<double> inputs{0.3, -0.2, 1.1, 0.4, -0.7, 0.9, 0.25};
  std::vector<double> expected(4), found(4);
  program.evaluate(inputs, expected);
  apart.evaluate(inputs, found);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(apart.nodes().size(), program.nodes().size());
}

TEST(IndependentParts, ThatDoTheSameAreTheSameBlocks) {
  for (const int count : {2, 5}) {
    core::Trace trace;
    const core::Program program = axles(trace, count);
    BlockLibrary mixed, apart;
    static_cast<void>(find_blocks(program, mixed));
    const auto results = static_cast<std::size_t>(count);
    const BlockCalls calls = find_blocks(independent_parts(program, {2 * results, results}), apart);
    EXPECT_EQ(apart.blocks().size(), 4u);  // of the time, both halves of an axle, what compares them
    EXPECT_EQ(calls.calls.size(), 2 + 2 * results);
    EXPECT_GT(mixed.blocks().front().program.nodes().size(), apart.blocks()[1].program.nodes().size());
  }
}

TEST(IndependentParts, AreOneWhereAResultNeedsBoth) {
  core::Trace trace;
  const core::Trace::Listening listening(trace);
  const Traced x = trace.input(), y = trace.input();
  const core::Program program(trace, std::vector<Traced>{sin(x), cos(y), x * y});
  EXPECT_EQ(independent_parts(program, {2, 3}).marks(), program.marks());  // as it stands
  EXPECT_NE(independent_parts(program, {2, 2}).marks(), program.marks());
}

}  // namespace
}  // namespace eslabon::codegen
