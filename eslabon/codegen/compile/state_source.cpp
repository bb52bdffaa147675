#include <fmt/format.h>

#include "eslabon/codegen/compile/program_source.hpp"
#include "eslabon/codegen/print/expression_text.hpp"

namespace eslabon::codegen {

namespace {

class StateSyntax final : public Syntax {
 public:
  std::string number(double value) const override { return real_text(value); }
  std::string input(int k) const override { return fmt::format("in[{}]", k); }
  std::string slot(int k) const override { return fmt::format("work[{}]", k); }
  std::string call(std::string_view name, std::span<const std::string> arguments) const override {
    return fmt::format("{}({})", name, fmt::join(arguments, ", "));
  }
  std::string choice(const std::string& a, const std::string& b, const std::string& c,
                     const std::string& d) const override {
    return fmt::format("({} < {} ? {} : {})", a, b, c, d);
  }
};

std::string statement_text(const ExpressionText::Statement& statement) {
  if (statement.output >= 0) return fmt::format("  out[{}] = {};\n", statement.output, statement.value);
  const std::string name = statement.is_used_here ? fmt::format("const double {} = ", statement.name) : "";
  const std::string slot = statement.slot >= 0 ? fmt::format("work[{}] = ", statement.slot) : "";
  return fmt::format("  {}{}{};\n", name, slot, statement.value);
}

}  // namespace

std::string state_source_head() {
  return "#include <math.h>\n#define PIECE static __attribute__((noinline)) void\n\n";
}

ProgramSource state_source(const std::string& name, const core::Program& program) {
  constexpr std::string_view kArguments =
      "const double *restrict in, const double *restrict uniform, double *restrict out, double *restrict "
      "work";
  const ProgramPieces pieces = cut(program);
  const StateSyntax syntax;
  ExpressionText expressions(program, pieces, syntax);
  std::string text, calls;
  for (std::size_t k = 0; k < pieces.pieces.size(); ++k) {
    text += fmt::format("PIECE {}_{}({})\n{{\n", name, k, kArguments);
    for (const ExpressionText::Statement& statement : expressions.statements(k))
      text += statement_text(statement);
    text += "}\n\n";
    calls += fmt::format("  {}_{}(in, uniform, out, work);\n", name, k);
  }
  text += fmt::format("void {}({})\n{{\n{}}}\n\n", name, kArguments, calls);
  return {std::move(text), static_cast<std::size_t>(pieces.num_slots)};
}

}  // namespace eslabon::codegen
