#include "eslabon/runs/sensing/sense.hpp"

#include <algorithm>
#include <utility>

#include "eslabon/kinematics/drivers/driven_structure.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/runs/motion/time_grid.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/start/released_start.hpp"
#include "eslabon/runs/start/start_note.hpp"

namespace eslabon::runs {

namespace {

/// In a recorded motion the drivers have done their work already.
model::Mechanism released_for(const SenseRequest& request, const model::Mechanism& loaded) {
  check_request(request);
  if (request.truth) return model::without_all_drivers(loaded);
  return for_field("release",
                   [&] { return model::without_drivers(loaded, released_drivers(request.release, loaded)); });
}

/// The same readings; their sensors are numbered, and their tallies ordered, as the mechanism has them.
TakenReadings numbered_as_in(const model::Mechanism& mechanism, const std::vector<ChosenSensor>& chosen,
                             TakenReadings taken) {
  const auto number = [&](std::size_t s) {
    return std::ranges::find(mechanism.sensors(), chosen[s].facts.name, &model::Sensor::name) -
           mechanism.sensors().begin();
  };
  std::vector<SensorTally> tallies(mechanism.sensors().size());
  for (std::size_t s = 0; s < chosen.size(); ++s)
    tallies[static_cast<std::size_t>(number(s))] = taken.tallies[s];
  taken.tallies = std::move(tallies);
  for (Arriving& one : taken.arriving)
    one.reading.sensor = static_cast<int>(number(static_cast<std::size_t>(one.reading.sensor)));
  return taken;
}

}  // namespace

void check_request(const SenseRequest& request) {
  if (request.truth.has_value() == request.until.has_value())
    throw RequestError({.what = request.truth ? "a motion from two sources" : "no motion",
                        .where = field("truth"),
                        .expected = "recorded results with " + field("truth") + ", or " + field("until") +
                                    " to simulate the mechanism",
                        .actual = request.truth ? "both" : "neither",
                        .next = "Give one of them."});
  if (request.truth && !request.release.empty())
    throw RequestError({.what = "a recorded motion has no drivers to release",
                        .where = field("release"),
                        .expected = field("until") + ", to simulate the mechanism",
                        .actual = field("truth"),
                        .next = "Leave " + field("release") + " out."});
  if (request.until) require_positive("until", *request.until);
  require_positive("every", request.every);
}

SenseRun::SenseRun(const model::Mechanism& mechanism, SenseRequest request, RunObserver& observer)
    : request_(std::move(request)),
      loaded_(mechanism),
      mechanism_(released_for(request_, loaded_)),
      structure_(kinematics::analyse_driven_structure(mechanism_)),
      motion_(make_motion(observer)),
      sensors_(choose_sensors(motion_->model(), request_.sensors)) {}

std::unique_ptr<TrueMotion> SenseRun::make_motion(RunObserver& observer) {
  if (request_.truth)
    return recorded_motion(std::move(*request_.truth), loaded_, mechanism_, request_.branch, observer);
  const kinematics::AssemblyReport start =
      assembled_as_driven(loaded_, mechanism_, structure_, request_.branch, observer);
  if (const std::string moved = start_shifts_note(mechanism_, start.bodies, request_.branch); !moved.empty())
    observer.note(moved);
  return simulate_motion(mechanism_, structure_, start, request_.until->seconds());
}

std::vector<sensing::SensorFacts> SenseRun::facts() const {
  std::vector<sensing::SensorFacts> facts;
  for (const ChosenSensor& chosen : sensors_) facts.push_back(chosen.facts);
  return facts;
}

SenseResult SenseRun::run(RunObserver& observer) {
  SenseResult result;
  std::int64_t steps = 0;
  result.taken = take_readings(sensors_, *motion_, request_.every, request_.seed, [&](double part) {
    observer.progress(part);
    result.reached = part * end();
    result.is_complete = !observer.must_stop(++steps);
    return result.is_complete;
  });
  result.notes = motion_->check_rows(sensors_);
  return result;
}

SenseResult sense(const model::Mechanism& mechanism, const SenseRequest& request, RunObserver& observer) {
  SenseRun run(mechanism, request, observer);
  SenseResult result = run.run(observer);
  result.taken = numbered_as_in(run.mechanism(), run.sensors(), std::move(result.taken));
  for (std::string& note : result.notes) note = core::without_marks(note);
  return result;
}

SenseResult sense(const model::Mechanism& mechanism, const SenseRequest& request) {
  RunObserver nobody;
  return sense(mechanism, request, nobody);
}

}  // namespace eslabon::runs
