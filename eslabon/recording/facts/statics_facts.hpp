#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/recording/files/provenance.hpp"
#include "eslabon/report/report.hpp"
#include "eslabon/runs/statics/equilibrium_run.hpp"
#include "eslabon/runs/statics/modes_run.hpp"

/// What is told of equilibria and modes, in the same words wherever they are shown.
namespace eslabon::recording {

/// "motor at 1.57 rad"; "" when there are no drivers.
std::string held_text(const std::vector<runs::HeldDriver>& held);

/// `solutions`: how many were asked for; 0: all.
std::vector<report::Fact> equilibrium_facts(const runs::EquilibriumResult& result, int solutions);
/// Cells: number, stability, energy [J] and softest mode of each solution.
std::vector<std::vector<std::string>> solution_rows(const runs::EquilibriumResult& result);
/// Cells: name and unit of each output, and its values in the first `solutions`.
std::vector<std::vector<std::string>> output_rows(const runs::EquilibriumResult& result,
                                                  std::size_t solutions);

/// Natural frequency [Hz]; none for what does not swing.
std::optional<double> frequency_of(const dynamics::Mode& mode);
std::vector<report::Fact> modes_facts(const runs::ModesResult& result);
/// Cells: number, kind, frequency [Hz], |λ| [rad/s], damping ratio and shape of each mode.
std::vector<std::vector<std::string>> mode_rows(const runs::ModesResult& result);

/// For programs, one JSON object each; their keys are a contract, docs/command-line.md lists them. `file`, `files`: what was written.
std::string equilibrium_json(const runs::EquilibriumResult& result, const std::optional<std::string>& file,
                             const Provenance& provenance);
std::string modes_json(const runs::ModesResult& result, const std::vector<std::string>& files,
                       const Provenance& provenance);

}  // namespace eslabon::recording
