#include "eslabon/codegen/graph/independent_parts.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "eslabon/core/index.hpp"

namespace eslabon::codegen {

namespace {

using core::index;
using Node = core::Program::Node;
using Operation = core::Program::Operation;

constexpr int kShared = -1;   // depends on no state
constexpr int kBetween = -2;  // compares parts

/// Sets of nodes, each called by one of its own.
class Sets {
 public:
  explicit Sets(std::size_t size) : above_(size) { std::iota(above_.begin(), above_.end(), 0); }
  int find(int k) {
    while (above_[index(k)] != k) k = above_[index(k)] = above_[index(above_[index(k)])];
    return k;
  }
  void join(int a, int b) { above_[index(find(b))] = find(a); }

 private:
  std::vector<int> above_;
};

/// (nodes) the part of each: numbers in the order of their first nodes, kShared or kBetween.
class Parts {
 public:
  Parts(const core::Program& program, const IndependentParts& what)
      : nodes_(program.nodes()), sets_(nodes_.size()), depends_(nodes_.size()) {
    const std::vector<char> matters = needed_by_results(program, what.num_results);
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      depends_[k] = nodes_[k].operation == Operation::kInput && index(nodes_[k].a) < what.num_state;
      for (const int operand : core::operands(nodes_[k])) {
        if (operand < 0 || !depends_[index(operand)]) continue;
        if (matters[k]) sets_.join(operand, static_cast<int>(k));
        depends_[k] = 1;
      }
    }
    of_.assign(nodes_.size(), kShared);
    for (std::size_t k = 0; k < nodes_.size(); ++k)
      if (depends_[k]) of_[k] = matters[k] ? part(k) : kBetween;
  }
  int operator[](std::size_t node) const { return of_[node]; }
  int count() const { return static_cast<int>(numbers_.size()); }

 private:
  /// (nodes)
  static std::vector<char> needed_by_results(const core::Program& program, std::size_t num_results) {
    std::vector<char> matters(program.nodes().size(), 0);
    for (std::size_t r = 0; r < num_results; ++r) matters[index(program.outputs()[r])] = 1;
    for (std::size_t k = matters.size(); k-- > 0;)
      if (matters[k])
        for (const int operand : core::operands(program.nodes()[k]))
          if (operand >= 0) matters[index(operand)] = 1;
    return matters;
  }
  int part(std::size_t k) { return numbers_.emplace(sets_.find(static_cast<int>(k)), count()).first->second; }

  const std::vector<Node>& nodes_;
  Sets sets_;
  std::vector<char> depends_;  ///< on the state
  std::vector<int> of_;
  std::map<int, int> numbers_;  ///< of sets
};

}  // namespace

core::Program independent_parts(const core::Program& program, const IndependentParts& what) {
  const std::vector<Node>& nodes = program.nodes();
  const Parts parts(program, what);
  if (parts.count() < 2) return program;

  // Rooms of nodes that stand together: shared ones, parts, what is between them.
  const std::size_t num_rooms = index(parts.count()) + 2;
  std::vector<std::vector<int>> rooms(num_rooms), marks(num_rooms);
  std::vector<char> is_marked(num_rooms, 1);
  std::size_t next_mark = 0;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const std::size_t room = parts[k] == kShared    ? 0
                             : parts[k] == kBetween ? num_rooms - 1
                                                    : index(parts[k]) + 1;
    if (computes(nodes[k].operation)) {
      bool is_new = false;
      for (; next_mark < program.marks().size() && index(program.marks()[next_mark]) <= k; ++next_mark)
        is_new = true;
      if (is_new || is_marked[room]) marks[room].push_back(static_cast<int>(rooms[room].size()));
      is_marked[room] = 0;
    }
    rooms[room].push_back(static_cast<int>(k));
  }

  std::vector<int> place(nodes.size()), new_marks, outputs;
  std::vector<Node> ordered;
  for (std::size_t room = 0; room < num_rooms; ++room) {
    for (const int mark : marks[room]) new_marks.push_back(static_cast<int>(ordered.size()) + mark);
    for (const int old : rooms[room]) {
      place[index(old)] = static_cast<int>(ordered.size());
      Node node = nodes[index(old)];
      if (computes(node.operation))
        for (int* operand : {&node.a, &node.b, &node.c, &node.d})
          if (*operand >= 0) *operand = place[index(*operand)];
      ordered.push_back(node);
    }
  }
  for (const int output : program.outputs()) outputs.push_back(place[index(output)]);
  return {std::move(ordered), std::move(outputs), program.num_inputs(), std::move(new_marks)};
}

}  // namespace eslabon::codegen
