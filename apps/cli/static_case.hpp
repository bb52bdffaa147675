#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motion_output.hpp"

#include "eslabon/dynamics/equilibrium.hpp"

namespace CLI {
class App;
}

/// What `equilibrium` and `modes` have in common.
namespace eslabon::cli {

/// The words that both understand, as they were typed.
struct StaticOptions {
  std::string model;
  std::vector<std::string> set;
  std::optional<std::string> time;
  std::optional<std::string> branch;
  std::vector<std::string> release;
  std::optional<std::string> outputs;
};

void add_static_options(CLI::App& command, StaticOptions& options);

/// --time in s; 0 without it, or when it is 0. Throws CommandLineError for what is no time.
double read_static_time(const std::optional<std::string>& text);

/// A mechanism with its drivers let go as asked for, assembled, at a time.
class StaticCase {
 public:
  /// `until`: how long drivers will be asked for [s]. Throws core::ModelError and CommandLineError.
  StaticCase(const StaticOptions& options, const model::Mechanism& with_drivers,
             const model::Mechanism& mechanism, double until);

  const model::Mechanism& mechanism() const { return mechanism_; }
  const kinematics::AssemblyReport& assembly() const { return assembly_; }
  const dynamics::DynamicModel& model() const { return model_; }
  /// With the drivers held.
  dynamics::FreedomChart& held() { return held_; }
  /// The start with the drivers where they are at time t. Throws core::ModelError when they cannot be brought there.
  dynamics::State start(double t);

 private:
  const model::Mechanism& mechanism_;
  structure::Structure structure_;
  kinematics::AssemblyReport assembly_;
  dynamics::DynamicModel model_;
  dynamics::FreedomChart held_;
};

/// The mechanism as it is at rest: dry friction holds a range of positions, and is left out; a note on stderr says so.
model::Mechanism without_holding(const model::Mechanism& mechanism);

/// What to do about what rests on a rigid stop.
inline constexpr const char* kRigidStops =
    "What rests on a rigid stop is not looked for: give the stop a 'stiffness:' instead of 'restitution:'.";

/// Throws core::ModelError when something is beyond a rigid stop in this position.
void check_within_stops(const dynamics::DynamicModel& model, const dynamics::State& state,
                        const coordinates::MechanismMotion& bodies);

/// "motor at 1.57 rad"; "" when there are no drivers.
std::string held_text(const dynamics::DynamicModel& model, double t);
/// "2: A.q, hub.q" of the freedoms at a state.
std::string freedoms_text(dynamics::FreedomChart& chart, const dynamics::State& state);

}  // namespace eslabon::cli
