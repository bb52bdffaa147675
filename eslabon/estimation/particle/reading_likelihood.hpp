#pragma once

#include <vector>

#include "eslabon/estimation/particle/particle_weights.hpp"

namespace eslabon::estimation {

/// What particles say of one reading y (m) with noise R = factor² R_n, R = C Cᵀ, for each
///
///   d_i² = |C⁻¹ (y − h(x_i))|²,   log p(y | x_i) = −d_i²/2 − (m/2) log 2π − log |C|                                        (1)
///
/// and together the innovation ν = y − ŷ and its square, with ŷ and S_y the weighted mean and covariance of h(x_i),
///
///   NIS = νᵀ (S_y + R)⁻¹ ν                                                                                              (2)
///
/// Differences of channels that are angles are wrapped. Particles whose reading cannot be told have likelihood 0.
class ReadingLikelihood {
 public:
  ReadingLikelihood(const System& system, ParticleCloud& cloud, double sensor_factor);

  /// The sensor of the next readings. False when its noise is no regular covariance.
  [[nodiscard]] bool take_sensor(int sensor);
  double log_constant() const { return log_constant_; }  ///< −(m/2) log 2π − log |C|

  /// (1) and (2) of all particles. False when none with a weight can tell a reading.
  [[nodiscard]] bool evaluate(ConstStateRef y, const ParticleWeights& weights);
  /// −d_i²/2 (count), set by evaluate.
  const double* values() const { return log_likelihood_.data(); }
  double* values() { return log_likelihood_.data(); }
  double nis() const { return nis_; }                   ///< never NaN, at most the largest double
  double smallest_square() const { return smallest_; }  ///< min d_i² of a particle with weight
  /// Part of the weight that is at particles with d_i² ≤ m: those that expect this reading.
  double expecting_part(ParticleCloud& cloud, const ParticleWeights& weights) const;

  /// −d²/2 (count of lanes) of other particles for the reading evaluated last.
  void evaluate_block(int worker, Lanes lanes, double* log_likelihood);

 private:
  struct Scratch {
    std::vector<double> y;       ///< (m × kBlock) differences to the reference
    std::vector<double> white;   ///< (m × kBlock)
    std::vector<double> terms;   ///< (sums × kBlock) of add_moments
    std::vector<double> totals;  ///< (sums) the same
  };
  void measure(int worker, Lanes lanes, Scratch& scratch);
  void whiten(Scratch& scratch, std::size_t count, double* log_likelihood) const;
  void add_moments(Scratch& scratch, const double* weight, const double* log_likelihood, std::size_t count,
                   double* sums) const;
  void find_nis();

  const System& system_;
  ParticleCloud& cloud_;
  double factor_;
  int sensor_ = 0;
  Eigen::Index m_ = 0;
  std::vector<bool> is_angle_;          ///< (m)
  Eigen::MatrixXd R_, C_, S_, S_root_;  ///< (m × m), set by take_sensor; S by find_nis
  Eigen::VectorXd reference_, offset_,
      shift_;  ///< (m) h of one particle; y minus it; mean of the others minus it
  double log_constant_ = 0.0, nis_ = 0.0, smallest_ = 0.0;
  std::vector<double> log_likelihood_;  ///< (capacity)
  std::vector<Scratch> scratch_;        ///< (threads)
  BlockSums sums_;  ///< per block: Σw, min d², then Σ w e (m), Σ w e eᵀ (m (m + 1)/2)
};

}  // namespace eslabon::estimation
