#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <tuple>

#include "command_line.hpp"
#include "model_options.hpp"
#include "motion_output.hpp"
#include "recorded_truth.hpp"
#include "sense.hpp"
#include "sensor_choice.hpp"
#include "text_page.hpp"
#include "text_table.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/io/measurement_file.hpp"
#include "eslabon/io/model_source.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/sensing/sampling.hpp"
#include "eslabon/sensing/sensor_error_model.hpp"

namespace eslabon::cli {

namespace {

struct SenseOptions {
  std::string model;
  std::vector<std::string> set;
  std::string truth;
  std::string seed = "1";
  std::optional<std::string> sensors;
  std::optional<std::string> step;
  std::string out;
};

/// A reading and when it comes.
struct Arriving {
  core::Instant arrival;
  sensing::Reading reading;
};

/// What one sensor has done.
struct SensorTally {
  std::size_t readings = 0, lost = 0;
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

/// All readings of one sensor.
void read_sensor(const model::Sensor& sensor, const sensing::Instrument& instrument, RecordedTruth& truth,
                 core::Duration step, std::uint64_t seed, int place, std::vector<Arriving>& out,
                 SensorTally& tally) {
  sensing::Sampling sampling(sensor, step, seed);
  sensing::SensorErrorModel errors(sensor, truth.model().mechanism().is_planar(), seed);
  const std::size_t m = instrument.channels().size();
  const core::Instant begin = core::Instant::from_seconds(truth.begin()),
                      end = core::Instant::from_seconds(truth.end());
  core::Instant last = begin - core::Duration::from_nanoseconds(1);
  while (true) {
    const sensing::Sample sample = sampling.next();
    if (sample.nominal > end) return;
    core::Instant t = sample.t;
    if (t < begin || t > end) continue;
    if (t <= last)
      t = last + core::Duration::from_nanoseconds(1);  // jitter of half a period can meet its neighbour
    last = t;
    const dynamics::ReducedPoint& point = truth.at(t.seconds());
    sensing::Reading reading{.t = t, .sensor = place};
    const auto values = std::span(reading.values).first(m);
    instrument.read(sensing::Scene<double>{point.t, point.bodies, point.memory}, values);
    errors.read(t, values);
    if (sample.is_lost) {
      ++tally.lost;
      continue;
    }
    ++tally.readings;
    out.push_back({std::max(sample.arrival, t), reading});
  }
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
  check_out(options.model, options.out);
  check_not_replaced("--truth", options.truth, options.out);
  const std::uint64_t seed = read_seed(options.seed);
  const core::Duration step =
      options.step ? read_time("--step", "step", *options.step) : core::Duration::from_nanoseconds(1'000'000);
  const model::Mechanism loaded = io::load_model(options.model, options.set);
  const model::Mechanism released = without_all_drivers(loaded);
  RecordedTruth truth(options.truth, loaded, released);
  const std::vector<ChosenSensor> sensors = naming(
      options.model, [&] { return choose_sensors(released, options.sensors, truth.model().forces()); });
  std::vector<sensing::SensorFacts> facts;
  std::vector<Arriving> readings;
  std::vector<SensorTally> tallies(sensors.size());
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    facts.push_back(sensors[s].facts);
    read_sensor(*sensors[s].sensor, *sensors[s].instrument, truth, step, seed, static_cast<int>(s), readings,
                tallies[s]);
  }
  // In the order of arrival; readings of one time that come together share a row.
  const auto key = [](const Arriving& a) { return std::tuple(a.arrival, a.reading.t, a.reading.sensor); };
  std::ranges::stable_sort(readings, {}, key);
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
  page.title(released.name(), "sensors");
  page.fact("Motion", fmt::format("{:.9g} s … {:.9g} s of {}", truth.begin(), truth.end(), options.truth));
  page.fact("Seed", options.seed);
  page.append("\n" + sensor_table(sensors, tallies) + "\n");
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
  command
      ->add_option(
          "--truth", options->truth,
          "Result file of 'simulate' or 'kinematics' with position, rate and acceleration of each freedom, "
          "e.g. --outputs A.q,A.v,A.a")
      ->required();
  command->add_option("--seed", options->seed, "Of everything random (1)");
  command->add_option("--sensors", options->sensors, "a,b,c: these sensors instead of all");
  command->add_option("--step", options->step, "From reading to reading of sensors without a rate (1 ms)");
  add_set_option(*command, options->set);
  command->add_option("--out", options->out, "Measurement file to write; - for the standard output")
      ->required();
  command->callback([options] { run_sense(*options); });
}

}  // namespace eslabon::cli
