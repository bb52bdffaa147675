#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/forces/counted_angles.hpp"
#include "eslabon/dynamics/forces/force_formula.hpp"
#include "eslabon/dynamics/forces/force_memory.hpp"
#include "eslabon/dynamics/forces/mesh_force.hpp"
#include "eslabon/dynamics/forces/stop_contact.hpp"
#include "eslabon/dynamics/forces/wrench.hpp"
#include "eslabon/model/mechanism.hpp"
#include "eslabon/tyres/tyre_in_run.hpp"

namespace eslabon::dynamics {

/// A force of the user: adds to the wrenches on the bodies what acts at time t in this motion (poses and velocities;
/// accelerations are not set). Called from the thread that evaluates. One that throws core::ModelError has no value there, and its
/// sentence is what is said about it; other exceptions pass through.
using UserForce =
    std::function<void(double t, const coordinates::MechanismMotion& bodies, std::span<Wrench> wrenches)>;

/// By how much what some elements do is more than the file says: what a filter may estimate.
template <core::Scalar T>
struct ElementFactors {
  std::vector<T> springs;    ///< (springs)
  std::vector<T> dampers;    ///< (dampers)
  std::vector<T> frictions;  ///< (joints)
};

/// Whether all rates are finite; of traced ones nobody knows.
template <core::Scalar T>
bool has_values(std::span<const T> rates) {
  if constexpr (core::NumericScalar<T>)
    return std::ranges::all_of(rates, [](const T& rate) { return std::isfinite(core::value_of(rate)); });
  else
    return true;
}

template <core::Scalar T>
using WrenchSpan = std::span<std::type_identity_t<WrenchOf<T>>>;

/// Everything that acts on the bodies but joints and drivers: weights, springs, dampers, bushings, stops, loads, tyres, friction of joints and forces of
/// the user. const; safe to share between threads if the user's forces are.
class AppliedForces {
 public:
  /// Looks at `mechanism`, and keeps no copy: it lives inside the DynamicModel that has it.
  explicit AppliedForces(const model::Mechanism& mechanism);

  void add(UserForce force) { user_.push_back(std::move(force)); }

  /// Of the right sizes: angles and loads zero, nothing rests on a stop.
  ForceMemory empty_memory() const;
  /// The joint coordinate that is ForceMemory::angles number k: springs, stops and formulas see it beyond ±π.
  const model::JointCoordinate& angle_coordinate(std::size_t k) const { return angles_.coordinates()[k]; }
  /// The joints of ForceMemory::loads: their friction depends on what presses them.
  const std::vector<model::JointIndex>& loaded_joints() const { return loaded_; }
  /// The limits of ForceMemory::rests and holds.
  const std::vector<StopSide>& rigid_sides() const { return rigid_sides_; }
  const std::vector<StopSide>& soft_sides() const { return soft_sides_; }
  /// Those angles in this motion, each nearest to the one that stands in `angles` [rad].
  void follow_angles(const coordinates::MechanismMotion& bodies, std::span<double> angles) const {
    angles_.follow(bodies, angles);
  }

  /// (bodies) what acts on each. False when a force has no direction or is not finite: why_not tells which.
  /// For dual numbers as well: forces of the user, which have no derivatives, are then refused.
  template <core::Scalar T>
  [[nodiscard]] bool evaluate(double t, const coordinates::MechanismMotionOf<T>& bodies, MemoryOf<T> memory,
                              WrenchSpan<T> wrenches) const;
  /// The same without weights, for callers that know them; with the rates of auxiliary states (states) where they are asked for: a tyre tells
  /// its forces and those in one. False then also where one is not finite.
  template <core::Scalar T>
  [[nodiscard]] bool evaluate_without_weights(double t, const coordinates::MechanismMotionOf<T>& bodies,
                                              MemoryOf<T> memory, WrenchSpan<T> wrenches,
                                              std::span<std::type_identity_t<T>> state_rates = {},
                                              const ElementFactors<T>* factors = nullptr) const;
  /// What a tyre does, and what is told of it.
  template <core::Scalar T>
  tyres::TyreActionOf<T> tyre_action(std::size_t tyre, const coordinates::MechanismMotionOf<T>& bodies,
                                     MemoryOf<T> memory) const;
  template <core::Scalar T>
  T tyre_value(std::size_t tyre, model::TyreQuantity quantity,
               const coordinates::MechanismMotionOf<T>& bodies, MemoryOf<T> memory) const;
  /// Adds what the road does to the wheel of a tyre; the rates of its slips.
  template <core::Scalar T>
  tyres::FeltSlipOf<T> add_tyre(std::size_t tyre, const coordinates::MechanismMotionOf<T>& bodies,
                                MemoryOf<T> memory, WrenchSpan<T> wrenches) const;
  /// Rates of the auxiliary states alone; out: (states). False when one is not finite: why_not tells which. Does not allocate.
  template <core::Scalar T>
  [[nodiscard]] bool evaluate_states(double t, const coordinates::MechanismMotionOf<T>& bodies,
                                     MemoryOf<T> memory, std::span<std::type_identity_t<T>> out) const;
  /// What is said of a motion in which evaluate fails, or a rigid limit has no value: names the element and the time. Slow.
  core::ErrorText why_not(double t, const coordinates::MechanismMotion& bodies,
                          const ForceMemory& memory) const;
  /// The same for dual numbers and traced ones, where numbers alone have a value.
  static core::ErrorText why_no_derivatives(double t);
  /// Adds a force on a point of a body along a world axis, or an effort in a joint, as the position variable says.
  template <core::Scalar T>
  void add_effort(const model::Variable& along, const T& effort,
                  const coordinates::MechanismMotionOf<T>& bodies, WrenchSpan<T> wrenches) const;
  /// What a spring pulls with in this motion, or a damper: positive pulls the ends together or turns the joint back [N or N m].
  template <core::Scalar T>
  T spring_force(std::size_t spring, double t, const coordinates::MechanismMotionOf<T>& bodies,
                 MemoryOf<T> memory) const;
  template <core::Scalar T>
  T damper_force(std::size_t damper, double t, const coordinates::MechanismMotionOf<T>& bodies,
                 MemoryOf<T> memory) const;
  /// Length of a spring, angles counted beyond ±π [m or rad].
  template <core::Scalar T>
  T spring_length(std::size_t spring, const coordinates::MechanismMotionOf<T>& bodies,
                  MemoryOf<T> memory) const {
    return angles_.length(mechanism_.springs()[spring].connection, angles_of_spring_[spring], bodies,
                          *memory);
  }
  /// What a load is: a force [N] or a torque [N m] in world axes, or in x an effort in its joint.
  template <core::Scalar T>
  core::Vector3<T> load_value(std::size_t load, double t, const coordinates::MechanismMotionOf<T>& bodies,
                              MemoryOf<T> memory) const;
  /// What a stop pushes with, positive towards larger values of what it limits [N or N m]. Throws as gap does where evaluate fails.
  template <core::Scalar T>
  T stop_force(std::size_t stop, double t, const coordinates::MechanismMotionOf<T>& bodies,
               MemoryOf<T> memory) const;
  /// What a stop limits in this motion, angles counted beyond ±π.
  template <core::Scalar T>
  coordinates::CoordinateValueOf<T> stopped_value(std::size_t stop,
                                                  const coordinates::MechanismMotionOf<T>& bodies,
                                                  MemoryOf<T> memory) const;
  /// Of a stop that limits a coupling: the effort along the coordinate of term k where the stop pushes with one.
  template <core::Scalar T>
  T stop_share(std::size_t stop, std::size_t k, const coordinates::MechanismMotionOf<T>& bodies,
               MemoryOf<T> memory) const;
  /// What friction pushes the second body of a joint with, in this coordinate of it [N or N m]; of a ball 0: it has none.
  template <core::Scalar T>
  T friction_effort(const model::JointCoordinate& coordinate, const coordinates::MechanismMotionOf<T>& bodies,
                    MemoryOf<T> memory) const;
  /// The gap of a limit in this motion; nothing where the limit has no value or no rate.
  template <core::Scalar T>
  std::optional<GapOf<T>> find_gap(const StopSide& side, double t,
                                   const coordinates::MechanismMotionOf<T>& bodies, MemoryOf<T> memory) const;
  /// What is said of a limit that has none.
  core::ErrorText why_no_gap(const StopSide& side, double t) const;
  /// The gap for callers who must have it: throws core::ModelError where there is none.
  template <core::Scalar T>
  GapOf<T> gap(const StopSide& side, double t, const coordinates::MechanismMotionOf<T>& bodies,
               MemoryOf<T> memory) const;
  /// Whether forces may act of which no element tells the power: friction of joints, rigid stops, forces of the user.
  bool has_other_forces() const { return !rubbing_.empty() || !rigid_sides_.empty() || !user_.empty(); }
  /// (switches) what the choices in formulas of forces look at, in a fixed order: where one passes zero a force jumps or bends.
  std::size_t num_switches() const { return num_switches_; }
  void switch_values(double t, const coordinates::MechanismMotion& bodies, const ForceMemory& memory,
                     std::span<double> out) const;
  /// What event `event` of the mechanism looks at: it passes zero there. NaN where it has no value, which why_no_event tells.
  double event_value(std::size_t event, double t, const coordinates::MechanismMotion& bodies,
                     const ForceMemory& memory) const;
  std::optional<core::ErrorText> why_no_event(std::size_t event, double t,
                                              const coordinates::MechanismMotion& bodies,
                                              const ForceMemory& memory) const;
  /// Choices as they are in this motion, from now on kept by the memory.
  void take_choices(double t, const coordinates::MechanismMotion& bodies, ForceMemory& memory) const;
  /// Whose choice number k is: "force 'dry'".
  std::string switch_owner(std::size_t k) const;
  /// Whether nothing but weights acts, and no state is to be integrated.
  bool has_weights_only() const;

 private:
  /// see(formula, its functions, "force", its name) for each law, load and rate of a state.
  template <class See>
  void for_each_formula(const See& see) const;
  template <class Self, class See>
  static void visit_formulas(Self& self, const See& see);
  /// The functions of a load: three, or one of an effort.
  static std::span<const model::TimeFunction> functions_of(const model::Load& load);
  /// Gives each choice of a formula its place in ForceMemory::choices.
  void count_choices();
  /// The spring or damper that has no direction.
  std::optional<std::string> undirected(double t, const coordinates::MechanismMotion& bodies,
                                        const ForceMemory& memory) const;
  /// The element that makes a force not finite.
  std::string culprit(double t, const coordinates::MechanismMotion& bodies, const ForceMemory& memory,
                      std::span<const Wrench> wrenches) const;
  template <core::Scalar T>
  void add_rod_weights(const coordinates::MechanismMotionOf<T>& bodies, WrenchSpan<T> wrenches) const;
  template <core::Scalar T>
  void add_weights(const coordinates::MechanismMotionOf<T>& bodies, WrenchSpan<T> wrenches) const;
  template <core::Scalar T>
  [[nodiscard]] bool add_springs(double t, const coordinates::MechanismMotionOf<T>& bodies,
                                 MemoryOf<T> memory, WrenchSpan<T> wrenches,
                                 const ElementFactors<T>* factors) const;
  template <core::Scalar T>
  [[nodiscard]] bool add_dampers(double t, const coordinates::MechanismMotionOf<T>& bodies,
                                 MemoryOf<T> memory, WrenchSpan<T> wrenches,
                                 const ElementFactors<T>* factors) const;
  template <core::Scalar T>
  void add_load(std::size_t load, double t, const coordinates::MechanismMotionOf<T>& bodies,
                MemoryOf<T> memory, WrenchSpan<T> wrenches) const;
  /// Rates of the auxiliary states that have formulas; out: (states).
  template <core::Scalar T>
  void evaluate_formula_states(double t, const coordinates::MechanismMotionOf<T>& bodies, MemoryOf<T> memory,
                               std::span<std::type_identity_t<T>> out) const;
  /// The states that are the slips of a tyre; out: (states).
  template <core::Scalar T>
  void write_slips(std::size_t tyre, const tyres::FeltSlipOf<T>& slips, std::span<T> out) const;
  /// What is said of the first formula of a force without a value.
  std::optional<core::ErrorText> why_no_formula(double t, const coordinates::MechanismMotion& bodies,
                                                const ForceMemory& memory) const;
  /// The coordinate of term k of what a stop limits; of its target for k = 0.
  template <core::Scalar T>
  coordinates::CoordinateValueOf<T> stopped_coordinate(std::size_t stop, std::size_t k,
                                                       const coordinates::MechanismMotionOf<T>& bodies,
                                                       MemoryOf<T> memory) const;
  /// What a stop does that pushes with this force.
  template <core::Scalar T>
  void add_stop(std::size_t stop, const T& force, const coordinates::MechanismMotionOf<T>& bodies,
                MemoryOf<T> memory, WrenchSpan<T> wrenches) const;
  template <core::Scalar T>
  [[nodiscard]] bool add_stops(double t, const coordinates::MechanismMotionOf<T>& bodies, MemoryOf<T> memory,
                               WrenchSpan<T> wrenches) const;
  template <core::Scalar T>
  void add_friction(const coordinates::MechanismMotionOf<T>& bodies, MemoryOf<T> memory,
                    WrenchSpan<T> wrenches, const ElementFactors<T>* factors) const;
  template <core::Scalar T>
  [[nodiscard]] bool add_user_forces(double t, const coordinates::MechanismMotionOf<T>& bodies,
                                     WrenchSpan<T> wrenches) const;
  /// stop_force, nothing where a limit of the stop has no value.
  template <core::Scalar T>
  std::optional<T> find_stop_force(std::size_t stop, double t,
                                   const coordinates::MechanismMotionOf<T>& bodies, MemoryOf<T> memory) const;
  /// What presses a joint [N].
  double load(model::JointIndex joint, const ForceMemory& memory) const;
  /// A force f that pulls the ends of a connection together, or turns a joint back. False where it has no direction.
  template <core::Scalar T>
  [[nodiscard]] bool add_connection_force(const model::Connection& connection, const T& f,
                                          const coordinates::MechanismMotionOf<T>& bodies,
                                          WrenchSpan<T> wrenches) const;
  /// An effort in a coordinate of a joint, on the second body and opposite on the first.
  template <core::Scalar T>
  void add_joint_effort(const model::JointCoordinate& coordinate, const T& effort,
                        const coordinates::MechanismMotionOf<T>& bodies, WrenchSpan<T> wrenches) const;

  const model::Mechanism& mechanism_;
  std::vector<UserForce> user_;
  CountedAngles angles_;
  std::vector<CountedAngles::Places> angles_of_spring_;  ///< (springs)
  /// (stops) (coordinates that it limits) in angles_, kNone for those that are no angles
  std::vector<std::vector<std::size_t>> angles_of_stop_;
  std::vector<tyres::Standstill> standstill_of_tyre_;    ///< (tyres)
  std::vector<std::optional<MeshMount>> mount_of_stop_;  ///< (stops) of those that limit wheels in mesh
  std::vector<ForceFormula> formula_of_load_;            ///< (loads)
  std::vector<ForceFormula> rate_of_state_;              ///< (states)
  std::vector<ForceFormula> formula_of_event_;           ///< (events)
  std::vector<std::optional<ForceFormula>> law_of_spring_, law_of_damper_;  ///< (springs), (dampers)
  std::size_t num_switches_ = 0;
  std::vector<std::size_t> rods_;          ///< joints with mass
  std::vector<std::size_t> rubbing_;       ///< joints with friction
  std::vector<model::JointIndex> loaded_;  ///< of rubbing_, those that rub by their load
  std::vector<StopSide> rigid_sides_, soft_sides_;
};

}  // namespace eslabon::dynamics
