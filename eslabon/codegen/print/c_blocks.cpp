#include "eslabon/codegen/print/c_blocks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "eslabon/codegen/graph/independent_parts.hpp"

namespace eslabon::codegen {

namespace {

constexpr int kShortestProgram = 2000;  // operations: what is shorter is as quick to compile as it stands
constexpr int kLineLength = 110;

/// Inside a block: numbers by their slots, then constants.
class BlockSyntax final : public Syntax {
 public:
  BlockSyntax(const Syntax& language, int num_numbers) : language_(language), num_numbers_(num_numbers) {}
  std::string number(double value) const override { return language_.number(value); }
  std::string input(int k) const override {
    return k < num_numbers_ ? fmt::format("w[s[{}]]", k) : fmt::format("c[{}]", k - num_numbers_);
  }
  /// What is stored in between might be the same number: a compiler would load it anew.
  bool names_inputs() const override { return true; }
  std::string slot(int) const override { return ""; }  // a block is one piece
  std::string call(std::string_view name, std::span<const std::string> arguments) const override {
    return language_.call(name, arguments);
  }
  std::string choice(const std::string& a, const std::string& b, const std::string& c,
                     const std::string& d) const override {
    return language_.choice(a, b, c, d);
  }

 private:
  const Syntax& language_;
  int num_numbers_;
};

/// A list in lines of a bearable length.
class Lines {
 public:
  void add(const std::string& text) {
    if (!text_.empty()) text_ += ",";
    if (length_ + text.size() > kLineLength) {
      text_ += "\n ";
      length_ = 0;
    }
    text_ += " " + text;
    length_ += text.size() + 2;
  }
  /// One entry at least: C has no empty tables.
  std::string text() const { return text_.empty() ? " 0" : text_; }

 private:
  std::string text_;
  std::size_t length_ = 0;
};

int operations_of(const BlockLibrary& library) {
  int sum = 0;
  for (const BlockLibrary::Block& block : library.blocks()) sum += block.program.counts().all();
  return sum;
}

}  // namespace

bool CBlocks::takes(const std::string& function, const core::Program& program, std::size_t num_y) {
  const int operations = program.counts().all();
  if (operations < kShortestProgram) return false;
  BlockLibrary library = library_;
  BlockCalls calls = find_blocks(independent_parts(program, {num_state_, num_y}), library);
  if (2 * (operations_of(library) - operations_of(library_)) > operations) return false;
  library_ = std::move(library);
  num_slots_ = std::max(num_slots_, calls.num_slots);
  taken_.push_back({function, std::move(calls)});
  return true;
}

const CBlocks::Taken* CBlocks::find(const std::string& function) const {
  const auto at = std::ranges::find(taken_, function, &Taken::function);
  return at == taken_.end() ? nullptr : &*at;
}

std::string CBlocks::block_text(std::size_t block) const {
  const BlockLibrary::Block& one = library_.blocks()[block];
  const int size = static_cast<int>(one.program.nodes().size());
  const ProgramPieces whole{.pieces = {{0, size}}, .slots = std::vector<int>(one.program.nodes().size(), -1)};
  const BlockSyntax syntax(syntax_, one.num_numbers);
  ExpressionText expressions(one.program, whole, syntax);
  std::string text = fmt::format(
      "/* {} operations */\nstatic void {}_block_{}(const int *s, const {} *c, {} *w)\n{{\n{}",
      one.program.counts().all(), prefix_, block, real_, real_, one.num_constants == 0 ? "  (void)c;\n" : "");
  for (const ExpressionText::Statement& statement : expressions.statements(0))
    text += statement.output >= 0
                ? fmt::format("  w[s[{}]] = {};\n", one.num_numbers + statement.output, statement.value)
                : fmt::format("  const {} {} = {};\n", real_, statement.name, statement.value);
  return text + "}\n\n";
}

std::string CBlocks::functions() const {
  if (taken_.empty()) return "";
  std::string text;
  Lines names, slots, constants;
  for (std::size_t block = 0; block < library_.blocks().size(); ++block) {
    const BlockLibrary::Block& one = library_.blocks()[block];
    text += block_text(block);
    names.add(fmt::format("{}_block_{}", prefix_, block));
    slots.add(std::to_string(one.num_numbers + static_cast<int>(one.program.outputs().size())));
    constants.add(std::to_string(one.num_constants));
  }
  return text +
         fmt::format(R"(/* Calls blocks one after the other, each with its slots of w and its constants. */
static void {0}_call(const int *calls, int count, const int *s, const {1} *c, {1} *w)
{{
  static void (*const blocks[])(const int *s, const {1} *c, {1} *w) = {{{2}}};
  static const int slots[] = {{{3}}};
  static const int constants[] = {{{4}}};
  int i;
  for (i = 0; i < count; ++i) {{
    blocks[calls[i]](s, c, w);
    s += slots[calls[i]];
    c += constants[calls[i]];
  }}
}}
)",
                     prefix_, real_, names.text(), slots.text(), constants.text());
}

std::string CBlocks::tables(const std::string& function) const {
  const BlockCalls& program = find(function)->calls;
  Lines calls, slots, constants, outputs;
  for (const BlockCalls::Call& call : program.calls) {
    calls.add(std::to_string(call.block));
    for (const int slot : call.inputs) slots.add(std::to_string(first_slot_ + slot));
    for (const int slot : call.outputs) slots.add(std::to_string(first_slot_ + slot));
    for (const double constant : call.constants) constants.add(syntax_.number(constant));
  }
  for (const BlockCalls::Output& output : program.outputs)
    outputs.add(std::to_string(output.slot < 0 ? 0 : first_slot_ + output.slot));
  std::string text;
  const auto add = [&](const std::string& type, const char* what, const Lines& list) {
    text += fmt::format("static const {} {}_{}_{}[] = {{{}}};\n", type, prefix_, function, what, list.text());
  };
  add("int", "calls", calls);
  add("int", "slots", slots);
  add(real_, "constants", constants);
  add("int", "outputs", outputs);
  return text;
}

std::string CBlocks::statements(const std::string& function, const std::array<std::string, 3>& counts,
                                int num_y) const {
  const BlockCalls& program = find(function)->calls;
  std::string text = "  int i;\n", before = std::to_string(first_slot_);
  for (std::size_t k = 0; k < 3; ++k) {
    text += fmt::format("  for (i = 0; i < {1}; ++i) w[{2} + i] = {0}[i];\n", "xup"[k], counts[k], before);
    before += " + " + counts[k];
  }
  const std::string name = prefix_ + "_" + function;
  text += fmt::format("  {0}_call({1}_calls, {2}, {1}_slots, {1}_constants, w);\n", prefix_, name,
                      program.calls.size());
  text += fmt::format("  for (i = 0; i < {}; ++i) y[i] = w[{}_outputs[i]];\n", num_y, name);
  for (std::size_t o = 0; o < program.outputs.size(); ++o) {
    const BlockCalls::Output& output = program.outputs[o];
    const bool is_told = static_cast<int>(o) >= num_y;
    const std::string place =
        fmt::format("{}[{}]", is_told ? "w" : "y", static_cast<int>(o) - (is_told ? num_y : 0));
    if (output.slot < 0)
      text += fmt::format("  {} = {};\n", place, syntax_.number(output.constant));
    else if (is_told)
      text += fmt::format("  {} = w[{}];\n", place, first_slot_ + output.slot);
  }
  return text;
}

}  // namespace eslabon::codegen
