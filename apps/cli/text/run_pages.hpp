#pragma once

#include <string>

#include "apps/cli/text/page_style.hpp"

#include "eslabon/recording/facts/run_json.hpp"

/// The pages of runs that move a mechanism.
namespace eslabon::cli {

using recording::WrittenRun;

std::string motion_page(const runs::MotionSummary& summary, const WrittenRun& written,
                        const PageStyle& style);
std::string inverse_page(const runs::InverseSummary& summary, const WrittenRun& written,
                         const PageStyle& style);
std::string simulation_page(const runs::SimulationSummary& summary, const WrittenRun& written,
                            const PageStyle& style);

}  // namespace eslabon::cli
