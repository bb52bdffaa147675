#pragma once

#include <functional>
#include <span>
#include <vector>

#include "eslabon/core/scalar/lane_program.hpp"
#include "eslabon/dynamics/reduced/reduced_motion.hpp"
#include "eslabon/dynamics/reduced/traced_motion.hpp"

namespace eslabon::dynamics {

/// A program of a mechanism with what it shares between states: times, drivers and functions of time.
struct MotionProgram {
  core::LaneProgram program;
  std::vector<core::Trace::TimeUniform> functions;
};

/// The equations of motion of many states of one mechanism at once. A state is (q, v, a, R, θ): all relative coordinates with their
/// rates, accelerations and R = ∂q/∂z, and the unknowns; every state may be on another branch and there is no choice of independent
/// coordinates that could become singular,
///   q⁺ = q + h v + h²/2 a,   v⁺ = v + h/2 (a + a*),   a* = a(q⁺, v + h a)      second order, one evaluation a step     (1)
/// followed by projections onto the constraints. Accelerations by multipliers,
///   M a + Jᵀ λ = f,  J a = γ:    Y = M⁻¹ Jᵀ,  (J Y) λ = J M⁻¹ f − γ,  a = M⁻¹ f − Y λ                                  (2)
/// with M + ρ Jᵀ J instead of M where M alone is singular (Euler parameters, massless bodies): the same a. Corrections of positions and
/// rates go along Y, so that they do no work. Noise δz of the degrees of freedom z (those of ReducedMotion) goes along R, first as it was before
/// the step, then by a Newton step with held z,
///   N = D E − D Jᵀ (J D Jᵀ)⁻¹ J D E,   R = N (Eᵀ N)⁻¹       E: columns of z, D: squares of the coordinates' sizes      (3)
/// where pivots of Eᵀ N, which are 0 where z cannot move, are held above a tenth of those at the start: noise that would move
/// others three times as far as there moves less. At the end of a step
/// D is M⁻¹: the same R.
class LaneMotion {
 public:
  /// `motion` tells model, unknowns and z; this one lives beside it.
  explicit LaneMotion(const ReducedMotion& motion);

  int num_coordinates() const { return static_cast<int>(num_coordinates_); }  ///< n
  /// Numbers of (q, v, a, R).
  std::size_t num_moving() const {
    return (3 + static_cast<std::size_t>(motion_.num_freedoms())) * num_coordinates_;
  }
  /// The program of one step (1). Inputs: q, v, a (n each), R (f columns of n), θ, δz, δż (f each). Outputs: q, v, a, R, how large
  /// the last correction was, squared and in units of the mechanism's size and of radians: the constraint error is its square; and, where
  /// there are auxiliary states g = θ̇ among the unknowns, all of θ after the step,
  ///   θ⁺ = θ + h/2 (g(q, v, θ) + g(q⁺, v + h a, θ + h g))       second order.                                    (1b)
  /// Without noise δz and δż are not read.
  const MotionProgram& step(bool has_noise) const { return has_noise ? noisy_step_ : calm_step_; }
  /// Moves z by δz and ż by δż, far if need be. Inputs: q, v, θ, δz, δż. Outputs as above.
  const MotionProgram& displacement() const { return displacement_; }
  /// Moves ż by δż where the state is. Inputs: q, v, θ, δż. Outputs: v, a.
  const MotionProgram& kick() const { return kick_; }
  /// All of these, for a compiler.
  std::vector<core::NamedLaneProgram> programs();
  /// What `read` writes for the bodies and auxiliary states of a state; of none: those of the start. Inputs: q, v, a, R, θ.
  using Reading = std::function<void(const coordinates::MechanismMotionOf<core::Traced>& bodies,
                                     std::span<const core::Traced> states, std::span<core::Traced> out)>;
  MotionProgram reading(std::size_t num_channels, const Reading& read) const;
  /// All rows of the constraints, in lengths [m]. Inputs: q.
  MotionProgram residual() const;

  /// What all states share in a run of the program that ends at time t after a step of h; (num_uniforms). False when a driver or a function
  /// of time has no value then: a stop whose limit is none would push nobody, and no result would show it.
  /// `drivers`: (drivers) scratch.
  [[nodiscard]] bool evaluate_uniforms(const MotionProgram& program, double t, double h,
                                       std::span<coordinates::CoordinateValue> drivers,
                                       std::span<double> out) const;

 private:
  MotionProgram trace_step(bool has_noise) const;
  MotionProgram trace_displacement() const;
  MotionProgram trace_kick() const;

  const ReducedMotion& motion_;
  std::size_t num_coordinates_;
  TracedScales scales_;
  MotionProgram calm_step_, noisy_step_, displacement_, kick_;
};

}  // namespace eslabon::dynamics
