#include "filter_notes.hpp"

#include <algorithm>

#include "text_page.hpp"
#include <fmt/format.h>

namespace eslabon::cli {

namespace {

using Notes = std::vector<std::string>;

/// Errors of a sensor that are more than noise.
void note_errors(const model::Sensor& sensor, const EstimateOptions& options, Notes& notes) {
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
    notes.push_back(
        fmt::format("sensor '{0}' has a bias that nobody knows, which the filter does not reckon with; "
                    "--unknown bias:{0} "
                    "estimates it.",
                    sensor.name));
  if (is_askew(sensor.errors) || is_askew(second))
    notes.push_back(
        fmt::format("sensor '{}' has errors of gain or mounting, which the filter does not reckon with; more "
                    "'noise' in its "
                    "model makes it believe the sensor less.",
                    sensor.name));
}

/// Dry friction that changes its sign within less than what a step changes the speed by, v = h F/M: where it holds, the derivatives
/// of a step are those of a slope that no step stays on.
void note_stiff_friction(FilterCase& filter, Notes& notes) {
  const double step = filter.run().step_size().seconds();
  const double least_mass = filter.system().point().mass.diagonal().minCoeff();
  for (const model::Joint& joint : filter.mechanism().joints()) {
    if (!joint.friction.is_dry()) continue;
    const double least = 3.0 * step * joint.friction.stiction / least_mass;
    if (joint.friction.creep_speed >= least) continue;
    notes.push_back(fmt::format(
        "friction of joint '{}' is too stiff for steps of {:g} ms: where it holds the estimate is not to be "
        "trusted. Give it 'creep_speed' of {:.2g} or more in the filter's model, or leave it out and "
        "estimate what "
        "is missing with --forces.",
        joint.name, 1e3 * step, least));
  }
}

/// cekf takes readings for signals that are always there.
void note_slow_sensors(FilterCase& filter, Notes& notes) {
  if (filter.estimator().name() != "cekf") return;
  for (const sensing::SensorFacts& facts : filter.facts())
    if (facts.period > filter.run().step_size() * 2)
      notes.push_back(
          fmt::format("cekf takes the readings of '{}' for a signal that is always there; so much slower "
                      "than the steps they "
                      "make it surer than it should be. dekf takes them one by one.",
                      facts.name));
}

}  // namespace

std::vector<std::string> notes_before(const EstimateOptions& options, FilterCase& filter) {
  Notes notes;
  if (!filter.left_out().empty())
    notes.push_back("left out: " + listed(filter.left_out(), 6) +
                    ": a filter does not tell reactions and efforts.");
  for (const sensing::SensorFacts& facts : filter.facts())
    note_errors(*std::ranges::find(filter.mechanism().sensors(), facts.name, &model::Sensor::name), options,
                notes);
  note_stiff_friction(filter, notes);
  note_slow_sensors(filter, notes);
  return notes;
}

std::vector<std::string> notes_after(FilterCase& filter) {
  Notes notes;
  for (std::size_t s = 0; s < filter.facts().size(); ++s) {
    const sensing::StreamCounts& counts = filter.front_end().log().counts(static_cast<int>(s));
    const std::int64_t refused = counts.of(sensing::Outcome::kOutlier) + counts.of(sensing::Outcome::kFailed);
    if (refused <= counts.of(sensing::Outcome::kAccepted)) continue;
    notes.push_back(fmt::format(
        "{} of {} readings of '{}' did not fit the estimate and were refused: the filter has lost the "
        "motion, or "
        "the sensor is not what the file says. Try a larger --start-deviation, --start-rate-deviation or "
        "--velocity-noise.",
        refused, counts.handed_out, filter.facts()[s].name));
  }
  if (filter.run().num_restarts() > 0)
    notes.push_back(
        fmt::format("{} steps led to no state, and the filter began anew at rest: what it tells there is not "
                    "to be trusted.",
                    filter.run().num_restarts()));
  return notes;
}

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) fmt::print(stderr, "eslabon: note: {}\n", note);
}

}  // namespace eslabon::cli
