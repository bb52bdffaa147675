#include "apps/cli/words/report_output.hpp"

#include <cstdio>

#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/provenance.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace eslabon::cli {

namespace {

constexpr const char* kOption = "--report";

/// Facts and notes with the options of this program for fields of requests.
report::Report in_option_words(report::Report report) {
  const auto say = [](std::vector<report::Fact>& facts) {
    for (report::Fact& fact : facts) fact.value = cli::in_option_words(fact.value);
  };
  say(report.facts);
  if (report.structure) say(report.structure->facts);
  for (std::string& note : report.notes) note = cli::in_option_words(note);
  return report;
}

}  // namespace

void add_report_option(CLI::App& command, std::optional<std::string>& file) {
  command.add_option(kOption, file, "Also write a report page, .html, which opens in any browser, offline")
      ->type_name("FILE")
      ->group(kFileOptions);
}

void check_page_file(const std::string& option, const std::string& what, const std::string& ending,
                     const std::string& file) {
  if (!file.ends_with(ending))
    throw CommandLineError({.what = what + " has the wrong kind of file",
                            .where = option,
                            .expected = "a name that ends in " + ending,
                            .actual = "'" + file + "'",
                            .next = "Write, for example, " + option + " report" + ending + "."});
  check_file(file, what);  // what cannot be written is said before the work
}

void check_report_option(const std::optional<std::string>& file) {
  if (file) check_page_file(kOption, "the report", ".html", *file);
}

std::string page_of(const report::Report& report) {
  report::Report told = in_option_words(report);
  told.tables.push_back(provenance_of_run().table());
  report::Page page = report::make_page(told, "eslabon " ESLABON_VERSION);
  for (const std::string& warning : page.warnings) fmt::print(stderr, "eslabon: note: {}\n", warning);
  return std::move(page.html);
}

void write_report(const std::string& path, const report::Report& report) {
  write_text_file(path, "the report", page_of(report));
}

std::exception_ptr written_page(const std::function<void()>& write) {
  try {
    write();
  } catch (const std::exception&) {
    return std::current_exception();
  }
  return nullptr;
}

void tell_unwritten(const std::exception_ptr& unwritten, bool has_failed) {
  if (!unwritten) return;
  try {
    std::rethrow_exception(unwritten);
  } catch (const std::exception& error) {
    if (!has_failed) throw;
    fmt::print(stderr, "eslabon: note: there is no report: {}\n", sentence_of(error));
  }
}

bool run_with_page(const std::function<bool()>& work,
                   const std::function<void(const std::string& failure)>& write_page) {
  try {
    return work();
  } catch (const core::ModelError& error) {
    tell_unwritten(written_page([&] { write_page(sentence_of(error)); }), true);
    throw;
  }
}

}  // namespace eslabon::cli
