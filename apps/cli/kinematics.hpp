#pragma once

#include <string>
#include <vector>

#include "page_style.hpp"
#include "run_files.hpp"

#include "eslabon/report/report.hpp"
#include "eslabon/runs/prescribed_motion.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `kinematics`.
void add_kinematics_command(CLI::App& app, const Presentation& presentation);

/// The facts about the motion itself: method, steps, residual, branch.
std::vector<report::Fact> motion_facts(const runs::MotionSummary& summary, const WrittenRun& written);
/// The page for people.
std::string motion_summary(const runs::MotionSummary& summary, const WrittenRun& written,
                           const PageStyle& style);
/// The same for programs: one JSON object.
std::string motion_json(const runs::MotionSummary& summary, const WrittenRun& written);

/// Singular positions on the way as marks of a page, and notes on stderr about those that were passed.
void mark_singular_positions(const runs::MotionSummary& summary, recording::ReportRecorder& recorder);
void tell_passed(const runs::MotionSummary& summary);

}  // namespace eslabon::cli
