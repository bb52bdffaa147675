#include "eslabon/structure/structure.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/structure/believed_inputs.hpp"
#include "eslabon/structure/input_choice.hpp"

namespace eslabon::structure {

namespace {

using Kind = RowSource::Kind;

/// Joints of the tree first, parents before children, then those that close loops: redundant rows, if there
/// are any, are then found in the joints that close a loop.
std::vector<int> edge_order(const Topology& topology, const SpanningTree& tree, std::size_t num_joints) {
  std::vector<int> edge_of_joint(num_joints, -1);
  for (std::size_t e = 0; e < topology.edges.size(); ++e)
    edge_of_joint[topology.edges[e].joint.slot()] = static_cast<int>(e);
  std::vector<int> order;
  for (const LinkIndex link : tree.order)
    if (const auto joint = tree.joint_to_parent[link.slot()]) order.push_back(edge_of_joint[joint->slot()]);
  for (const Loop& loop : tree.loops) order.push_back(edge_of_joint[loop.closing_joint.slot()]);
  return order;
}

/// The rows of joints, idle freedoms and prescribed inputs, given to links.
struct Assembly {
  RowAssignment assignment;
  std::vector<int> redundant;  ///< (edges) rows that are not independent
  std::vector<int> rejected;   ///< inputs that are not independent
  std::vector<model::CouplingIndex> redundant_couplings;
};

/// Joints of the tree, idle freedoms, joints that close loops, couplings, then inputs: an input that does not fit then is one too many. But where the
/// joints alone hold an input's links rigidly, counting cannot tell: the parallelogram with a third crank moves, a
/// truss does not. Such inputs are believed: they go before the joints that close loops, and those have the
/// redundant rows.
class Assembler {
 public:
  Assembler(const model::Mechanism& mechanism, const Structure& structure)
      : mechanism_(mechanism),
        structure_(structure),
        order_(edge_order(structure.topology, structure.tree, mechanism.joints().size())) {}

  Assembly assemble(const std::vector<int>& inputs) const {
    Assembly assembly = assemble_in_order({}, inputs);
    if (assembly.rejected.empty()) return assembly;
    const Assembly joints = assemble_in_order({}, {});
    std::vector<int> held_by_joints;
    for (const int i : assembly.rejected) {
      RowAssignment alone = joints.assignment;
      if (!add_input(i, alone)) held_by_joints.push_back(i);
    }
    if (held_by_joints.empty()) return assembly;
    std::vector<int> after;
    std::ranges::copy_if(inputs, std::back_inserter(after),
                         [&](int i) { return std::ranges::find(held_by_joints, i) == held_by_joints.end(); });
    return assemble_in_order(held_by_joints, after);
  }

  /// All inputs are believed: they go before the joints that close loops.
  Assembly assemble_as_told(const std::vector<int>& inputs) const { return assemble_in_order(inputs, {}); }

 private:
  Assembly assemble_in_order(const std::vector<int>& before_loops, const std::vector<int>& after) const {
    const Topology& topology = structure_.topology;
    Assembly assembly{RowAssignment(topology.num_links(), topology.link_freedoms),
                      std::vector<int>(topology.edges.size(), 0),
                      {},
                      {}};
    const std::size_t tree_edges = order_.size() - structure_.tree.loops.size();
    for (std::size_t i = 0; i < tree_edges; ++i) add_edge(order_[i], assembly);
    // Idle freedoms are there whatever the count says: joints that close loops have the redundant rows.
    for (std::size_t i = 0; i < structure_.idle.size(); ++i)
      (void)assembly.assignment.add_rows(RowSource{Kind::kIdle, static_cast<int>(i)}.encoded(), kFrame,
                                         structure_.idle[i].links.front(), 1);
    add_inputs(before_loops, assembly);
    for (std::size_t i = tree_edges; i < order_.size(); ++i) add_edge(order_[i], assembly);
    for (std::size_t c = 0; c < mechanism_.couplings().size(); ++c)
      add_coupling(model::CouplingIndex(static_cast<int>(c)), assembly);
    add_inputs(after, assembly);
    return assembly;
  }

  void add_edge(int e, Assembly& assembly) const {
    const Edge& edge = structure_.topology.edges[static_cast<std::size_t>(e)];
    const int added = assembly.assignment.add_rows(RowSource{Kind::kEdge, e}.encoded(), edge.first,
                                                   edge.second, edge.useful_rows);
    assembly.redundant[static_cast<std::size_t>(e)] = edge.rows - added;
  }

  void add_coupling(model::CouplingIndex coupling, Assembly& assembly) const {
    const std::vector<LinkIndex> links =
        links_of_coupling(mechanism_, structure_.topology, mechanism_.coupling(coupling));
    const RowSource source{Kind::kCoupling, coupling.value()};
    if (links.size() < 2 || !assembly.assignment.add_row(source.encoded(), links))
      assembly.redundant_couplings.push_back(coupling);
  }

  bool add_input(int i, RowAssignment& assignment) const {
    const Input& input = structure_.inputs[static_cast<std::size_t>(i)];
    return assignment.add_rows(RowSource{Kind::kInput, i}.encoded(), input.first, input.second, 1) == 1;
  }

  void add_inputs(const std::vector<int>& inputs, Assembly& assembly) const {
    for (const int i : inputs)
      if (!add_input(i, assembly.assignment)) assembly.rejected.push_back(i);
  }

  const model::Mechanism& mechanism_;
  const Structure& structure_;
  std::vector<int> order_;
};

std::string described(const Input& input) {
  return input.origin == InputOrigin::kDriver ? "driver '" + input.driver + "'"
                                              : "input '" + input.name + "'";
}

/// Throws an error that names the inputs of which one is too many: those whose removal alone makes the rest fit.
[[noreturn]] void throw_overdriven(const Structure& structure, const Assembler& assembler,
                                   const std::vector<int>& inputs, int rejected) {
  std::vector<std::string> names;
  for (const int i : inputs) {
    if (i > rejected) break;
    std::vector<int> without;
    std::ranges::copy_if(inputs, std::back_inserter(without), [&](int j) { return j != i && j <= rejected; });
    const bool is_involved = assembler.assemble(without).rejected.empty();
    if (is_involved) names.push_back(described(structure.inputs[static_cast<std::size_t>(i)]));
  }
  if (names.empty())  // more than one is too many
    for (const int i : inputs) names.push_back(described(structure.inputs[static_cast<std::size_t>(i)]));
  throw core::ModelError({.what = "more inputs than degrees of freedom",
                          .where = core::conjunction(names),
                          .expected = "at most " + std::to_string(names.size() - 1) + " of these " +
                                      std::to_string(names.size()) + " here",
                          .actual = std::to_string(names.size()),
                          .next = "Remove one of them, or free a joint."});
}

[[noreturn]] void throw_undetermined(const model::Mechanism& mechanism, const Topology& topology,
                                     LinkIndex link) {
  throw core::ModelError(
      {.what = "the inputs do not determine the mechanism",
       .where = "body '" + mechanism.body(topology.links[link.slot()].front()).name + "'",
       .expected = "every degree of freedom to follow from the inputs",
       .actual = "a body that two ball joints hold at places known before it, free to spin",
       .next = "Choose other inputs."});
}

}  // namespace

int Structure::num_redundant() const {
  int rows = 0;
  for (const RedundantRows& entry : redundant) rows += entry.count;
  return rows + static_cast<int>(redundant_couplings.size());
}

// Seed001 eq. 2.2
int count_mobility(const model::Mechanism& mechanism) {
  int mobility = mechanism.body_freedoms() * (static_cast<int>(mechanism.bodies().size()) - 1);
  for (const model::Joint& joint : mechanism.joints())
    mobility -= model::constraint_rows(joint.type, mechanism.is_planar());
  return mobility - static_cast<int>(mechanism.couplings().size());
}

namespace {

/// Topology, idle freedoms, and drivers and the user's inputs, not yet checked.
Structure describe(const model::Mechanism& mechanism) {
  Structure structure;
  structure.topology = find_topology(mechanism);
  structure.tree = find_spanning_tree(mechanism, structure.topology);
  structure.mobility = count_mobility(mechanism);
  structure.idle = find_idle_freedoms(mechanism, structure.topology);
  for (const model::Driver& driver : mechanism.drivers()) {
    structure.inputs.push_back(input_of(mechanism, structure.topology, driver.target, InputOrigin::kDriver));
    structure.inputs.back().driver = driver.name;
  }
  for (const model::Variable& variable : mechanism.inputs())
    structure.inputs.push_back(input_of(mechanism, structure.topology, variable, InputOrigin::kChosen));
  return structure;
}

/// Positions of all inputs.
std::vector<int> all_inputs(const Structure& structure) {
  std::vector<int> inputs(structure.inputs.size());
  std::iota(inputs.begin(), inputs.end(), 0);
  return inputs;
}

/// Inputs that are missing, groups, and what they say about the structure.
Structure complete(const model::Mechanism& mechanism, Structure structure, Assembly assembly) {
  const Topology& topology = structure.topology;
  if (assembly.assignment.total_free_freedoms() > 0) {
    const auto picked = pick_inputs(topology, candidate_inputs(mechanism, topology, structure.tree),
                                    static_cast<int>(structure.inputs.size()), assembly.assignment);
    structure.inputs.insert(structure.inputs.end(), picked.begin(), picked.end());
  }
  assembly.assignment.settle();

  const LinkPartition partition = partition_links(topology, assembly.assignment);
  if (!partition.undetermined.empty())
    throw_undetermined(mechanism, topology, partition.undetermined.front());
  for (std::size_t e = 0; e < topology.edges.size(); ++e)
    if (assembly.redundant[e] > 0)
      structure.redundant.push_back({topology.edges[e].joint, assembly.redundant[e]});
  structure.redundant_couplings = assembly.redundant_couplings;
  structure.groups = make_groups(mechanism, topology, assembly.assignment, partition, assembly.redundant,
                                 assembly.redundant_couplings);
  structure.group_of_link = partition.part_of_link;
  structure.four_bar = find_four_bar(mechanism, topology, structure.inputs);
  return structure;
}

}  // namespace

Structure analyse_structure(const model::Mechanism& mechanism) {
  Structure structure = describe(mechanism);
  const std::vector<int> inputs = all_inputs(structure);
  const Assembler assembler(mechanism, structure);
  Assembly assembly = assembler.assemble(inputs);
  if (!assembly.rejected.empty()) throw_overdriven(structure, assembler, inputs, assembly.rejected.front());
  return complete(mechanism, std::move(structure), std::move(assembly));
}

bool is_overdriven_by_count(const model::Mechanism& mechanism) {
  const Structure structure = describe(mechanism);
  return !Assembler(mechanism, structure).assemble(all_inputs(structure)).rejected.empty();
}

Structure analyse_with_believed_inputs(const model::Mechanism& mechanism) {
  Structure structure = describe(mechanism);
  const std::vector<int> inputs = all_inputs(structure);
  const Assembler assembler(mechanism, structure);
  Assembly assembly = assembler.assemble(inputs);
  if (!assembly.rejected.empty()) {
    const int rejected = assembly.rejected.front();
    assembly = assembler.assemble_as_told(inputs);
    if (!assembly.rejected.empty()) throw_overdriven(structure, assembler, inputs, rejected);
  }
  return complete(mechanism, std::move(structure), std::move(assembly));
}

}  // namespace eslabon::structure
