#include "eslabon/coordinates/joint_motion.hpp"

#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include "eslabon/coordinates/contact_kernel.hpp"
#include "eslabon/core/geometry/spline_curve.hpp"
#include "eslabon/core/text/error.hpp"

namespace eslabon::coordinates {

namespace {

using core::Vector3;
using std::numbers::pi;

/// The angle in (−π, π] with this sine and cosine, up to a common factor > 0.
template <class T>
T angle_of(const T& sine, const T& cosine) {
  using std::atan2;
  const T angle = atan2(sine, cosine);
  // atan2 gives −π for a sine of −0 and for one too small to see
  return core::select_less(T(-pi), angle, angle, angle + 2.0 * pi);
}

/// What an angle lacks to be the one nearest to another.
template <class T>
T whole_turns(const T& angle, double near) {
  if constexpr (core::NumericScalar<T>) {
    return T(2.0 * pi * std::nearbyint((near - core::value_of(angle)) / (2.0 * pi)));
  } else {
    return 2.0 * pi * round((near - angle) / (2.0 * pi));
  }
}

template <class T>
CoordinateValueOf<T> rotation_about_z(const RelativeTurnOf<T>& relative) {
  return {turn_about_z(relative.R), relative.w.z(), relative.alpha.z()};
}

template <class T>
CoordinateValueOf<T> shift_along(int axis, const RelativeMotionOf<T>& relative) {
  return {relative.p(axis), relative.v(axis), relative.a(axis)};
}

/// R_F1F2 = R_x(q1) R_y(q2), with y₂ = R_x(q1) e_y perpendicular to e_x:
///   y₂ = (0, cos q1, sin q1),    e_xᵀ R_F1F2 = (cos q2, 0, sin q2)                       (1)
///   ω = q̇1 e_x + q̇2 y₂                                                                   (2)
///   α = q̈1 e_x + q̈2 y₂ + q̇1 q̇2 e_x × y₂    the last term is perpendicular to both       (3)
template <class T>
CoordinateValueOf<T> universal_turn(int component, const RelativeTurnOf<T>& relative) {
  const core::Matrix3<T>& R = relative.R;
  if (component == 0) return {angle_of(R(2, 1), R(1, 1)), relative.w.x(), relative.alpha.x()};
  const Vector3<T> y2 = R.col(1);
  return {angle_of(R(0, 2), R(0, 0)), relative.w.dot(y2), relative.alpha.dot(y2)};
}

[[noreturn]] void fail_without_coordinate(model::JointType type, int component) {
  throw core::ContractError({.what = "a joint does not have this coordinate",
                             .where = "joint_coordinate",
                             .expected = "a component from 0 to below " +
                                         std::to_string(model::coordinate_count(type)) + " of a " +
                                         std::string(model::facts(type).name) + " joint",
                             .actual = std::to_string(component),
                             .next = "Ask model::coordinate_count first."});
}

void check_coordinate(model::JointType type, int component) {
  if (component < 0 || component >= model::coordinate_count(type)) fail_without_coordinate(type, component);
}

bool is_bearing(model::JointType type, int component) {
  return model::facts(type).coordinates[static_cast<std::size_t>(component)].is_bearing;
}

/// The angle at which the origin of F2 is seen from that of F1, with r = |p| in the plane:
///   φ̇ = (p × v)_z / r²,    φ̈ = ((p × a)_z − 2 φ̇ p·v) / r²
template <class T>
CoordinateValueOf<T> bearing(const RelativeMotionOf<T>& relative) {
  const Vector3<T>&p = relative.p, &v = relative.v, &a = relative.a;
  const T square = T(p.x() * p.x() + p.y() * p.y());
  const T rate = T((p.x() * v.y() - p.y() * v.x()) / square);
  return {angle_of<T>(p.y(), p.x()), rate,
          T((p.x() * a.y() - p.y() * a.x() - 2.0 * rate * (p.x() * v.x() + p.y() * v.y())) / square)};
}

/// The distance of the origins of F1 and F2:
///   r = |p|,    ṙ = p·v / r,    r̈ = (|v|² + p·a − ṙ²) / r = (p·a + |p × v|²/r²) / r
template <class T>
CoordinateValueOf<T> distance_between(const RelativeMotionOf<T>& relative) {
  const Vector3<T>&p = relative.p, &v = relative.v;
  const T length = p.norm();
  const Vector3<T> across = p.cross(v);
  return {length, T(p.dot(v) / length),
          T((p.dot(relative.a) + across.dot(across) / (length * length)) / length)};
}

bool is_turn(model::JointType type, int component) {
  return model::coordinate_dimension(type, component) == core::kAngle;
}

template <class T>
CoordinateValueOf<T> turn_coordinate(model::JointType type, int component,
                                     const RelativeTurnOf<T>& relative) {
  return type == model::JointType::kUniversal ? universal_turn(component, relative)
                                              : rotation_about_z(relative);
}

template <class T>
CoordinateValueOf<T> shift_coordinate(model::JointType type, int component,
                                      const RelativeMotionOf<T>& relative) {
  const model::JointCoordinateFacts& facts =
      model::facts(type).coordinates[static_cast<std::size_t>(component)];
  return facts.is_distance ? distance_between(relative) : shift_along(facts.axis, relative);
}

template <class T>
core::Matrix3<T> axes_of(const model::JointEnd& end, const MechanismMotionOf<T>& bodies) {
  return bodies[end.body.slot()].X_WB.R_AB.matrix() * end.X_BF.R_AB.matrix().template cast<T>();
}

/// (1) to (3) of relative_motion, as far as they are of turning.
template <class T>
RelativeTurnOf<T> relative_turn(const model::Joint& joint, const core::Matrix3<T>& R_F1W,
                                const MechanismMotionOf<T>& bodies) {
  const BodyMotionOf<T>& first = bodies[joint.first().slot()];
  const BodyMotionOf<T>& second = bodies[joint.second().slot()];
  const Vector3<T> dw = second.w_WB_W - first.w_WB_W;
  RelativeTurnOf<T> relative;
  relative.R = R_F1W * axes_of(joint.ends[1], bodies);                                       // (1)
  relative.w = R_F1W * dw;                                                                   // (2)
  relative.alpha = R_F1W * (second.alpha_WB_W - first.alpha_WB_W - first.w_WB_W.cross(dw));  // (3)
  return relative;
}

/// The turn of a circle of radius r that rolls, or of a screw, with all turns that the way x tells:  −x/r, or 2π x/lead, and what is off, in
/// (−π, π].
template <class T>
CoordinateValueOf<T> turn_by_way(const model::Joint& joint, int component,
                                 const MechanismMotionOf<T>& bodies) {
  using std::cos;
  using std::sin;
  const RelativeMotionOf<T> relative = relative_motion(joint, bodies);
  CoordinateValueOf<T> value = turn_coordinate<T>(joint.type, component, relative);
  const T by_way = model::has_lead(joint.type) ? T(2.0 * pi * relative.p.z() / joint.length)
                                               : T(-relative.p.x() / joint.length);
  const T off = T(value.position - by_way);
  value.position = by_way + angle_of<T>(sin(off), cos(off));
  return value;
}

/// rotation_about_z of relative_turn, where nothing else of that is wanted: with the axes of F1, z the common one, and x₂ of F2
///   q = atan2(y₁·x₂, x₁·x₂),   q̇ = z₁·Δω,   q̈ = z₁·(Δα − ω₁ × Δω)
template <class T>
CoordinateValueOf<T> turn_about_common_axis(const model::Joint& joint, const MechanismMotionOf<T>& bodies) {
  const BodyMotionOf<T>&first = bodies[joint.first().slot()], &second = bodies[joint.second().slot()];
  const Eigen::Matrix3d &F1 = joint.ends[0].X_BF.R_AB.matrix(), &F2 = joint.ends[1].X_BF.R_AB.matrix();
  const Vector3<T> x2 = second.direction(F2.col(0)), z1 = first.direction(F1.col(2));
  const Vector3<T> dw = second.w_WB_W - first.w_WB_W;
  return {angle_of<T>(first.direction(F1.col(1)).dot(x2), first.direction(F1.col(0)).dot(x2)), z1.dot(dw),
          z1.dot(second.alpha_WB_W - first.alpha_WB_W - first.w_WB_W.cross(dw))};
}

bool is_place(model::JointType type, int component) {
  return model::facts(type).coordinates[static_cast<std::size_t>(component)].is_place;
}

/// The angle between two bodies that a curve holds together: between their own axes, whatever the frames of the joint.
template <class T>
CoordinateValueOf<T> turn_of_bodies(const model::Joint& joint, const MechanismMotionOf<T>& bodies) {
  const BodyMotionOf<T>&first = bodies[joint.first().slot()], &second = bodies[joint.second().slot()];
  return {turn_about_z<T>((first.X_WB.R_AB.matrix().transpose() * second.X_WB.R_AB.matrix()).eval()),
          T(second.w_WB_W.z() - first.w_WB_W.z()), T(second.alpha_WB_W.z() - first.alpha_WB_W.z())};
}

/// A place on a closed curve, in [0, its length).
template <class T>
T within(const core::SplineCurve& curve, const T& u) {
  if (!curve.is_closed()) return u;
  return T(once_round<T>(curve, T(u - 0.5 * curve.length())) + 0.5 * curve.length());
}

/// Where a point touches a curve, u with C'·(p − C(u)) = 0, seen from the curve, in the plane or in space. With off = p − C(u):
///   C'·ṗ − (C'·C' − C''·off) u̇ = 0                                                     (1)
///   C'·p̈ + 2 C''·ṗ u̇ + (C'''·off − 3 C'·C'') u̇² − (C'·C' − C''·off) ü = 0              (2)
template <class T>
CoordinateValueOf<T> place_of_point(const model::Joint& joint, const RelativeMotionOf<T>& relative) {
  const core::SplineCurve& curve = joint.ends[0].curve->spline;
  const T u = curve.nearest<T>(relative.p);
  const core::CurvePoint<T> at = curve.at<T>(u);
  const Vector3<T> off = relative.p - at.p;
  const T by_place = T(at.d1.dot(at.d1) - at.d2.dot(off));
  const T rate = T(at.d1.dot(relative.v) / by_place);  // (1)
  return {within(curve, u), rate,
          T((at.d1.dot(relative.a) + 2.0 * rate * at.d2.dot(relative.v) +
             (at.d3.dot(off) - 3.0 * at.d1.dot(at.d2)) * rate * rate) /
            by_place)};  // (2)
}

/// Where a curve touches a straight face of the first body: its tangent turns against the face as fast as the bodies do,
///   k ẇ + ω = 0,   k ẅ + k' ẇ² + α = 0                                               (1)
template <class T>
CoordinateValueOf<T> place_on_face(const model::Joint& joint, const MechanismMotionOf<T>& bodies) {
  const core::SplineCurve& curve = joint.ends[1].curve->spline;
  const core::Matrix3<T> R_F1W = axes_of(joint.ends[0], bodies).transpose();
  const RelativeTurnOf<T> relative = relative_turn(joint, R_F1W, bodies);
  const T w = curve.farthest_against<T>(relative.R.row(1).transpose().eval());
  const core::PlanarCurvePoint<T> at = core::planar_point<T>(curve, w);
  const T rate = T(-relative.w.z() / at.turning);
  return {within(curve, w), rate,
          T(-(relative.alpha.z() + at.turning_rate * rate * rate) / at.turning)};  // (1)
}

/// Where two curves touch: positions along a motion p + v t + a t²/2, and the turn likewise, with derivatives by t.
template <class T>
CoordinateValueOf<T> place_of_pair(const model::Joint& joint, const MechanismMotionOf<T>& bodies) {
  using D = core::Dual<core::Dual<T>>;
  using std::cos;
  using std::sin;
  const RelativeMotionOf<T> relative = relative_motion(joint, bodies);
  const auto along = [](const T& x, const T& v, const T& a) {
    return D(core::Dual<T>(x, v), core::Dual<T>(v, a));
  };
  // cos θ and sin θ, with θ̇ = ω and θ̈ = α
  const T c = relative.R(0, 0), s = relative.R(1, 0), w = relative.w.z(), alpha = relative.alpha.z();
  const core::Vector3<D> x1(D(1.0), D(0.0), D(0.0)), p1(D(0.0), D(0.0), D(0.0));
  const core::Vector3<D> x2(along(c, T(-s * w), T(-c * w * w - s * alpha)),
                            along(s, T(c * w), T(-s * w * w + c * alpha)), D(0.0));
  const core::Vector3<D> p2(along(relative.p.x(), relative.v.x(), relative.a.x()),
                            along(relative.p.y(), relative.v.y(), relative.a.y()), D(0.0));
  const RowConstant curves(0.0, joint.ends[0].curve.get(), joint.ends[1].curve.get());
  const D u = pair_beside<D>({&x1, &x2, &p1, &p2}, curves).u;
  return {within(joint.ends[0].curve->spline, u.value.value), u.value.derivative, u.derivative.derivative};
}

}  // namespace

Eigen::Vector3d contact_point(const model::Joint& joint, const MechanismMotion& bodies) {
  const model::JointEnd& end = joint.ends[model::is_curve(joint.type, 0) ? 0 : 1];
  const double place = joint_coordinate(joint, 0, bodies).position;
  return bodies[end.body.slot()].point_position(end.X_BF.p_AB_A + end.curve->spline.at(place).p);
}

/// With Δ for what belongs to F2 minus what belongs to F1, in world axes, and an observer fixed to F1:
///   R_F1F2 = R_WF1ᵀ R_WF2,         p = R_WF1ᵀ Δp                                        (1)
///   ω₁₂ = R_WF1ᵀ Δω,               v = R_WF1ᵀ u,    u = Δv − ω₁ × Δp                     (2)
///   α₁₂ = R_WF1ᵀ (Δα − ω₁ × Δω)                                                         (3)
///   a = R_WF1ᵀ (Δa − α₁ × Δp − ω₁ × (ω₁ × Δp) − 2 ω₁ × u)                               (4)
// Seed000 eq. 8
template <core::Scalar T>
RelativeMotionOf<T> relative_motion(const model::Joint& joint, const MechanismMotionOf<T>& bodies) {
  const BodyMotionOf<T>& first = bodies[joint.first().slot()];
  const BodyMotionOf<T>& second = bodies[joint.second().slot()];
  const core::Pose<double>& X_BF1 = joint.ends[0].X_BF;
  const core::Pose<double>& X_BF2 = joint.ends[1].X_BF;
  const Vector3<T>&w1 = first.w_WB_W, &alpha1 = first.alpha_WB_W;

  const Vector3<T> dp = second.point_position(X_BF2.p_AB_A) - first.point_position(X_BF1.p_AB_A);
  const Vector3<T> dv = second.point_velocity(X_BF2.p_AB_A) - first.point_velocity(X_BF1.p_AB_A);
  const Vector3<T> da = second.point_acceleration(X_BF2.p_AB_A) - first.point_acceleration(X_BF1.p_AB_A);
  const Vector3<T> u = dv - w1.cross(dp);

  const core::Matrix3<T> R_F1W = axes_of(joint.ends[0], bodies).transpose();
  RelativeMotionOf<T> relative{relative_turn(joint, R_F1W, bodies)};
  relative.p = R_F1W * dp;                                                          // (1)
  relative.v = R_F1W * u;                                                           // (2)
  relative.a = R_F1W * (da - alpha1.cross(dp) - w1.cross(w1.cross(dp) + 2.0 * u));  // (4)
  return relative;
}

template <core::Scalar T>
CoordinateValueOf<T> joint_coordinate(model::JointType type, int component,
                                      const RelativeMotionOf<T>& relative) {
  check_coordinate(type, component);
  if (is_bearing(type, component)) return bearing(relative);
  return is_turn(type, component) ? turn_coordinate<T>(type, component, relative)
                                  : shift_coordinate(type, component, relative);
}

template <core::Scalar T>
CoordinateValueOf<T> joint_coordinate(const model::Joint& joint, int component,
                                      const MechanismMotionOf<T>& bodies) {
  check_coordinate(joint.type, component);
  if (is_bearing(joint.type, component)) return bearing(relative_motion(joint, bodies));
  if (is_place(joint.type, component))
    return !model::is_curve(joint.type, 0)  ? place_on_face(joint, bodies)
           : model::is_curve(joint.type, 1) ? place_of_pair(joint, bodies)
                                            : place_of_point(joint, relative_motion(joint, bodies));
  if (model::has_curve(joint.type)) return turn_of_bodies(joint, bodies);
  if (!is_turn(joint.type, component))
    return shift_coordinate(joint.type, component, relative_motion(joint, bodies));
  if (joint.type == model::JointType::kRolling || model::has_lead(joint.type))
    return turn_by_way(joint, component, bodies);
  if (joint.type != model::JointType::kUniversal) return turn_about_common_axis(joint, bodies);
  const core::Matrix3<T> R_F1W = axes_of(joint.ends[0], bodies).transpose();
  return turn_coordinate(joint.type, component, relative_turn(joint, R_F1W, bodies));
}

// Seed001 eq. 3.34, eq. 3.35
template <core::Scalar T>
T turn_about_z(const core::Matrix3<T>& R) {
  return angle_of<T>(R(1, 0), R(0, 0));
}

template <core::Scalar T>
T unwrapped(const T& angle, double near) {
  return angle + whole_turns(angle, near);
}

#define ESLABON_INSTANTIATE(T)                                                                           \
  template RelativeMotionOf<T> relative_motion(const model::Joint&, const MechanismMotionOf<T>&);        \
  template CoordinateValueOf<T> joint_coordinate(model::JointType, int, const RelativeMotionOf<T>&);     \
  template CoordinateValueOf<T> joint_coordinate(const model::Joint&, int, const MechanismMotionOf<T>&); \
  template T turn_about_z(const core::Matrix3<T>&);                                                      \
  template T unwrapped(const T&, double);
ESLABON_FOR_EACH_SCALAR(ESLABON_INSTANTIATE)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::coordinates
