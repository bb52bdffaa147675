#pragma once

#include <mutex>
#include <vector>

#include "eslabon/estimation/particle/swarm.hpp"

namespace eslabon::estimation {

/// The swarm of any System: its states, one after the other, with noise by the root of Q_w. What x alone does not determine is looked for from
/// the state that the system accepted last, for all particles: nobody else's state changes what becomes of one, but a filter
/// accepts now and then one that is among them, and all are on its branch. Calls from several threads wait for each other.
class SystemSwarm final : public Swarm {
 public:
  /// Lives inside the filter of this system.
  explicit SystemSwarm(System& system);

  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Workspace>(); }
  int num_arrays() const override { return static_cast<int>(x_.size()); }
  int array_of_state(Eigen::Index k) const override { return static_cast<int>(k); }
  int num_normals() const override { return static_cast<int>(x_.size()); }

  void at(double t) override { t_ = t; }
  [[nodiscard]] bool place(ConstStateRef x, Lanes lanes) override;
  /// Angles uniform over the turn, others within ± unknown_scale, rates normal: a System does not know what it can reach, nor which
  /// states are no positions. Some tries, until one can be measured.
  [[nodiscard]] bool draw(const UnknownStart& start, core::Rng& rng, Lanes one) override;

  void prepare_step(double t, double h, double motion) override;
  void step(Workspace& workspace, Lanes lanes, const double* normals, double* ok) const override;
  void displace(Workspace& workspace, Lanes lanes, const double* dx, double* ok) const override;
  void measure(Workspace& workspace, Lanes lanes, int sensor, double* y) const override;
  void accept(Lanes one) override;
  double constraint_error(Lanes) override { return estimation::constraint_error(system_); }

 private:
  void load(Lanes lanes, std::size_t i) const;
  void store(Lanes lanes, std::size_t i) const;
  bool find_noise_root() const;

  System& system_;
  double t_ = 0.0;                                ///< set by at
  double step_t_ = 0.0, h_ = 0.0, motion_ = 0.0;  ///< set by prepare_step
  Eigen::VectorXd
      size_;  ///< (n) what is measured by: lengths and their rates by the mechanism's size, others by 1
  mutable std::mutex mutex_;               ///< of the system and of the scratch below
  mutable Eigen::VectorXd x_, y_, noise_;  ///< (n), (most channels), (n)
  mutable Eigen::MatrixXd Q_w_, last_Q_w_,
      root_;                       ///< (n × n) of this particle, of the one before, its root
  mutable bool has_root_ = false;  ///< root_ is that of last_Q_w_
};

/// (n) What states are measured by in options that have one number for angles and lengths: unknown_scale of positions in m for those and for
/// rates in m/s, otherwise 1.
Eigen::VectorXd sizes_of_states(const System& system);

}  // namespace eslabon::estimation
