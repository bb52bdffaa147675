#include "eslabon/codegen/graph/program_pieces.hpp"

#include <algorithm>

#include "eslabon/core/index.hpp"

namespace eslabon::codegen {

namespace {

using core::index;

constexpr int kShortest = 350, kLongest = 650;  // nodes of a piece

/// (nodes) the last node that asks for each.
std::vector<int> last_uses(const std::vector<Program::Node>& nodes) {
  std::vector<int> last(nodes.size(), -1);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (const int operand : operands(nodes[i]))
      if (operand >= 0 && computes(nodes[index(operand)].operation))
        last[index(operand)] = static_cast<int>(i);
  return last;
}

/// (nodes + 1) how many numbers are computed before place i and asked for at i or later.
std::vector<int> live_widths(const std::vector<int>& last) {
  std::vector<int> widths(last.size() + 1, 0);
  for (std::size_t i = 0; i < last.size(); ++i)
    if (last[i] >= 0) {
      ++widths[i + 1];
      --widths[index(last[i]) + 1];
    }
  for (std::size_t i = 1; i < widths.size(); ++i) widths[i] += widths[i - 1];
  return widths;
}

}  // namespace

ProgramPieces cut(const Program& program) {
  const std::vector<Program::Node>& nodes = program.nodes();
  const std::vector<int> last = last_uses(nodes), widths = live_widths(last);
  ProgramPieces out{.pieces = {}, .slots = std::vector<int>(nodes.size(), -1)};
  const int size = static_cast<int>(nodes.size());
  std::vector<int> piece_of(nodes.size(), 0);
  for (int begin = 0; begin < size || out.pieces.empty();) {
    int end = size;
    if (size - begin > kLongest) {
      const auto first = widths.begin() + begin + kShortest;
      end = static_cast<int>(std::min_element(first, widths.begin() + begin + kLongest) - widths.begin());
    }
    for (int i = begin; i < end; ++i) piece_of[index(i)] = static_cast<int>(out.pieces.size());
    out.pieces.push_back({begin, end});
    begin = end;
  }
  // Slots are free again after the piece of the last use.
  std::vector<int> free;
  std::vector<std::vector<int>> released(out.pieces.size() + 1);
  int piece = -1;
  for (int i = 0; i < size; ++i) {
    while (piece < piece_of[index(i)]) {
      ++piece;
      free.insert(free.end(), released[index(piece)].begin(), released[index(piece)].end());
    }
    if (last[index(i)] < 0 || piece_of[index(last[index(i)])] == piece) continue;
    if (free.empty()) free.push_back(out.num_slots++);
    out.slots[index(i)] = free.back();
    free.pop_back();
    released[index(piece_of[index(last[index(i)])]) + 1].push_back(out.slots[index(i)]);
  }
  return out;
}

}  // namespace eslabon::codegen
