#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/statics/freedom_chart.hpp"

namespace eslabon::dynamics {

enum class Stability {
  kStable,    ///< pushed aside, it is pushed back
  kUnstable,  ///< some push aside grows
  kNeutral    ///< some motion is neither pushed back nor on
};

/// "stable", "unstable", "neutral"
std::string_view stability_word(Stability stability);

/// A position in which a mechanism stays at rest, and what it does near it. Matrices are in y of the tangent space there, lengths in
/// units of the mechanism's size.
struct Equilibrium {
  State state;                          ///< at rest
  coordinates::MechanismMotion bodies;  ///< (bodies)
  Eigen::MatrixXd directions;           ///< (n × f) R
  Eigen::MatrixXd stiffness;            ///< (f × f) K = −∂f/∂y [J]
  Eigen::MatrixXd damping;              ///< (f × f) −∂f/∂ẏ [J s]
  Eigen::MatrixXd mass;                 ///< (f × f) [kg m²]
  double stiffness_error = 0.0;  ///< of K, as estimated, each degree of freedom measured by its own size
  bool is_conservative = true;   ///< K is symmetric
  Stability stability = Stability::kNeutral;
  Eigen::VectorXd stiffnesses;  ///< (f) eigenvalues of the symmetric part of K, ascending [J]
  Eigen::MatrixXd neutral;      ///< (f × k) y of the directions without stiffness, each of unit length
  Eigen::VectorXd softest;      ///< (f) y of the mode with the smallest ω², of unit length
  std::optional<double>
      softest_square;  ///< ω² of it [1/s²], negative when it grows, at a kink of the softer side; none when a degree of freedom has no mass
  double potential_energy = 0.0;  ///< [J]
  double residual =
      0.0;  ///< largest part of f, in parts of what acts in its degree of freedom (FreedomChart::force_scales) or its stiffness
  std::string stop;  ///< the rigid limit that it touches or passes: "upper limit of stop 's'"; "" without one
  bool is_beyond_stop = false;  ///< it passes it: no position of the mechanism
  bool has_kink = false;        ///< stiffness differs from one side to the other
  std::vector<std::string>
      neutral_states;  ///< auxiliary states that nothing brings back: what their rates look at balances with any value
  int iterations = 0;
};

/// Stability, softest mode and energy of a position of rest. A stiffness counts as none below 10⁻⁹ of its degree of freedom's own size (stiffness,
/// or what acts), and below ten times its error. Symmetric K and D without a negative eigenvalue: by the signs of K's eigenvalues; at a
/// kink by those of both sides. Otherwise, with loads that follow their bodies or dampers that drive: by the eigenvalues of
///   M ÿ + D ẏ + K y = 0,                                                                                       (4)
/// where real parts count as 0 up to 10⁻⁶ of each; where a degree of freedom has no mass, by K alone. With auxiliary states x always by the
/// eigenvalues of
///   M ÿ + D ẏ + K y − F x = 0,   ẋ = G_y y + G_v ẏ + G x,                                                      (5)
/// K and D with x held; without masses by K and by G + G_y K⁻¹ F, that is with K y = F x at each instant.
/// Throws core::ModelError when the position is singular, and when forces beside it have no value.
Equilibrium describe_equilibrium(FreedomChart& chart, const State& state);
/// The same for searches: sets `at`, or says why it cannot be described.
std::optional<core::ErrorText> try_describe_equilibrium(FreedomChart& chart, const State& state,
                                                        Equilibrium& at);

/// A rigid limit that something rests on, touches (kTouching) or passes.
std::optional<StopSide> find_touched_stop(const DynamicModel& model, const State& state,
                                          const coordinates::MechanismMotion& bodies);

/// V with the angles of springs as the state has them.
double potential_energy(const DynamicModel& model, const State& state,
                        const coordinates::MechanismMotion& bodies);

}  // namespace eslabon::dynamics
