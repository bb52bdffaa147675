#pragma once

#include <memory>
#include <vector>

#include "eslabon/dynamics/reduced/lane_motion.hpp"
#include "eslabon/estimation/mechanism/mechanism_system.hpp"
#include "eslabon/estimation/mechanism/position_prior.hpp"
#include "eslabon/estimation/particle/swarm.hpp"

namespace eslabon::estimation {

/// Many states of a mechanism at once, by dynamics::LaneMotion. A particle is q, v, a, R of all relative coordinates, then the unknowns,
/// then the biases; each may be on another branch, and all satisfy the constraints to about 1e-10 of the mechanism's size. Steps are of
/// second order whatever rule the system steps by. Angles that springs and stops see are those nearest to the start of the model.
class MechanismSwarm final : public Swarm {
 public:
  /// Lives inside the filter of this system, which must not take other coordinates.
  explicit MechanismSwarm(MechanismSystem& system);

  std::unique_ptr<Workspace> make_workspace() const override;
  int num_arrays() const override;
  int array_of_state(Eigen::Index k) const override;
  int num_normals() const override { return static_cast<int>(noise_columns_.size()); }
  void at(double t) override;
  [[nodiscard]] bool place(ConstStateRef x, Lanes lanes) override;
  [[nodiscard]] bool draw(const UnknownStart& start, core::Rng& rng, Lanes one) override;
  void prepare_step(double t, double h, double motion) override;
  void step(Workspace& workspace, Lanes lanes, const double* normals, double* ok) const override;
  void displace(Workspace& workspace, Lanes lanes, const double* dx, double* ok) const override;
  void measure(Workspace& workspace, Lanes lanes, int sensor, double* y) const override;
  [[nodiscard]] bool set_outputs(
      const std::vector<std::shared_ptr<const sensing::Instrument>>& outputs) override;
  void read(Workspace& workspace, Lanes lanes, int output, double* y) const override;
  [[nodiscard]] bool find_poses(Lanes lanes, std::span<core::Pose<double>> X_WB) override;
  void accept(Lanes one) override;
  double constraint_error(Lanes lanes) override;

 private:
  /// A program with what all particles share at the time of its runs.
  struct Timed {
    const dynamics::MotionProgram* program;
    std::vector<double> uniforms;
    bool has_values = true;  ///< drivers and functions of time have, then
  };
  class Scratch;

  Timed timed(const dynamics::MotionProgram& program) const;
  void renew(Timed& timed, double t, double h);
  /// displace(), as far as need be.
  void move(Scratch& scratch, Lanes lanes, const double* dx, double* ok) const;
  /// displace() where positions and unknowns stay.
  void kick(Scratch& scratch, Lanes lanes, const double* dz_dot, double* ok) const;
  dynamics::MotionProgram trace(const sensing::Instrument& instrument) const;
  /// Has programs run machine code where the system has a compiler.
  void compile_programs();
  void compile_outputs();
  /// What find_poses runs: position and rotation matrix of each body but the ground. They follow from q alone, which has what drivers
  /// prescribe too: nothing of the time is in it.
  struct PoseProgram {
    core::LaneProgram program;
    std::vector<double> uniforms;  ///< 0
    core::LaneProgram::Workspace workspace;
  };
  std::unique_ptr<PoseProgram> trace_poses() const;
  void write_reading(const dynamics::MotionProgram& program, const Timed& timed,
                     core::LaneProgram::Workspace& workspace, Scratch& scratch, Lanes lanes, double* y) const;

  int n() const { return motion_.num_coordinates(); }
  std::size_t num_moving() const { return motion_.num_moving(); }
  Eigen::Index num_freedoms() const { return system_.num_freedoms(); }
  Eigen::Index num_unknowns() const { return system_.motion().num_unknowns(); }
  Eigen::Index num_states() const { return system_.num_states(); }

  MechanismSystem& system_;
  dynamics::LaneMotion motion_;
  dynamics::MotionProgram residual_program_;
  std::vector<dynamics::MotionProgram> sensor_programs_, output_programs_;
  int outputs_set_ = 0;  ///< how often outputs were set
  Timed calm_step_, noisy_step_, displacement_, kick_, residual_;
  std::vector<Timed> sensors_, outputs_;
  std::unique_ptr<PoseProgram> poses_;                 ///< made when it is asked for
  std::vector<coordinates::CoordinateValue> drivers_;  ///< scratch of renew
  std::vector<int> state_arrays_;                      ///< (states)
  std::vector<char> is_factor_;                        ///< (unknowns) cannot be negative
  bool has_states_ = false;                            ///< auxiliary states among the unknowns
  // Of the step that was prepared.
  bool has_noise_ = false;
  bool has_root_ = false;
  Eigen::MatrixXd Q_w_;             ///< (states × states)
  Eigen::MatrixXd root_;            ///< (states × states) of Q_w
  std::vector<int> noise_columns_;  ///< columns of root_ that are not 0
  double t_ = 0.0;
  std::unique_ptr<PositionPrior> prior_;
  DrawnPosition drawn_;
  Eigen::VectorXd x_;               ///< (states) scratch of accept
  std::vector<double> still_;       ///< (states × kBlock) a displacement by nothing
  Eigen::VectorXd deviations_;      ///< (states) of unknowns and biases at the start
  std::unique_ptr<Workspace> own_;  ///< of place, draw, find_poses and constraint_error
};

}  // namespace eslabon::estimation
