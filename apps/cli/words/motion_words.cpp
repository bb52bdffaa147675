#include "apps/cli/words/motion_words.hpp"

#include "apps/cli/text/command_reference.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/report_output.hpp"
#include <CLI/CLI.hpp>

#include "eslabon/coordinates/layout.hpp"

namespace eslabon::cli {

void add_motion_options(CLI::App& command, MotionWords& words) {
  add_model_word(command, words.model);
  begin_group(command, kTimeOptions);
  command.add_option("--until", words.until, "End time, in s or with a unit; 0 for the start row alone")
      ->required()
      ->type_name("TIME");
  command
      .add_option(
          "--step", words.step,
          "Time step of the computation, in s or with a unit: the motion is solved at least this often "
          "(required unless --until is 0)")
      ->type_name("TIME");
  command.add_option("--every", words.every, "Time between rows of the results; without it --step")
      ->type_name("TIME");
  add_limit_options(command, words.limits, "positions", kTimeOptions);
  add_out_option(command, words.files.out);
  add_report_option(command, words.files.report);
  add_header_option(command, words.files.header);
  begin_group(command, kMethodOptions);
  offer_words(
      command
          .add_option(
              "--method", words.method,
              "groups (one structural group after the other), groups-tensor (by velocity coefficients), "
              "sparse, global (dense); auto picks by structure and size")
          ->capture_default_str()
          ->type_name("NAME"),
      runs::known_methods());
  offer_words(command
                  .add_option("--coordinates", words.coordinates,
                              "For sparse and global: natural, reference-point or relative [natural]")
                  ->type_name("NAME"),
              coordinates::layout_names());
  add_branch_option(command, words.branch);
  add_outputs_option(command, words.outputs);
  add_set_option(command, words.set);
}

runs::MotionRequest read_motion_request(const MotionWords& words) {
  runs::MotionRequest request{.until = read_time_from_zero("--until", "end time", words.until),
                              .method = words.method,
                              .coordinates = words.coordinates,
                              .outputs = read_outputs(words.outputs),
                              .branch = words.branch};
  if (words.step)
    request.step = read_time("--step", "time step", *words.step);
  else if (request.until > core::Duration())
    throw CommandLineError(
        {.what = "--step is required",
         .where = "--until " + words.until,
         .expected = "the time step",
         .actual = "none",
         .next = "Write, for example, --step '10 ms'; only --until 0, a single row, needs none."});
  if (words.every) request.every = read_time("--every", "time from row to row", *words.every);
  check(request);
  static_cast<void>(grid_of(request));
  check_limits(words.limits);
  check_run_files(words.files);
  return request;
}

}  // namespace eslabon::cli
