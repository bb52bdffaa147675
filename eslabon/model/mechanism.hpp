#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "eslabon/model/elements/auxiliary_state.hpp"
#include "eslabon/model/elements/body.hpp"
#include "eslabon/model/elements/coupling.hpp"
#include "eslabon/model/elements/driver.hpp"
#include "eslabon/model/elements/event.hpp"
#include "eslabon/model/elements/force_elements.hpp"
#include "eslabon/model/elements/joint.hpp"
#include "eslabon/model/elements/sensor.hpp"
#include "eslabon/model/elements/stop.hpp"
#include "eslabon/model/elements/tyre.hpp"
#include "eslabon/model/elements/vehicle.hpp"
#include "eslabon/model/indices.hpp"
#include "eslabon/model/variables/formula.hpp"
#include "eslabon/model/variables/variable.hpp"

namespace eslabon::model {

struct MechanismAddition;

/// How a start value is meant.
enum class StartKind {
  kGuess,  ///< it also chooses the branch; kept as far as the joints allow
  kExact,  ///< the mechanism starts there, or not at all
};

/// Where a body in space starts.
struct StartPose {
  BodyIndex body = kGround;
  std::optional<Eigen::Vector3d> p_WB_W;           ///< (3) origin of the body [m]
  std::optional<Eigen::Vector3d> rotation_vector;  ///< (3) axis times angle [rad]
  StartKind position_kind = StartKind::kGuess;
  StartKind rotation_kind = StartKind::kGuess;
  friend bool operator==(const StartPose&, const StartPose&) = default;
};

/// Where one position variable starts.
struct StartValue {
  Variable variable;
  double value = 0.0;  ///< [rad] or [m]
  StartKind kind = StartKind::kGuess;
  friend bool operator==(const StartValue&, const StartValue&) = default;
};

/// How fast one variable moves at t = 0. Of what a driver moves it counts when the driver is released; otherwise it must be the driver's speed.
struct StartRate {
  Variable variable;   ///< is_rate
  double value = 0.0;  ///< [rad/s] or [m/s]
  friend bool operator==(const StartRate&, const StartRate&) = default;
};

/// How fast a vehicle goes at t = 0: straight on, as its body looks at the start, all that it is made of in a steady state.
struct StartSpeed {
  BodyIndex body = kGround;  ///< that goes ahead, along its own x
  double value = 0.0;        ///< < 0: backwards [m/s]
  friend bool operator==(const StartSpeed&, const StartSpeed&) = default;
};

/// The lists that make up a mechanism. A plain value; MechanismBuilder is what fills it.
struct MechanismParts {
  std::string name;
  std::string description;  ///< free text of the user
  std::string source;       ///< where its numbers come from
  bool is_planar = false;
  Eigen::Vector3d gravity_W = Eigen::Vector3d::Zero();  ///< (3) [m/s²]
  std::vector<Body> bodies;                             ///< the ground first
  std::vector<Joint> joints;
  std::vector<Coupling> couplings;
  std::vector<Driver> drivers;
  std::vector<Spring> springs;
  std::vector<Damper> dampers;
  std::vector<Bushing> bushings;
  std::vector<Stop> stops;
  std::vector<Load> loads;
  std::vector<AuxiliaryState> states;  ///< those of tyres last
  std::vector<Tyre> tyres;
  tyres::Road road;
  std::optional<Vehicle> vehicle;
  std::vector<Event> events;
  std::vector<Sensor> sensors;
  std::vector<StartPose> start_poses;
  std::vector<StartValue> start_values;
  std::vector<StartRate> start_rates;
  std::optional<StartSpeed> start_speed;
  std::vector<Variable> inputs;   ///< the user's choice of independent coordinates beside the drivers
  std::vector<Formula> formulas;  ///< each of variables, and of formulas before it
  std::vector<Variable> outputs;
  friend bool operator==(const MechanismParts& a, const MechanismParts& b) = default;
};

/// A mechanism as the user described it: checked, complete and immutable. Share it between threads.
/// Made by MechanismBuilder, by io::read_mechanism, by model::make_family, or from another mechanism by
/// with_outputs and without_drivers.
class Mechanism {
 public:
  const std::string& name() const { return parts_.name; }
  const std::string& description() const { return parts_.description; }
  const std::string& source() const { return parts_.source; }
  bool is_planar() const { return parts_.is_planar; }
  /// Degrees of freedom of one unconnected body: 3 in the plane, 6 in space.
  int body_freedoms() const { return parts_.is_planar ? 3 : 6; }
  const Eigen::Vector3d& gravity_W() const { return parts_.gravity_W; }
  /// (3) Where its positions are measured from, told from the user's origin [m]; zero except after about_own_origin.
  const Eigen::Vector3d& origin_W() const { return parts_.bodies.front().origin_B; }

  const std::vector<Body>& bodies() const { return parts_.bodies; }
  const std::vector<Joint>& joints() const { return parts_.joints; }
  const std::vector<Coupling>& couplings() const { return parts_.couplings; }
  const std::vector<Driver>& drivers() const { return parts_.drivers; }
  const std::vector<Spring>& springs() const { return parts_.springs; }
  const std::vector<Damper>& dampers() const { return parts_.dampers; }
  const std::vector<Bushing>& bushings() const { return parts_.bushings; }
  const std::vector<Stop>& stops() const { return parts_.stops; }
  const std::vector<Load>& loads() const { return parts_.loads; }
  const std::vector<AuxiliaryState>& states() const { return parts_.states; }
  /// Those of the user: the first of states(); the others are slips of tyres.
  std::size_t num_described_states() const { return states().size() - 2 * tyres().size(); }
  const std::vector<Tyre>& tyres() const { return parts_.tyres; }
  const tyres::Road& road() const { return parts_.road; }
  const std::optional<Vehicle>& vehicle() const { return parts_.vehicle; }
  const std::vector<Event>& events() const { return parts_.events; }
  const std::vector<Sensor>& sensors() const { return parts_.sensors; }
  const std::vector<StartPose>& start_poses() const { return parts_.start_poses; }
  const std::vector<StartValue>& start_values() const { return parts_.start_values; }
  const std::vector<StartRate>& start_rates() const { return parts_.start_rates; }
  const std::optional<StartSpeed>& start_speed() const { return parts_.start_speed; }
  const std::vector<Variable>& inputs() const { return parts_.inputs; }
  const std::vector<Formula>& formulas() const { return parts_.formulas; }
  const std::vector<Variable>& outputs() const { return parts_.outputs; }

  /// Fails: core::ContractError for an index of another mechanism that is out of range here.
  const Body& body(BodyIndex index) const { return checked(parts_.bodies, index.slot(), "body"); }
  const Joint& joint(JointIndex index) const { return checked(parts_.joints, index.slot(), "joint"); }
  const Coupling& coupling(CouplingIndex index) const {
    return checked(parts_.couplings, index.slot(), "coupling");
  }
  const NamedPoint& point(const PointRef& ref) const {
    return checked(body(ref.body).points, ref.point.slot(), "point");
  }
  /// "coupler.P3"
  std::string name_of(const PointRef& ref) const { return body(ref.body).name + "." + point(ref).name; }

  /// Everything that has a name of its own: bodies, joints, couplings, drivers, springs, dampers, bushings, stops, loads, auxiliary
  /// states, tyres, events, sensors, formulas. One name, one element. Bushings, loads, events and sensors answer with std::monostate: nothing refers to them.
  using Element = std::variant<std::monostate, BodyIndex, JointIndex, DriverIndex, SpringIndex, DamperIndex,
                               StopIndex, StateIndex, FormulaIndex, CouplingIndex, LoadIndex, TyreIndex>;
  std::optional<Element> find(std::string_view name) const;
  std::optional<PointIndex> find_point(BodyIndex body, std::string_view name) const;
  std::optional<AxisIndex> find_axis(BodyIndex body, std::string_view name) const;
  const NamedAxis& axis(const AxisRef& ref) const {
    return checked(body(ref.body).axes, ref.axis.slot(), "axis");
  }

  const MechanismParts& parts() const { return parts_; }
  friend bool operator==(const Mechanism& a, const Mechanism& b) { return a.parts_ == b.parts_; }

 private:
  friend class MechanismBuilder;
  friend Mechanism with_outputs(const Mechanism& mechanism, const std::vector<std::string>& names);
  friend Mechanism with_formula(const Mechanism& mechanism, const Formula& formula);
  friend Mechanism with_inputs(const Mechanism& mechanism, const std::vector<Variable>& inputs);
  friend Mechanism with_sensors(const Mechanism& mechanism, const std::vector<Sensor>& sensors);
  friend Mechanism with_addition(const Mechanism& mechanism, const MechanismAddition& addition);
  friend Mechanism without_drivers(const Mechanism& mechanism, const std::vector<std::string>& names);
  friend Mechanism without_dry_friction(const Mechanism& mechanism);
  friend Mechanism about_own_origin(const Mechanism& mechanism);
  friend Mechanism about_user_origin(const Mechanism& mechanism);
  Mechanism() = default;

  template <class T>
  static const T& checked(const std::vector<T>& list, std::size_t slot, const char* kind) {
    if (slot >= list.size()) throw_out_of_range(kind, slot, list.size());
    return list[slot];
  }
  [[noreturn]] static void throw_out_of_range(const char* kind, std::size_t slot, std::size_t size);

  MechanismParts parts_;
  std::unordered_map<std::string, Element> elements_;  ///< by name; follows from parts_
};

}  // namespace eslabon::model
