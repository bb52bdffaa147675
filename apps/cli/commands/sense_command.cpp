#include <cstdio>
#include <limits>
#include <memory>

#include "apps/cli/commands/sense.hpp"
#include "apps/cli/text/command_reference.hpp"
#include "apps/cli/text/motion_output.hpp"
#include "apps/cli/text/text_page.hpp"
#include "apps/cli/text/text_table.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/presentation.hpp"
#include "apps/cli/words/provenance.hpp"
#include "apps/cli/words/terminal_observer.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/io/files/result_reader.hpp"
#include "eslabon/io/measurements/measurement_file.hpp"
#include "eslabon/recording/facts/sense_facts.hpp"
#include "eslabon/runs/sensing/sense.hpp"

namespace eslabon::cli {

namespace {

struct SenseOptions {
  std::string model;
  io::ModelSettings set;
  std::optional<std::string> truth, until, branch;
  std::vector<std::string> release;
  std::string seed = "1";
  std::optional<std::string> sensors;
  std::optional<std::string> every;
  std::string out;
  std::optional<std::string> header;
  LimitOptions limits;
};

std::uint64_t read_seed(const std::string& text) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  if (const auto seed = number_in<std::uint64_t>(text, 0, kMost)) return *seed;
  throw CommandLineError({"the seed is not a whole number", "--seed", "0, 1, 2, …", "'" + text + "'",
                          "Write, for example, --seed 7; the same seed gives the same readings."});
}

/// The words as a request; `truth` is read when the model has been.
runs::SenseRequest read_request(const SenseOptions& options) {
  runs::SenseRequest request;
  if (options.truth) request.truth.emplace();
  if (options.until) request.until = read_time("--until", "end", *options.until);
  request.release = options.release;
  request.branch = options.branch;
  request.seed = read_seed(options.seed);
  if (options.sensors) request.sensors = read_names("--sensors", *options.sensors, "imu1,encoder");
  if (options.every) request.every = read_time("--every", "time from reading to reading", *options.every);
  check_request(request);
  return request;
}

std::string sense_page(const SenseOptions& options, const runs::SenseRun& run,
                       const runs::SenseResult& result, std::size_t rows, const PageStyle& style) {
  TextPage page(style);
  page.title(run.mechanism().name(), "sensors");
  page.fact("Motion", fmt::format("{:.9g} s … {:.9g} s {}", run.begin(), run.end(),
                                  options.truth ? "of " + *options.truth : "simulated"));
  page.fact("Seed", options.seed);
  page.append("\n" +
              TextTable({"sensor", "reads", ">every", ">readings", ">lost"},
                        recording::sensor_rows(run.sensors(), result.taken.tallies))
                  .text() +
              "\n");
  page.fact("Written", fmt::format("{}, {}", options.out == kStdout ? "to the standard output" : options.out,
                                   counted(rows, "row")));
  return page.text();
}

io::MeasurementWriter open_readings(const std::string& path, const std::vector<sensing::SensorFacts>& facts,
                                    io::HeaderStyle header) {
  if (path != kStdout) return io::MeasurementWriter(path, facts, header);
  return io::MeasurementWriter(standard_output(), "the standard output", facts, header);
}

void run_sense(const SenseOptions& options, const Presentation& presentation) {
  runs::SenseRequest request = read_request(options);
  check_out(options.out);
  const io::HeaderStyle header = read_header(options.header);
  check_limits(options.limits);
  const model::Mechanism mechanism = cli::load_model(options.model, options.set);
  if (options.truth) request.truth = io::read_results(*options.truth);
  TerminalObserver observer;
  const auto run = naming(options.model, [&] {
    return std::make_unique<runs::SenseRun>(mechanism, std::move(request), observer);
  });
  RunLimit limit(options.limits);
  observer.set_limit(limit);
  io::MeasurementWriter writer = open_readings(options.out, run->facts(), header);
  const runs::SenseResult result = naming(options.model, [&] { return run->run(observer); });
  observer.clear();
  print_notes(result.notes);
  const std::size_t rows = runs::for_each_row(
      result.taken.arriving, [&](const std::vector<sensing::Reading>& row) { writer.write(row); });
  writer.finish();
  presentation.show(
      options.out == kStdout ? stderr : stdout,
      [&](const PageStyle& style) { return sense_page(options, *run, result, rows, style); },
      [&] {
        return recording::sense_json({*run, result, read_seed(options.seed), rows, options.out},
                                     provenance_of_run());
      });
  if (limit.was_reached())
    throw CutRun(limit.error_text(options.model, fmt::format("readings up to {:.9g} s", run->end()),
                                  fmt::format("those up to {:.9g} s", result.reached)),
                 limit.status());
}

}  // namespace

void add_sense_command(CLI::App& app, const Presentation& presentation) {
  auto options = std::make_shared<SenseOptions>();
  CLI::App* command = app.add_subcommand(
      "sense", "Simulates the sensors of a mechanism along a computed motion: noisy readings, as CSV");
  add_model_word(*command, options->model);
  begin_group(*command, "Motion");
  add_text(*command, "--truth", "FILE", options->truth,
           "Result file of 'simulate', or of 'kinematics' with position, rate and acceleration of each "
           "degree of freedom, e.g. --outputs A.q,A.v,A.a");
  add_text(*command, "--until", "TIME", options->until,
           "Instead of --truth: simulate the mechanism up to this time, as 'simulate' does without options");
  add_limit_options(*command, options->limits, "readings", "Motion");
  begin_group(*command, "Sensors");
  add_text(*command, "--sensors", "NAMES", options->sensors, "Sensors to use instead of all");
  add_text(*command, "--every", "TIME", options->every,
           "Time between rows of the results, for sensors without a rate [1 ms]");
  add_text(*command, "--seed", "N", options->seed, "Seed of all random numbers [1]");
  begin_group(*command, kFileOptions);
  add_text(*command, "--out", "FILE", options->out, "Measurement file to write; - is the standard output")
      ->required();
  add_header_option(*command, options->header);
  add_branch_option(*command, options->branch);
  add_release_option(*command, options->release);
  add_set_option(*command, options->set);
  show_examples(
      *command,
      {{"A true motion, and the readings of the sensors of the file:",
        "eslabon simulate models/fourbar-testbed.yaml --until 2 --every '1 ms' --outputs A.q,A.v,A.a "
        "--out truth.csv"},
       {"", "eslabon sense models/fourbar-testbed.yaml --truth truth.csv --seed 7 --out readings.csv"},
       {"Readings of a motion that is simulated in the same run:",
        "eslabon sense models/fourbar-testbed.yaml --until 2 --release motor --out readings.csv"}});
  command->callback([options, &presentation] { run_sense(*options, presentation); });
}

}  // namespace eslabon::cli
