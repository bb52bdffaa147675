#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "eslabon/model/descriptions.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::model {

namespace detail {
class NameLookup;
}  // namespace detail

enum class Space { kPlanar, kSpatial };

/// Collects descriptions, checks them and makes the immutable Mechanism.
///
/// Elements may be added in any order; names are resolved by build(). What is wrong within one element throws
/// core::ModelError from add_…, what is wrong between elements throws from build(); either way the message
/// names the element as `KIND 'NAME'`, or `KIND 'NAME', FIELD`, in ErrorText::where, and no partial mechanism
/// exists. The words are those of mechanism files:
///   KIND         FIELD
///   body         mass density center_of_mass inertia shape visuals, point 'P' axis 'u' frame 'F' curve 'K'
///   ground       visuals, point 'P' axis 'u' frame 'F' curve 'K'; it has no name
///   joint        its type (for the two ends) axis length radius mass friction
///   coupling     joints teeth radius lead sum offset
///   driver       target start start_speed, and position, speed or acceleration for its function
///   spring       between, joint or point, stiffness free_length damping preload table gas force
///   damper       between, joint or point, damping table force
///   bushing      between, stiffness damping
///   stop         target lower upper restitution stiffness damping
///   force        point, body or joint, and force, torque or effort for its components
///   state        start size rate
///   tyre         wheel axis model
///   road         friction, bump 'B'
///   vehicle      chassis, steering, axles, "axle 1, left" and so on
///   sensor       its kind (for the target) frame field pulses rate latency jitter dropout, and its errors noise bias
///                turn_on_bias drift drift_time scale misalignment range resolution; those of an imu begin with
///                gyroscope or accelerometer: "gyroscope, noise"
///   mechanism    gravity
///   start value, start rate, input, output    none; the name is the variable, or BODY.position, BODY.rotation
///
///   MechanismBuilder builder("pendulum", Space::kPlanar);
///   builder.set_gravity({0.0, -9.81, 0.0});
///   builder.add_ground_point("O", {0.0, 0.0, 0.0});
///   builder.add_body({.name = "bob", .mass = 1.0, .shape = Bar{"O", "tip"},
///                     .points = {{"O", {0, 0, 0}}, {"tip", {1, 0, 0}}}});
///   builder.add_joint({"pivot", JointType::kRevolute, "ground.O", "bob.O"});
///   const Mechanism pendulum = builder.build();
class MechanismBuilder {
 public:
  MechanismBuilder(std::string name, Space space);

  void set_description(std::string text) { parts_.description = std::move(text); }
  void set_source(std::string text) { parts_.source = std::move(text); }
  void set_gravity(const Eigen::Vector3d& gravity_W);

  void add_ground_point(std::string name, const Eigen::Vector3d& p_WP_W);
  void add_ground_axis(std::string name, const Eigen::Vector3d& u_W);
  void add_ground_frame(NamedFrame frame);
  /// Something to be drawn, such as a chassis. The points of a bar must be there already.
  void add_ground_visual(Shape visual);

  void add_body(BodyDescription description);
  /// More points, axes, frames and curves of a body that is there already, or of the ground.
  void add_markers(const std::string& body, std::vector<NamedPoint> points, std::vector<NamedAxis> axes,
                   std::vector<NamedFrame> frames, std::vector<NamedCurve> curves = {});
  void add_joint(JointDescription description);
  void add_coupling(CouplingDescription description);
  void add_driver(DriverDescription description);
  void add_spring(SpringDescription description);
  void add_damper(DamperDescription description);
  void add_bushing(BushingDescription description);
  void add_stop(StopDescription description);
  void add_load(LoadDescription description);
  void add_state(StateDescription description);
  void add_tyre(TyreDescription description);
  void set_road(tyres::Road road);
  /// What is what in a vehicle.
  void set_vehicle(VehicleDescription description);
  void add_event(EventDescription description);
  void add_sensor(SensorDescription description);
  /// Gives a spring or damper that is there already another law.
  void set_law(const std::string& element, LawDescription law);
  /// Gives an auxiliary state that is there already another rate.
  void set_rate(const std::string& state, LawDescription rate);

  /// Where one position variable ("crank.angle", "A.q", "axle.P15.z") starts; a guess also chooses the branch.
  void add_start_value(std::string variable, double value, StartKind kind = StartKind::kGuess);
  /// Where a body in space starts.
  void add_start_position(std::string body, const Eigen::Vector3d& p_WB_W,
                          StartKind kind = StartKind::kGuess);
  void add_start_rotation(std::string body, const Eigen::Vector3d& rotation_vector,
                          StartKind kind = StartKind::kGuess);

  /// How fast one variable ("crank.rate", "A.v", "axle.P15.vz") moves at t = 0; of what a driver moves, once it is released.
  void add_start_rate(std::string variable, double value);
  /// How fast the mechanism goes straight on at t = 0, in a steady state. `body`: of which this is said; empty: of the heaviest one.
  void set_start_speed(std::string body, double value);

  /// Asks for a position variable as an independent coordinate, beside those that drivers move.
  void add_input(std::string variable);
  void add_output(std::string variable);

  /// Resolves every name and checks the whole. Cost: linear in the number of elements.
  Mechanism build() const;

  /// A mechanism that is built with one sensor more, which may read a formula of its outputs.
  static Mechanism with_sensor(const Mechanism& mechanism, const SensorDescription& description);

 private:
  struct NamedValue {
    std::string name;
    double value;
  };
  struct NamedStart {
    std::string name;
    double value;
    StartKind kind;
  };
  struct StartPoseDescription {
    std::string body;
    std::optional<Eigen::Vector3d> p_WB_W;
    std::optional<Eigen::Vector3d> rotation_vector;
    StartKind kind;
    std::string variable() const { return body + (p_WB_W ? ".position" : ".rotation"); }
  };
  void add_start_pose(StartPoseDescription pose);

  friend Mechanism with_outputs(const Mechanism& mechanism, const std::vector<std::string>& names);
  static std::vector<Variable> resolve_outputs(const std::vector<std::string>& names,
                                               const detail::NameLookup& lookup);

  // The steps of build(), in order; each reads what the ones before it resolved.
  void index_names(Mechanism& mechanism) const;
  void resolve_joints(Mechanism& mechanism, const detail::NameLookup& lookup) const;
  void resolve_couplings(Mechanism& mechanism, const detail::NameLookup& lookup) const;
  void resolve_drivers(Mechanism& mechanism, const detail::NameLookup& lookup) const;
  void resolve_force_elements(Mechanism& mechanism, const detail::NameLookup& lookup) const;
  /// Auxiliary states that tyres have: two each, behind those that are described.
  std::vector<AuxiliaryState> slips_of_tyres() const;
  void resolve_tyres(Mechanism& mechanism, const detail::NameLookup& lookup) const;
  void resolve_laws(Mechanism& mechanism, const detail::NameLookup& lookup) const;
  void resolve_start(Mechanism& mechanism, const detail::NameLookup& lookup) const;
  void resolve_start_rates(Mechanism& mechanism, const detail::NameLookup& lookup) const;
  void resolve_start_speed(Mechanism& mechanism, const detail::NameLookup& lookup) const;
  void resolve_inputs_and_outputs(Mechanism& mechanism, const detail::NameLookup& lookup) const;

  MechanismParts parts_;  ///< bodies complete; everything else waits for build()
  std::vector<JointDescription> joints_;
  std::vector<CouplingDescription> couplings_;
  std::vector<DriverDescription> drivers_;
  std::vector<SpringDescription> springs_;
  std::vector<DamperDescription> dampers_;
  std::vector<BushingDescription> bushings_;
  std::vector<StopDescription> stops_;
  std::vector<LoadDescription> loads_;
  std::vector<StateDescription> states_;
  std::vector<TyreDescription> tyres_;
  std::optional<VehicleDescription> vehicle_;
  std::vector<EventDescription> events_;
  std::vector<SensorDescription> sensors_;
  std::vector<NamedStart> start_values_;
  std::vector<StartPoseDescription> start_poses_;
  std::vector<NamedValue> start_rates_;
  std::optional<NamedValue> start_speed_;
  std::vector<std::string> inputs_;
  std::vector<std::string> outputs_;
  /// Names of what a body has, to see that no two are the same.
  struct MarkerNames {
    std::unordered_set<std::string> points_and_frames;
    std::unordered_set<std::string> axes;
  };
  std::unordered_map<std::string, std::size_t> body_slots_;    ///< by name, the first of a name
  std::unordered_map<std::string, MarkerNames> marker_names_;  ///< by body, of those that get more markers
  MarkerNames& marker_names(const std::string& body);
};

}  // namespace eslabon::model
