#include "report_output.hpp"

#include <cstdio>
#include <filesystem>

#include "command_line.hpp"
#include "motion_output.hpp"
#include "report_structure.hpp"
#include "text_page.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/io/partial_file.hpp"

namespace eslabon::cli {

namespace {

constexpr const char* kOption = "--report";
constexpr const char* kAdvice = "Write for example --report report.html.";

[[noreturn]] void fail(const std::string& what, const std::string& expected, const std::string& file) {
  throw CommandLineError(
      {.what = what, .where = kOption, .expected = expected, .actual = "'" + file + "'", .next = kAdvice});
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error_a, error_b;
  const auto path_a = std::filesystem::weakly_canonical(a, error_a),
             path_b = std::filesystem::weakly_canonical(b, error_b);
  return !error_a && !error_b && path_a == path_b;
}

}  // namespace

void add_report_option(CLI::App& command, std::optional<std::string>& file) {
  command.add_option(kOption, file,
                     "Also write a page to look at, FILE.html: it opens in any browser, offline");
}

void check_report_option(const std::optional<std::string>& file, const std::string& model,
                         const std::optional<std::string>& out) {
  if (!file) return;
  if (!file->ends_with(".html")) fail("the report is a page", "a file name that ends in .html", *file);
  if (is_same_file(*file, model))
    fail("the report would replace the model", "another file than MODEL", *file);
  if (out && *out != kStdout && is_same_file(*file, *out))
    fail("the report would replace the results", "another file than that of --out", *file);
  io::PartialFile check(*file, "the report");  // what cannot be written is said before the run
}

void write_report(const std::string& path, const report::Report& report) {
  const report::Page page = report::make_page(report, "eslabon " ESLABON_VERSION);
  io::PartialFile file(path, "the report");
  file.append(page.html);
  file.finish();
  for (const std::string& warning : page.warnings) fmt::print(stderr, "eslabon: note: {}\n", warning);
}

report::Report report_of(const model::Mechanism& mechanism, const structure::Structure& structure,
                         const Placement& placement) {
  report::Report report;
  report.title = mechanism.name();
  const std::size_t moving = mechanism.bodies().size() - 1;
  report.facts = {{"Mechanism",
                   fmt::format("{}, {} moving {}, {}", mechanism.is_planar() ? "planar" : "spatial", moving,
                               moving == 1 ? "body" : "bodies", counted(mechanism.joints().size(), "joint"))},
                  {"Mobility", std::to_string(placement.redundancy ? placement.redundancy->mobility
                                                                   : structure.mobility)}};
  if (placement.status == Placement::Status::kOpen) report.notes.push_back(placement.message);
  report.mechanism = mechanism;
  report.structure = structure_part(mechanism, structure, placement);
  return report;
}

}  // namespace eslabon::cli
