#pragma once

#include <optional>
#include <vector>

#include "eslabon/estimation/estimator.hpp"
#include "eslabon/estimation/grid/phase_grid.hpp"

namespace eslabon::estimation {

/// Bayes' rule itself, for systems of two states, the second the rate of the first: masses on a lattice, one sheet for each branch,
///   p⁻(x) = ∫ N(x − f(x'); Q_w) p(x') dx',     p(x) ∝ N(y − h(x); R_n) p⁻(x)                                     (1)
/// A reference for other filters, exact to the spacing (PhaseGrid): it is not made for speed. Noise is that of the particle filter of
/// the same options: Q_w with ParticleOptions::motion added to positions, R_n of deviations larger by sensor_factor.
///   - Steps and readings of nodes are kept where the system does not depend on time. Dependent coordinates of a node are found
///     from column to column of its sheet; where no state follows, mass stays where it is, as particles of a Swarm do.
///   - Q_w is taken at the mean. An unknown start covers all branches of degrees of freedom that turn fully; of others, those that pass through
///     the first position found of each reach.
/// Allocates where the motion goes where it has not been.
// Seed000 eq. 120
class GridFilter final : public Estimator, public ManyStates {
 public:
  /// Throws core::ModelError for systems of other than two states, and for options out of range.
  GridFilter(System& system, const EstimatorOptions& options);

  std::string_view name() const override { return "grid"; }
  [[nodiscard]] bool start(double t, const Eigen::VectorXd& x, const Eigen::MatrixXd& P) override;
  [[nodiscard]] bool start_unknown(double t, const UnknownStart& start) override;
  [[nodiscard]] bool predict(double h) override;
  [[nodiscard]] UpdateReport update(int sensor, ConstStateRef y, double gate) override;
  void inflate(double factor) override;
  double t() const override { return t_; }
  const Eigen::VectorXd& mean() const override { return mean_; }
  const Eigen::MatrixXd& covariance() override { return covariance_; }
  ManyStates* many_states() override { return this; }
  double log_evidence() const override { return log_evidence_; }
  /// Columns of all sheets that have a thousandth of the largest mass or more, whatever the rate. The system visits them and
  /// returns.
  [[nodiscard]] bool find_hypotheses(std::size_t most, Hypotheses& out) override;

  /// The density.
  const PhaseGrid& grid() const { return *grid_; }
  /// (sheets) probability of each.
  Eigen::VectorXd sheet_probabilities() const;
  /// What is negative of the masses: nothing where the density is resolved. Much more than 1e-6 asks for more nodes.
  double unresolved() const;
  /// Of the posterior; sheets count as different places.
  double entropy() const { return grid_->entropy(); }
  /// Of the position in so many equal parts of a turn: −Σ P log P.
  double position_entropy(int bins) const;

 private:
  /// One branch: columns that follow from each other without a gap, counted from where it is looked for.
  struct Sheet {
    long base = 0;           ///< number of the lattice's column
    int position = -1;       ///< of System::accept_any there; −1: the system is on this sheet already
    long low = 0, high = 0;  ///< of a turn: how far it goes to either side of the base
  };
  /// What is known of the nodes: (sheets · numbers) (rates × positions), NaN where it is not known yet, infinite where there is no state.
  struct NodeValues {
    double h = 0.0;  ///< of steps
    std::vector<Eigen::ArrayXXd> values;
  };

  void make_grid(const LatticeAxis& position, int sheets);
  LatticeAxis lattice(Eigen::Index state) const;
  /// Offset from the base of its sheet of a stored column.
  long offset_of(const Sheet& sheet, Eigen::Index column) const;
  /// The system stands at this column of the sheet. False: there is no state there.
  [[nodiscard]] bool bring(int sheet, long offset);
  bool find_sheets(double t);
  void explore(int sheet);
  NodeValues& steps_of(double h);
  void forget();
  std::vector<Eigen::ArrayXXd*> known_arrays();
  /// Fills in what is not known of nodes with mass: f(x), or h(x) of a sensor.
  void fill_steps(NodeValues& known, double h);
  void fill_readings(int sensor);
  template <class Evaluate>
  void fill(NodeValues& known, int numbers, Evaluate evaluate);
  [[nodiscard]] bool transport(const NodeValues& known, const Eigen::Matrix2d& Q);
  /// Mean and covariance of the masses; the system goes there.
  void settle();
  bool weigh(int sensor, ConstStateRef y, double gate, UpdateReport& report);

  System& system_;
  EstimatorOptions options_;
  std::optional<PhaseGrid> grid_;
  std::vector<Sheet> sheets_;
  int at_sheet_ = -1;  ///< where the system stands
  long at_offset_ = 0;
  std::vector<NodeValues> steps_;     ///< of some lengths
  std::vector<NodeValues> readings_;  ///< (sensors)
  double t_ = 0.0;
  double log_evidence_ = 0.0;
  Eigen::VectorXd mean_;
  Eigen::MatrixXd covariance_;
  // Scratch.
  Eigen::VectorXd x_;
  Eigen::MatrixXd Q_w_;
};

}  // namespace eslabon::estimation
