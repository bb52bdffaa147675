#pragma once

#include <string>
#include <vector>

#include "eslabon/model/descriptions.hpp"

namespace eslabon::vehicle {

/// Variables of a mechanism, by their names, as arguments of a function.
class LawArguments {
 public:
  model::TimeFunction operator()(const std::string& variable);
  model::LawDescription law(model::TimeFunction function) const { return {std::move(function), names_}; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

/// The names of the variables of a chassis.
struct ChassisNames {
  std::string body;   ///< "chassis"
  std::string point;  ///< "chassis.O"

  std::string heading() const { return body + ".euler_zyx_1"; }
  std::string pitch() const { return body + ".euler_zyx_2"; }
  std::string roll() const { return body + ".euler_zyx_3"; }
  std::string yaw_rate() const { return body + ".wz"; }
};

/// With ψ the heading and (x, y) horizontal axes that turn with it
///   v_x = ẋ cos ψ + ẏ sin ψ,   v_y = −ẋ sin ψ + ẏ cos ψ                                                       (1)
/// and the same of accelerations. `level`: "v" or "a".
model::TimeFunction ahead(LawArguments& arguments, const ChassisNames& chassis, const std::string& level);
model::TimeFunction aside(LawArguments& arguments, const ChassisNames& chassis, const std::string& level);

/// A PI control of the speed, as acceleration a that the drive gives the vehicle:
///   u = p (V − v) + z,   a = on max(−limit, min(limit, u)),   ż = on (p/reset (V − v) + (a − u)/unwind)      (2)
/// with v the horizontal speed, whatever its direction, of a vehicle that backs up with a minus.
/// K. J. Astrom, T. Hagglund, PID Controllers, 2nd ed., 1995, chapter 3: saturation and back-calculation.
struct SpeedControl {
  double speed = 0.0;                ///< V [m/s]
  model::TimeFunction on = 1.0;      ///< of the time, 0 … 1
  double proportional = 2.0;         ///< p [1/s]
  double reset = 2.0, unwind = 0.5;  ///< [s]
  double limit = 4.0;                ///< [m/s²]
  double slowest = 1e-3;             ///< v is not less [m/s]

  static constexpr const char* kState = "manoeuvre.speed_control";  ///< z
  model::StateDescription state(const ChassisNames& chassis) const;
  model::TimeFunction acceleration(LawArguments& arguments, const ChassisNames& chassis) const;

 private:
  /// V − v
  model::TimeFunction error(LawArguments& arguments, const ChassisNames& chassis) const;
};

/// A driver who knows the way: the lateral acceleration that the path y = P(x) asks for where the vehicle will be when it answers, `lead` seconds ahead, and
/// what brings it back to its path,
///   a = v_x² P''(x') + 2 ζ ω (v_x P'(x) − v_y) + ω² (P(x') − y − lead v_y),   x' = x + lead v_x                          (3)
/// with slopes from places `step` apart. The steering wheel goes to the angle for that within `lag`:
///   h' = (max(−limit, min(limit, i (L/v² + K) a)) − h)/lag                                                          (4)
/// with the steering ratio i, the wheelbase L and the understeer K that the driver knows of. Preview and compensation, the two levels of
/// E. Donges, A two-level model of driver steering behavior, Human Factors 20 (1978).
struct PreviewDriver {
  double lead = 0.2, lag = 0.05;          ///< [s]
  double frequency = 1.2, damping = 0.9;  ///< ω [rad/s], ζ
  double step = 1.0;                      ///< [m]
  double middle = 0.0;          ///< of the axles, before the chassis' point: what follows the path [m]
  double steering_ratio = 1.0;  ///< i
  double wheelbase = 1.0;       ///< [m]
  double understeer = 0.0;      ///< [rad s²/m]
  double limit = 9.0;           ///< of the steering wheel [rad]
  double slowest = 2.0;         ///< below this speed it steers as at it [m/s]

  static constexpr const char* kState = "manoeuvre.hands";  ///< h, the angle of the steering wheel
  /// `path`: P(x), a function of its argument 0.
  model::StateDescription state(const ChassisNames& chassis, const model::TimeFunction& path) const;
};

/// A brake between a wheel and its carrier, which stops and holds, with w the spin:
///   z' = (w − |w| z)/(grip + settling |w|),   torque = −share torque (grip z + settling w)/(grip + settling |w|)      (5)
/// as models/vehicles/parts/brake.yaml has it: P. R. Dahl, A solid friction model, 1968, with a damper; both fade with the speed.
struct HoldingBrake {
  std::string spin;                  ///< the joint
  double sign = 1.0;                 ///< of its coordinate: > 0 where it grows as the wheel rolls ahead
  model::TimeFunction torque = 0.0;  ///< of the time [N m]
  double grip = 0.035;               ///< [rad]
  double settling = 0.04;            ///< [s]

  std::string state_name() const { return "manoeuvre.hold." + spin; }
  std::string load_name() const { return "manoeuvre.brake." + spin; }
  model::StateDescription state(double start) const;
  model::LoadDescription load() const;

 private:
  model::TimeFunction spin_of(LawArguments& arguments) const;
};

}  // namespace eslabon::vehicle
