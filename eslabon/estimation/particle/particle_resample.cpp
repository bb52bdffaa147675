#include <cmath>

#include "eslabon/estimation/kalman/covariance_root.hpp"
#include "eslabon/estimation/particle/particle_displacement.hpp"
#include "eslabon/estimation/particle/particle_filter.hpp"

// Resampling and what moves copies apart. Compiled without fused operations (CMakeLists.txt), for the same bits everywhere.
namespace eslabon::estimation {

using Eigen::Index;

namespace {

/// b of (4).
double kernel_width(double num_states, double num_particles) {
  const double power = 1.0 / (num_states + 4.0);
  return std::min(std::pow(4.0 / (num_states + 2.0), power) * std::pow(num_particles, -power), 0.999);
}

}  // namespace

void ParticleFilter::fill_noise(Kind kind, std::uint64_t position, const Eigen::MatrixXd& root,
                                std::size_t block, Scratch& out) {
  const auto n = static_cast<std::size_t>(num_states());
  const std::size_t count = cloud_.block(block).count;
  random(kind).fill_normals(block * kBlock, count, position, static_cast<int>(n), kBlock, out.noise.data());
  // Row by row from the last: row k of a triangular root needs numbers 0 … k only.
  for (std::size_t k = n; k-- > 0;)
    for (std::size_t j = 0; j < count; ++j) {
      double sum = 0.0;
      for (std::size_t i = 0; i <= k; ++i)
        sum += root(static_cast<Index>(k), static_cast<Index>(i)) * out.noise[i * kBlock + j];
      out.noise[k * kBlock + j] = sum;
    }
}

std::size_t ParticleFilter::choose_number(const ParticleWeights& weights) {
  if (!bins_) return cloud_.count();
  const std::span<std::uint32_t> counts(counts_.data(), cloud_.count());
  draw_offspring(options_.resampling, weights.values(), cloud_.count(), random(Kind::kResampling),
                 resamplings_, counts);
  const std::size_t num_bins = bins_->count(cloud_, counts, cloud_.capacity());
  const double enough = kld_number(num_bins, options_.kld_error, options_.kld_quantile);
  return static_cast<std::size_t>(std::clamp(std::ceil(enough), static_cast<double>(options_.fewest),
                                             static_cast<double>(options_.particles)));
}

void ParticleFilter::draw_copies(const ParticleWeights& weights, std::size_t number) {
  const std::span<std::uint32_t> counts(counts_.data(), cloud_.count());
  draw_offspring(options_.resampling, weights.values(), number, random(Kind::kResampling), resamplings_,
                 counts);
  num_moves_ = plan_moves(counts, number, moves_);
  ++resamplings_;
}

void ParticleFilter::resample() {
  const bool is_regularised = options_.variant == ParticleVariant::kRegularised || is_sparse_;
  if (is_regularised) static_cast<void>(covariance());
  const std::size_t number = choose_number(weights_);
  draw_copies(weights_, number);
  cloud_.move({moves_.data(), num_moves_}, number);
  weights_.set_equal(number);
  is_sparse_ = false;
  if (is_regularised) regularise();
  if (options_.roughening > 0.0) roughen();
  forget_moments();
}

void ParticleFilter::regularise() {
  if (!find_root(moments_.covariance(), root_)) return;
  const double b = kernel_width(static_cast<double>(num_states()), static_cast<double>(cloud_.count()));
  const double shrinkage = std::sqrt(1.0 - b * b) - 1.0;
  displace([&](int worker, std::size_t block) {
    Scratch& mine = scratch(worker);
    moments_.deviations(cloud_, block, mine.dx.data());
    fill_noise(Kind::kSpread, spreads_, root_, block, mine);
    for (std::size_t j = 0; j < mine.dx.size(); ++j)
      mine.dx[j] = shrinkage * mine.dx[j] + b * mine.noise[j];  // (4)
  });
  spreads_ += static_cast<std::uint64_t>(num_states());
}

void ParticleFilter::roughen() {
  root_.setZero();
  for (Index k = 0; k < num_states(); ++k)
    if (system_.states()[static_cast<std::size_t>(k)].is_rate) root_(k, k) = options_.roughening * sizes_(k);
  displace([&](int worker, std::size_t block) {
    fill_noise(Kind::kSpread, spreads_, root_, block, scratch(worker));
    scratch(worker).dx.swap(scratch(worker).noise);
  });
  spreads_ += static_cast<std::uint64_t>(num_states());
}

}  // namespace eslabon::estimation
