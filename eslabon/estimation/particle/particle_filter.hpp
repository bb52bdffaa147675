#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "eslabon/estimation/estimator.hpp"
#include "eslabon/estimation/particle/kld_size.hpp"
#include "eslabon/estimation/particle/particle_cloud.hpp"
#include "eslabon/estimation/particle/particle_moments.hpp"
#include "eslabon/estimation/particle/particle_weights.hpp"
#include "eslabon/estimation/particle/reading_likelihood.hpp"

namespace eslabon::estimation {

/// Sequential importance resampling [Gordon1993], [Seed000, ch. 3.3]: N particles x_i with weights w_i stand for the distribution of the state,
///
///   predict   x_i ← f(x_i) + noise                                                                                      (1)
///   update    w_i ← w_i p(y | x_i),   log p(y₁ … y_k) += log (Σ w_i p(y | x_i) / Σ w_i)                                   (2)
///   resample  before (1), when (Σ w)²/Σ w² < threshold · N: copies by weight, then equal weights                         (3)
///
/// so that means and outputs after a reading are those of the weighted particles. Copies are moved apart after (3): rates by `roughening`; of the regularised variant
/// all states, by a normal kernel of the width that is best for a normal distribution, with particles drawn towards the mean so that mean and covariance stay,
///
///   x_i ← x̄ + √(1 − b²) (x_i − x̄) + b P^½ n,   b = (4/(n + 2))^(1/(n + 4)) N^(−1/(n + 4))      [Musso2001], [LiuWest2001]   (4)
///
/// The auxiliary variant [PittShephard1999] goes back to the particles before (1) when a reading comes. With μ_i where x_i goes without noise,
///
///   copies by w_i p(y | μ_i), each then by (1);   w_i = p(y | x_i)/p(y | μ_i)                                              (5)
///   log evidence += log (Σ w_i p(y | μ_i) / Σ w_i) + log of the mean new weight                           [Pitt2012]       (6)
///
/// A reading is refused as an outlier when its NIS is beyond the gate and particles that expect it (d² ≤ m) have less than 1 % of the weight.
///
/// A reading that is sharper than particles are dense would leave few of them, by chance. It is flattened, and copies are spread by (4) when they are made, whatever the variant:
///
///   w_i ← w_i p(y | x_i)^β,   β ≤ 1 the largest that leaves an effective size of 10 n, N/4 or half of what it was, whichever is smallest    (7)
///
/// The evidence counts readings as they are. A reading is strange when it is refused, or when all particles and their mean are far from it (d², NIS > kFar). When more readings are
/// strange than others, by kPatience of them and, where they are refused, for kLongPatience, the filter is lost and particles are spread:
/// half of them are drawn anew if nothing was known at the start; if something was, deviations grow threefold, if that comes again within kRelapse ninefold…, up to
/// "nothing known". So weights are never all zero, and a lost filter comes back with the readings that follow.
///
/// Work is shared by threads in blocks and put together in their order: the same bits with any number of threads. Nothing allocates after the
/// start but what is drawn anew. Mean and covariance are found when they are asked for.
// Seed000 eq. 106
class ParticleFilter final : public Estimator, public ManyStates, public Particles {
 public:
  static constexpr double kFar = 50.0;  ///< squared deviations of a reading that a particle does not explain
  static constexpr int kPatience = 3;   ///< strange readings more than others before particles are spread
  static constexpr double kLongPatience = 0.2;  ///< and for so long, where they are refused [s]
  static constexpr double kRelapse = 1.0;       ///< unless particles were spread within this time, [s]
  static constexpr double kExpecting = 0.01;    ///< part of the weight that makes a reading no outlier

  /// Throws core::ModelError for options that are out of range.
  ParticleFilter(System& system, const ParticleOptions& options);

  std::string_view name() const override { return "particle"; }
  [[nodiscard]] bool start(double t, const Eigen::VectorXd& x, const Eigen::MatrixXd& P) override;
  [[nodiscard]] bool start_unknown(double t, const UnknownStart& start) override;
  [[nodiscard]] bool predict(double h) override;
  [[nodiscard]] UpdateReport update(int sensor, ConstStateRef y, double gate) override;
  void inflate(double factor) override;
  double t() const override { return t_; }
  const Eigen::VectorXd& mean() const override;
  const Eigen::MatrixXd& covariance() override;
  [[nodiscard]] bool set_outputs(
      const std::vector<std::shared_ptr<const sensing::Instrument>>& outputs) override;
  void read_output(int output, StateRef mean, StateRef deviation) override;
  /// What the best particle reads.
  [[nodiscard]] bool expect_reading(int sensor, StateRef y) override;
  /// Those of nearest_to_mean().
  [[nodiscard]] bool find_poses(std::span<core::Pose<double>> X_WB) override;
  [[nodiscard]] bool find_hypotheses(std::size_t most, Hypotheses& out) override;
  long num_resamplings() const override { return static_cast<long>(resamplings_); }
  long num_recoveries() const override { return recoveries_; }
  double log_evidence() const override { return log_evidence_; }
  ManyStates* many_states() override { return this; }
  Particles* particles() override { return this; }

  std::size_t num_particles() const { return cloud_.count(); }
  double effective_size() const { return weights_.effective_size(); }
  /// Of the particles that weigh at least as much as they do in the mean, the one whose states but rates are nearest to the mean, each
  /// measured by its deviation. The heaviest would jump from one to the other with every reading, and the mean is no state.
  std::size_t nearest_to_mean();
  /// The particles and their weights, for those who draw them.
  ParticleCloud& cloud() { return cloud_; }
  const ParticleWeights& weights() const { return weights_; }

 private:
  /// What random numbers are for.
  enum class Kind : std::uint64_t { kStart = 1, kMotion, kSecondMotion, kResampling, kSpread };
  /// Per thread.
  struct Scratch {
    std::vector<double> normals;  ///< (num_normals × kBlock)
    std::vector<double> dx;       ///< (n × kBlock)
    std::vector<double> noise;    ///< (n × kBlock)
    std::vector<double> copy;     ///< (arrays × kBlock), of the auxiliary variant
    std::vector<double> ok;       ///< (kBlock)
  };

  Eigen::Index num_states() const { return mean_size_; }
  core::BulkRandom random(Kind kind) const { return {options_.seed, static_cast<std::uint64_t>(kind)}; }
  Scratch& scratch(int worker) { return scratch_[static_cast<std::size_t>(worker)]; }
  void begin(double t);
  void forget_moments() { has_mean_ = has_covariance_ = false; }
  /// The system is to look for states from where the best particle is.
  void anchor();
  /// (1) for all particles with these random numbers. False when none with a weight has a state there; otherwise those that have none lose their weight.
  bool move_on(Kind kind);
  bool drop_failed();

  /// Moves particles by what `fill` writes to dx (n × kBlock) of a block, angles without their whole turns; those that cannot stay where
  /// they are, and their scratch `ok` is 0.
  template <class Fill>
  void displace(const Fill& fill);
  /// dx (n × kBlock) of `count` particles: angles become those in [−π, π].
  void leave_out_turns(std::size_t count, std::vector<double>& dx) const;
  /// A start of particle i, after what was drawn for it first led to no state: angles the other way round, others that are drawn, and
  /// in the end the last of them shortened.
  void draw_start_again(std::size_t i);
  /// noise (n × kBlock) of a block: root (n × n) times standard normal numbers.
  void fill_noise(Kind kind, std::uint64_t position, const Eigen::MatrixXd& root, std::size_t block,
                  Scratch& out);

  // particle_resample.cpp
  std::size_t choose_number(const ParticleWeights& weights);
  void draw_copies(const ParticleWeights& weights, std::size_t number);
  void resample();
  void regularise();
  void roughen();

  // particle_update.cpp
  bool refuses(double gate);
  bool is_unexpected() const;
  bool is_lost(bool is_refused);
  bool is_relapse() const;
  void spread();
  void scatter(double factor);
  void redraw_half();
  void weigh();
  double fewest_effective() const;
  void flatten(double fewest);

  // particle_auxiliary.cpp
  bool weigh_by_auxiliary(ConstStateRef y);
  bool find_first_stage();
  bool take_second_stage();

  System& system_;
  ParticleOptions options_;
  std::unique_ptr<Swarm> swarm_;
  mutable ParticleCloud cloud_;
  ParticleWeights weights_;
  ReadingLikelihood likelihood_;
  mutable ParticleMoments moments_;
  mutable bool has_mean_ = false, has_covariance_ = false;
  std::vector<Scratch> scratch_;  ///< (threads)
  Eigen::Index mean_size_;
  double t_ = 0.0, h_ = 0.0;  ///< h_: of the last step
  double log_evidence_ = 0.0;
  std::optional<UnknownStart> unknown_start_;
  bool is_sparse_ = false;                   ///< a reading has been flattened since the last resampling
  double unexpected_since_ = 0.0;            ///< time of the first of these [s]
  int unexpected_ = 0;                       ///< strange readings more than others
  long recoveries_ = 0;                      ///< since the start
  double spreading_ = 1.0, spread_t_ = 0.0;  ///< factor of the last of them, and when it was [s]
  std::uint64_t steps_ = 0, resamplings_ = 0, spreads_ = 0;  ///< where random numbers are
  BlockSums lost_;                     ///< per block: particles that have failed, weight that has not
  std::vector<std::uint32_t> counts_;  ///< (capacity) offspring
  std::vector<Move> moves_;            ///< (capacity)
  std::size_t num_moves_ = 0;
  std::optional<BinCounter> bins_;  ///< where the number is adapted
  Eigen::VectorXd unknown_;         ///< (n) StateInfo::unknown_scale
  Eigen::VectorXd sizes_;           ///< (n) what roughening is measured by
  Eigen::VectorXd least_;  ///< (n) deviations below which inflation does not only stretch; 0: known for sure
  Eigen::VectorXd factors_;       ///< (n) scratch of inflate
  std::vector<double> expected_;  ///< (most channels × kBlock) scratch of expect_reading
  Eigen::MatrixXd root_;          ///< (n × n) scratch: P^½
  // Of the auxiliary variant.
  bool has_second_ = false;               ///< the cloud's second set is that before the last step
  std::optional<ParticleWeights> stage_;  ///< weights of the first stage
  std::vector<double> first_, second_;    ///< (capacity) log p(y | μ_i), log weights of the second stage
  // Of outputs.
  std::vector<std::vector<bool>> output_angles_;  ///< (outputs) (channels)
  std::optional<OutputMoments> output_moments_;
  std::vector<std::size_t> chosen_;  ///< scratch of find_hypotheses
};

}  // namespace eslabon::estimation
