#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "kinematics.hpp"

#include "eslabon/dynamics/energy_account.hpp"
#include "eslabon/integration/recorder.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `inverse`.
void add_inverse_command(CLI::App& app, const Presentation& presentation);

/// What one actuator did in the rows of a run.
struct ActuatorUse {
  ColumnRange effort;       ///< at the rows [N m] or [N]
  double square = 0.0;      ///< Σ effort² of the rows
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
  dynamics::EnergyAccount energy = {};    ///< from the first row to the last
  integration::EnergyRange of_rows = {};  ///< T + V
  std::string reactions;                  ///< the file of --reactions; empty: none

  double energy_change() const { return of_rows.end - of_rows.start; }
  /// The largest part of the account, or what passed through the actuators either way [J].
  double passed_energy() const;
  /// What the account leaves open [J].
  double open_energy() const { return std::abs(energy.difference(energy_change())); }
  /// By which that is measured: what passed, and at least a thousandth of what is in play, of which it is a difference [J].
  double energy_measure() const;
};

std::vector<report::Fact> inverse_facts(const InverseSummary& summary);
/// The page for people.
std::string inverse_summary(const InverseSummary& summary, const PageStyle& style);
/// The same for programs: one JSON object.
std::string inverse_json(const InverseSummary& summary);

}  // namespace eslabon::cli
