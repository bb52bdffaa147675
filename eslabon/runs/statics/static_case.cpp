#include "eslabon/runs/statics/static_case.hpp"

#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/dynamics/forces/passed_stop.hpp"
#include "eslabon/integration/driver_limit.hpp"
#include "eslabon/kinematics/drivers/driven_structure.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/model/own_origin.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/start/released_start.hpp"
#include "eslabon/runs/start/start_note.hpp"

namespace eslabon::runs {

StaticCase::StaticCase(const StaticRequest& request, const model::Mechanism& with_drivers,
                       const model::Mechanism& mechanism, double until, RunObserver& observer)
    : structure_(kinematics::analyse_driven_structure(mechanism)),
      assembly_(assembled_as_driven(with_drivers, mechanism, structure_, request.branch, observer)),
      model_(mechanism, structure_, assembly_),
      held_(model_, dynamics::FreedomChart::Drivers::kHeld) {
  model_.prepare_drivers(until);
  const std::string shifts = start_shifts_note(mechanism, assembly_.bodies, request.branch);
  if (!shifts.empty()) observer.note(shifts);
}

dynamics::State StaticCase::start(double t) {
  dynamics::State state;
  if (held_.start(t, state) == dynamics::ChartStatus::kGood) return state;
  constexpr const char* kNotReached = "the drivers cannot be brought to where they are at this time";
  const std::string advice =
      "Take an earlier " + field("time") + ", or release the driver with " + field("release") + ".";
  if (std::optional<core::ErrorText> limit = integration::driver_limit(model_, t, t)) {
    limit->what = kNotReached;
    limit->next = advice;
    throw core::ModelError(*limit);
  }
  throw core::ModelError({.what = kNotReached,
                          .where = "mechanism '" + mechanism().name() + "'",
                          .expected = "a way on which the joints stay closed",
                          .actual = fmt::format("a singular position at t = {:.6g} s", state.t),
                          .next = advice});
}

std::vector<HeldDriver> StaticCase::held_drivers(double t) const {
  std::vector<coordinates::CoordinateValue> values(model_.prescribed().size());
  model_.evaluate_drivers_or_throw(t, values);
  std::vector<HeldDriver> held;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const model::Driver& driver = mechanism().drivers()[i];
    held.push_back({driver.name, values[i].position + model::origin_part(mechanism(), driver.target),
                    std::string(model::unit(mechanism(), driver.target))});
  }
  return held;
}

model::Mechanism without_holding(const model::Mechanism& mechanism, RunObserver& observer) {
  constexpr std::size_t kMostJoints = 8;
  std::vector<std::string> joints;
  for (const model::Joint& joint : mechanism.joints())
    if (joint.friction.is_dry()) joints.push_back(joint.name);
  if (joints.empty()) return mechanism;
  observer.note(fmt::format("dry friction of {} is left out: at rest it holds a whole range of positions.",
                            core::listed(joints, kMostJoints)));
  return model::without_dry_friction(mechanism);
}

void check_within_stops(const dynamics::DynamicModel& model, const dynamics::State& state,
                        const coordinates::MechanismMotion& bodies) {
  std::optional<core::ErrorText> passed = dynamics::find_passed_stop(model, state.t, bodies, state.memory);
  if (!passed) return;
  passed->what = "the position lies beyond a rigid stop";
  passed->next = kRigidStops;
  throw core::ModelError(*passed);
}

std::vector<std::string> freedom_names(dynamics::FreedomChart& chart, const dynamics::State& state) {
  std::vector<std::string> names;
  if (chart.num_freedoms() == 0 || chart.centre_at_named(state) != dynamics::ChartStatus::kGood) return names;
  for (const int column : chart.named_columns())
    names.push_back(chart.system().coordinates()[static_cast<std::size_t>(column)].name);
  return names;
}

}  // namespace eslabon::runs
