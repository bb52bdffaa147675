#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "eslabon/core/dimension.hpp"
#include "eslabon/core/geometry/pose.hpp"

namespace eslabon::estimation {

class Swarm;

using StateRef = Eigen::Ref<Eigen::VectorXd>;
using ConstStateRef = Eigen::Ref<const Eigen::VectorXd>;
using MatrixRef = Eigen::Ref<Eigen::MatrixXd>;

/// One of the numbers that are estimated.
struct StateInfo {
  std::string name;  ///< "A.q", "A.v", "force:wheel.W.z"
  core::Dimension dimension = {};
  double unknown_scale =
      1.0;  ///< a deviation that means "nothing is known": π for angles, the size of the mechanism for lengths
  bool is_rate = false;       ///< of a position that is a state too
  bool is_angle = false;      ///< values that differ by whole turns are the same [rad]
  bool is_parameter = false;  ///< estimated beside the motion: a filter that begins anew forgets it
  /// Positive by nature, and estimated by its logarithm: readings multiply it.
  bool is_factor = false;
  /// Values beyond these mean nothing. Factors stop there; where another state would go there, there is no state.
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
};

/// The bodies of a system that has some: where they are in the state accepted last.
class SystemBodies {
 public:
  virtual std::size_t num_bodies() const = 0;  ///< beside the ground
  /// (bodies)
  virtual void find_poses(std::span<core::Pose<double>> X_WB) = 0;
  /// Largest residual of the constraints [m].
  virtual double constraint_error() = 0;
  /// keep() keeps the state accepted last, and restore() accepts the one kept last again, bit for bit: who looks around in between changes
  /// nothing. May allocate.
  virtual void keep() = 0;
  virtual void restore() = 0;

 protected:
  ~SystemBodies() = default;
};

/// Everything that a filter sees of what it estimates,
///   x ← f(x) + w,  w ~ (0, Q_w);     y = h(x) + n,  n ~ (0, R_n)                                          (1)
/// with derivatives. States are vectors; what x alone does not determine (where dependent coordinates are, on which branch) is looked for
/// from the last state that was accepted. Nothing allocates after construction but choose_coordinates, where it takes others. One per filter and thread.
// Seed000 eq. 105
class System {
 public:
  virtual ~System() = default;

  const std::vector<StateInfo>& states() const { return states_; }
  Eigen::Index num_states() const { return static_cast<Eigen::Index>(states_.size()); }  ///< n
  virtual int num_sensors() const = 0;
  virtual Eigen::Index num_channels(int sensor) const = 0;  ///< m of this sensor
  /// Whether readings of this channel that differ by whole turns are the same.
  virtual bool is_angle(int sensor, Eigen::Index channel) const = 0;
  /// From reading to reading [s]; 0: one at every step.
  virtual double period(int sensor) const = 0;
  /// (m × m) R_n of one reading.
  virtual void sensor_noise(int sensor, MatrixRef R_n) const = 0;

  /// x becomes f(x), h seconds after t. False when no state follows: x is then meaningless.
  [[nodiscard]] virtual bool step(double t, double h, StateRef x) = 0;
  /// The same with F = ∂f/∂x (n × n), exact.
  [[nodiscard]] virtual bool step(double t, double h, StateRef x, MatrixRef F) = 0;
  /// F of [Seed003, eq. (18)], which knows nothing of the forces: positions go on by h times rates. At the state accepted last.
  virtual void simple_transition(double h, MatrixRef F) = 0;
  /// (n × n) Q_w of a step of h from x.
  virtual void plant_noise(double t, double h, ConstStateRef x, MatrixRef Q_w) = 0;

  /// y = h(x) (m) at time t. False when x is no state.
  [[nodiscard]] virtual bool measure(double t, ConstStateRef x, int sensor, StateRef y) = 0;
  /// The same with H = ∂h/∂x (m × n), exact.
  [[nodiscard]] virtual bool measure(double t, ConstStateRef x, int sensor, StateRef y, MatrixRef H) = 0;

  /// The estimate is x now: later states are looked for from there. False when x is no state; then nothing has changed.
  [[nodiscard]] virtual bool accept(double t, ConstStateRef x) = 0;
  /// The same for number k, from 0, of all states with these positions, wherever the system was before: one for each branch. False: there
  /// are fewer. May allocate.
  [[nodiscard]] virtual bool accept_any(double t, ConstStateRef x, int k) { return k == 0 && accept(t, x); }
  /// Whether step() and measure() tell other things of the same state at other times.
  virtual bool depends_on_time() const { return true; }
  /// Between steps, at the state accepted last: takes other coordinates for x where those have become bad. True when it did: x is then
  /// the same state in the new ones, and T = ∂x_new/∂x_old (n × n).
  virtual bool choose_coordinates(double /*t*/, StateRef /*x*/, MatrixRef /*T*/) { return false; }
  /// Nothing for systems without bodies.
  virtual SystemBodies* bodies() { return nullptr; }
  /// Many states of this system at once: inside the filter of it. What is returned otherwise steps them one by one.
  virtual std::unique_ptr<Swarm> make_swarm();

 protected:
  std::vector<StateInfo> states_;  ///< (n)
};

/// Of the constraints between its bodies at the state accepted last [m]; 0 where there are none.
inline double constraint_error(System& system) {
  SystemBodies* const bodies = system.bodies();
  return bodies != nullptr ? bodies->constraint_error() : 0.0;
}

}  // namespace eslabon::estimation
