#pragma once

#include <array>
#include <optional>

#include <Eigen/Core>

#include "eslabon/vehicle/suspension_rig.hpp"

/// Suspension figures of a wheel and of an axle as functions of where wheels are and how they move: axes of the chassis, x forward, y to the
/// left, z up [Iso8855]. s is the side, 1 on the left, −1 on the right; e_x the way in which the wheel looks, along the road, e_y to the left of it.
/// Sources: [Iso8855], [SaeJ670], [MillikenMilliken1995], [Reimpell2001].
namespace eslabon::vehicle {

/// Swing arms that are longer are told as this long: their pole is at infinity [m].
inline constexpr double kLongestArm = 1000.0;

/// Angles of a wheel whose spin axis is a.
///   δ = atan2(−a_x, a_y)   steer angle, positive to the left [Iso8855]                                          (1)
///   toe = −s δ             positive where the wheels look inwards in front [Iso8855]                            (2)
///   γ = −s asin a_z        camber, positive where the top leans outwards [Iso8855]                              (3)
struct WheelAngles {
  double steer = 0.0, toe = 0.0, camber = 0.0;  ///< [rad]
};
WheelAngles wheel_angles(const WheelPlace& place, double side);
/// By ȧ = ω × a.
WheelAngles angle_rates(const WheelPlace& place, const WheelRate& rate, double side);

/// The line about which a wheel carrier turns as it is steered, springs keeping their lengths: the axis of its screw [Matschinsky2007]. Where
/// it turns about two balls, it is the line through them. With k = ω/|ω|, k_z > 0, and the point P of the axis on the road:
///   P_0 = C + ω × v_C/ω²                                                                                       (4)
///   τ = atan2(−k_x, k_z)     caster angle, positive where the top leans rearwards [Iso8855]                     (5)
///   σ = atan2(−s k_y, k_z)   kingpin inclination, positive where the top leans inwards [Iso8855]                (6)
///   r = s (S − P)·e_y        scrub radius: positive where the axis meets the road inside the contact point       (7)
///   n = (P − S)·e_x          mechanical trail (caster offset at ground): positive where it meets the road ahead   (8)
/// The offsets of the wheel centre, r_C and n_C, are (7) and (8) on the height of the centre.
struct SteerAxis {
  double caster = 0.0, inclination = 0.0;         ///< [rad]
  double scrub = 0.0, trail = 0.0;                ///< [m]
  double center_scrub = 0.0, center_trail = 0.0;  ///< [m]
  double pitch = 0.0;                             ///< of the screw: way along the axis per angle [m/rad]
};
/// Nothing where the carrier does not turn, or about a line in the road's plane.
std::optional<SteerAxis> steer_axis(const WheelPlace& place, const WheelRate& steering, double side);

/// Poles of the carrier in front and side view, from its motion with travel: v_S of the contact point, v_C of the centre.
///   l_f = s v_Sz/ω_x         front view swing arm, positive where the pole is inside the wheel [MillikenMilliken1995, ch. 17]     (9)
///   l_s = v_Cz/ω_y           side view swing arm, positive where the pole is ahead of the wheel                                    (10)
struct SwingArms {
  double front = 0.0, side = 0.0;  ///< [m], at most kLongestArm
};
SwingArms swing_arms(const WheelPlace& place, const WheelRate& travel, double side);

/// Height of the roll centre above the contact points, midway between them: where a lateral force on the body, carried by both tyres alike, makes
/// neither tyre load change but by its own moment [SaeJ670]. With y_i the place of contact point i from the middle, and ∂y_j/∂z_i how contact points
/// go sideways as contact point i goes up, by virtual work
///   h = ½ Σ_i y_i Σ_j ∂y_j/∂z_i                                                                                (11)
/// For independent wheels it is the mean of the heights in which the normals of both ways of the contact points pass the middle: in a symmetric
/// position their intersection. `travel[i]`: rates of both wheels as centre i goes up.
double roll_center_height(const std::array<WheelPlace, 2>& places,
                          const std::array<std::array<WheelRate, 2>, 2>& travel);

/// Slopes of the ways of contact point and centre in side view: what a longitudinal force gives to the wheel load [MillikenMilliken1995, ch. 17].
///   tan θ_b = v_Sx/v_Sz   braking outboard, the torque taken by the carrier;   tan θ_d = v_Cx/v_Sz   a torque taken by the chassis      (12)
struct SupportSlopes {
  double contact = 0.0, center = 0.0;
};
SupportSlopes support_slopes(const WheelPlace& place, const WheelRate& travel);

/// Where the normals through both steered contact points meet the line of the axle that does not steer, x = x_0, and what follows [Reimpell2001, 3.7]:
///   y_i = S_y + (S_x − x_0) cot δ_i                                                                            (14)
///   cot δ_A = (y_in − S_y,out)/(S_x,out − x_0)     the outer angle that Ackermann asks for                         (15)
///   error = δ_out − δ_A,   Ackermann = (δ_in − δ_out)/(δ_in − δ_A)                                              (16)
///   D = 2 (S_x,out − x_0)/sin δ_out                diameter of the turning circle of the outer contact point        (17)
/// Angles of (15) to (17) are positive towards the inside of the turn.
struct SteerGeometry {
  double error = 0.0;      ///< [rad]
  double curvature = 0.0;  ///< 2/D, positive to the left [1/m]
  std::optional<double>
      ackermann;  ///< 1: all normals meet in one point, 0: the wheels are parallel; none within 1° of straight ahead
};
SteerGeometry steer_geometry(const std::array<WheelPlace, 2>& places, double x_0);

}  // namespace eslabon::vehicle
