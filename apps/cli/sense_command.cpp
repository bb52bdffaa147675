#include <charconv>
#include <cstdio>
#include <memory>

#include "command_line.hpp"
#include "command_reference.hpp"
#include "model_options.hpp"
#include "motion_output.hpp"
#include "presentation.hpp"
#include "progress_bar.hpp"
#include "released_start.hpp"
#include "result_json.hpp"
#include "run_limit.hpp"
#include "sense.hpp"
#include "start_note.hpp"
#include "taken_readings.hpp"
#include "text_page.hpp"
#include "text_table.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/io/measurement_file.hpp"
#include "eslabon/io/model_source.hpp"
#include "eslabon/kinematics/driven_structure.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::cli {

namespace {

struct SenseOptions {
  std::string model;
  std::vector<std::string> set;
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
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error == std::errc() && end == text.data() + text.size()) return seed;
  throw CommandLineError({.what = "the seed is not a whole number",
                          .where = "--seed",
                          .expected = "0, 1, 2, …",
                          .actual = "'" + text + "'",
                          .next = "Write, for example, --seed 7; the same seed gives the same readings."});
}

std::unique_ptr<TrueMotion> make_motion(const SenseOptions& options, const model::Mechanism& loaded,
                                        const model::Mechanism& mechanism,
                                        const structure::Structure& structure) {
  if (options.truth) return read_motion(*options.truth, loaded, mechanism, options.branch);
  const kinematics::AssemblyReport start = assembled_as_driven(loaded, mechanism, structure, options.branch);
  print_start_shifts(mechanism, start.bodies, options.branch);
  return simulate_motion(mechanism, structure, start, read_time("--until", "end", *options.until).seconds());
}

std::string sensor_table(const std::vector<ChosenSensor>& sensors, const std::vector<SensorTally>& tallies) {
  TextTable table({"sensor", "reads", ">every", ">readings", ">lost"});
  for (std::size_t s = 0; s < sensors.size(); ++s)
    table.add_row(
        {sensors[s].sensor->name, std::string(model::name(sensors[s].sensor->kind)),
         sensors[s].sensor->rate > 0.0 ? fmt::format("{:g} ms", 1e3 / sensors[s].sensor->rate) : "step",
         std::to_string(tallies[s].readings), std::to_string(tallies[s].lost)});
  return table.text();
}

std::string sense_json(const SenseOptions& options, const TrueMotion& motion, const std::string& mechanism,
                       const std::vector<ChosenSensor>& sensors, const std::vector<SensorTally>& tallies,
                       std::size_t rows, bool is_complete) {
  Json json = result_of("sense", mechanism);
  json["begin"] = motion.begin();
  json["end"] = motion.end();
  json["seed"] = read_seed(options.seed);
  json["complete"] = is_complete;
  json["rows"] = rows;
  json["sensors"] = Json::array();
  for (std::size_t s = 0; s < sensors.size(); ++s)
    json["sensors"].push_back(
        {{"name", sensors[s].sensor->name},
         {"reads", model::name(sensors[s].sensor->kind)},
         {"rate", sensors[s].sensor->rate > 0.0 ? Json(sensors[s].sensor->rate) : Json(nullptr)},
         {"readings", tallies[s].readings},
         {"lost", tallies[s].lost}});
  json["files"] = {{"readings", options.out}};
  return text_of(json);
}

/// Fails for words that do not go together.
void check_sense_options(const SenseOptions& options) {
  if (options.truth.has_value() == options.until.has_value())
    throw CommandLineError({.what = options.truth ? "a motion from two sources" : "no motion",
                            .where = "--truth",
                            .expected = "a result file with --truth, or --until to simulate the mechanism",
                            .actual = options.truth ? "both" : "neither",
                            .next = "Give one of them."});
  if (options.truth && !options.release.empty())
    throw CommandLineError({.what = "a recorded motion has no drivers to release",
                            .where = "--release",
                            .expected = "--until, to simulate the mechanism",
                            .actual = "--truth",
                            .next = "Leave --release out."});
  check_out(options.out);
}

void run_sense(const SenseOptions& options, const Presentation& presentation) {
  check_sense_options(options);
  const std::uint64_t seed = read_seed(options.seed);
  const io::HeaderStyle header = read_header(options.header);
  check_limits(options.limits);
  const core::Duration every = options.every
                                   ? read_time("--every", "time from reading to reading", *options.every)
                                   : core::Duration::from_nanoseconds(1'000'000);
  const model::Mechanism loaded = load_model(options.model, options.set);
  // In a file the drivers have done their work already.
  const model::Mechanism mechanism =
      options.truth ? without_all_drivers(loaded) : naming_option("--release", [&] {
        return model::without_drivers(loaded, released_drivers(options.release, loaded));
      });
  const structure::Structure structure =
      naming(options.model, [&] { return kinematics::analyse_driven_structure(mechanism); });
  const auto motion =
      naming(options.model, [&] { return make_motion(options, loaded, mechanism, structure); });
  const std::vector<ChosenSensor> sensors = naming(
      options.model, [&] { return choose_sensors(mechanism, options.sensors, motion->model().forces()); });
  std::vector<sensing::SensorFacts> facts;
  for (const ChosenSensor& chosen : sensors) facts.push_back(chosen.facts);
  RunLimit limit(options.limits);
  io::MeasurementWriter writer =
      options.out == kStdout ? io::MeasurementWriter(standard_output(), "the standard output", facts, header)
                             : io::MeasurementWriter(options.out, facts, header);
  ProgressBar bar;
  std::int64_t steps = 0;
  double done = 0.0;
  const TakenReadings taken = naming(options.model, [&] {
    return take_readings(sensors, *motion, every, seed, [&](double fraction) {
      bar.update(done = fraction);
      return !limit.is_reached(++steps);
    });
  });
  bar.clear();
  for (const std::string& note : motion->check_rows(sensors)) fmt::print(stderr, "eslabon: note: {}\n", note);
  // Readings of one time that come together share a row.
  const std::vector<Arriving>& readings = taken.arriving;
  std::vector<sensing::Reading> row;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    row.push_back(readings[i].reading);
    if (i + 1 < readings.size() && readings[i + 1].arrival == readings[i].arrival &&
        readings[i + 1].reading.t == readings[i].reading.t)
      continue;
    writer.write(row);
    row.clear();
    ++rows;
  }
  writer.finish();
  const auto page_text = [&](const PageStyle& style) {
    TextPage page(style);
    page.title(mechanism.name(), "sensors");
    page.fact("Motion", fmt::format("{:.9g} s … {:.9g} s {}", motion->begin(), motion->end(),
                                    options.truth ? "of " + *options.truth : "simulated"));
    page.fact("Seed", options.seed);
    page.append("\n" + sensor_table(sensors, taken.tallies) + "\n");
    page.fact("Written",
              fmt::format("{}, {}", options.out == kStdout ? "to the standard output" : options.out,
                          counted(rows, "row")));
    return page.text();
  };
  presentation.show(options.out == kStdout ? stderr : stdout, page_text, [&] {
    return sense_json(options, *motion, mechanism.name(), sensors, taken.tallies, rows, !limit.was_reached());
  });
  if (limit.was_reached())
    throw CutRun(limit.error_text(options.model, fmt::format("readings up to {:.9g} s", motion->end()),
                                  fmt::format("those up to {:.9g} s", done * motion->end())),
                 limit.status());
}

}  // namespace

void add_sense_command(CLI::App& app, const Presentation& presentation) {
  auto options = std::make_shared<SenseOptions>();
  CLI::App* command = app.add_subcommand(
      "sense", "Simulates the sensors of a mechanism along a computed motion: noisy readings, as CSV");
  add_model_word(*command, options->model);
  begin_group(*command, "Motion");
  command
      ->add_option(
          "--truth", options->truth,
          "Result file of 'simulate', or of 'kinematics' with position, rate and acceleration of each "
          "degree of freedom, e.g. --outputs A.q,A.v,A.a")
      ->type_name("FILE");
  command
      ->add_option(
          "--until", options->until,
          "Instead of --truth: simulate the mechanism up to this time, as 'simulate' does without options")
      ->type_name("TIME");
  add_limit_options(*command, options->limits, "readings", "Motion");
  begin_group(*command, "Sensors");
  command->add_option("--sensors", options->sensors, "Sensors to use instead of all")->type_name("NAMES");
  command
      ->add_option("--every", options->every,
                   "Time between rows of the results, for sensors without a rate (1 ms)")
      ->type_name("TIME");
  command->add_option("--seed", options->seed, "Seed of all random numbers (1)")->type_name("N");
  begin_group(*command, kFileOptions);
  command->add_option("--out", options->out, "Measurement file to write; - is the standard output")
      ->required()
      ->type_name("FILE");
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
