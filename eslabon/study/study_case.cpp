#include "eslabon/study/study_case.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "eslabon/codegen/compile/compiled_formulation.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/files/result_writer.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/io/quantities/dimension.hpp"
#include "eslabon/io/quantities/quantity.hpp"
#include "eslabon/io/quantities/setting_text.hpp"
#include "eslabon/kinematics/drivers/driven_structure.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/sensing/taken_readings.hpp"
#include "eslabon/runs/start/released_start.hpp"
#include "eslabon/study/filter_settings.hpp"
#include "eslabon/study/model_estimation.hpp"
#include "eslabon/study/study_place.hpp"

namespace eslabon::study {

namespace {

using Kind = StudySubject::Kind;
using Clock = std::chrono::steady_clock;

/// A motion of which outputs are written down at every step of the filter.
class WatchedMotion final : public runs::TrueMotion {
 public:
  WatchedMotion(std::unique_ptr<runs::TrueMotion> motion, const std::vector<Criterion>& criteria,
                core::Duration step, std::int64_t steps)
      : motion_(std::move(motion)), step_(step), steps_(steps), outputs_(criteria.size()) {
    for (const Criterion& criterion : criteria)
      instruments_.push_back(sensing::make_instrument(motion_->model().mechanism(), criterion.variable,
                                                      motion_->model().forces()));
  }
  const dynamics::DynamicModel& model() const override { return motion_->model(); }
  double begin() const override { return motion_->begin(); }
  double end() const override { return motion_->end(); }
  sensing::Scene<double> at(double t) override {
    watch_until(t);
    return motion_->at(t);
  }
  std::vector<std::vector<double>> outputs_to_the_end() {
    watch_until(end());
    return std::move(outputs_);
  }

 private:
  void watch_until(double t) {
    for (; next_ <= steps_ && (step_ * next_).seconds() <= t; ++next_) {
      const sensing::Scene<double> scene = motion_->at((step_ * next_).seconds());
      for (std::size_t k = 0; k < instruments_.size(); ++k) {
        double value = 0.0;
        instruments_[k]->read(scene, std::span(&value, 1));
        outputs_[k].push_back(value + instruments_[k]->channels().front().origin);
      }
    }
  }

  std::unique_ptr<runs::TrueMotion> motion_;
  core::Duration step_;
  std::int64_t steps_, next_ = 0;
  std::vector<std::unique_ptr<sensing::Instrument>> instruments_;
  std::vector<std::vector<double>> outputs_;
};

double read_value(const StudyValue& value, const io::Dimension& dimension, const std::string& name) {
  const std::string& text = value.texts[0];
  return io::reading_file([&] {
    const io::Quantity quantity = io::parse_quantity(text, value.place);
    io::check_dimension(quantity.measure(), dimension,
                        {.name = name, .text = text, .where = value.place.where()});
    return quantity.value;
  });
}

[[noreturn]] void fail_value(const StudyValue& value, const std::string& what, const std::string& expected,
                             const std::string& next) {
  throw io::FileError({.what = what,
                       .where = value.place.where(),
                       .expected = expected,
                       .actual = io::in_quotes(value.texts[0]),
                       .next = next});
}

[[noreturn]] void fail_not_finite(const std::string& where, const std::string& output) {
  throw core::ModelError({.what = "a result is not a number",
                          .where = where,
                          .expected = "finite numbers",
                          .actual = "others of '" + output + "'",
                          .next = "Run this try alone and look at its rows."});
}

/// Names of a list, also of one that was written as one text.
std::vector<std::string> names_of(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ",") + text;
  return io::read_names(runs::field("sensors"), joined, "imu1,encoder");
}

/// Parameters for truth and filter, and those of the truth alone in their place.
std::vector<std::string> truth_parameters(const std::vector<StudySetting>& settings) {
  std::vector<std::string> set;
  for (const StudySetting& setting : settings) {
    const auto is_own = [&](const StudySetting& other) {
      return other.subject == StudySubject{Kind::kTruthParameter, setting.subject.name};
    };
    if (setting.subject.kind == Kind::kTruthParameter ||
        (setting.subject.kind == Kind::kParameter && std::ranges::none_of(settings, is_own)))
      set.push_back(setting.subject.name + "=" + setting.value.texts[0]);
  }
  return set;
}

void change_noise(const model::Mechanism& mechanism, model::Sensor& sensor, const StudyValue& value) {
  if (sensor.kind == model::SensorKind::kImu)
    fail_value(value, "an imu has two noises", "a sensor with one",
               "Make them parameters of the mechanism file, and sweep over parameters.NAME.");
  sensor.errors.noise = read_value(value, model::reading_dimension(mechanism, sensor), "noise");
  if (!(sensor.errors.noise >= 0.0))
    fail_value(value, "a deviation is negative", "a number of at least 0", "Write it without the sign.");
}

void change_rate(model::Sensor& sensor, const StudyValue& value) {
  if (value.texts[0] == "step") {
    if (sensor.jitter > 0.0)
      fail_value(value, "a sensor without a rate has no jitter", "a rate such as '100 Hz'",
                 "Give it a rate, or take the jitter out of the mechanism file.");
    sensor.rate = 0.0;
    return;
  }
  sensor.rate = read_value(value, io::kFrequency, "rate");
  if (!(sensor.rate > 0.0 && sensor.rate <= 1e9))
    fail_value(value, "this rate is out of range", "more than 0 and at most 1e9 Hz, or 'step'",
               "Write, for example, '100 Hz'; 'step' is a reading at every step of the filter.");
}

}  // namespace

StudyCase::StudyCase(const StudyPlan& plan, std::size_t point, runs::RunObserver& observer,
                     const std::shared_ptr<codegen::NativeCompiler>& compiler)
    : plan_(plan), point_(point), settings_(plan.settings_of(point)) {
  request_.compiler = compiler;
  if (compiler) request_.motion_compiler = std::make_shared<codegen::MotionCompiler>(compiler);
  try {
    load_filter();
    make_request();
    load_truth(observer);
    find_criteria();
    if (num_steps() < 1)
      throw runs::RequestError({.what = "the filter has no step before the end",
                                .where = runs::field("step"),
                                .expected = "a step of at most 'until' of the truth",
                                .actual = core::number_text(request_.step.seconds()) + " s",
                                .next = "Take a shorter step or a later end."});
  } catch (const core::ModelError& error) {
    throw_located(error, plan.study(), settings_);
  }
}

void StudyCase::load_filter() {
  std::vector<std::string> set;
  for (const StudySetting& setting : settings_)
    if (setting.subject.kind == Kind::kParameter)
      set.push_back(setting.subject.name + "=" + setting.value.texts[0]);
  request_.has_unknown_start = plan_.study().is_filter_unknown;
  io::DescribedMechanism loaded = io::load_described_model(plan_.study().model, set);
  set_from_model(request_, loaded);
  filter_loaded_ = std::move(loaded.mechanism);
  change_sensors(*filter_loaded_);
}

void StudyCase::make_request() {
  const StudyFile& study = plan_.study();
  request_.release = study.release;
  request_.branch = study.branch;
  request_.outputs.emplace();
  for (const StudyCriterion& criterion : study.criteria) request_.outputs->push_back(criterion.output);
  for (const StudySetting& setting : settings_) {
    const std::vector<std::string>& texts = setting.value.texts;
    if (setting.subject.kind == Kind::kFilter) request_.filter = texts[0];
    if (setting.subject.kind == Kind::kSensors) request_.sensors = names_of(texts);
    if (setting.subject.kind == Kind::kOption)
      find_filter_setting(setting.subject.name)->set(request_, texts, *filter_loaded_);
  }
  check_request(request_, {request_.filter});
}

void StudyCase::load_truth(runs::RunObserver& observer) {
  const StudyFile& study = plan_.study();
  truth_loaded_ = io::load_model(study.model, truth_parameters(settings_));
  change_sensors(*truth_loaded_);
  truth_ = runs::for_field("release", [&] {
    return model::without_drivers(*truth_loaded_, runs::released_drivers(study.release, *truth_loaded_));
  });
  structure_ = kinematics::analyse_driven_structure(*truth_);
  assembly_ = runs::assembled_as_driven(*truth_loaded_, *truth_, *structure_, study.branch, observer);
  if (!study.is_truth_unknown) return;
  const dynamics::DynamicModel model(*truth_, *structure_, assembly_);
  model.prepare_drivers(study.until.seconds());
  sampler_ = std::make_unique<runs::StartSampler>(model, assembly_);
}

void StudyCase::change_sensors(model::Mechanism& mechanism) const {
  std::vector<model::Sensor> sensors = mechanism.sensors();
  for (const StudySetting& setting : settings_) {
    if (setting.subject.kind != Kind::kSensorNoise && setting.subject.kind != Kind::kSensorRate) continue;
    const auto sensor = std::ranges::find(sensors, setting.subject.name, &model::Sensor::name);
    if (sensor == sensors.end()) {
      std::vector<std::string> known;
      for (const model::Sensor& one : sensors) known.push_back(one.name);
      const auto nearest = core::nearest_name(setting.subject.name, known);
      throw io::FileError({.what = "no sensor is called '" + setting.subject.name + "'",
                           .where = setting.value.place.where(),
                           .expected = core::quoted_list(known),
                           .actual = "'" + setting.subject.name + "'",
                           .next = nearest ? "Did you mean '" + *nearest + "'?" : "Use one of these."});
    }
    if (setting.subject.kind == Kind::kSensorRate)
      change_rate(*sensor, setting.value);
    else
      change_noise(mechanism, *sensor, setting.value);
  }
  mechanism = model::with_sensors(mechanism, sensors);
}

void StudyCase::find_criteria() {
  for (const StudyCriterion& asked : plan_.study().criteria) {
    const model::Variable variable = [&] {
      try {
        return model::find_variable(*truth_, asked.output);
      } catch (const core::ModelError& error) {
        core::ErrorText text = error.text();
        text.where = asked.within.place.where();
        throw io::FileError(text);
      }
    }();
    const core::Dimension dimension = model::dimension(*truth_, variable);
    const double within = read_value(asked.within, dimension, "threshold");
    if (!(within > 0.0))
      fail_value(asked.within, "no result comes this close", "a positive threshold",
                 "Write, for example, '5 deg'.");
    criteria_.push_back(
        {asked.output, core::si_unit(dimension), variable, within, dimension == core::kAngle});
  }
}

std::int64_t StudyCase::num_steps() const {
  return core::number_of_steps(plan_.study().until, request_.step).whole;
}

std::vector<core::Column> StudyCase::outputs() const {
  std::vector<core::Column> columns;
  for (const Criterion& criterion : criteria_) columns.push_back({criterion.name, criterion.unit});
  return columns;
}

std::unique_ptr<runs::FilterCase> StudyCase::make_filter(std::uint64_t seed) const {
  try {
    runs::EstimateRequest request = request_;
    request.particle.seed = seed;
    runs::RunObserver nobody;  // what is to be said of the start was said of the truth
    return std::make_unique<runs::FilterCase>(request, plan_.study().until.seconds(), *filter_loaded_,
                                              nobody);
  } catch (const core::ModelError& error) {
    throw_located(error, plan_.study(), settings_);
  }
}

StudyCase::Experiment StudyCase::make_experiment(const TrySeeds& seeds) const {
  const kinematics::AssemblyReport start = sampler_ ? sampler_->draw(seeds.truth) : assembly_;
  WatchedMotion motion(runs::simulate_motion(*truth_, *structure_, start, plan_.study().until.seconds()),
                       criteria_, request_.step, num_steps());
  const std::vector<runs::ChosenSensor> sensors = runs::choose_sensors(motion.model(), request_.sensors);
  Experiment experiment;
  for (const runs::Arriving& arriving :
       runs::take_readings(sensors, motion, request_.step, seeds.sensors).arriving)
    experiment.readings.push_back(arriving.reading);
  experiment.outputs = motion.outputs_to_the_end();
  return experiment;
}

double StudyCase::error(const Criterion& criterion, double estimate, double truth) const {
  const double difference = estimate - truth;
  return criterion.is_angle ? std::remainder(difference, 2.0 * std::numbers::pi) : difference;
}

void StudyCase::estimate(const Experiment& experiment, const TrySeeds& seeds, const std::atomic<bool>& stop,
                         const std::optional<std::string>& rows, TryResult& result) const {
  const std::unique_ptr<runs::FilterCase> filter = make_filter(seeds.filter);
  std::vector<double> row(filter->columns().size());
  std::optional<io::ResultWriter> writer;
  if (rows) {
    std::vector<core::Column> columns = filter->columns();
    for (const Criterion& criterion : criteria_)
      columns.push_back({criterion.name + ".true", criterion.unit});
    writer.emplace(*rows, columns);
  }
  const std::int64_t steps = num_steps();
  std::vector<double> squares(criteria_.size(), 0.0), full_row;
  std::int64_t count = 0;
  std::size_t next = 0;
  Clock::duration wall{};
  for (std::int64_t k = 0; k <= steps && !stop; ++k) {
    const auto before = Clock::now();
    if (k > 0) filter->step_through(experiment.readings, next);
    const bool counts = request_.step * k >= plan_.study().rmse_from || k == steps;
    if (counts || writer) filter->fill_row(row);
    wall += Clock::now() - before;
    if (writer) {
      full_row = row;
      for (const std::vector<double>& truth : experiment.outputs)
        full_row.push_back(truth[static_cast<std::size_t>(k)]);
      writer->write_row((request_.step * k).seconds(), full_row);
    }
    if (!counts) continue;
    ++count;
    for (std::size_t c = 0; c < criteria_.size(); ++c)
      squares[c] +=
          std::pow(error(criteria_[c], row[2 * c], experiment.outputs[c][static_cast<std::size_t>(k)]), 2);
  }
  if (stop) return;
  if (writer) writer->finish();
  result.steps = steps;
  result.simulated = (request_.step * steps).seconds();
  result.wall = std::chrono::duration<double>(wall).count();
  result.outcome = TryResult::Outcome::kConverged;
  for (std::size_t c = 0; c < criteria_.size(); ++c) {
    const std::vector<double>& truth = experiment.outputs[c];
    OutputResult output{.start = truth.front(),
                        .end = truth.back(),
                        .estimate = row[2 * c],
                        .sigma = row[2 * c + 1],
                        .error = error(criteria_[c], row[2 * c], truth.back()),
                        .rmse = std::sqrt(squares[c] / static_cast<double>(count))};
    if (!(std::abs(output.error) <= criteria_[c].within)) result.outcome = TryResult::Outcome::kNotConverged;
    result.outputs.push_back(output);
  }
}

std::optional<TryResult> StudyCase::run(std::size_t attempt, const std::atomic<bool>& stop,
                                        const std::optional<std::string>& rows) const {
  TryResult result{.index = {point_, attempt}};
  try {
    const TrySeeds seeds = try_seeds(plan_.seed_of(attempt));
    estimate(make_experiment(seeds), seeds, stop, rows, result);
    if (stop) return std::nullopt;
    for (std::size_t c = 0; c < criteria_.size(); ++c) {
      const OutputResult& output = result.outputs[c];
      for (const double value :
           {output.start, output.end, output.estimate, output.sigma, output.error, output.rmse})
        if (!std::isfinite(value)) fail_not_finite(plan_.study().file_name, criteria_[c].name);
    }
  } catch (const core::ModelError& error) {
    return TryResult{.index = {point_, attempt}, .message = located(error, plan_.study(), settings_).what()};
  }
  return result;
}

}  // namespace eslabon::study
