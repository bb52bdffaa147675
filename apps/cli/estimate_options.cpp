#include "estimate_options.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "command_line.hpp"
#include "command_reference.hpp"
#include "model_options.hpp"
#include "report_output.hpp"
#include <CLI/CLI.hpp>

#include "eslabon/core/nearest_name.hpp"
#include "eslabon/io/dimension.hpp"
#include "eslabon/io/quantity.hpp"

namespace eslabon::cli {

namespace {

using dynamics::Unknown;

/// A number of this dimension.
double read_value(const std::string& option, const std::string& text, const io::Dimension& dimension) {
  try {
    io::TextPlace place;
    place.source = option;
    const io::Quantity quantity = io::parse_quantity(text, place);
    io::check_dimension(quantity.measure(), dimension, {.name = "value", .text = text, .where = option});
    return quantity.value;
  } catch (const core::ModelError& error) {
    throw CommandLineError(error.text());
  }
}

/// A number ≥ 0 of this dimension.
double read_size(const std::string& option, const std::string& text, const io::Dimension& dimension) {
  const double value = read_value(option, text, dimension);
  if (value >= 0.0) return value;
  throw CommandLineError(
      {.what = "a deviation is negative",
       .where = option,
       .expected = "a number of at least 0",
       .actual = io::in_quotes(text),
       .next = "Write, for example, " + option + " '" + io::example_text(dimension) + "'."});
}

/// "WHAT,sigma=S,walk=W" in its parts.
struct UnknownWords {
  std::string kind, name;
  std::optional<std::string> sigma, walk, start;
};

[[noreturn]] void fail_unknown(const std::string& text, const std::string& expected) {
  throw CommandLineError(
      {.what = "this unknown cannot be read",
       .where = "--unknown",
       .expected = expected,
       .actual = io::in_quotes(text),
       .next = "Write, for example, --unknown 'force:wheel.W.z,sigma=200 N,walk=1000 N'."});
}

/// How little is known of an unknown at the start.
double read_deviation(const std::string& text, const io::Dimension& dimension) {
  const double value = read_size("--unknown", text, dimension);
  if (value > 0.0) return value;
  throw CommandLineError({.what = "an unknown without uncertainty",
                          .where = "--unknown",
                          .expected = "sigma > 0",
                          .actual = io::in_quotes(text),
                          .next = "Say how far off the start may be, or leave the unknown out."});
}

UnknownWords read_words(const std::string& text) {
  UnknownWords words;
  std::vector<std::string> parts = read_names("--unknown", text, "'bias:gyroscope,sigma=0.01'");
  const std::size_t colon = parts.front().find(':');
  if (colon == std::string::npos)
    fail_unknown(text, "force:, mass:, stiffness:, damping:, friction: or bias: and a name");
  words.kind = parts.front().substr(0, colon);
  words.name = parts.front().substr(colon + 1);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    const std::string key = parts[i].substr(0, equals);
    std::optional<std::string>* target = key == "sigma"   ? &words.sigma
                                         : key == "walk"  ? &words.walk
                                         : key == "start" ? &words.start
                                                          : nullptr;
    if (target == nullptr || equals == std::string::npos || *target)
      fail_unknown(text, "sigma=…, walk=… and start=…, each once at most");
    *target = parts[i].substr(equals + 1);
  }
  check_word("--unknown", "unknown kind of unknown", words.kind,
             {"force", "mass", "stiffness", "damping", "friction", "bias"});
  return words;
}

/// The place of a name in a list of elements.
template <class Elements>
int place_of(const Elements& elements, const std::string& name, const std::string& what) {
  std::vector<std::string> names;
  for (const auto& element : elements) names.push_back(element.name);
  check_word("--unknown", "unknown " + what, name, names);
  return static_cast<int>(std::ranges::find(names, name) - names.begin());
}

estimation::UnknownState read_factor(const UnknownWords& words, const model::Mechanism& mechanism) {
  estimation::UnknownState state;
  state.dimension = core::kNumber;
  state.name = words.kind + ":" + words.name;
  if (words.kind == "mass") {
    const std::span moving = std::span(mechanism.bodies()).subspan(1);  // the ground has no mass
    state.what = {Unknown::Kind::kMass, 1 + place_of(moving, words.name, "body")};
  } else if (words.kind == "stiffness") {
    state.what = {Unknown::Kind::kSpring, place_of(mechanism.springs(), words.name, "spring")};
  } else if (words.kind == "damping") {
    state.what = {Unknown::Kind::kDamper, place_of(mechanism.dampers(), words.name, "damper")};
  } else {
    state.what = {Unknown::Kind::kFriction, place_of(mechanism.joints(), words.name, "joint")};
    if (mechanism.joints()[static_cast<std::size_t>(state.what.index)].friction.is_none())
      throw CommandLineError(
          {.what = "there is no friction to estimate",
           .where = "--unknown",
           .expected = "a joint with 'friction' in the model",
           .actual = "'" + words.name + "' without",
           .next = "Give the joint a friction in the file; what is estimated is a factor of it."});
  }
  state.start = words.start ? read_size("--unknown", *words.start, io::kNumber) : 1.0;
  if (!(state.start > 0.0))
    throw CommandLineError({.what = "a factor is estimated by its logarithm",
                            .where = "--unknown",
                            .expected = "start > 0",
                            .actual = io::in_quotes(*words.start),
                            .next = "Leave start out to begin with the model's value, or give a small one."});
  state.deviation = words.sigma ? read_deviation(*words.sigma, io::kNumber) : 0.3;
  state.walk = words.walk ? read_size("--unknown", *words.walk, io::kNumber) : 0.0;
  return state;
}

estimation::UnknownState read_force(const UnknownWords& words, const model::Mechanism& mechanism) {
  estimation::UnknownState state;
  try {
    state.what = {Unknown::Kind::kForce, 0, model::find_variable(mechanism, words.name)};
  } catch (const core::ModelError& error) {
    core::ErrorText text = error.text();
    text.where = "--unknown";
    throw CommandLineError(text);
  }
  const model::VariableKind kind = state.what.along->kind;
  if (kind != model::VariableKind::kPointPosition && kind != model::VariableKind::kJointPosition)
    fail_unknown(words.name, "a coordinate of a point, or of a joint, along which the force acts");
  const core::Dimension dimension = core::effort_along(model::dimension(mechanism, *state.what.along));
  state.dimension = dimension;
  state.name = "force:" + words.name;
  state.start = words.start ? read_value("--unknown", *words.start, dimension) : 0.0;
  state.deviation = words.sigma ? read_deviation(*words.sigma, dimension) : 10.0;
  state.walk = words.walk ? read_size("--unknown", *words.walk, dimension) : 0.0;
  return state;
}

/// "bias:SENSOR", all of its channels, or "bias:SENSOR.CHANNEL".
void read_bias(const UnknownWords& words, const std::vector<estimation::FilterSensor>& sensors,
               std::vector<estimation::BiasState>& out) {
  std::vector<std::string> names;
  for (const estimation::FilterSensor& sensor : sensors) {
    names.push_back(sensor.facts.name);
    for (const sensing::Channel& channel : sensor.facts.channels)
      if (channel.name != sensor.facts.name) names.push_back(channel.name);
  }
  check_word("--unknown", "unknown sensor", words.name, names);
  for (std::size_t s = 0; s < sensors.size(); ++s)
    for (std::size_t k = 0; k < sensors[s].facts.channels.size(); ++k) {
      const sensing::Channel& channel = sensors[s].facts.channels[k];
      if (words.name != sensors[s].facts.name && words.name != channel.name) continue;
      estimation::BiasState bias{static_cast<int>(s), static_cast<Eigen::Index>(k),
                                 10.0 * std::max(channel.noise, channel.resolution), 0.0};
      if (words.sigma) bias.deviation = read_deviation(*words.sigma, channel.dimension);
      if (words.walk) bias.walk = read_size("--unknown", *words.walk, channel.dimension);
      out.push_back(bias);
    }
}

}  // namespace

namespace {

void add_reading_options(CLI::App& command, EstimateOptions& options) {
  begin_group(command, "Readings");
  command
      .add_option("--measurements", options.measurements,
                  "Measurement file, as 'sense' writes it; with --live the standard input is read instead")
      ->type_name("FILE");
  command.add_option("--sensors", options.sensors, "Sensors to use instead of all")->type_name("NAMES");
  command
      .add_option("--gate", options.gate,
                  "Probability of rejecting a good reading as an outlier (1e-6; 0 accepts every reading)")
      ->type_name("NUMBER");
  command
      .add_option("--window", options.window,
                  "How long to wait for readings that arrive out of order (20 ms; with --live 5 ms, which "
                  "delays the estimates as much)")
      ->type_name("TIME");
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
  offer_words(command
                  .add_option("--jacobian", options.jacobian,
                              "Jacobian of the state transition: exact, by dual numbers, or simple (exact)")
                  ->type_name("NAME"),
              {"exact", "simple"});
  offer_words(command
                  .add_option("--integrator", options.integrator,
                              "Integrator of the filter's steps: euler, heun or rk4 (heun)")
                  ->type_name("NAME"),
              {"euler", "heun", "rk4"});
  offer_words(command
                  .add_option("--start", options.start,
                              "model: near the start of the file; unknown: anywhere, on any branch, for "
                              "filters that support it (model)")
                  ->type_name("WORD"),
              {"model", "unknown"});
  command
      .add_option("--start-deviation", options.start_deviation,
                  "Standard deviation of the start position (5 deg; for lengths, this angle in "
                  "radians times the mechanism's size)")
      ->type_name("ANGLE");
  command
      .add_option("--start-rate-deviation", options.start_rate_deviation,
                  "Standard deviation of the start rates (5 deg/s)")
      ->type_name("RATE");
}

void add_noise_options(CLI::App& command, EstimateOptions& options) {
  begin_group(command, "What the model does not know");
  command
      .add_option("--position-noise", options.position_noise,
                  "Random walk of positions over 1 s, in rad or sizes of the mechanism (0)")
      ->type_name("NUMBER");
  command
      .add_option("--velocity-noise", options.velocity_noise,
                  "Random walk of rates over 1 s, in rad/s or sizes/s (0.5)")
      ->type_name("NUMBER");
  command
      .add_option("--acceleration-noise", options.acceleration_noise,
                  "Standard deviation of an acceleration that is constant over each step (0)")
      ->type_name("NUMBER");
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
  command
      .add_option("--force-deviation", options.force_deviation,
                  "Standard deviation of --forces at the start, in rad/s^2 or sizes/s^2 (1)")
      ->type_name("NUMBER");
  command
      .add_option("--force-walk", options.force_walk,
                  "Random walk of --forces over 1 s, in the same units (1)")
      ->type_name("NUMBER");
}

}  // namespace

void add_estimate_options(CLI::App& command, EstimateOptions& options) {
  add_model_word(command, options.model);
  add_reading_options(command, options);
  begin_group(command, kTimeOptions);
  command.add_option("--step", options.step, "Time step of the computation: of the filter (1 ms)")
      ->type_name("TIME");
  command.add_option("--every", options.every, "Time between rows of the results; without it --step")
      ->type_name("TIME");
  command.add_option("--until", options.until, "End time; without it the last reading")->type_name("TIME");
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
  add_particle_options(command, options.particle);
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

/// Words that only some filters read.
void check_hypotheses(const EstimateOptions& options) {
  const std::vector<std::string> filters = read_names("--filter", options.filter, "dekf,ukf");
  const auto has = [&](const char* name) { return std::ranges::find(filters, name) != filters.end(); };
  const auto word = first_particle_word(options.particle);
  if (word && !has("particle") && !has("grid") && *word != "--seed")
    throw CommandLineError({.what = "no filter here reads this",
                            .where = *word,
                            .expected = "--filter particle",
                            .actual = "--filter " + options.filter,
                            .next = "Leave it out, or take the particle filter."});
  if (options.integrator && filters.size() == 1 && has("particle"))
    throw CommandLineError({.what = "the particle filter steps by a rule of its own",
                            .where = "--integrator",
                            .expected = "another filter",
                            .actual = "--filter particle",
                            .next = "Leave it out: its steps are of second order."});
  if (options.start == "unknown" && options.start_deviation)
    throw CommandLineError({.what = "an unknown start has no deviation",
                            .where = "--start-deviation",
                            .expected = "--start model",
                            .actual = "--start unknown",
                            .next = "Leave one of them out; --start-rate-deviation can be given with both."});
}

/// What a report cannot show.
void check_report(const EstimateOptions& options) {
  if (options.report && options.live)
    throw CommandLineError({.what = "a live run writes no report",
                            .where = "--report",
                            .expected = "a batch run",
                            .actual = "--live",
                            .next = "Leave it out; make one later from the readings with --measurements."});
  if (!options.report_particles) return;
  static_cast<void>(read_report_particles(options));
  const std::vector<std::string> filters = read_names("--filter", options.filter, "dekf,ukf");
  if (!options.report || (std::ranges::find(filters, "particle") == filters.end() &&
                          std::ranges::find(filters, "grid") == filters.end()))
    throw CommandLineError({.what = "there are no particles to show",
                            .where = "--report-particles",
                            .expected = "--report and --filter particle",
                            .actual = options.report ? "--filter " + options.filter : "no --report",
                            .next = "Leave it out, or add what is missing."});
}

}  // namespace

void check_estimate_options(const EstimateOptions& options) {
  if (options.jacobian) check_word("--jacobian", "unknown Jacobian", *options.jacobian, {"exact", "simple"});
  const std::vector<std::string> filters = read_names("--filter", options.filter, "dekf,ukf");
  for (const std::string& filter : filters) {
    check_word("--filter", "unknown filter", filter, estimation::estimator_names());
    if (std::ranges::count(filters, filter) > 1)
      throw CommandLineError({.what = "a filter is named twice",
                              .where = "--filter",
                              .expected = "each filter once: every one writes a file of its own",
                              .actual = io::in_quotes(options.filter),
                              .next = "Leave one of them out."});
    if (options.jacobian && *options.jacobian == "simple" &&
        !estimation::estimator_capabilities(filter).simple_jacobian)
      throw CommandLineError({.what = "the filter '" + filter + "' has no simple Jacobian",
                              .where = "--jacobian",
                              .expected = "--filter dekf or error-ekf",
                              .actual = "--filter " + filter,
                              .next = "Leave --jacobian out, or take another filter."});
  }
  check_word("--start", "unknown start", options.start, {"model", "unknown"});
  for (const std::string& filter : read_names("--filter", options.filter, "dekf,ukf"))
    if (options.start == "unknown" && !estimation::estimator_capabilities(filter).unknown_start)
      throw CommandLineError({.what = "the filter '" + filter + "' needs to know where it starts",
                              .where = "--start",
                              .expected = "a filter that does not, such as particle",
                              .actual = "--filter " + filter,
                              .next = "Take another filter, or start from the model."});
  if (options.integrator)
    check_word("--integrator", "unknown integrator", *options.integrator, {"euler", "heun", "rk4"});
  check_hypotheses(options);
  check_report(options);
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
  static_cast<void>(read_header(options.header));
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

estimation::MechanismSystemOptions read_system_options(const EstimateOptions& options,
                                                       const model::Mechanism& mechanism,
                                                       const std::vector<estimation::FilterSensor>& sensors,
                                                       int num_freedoms) {
  estimation::MechanismSystemOptions system;
  if (options.integrator) system.rule = *estimation::find_step_rule(*options.integrator);
  system.noise.position = read_size("--position-noise", options.position_noise, io::kNumber);
  system.noise.velocity = read_size("--velocity-noise", options.velocity_noise, io::kNumber);
  system.noise.acceleration = read_size("--acceleration-noise", options.acceleration_noise, io::kNumber);
  for (const std::string& text : options.unknown) {
    const UnknownWords words = read_words(text);
    if (words.kind == "bias")
      read_bias(words, sensors, system.biases);
    else
      system.unknowns.push_back(words.kind == "force" ? read_force(words, mechanism)
                                                      : read_factor(words, mechanism));
  }
  for (std::size_t i = 0; i < options.unknown.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (options.unknown[i].substr(0, options.unknown[i].find(',')) ==
          options.unknown[j].substr(0, options.unknown[j].find(',')))
        throw CommandLineError({.what = "an unknown is named twice",
                                .where = "--unknown",
                                .expected = "each once",
                                .actual = io::in_quotes(options.unknown[i]),
                                .next = "Remove one."});
  for (int k = 0; options.forces && k < num_freedoms; ++k)
    system.unknowns.push_back(
        {.what = {Unknown::Kind::kFreedomForce, k},
         .deviation = read_size("--force-deviation", options.force_deviation, io::kNumber),
         .walk = read_size("--force-walk", options.force_walk, io::kNumber)});
  return system;
}

estimation::EstimatorOptions read_estimator_options(const EstimateOptions& options) {
  estimation::EstimatorOptions estimator;
  estimator.exact_jacobian = !options.jacobian || *options.jacobian == "exact";
  estimator.particle = read_particle_options(options.particle);
  return estimator;
}

estimation::RunOptions read_run_options(const EstimateOptions& options) {
  estimation::RunOptions run;
  run.step = read_time("--step", "step", options.step);
  run.false_alarms = read_value("--gate", options.gate, io::kNumber);
  if (!(run.false_alarms >= 0.0 && run.false_alarms < 0.5))
    throw CommandLineError({.what = "the gate is not a probability of rejecting a good reading",
                            .where = "--gate",
                            .expected = "a probability from 0 to below 0.5",
                            .actual = io::in_quotes(options.gate),
                            .next = "Write, for example, --gate 1e-6, or 0 for no gate."});
  return run;
}

core::Duration read_window(const EstimateOptions& options, double latency) {
  if (!options.window)
    return core::Duration::from_nanoseconds(options.live ? 5'000'000 : 20'000'000) +
           core::Duration::from_seconds(latency);
  if (read_size("--window", *options.window, io::kTime) == 0.0) return {};
  return read_time("--window", "window", *options.window);
}

std::size_t read_report_particles(const EstimateOptions& options) {
  constexpr std::uint64_t kUsual = 2000, kMost = 1'000'000;
  if (!options.report_particles) return kUsual;
  return read_whole("--report-particles", *options.report_particles, kMost);
}

core::Duration read_spin(const EstimateOptions& options) {
  const std::int64_t half = read_time("--step", "step", options.step).nanoseconds() / 2;
  if (!options.spin) return core::Duration::from_nanoseconds(std::min<std::int64_t>(half, 100'000));
  return core::Duration::from_seconds(read_size("--spin", *options.spin, io::kTime));
}

StartDeviations read_start_deviations(const EstimateOptions& options) {
  return {read_size("--start-deviation", options.start_deviation.value_or("5 deg"), io::kAngle),
          read_size("--start-rate-deviation",
                    options.start_rate_deviation.value_or(options.start == "unknown" ? "0" : "5 deg/s"),
                    io::kAngularVelocity)};
}

}  // namespace eslabon::cli
