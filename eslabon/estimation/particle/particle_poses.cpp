#include <limits>

#include "eslabon/estimation/particle/particle_filter.hpp"

// Where the bodies of hypotheses are, for those who draw them.
namespace eslabon::estimation {

using Eigen::Index;

bool ParticleFilter::find_hypotheses(std::size_t most, Hypotheses& out) {
  const SystemBodies* const of_system = system_.bodies();
  if (of_system == nullptr) return false;
  const std::size_t bodies = of_system->num_bodies();
  out.num_all = cloud_.count();
  choose_by_weight(weights_.values(), most, chosen_);
  out.weights.resize(chosen_.size());
  out.X_WB.resize(chosen_.size() * bodies);
  const auto poses = [&](std::size_t first, std::size_t count) {
    return std::span(out.X_WB).subspan(first * bodies, count * bodies);
  };
  for (std::size_t i = 0; i < chosen_.size();) {  // runs of neighbours at once
    std::size_t count = 1;
    while (i + count < chosen_.size() && count < kBlock && chosen_[i + count] == chosen_[i] + count) ++count;
    if (!swarm_->find_poses(cloud_.lanes().part(chosen_[i], count), poses(i, count))) return false;
    i += count;
  }
  for (std::size_t i = 0; i < chosen_.size(); ++i) out.weights[i] = weights_.values()[chosen_[i]];
  return true;
}

std::size_t ParticleFilter::nearest_to_mean() {
  const Eigen::MatrixXd& P = covariance();
  const double least = weights_.sum() / static_cast<double>(cloud_.count()) * (1.0 - 1e-9);
  std::size_t nearest = weights_.best();
  double smallest = std::numeric_limits<double>::infinity();
  Scratch& mine = scratch(0);
  for (std::size_t b = 0; b < cloud_.num_blocks(); ++b) {
    moments_.deviations(cloud_, b, mine.dx.data());
    for (std::size_t j = 0; j < cloud_.block(b).count; ++j) {
      double square = 0.0;
      for (Index k = 0; k < num_states(); ++k)
        if (!system_.states()[static_cast<std::size_t>(k)].is_rate && P(k, k) > 0.0) {
          const double dx = mine.dx[static_cast<std::size_t>(k) * kBlock + j];
          square += dx * dx / P(k, k);
        }
      const std::size_t i = b * kBlock + j;
      if (weights_.values()[i] >= least && square < smallest) {
        smallest = square;
        nearest = i;
      }
    }
  }
  return nearest;
}

bool ParticleFilter::find_poses(std::span<core::Pose<double>> X_WB) {
  return swarm_->find_poses(cloud_.slot(nearest_to_mean()), X_WB);
}

}  // namespace eslabon::estimation
