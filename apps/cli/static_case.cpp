#include "static_case.hpp"

#include "command_line.hpp"
#include "model_options.hpp"
#include "released_start.hpp"
#include "shown_digits.hpp"
#include "start_note.hpp"
#include "text_page.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/dynamics/passed_stop.hpp"
#include "eslabon/integration/driver_limit.hpp"
#include "eslabon/kinematics/driven_structure.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/model/own_origin.hpp"

namespace eslabon::cli {

namespace {

constexpr std::size_t kMostWords = 8;

}  // namespace

void add_static_options(CLI::App& command, StaticOptions& options) {
  add_model_word(command, options.model);
  command
      .add_option("--time", options.time,
                  "Time at which loads and drivers are evaluated and held, in s or with a unit [0]")
      ->type_name("TIME")
      ->group(kTimeOptions);
  add_release_option(command, options.release);
  add_branch_option(command, options.branch);
  add_outputs_option(command, options.outputs);
  add_set_option(command, options.set);
}

double read_static_time(const std::optional<std::string>& text) {
  return text ? read_time_from_zero("--time", "time of the loads and drivers", *text).seconds() : 0.0;
}

StaticCase::StaticCase(const StaticOptions& options, const model::Mechanism& with_drivers,
                       const model::Mechanism& mechanism, double until)
    : mechanism_(mechanism),
      structure_(kinematics::analyse_driven_structure(mechanism)),
      assembly_(assembled_as_driven(with_drivers, mechanism, structure_, options.branch)),
      model_(mechanism, structure_, assembly_),
      held_(model_, dynamics::FreedomChart::Drivers::kHeld) {
  model_.prepare_drivers(until);
  print_start_shifts(mechanism, assembly_.bodies, options.branch);
}

dynamics::State StaticCase::start(double t) {
  dynamics::State state;
  if (held_.start(t, state) == dynamics::ChartStatus::kGood) return state;
  constexpr const char* kNotReached = "the drivers cannot be brought to where they are at this time";
  if (std::optional<core::ErrorText> limit = integration::driver_limit(model_, t, t)) {
    limit->what = kNotReached;
    limit->next = "Take an earlier --time, or release the driver with --release.";
    throw core::ModelError(*limit);
  }
  throw core::ModelError({.what = kNotReached,
                          .where = "mechanism '" + mechanism_.name() + "'",
                          .expected = "a way on which the joints stay closed",
                          .actual = fmt::format("a singular position at t = {:.6g} s", state.t),
                          .next = "Take an earlier --time, or release the driver with --release."});
}

model::Mechanism without_holding(const model::Mechanism& mechanism) {
  std::vector<std::string> joints;
  for (const model::Joint& joint : mechanism.joints())
    if (joint.friction.is_dry()) joints.push_back(joint.name);
  if (joints.empty()) return mechanism;
  fmt::print(stderr,
             "eslabon: note: dry friction of {} is left out: at rest it holds a whole range of positions.\n",
             listed(joints, kMostWords));
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

std::string held_text(const dynamics::DynamicModel& model, double t) {
  std::vector<coordinates::CoordinateValue> values(model.prescribed().size());
  model.evaluate_drivers(t, values);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const model::Driver& driver = model.mechanism().drivers()[i];
    const std::string unit = model::unit(model.mechanism(), driver.target);
    const double told = values[i].position + model::origin_part(model.mechanism(), driver.target);
    words.push_back(fmt::format("{} at {:.{}g} {}", driver.name, told, shown_digits(told, unit, 6), unit));
  }
  return words.empty() ? "" : listed(words, kMostWords);
}

std::string freedoms_text(dynamics::FreedomChart& chart, const dynamics::State& state) {
  if (chart.num_freedoms() == 0) return "0: the drivers hold everything";
  std::vector<std::string> names;
  if (chart.centre_at_named(state) == dynamics::ChartStatus::kGood)
    for (const int column : chart.named_columns())
      names.push_back(chart.system().coordinates()[static_cast<std::size_t>(column)].name);
  return fmt::format("{}: {}", chart.num_freedoms(), listed(names, kMostWords));
}

}  // namespace eslabon::cli
