#pragma once

#include <optional>

#include <Eigen/Core>

#include "eslabon/dynamics/statics/equilibrium.hpp"
#include "eslabon/dynamics/statics/freedom_chart.hpp"

namespace eslabon::dynamics {

inline constexpr double kLastStep = 1e-10;  ///< of an equilibrium: rad, or of the mechanism's size
inline constexpr double kBalanced = 1e-9;   ///< of what acts in the degree of freedom

/// −∂f/∂y at the centre by plain central differences; nothing where f has no value beside it.
std::optional<Eigen::MatrixXd> quick_stiffness(FreedomChart& chart);

/// One walk to an equilibrium.
class EquilibriumWalk {
 public:
  enum class Way {
    kPushed,   ///< (2) of find_equilibrium
    kNearest,  ///< (3) of it
  };
  EquilibriumWalk(FreedomChart& chart, Way way) : chart_(chart), way_(way) {}

  /// From now on it ends where so many steps, one after the other, lead to nowhere that less pushes than before.
  void give_up_after(int steps) { patience_ = steps; }

  EquilibriumReport::Status run(const State& start);

  int iterations() const { return iterations_; }
  const State& found() const { return found_; }
  const State& least() const { return least_; }  ///< where the least was left to push
  double least_force() const { return least_force_; }

 private:
  /// False where a force has no value.
  bool look();
  /// From one end of the mechanism to the other: the diagonal of the box around the origins of its bodies, at least its size [m].
  double reach();
  /// The largest turn of a body for dq (n) [rad], or shift of an origin in parts of the reach.
  double largest_move(const Eigen::VectorXd& dq);
  /// Goes along dy as far as it is good, forces measured by s; false when nowhere.
  bool step(Eigen::VectorXd dy, const Eigen::VectorXd& s, State& state);
  /// From an equilibrium to roundoff. False where a force has no value.
  bool polish();

  FreedomChart& chart_;
  Way way_;
  FreedomForces forces_;
  Eigen::VectorXd acting_;               ///< (f) what acts in each degree of freedom
  double scale_ = 0.0;                   ///< the most that acted so far
  double reach_ = 0.0;                   ///< at the centre [m]
  coordinates::MechanismMotion bodies_;  ///< scratch
  int iterations_ = 0;
  bool blocked_ = false;  ///< positions on the way could not be found
  State found_, least_;
  double least_force_ = 0.0;
  int patience_ = 0;     ///< 0: without end
  int since_least_ = 0;  ///< steps
};

}  // namespace eslabon::dynamics
