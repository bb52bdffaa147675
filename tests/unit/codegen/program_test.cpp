#include "eslabon/codegen/graph/program.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "eslabon/codegen/graph/program_pieces.hpp"
#include "eslabon/codegen/print/expression_text.hpp"

namespace eslabon::codegen {
namespace {

using core::Traced;

/// C without its arrays.
class PlainSyntax final : public Syntax {
 public:
  std::string number(double value) const override { return real_text(value); }
  std::string input(int k) const override { return "x" + std::to_string(k); }
  std::string slot(int k) const override { return "w" + std::to_string(k); }
  std::string call(std::string_view name, std::span<const std::string> arguments) const override {
    std::string text = std::string(name) + "(";
    for (std::size_t k = 0; k < arguments.size(); ++k) text += (k == 0 ? "" : ", ") + arguments[k];
    return text + ")";
  }
  std::string choice(const std::string& a, const std::string& b, const std::string& c,
                     const std::string& d) const override {
    return "(" + a + " < " + b + " ? " + c + " : " + d + ")";
  }
};

class Programs : public ::testing::Test {
 protected:
  Programs() : listening_(trace_), x_(trace_.input()), y_(trace_.input()) {}
  Program program(const std::vector<Traced>& outputs) { return {trace_, outputs}; }
  double value(const Traced& output, double x, double y) {
    double out = 0.0;
    program({output}).evaluate(std::vector{x, y}, {&out, 1});
    return out;
  }
  std::string text(const Traced& output) {
    const Program one = program({output});
    const ProgramPieces pieces = cut(one);
    return ExpressionText(one, pieces, PlainSyntax()).statements(0).back().value;
  }

  core::Trace trace_;
  core::Trace::Listening listening_;
  Traced x_, y_;
};

TEST_F(Programs, ComputesEveryOperation) {
  const double x = 0.7, y = -1.3;
  EXPECT_EQ(value(-x_, x, y), -x);
  EXPECT_EQ(value(x_ + y_, x, y), x + y);
  EXPECT_EQ(value(x_ - y_, x, y), x - y);
  EXPECT_EQ(value(x_ * y_, x, y), x * y);
  EXPECT_EQ(value(x_ / y_, x, y), x / y);
  EXPECT_EQ(value(sqrt(x_), x, y), std::sqrt(x));
  EXPECT_EQ(value(sin(x_), x, y), std::sin(x));
  EXPECT_EQ(value(cos(x_), x, y), std::cos(x));
  EXPECT_EQ(value(abs(y_), x, y), 1.3);
  EXPECT_EQ(value(round(y_), x, y), -1.0);
  EXPECT_EQ(value(atan2(x_, y_), x, y), std::atan2(x, y));
  EXPECT_EQ(value(core::select_less(x_, y_, x_, y_), x, y), y);
  EXPECT_EQ(value(exp(x_), x, y), std::exp(x));
  EXPECT_EQ(value(acos(x_), x, y), std::acos(x));
  EXPECT_DOUBLE_EQ(value(pow(y_, 5.0), x, y), std::pow(y, 5.0));
  EXPECT_DOUBLE_EQ(value(pow(y_, -3.0), x, y), std::pow(y, -3.0));
  EXPECT_DOUBLE_EQ(value(pow(x_, 0.3), x, y), std::pow(x, 0.3));
}

TEST_F(Programs, KeepWhatIsNeededAndCountIt) {
  const Traced unused = sin(x_) * cos(y_);
  EXPECT_FALSE(unused.is_constant());
  const Program one = program({x_ * x_ + 2.0 / y_});
  EXPECT_EQ(one.counts().all(), 3);
  EXPECT_EQ(one.counts().multiplications, 1);
  EXPECT_EQ(one.counts().divisions, 1);
  EXPECT_EQ(one.counts().additions, 1);
  EXPECT_EQ(one.nodes().size(), 6u);  // x, y, 2 and the three
}

TEST_F(Programs, AreWrittenAsTheyRound) {
  const Traced sum = x_ + y_;
  const Traced xy = x_ * y_;
  EXPECT_EQ(text(xy + sin(x_)), "x0*x1 + sin(x0)");
  EXPECT_EQ(text(xy - 3.0), "x0*x1 - 3.0");
  EXPECT_EQ(text(sin(x_) - (cos(y_) - x_)), "sin(x0) - (cos(x1) - x0)");
  EXPECT_EQ(text(sin(x_) / (cos(x_) / y_)), "sin(x0)/(cos(x0)/x1)");
  EXPECT_EQ(text(-sin(sum) / y_), "-(sin(x0 + x1)/x1)");
  EXPECT_EQ(text(core::select_less(x_, y_, sin(x_), Traced(2.0))), "(x0 < x1 ? sin(x0) : 2.0)");
}

TEST_F(Programs, AreCutWhereFewNumbersPass) {
  // A chain that is a thousand steps long and one number wide, with a bundle of ten beside it at its middle.
  Traced chain = x_, bundle = 0.0;
  std::vector<Traced> wide;
  for (int k = 0; k < 1500; ++k) {
    chain = sin(chain) + y_;
    if (k == 300)
      for (int i = 0; i < 10; ++i) wide.push_back(chain * (1.0 + i));
    if (k == 310)
      for (const Traced& one : wide) bundle += one * one;
  }
  const Program one = program({chain, bundle});
  const ProgramPieces pieces = cut(one);
  EXPECT_GE(pieces.pieces.size(), 4u);
  EXPECT_LE(pieces.num_slots, 2);
  int begin = 0;
  for (const ProgramPieces::Piece& piece : pieces.pieces) {
    EXPECT_EQ(piece.begin, begin);
    EXPECT_LE(piece.end - piece.begin, 650);
    begin = piece.end;
  }
  EXPECT_EQ(begin, static_cast<int>(one.nodes().size()));
  // What a piece reads was computed in it, or passes to it.
  for (const ProgramPieces::Piece& piece : pieces.pieces)
    for (int i = piece.begin; i < piece.end; ++i)
      for (const int operand : operands(one.nodes()[static_cast<std::size_t>(i)])) {
        const bool is_from_before = operand >= 0 && operand < piece.begin;
        if (!is_from_before || !computes(one.nodes()[static_cast<std::size_t>(operand)].operation)) continue;
        EXPECT_GE(pieces.slots[static_cast<std::size_t>(operand)], 0);
      }
}

}  // namespace
}  // namespace eslabon::codegen
