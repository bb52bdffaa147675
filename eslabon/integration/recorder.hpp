#pragma once

#include <span>
#include <vector>

#include "eslabon/core/column.hpp"
#include "eslabon/integration/law_watch.hpp"
#include "eslabon/kinematics/assembly/assembled_mechanism.hpp"
#include "eslabon/kinematics/variable_value.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::integration {

/// How the mechanical energy went over the instants that were recorded, in J.
struct EnergyRange {
  double start = 0.0, end = 0.0;  ///< weights have none at the mechanism's own origin
  double of_origin = 0.0;         ///< what they have there from the user's origin
  double largest_change = 0.0;    ///< from the start, without sign
  double largest_kinetic = 0.0;   ///< the measure of it: potential energy has a zero by choice only
  /// What the energy is known by: the largest sum of its parts without sign, and what lifts all masses by the mechanism's size.
  double in_play = 0.0;

  static constexpr double kMeasurable = 1e-6;  ///< of what is in play: less measures nothing
  double told_start() const { return start + of_origin; }
  double told_end() const { return end + of_origin; }
  /// Whether so much moves that the kinetic energy can measure anything.
  bool is_moving() const { return largest_kinetic > 0.0 && largest_kinetic >= kMeasurable * in_play; }
};

/// Whether nothing in the mechanism gives or takes energy: no drivers, no dampers, no friction, no loads, no stops that lose any.
bool is_conservative(const model::Mechanism& mechanism);

/// The columns of a run beside the time: the outputs of the mechanism, `energy` [J], `constraint_error` [m].
std::vector<core::Column> recorded_columns(const model::Mechanism& mechanism);

/// Rows of a run, one instant after the other: the outputs of a mechanism, its energy, its constraint error. Keeps nothing but
/// the last. Angles go on beyond half a turn, and begin where the user said. A follower that leaves its table is an error.
class Recorder {
 public:
  explicit Recorder(kinematics::AssembledMechanism assembled);

  /// The row at time t: (outputs + 2); the motion is of that instant. Does not allocate. Outputs that are forces stay as they are.
  std::span<const double> record(double t, const coordinates::MechanismMotion& bodies,
                                 double constraint_error);
  /// Where the forces of the row just recorded go: (outputs).
  std::span<double> outputs() { return std::span(values_).first(values_.size() - 2); }
  /// An instant between rows, so that turns are counted.
  void count_turns(double t, const coordinates::MechanismMotion& bodies);

  const EnergyRange& energy() const { return energy_; }
  /// What drivers move in the row just recorded, and what stops limit, turns counted: (drivers), (stops) [m or rad].
  std::span<const double> driven() const {
    return std::span(inner_values_).last(mechanism().drivers().size());
  }
  std::span<const double> stopped() const { return stopped_; }

 private:
  const model::Mechanism& mechanism() const { return assembled_.mechanism(); }
  /// The position variable that this one follows: a spring in a joint has the joint's angle.
  const model::Connection* connection_of(const model::Variable& variable) const;
  model::Variable followed(const model::Variable& variable) const;
  void give_hints(kinematics::VariableRecorder& recorder) const;

  /// (springs) [m or rad]
  std::span<const double> lengths() const { return std::span(inner_values_).first(springs_); }

  kinematics::AssembledMechanism assembled_;
  LawWatch laws_;
  kinematics::VariableRecorder outputs_;
  kinematics::VariableRecorder inner_;  ///< what springs see, what stops limit, what drivers move
  std::size_t springs_;                 ///< how many
  std::vector<double> stopped_;         ///< (stops) [m or rad]
  bool is_first_ = true;
  double lifting_ = 0.0;  ///< what lifts all masses by the mechanism's size [J]
  EnergyRange energy_;
  std::vector<double> values_;        ///< (outputs + 2)
  std::vector<double> inner_values_;  ///< (springs, what each stop looks at, drivers) [m or rad]
};

}  // namespace eslabon::integration
