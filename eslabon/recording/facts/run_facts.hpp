#pragma once

#include <string>
#include <vector>

#include "eslabon/recording/pages/motion_report.hpp"
#include "eslabon/report/report.hpp"
#include "eslabon/runs/motion/inverse_run.hpp"
#include "eslabon/runs/motion/simulation_run.hpp"

/// What pages tell of runs that move a mechanism, in the same words wherever they are shown. `seconds`: that the run took. Names of fields are
/// as runs/request_error.hpp says.
namespace eslabon::recording {

/// "0 s … 3.5 s, 351 rows": how far the rows of a run go.
std::string motion_text(const runs::RowSummary& rows);
/// What is said of outputs that nobody named.
std::string default_outputs_text();

std::vector<report::Fact> motion_facts(const runs::MotionSummary& summary, double seconds);
std::vector<report::Fact> inverse_facts(const runs::InverseSummary& summary, double seconds);
std::vector<report::Fact> simulation_facts(const runs::SimulationSummary& summary, double seconds);

/// The same as the story of a page; what happened on the way becomes marks of the recording.
RunStory story_of(const runs::MotionSummary& summary, double seconds, ReportRecorder& recorder);
RunStory story_of(const runs::InverseSummary& summary, double seconds, ReportRecorder& recorder);
RunStory story_of(const runs::SimulationSummary& summary, double seconds, ReportRecorder& recorder);

/// Notes about singular positions that were passed, a sentence each, the first of many.
std::vector<std::string> passed_notes(const runs::MotionSummary& summary);
/// The same about events of a simulation and choices of its coordinates. What stops and friction do is among the facts.
std::vector<std::string> log_notes(const std::vector<integration::LogEntry>& log);

/// Cells of a table: what each output did, as name, unit, start, end, min, max, and what it is wrong by where the run was verified. Efforts,
/// states that nobody asked for and columns that facts tell of are left out.
using TableRows = std::vector<std::vector<std::string>>;
TableRows output_rows(const runs::InverseSummary& summary);
TableRows output_rows(const runs::SimulationSummary& summary);
/// The same of any rows. `but`: columns that are left out; `errors`: (columns) or none.
TableRows output_rows(const runs::RowSummary& rows, const std::vector<std::string>& but = {},
                      const std::vector<double>& errors = {});
/// What each actuator did: name, unit, min, max, RMS, peak power [W].
TableRows actuator_rows(const runs::InverseSummary& summary);
/// Where the time of evaluations went: number of the step, what it is, time [s], the same of one evaluation [µs], part; the last is all. The
/// table of [Seed004, tables 1 and 2].
TableRows step_time_rows(const runs::SimulationSummary& summary);

}  // namespace eslabon::recording
