#pragma once

#include <string>
#include <vector>

#include "kinematics.hpp"

#include "eslabon/dynamics/energy_account.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

/// Adds the sub-command `inverse`.
void add_inverse_command(CLI::App& app);

/// What one actuator did in a run.
struct ActuatorUse {
  ColumnRange effort;       ///< at the rows [N m] or [N]
  double square = 0.0;      ///< ∫ effort² dt
  double peak_power = 0.0;  ///< largest effort · rate of the rows, with its sign [W]
  bool was_unique = true;   ///< at all rows
};

/// What a run did, for its summary.
struct InverseSummary {
  MotionSummary motion;
  std::vector<io::ResultColumn> efforts;  ///< columns of the actuators
  std::vector<ActuatorUse> uses;          ///< (efforts)
  int most_freedoms = 0;                  ///< of all rows
  double largest_holding = 0.0;           ///< effort that holds an idle spin [N m]
  double largest_balance = 0.0;           ///< power that is not accounted for [W]
  double largest_power = 0.0;             ///< that is given or taken by anything [W]
  dynamics::EnergyAccount energy = {};
  double energy_change = 0.0;    ///< of T + V from the first row to the last [J]
  double largest_kinetic = 0.0;  ///< energy of the rows [J]
  std::string reactions;         ///< the file of --reactions; empty: none

  /// The energy by which the account is measured: the largest of its parts, what passed through the actuators either way,
  /// and a millionth of the kinetic energy [J].
  double passed_energy() const;
  /// What the account leaves open, in parts of that.
  double open_energy() const;
};

std::vector<report::Fact> inverse_facts(const InverseSummary& summary);
/// The page for people.
std::string inverse_summary(const InverseSummary& summary, bool has_colour);

}  // namespace eslabon::cli
