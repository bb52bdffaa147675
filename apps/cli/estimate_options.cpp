#include "estimate_options.hpp"

#include <algorithm>

#include "command_line.hpp"
#include "command_reference.hpp"
#include "model_options.hpp"
#include "report_output.hpp"
#include <CLI/CLI.hpp>

#include "eslabon/estimation/estimator.hpp"
#include "eslabon/io/quantity.hpp"
#include "eslabon/study/filter_settings.hpp"

namespace eslabon::cli {

namespace {

/// An option that is a setting of the filter, which the library reads.
CLI::Option* add_setting(CLI::App& command, EstimateOptions& options, const std::string& name,
                         const char* value, const std::string& description) {
  return command.add_option("--" + name, options.settings[name], description)->type_name(value);
}

void add_reading_options(CLI::App& command, EstimateOptions& options) {
  begin_group(command, "Readings");
  command
      .add_option("--measurements", options.measurements,
                  "Measurement file, as 'sense' writes it; with --live the standard input is read instead")
      ->type_name("FILE");
  command.add_option("--sensors", options.sensors, "Sensors to use instead of all")->type_name("NAMES");
  add_setting(command, options, "gate", "NUMBER",
              "Probability of rejecting a good reading as an outlier (1e-6; 0 accepts every reading)");
  add_setting(command, options, "window", "TIME",
              "How long to wait for readings that arrive out of order (20 ms; with --live 5 ms, which "
              "delays the estimates as much)");
  command.add_flag("--live", options.live, "Read the standard input, or --udp, in real time");
  command.add_option("--udp", options.udp, "With --live, read datagrams sent to 127.0.0.1:PORT")
      ->type_name("PORT");
  command.add_flag(
      "--any-sender", options.any_sender,
      "With --udp, accept datagrams from all senders, not only from the first that sends a reading");
  command
      .add_option("--spin", options.spin,
                  "With --live: busy-wait this long before each step (0.1 ms, at most half a step; 0 to "
                  "sleep); it takes that share of a core")
      ->type_name("TIME");
}

void add_filter_options(CLI::App& command, EstimateOptions& options) {
  begin_group(command, "Filter");
  offer_words(
      command
          .add_option(
              "--filter", options.filter,
              "dekf (error-ekf is the same filter), ukf, cekf, particle or grid (dekf); several, separated "
              "by commas, are compared in one table")
          ->type_name("NAMES"),
      estimation::estimator_names());
  offer_words(add_setting(command, options, "jacobian", "NAME",
                          "Jacobian of the state transition: exact, by dual numbers, or simple (exact)"),
              study::jacobian_names());
  offer_words(add_setting(command, options, "integrator", "NAME",
                          "Integrator of the filter's steps: euler, heun or rk4 (heun)"),
              study::step_rule_names());
  offer_words(command
                  .add_option("--start", options.start,
                              "model: near the start of the file; unknown: anywhere, on any branch, for "
                              "filters that support it (model)")
                  ->type_name("WORD"),
              {"model", "unknown"});
  add_setting(command, options, "start-deviation", "ANGLE",
              "Standard deviation of the start position (5 deg; for lengths, this angle in "
              "radians times the mechanism's size)");
  add_setting(command, options, "start-rate-deviation", "RATE",
              "Standard deviation of the start rates (5 deg/s)");
}

void add_noise_options(CLI::App& command, EstimateOptions& options) {
  begin_group(command, "What the model does not know");
  add_setting(command, options, "position-noise", "NUMBER",
              "Random walk of positions over 1 s, in rad or sizes of the mechanism (0)");
  add_setting(command, options, "velocity-noise", "NUMBER",
              "Random walk of rates over 1 s, in rad/s or sizes/s (0.5)");
  add_setting(command, options, "acceleration-noise", "NUMBER",
              "Standard deviation of an acceleration that is constant over each step (0)");
  command
      .add_option("--unknown", options.unknown,
                  "Estimate this too (repeatable): force:wheel.W.z, force:A.q, bias:SENSOR or "
                  "bias:SENSOR.CHANNEL, mass:BODY, stiffness:SPRING, damping:DAMPER or friction:JOINT, then "
                  ",sigma=… and ,walk=… (random walk over 1 s; 0: constant)")
      ->allow_extra_args(false)
      ->type_name("WHAT");
  command.add_flag(
      "--forces", options.forces,
      "Estimate a force along each degree of freedom, as a random walk, for what the model lacks");
  add_setting(command, options, "force-deviation", "NUMBER",
              "Standard deviation of --forces at the start, in rad/s^2 or sizes/s^2 (1)");
  add_setting(command, options, "force-walk", "NUMBER",
              "Random walk of --forces over 1 s, in the same units (1)");
}

void add_particle_options(CLI::App& command, EstimateOptions& options) {
  begin_group(command, "Particle filter");
  add_setting(command, options, "particles", "N", "Number of particles (1000)");
  add_setting(command, options, "fewest", "N",
              "Minimum number of particles, which then adapts to their spread, up to --particles (constant)");
  offer_words(add_setting(command, options, "resampling", "NAME",
                          "multinomial, residual, stratified or systematic (systematic)"),
              study::resampling_names());
  add_setting(command, options, "threshold", "NUMBER",
              "Resample when the effective number falls below this fraction of all (0.5)");
  offer_words(
      add_setting(command, options, "variant", "NAME", "bootstrap, regularised or auxiliary (bootstrap)"),
      study::particle_variant_names());
  add_setting(command, options, "motion", "ANGLE",
              "Standard deviation that each step adds to positions, in rad or sizes of the mechanism (0)");
  add_setting(command, options, "roughening", "RATE",
              "Standard deviation that resampling adds to rates, in rad/s or sizes/s (0)");
  add_setting(command, options, "sensor-factor", "NUMBER",
              "Factor on the noise of the sensors, as the filter assumes it (1)");
  add_setting(command, options, "seed", "N", "Seed of all random numbers (1)");
  add_setting(command, options, "threads", "N",
              "Number of threads; the result is bit-identical with any number (1)");
}

}  // namespace

void add_estimate_options(CLI::App& command, EstimateOptions& options) {
  add_model_word(command, options.model);
  add_reading_options(command, options);
  begin_group(command, kTimeOptions);
  add_setting(command, options, "step", "TIME", "Time step of the computation: of the filter (1 ms)");
  add_setting(command, options, "every", "TIME", "Time between rows of the results; without it --step");
  add_setting(command, options, "until", "TIME", "End time; without it the last reading");
  add_limit_options(command, options.limits, "steps of the filter", kTimeOptions);
  begin_group(command, kFileOptions);
  command.add_option("--out", options.out, "CSV file for the estimate; - is the standard output")
      ->required()
      ->type_name("FILE");
  command.add_option("--truth", options.truth, "Result file of the true motion: errors are then reported")
      ->type_name("FILE");
  add_report_option(command, options.report);
  command
      .add_option("--report-particles", options.report_particles,
                  "For particle: particles that --report shows at each instant (2000); 0 for none")
      ->type_name("N");
  add_header_option(command, options.header);
  add_filter_options(command, options);
  add_noise_options(command, options);
  add_particle_options(command, options);
  add_set_option(command, options.set);
  add_release_option(command, options.release);
  add_branch_option(command, options.branch);
  add_outputs_option(command, options.outputs);
  show_examples(
      command,
      {{"A true motion, its sensor readings, and the estimate of a filter:",
        "eslabon simulate models/fourbar-testbed.yaml --release motor --until 2 --every '1 ms' --outputs "
        "A.q,A.v,A.a,crank.angle --out truth.csv"},
       {"", "eslabon sense models/fourbar-testbed.yaml --truth truth.csv --out readings.csv"},
       {"",
        "eslabon estimate models/fourbar-testbed.yaml --release motor --measurements readings.csv --truth "
        "truth.csv --out "
        "estimate.csv"},
       {"Two filters side by side:",
        "eslabon estimate models/fourbar-testbed.yaml --release motor --measurements readings.csv --truth "
        "truth.csv --filter "
        "dekf,ukf --out estimate.csv"}});
}

namespace {

/// What a report cannot show.
void check_report(const EstimateOptions& options, const std::vector<std::string>& filters) {
  if (options.report && options.live)
    throw CommandLineError({.what = "a live run writes no report",
                            .where = "--report",
                            .expected = "a batch run",
                            .actual = "--live",
                            .next = "Leave it out; make one later from the readings with --measurements."});
  if (!options.report_particles) return;
  static_cast<void>(read_report_particles(options));
  if (!options.report || (std::ranges::find(filters, "particle") == filters.end() &&
                          std::ranges::find(filters, "grid") == filters.end()))
    throw CommandLineError({.what = "there are no particles to show",
                            .where = "--report-particles",
                            .expected = "--report and --filter particle",
                            .actual = options.report ? "--filter " + options.filter : "no --report",
                            .next = "Leave it out, or add what is missing."});
}

/// Where readings come from.
void check_source(const EstimateOptions& options) {
  if (options.live == options.measurements.has_value())
    throw CommandLineError({.what = options.live ? "readings from two sources" : "no readings",
                            .where = "--measurements",
                            .expected = "a file with --measurements, or --live",
                            .actual = options.live ? "both" : "neither",
                            .next = options.live
                                        ? "Leave one of them out; --live reads the standard input or --udp."
                                        : "Make a file with 'eslabon sense', or read a stream with --live."});
  if (options.live && options.truth)
    throw CommandLineError({.what = "a live run has no truth",
                            .where = "--truth",
                            .expected = "a batch run",
                            .actual = "--live",
                            .next = "Leave it out; compare later with --measurements."});
  if (options.live && options.filter.find(',') != std::string::npos)
    throw CommandLineError({.what = "a live run has one filter",
                            .where = "--filter",
                            .expected = "one name",
                            .actual = io::in_quotes(options.filter),
                            .next = "Several can be compared in a batch run."});
  if (options.live && !options.udp && options.model == io::kStandardInput)
    throw CommandLineError({.what = "two things from the standard input",
                            .where = "--live",
                            .expected = "a file as MODEL, or readings from --udp",
                            .actual = "- as MODEL",
                            .next = "Give the mechanism as a file."});
  if (options.any_sender && !options.udp)
    throw CommandLineError({.what = "senders without a port",
                            .where = "--any-sender",
                            .expected = "--udp",
                            .actual = "none",
                            .next = "Add --live --udp PORT, or leave it out."});
  if (options.udp && !options.live)
    throw CommandLineError({.what = "a port without --live",
                            .where = "--udp",
                            .expected = "--live",
                            .actual = "a batch run",
                            .next = "Add --live."});
}

}  // namespace

std::vector<std::string> read_filters(const EstimateOptions& options) {
  const std::vector<std::string> filters = read_names("--filter", options.filter, "dekf,ukf");
  for (const std::string& filter : filters)
    if (std::ranges::count(filters, filter) > 1)
      throw CommandLineError({.what = "a filter is named twice",
                              .where = "--filter",
                              .expected = "each filter once: every one writes a file of its own",
                              .actual = io::in_quotes(options.filter),
                              .next = "Leave one of them out."});
  return filters;
}

void check_estimate_options(const EstimateOptions& options) {
  const std::vector<std::string> filters = read_filters(options);
  for (const std::string& filter : filters)
    check_word("--filter", "unknown filter", filter, estimation::estimator_names());
  check_word("--start", "unknown start", options.start, {"model", "unknown"});
  check_report(options, filters);
  check_source(options);
  static_cast<void>(read_header(options.header));
}

runs::EstimateRequest read_request(const EstimateOptions& options, const model::Mechanism& mechanism) {
  const std::vector<std::string> filters = read_filters(options);
  runs::EstimateRequest request;
  request.filter = filters.front();
  request.has_unknown_start = options.start == "unknown";
  request.is_live = options.live;
  request.release = options.release;
  request.branch = options.branch;
  request.outputs = read_outputs(options.outputs);
  if (options.sensors) request.sensors = read_names("--sensors", *options.sensors, "imu1,encoder");
  for (const auto& [name, text] : options.settings)
    if (text) study::find_filter_setting(name)->set(request, {*text}, mechanism);
  if (!options.unknown.empty())
    study::find_filter_setting("unknown")->set(request, options.unknown, mechanism);
  request.forces = options.forces;
  check_request(request, filters);
  return request;
}

std::size_t read_report_particles(const EstimateOptions& options) {
  constexpr std::uint64_t kUsual = 2000, kMost = 1'000'000;
  if (!options.report_particles) return kUsual;
  return read_whole("--report-particles", *options.report_particles, kMost);
}

std::optional<core::Duration> read_spin(const EstimateOptions& options) {
  if (!options.spin) return std::nullopt;
  return read_time_from_zero("--spin", "time to spin", *options.spin);
}

}  // namespace eslabon::cli
