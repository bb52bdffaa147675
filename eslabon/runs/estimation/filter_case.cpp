#include "eslabon/runs/estimation/filter_case.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/forces/state_variable.hpp"
#include "eslabon/estimation/mechanism/rate_bound.hpp"
#include "eslabon/kinematics/drivers/driven_structure.hpp"
#include "eslabon/model/counted_turns.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/runs/estimation/unknown_states.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/start/chosen_outputs.hpp"
#include "eslabon/runs/start/released_start.hpp"

namespace eslabon::runs {

namespace {

constexpr double kNearZero = 2.0;  // [s] within which readings are taken to count from the start

/// Outputs that a filter can tell: what reactions and efforts are is left to 'simulate'.
std::vector<model::Variable> told_outputs(const model::Mechanism& mechanism, bool are_asked_for,
                                          std::vector<std::string>& left_out) {
  std::vector<model::Variable> told;
  for (const model::Variable& variable : mechanism.outputs()) {
    if (dynamics::is_told_by_state(mechanism, variable)) {
      told.push_back(variable);
      continue;
    }
    left_out.push_back(model::name(mechanism, variable));
    if (are_asked_for)
      throw RequestError(
          {.what = "a filter does not estimate this",
           .where = field("outputs"),
           .expected = "variables of the motion, auxiliary states, forces of springs, dampers and stops, formulas of these",
           .actual = "'" + left_out.back() + "'",
           .next = "Leave it out."});
  }
  return told;
}

/// Of all freedoms where the model starts, lengths in the mechanism's size.
double largest_start_rate(dynamics::ReducedMotion& motion) {
  const dynamics::ReducedPoint start = motion.start();
  double largest = 0.0;
  for (Eigen::Index k = 0; k < motion.num_freedoms(); ++k) {
    const bool is_length = motion.coordinate(k).dimension == core::kLength;
    largest = std::max(largest, std::abs(start.z_dot[k]) / (is_length ? motion.length() : 1.0));
  }
  return largest;
}

}  // namespace

model::Mechanism FilterCase::released_mechanism(const EstimateRequest& request) {
  released_ = released_drivers(request.release, loaded_);
  check_no_released_effort(loaded_, released_, request.outputs);
  if (!request.outputs) left_out_ = efforts_of(released_, loaded_);
  return choose_outputs(for_field("release", [&] { return without_released(loaded_, released_); }),
                        request.outputs, true)
      .mechanism;
}

FilterCase::FilterCase(const EstimateRequest& request, double until, model::Mechanism mechanism,
                       RunObserver& observer)
    : loaded_(std::move(mechanism)),
      mechanism_(released_mechanism(request)),
      structure_(kinematics::analyse_driven_structure(mechanism_)),
      branch_(request.branch),
      assembly_(assembled_as_driven(loaded_, mechanism_, structure_, branch_, observer)),
      model_(mechanism_, structure_, assembly_) {
  prepare_drivers(until, request.until && !request.is_live);
  make_filter(request);
  outputs_ = told_outputs(mechanism_, request.outputs.has_value(), left_out_);
  make_columns();
}

void FilterCase::prepare_drivers(double until, bool is_asked_for) {
  try {
    model_.prepare_drivers(until);
  } catch (const core::ModelError&) {
    if (is_asked_for) throw;  // otherwise readings end where drivers have values, such as those of a table
  }
}

std::vector<estimation::FilterSensor> FilterCase::choose(const EstimateRequest& request, double& latency) {
  std::vector<estimation::FilterSensor> sensors;
  for (const ChosenSensor& chosen : choose_sensors(model_, std::nullopt)) all_facts_.push_back(chosen.facts);
  places_.assign(all_facts_.size(), -1);
  for (const ChosenSensor& chosen : choose_sensors(model_, request.sensors)) {
    const auto place = std::ranges::find(all_facts_, chosen.facts.name, &sensing::SensorFacts::name);
    places_[static_cast<std::size_t>(place - all_facts_.begin())] = static_cast<int>(facts_.size());
    sensors.push_back({chosen.instrument, chosen.facts});
    facts_.push_back(chosen.facts);
    latency = std::max(latency, chosen.sensor.latency);
  }
  return sensors;
}

void FilterCase::make_filter(const EstimateRequest& request) {
  double latency = 0.0;
  const std::vector<estimation::FilterSensor> sensors = choose(request, latency);
  run_options_.step = request.step;
  run_options_.false_alarms = request.gate;
  dynamics::ReducedMotion motion(model_, {});
  estimation::MechanismSystemOptions of_system;
  if (request.integrator) of_system.rule = *request.integrator;
  of_system.noise = {request.position_noise, request.velocity_noise, request.acceleration_noise};
  add_unknowns(request, mechanism_, sensors, static_cast<int>(motion.num_freedoms()), of_system);
  of_system.largest_rate = estimation::largest_rate(
      sensors, request.step, {largest_start_rate(motion), start_deviations(request).rate});
  of_system.compiler = request.compiler;
  // Particles run programs, to the last bit as they are interpreted: what they start from is interpreted too.
  if (request.filter != "particle") of_system.motion_compiler = request.motion_compiler;
  system_ = std::make_unique<estimation::MechanismSystem>(model_, sensors, std::move(of_system));
  estimation::EstimatorOptions of_estimator;
  of_estimator.exact_jacobian = !request.simple_jacobian;
  of_estimator.particle = request.particle.options();
  if (request.filter == "grid" && model::counts_turns(mechanism_))
    throw core::ModelError({.what = "a grid over one turn does not hold this mechanism",
                            .where = "filter 'grid'",
                            .expected = "a mechanism that is where it was when an angle has made a turn",
                            .actual = "couplings, or wheels that roll, which count turns",
                            .next = "Take 'dekf', 'ukf' or 'particle'."});
  estimator_ = estimation::make_estimator(request.filter, *system_, of_estimator);
  tyres_ = std::make_unique<TyreKnowledge>(mechanism_, model_.forces());
  if (!start(request))
    throw core::ModelError(
        {.what = "the filter cannot start",
         .where = "mechanism '" + mechanism_.name() + "'",
         .expected = "a start that closes, with positive deviations",
         .actual = "none",
         .next = "Check " + field("start_deviation") + " and the start values of the mechanism."});
  window_ = window_of(request, latency);
  sensing::FrontEndOptions front_end;
  front_end.window = window_;
  front_end.capacity = 1 << 14;
  // Times of a file were written down: what looks like a jump of all clocks is a gap.
  if (!request.is_live) front_end.clocks.longest_gap = core::Duration::from_nanoseconds(60'000'000'000);
  front_end_ = std::make_unique<sensing::FrontEnd>(facts_, front_end);
  run_ = std::make_unique<estimation::EstimationRun>(*system_, *estimator_, *front_end_, run_options_);
}

bool FilterCase::start(const EstimateRequest& request) {
  const StartDeviations deviations = start_deviations(request);
  const Eigen::VectorXd x = system_->start_state();
  if (request.has_unknown_start) {
    estimation::ManyStates* const states = estimator_->many_states();
    return states != nullptr && states->start_unknown(0.0, {.rate_deviation = deviations.rate});
  }
  Eigen::MatrixXd P = system_->start_covariance(deviations.position, deviations.rate);
  if (!request.start_deviation) tyres_->know_loads(*system_, 0.0, x, P);
  return estimator_->start(0.0, x, P);
}

bool FilterCase::translate(sensing::Reading& reading) const {
  if (reading.sensor < 0 || static_cast<std::size_t>(reading.sensor) >= places_.size())
    throw core::DataError(
        {.what = "a reading of a sensor that the mechanism does not have",
         .where = "mechanism '" + mechanism_.name() + "'",
         .expected = "the number of a sensor, from 0 to " + std::to_string(places_.size() - 1),
         .actual = std::to_string(reading.sensor),
         .next = "Number sensors as the mechanism has them."});
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
  for (Eigen::Index k = moving; k < system_->num_states(); ++k) {
    const estimation::StateInfo& state = system_->states()[static_cast<std::size_t>(k)];
    if (std::ranges::find(columns_, state.name, &core::Column::name) != columns_.end())
      continue;  // an output
    own_columns_.push_back(k);
    add(state.name, core::si_unit(state.dimension));
  }
  columns_.push_back({"observed", "1"});
  columns_.push_back({"constraint_error", "m"});
  recorder_ = std::make_unique<kinematics::VariableRecorder>(mechanism_, outputs_);
  values_.assign(outputs_.size(), 0.0);
  sigmas_.assign(outputs_.size(), 0.0);
  own_before_ = values_;
  estimation::Particles* const particles = estimator_->particles();
  has_own_outputs_ = particles != nullptr && particles->set_outputs(output_instruments_);
  y_.resize(1);
  deviation_.resize(1);
  gradient_.resize(system_->num_states());
  H_.resize(1, system_->num_states());
  HP_.resize(1, system_->num_states());
}

void FilterCase::step() {
  const estimation::Particles* const particles = estimator_->particles();
  const long resamplings = particles != nullptr ? particles->num_resamplings() : 0,
             recoveries = particles != nullptr ? particles->num_recoveries() : 0;
  const auto before = std::chrono::steady_clock::now();
  run_->step();
  const auto taken = std::chrono::steady_clock::now() - before;
  step_times_.add(
      core::Duration::from_nanoseconds(std::chrono::duration_cast<std::chrono::nanoseconds>(taken).count()));
  if (particles == nullptr) return;
  const auto more = [](long now, long earlier) { return now >= earlier ? now - earlier : now; };
  resamplings_ += more(particles->num_resamplings(), resamplings);
  recoveries_ += more(particles->num_recoveries(), recoveries);
}

void FilterCase::step_through(std::span<const sensing::Reading> readings, std::size_t& next) {
  const core::Instant target = run_->now() + run_->step_size();
  while (next < readings.size() && front_end_->has_room() &&
         !(front_end_->settled() && *front_end_->settled() >= target))
    front_end_->receive(readings[next++]);
  if (next == readings.size()) front_end_->flush();
  step();
}

bool FilterCase::read_outputs() {
  const Eigen::VectorXd& x = estimator_->mean();
  const Eigen::MatrixXd& P = estimator_->covariance();
  const estimation::ObservabilityMonitor& monitor = run_->observability();
  bool is_observed = true;
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    if (!system_->read(estimator_->t(), x, *output_instruments_[k], y_, H_)) {
      is_observed = false;  // the run goes on: what was known last, and not to be trusted
      continue;
    }
    gradient_ = H_.row(0);
    HP_.noalias() = H_.lazyProduct(P);
    values_[k] = y_[0] + output_instruments_[k]->channels().front().origin;
    sigmas_[k] = std::sqrt(std::max(0.0, HP_.row(0).dot(H_.row(0))));
    if (outputs_[k].kind == model::VariableKind::kTyre && !has_own_outputs_)
      sigmas_[k] = tyres_->deviation(std::get<model::TyreIndex>(outputs_[k].element).slot(), *system_,
                                     estimator_->t(), x, *output_instruments_[k], gradient_, sigmas_[k]);
    is_observed &= monitor.is_observed(gradient_);
  }
  if (has_own_outputs_)
    read_own_outputs();
  else
    recorder_->record(estimator_->t(), system_->point().bodies, values_);
  return is_observed;
}

void FilterCase::read_own_outputs() {
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    estimator_->particles()->read_output(static_cast<int>(k), y_, deviation_);
    if (!std::isfinite(deviation_[0])) continue;  // nobody can tell it: what was known last
    const sensing::Channel& channel = output_instruments_[k]->channels().front();
    values_[k] = channel.is_angle && num_rows_ > 0 ? coordinates::unwrapped(y_[0], own_before_[k])
                                                   : y_[0] + channel.origin;
    own_before_[k] = values_[k];
    sigmas_[k] = deviation_[0];
  }
}

/// What filters of many hypotheses are judged by, which have no tangents: their own deviations.
bool FilterCase::knows_freedoms() {
  const Eigen::MatrixXd& P = estimator_->covariance();
  for (Eigen::Index k = 0; k < system_->num_freedoms(); ++k)
    if (!(std::sqrt(P(k, k)) <=
          run_options_.observability.limit * system_->states()[static_cast<std::size_t>(k)].unknown_scale))
      return false;
  return true;
}

void FilterCase::fill_row(std::span<double> row) {
  const Eigen::VectorXd& x = estimator_->mean();
  const Eigen::MatrixXd& P = estimator_->covariance();
  const estimation::ObservabilityMonitor& monitor = run_->observability();
  const bool are_tyres_known = has_own_outputs_ || tyres_->judge(*system_, estimator_->t(), x, P);
  bool is_observed = read_outputs();
  std::size_t at = 0;
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    row[at++] = values_[k];
    row[at++] = sigmas_[k];
  }
  for (const Eigen::Index k : own_columns_) {
    row[at++] = x[k];
    row[at++] = std::sqrt(std::max(0.0, P(k, k)));
  }
  if (outputs_.empty())
    for (Eigen::Index k = 0; k < 2 * system_->num_freedoms(); ++k) is_observed &= monitor.is_observed(k);
  // At the start there has not been time for readings; a filter that had to begin anew is lost.
  const bool is_starting = !monitor.is_ready() && run_->num_restarts() == 0;
  is_observed = has_own_outputs_ ? knows_freedoms() : is_starting || (monitor.is_ready() && is_observed);
  is_observed &= are_tyres_known && !run_->lost_time().is_lost(run_->now());
  row[at++] = is_observed ? 1.0 : 0.0;
  row[at++] = run_->constraint_error();
  unobserved_.add(run_->now().seconds(), is_observed);
  ++num_rows_;
}

const coordinates::MechanismMotion& FilterCase::find_bodies() {
  X_WB_.resize(system_->num_bodies());
  estimation::Particles* const particles = estimator_->particles();
  if (particles == nullptr || !particles->find_poses(X_WB_)) return system_->point().bodies;
  bodies_.resize(X_WB_.size() + 1);
  for (std::size_t b = 0; b < X_WB_.size(); ++b) bodies_[b + 1].X_WB = X_WB_[b];
  return bodies_;
}

}  // namespace eslabon::runs
