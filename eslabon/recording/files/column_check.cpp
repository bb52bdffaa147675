#include "eslabon/recording/files/column_check.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "eslabon/core/text/dotted_name.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/dynamics/reactions/joint_reaction.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/measurements/measurement_parser.hpp"
#include "eslabon/io/quantities/quantity.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/sensing/instrument.hpp"

namespace eslabon::recording {

namespace {

/// What runs add to the variables of a mechanism, whatever it is.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kOfEveryMechanism{{
    {"energy", "J"},
    {"constraint_error", "m"},
    {"power", "W"},
    {"power_balance", "W"},
    {"observed", "1"},
    {"solution", "1"},
    {"stability", "1"},
    {"softest_square", "1/s^2"},
}};

/// Of the variable of this name; none where the mechanism has no such variable.
std::optional<core::Dimension> dimension_of_variable(const model::Mechanism& mechanism,
                                                     std::string_view name) {
  try {
    return model::dimension(mechanism, model::find_variable(mechanism, name));
  } catch (const core::ModelError&) {
    return std::nullopt;
  }
}

std::optional<std::string> unit_of_variable(const model::Mechanism& mechanism, std::string_view name) {
  const auto dimension = dimension_of_variable(mechanism, name);
  return dimension ? std::optional(core::si_unit(*dimension)) : std::nullopt;
}

/// Of an actuator that `inverse --actuators` names by the variable along which it pushes: "B.q.effort".
std::optional<std::string> unit_of_actuator(const model::Mechanism& mechanism, std::string_view name) {
  constexpr std::string_view kEffort = ".effort";
  if (!name.ends_with(kEffort)) return std::nullopt;
  const auto along = dimension_of_variable(mechanism, name.substr(0, name.size() - kEffort.size()));
  if (!along || !core::is_position(*along)) return std::nullopt;
  return core::si_unit(core::effort_along(*along));
}

/// Of a reaction in the frame of a joint: "A.frame.fx".
std::optional<std::string> unit_of_frame_reaction(const model::Mechanism& mechanism, std::string_view name) {
  constexpr std::string_view kFrame = ".frame.";
  const auto at = name.find(kFrame);
  if (at == name.npos) return std::nullopt;
  const bool has_joint = std::ranges::any_of(
      mechanism.joints(), [&](const model::Joint& joint) { return joint.name == name.substr(0, at); });
  const std::string_view component = name.substr(at + kFrame.size());
  for (const std::size_t k : dynamics::reaction_components(mechanism.is_planar()))
    if (has_joint && component == dynamics::kComponentNames[k]) return k < 3 ? "N" : "N*m";
  return std::nullopt;
}

template <class Elements>
bool has_element(const Elements& elements, std::string_view name) {
  return std::ranges::any_of(elements, [&](const auto& element) { return element.name == name; });
}

/// The channels of the sensors of a mechanism with their units.
class Channels {
 public:
  explicit Channels(const model::Mechanism& mechanism) {
    const dynamics::AppliedForces forces(mechanism);
    for (const model::Sensor& sensor : mechanism.sensors()) {
      try {
        const sensing::SensorFacts facts =
            sensing::sensor_facts(sensor, *sensing::make_instrument(mechanism, sensor, forces));
        for (std::size_t c = 0; c < facts.channels.size(); ++c) {
          units_.emplace(io::column_name(facts, c), core::si_unit(facts.channels[c].dimension));
          unit_of_channel_.emplace(facts.channels[c].name, core::si_unit(facts.channels[c].dimension));
        }
      } catch (const core::ModelError&) {
        not_computed_.insert(sensor.name);  // reads a reaction: its readings come from elsewhere
      }
    }
  }
  bool is_of_any_unit(std::string_view name) const {
    const auto is_one = [&](std::string_view sensor) { return not_computed_.contains(std::string(sensor)); };
    return !core::leading_name(name, is_one).empty();
  }
  /// Of a column of a measurement file.
  std::optional<std::string> unit(std::string_view column) const { return found_in(units_, column); }
  /// Of a channel, as filters call it.
  std::optional<std::string> unit_of_channel(std::string_view channel) const {
    return found_in(unit_of_channel_, channel);
  }

 private:
  using Units = std::map<std::string, std::string, std::less<>>;
  static std::optional<std::string> found_in(const Units& units, std::string_view name) {
    const auto found = units.find(name);
    return found == units.end() ? std::nullopt : std::optional(found->second);
  }

  Units units_, unit_of_channel_;
  std::set<std::string> not_computed_;
};

/// Of what a filter estimates beside the motion: "mass:crank", "force:A.q", "bias:gyroscope".
std::optional<std::string> unit_of_unknown(const model::Mechanism& mechanism, std::string_view name) {
  const auto colon = name.find(':');
  if (colon == name.npos) return std::nullopt;
  const std::string_view kind = name.substr(0, colon), of = name.substr(colon + 1);
  if (kind == "bias") return Channels(mechanism).unit_of_channel(of);
  if (kind == "force") {
    const auto along = dimension_of_variable(mechanism, of);
    return along ? std::optional(core::si_unit(core::effort_along(*along))) : std::nullopt;
  }
  const bool is_factor = (kind == "mass" && has_element(mechanism.bodies(), of)) ||
                         (kind == "stiffness" && has_element(mechanism.springs(), of)) ||
                         (kind == "damping" && has_element(mechanism.dampers(), of)) ||
                         (kind == "friction" && has_element(mechanism.joints(), of));
  return is_factor ? std::optional<std::string>("1") : std::nullopt;
}

/// Unit of a column that runs of this mechanism can write; none where they write no such column.
std::optional<std::string> unit_of_column(const model::Mechanism& mechanism, std::string_view name) {
  for (const auto& [known, unit] : kOfEveryMechanism)
    if (name == known) return std::string(unit);
  for (const auto unit_of : {unit_of_variable, unit_of_actuator, unit_of_frame_reaction, unit_of_unknown})
    if (auto unit = unit_of(mechanism, name)) return unit;
  for (const std::string_view ending : {".sigma", ".true"})
    if (name.ends_with(ending)) return unit_of_column(mechanism, name.substr(0, name.size() - ending.size()));
  return std::nullopt;
}

[[noreturn]] void fail(const std::string& path, const model::Mechanism& mechanism, const std::string& what,
                       const std::string& expected, const std::vector<std::string>& wrong) {
  throw io::FileError(
      {.what = what + " that the mechanism '" + mechanism.name() + "' does not have",
       .where = path,
       .expected = expected,
       .actual = core::listed(wrong),
       .next = "Give the mechanism and the " + runs::field("set") +
               " that this file belongs to, or leave the mechanism out to plot its columns alone."});
}

std::string in_another_unit(const core::Column& column, const std::string& unit) {
  return io::in_quotes(column.name) + " in '" + column.unit + "' instead of '" + unit + "'";
}

}  // namespace

void check_result_columns(const std::string& path, const std::vector<core::Column>& columns,
                          const model::Mechanism& mechanism) {
  std::vector<std::string> wrong;
  for (const core::Column& column : columns) {
    const auto unit = unit_of_column(mechanism, column.name);
    if (!unit)
      wrong.push_back(io::in_quotes(column.name));
    else if (*unit != column.unit)
      wrong.push_back(in_another_unit(column, *unit));
  }
  if (!wrong.empty()) fail(path, mechanism, "columns", "variables of this mechanism in their units", wrong);
}

void check_reading_columns(const std::string& path, const std::vector<core::Column>& columns,
                           const model::Mechanism& mechanism) {
  const Channels channels(mechanism);
  std::vector<std::string> wrong;
  for (const core::Column& column : columns) {
    if (channels.is_of_any_unit(column.name)) continue;
    const auto unit = channels.unit(column.name);
    if (!unit)
      wrong.push_back(io::in_quotes(column.name));
    else if (*unit != column.unit)
      wrong.push_back(in_another_unit(column, *unit));
  }
  if (!wrong.empty()) fail(path, mechanism, "readings", "channels of its sensors in their units", wrong);
}

}  // namespace eslabon::recording
