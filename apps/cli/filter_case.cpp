#include "filter_case.hpp"

#include <algorithm>
#include <cmath>

#include "command_line.hpp"
#include "motion_output.hpp"
#include "released_start.hpp"
#include <fmt/format.h>

#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/core/error.hpp"
#include "eslabon/io/model_source.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::cli {

namespace {

constexpr double kNearZero = 2.0;  // [s] within which readings are taken to count from the start

/// Outputs that a filter can tell: what reactions and efforts are is left to 'simulate'.
std::vector<model::Variable> told_outputs(const model::Mechanism& mechanism, bool are_asked_for) {
  std::vector<model::Variable> told;
  for (const model::Variable& variable : mechanism.outputs()) {
    const bool is_told = !kinematics::needs_forces(variable) ||
                         variable.kind == model::VariableKind::kElementForce ||
                         variable.kind == model::VariableKind::kJointFriction;
    if (is_told)
      told.push_back(variable);
    else if (are_asked_for)
      throw CommandLineError({.what = "a filter does not tell this",
                              .where = "--outputs",
                              .expected = "variables of the motion, forces of springs, dampers and stops",
                              .actual = "'" + model::name(mechanism, variable) + "'",
                              .next = "Leave it out."});
  }
  return told;
}

/// A note about errors of a sensor that the filter does not reckon with.
void print_ignored_errors(const model::Sensor& sensor, const EstimateOptions& options) {
  const auto wanders = [](const model::SensorErrors& errors) {
    return errors.turn_on_bias > 0.0 || errors.drift > 0.0;
  };
  const auto is_askew = [](const model::SensorErrors& errors) {
    return errors.scale > 0.0 || errors.misalignment > 0.0;
  };
  const model::SensorErrors& second =
      sensor.accelerometer_errors ? *sensor.accelerometer_errors : sensor.errors;
  const bool has_bias = std::ranges::any_of(
      options.unknown, [&](const std::string& text) { return text.starts_with("bias:" + sensor.name); });
  if (!has_bias && (wanders(sensor.errors) || wanders(second)))
    fmt::print(
        stderr,
        "eslabon: note: sensor '{0}' has a bias that nobody knows, which the filter does not reckon with; "
        "--unknown bias:{0} estimates it.\n",
        sensor.name);
  if (is_askew(sensor.errors) || is_askew(second))
    fmt::print(
        stderr,
        "eslabon: note: sensor '{}' has errors of gain or mounting, which the filter does not reckon with; "
        "more 'noise' in its model makes it believe the sensor less.\n",
        sensor.name);
}

/// A note about dry friction that changes its sign within less than what a step changes the speed by, v = h F/M: where it holds, the
/// derivatives of a step are those of a slope that no step stays on.
void print_stiff_friction(estimation::MechanismSystem& system, double step) {
  for (const model::Joint& joint : system.motion().model().mechanism().joints()) {
    if (!joint.friction.is_dry()) continue;
    const double least = 3.0 * step * joint.friction.stiction / system.point().mass.diagonal().minCoeff();
    if (joint.friction.creep_speed >= least) continue;
    fmt::print(stderr,
               "eslabon: note: friction of joint '{}' is too stiff for steps of {:g} ms: where it holds the "
               "estimate is not "
               "to be trusted. Give it 'creep_speed' of {:.2g} or more in the filter's model, or leave it "
               "out and estimate "
               "what is missing with --forces.\n",
               joint.name, 1e3 * step, least);
  }
}

}  // namespace

model::Mechanism FilterCase::load(const EstimateOptions& options, model::Mechanism& loaded,
                                  std::vector<std::string>& released) {
  released = released_drivers(options.release, loaded);
  return select_outputs(naming("--release", [&] { return model::without_drivers(loaded, released); }),
                        options.outputs, true)
      .mechanism;
}

FilterCase::FilterCase(const EstimateOptions& options, double until)
    : loaded_(io::load_model(options.model, options.set)),
      mechanism_(load(options, loaded_, released_)),
      structure_(structure::analyse_structure(mechanism_)),
      assembly_(assembled_as_driven(loaded_, mechanism_, structure_, options.branch)),
      model_(mechanism_, structure_, assembly_, until) {
  make_filter(options);
  outputs_ = told_outputs(mechanism_, options.outputs.has_value());
  make_columns();
}

void FilterCase::make_filter(const EstimateOptions& options) {
  std::vector<estimation::FilterSensor> sensors;
  double latency = 0.0;
  for (const ChosenSensor& chosen : choose_sensors(mechanism_, std::nullopt, model_.forces()))
    all_facts_.push_back(chosen.facts);
  places_.assign(all_facts_.size(), -1);
  for (const ChosenSensor& chosen : choose_sensors(mechanism_, options.sensors, model_.forces())) {
    const auto place = std::ranges::find(all_facts_, chosen.facts.name, &sensing::SensorFacts::name);
    places_[static_cast<std::size_t>(place - all_facts_.begin())] = static_cast<int>(facts_.size());
    sensors.push_back({chosen.instrument, chosen.facts});
    facts_.push_back(chosen.facts);
    latency = std::max(latency, chosen.sensor->latency);
    print_ignored_errors(*chosen.sensor, options);
  }
  const int num_freedoms = static_cast<int>(dynamics::ReducedMotion(model_, {}).num_freedoms());
  system_ = std::make_unique<estimation::MechanismSystem>(
      model_, sensors, read_system_options(options, mechanism_, sensors, num_freedoms));
  print_stiff_friction(*system_, read_run_options(options).step.seconds());
  estimator_ = estimation::make_estimator(options.filter, *system_, read_estimator_options(options));
  const StartDeviations deviations = read_start_deviations(options);
  const Eigen::VectorXd x = system_->start_state();
  if (!estimator_->start(0.0, x, system_->start_covariance(deviations.position, deviations.rate)))
    throw core::ModelError({.what = "the filter cannot start",
                            .where = "mechanism '" + mechanism_.name() + "'",
                            .expected = "a start that closes, with positive deviations",
                            .actual = "none",
                            .next = "Check --start-deviation and the start values of the mechanism."});
  window_ = read_window(options, latency);
  sensing::FrontEndOptions front_end;
  front_end.window = window_;
  front_end.capacity = 1 << 14;
  // Times of a file were written down: what looks like a jump of all clocks is a gap.
  if (!options.live) front_end.clocks.longest_gap = core::Duration::from_nanoseconds(60'000'000'000);
  front_end_ = std::make_unique<sensing::FrontEnd>(facts_, front_end);
  run_options_ = read_run_options(options);
  run_ = std::make_unique<estimation::EstimationRun>(*system_, *estimator_, *front_end_, run_options_);
}

bool FilterCase::translate(sensing::Reading& reading) const {
  reading.sensor = places_[static_cast<std::size_t>(reading.sensor)];
  return reading.sensor >= 0;
}

void FilterCase::begin_near(core::Instant first) {
  if (first.nanoseconds() >= 0 && first.seconds() <= kNearZero) return;
  const std::int64_t step = run_options_.step.nanoseconds();
  const std::int64_t before = first.nanoseconds() / step - (first.nanoseconds() % step < 0 ? 2 : 1);
  begin_ = core::Instant::at(core::Duration::from_nanoseconds(before * step));
  run_ =
      std::make_unique<estimation::EstimationRun>(*system_, *estimator_, *front_end_, run_options_, begin_);
}

void FilterCase::make_columns() {
  const auto add = [&](const std::string& name, const std::string& unit) {
    columns_.push_back({name, unit});
    columns_.push_back({name + ".sigma", unit});
  };
  for (const model::Variable& variable : outputs_) {
    output_instruments_.push_back(sensing::make_instrument(mechanism_, variable, model_.forces()));
    add(model::name(mechanism_, variable), std::string(model::unit(mechanism_, variable)));
  }
  const Eigen::Index moving = 2 * system_->num_freedoms();
  for (Eigen::Index k = moving; k < system_->num_states(); ++k)
    add(system_->states()[static_cast<std::size_t>(k)].name,
        system_->states()[static_cast<std::size_t>(k)].unit);
  columns_.push_back({"observed", "1"});
  columns_.push_back({"constraint_error", "m"});
  before_.assign(outputs_.size(), 0.0);
  euler_before_.assign(mechanism_.bodies().size(), Eigen::Vector4d::Zero());
  sigma_before_.assign(outputs_.size(), 0.0);
  y_.resize(1);
  gradient_.resize(system_->num_states());
  H_.resize(1, system_->num_states());
  HP_.resize(1, system_->num_states());
}

double FilterCase::euler_sign(model::BodyIndex body) const {
  const Eigen::Vector4d e = system_->point().bodies[body.slot()].X_WB.R_AB.to_euler_parameters();
  return e.dot(euler_before_[body.slot()]) < 0.0 ? -1.0 : 1.0;
}

void FilterCase::fill_row(std::span<double> row) {
  const Eigen::VectorXd& x = estimator_->mean();
  const Eigen::MatrixXd& P = estimator_->covariance();
  const estimation::ObservabilityMonitor& monitor = run_->observability();
  bool is_observed = true;
  std::size_t at = 0;
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    if (!system_->read(estimator_->t(), x, *output_instruments_[k], y_, H_)) {
      // The run goes on: what was known last, and not to be trusted.
      is_observed = false;
      row[at] = before_[k];
      row[at + 1] = sigma_before_[k];
      at += 2;
      continue;
    }
    double value = y_[0];
    if (has_row_ && output_instruments_[k]->channels().front().is_angle)
      value = coordinates::unwrapped(value, before_[k]);
    if (outputs_[k].kind == model::VariableKind::kBodyEulerParameter)
      value *= euler_sign(std::get<model::BodyIndex>(outputs_[k].element));
    before_[k] = value;
    HP_.noalias() = H_.lazyProduct(P);
    gradient_ = H_.row(0);
    is_observed &= monitor.is_observed(gradient_);
    sigma_before_[k] = std::sqrt(std::max(0.0, HP_.row(0).dot(H_.row(0))));
    row[at++] = value;
    row[at++] = sigma_before_[k];
  }
  for (Eigen::Index k = 2 * system_->num_freedoms(); k < x.size(); ++k) {
    row[at++] = x[k];
    row[at++] = std::sqrt(std::max(0.0, P(k, k)));
  }
  if (outputs_.empty())
    for (Eigen::Index k = 0; k < 2 * system_->num_freedoms(); ++k) is_observed &= monitor.is_observed(k);
  // At the start there has not been time for readings; a filter that had to begin anew is lost.
  const bool is_starting = !monitor.is_ready() && run_->num_restarts() == 0;
  row[at++] = is_starting || (monitor.is_ready() && is_observed) ? 1.0 : 0.0;
  row[at++] = system_->constraint_error();
  for (std::size_t b = 1; b < euler_before_.size(); ++b) {
    const Eigen::Vector4d e = system_->point().bodies[b].X_WB.R_AB.to_euler_parameters();
    euler_before_[b] = euler_sign(model::BodyIndex(static_cast<int>(b))) * e;
  }
  has_row_ = true;
}

}  // namespace eslabon::cli
