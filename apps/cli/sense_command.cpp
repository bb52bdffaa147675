#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <tuple>

#include "command_line.hpp"
#include "model_options.hpp"
#include "motion_output.hpp"
#include "progress_bar.hpp"
#include "recorded_truth.hpp"
#include "released_start.hpp"
#include "sense.hpp"
#include "sensor_choice.hpp"
#include "text_page.hpp"
#include "text_table.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/dynamics/formulation_choice.hpp"
#include "eslabon/integration/simulation.hpp"
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
  std::optional<std::string> truth, until;
  std::vector<std::string> release;
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

/// Where the motion comes from: a file, or a simulation. Asked in the order of time.
class TrueMotion {
 public:
  virtual ~TrueMotion() = default;
  virtual const dynamics::DynamicModel& model() const = 0;
  virtual double begin() const = 0;  ///< [s]
  virtual double end() const = 0;    ///< [s]
  virtual sensing::Scene<double> at(double t) = 0;
};

class MotionOfFile final : public TrueMotion {
 public:
  MotionOfFile(const std::string& path, const model::Mechanism& loaded, const model::Mechanism& released)
      : truth_(path, loaded, released) {}
  const dynamics::DynamicModel& model() const override { return truth_.model(); }
  double begin() const override { return truth_.begin(); }
  double end() const override { return truth_.end(); }
  sensing::Scene<double> at(double t) override {
    const dynamics::ReducedPoint& point = truth_.at(t);
    return {point.t, point.bodies, point.memory};
  }

 private:
  RecordedTruth truth_;
};

/// As 'simulate' does it with its defaults.
class SimulatedMotion final : public TrueMotion {
 public:
  SimulatedMotion(const model::Mechanism& loaded, const model::Mechanism& mechanism, double until)
      : structure_(structure::analyse_structure(mechanism)),
        assembly_(assembled_as_driven(loaded, mechanism, structure_, std::nullopt)),
        model_(mechanism, structure_, assembly_, until),
        formulation_(dynamics::make_formulation(dynamics::choose_formulation(model_).formulation, model_)),
        simulation_(model_, *formulation_, integration::make_integrator("dopri5"), until),
        bodies_(mechanism.bodies().size()) {}
  const dynamics::DynamicModel& model() const override { return model_; }
  double begin() const override { return 0.0; }
  double end() const override { return simulation_.until(); }
  sensing::Scene<double> at(double t) override {
    if (!simulation_.advance_to(t)) throw core::ModelError(simulation_.failure()->error_text(true));
    simulation_.evaluate_bodies(bodies_);
    return {t, bodies_, simulation_.point().state.memory};
  }

 private:
  structure::Structure structure_;
  kinematics::AssemblyReport assembly_;
  dynamics::DynamicModel model_;
  std::unique_ptr<dynamics::Formulation> formulation_;
  integration::Simulation simulation_;
  coordinates::MechanismMotion bodies_;
};

/// A reading that is to be taken.
struct Planned {
  core::Instant t, arrival;
  std::size_t sensor;
  bool is_lost;
};

/// Of all sensors, in the order of time.
std::vector<Planned> plan_readings(const std::vector<ChosenSensor>& sensors, const TrueMotion& motion,
                                   core::Duration step, std::uint64_t seed) {
  const core::Instant begin = core::Instant::from_seconds(motion.begin()),
                      end = core::Instant::from_seconds(motion.end());
  std::vector<Planned> plan;
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    sensing::Sampling sampling(*sensors[s].sensor, step, seed);
    core::Instant last = begin - core::Duration::from_nanoseconds(1);
    for (sensing::Sample sample = sampling.next(); sample.nominal <= end; sample = sampling.next()) {
      if (sample.t < begin || sample.t > end) continue;
      // Jitter of half a period can meet its neighbour.
      const core::Instant t = std::max(sample.t, last + core::Duration::from_nanoseconds(1));
      last = t;
      plan.push_back({t, std::max(sample.arrival, t), s, sample.is_lost});
    }
  }
  std::ranges::stable_sort(plan, {}, &Planned::t);
  return plan;
}

/// Takes them.
std::vector<Arriving> take_readings(const std::vector<ChosenSensor>& sensors, TrueMotion& motion,
                                    const std::vector<Planned>& plan, std::uint64_t seed,
                                    std::vector<SensorTally>& tallies) {
  std::vector<sensing::SensorErrorModel> errors;
  for (const ChosenSensor& chosen : sensors)
    errors.emplace_back(*chosen.sensor, motion.model().mechanism().is_planar(), seed);
  std::vector<Arriving> out;
  ProgressBar bar;
  for (const Planned& planned : plan) {
    const double t = std::min(planned.t.seconds(), motion.end());
    const sensing::Scene<double> scene = motion.at(t);
    sensing::Reading reading{.t = planned.t, .sensor = static_cast<int>(planned.sensor)};
    const auto values = std::span(reading.values).first(sensors[planned.sensor].facts.channels.size());
    sensors[planned.sensor].instrument->read(scene, values);
    errors[planned.sensor].read(planned.t, values);
    ++(planned.is_lost ? tallies[planned.sensor].lost : tallies[planned.sensor].readings);
    if (!planned.is_lost) out.push_back({planned.arrival, reading});
    bar.update(t / motion.end());
  }
  return out;
}

std::unique_ptr<TrueMotion> make_motion(const SenseOptions& options, const model::Mechanism& loaded,
                                        const model::Mechanism& mechanism) {
  if (options.truth) return std::make_unique<MotionOfFile>(*options.truth, loaded, mechanism);
  return std::make_unique<SimulatedMotion>(loaded, mechanism,
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
  const model::Mechanism loaded = io::load_model(options.model, options.set);
  // In a file the drivers have done their work already.
  const model::Mechanism mechanism =
      options.truth ? without_all_drivers(loaded)
                    : model::without_drivers(loaded, released_drivers(options.release, loaded));
  const auto motion = naming(options.model, [&] { return make_motion(options, loaded, mechanism); });
  const std::vector<ChosenSensor> sensors = naming(
      options.model, [&] { return choose_sensors(mechanism, options.sensors, motion->model().forces()); });
  std::vector<sensing::SensorFacts> facts;
  for (const ChosenSensor& chosen : sensors) facts.push_back(chosen.facts);
  std::vector<SensorTally> tallies(sensors.size());
  std::vector<Arriving> readings = naming(options.model, [&] {
    return take_readings(sensors, *motion, plan_readings(sensors, *motion, step, seed), seed, tallies);
  });
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
  page.title(mechanism.name(), "sensors");
  page.fact("Motion", fmt::format("{:.9g} s … {:.9g} s {}", motion->begin(), motion->end(),
                                  options.truth ? "of " + *options.truth : "simulated"));
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
  command->add_option(
      "--truth", options->truth,
      "Result file of 'simulate' or 'kinematics' with position, rate and acceleration of each freedom, "
      "e.g. --outputs A.q,A.v,A.a");
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
