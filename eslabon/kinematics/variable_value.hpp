#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/model/own_origin.hpp"

namespace eslabon::kinematics {

/// What a spring or damper sees.
template <core::Scalar T>
struct ConnectionValueOf {
  T length = T(
      0.0);  ///< distance of the points [m], or the joint coordinate [m] or [rad], in (−π, π], or the difference of two, or a
             ///< coordinate of a point from the user's origin [m]
  T rate = T(0.0);  ///< d length/dt [m/s] or [rad/s]
};
using ConnectionValue = ConnectionValueOf<double>;

/// Length and rate of the connection of a spring or damper. Points that coincide move apart at |Δv|.
template <core::Scalar T>
ConnectionValueOf<T> connection_value(const model::Mechanism& mechanism, const model::Connection& connection,
                                      const coordinates::MechanismMotionOf<T>& motion);

/// Whether the variable is a force or torque, which a motion alone does not determine: reactions of joints,
/// efforts of drivers, forces of springs, dampers and stops, friction.
bool needs_forces(const model::Variable& variable);

/// The value of the variable in this motion, SI units; angles in (−π, π], of the four Euler parameters the
/// largest positive; positions of points from the origin of the mechanism. Does not allocate.
/// Throws core::ContractError when needs_forces(variable), or when the motion is of another number of bodies.
template <core::Scalar T>
T value_of(const model::Mechanism& mechanism, const model::Variable& variable,
           const coordinates::MechanismMotionOf<T>& motion);

/// The same as the user is told it: positions of points from the user's origin, model::about_own_origin (1).
template <core::Scalar T>
T told_value(const model::Mechanism& mechanism, const model::Variable& variable,
             const coordinates::MechanismMotionOf<T>& motion) {
  const T value = value_of(mechanism, variable, motion);
  const double origin = model::origin_part(mechanism, variable);
  return origin == 0.0 ? value : value + origin;
}

#define ESLABON_DECLARE(T)                                                                                 \
  extern template ConnectionValueOf<T> connection_value(const model::Mechanism&, const model::Connection&, \
                                                        const coordinates::MechanismMotionOf<T>&);         \
  extern template T value_of(const model::Mechanism&, const model::Variable&,                              \
                             const coordinates::MechanismMotionOf<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_DECLARE)
#undef ESLABON_DECLARE

/// Evaluates a list of variables from instant to instant so that they are continuous functions of time where
/// value_of jumps. With x the value at the instant before, x* that of value_of now, and h the time between:
///   angles             x*, by whole turns nearest to   x + h (ẋ_before + ẋ_now)/2               (1)
///   Euler parameters   e* or −e*, nearer to            exp(h (ω_before + ω_now)/2) e            (2)
/// Right as long as the prediction misses by less than half a turn: steps may be of several turns while the
/// rate hardly changes. Angles are BODY.angle, joint coordinates that are rotations, and lengths of springs
/// and dampers in them. Formulas are evaluated with their variables as these are recorded.
///
/// Keeps a reference to the mechanism. One per run: what it returns depends on the instants before.
class VariableRecorder {
 public:
  enum class From { kOwnOrigin, kUserOrigin };  ///< how positions of points are recorded
  VariableRecorder(const model::Mechanism& mechanism, std::vector<model::Variable> variables,
                   From from = From::kUserOrigin);

  const std::vector<model::Variable>& variables() const { return variables_; }

  /// The value near which the first value of angle k is looked for, for example the start of a driver beyond
  /// ±π; without it the first is in (−π, π]. Kept by reset(). Variables that are no angles do not need it,
  /// nor look at it.
  void set_hint(int k, double value);

  /// Values of all variables at time t [s]; out: (variables). Those that need forces are left as they are in
  /// `out`. Does not allocate. Throws core::ContractError when a size is wrong.
  void record(double t, const coordinates::MechanismMotion& motion, std::span<double> out);
  /// An instant of which no values are wanted: angles and orientations go on from there.
  void follow(double t, const coordinates::MechanismMotion& motion);

  /// Forgets every instant: the next one is the first.
  void reset();

  /// What records the variables of formulas, one formula after the other; nullptr: there are none. Its angles have hints too.
  VariableRecorder* operands() { return operands_.empty() ? nullptr : operands_.data(); }

 private:
  /// An angle and the instant before.
  struct Angle {
    std::size_t slot;          ///< in variables_
    double hint = 0.0;         ///< [rad]
    double before = 0.0;       ///< its value at the instant before [rad], set by follow
    double rate_before = 0.0;  ///< [rad/s], set by follow
  };
  /// The orientation of a body and the instant before.
  struct Orientation {
    model::BodyIndex body;
    std::vector<std::size_t> slots;                     ///< of its Euler parameters in variables_
    Eigen::Vector4d before = Eigen::Vector4d::UnitX();  ///< (4) e at the instant before, set by follow
    Eigen::Vector3d w_before =
        Eigen::Vector3d::Zero();  ///< (3) ω at the instant before [rad/s], set by follow
  };

  /// A formula among the variables, and its first variable in those of operands_.
  struct FormulaSlot {
    std::size_t slot;
    const model::Formula* formula;
    std::size_t first_operand;
  };

  void add_formulas();
  void add_orientation(model::BodyIndex body, std::size_t slot);
  void follow_angle(Angle& angle, double h, const coordinates::MechanismMotion& motion) const;
  void follow_orientation(Orientation& orientation, double h,
                          const coordinates::MechanismMotion& motion) const;

  const model::Mechanism& mechanism_;
  std::vector<model::Variable> variables_;
  From from_;
  std::vector<std::size_t> plain_;  ///< slots of variables that value_of or told_value gives as they are
  std::vector<Angle> angles_;
  std::vector<Orientation> orientations_;
  std::vector<FormulaSlot> formulas_;
  std::vector<VariableRecorder> operands_;  ///< one where there are formulas
  std::vector<double> operand_values_;
  bool is_first_ = true;
  double t_before_ = 0.0;  ///< [s]
};

}  // namespace eslabon::kinematics
