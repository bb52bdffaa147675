#include "eslabon/dynamics/forces/bushing_force.hpp"

#include <cmath>

#include "eslabon/coordinates/joint_motion.hpp"

// With F1 and F2 the frames of the bushing, all components in axes of F1 and R = R_F1F2 = R_x(θ₁) R_y(θ₂) R_z(θ₃):
//   R₁₃ = sin θ₂,  R₂₃ = −sin θ₁ cos θ₂,  R₃₃ = cos θ₁ cos θ₂,  R₁₁ = cos θ₂ cos θ₃,  R₁₂ = −cos θ₂ sin θ₃      (1)
//   ω = θ̇₁ e_x + θ̇₂ (0, c₁, s₁) + θ̇₃ (s₂, −s₁ c₂, c₁ c₂),   so that with u = (0, −s₁, c₁)/c₂                   (2)
//   θ̇₃ = u·ω,   θ̇₂ = (0, c₁, s₁)·ω,   θ̇₁ = e_x·ω − s₂ θ̇₃,   in short θ̇ = A ω                                  (3)
// The power of efforts τ in θ is that of the torque M with  M·ω = τ·A ω:
//   M = Aᵀ τ                                                                                                    (4)

namespace eslabon::dynamics {

using coordinates::MechanismMotionOf;
using core::Matrix3;
using core::Vector3;

namespace {

model::Joint frames_of(const model::Bushing& bushing) {
  model::Joint joint;
  joint.type = model::JointType::kFree;
  for (std::size_t e = 0; e < 2; ++e) {
    joint.ends[e].body = bushing.ends[e].body;
    joint.ends[e].X_BF = bushing.ends[e].X_BF;
  }
  return joint;
}

/// A of (3), and θ.
template <class T>
struct Turn {
  Vector3<T> theta;
  Matrix3<T> A;
};

template <class T>
Turn<T> turn_of(const Matrix3<T>& R, bool is_planar) {
  using std::atan2;
  using std::sqrt;
  Turn<T> turn{Vector3<T>::Zero(), Matrix3<T>::Zero()};
  if (is_planar) {
    turn.theta.z() = coordinates::turn_about_z(R);
    turn.A(2, 2) = T(1.0);
    return turn;
  }
  const T c2 = sqrt(R(1, 2) * R(1, 2) + R(2, 2) * R(2, 2)), s2 = R(0, 2);
  const T s1 = -R(1, 2) / c2, c1 = R(2, 2) / c2;
  turn.theta = Vector3<T>(atan2(T(-R(1, 2)), R(2, 2)), atan2(s2, c2), atan2(T(-R(0, 1)), R(0, 0)));  // (1)
  const Vector3<T> u(T(0.0), -s1 / c2, c1 / c2);
  turn.A.row(2) = u.transpose();  // (3)
  turn.A.row(1) = Vector3<T>(T(0.0), c1, s1).transpose();
  turn.A.row(0) = (Vector3<T>(T(1.0), T(0.0), T(0.0)) - s2 * u).transpose();
  return turn;
}

}  // namespace

template <core::Scalar T>
BushingStrainOf<T> bushing_strain(const model::Bushing& bushing, bool is_planar,
                                  const MechanismMotionOf<T>& bodies) {
  const coordinates::RelativeMotionOf<T> relative = coordinates::relative_motion(frames_of(bushing), bodies);
  const Turn<T> turn = turn_of<T>(relative.R, is_planar);
  const Vector3<T> theta_dot = turn.A * relative.w;
  BushingStrainOf<T> strain;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    strain.value[k] = relative.p(i);
    strain.rate[k] = relative.v(i);
    strain.value[k + 3] = turn.theta(i);
    strain.rate[k + 3] = theta_dot(i);
  }
  return strain;
}

template <core::Scalar T>
void add_bushing(const model::Bushing& bushing, bool is_planar, const MechanismMotionOf<T>& bodies,
                 std::span<std::type_identity_t<WrenchOf<T>>> wrenches) {
  const coordinates::RelativeMotionOf<T> relative = coordinates::relative_motion(frames_of(bushing), bodies);
  const Turn<T> turn = turn_of<T>(relative.R, is_planar);
  const Vector3<T> theta_dot = turn.A * relative.w;
  Vector3<T> F = Vector3<T>::Zero(), tau = Vector3<T>::Zero();
  for (std::size_t k = 0; k < 3; ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    F(i) = -(bushing.stiffness[k] * relative.p(i) + bushing.damping[k] * relative.v(i));
    tau(i) = -(bushing.stiffness[k + 3] * turn.theta(i) + bushing.damping[k + 3] * theta_dot(i));
  }
  const std::size_t first = bushing.ends[0].body.slot(), second = bushing.ends[1].body.slot();
  const Matrix3<T> R_WF1 =
      bodies[first].X_WB.R_AB.matrix() * bushing.ends[0].X_BF.R_AB.matrix().template cast<T>();
  const Vector3<T> force = R_WF1 * F, torque = R_WF1 * Vector3<T>(turn.A.transpose() * tau);  // (4)
  const Vector3<T> P = bodies[second].point_position(bushing.ends[1].X_BF.p_AB_A);
  wrenches[second].add_force(force, P - bodies[second].X_WB.p_AB_A);
  wrenches[first].add_force(-force, P - bodies[first].X_WB.p_AB_A);
  wrenches[second].torque += torque;
  wrenches[first].torque -= torque;
}

#define ESLABON_INSTANTIATE(T)                                                                          \
  template BushingStrainOf<T> bushing_strain(const model::Bushing&, bool, const MechanismMotionOf<T>&); \
  template void add_bushing<T>(const model::Bushing&, bool, const MechanismMotionOf<T>&,                \
                               std::span<std::type_identity_t<WrenchOf<T>>>);
ESLABON_INSTANTIATE(double)
ESLABON_INSTANTIATE(core::Dual<double>)
ESLABON_INSTANTIATE(core::Traced)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::dynamics
