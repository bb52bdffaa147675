#pragma once

#include <optional>
#include <string>

#include "eslabon/recording/files/provenance.hpp"
#include "eslabon/runs/motion/inverse_run.hpp"
#include "eslabon/runs/motion/simulation_run.hpp"

namespace eslabon::recording {

/// What a run has written, and how long it took.
struct WrittenRun {
  std::string results;  ///< the file, or that it is the standard output; empty: none
  std::optional<std::string> report = {}, reactions = {}, coefficients = {}, events = {};
  double seconds = 0.0;  ///< of the run, what is kept for its page apart
};

/// Runs that move a mechanism, for programs: one JSON object each. Its keys are a contract, docs/command-line.md lists them.
std::string motion_json(const runs::MotionSummary& summary, const WrittenRun& written,
                        const Provenance& provenance);
std::string inverse_json(const runs::InverseSummary& summary, const WrittenRun& written,
                         const Provenance& provenance);
std::string simulation_json(const runs::SimulationSummary& summary, const WrittenRun& written,
                            const Provenance& provenance);

}  // namespace eslabon::recording
