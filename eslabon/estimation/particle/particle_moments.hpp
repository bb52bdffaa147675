#pragma once

#include <span>
#include <vector>

#include "eslabon/estimation/particle/particle_weights.hpp"

namespace eslabon::estimation {

/// Weighted mean and covariance of the states of particles, by circular.hpp for those that are angles: the mean of an angle is on
/// the turn of the particle with the largest weight. Sums are made per block and then in the order of blocks.
class ParticleMoments {
 public:
  ParticleMoments(const System& system, const ParticleCloud& cloud);

  void find_mean(ParticleCloud& cloud, const ParticleWeights& weights);
  /// After find_mean.
  void find_covariance(ParticleCloud& cloud, const ParticleWeights& weights);
  const Eigen::VectorXd& mean() const { return mean_; }     ///< (n)
  const Eigen::MatrixXd& covariance() const { return P_; }  ///< (n × n), symmetric to the bit

  /// out (n × kBlock): x − mean, angles wrapped.
  void deviations(ParticleCloud& cloud, std::size_t block, double* out) const;

 private:
  std::vector<bool> is_angle_;  ///< (n)
  Eigen::VectorXd mean_;
  Eigen::MatrixXd P_;
  std::vector<std::vector<double>> scratch_;  ///< (threads) (n × kBlock)
  BlockSums sums_;                            ///< per block (n (n + 1)/2, at least 2 n)
};

/// Weighted means and deviations of the outputs of a swarm, angles as above; readings that are not finite do not count.
class OutputMoments {
 public:
  OutputMoments(const ParticleCloud& cloud, std::size_t most_channels);
  /// mean, deviation: (channels) of output number `output`.
  void find(ParticleCloud& cloud, const ParticleWeights& weights, int output,
            const std::vector<bool>& is_angle, StateRef mean, StateRef deviation);

 private:
  /// Per block and channel: Σw; then Σ w sin e and Σ w cos e, or Σ w e; or Σ w e² (is_second); e: difference to `mean`.
  void add_up(ParticleCloud& cloud, const ParticleWeights& weights, int output,
              const std::vector<bool>& is_angle, ConstStateRef mean, bool is_second);

  std::vector<std::vector<double>> scratch_;  ///< (threads) (channels × kBlock)
  BlockSums sums_;                            ///< per block (3 channels)
};

}  // namespace eslabon::estimation
