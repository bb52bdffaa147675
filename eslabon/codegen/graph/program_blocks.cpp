#include "eslabon/codegen/graph/program_blocks.hpp"

#include <algorithm>

#include "eslabon/core/index.hpp"

namespace eslabon::codegen {

namespace {

using core::index;
using Node = core::Program::Node;
using Operation = core::Program::Operation;

constexpr int kLongestBlock = 300;  // nodes: what has no marks is cut

/// Places of a program at which blocks begin, and its end.
std::vector<int> block_ends(const core::Program& program) {
  std::vector<int> ends{0};
  const auto go_to = [&](int place) {
    while (place - ends.back() > kLongestBlock) ends.push_back(ends.back() + kLongestBlock);
    if (place > ends.back()) ends.push_back(place);
  };
  for (const int mark : program.marks()) go_to(mark);
  go_to(static_cast<int>(program.nodes().size()));
  return ends;
}

}  // namespace

/// Takes a program apart.
class BlockFinder {
 public:
  BlockFinder(const core::Program& program, BlockLibrary& library)
      : program_(program), nodes_(program.nodes()), library_(library), slots_(nodes_.size(), -1) {}

  BlockCalls find() {
    find_leavers();
    out_.num_slots = static_cast<int>(program_.num_inputs());
    for (size_t k = 0; k + 1 < ends_.size(); ++k) add_call(ends_[k], ends_[k + 1]);
    for (const int place : program_.outputs()) {
      const Node& node = nodes_[index(place)];
      if (node.operation == Operation::kConstant)
        out_.outputs.push_back({-1, node.k});
      else
        out_.outputs.push_back({slot_of(place)});
    }
    return std::move(out_);
  }

 private:
  using size_t = std::size_t;

  /// Which numbers are asked for outside of their own block.
  void find_leavers() {
    ends_ = block_ends(program_);
    leaves_.assign(nodes_.size(), 0);
    std::vector<int> block_of(nodes_.size(), 0);
    for (size_t k = 0; k + 1 < ends_.size(); ++k)
      std::fill(block_of.begin() + ends_[k], block_of.begin() + ends_[k + 1], static_cast<int>(k));
    for (size_t i = 0; i < nodes_.size(); ++i)
      for (const int operand : operands(nodes_[i]))
        if (operand >= 0 && block_of[index(operand)] != block_of[i]) leaves_[index(operand)] = 1;
    for (const int output : program_.outputs()) leaves_[index(output)] = 1;
  }

  int slot_of(int place) {
    int& slot = slots_[index(place)];
    const Node& node = nodes_[index(place)];
    if (slot < 0) slot = node.operation == Operation::kInput ? node.a : out_.num_slots++;
    return slot;
  }

  void add_call(int begin, int end) {
    BlockCalls::Call call{.block = -1, .inputs = {}, .constants = {}, .outputs = {}};
    // Operands until the numbers of inputs are known: own nodes ≥ 0, numbers from outside kNumbers − k, constants kConstants − k.
    std::map<int, int> own, numbers;
    std::vector<Node> body;
    std::vector<int> leaving, leaving_places;
    std::vector<long> key;
    for (int i = begin; i < end; ++i) {
      Node node = nodes_[index(i)];
      if (!computes(node.operation)) continue;
      key.push_back(static_cast<long>(node.operation));
      key.push_back(reinterpret_cast<long>(node.function));
      for (int* operand : {&node.a, &node.b, &node.c, &node.d}) {
        if (*operand < 0) continue;
        const int place = *operand;
        if (const auto at = own.find(place); at != own.end()) {
          *operand = at->second;
        } else if (nodes_[index(place)].operation == Operation::kConstant) {
          *operand = kConstants - static_cast<int>(call.constants.size());
          call.constants.push_back(nodes_[index(place)].k);
        } else {
          const auto [at_number, is_new] = numbers.emplace(place, static_cast<int>(call.inputs.size()));
          if (is_new) call.inputs.push_back(slot_of(place));
          *operand = kNumbers - at_number->second;
        }
        key.push_back(*operand);
      }
      own.emplace(i, static_cast<int>(body.size()));
      if (leaves_[index(i)]) {
        leaving.push_back(static_cast<int>(body.size()));
        leaving_places.push_back(i);
        key.push_back(-7);
      }
      body.push_back(node);
    }
    if (body.empty()) return;
    for (const int place : leaving_places) call.outputs.push_back(slot_of(place));
    const auto [at, is_new] = library_.known_.emplace(key, static_cast<int>(library_.blocks_.size()));
    if (is_new) library_.blocks_.push_back(made(body, leaving, call));
    call.block = at->second;
    out_.calls.push_back(std::move(call));
  }

  /// The block, with inputs before what asks for them first.
  static BlockLibrary::Block made(const std::vector<Node>& body, std::vector<int> leaving,
                                  const BlockCalls::Call& call) {
    const int num_numbers = static_cast<int>(call.inputs.size()),
              num_constants = static_cast<int>(call.constants.size());
    std::vector<Node> nodes;
    std::vector<int> places(body.size()), input_places(index(num_numbers + num_constants), -1);
    const auto input = [&](int k) {
      int& place = input_places[index(k)];
      if (place < 0) {
        place = static_cast<int>(nodes.size());
        nodes.push_back({.operation = Operation::kInput, .a = k});
      }
      return place;
    };
    for (size_t k = 0; k < body.size(); ++k) {
      Node node = body[k];
      for (int* operand : {&node.a, &node.b, &node.c, &node.d}) {
        if (*operand == -1) continue;
        *operand = *operand >= 0            ? places[index(*operand)]
                   : *operand <= kConstants ? input(num_numbers + (kConstants - *operand))
                                            : input(kNumbers - *operand);
      }
      places[k] = static_cast<int>(nodes.size());
      nodes.push_back(node);
    }
    for (int& place : leaving) place = places[index(place)];
    return {core::Program(std::move(nodes), std::move(leaving), input_places.size()), num_numbers,
            num_constants};
  }
  static constexpr int kNumbers = -2, kConstants = -1'000'000;

  const core::Program& program_;
  const std::vector<Node>& nodes_;
  BlockLibrary& library_;
  std::vector<int> slots_, ends_;
  std::vector<char> leaves_;
  BlockCalls out_;
};

BlockCalls find_blocks(const core::Program& program, BlockLibrary& library) {
  return BlockFinder(program, library).find();
}

}  // namespace eslabon::codegen
