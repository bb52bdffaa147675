#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/core/time/time.hpp"
#include "eslabon/dynamics/statics/equilibrium.hpp"
#include "eslabon/runs/run_observer.hpp"

/// What equilibria and modes have in common.
namespace eslabon::runs {

/// Where a mechanism is looked at.
struct StaticRequest {
  std::optional<core::Duration> time = {};  ///< at which loads and drivers are evaluated and held; none: 0
  std::vector<std::string> release = {};    ///< drivers that are released; "all"
  std::optional<std::vector<std::string>> outputs = {};  ///< none: those of the mechanism
  std::optional<std::string> branch = {};                ///< none: that of the start values
};

/// A driver where it is held.
struct HeldDriver {
  std::string name;
  double position = 0.0;  ///< [unit], from the user's origin
  std::string unit;       ///< "rad" or "m"
};

/// A mechanism with its drivers released as asked for, assembled, at a time.
class StaticCase {
 public:
  /// `with_drivers`: before any was released. `until`: how long drivers will be asked for [s]. Throws RequestError and
  /// core::ModelError.
  StaticCase(const StaticRequest& request, const model::Mechanism& with_drivers,
             const model::Mechanism& mechanism, double until, RunObserver& observer);

  const model::Mechanism& mechanism() const { return model_.mechanism(); }
  const kinematics::AssemblyReport& assembly() const { return assembly_; }
  const dynamics::DynamicModel& model() const { return model_; }
  /// With the drivers held.
  dynamics::FreedomChart& held() { return held_; }
  /// The start with the drivers where they are at time t. Throws core::ModelError when they cannot be brought there.
  dynamics::State start(double t);
  /// The drivers at time t.
  std::vector<HeldDriver> held_drivers(double t) const;

 private:
  structure::Structure structure_;
  kinematics::AssemblyReport assembly_;
  dynamics::DynamicModel model_;
  dynamics::FreedomChart held_;
};

/// The mechanism as it is at rest: dry friction holds a range of positions, and is left out; a note says so.
model::Mechanism without_holding(const model::Mechanism& mechanism, RunObserver& observer);

/// What to do about what rests on a rigid stop.
inline constexpr const char* kRigidStops =
    "What rests on a rigid stop is not looked for: give the stop a 'stiffness:' instead of 'restitution:'.";

/// Throws core::ModelError when something is beyond a rigid stop in this position.
void check_within_stops(const dynamics::DynamicModel& model, const dynamics::State& state,
                        const coordinates::MechanismMotion& bodies);

/// Names of the degrees of freedom at a state: "A.q", "hub.q"; none where they have no names of their own.
std::vector<std::string> freedom_names(dynamics::FreedomChart& chart, const dynamics::State& state);

}  // namespace eslabon::runs
