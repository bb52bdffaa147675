#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/core/scalar/program_compiler.hpp"
#include "eslabon/dynamics/reduced/reduced_motion.hpp"
#include "eslabon/estimation/mechanism/position_prior.hpp"
#include "eslabon/estimation/mechanism/step_rule.hpp"
#include "eslabon/estimation/system.hpp"
#include "eslabon/sensing/instrument.hpp"

namespace eslabon::estimation {

/// Rates beyond so many half turns, or sizes of the mechanism, in a second are not expected where nothing is known.
inline constexpr double kUnknownRate = 10.0;

/// What the model does not know of the motion; lengths are measured in the mechanism's size. A step of h adds
///   Q_w = p² [h 0; 0 0] + v² [h³/3 h²/2; h²/2 h] + a² [h⁴/4 h³/2; h³/2 h²]     of each degree of freedom and its rate      (1)
/// [Seed003, eq. (19)] has the diagonal alone, with σ_z² = p² h and σ_ż² = v² h. Without what couples the two, a gyroscope that corrects
/// the rate leaves half a step of every wrong acceleration in the position.
struct PlantNoise {
  double position = 0.0;  ///< p: density of white noise in ż [rad/√s]
  double velocity = 0.0;  ///< v: density of white noise in z̈ [rad/s/√s]
  double acceleration =
      0.0;  ///< a: deviation of an acceleration that is constant over each step, or part of one between readings [rad/s²]
};

/// A number that is estimated beside the motion, constant or on a random walk; or an auxiliary state of the mechanism, of which the walk is
/// the noise of its rate. Factors, of masses, stiffnesses, damping and friction, are
/// positive, and constant ones stay within ten deviations of the logarithm of their start.
struct UnknownState {
  dynamics::Unknown what;
  std::string name = {};           ///< "force:wheel.W.z"; of kFreedomForce the system finds it
  core::Dimension dimension = {};  ///< of the state; the same
  double start =
      0.0;  ///< value at the start; of a factor positive; of an auxiliary state beside that of the model
  double deviation =
      1.0;  ///< of the start; of kFreedomForce as an acceleration [rad/s², sizes/s²]; of kState ≥ 0
  double walk = 0.0;  ///< deviation of the change in 1 s; 0: constant. Of kFreedomForce as an acceleration
};

/// A bias of one channel of a sensor, constant or on a random walk, in the unit of the channel.
struct BiasState {
  int sensor = 0;
  Eigen::Index channel = 0;
  double deviation = 0.0;
  double walk = 0.0;
};

/// A sensor that a filter reads.
struct FilterSensor {
  std::shared_ptr<const sensing::Instrument> instrument;
  sensing::SensorFacts facts;
};

struct MechanismSystemOptions {
  StepRule rule = StepRule::kHeun;
  PlantNoise noise = {};
  std::vector<UnknownState> unknowns =
      {};  ///< auxiliary states that are not among them are added, the first of all
  std::vector<BiasState> biases = {};
  double largest_rate =
      std::numeric_limits<double>::infinity();           ///< of a DOF; faster is no state [rad/s, sizes/s]
  std::shared_ptr<core::ProgramCompiler> compiler = {};  ///< of what many states run; none: it is interpreted
  std::shared_ptr<dynamics::ReducedCompiler> motion_compiler = {};  ///< of what one state runs; the same
};

/// A mechanism as a System: x = (z, ż, auxiliary states, unknowns, biases), with z the degrees of freedom of ReducedMotion, so that every state
/// satisfies the constraints. Auxiliary states have rates, which the step integrates with the motion. R_n of a reading is noise² + resolution²/12; its constant bias is known; turn-on bias, drift, gain and misalignment are not in it. While forces along
/// degrees of freedom are estimated, coordinates are not exchanged: the forces would change their meaning.
class MechanismSystem final : public System, public SystemBodies {
 public:
  /// Throws core::ModelError as ReducedMotion does, for a sensor without noise and resolution, and for a factor
  /// that does not start positive.
  MechanismSystem(const dynamics::DynamicModel& model, std::vector<FilterSensor> sensors,
                  MechanismSystemOptions options);

  const dynamics::ReducedMotion& motion() const { return motion_; }
  const std::vector<FilterSensor>& sensors() const { return sensors_; }
  Eigen::Index num_freedoms() const { return motion_.num_freedoms(); }

  /// x of the model's start, or of this motion of the bodies, with neutral unknowns; it is accepted.
  Eigen::VectorXd start_state() { return state_of(motion_.model().start(), 0.0); }
  Eigen::VectorXd state_of(const coordinates::MechanismMotion& bodies, double t);
  /// P of the start from the deviations of positions and rates, lengths in the mechanism's size, at the state accepted last.
  Eigen::MatrixXd start_covariance(double position, double rate) const;

  int num_sensors() const override { return static_cast<int>(sensors_.size()); }
  Eigen::Index num_channels(int sensor) const override;
  bool is_angle(int sensor, Eigen::Index channel) const override;
  double period(int sensor) const override;
  void sensor_noise(int sensor, MatrixRef R_n) const override;
  [[nodiscard]] bool step(double t, double h, StateRef x) override;
  [[nodiscard]] bool step(double t, double h, StateRef x, MatrixRef F) override;
  void simple_transition(double h, MatrixRef F) override;
  void plant_noise(double t, double h, ConstStateRef x, MatrixRef Q_w) override;
  [[nodiscard]] bool measure(double t, ConstStateRef x, int sensor, StateRef y) override;
  [[nodiscard]] bool measure(double t, ConstStateRef x, int sensor, StateRef y, MatrixRef H) override;
  [[nodiscard]] bool accept(double t, ConstStateRef x) override;
  [[nodiscard]] bool accept_any(double t, ConstStateRef x, int k) override;
  /// By drivers, loads and limits of stops; forces of the user are taken for constant.
  bool depends_on_time() const override;
  bool choose_coordinates(double t, StateRef x, MatrixRef T) override;
  SystemBodies* bodies() override { return this; }
  double constraint_error() override { return motion_.constraint_error(anchor_); }
  std::size_t num_bodies() const override { return anchor_.bodies.size() - 1; }
  void keep() override { kept_ = anchor_; }
  void restore() override;
  void find_poses(std::span<core::Pose<double>> X_WB) override;

  /// What an instrument reads in the state x (m) and its derivatives (m × n): outputs of a run.
  [[nodiscard]] bool read(double t, ConstStateRef x, const sensing::Instrument& instrument, StateRef y,
                          MatrixRef H);
  /// The motion accepted last.
  const dynamics::ReducedPoint& point() const { return anchor_; }
  /// The motion of x at t, looked for from there, until the next call; nothing when x is no state.
  const dynamics::ReducedPoint* point_at(double t, ConstStateRef x) { return solve(t, x); }
  const MechanismSystemOptions& options() const { return options_; }
  /// accept(), with the position of all coordinates as `q` (from column to value) tells it: on whichever branch that is. False: nothing
  /// has changed.
  template <class Coordinates>
  bool accept_at(double t, ConstStateRef x, const Coordinates& q) {
    for (Eigen::Index c = 0; c < static_cast<Eigen::Index>(guess_.q.size()); ++c)
      guess_.q[static_cast<std::size_t>(c)] = q(c);
    return accept_from(t, x);
  }
  /// What degree of freedom k is measured by: lengths by the mechanism's size [m], others by 1.
  double size_of(Eigen::Index k) const;
  std::unique_ptr<Swarm> make_swarm() override;

 private:
  Eigen::Index num_moving() const { return 2 * motion_.num_freedoms() + motion_.num_unknowns(); }
  bool has_states() const { return !motion_.model().mechanism().states().empty(); }
  void name_states();
  /// What a unit of an UnknownState's deviation is in its own unit: for forces along degrees of freedom the mass there, otherwise 1.
  double force_scale(const dynamics::Unknown& unknown) const;
  void set(ConstStateRef x, dynamics::ReducedPoint& point) const;
  /// The point of x at t: the one accepted last when it is the same, or else in scratch_; nothing when x is no state.
  const dynamics::ReducedPoint* solve(double t, ConstStateRef x);
  /// Its derivatives: so much of them, in this order, as is asked for.
  enum class Derivatives { kNone, kAccelerations, kAll };
  const dynamics::ReducedTangent* differentiate(const dynamics::ReducedPoint& point, Derivatives needed);
  bool take_stages(double t, double h, StateRef x, bool with_derivatives);
  /// What a random walk of state number `at` does within a step, with b = ∂z̈/∂θ for what it pushes:
  ///   w² [b bᵀ h⁵/20  b bᵀ h⁴/8  b h³/6;  ·  b bᵀ h³/3  b h²/2;  ·  ·  h]      of z, ż and θ                       (2)
  void add_walk(Eigen::Index at, const UnknownState& unknown, double h, MatrixRef Q_w);
  void read(const dynamics::ReducedPoint& point, const sensing::Instrument& instrument, StateRef y) const;
  bool accept_from(double t, ConstStateRef x);
  void add_known_biases(int sensor, StateRef y) const;
  /// What the sensors read, for code.
  std::vector<dynamics::WrittenReading> written_readings() const;
  /// A sensor at a point, with derivatives by x.
  bool read(const dynamics::ReducedPoint& point, const sensing::Instrument& instrument, StateRef y,
            MatrixRef H);

  dynamics::ReducedMotion motion_;
  std::vector<FilterSensor> sensors_;
  MechanismSystemOptions options_;
  dynamics::ReducedPoint anchor_;               ///< the state accepted last
  std::optional<dynamics::ReducedPoint> kept_;  ///< by keep()
  dynamics::ReducedTangent anchor_tangent_;
  Derivatives anchor_derivatives_ = Derivatives::kNone;  ///< that stand in anchor_tangent_
  bool has_freedom_forces_ = false;
  std::unique_ptr<PositionPrior> positions_;  ///< of accept_any
  // Scratch.
  dynamics::ReducedPoint scratch_, guess_;
  dynamics::ReducedTangent scratch_tangent_;
  Eigen::VectorXd x_stage_;               ///< (n)
  Eigen::MatrixXd slopes_;                ///< (2 f × stages) ż and z̈ of each stage
  std::vector<Eigen::MatrixXd> slope_x_;  ///< (stages) (2 f × n) their derivatives
  Eigen::MatrixXd stage_x_;               ///< (n × n) ∂x_stage/∂x
};

}  // namespace eslabon::estimation
