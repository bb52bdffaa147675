#include "eslabon/runs/estimation/filter_notes.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/dynamics/mass/mass_factors.hpp"
#include "eslabon/dynamics/reduced/reduced_motion.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/start/start_note.hpp"

namespace eslabon::runs {

namespace {

using Notes = std::vector<std::string>;

/// Errors of a sensor that are more than noise.
void note_errors(const model::Sensor& sensor, const EstimateRequest& request, Notes& notes) {
  const auto wanders = [](const model::SensorErrors& errors) {
    return errors.turn_on_bias > 0.0 || errors.drift > 0.0;
  };
  const auto is_askew = [](const model::SensorErrors& errors) {
    return errors.scale > 0.0 || errors.misalignment > 0.0;
  };
  const model::SensorErrors& second =
      sensor.accelerometer_errors ? *sensor.accelerometer_errors : sensor.errors;
  const bool has_bias = std::ranges::any_of(request.unknown, [&](const UnknownRequest& unknown) {
    return unknown.kind == UnknownRequest::Kind::kBias && unknown.name.starts_with(sensor.name);
  });
  if (!has_bias && (wanders(sensor.errors) || wanders(second)))
    notes.push_back(fmt::format(
        "sensor '{0}' has an unknown bias, which the filter does not model; {1} bias:{0} estimates it.",
        sensor.name, field("unknown")));
  if (is_askew(sensor.errors) || is_askew(second))
    notes.push_back(
        fmt::format("sensor '{}' has gain or mounting errors, which the filter does not model; more "
                    "'noise' in its "
                    "model makes it trust the sensor less.",
                    sensor.name));
}

/// By how much the speed of a joint changes at most in 1 s for an effort of 1 N m or 1 N in it, where the model starts.
double largest_mobility(dynamics::ReducedMotion& motion, const dynamics::ReducedPoint& start,
                        const model::Joint& joint) {
  const bool is_ball = model::is_ball(joint.type);
  const Eigen::Index rows = is_ball ? 3 : model::coordinate_count(joint.type), f = motion.num_freedoms();
  Eigen::MatrixXd J(f, rows);  // of its accelerations by z̈, a column for each of them
  coordinates::MechanismMotionOf<core::Dual<double>> bodies;
  for (Eigen::Index k = 0; k < f; ++k) {
    motion.lift_acceleration(start, k, bodies);
    const auto relative = coordinates::relative_motion(joint, bodies);
    for (int row = 0; row < rows; ++row)
      J(k, row) = is_ball ? relative.alpha[row].derivative
                          : coordinates::joint_coordinate(joint.type, row, relative).acceleration.derivative;
  }
  dynamics::MassFactors factors;
  Eigen::MatrixXd mass = start.mass;
  if (!factors.factor(mass)) return 0.0;
  double largest = 0.0;
  for (Eigen::Index row = 0; row < rows; ++row) {
    Eigen::VectorXd z_ddot = J.col(row);
    factors.solve(z_ddot);
    largest = std::max(largest, J.col(row).dot(z_ddot));  // Jᵀ M⁻¹ J
  }
  return largest;
}

/// Dry friction that changes its sign within less than what a step changes the speed by, v = h F Jᵀ M⁻¹ J: where it holds, the
/// derivatives of a step are those of a slope that no step stays on. It is judged where the model starts, whenever it is asked for.
void note_stiff_friction(FilterCase& filter, Notes& notes) {
  const double step = filter.run().step_size().seconds();
  std::optional<dynamics::ReducedMotion> motion;
  std::optional<dynamics::ReducedPoint> start;
  for (const model::Joint& joint : filter.mechanism().joints()) {
    if (!joint.friction.is_dry()) continue;
    if (!motion)
      start = motion.emplace(filter.system().motion().model(), std::vector<dynamics::Unknown>()).start();
    const double least = 3.0 * step * joint.friction.stiction * largest_mobility(*motion, *start, joint);
    if (joint.friction.creep_speed >= least) continue;
    notes.push_back(fmt::format(
        "friction of joint '{}' is too stiff for steps of {:g} ms: where it holds the estimate is not to be "
        "trusted. Give it 'creep_speed' of {:.2g} {} or more in the filter's model, or leave it out and "
        "estimate what "
        "is missing with {}.",
        joint.name, 1e3 * step, least,
        model::coordinate_dimension(joint.type, 0) == core::kLength ? "m/s" : "rad/s", field("forces")));
  }
}

/// cekf takes readings for signals that are always there.
void note_slow_sensors(FilterCase& filter, Notes& notes) {
  if (filter.estimator().name() != "cekf") return;
  for (const sensing::SensorFacts& facts : filter.facts())
    if (facts.period > filter.run().step_size() * 2)
      notes.push_back(
          fmt::format("cekf treats the readings of '{}' as a continuous signal; so much slower than the "
                      "steps, they make it overconfident. dekf processes them one by one.",
                      facts.name));
}

}  // namespace

std::vector<std::string> notes_before(const EstimateRequest& request, FilterCase& filter) {
  Notes notes;
  if (!request.has_unknown_start)
    if (std::string moved = start_shifts_note(filter.mechanism(), filter.start_bodies(), filter.branch());
        !moved.empty())
      notes.push_back(std::move(moved));
  if (!filter.left_out().empty())
    notes.push_back("left out: " + core::listed(filter.left_out(), 6) +
                    ": a filter does not estimate reactions and efforts.");
  for (const sensing::SensorFacts& facts : filter.facts())
    note_errors(*std::ranges::find(filter.mechanism().sensors(), facts.name, &model::Sensor::name), request,
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
        "the sensor is not what the mechanism says. Try a larger {}, {} or {}.",
        refused, counts.handed_out, filter.facts()[s].name, field("start_deviation"),
        field("start_rate_deviation"), field("velocity_noise")));
  }
  if (const TyreKnowledge& tyres = filter.tyres(); tyres.num_doubted() > 0 && !tyres.is_mostly_doubted())
    notes.push_back(
        fmt::format("in {} of {} the filter does not know whether tyre '{}' or another touches the road, "
                    "where loads bend: "
                    "these have observed = 0.",
                    tyres.num_doubted(), core::counted(static_cast<std::size_t>(tyres.num_judged()), "row"),
                    tyres.most_doubted()));
  if (filter.run().num_restarts() > 0)
    notes.push_back(
        fmt::format("{} no state followed that the mechanism can have and the sensors can resolve, and the "
                    "filter restarted at rest: its "
                    "estimates there are not to be trusted.",
                    core::counted(static_cast<std::size_t>(filter.run().num_restarts()), "time")));
  return notes;
}

}  // namespace eslabon::runs
