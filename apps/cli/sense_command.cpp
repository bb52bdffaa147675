#include <charconv>
#include <cstdio>
#include <memory>

#include "command_line.hpp"
#include "model_options.hpp"
#include "motion_output.hpp"
#include "progress_bar.hpp"
#include "released_start.hpp"
#include "sense.hpp"
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
  std::optional<std::string> truth, until;
  std::vector<std::string> release;
  std::string seed = "1";
  std::optional<std::string> sensors;
  std::optional<std::string> step;
  std::string out;
};

std::uint64_t read_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error == std::errc() && end == text.data() + text.size()) return seed;
  throw CommandLineError({.what = "the seed is not a whole number",
                          .where = "--seed",
                          .expected = "0, 1, 2, …",
                          .actual = "'" + text + "'",
                          .next = "Write for example --seed 7; the same seed gives the same readings."});
}

std::unique_ptr<TrueMotion> make_motion(const SenseOptions& options, const model::Mechanism& loaded,
                                        const model::Mechanism& mechanism,
                                        const structure::Structure& structure) {
  if (options.truth) return read_motion(*options.truth, loaded, mechanism);
  return simulate_motion(mechanism, structure,
                         assembled_as_driven(loaded, mechanism, structure, std::nullopt),
                         read_time("--until", "end", *options.until).seconds());
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

void run_sense(const SenseOptions& options) {
  if (options.truth.has_value() == options.until.has_value())
    throw CommandLineError({.what = options.truth ? "a motion from two places" : "no motion",
                            .where = "--truth",
                            .expected = "a result file with --truth, or --until to simulate the mechanism",
                            .actual = options.truth ? "both" : "neither",
                            .next = "Give one of them."});
  if (options.truth && !options.release.empty())
    throw CommandLineError({.what = "a recorded motion has no drivers to let go",
                            .where = "--release",
                            .expected = "--until, to simulate the mechanism",
                            .actual = "--truth",
                            .next = "Leave --release out."});
  check_out(options.model, options.out);
  if (options.truth) check_not_replaced("--truth", *options.truth, options.out);
  const std::uint64_t seed = read_seed(options.seed);
  const core::Duration step =
      options.step ? read_time("--step", "step", *options.step) : core::Duration::from_nanoseconds(1'000'000);
  const model::Mechanism loaded = load_model(options.model, options.set);
  // In a file the drivers have done their work already.
  const model::Mechanism mechanism =
      options.truth ? without_all_drivers(loaded)
                    : model::without_drivers(loaded, released_drivers(options.release, loaded));
  const structure::Structure structure = kinematics::analyse_driven_structure(mechanism);
  const auto motion =
      naming(options.model, [&] { return make_motion(options, loaded, mechanism, structure); });
  const std::vector<ChosenSensor> sensors = naming(
      options.model, [&] { return choose_sensors(mechanism, options.sensors, motion->model().forces()); });
  std::vector<sensing::SensorFacts> facts;
  for (const ChosenSensor& chosen : sensors) facts.push_back(chosen.facts);
  ProgressBar bar;
  const TakenReadings taken = naming(options.model, [&] {
    return take_readings(sensors, *motion, step, seed, [&](double fraction) { bar.update(fraction); });
  });
  bar.clear();
  // Readings of one time that come together share a row.
  const std::vector<Arriving>& readings = taken.arriving;
  io::MeasurementWriter writer = options.out == kStdout
                                     ? io::MeasurementWriter(stdout, "the standard output", facts)
                                     : io::MeasurementWriter(options.out, facts);
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
  std::FILE* const file = options.out == kStdout ? stderr : stdout;
  TextPage page(has_colour(fileno(file)));
  page.title(mechanism.name(), "sensors");
  page.fact("Motion", fmt::format("{:.9g} s … {:.9g} s {}", motion->begin(), motion->end(),
                                  options.truth ? "of " + *options.truth : "simulated"));
  page.fact("Seed", options.seed);
  page.append("\n" + sensor_table(sensors, taken.tallies) + "\n");
  page.fact("Written", fmt::format("{}, {}", options.out == kStdout ? "to the standard output" : options.out,
                                   counted(rows, "row")));
  std::fputs(page.text().c_str(), file);
}

}  // namespace

void add_sense_command(CLI::App& app) {
  auto options = std::make_shared<SenseOptions>();
  CLI::App* command = app.add_subcommand(
      "sense", "Puts the sensors of a mechanism on a motion that was computed: noisy readings, as CSV");
  command->add_option("MODEL", options->model, "Mechanism file, or family:NAME,key=value…")->required();
  command->add_option(
      "--truth", options->truth,
      "Result file of 'simulate', or of 'kinematics' with position, rate and acceleration of each degree of "
      "freedom, e.g. --outputs A.q,A.v,A.a");
  command->add_option("--until", options->until,
                      "Instead: simulate the mechanism up to there, as 'simulate' does without options");
  add_release_option(*command, options->release);
  command->add_option("--seed", options->seed, "Of everything random (1)");
  command->add_option("--sensors", options->sensors, "a,b,c: these sensors instead of all");
  command->add_option("--step", options->step, "From reading to reading of sensors without a rate (1 ms)");
  add_set_option(*command, options->set);
  command->add_option("--out", options->out, "Measurement file to write; - for the standard output")
      ->required();
  command->callback([options] { run_sense(*options); });
}

}  // namespace eslabon::cli
