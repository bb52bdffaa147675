#include "apps/cli/words/presentation.hpp"

#include "apps/cli/text/command_reference.hpp"
#include "apps/cli/text/motion_output.hpp"
#include "apps/cli/words/command_line.hpp"
#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <unistd.h>

namespace eslabon::cli {

void Presentation::show(std::FILE* file, const std::function<std::string(const PageStyle&)>& page,
                        const std::function<std::string()>& json) const {
  if (is_json)
    std::fputs(json().c_str(), stdout);
  else if (!is_quiet)
    std::fputs(page(page_style(fileno(file))).c_str(), file);
  std::fflush(is_json ? stdout : file);
}

void add_presentation_options(CLI::App& app, Presentation& presentation) {
  for (CLI::App* command : app.get_subcommands({})) {
    if (!command->get_subcommands({}).empty()) {
      add_presentation_options(*command, presentation);
      continue;
    }
    command->add_flag("--json", presentation.is_json, "The result as one JSON object on the standard output")
        ->group(kCommonOptions);
    command
        ->add_flag("--quiet", presentation.is_quiet,
                   "Print no summary, notes or progress; only the error message, if the run fails")
        ->group(kCommonOptions);
  }
}

void check_presentation(const Presentation& presentation, const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  if (presentation.is_json && presentation.is_quiet)
    throw CommandLineError(
        {.what = "the result is both requested and suppressed",
         .where = "--json",
         .expected = "--json or --quiet",
         .actual = "both",
         .next = "With --json notes still go to the standard error: 2>/dev/null drops them."});
  const CLI::Option* const out = command->get_option_no_throw("--out");
  if (presentation.is_json && out != nullptr && out->count() > 0 && out->results().front() == kStdout)
    throw CommandLineError({.what = "two results for the standard output",
                            .where = "--json",
                            .expected = "a file for the rows, --out FILE",
                            .actual = "--out -",
                            .next = "Write the rows to a file, or leave --json out."});
}

SilentErrors::SilentErrors() {
  std::fflush(stderr);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  kept_ = dup(STDERR_FILENO);
  if (kept_ >= 0) dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

SilentErrors::~SilentErrors() {
  if (kept_ < 0) return;
  std::fflush(stderr);
  dup2(kept_, STDERR_FILENO);
  close(kept_);
}

}  // namespace eslabon::cli
