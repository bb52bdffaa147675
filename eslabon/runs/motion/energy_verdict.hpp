#pragma once

#include <optional>
#include <string>

#include "eslabon/core/text/error.hpp"
#include "eslabon/integration/energy_audit.hpp"
#include "eslabon/integration/recorder.hpp"

namespace eslabon::runs {

/// What the energy of a run says about it: what its mechanism has, at the end, that nothing has given.
struct EnergyVerdict {
  std::optional<integration::EnergyFlows> flows = {};  ///< where something gives or takes energy
  double open = 0.0;                                   ///< gained by nothing but errors [J]
  double passed = 0.0;                                 ///< what it is measured by [J]
  bool is_known = false;                               ///< false: too little moves, or nothing tells
  bool has_gaps = false;                               ///< powers change too abruptly to be added up

  /// In parts of what passed; 0 when it is not known.
  double part() const;
};

/// `is_fully_driven`: no freedom is integrated, so that there is nothing to be judged: what drivers gave follows from the energy.
EnergyVerdict judge_energy(const integration::EnergyRange& energy, const integration::EnergyAudit& audit,
                           bool is_fully_driven);

/// "drivers gave 12.9 J, dampers took 0.1 J; closed to 1e-10 of what passed"; empty without flows.
std::string energy_flows_text(const EnergyVerdict& verdict, const model::Mechanism& mechanism);

/// A sentence when so much came from nowhere, or went there, that it should be known.
std::optional<std::string> drift_note(const EnergyVerdict& verdict);
/// The error when it is so much that the motion is another one.
std::optional<core::ErrorText> drift_failure(const EnergyVerdict& verdict, bool is_adaptive);

}  // namespace eslabon::runs
