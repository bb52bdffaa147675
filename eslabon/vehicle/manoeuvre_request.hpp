#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/runs/motion/simulation_request.hpp"

namespace eslabon::vehicle {

enum class ManoeuvreKind {
  kBumps,
  kSlalom,
  kStepSteer,
  kSteadyCornering,
  kDoubleLaneChange,
  kObstacleAvoidance,
  kSineWithDwell,
  kSweptSine,
  kBraking,
  kBrakingInTurn,
  kBrakingOnSplitFriction,
  kParking,
};

/// What a request that says nothing gets.
struct ManoeuvreDefaults {
  double speed = 0.0;  ///< [m/s]
  std::optional<double> lateral_acceleration =
      {};  ///< that the steering angle is looked for with; none: it takes none [m/s²]
  std::optional<double> deceleration = {};  ///< that brakes are asked for; none: it does not brake [m/s²]
};

/// What is known of each.
struct ManoeuvreFacts {
  ManoeuvreKind kind;
  std::string_view name;           ///< "step-steer"
  std::string_view title;          ///< "step steer, ISO 7401"
  bool steers;                     ///< it needs a steering
  bool may_be_mirrored;            ///< left and right are two manoeuvres
  ManoeuvreDefaults light, heavy;  ///< up to and above kLightest of what is heavy
  const ManoeuvreDefaults& defaults(double mass) const { return mass > kHeavy ? heavy : light; }

  static constexpr double kHeavy =
      3500.0;  ///< as standards of cars and light vans, and those of trucks, are divided [kg]
};
std::span<const ManoeuvreFacts> manoeuvres();
std::vector<std::string> manoeuvre_names();
/// Throws runs::RequestError for a name that is none.
const ManoeuvreFacts& facts_of(const std::string& name);

/// A standard drive of a vehicle.
struct ManoeuvreRequest {
  std::string manoeuvre;                ///< of manoeuvre_names()
  std::string direction = "left";       ///< or "right": it is the mirror image
  std::optional<double> speed = {};     ///< [m/s] > 0
  std::optional<double> steering = {};  ///< amplitude of the angle of the steering wheel [rad] > 0
  std::optional<double> lateral_acceleration =
      {};                                   ///< instead: steady one, which tells the amplitude [m/s²] > 0
  std::optional<double> deceleration = {};  ///< that the brakes are asked for [m/s²] > 0
  std::optional<double> friction = {};  ///< of the road; on the left of a split one; none: that of the file
  std::optional<double> friction_right = {};  ///< of a split road
  /// How it is computed; without `until` and `every` the manoeuvre's own.
  runs::SimulationRequest simulation = {};
};

/// Throws runs::RequestError for what is unknown, out of range or does not go together.
void check(const ManoeuvreRequest& request);

}  // namespace eslabon::vehicle
