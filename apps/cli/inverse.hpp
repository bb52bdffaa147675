#pragma once

#include <string>
#include <vector>

#include "page_style.hpp"
#include "run_files.hpp"

#include "eslabon/report/report.hpp"
#include "eslabon/runs/inverse_run.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `inverse`.
void add_inverse_command(CLI::App& app, const Presentation& presentation);

std::vector<report::Fact> inverse_facts(const runs::InverseSummary& summary, const WrittenRun& written);
/// The page for people.
std::string inverse_summary(const runs::InverseSummary& summary, const WrittenRun& written,
                            const PageStyle& style);
/// The same for programs: one JSON object.
std::string inverse_json(const runs::InverseSummary& summary, const WrittenRun& written);

}  // namespace eslabon::cli
