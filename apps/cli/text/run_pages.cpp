#include "apps/cli/text/run_pages.hpp"

#include "apps/cli/text/fact_lines.hpp"
#include "apps/cli/text/text_table.hpp"

#include "eslabon/recording/facts/run_facts.hpp"

namespace eslabon::cli {

namespace {

constexpr std::size_t kMostRows = 24;  // of a table

std::string shown(const std::vector<std::string>& headings, recording::TableRows rows) {
  return TextTable(headings, std::move(rows)).text(kMostRows, " in the file");
}

std::string output_table(recording::TableRows rows, bool has_errors = false) {
  std::vector<std::string> headings{"output", "unit", ">start", ">end", ">min", ">max"};
  if (has_errors) headings.emplace_back(">error");
  return "\n" + shown(headings, std::move(rows)) + "\n";
}

void tell_files(TextPage& page, const WrittenRun& written) {
  if (!written.results.empty()) page.fact("Written", written.results);
  if (written.report) page.fact("Report", *written.report);
}

}  // namespace

std::string motion_page(const runs::MotionSummary& summary, const WrittenRun& written,
                        const PageStyle& style) {
  TextPage page(style);
  page.title(summary.mechanism, "kinematics");
  add_facts(page, recording::motion_facts(summary, written.seconds));
  page.append(output_table(recording::output_rows(summary.rows)));
  WrittenRun files = written;
  if (files.coefficients) files.results += ", " + *files.coefficients;
  tell_files(page, files);
  return page.text();
}

std::string inverse_page(const runs::InverseSummary& summary, const WrittenRun& written,
                         const PageStyle& style) {
  TextPage page(style);
  page.title(summary.motion.mechanism, "inverse dynamics");
  add_facts(page, recording::inverse_facts(summary, written.seconds));
  page.append("\n" + shown({"actuator", "unit", ">min", ">max", ">RMS", ">peak power, W"},
                           recording::actuator_rows(summary)));
  page.append(output_table(recording::output_rows(summary)));
  WrittenRun files = written;
  if (files.reactions) files.results += ", " + *files.reactions;
  tell_files(page, files);
  return page.text();
}

std::string simulation_page(const runs::SimulationSummary& summary, const WrittenRun& written,
                            const PageStyle& style) {
  TextPage page(style);
  page.title(summary.mechanism, "simulation");
  add_facts(page, recording::simulation_facts(summary, written.seconds));
  if (summary.step_times) {
    page.heading("Where the time of " +
                 counted(static_cast<std::size_t>(summary.statistics.evaluations), "evaluation") + " went");
    page.append(
        TextTable({">step", "what", ">s", ">µs each", ">part"}, recording::step_time_rows(summary)).text());
  }
  page.append(output_table(recording::output_rows(summary), !summary.errors.empty()));
  tell_files(page, written);
  return page.text();
}

}  // namespace eslabon::cli
