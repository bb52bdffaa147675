#include "eslabon/estimation/particle/particle_moments.hpp"

#include <cmath>
#include <limits>

#include "eslabon/core/index.hpp"
#include "eslabon/estimation/circular.hpp"

// Compiled without fused operations (CMakeLists.txt), for the same bits everywhere.
namespace eslabon::estimation {

namespace {

using core::index;
using Eigen::Index;

std::size_t num_threads(const ParticleCloud& cloud) { return static_cast<std::size_t>(cloud.num_threads()); }

}  // namespace

ParticleMoments::ParticleMoments(const System& system, const ParticleCloud& cloud)
    : mean_(Eigen::VectorXd::Zero(system.num_states())),
      P_(Eigen::MatrixXd::Zero(mean_.size(), mean_.size())),
      scratch_(num_threads(cloud), std::vector<double>(index(mean_.size()) * kBlock)),
      sums_(cloud.most_blocks(), index(std::max(2 * mean_.size(), mean_.size() * (mean_.size() + 1) / 2))) {
  for (const StateInfo& state : system.states()) is_angle_.push_back(state.is_angle);
}

// Seed000 eq. 119
void ParticleMoments::find_mean(ParticleCloud& cloud, const ParticleWeights& weights) {
  for (Index k = 0; k < mean_.size(); ++k) mean_(k) = cloud.state(k)[weights.best()];
  cloud.for_blocks([&](int, std::size_t b, Lanes lanes) {
    const double* const w = weights.values().data() + b * kBlock;
    double* const sums = sums_.of_block(b);
    for (Index k = 0; k < mean_.size(); ++k) {
      const double* const x = cloud.state(k) + b * kBlock;
      const double near = mean_(k);
      double sum = 0.0;
      DirectionSum direction;
      if (is_angle_[index(k)])
        for (std::size_t j = 0; j < lanes.count; ++j) direction.add(w[j], x[j] - near);
      else
        for (std::size_t j = 0; j < lanes.count; ++j) sum += w[j] * (x[j] - near);
      sums[2 * k] = is_angle_[index(k)] ? direction.sine : sum;
      sums[2 * k + 1] = direction.cosine;
    }
  });
  for (Index k = 0; k < mean_.size(); ++k) {
    const double first = sums_.total(cloud.num_blocks(), 2 * index(k));
    mean_(k) += is_angle_[index(k)] ? std::atan2(first, sums_.total(cloud.num_blocks(), 2 * index(k) + 1))
                                    : first / weights.sum();
  }
}

void ParticleMoments::deviations(ParticleCloud& cloud, std::size_t block, double* out) const {
  const std::size_t count = cloud.block(block).count;
  for (Index k = 0; k < mean_.size(); ++k) {
    const double* const x = cloud.state(k) + block * kBlock;
    double* const d = out + index(k) * kBlock;
    const double mean = mean_(k);
    if (is_angle_[index(k)])
      for (std::size_t j = 0; j < count; ++j) d[j] = wrap_lane(x[j] - mean);
    else
      for (std::size_t j = 0; j < count; ++j) d[j] = x[j] - mean;
  }
}

void ParticleMoments::find_covariance(ParticleCloud& cloud, const ParticleWeights& weights) {
  cloud.for_blocks([&](int worker, std::size_t b, Lanes lanes) {
    double* const d = scratch_[static_cast<std::size_t>(worker)].data();
    const double* const w = weights.values().data() + b * kBlock;
    double* sums = sums_.of_block(b);
    deviations(cloud, b, d);
    for (Index k = 0; k < mean_.size(); ++k)
      for (Index i = 0; i <= k; ++i) {
        double sum = 0.0;
        const double *const a = d + index(k) * kBlock, *const c = d + index(i) * kBlock;
        for (std::size_t j = 0; j < lanes.count; ++j) sum += w[j] * a[j] * c[j];
        *sums++ = sum;
      }
  });
  std::size_t next = 0;
  for (Index k = 0; k < mean_.size(); ++k)
    for (Index i = 0; i <= k; ++i)
      P_(k, i) = P_(i, k) = sums_.total(cloud.num_blocks(), next++) / weights.sum();
}

OutputMoments::OutputMoments(const ParticleCloud& cloud, std::size_t most_channels)
    : scratch_(num_threads(cloud), std::vector<double>(most_channels * kBlock)),
      sums_(cloud.most_blocks(), 3 * most_channels) {}

void OutputMoments::add_up(ParticleCloud& cloud, const ParticleWeights& weights, int output,
                           const std::vector<bool>& is_angle, ConstStateRef mean, bool is_second) {
  cloud.for_blocks([&](int worker, std::size_t b, Lanes lanes) {
    double* const y = scratch_[static_cast<std::size_t>(worker)].data();
    const double* const w = weights.values().data() + b * kBlock;
    cloud.swarm().read(cloud.workspace(worker), lanes, output, y);
    for (std::size_t k = 0; k < is_angle.size(); ++k) {
      double* const sums = sums_.of_block(b) + 3 * k;
      sums[0] = sums[1] = sums[2] = 0.0;
      for (std::size_t j = 0; j < lanes.count; ++j) {
        const double plain = y[k * kBlock + j] - mean(static_cast<Index>(k));
        if (!std::isfinite(plain)) continue;
        const double e = is_angle[k] ? wrap_lane(plain) : plain;
        sums[0] += w[j];
        if (is_second) {
          sums[1] += w[j] * e * e;
        } else if (is_angle[k]) {
          const core::LaneSinCos both = core::lane_sincos(e);
          sums[1] += w[j] * both.sine;
          sums[2] += w[j] * both.cosine;
        } else {
          sums[1] += w[j] * e;
        }
      }
    }
  });
}

void OutputMoments::find(ParticleCloud& cloud, const ParticleWeights& weights, int output,
                         const std::vector<bool>& is_angle, StateRef mean, StateRef deviation) {
  const std::size_t blocks = cloud.num_blocks();
  cloud.swarm().read(cloud.workspace(0), cloud.slot(weights.best()), output, scratch_[0].data());
  for (std::size_t k = 0; k < is_angle.size(); ++k) {
    const double near = scratch_[0][k * kBlock];
    mean(static_cast<Index>(k)) = std::isfinite(near) ? near : 0.0;
  }
  add_up(cloud, weights, output, is_angle, mean, false);
  for (std::size_t k = 0; k < is_angle.size(); ++k) {
    const double sum = sums_.total(blocks, 3 * k), first = sums_.total(blocks, 3 * k + 1);
    if (!(sum > 0.0)) continue;  // nobody can tell it
    mean(static_cast<Index>(k)) +=
        is_angle[k] ? std::atan2(first, sums_.total(blocks, 3 * k + 2)) : first / sum;
  }
  add_up(cloud, weights, output, is_angle, mean, true);
  for (std::size_t k = 0; k < is_angle.size(); ++k) {
    const double sum = sums_.total(blocks, 3 * k);
    deviation(static_cast<Index>(k)) =
        sum > 0.0 ? std::sqrt(sums_.total(blocks, 3 * k + 1) / sum) : std::numeric_limits<double>::infinity();
  }
}

}  // namespace eslabon::estimation
