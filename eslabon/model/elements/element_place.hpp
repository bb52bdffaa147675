#pragma once

#include <string>
#include <string_view>

/// How messages name the element and the field that broke a rule. Private to layer model.
namespace eslabon::model::detail {

/// The words for elements that ErrorText::where begins with; those of mechanism files.
inline constexpr std::string_view kBodyWord = "body";
inline constexpr std::string_view kJointWord = "joint";
inline constexpr std::string_view kCouplingWord = "coupling";
inline constexpr std::string_view kDriverWord = "driver";
inline constexpr std::string_view kSpringWord = "spring";
inline constexpr std::string_view kDamperWord = "damper";
inline constexpr std::string_view kBushingWord = "bushing";
inline constexpr std::string_view kStopWord = "stop";
inline constexpr std::string_view kLoadWord = "force";
inline constexpr std::string_view kStateWord = "state";
inline constexpr std::string_view kTyreWord = "tyre";
inline constexpr std::string_view kRoadWord = "road";
inline constexpr std::string_view kVehicleWord = "vehicle";
inline constexpr std::string_view kEventWord = "event";
inline constexpr std::string_view kSensorWord = "sensor";
inline constexpr std::string_view kStartValueWord = "start value";
inline constexpr std::string_view kStartRateWord = "start rate";
inline constexpr std::string_view kStartWord = "start";
inline constexpr std::string_view kInputWord = "input";
inline constexpr std::string_view kOutputWord = "output";
inline constexpr std::string_view kMechanismWord = "mechanism";
inline constexpr std::string_view kGroundWord = "ground";

/// One element, by the kind and the name the user gave it. Looks at strings of the caller; lives for one
/// check.
struct Place {
  std::string_view kind;
  std::string_view name;
};

/// One key of an element in a mechanism file: `mass`, or `point 'P1'` when it has a name of its own.
struct Field {
  std::string_view key = {};
  std::string_view name = {};
};

/// `joint 'A'`, `joint 'A', length`, `body 'crank', point 'P1'`; the ground has no name: `ground, point 'O'`.
std::string to_text(const Place& place, const Field& field = {});

/// The parts of a message beside the place.
struct Fault {
  std::string what;
  std::string expected;
  std::string actual;
  std::string next;
};

/// Throws core::ModelError.
[[noreturn]] void fail(const Place& place, const Field& field, Fault fault);

/// Names are letters, digits, '_', '-' and anything beyond ASCII, and begin with none of '0' … '9' and '-';
/// so they stand in "body.point" and in lists with commas without quotes. Such names with dots between them, "front.left.hub", are
/// those of instances of parts. `ground` is taken.
void check_element_name(const Place& place);

/// The same rule for the name of a point, an axis or a frame within its body.
void check_marker_name(const Place& place, const Field& field);

}  // namespace eslabon::model::detail
