#include "eslabon/runs/start/state_outputs.hpp"

#include <algorithm>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/dynamics/formulations/spanning_rows.hpp"
#include "eslabon/kinematics/drivers/driven_structure.hpp"
#include "eslabon/kinematics/freedoms/row_rank.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::runs {

namespace {

using Eigen::VectorXd;

// Weights by which coordinates are preferred.
constexpr double kNamed = 1e3;   // those that a file can have
constexpr double kInput = 10.0;  // inputs of the structure, as filters prefer them
constexpr double kDriven = 1e9;  // those that a driver moves have no dead centre
constexpr double kTaken = 1e-6;  // those that are written already: only where no other one tells the same

std::string with_letter(const std::string& coordinate, char letter) {
  const std::size_t dot = coordinate.rfind('.');
  if (dot == std::string::npos || dot + 1 >= coordinate.size() || coordinate[dot + 1] != 'q') return "";
  std::string name = coordinate;
  name[dot + 1] = letter;
  return name;
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

/// Joint coordinates of the inputs, for mechanisms that are too large for a dense rank.
StateOutputs of_inputs(const structure::Structure& structure) {
  StateOutputs coordinates;
  for (const structure::Input& input : structure.inputs)
    if (input.variable && input.variable->kind == model::VariableKind::kJointPosition)
      add_once(coordinates.names, input.name);
    else
      coordinates.is_complete = false;
  return coordinates;
}

/// Coordinates that tell all motions, ascending: those that no row speaks of are motions of their own, of the others the ones that tell
/// most. `rank` is of the coordinates `in_rows`, `weights` of all.
std::vector<int> telling_coordinates(const kinematics::RowRank& rank, const std::vector<int>& in_rows,
                                     const VectorXd& weights) {
  std::vector<bool> is_told(static_cast<std::size_t>(weights.size()), true);
  for (const int column : in_rows) is_told[static_cast<std::size_t>(column)] = false;
  for (const int row : dynamics::spanning_rows(rank.null_space, weights(in_rows)))
    is_told[static_cast<std::size_t>(in_rows[static_cast<std::size_t>(row)])] = true;
  std::vector<int> chosen;
  for (std::size_t c = 0; c < is_told.size(); ++c)
    if (is_told[c]) chosen.push_back(static_cast<int>(c));
  return chosen;
}

/// The joint coordinates to be written.
StateOutputs chosen_coordinates(const model::Mechanism& released, const model::Mechanism& simulated,
                                const coordinates::MechanismMotion& start) {
  const structure::Structure structure = kinematics::analyse_driven_structure(released);
  const coordinates::ConstraintSystem system("relative", released, structure, {});
  if (system.num_rows() > kinematics::kDenseLimit) return of_inputs(structure);
  const auto n = static_cast<std::size_t>(system.num_coordinates());
  std::vector<double> q(n), v(n), a(n);
  system.read_bodies(start, {q, v, a});
  coordinates::PositionLevel level;
  system.evaluate_positions(q, {}, level);
  const std::vector<int> in_rows = kinematics::coordinates_in_rows(system);
  const kinematics::RowRank rank = kinematics::rank_rows_in_order(system, level.Phi_q, in_rows);
  if (rank.rank == system.num_coordinates()) return {};
  const auto name = [&](int column) { return system.coordinates()[static_cast<std::size_t>(column)].name; };

  VectorXd weights = VectorXd::Ones(system.num_coordinates());
  for (int c = 0; c < system.num_coordinates(); ++c)
    if (!rate_name(name(c)).empty()) weights[c] = kNamed;
  for (const structure::Input& input : structure.inputs)
    if (input.variable)
      if (const auto column = system.layout().column_of(*input.variable)) weights[*column] *= kInput;
  StateOutputs coordinates;
  for (const int column : telling_coordinates(rank, in_rows, weights)) {
    weights[column] = kTaken;
    if (rate_name(name(column)).empty())
      coordinates.is_complete = false;
    else
      coordinates.names.push_back(name(column));
  }
  for (const model::Driver& driver : simulated.drivers())
    if (const auto column = system.layout().column_of(driver.target)) weights[*column] = kDriven;
  for (const int column : telling_coordinates(rank, in_rows, weights))
    if (!rate_name(name(column)).empty()) add_once(coordinates.names, name(column));
  return coordinates;
}

}  // namespace

StateOutputs state_outputs(const model::Mechanism& with_drivers, const model::Mechanism& simulated,
                           const coordinates::MechanismMotion& start) {
  const StateOutputs coordinates =
      chosen_coordinates(model::without_all_drivers(with_drivers), simulated, start);
  StateOutputs outputs{{}, coordinates.is_complete};
  for (const std::string& q : coordinates.names)
    outputs.names.insert(outputs.names.end(), {q, rate_name(q), acceleration_name(q)});
  for (const model::AuxiliaryState& state : simulated.states())
    outputs.names.push_back(state.name + ".value");
  return outputs;
}

std::string rate_name(const std::string& coordinate) { return with_letter(coordinate, 'v'); }
std::string acceleration_name(const std::string& coordinate) { return with_letter(coordinate, 'a'); }

WithStates with_states(const model::Mechanism& mechanism, const std::vector<std::string>& states) {
  std::vector<std::string> names, added;
  for (const model::Variable& output : mechanism.outputs()) names.push_back(model::name(mechanism, output));
  for (const std::string& state : states)
    if (std::ranges::find(names, state) == names.end()) {
      names.push_back(state);
      added.push_back(state);
    }
  return {model::with_outputs(mechanism, names), added};
}

}  // namespace eslabon::runs
