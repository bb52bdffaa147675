#include "eslabon/estimation/particle/particle_filter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "eslabon/estimation/circular.hpp"
#include "eslabon/estimation/estimator_checks.hpp"
#include "eslabon/estimation/estimator_makers.hpp"
#include "eslabon/estimation/kalman/covariance_root.hpp"
#include "eslabon/estimation/kalman/gaussian_filter.hpp"
#include "eslabon/estimation/particle/particle_displacement.hpp"
#include "eslabon/estimation/particle/system_swarm.hpp"
#include "eslabon/sensing/instrument.hpp"

// Compiled without fused operations (CMakeLists.txt), for the same bits everywhere.
namespace eslabon::estimation {

using Eigen::Index;

namespace {

/// Copies of one hypothesis have no deviation that could grow: inflation gives them this part of "nothing known", times its factor.
constexpr double kLeastDeviation = 1e-4;
constexpr std::uint64_t kStartDraws = 20;  // of a hypothesis whose position does not close
constexpr int kStartHalvings = 12;         // of the last of them

const ParticleOptions& checked(const ParticleOptions& options) {
  check_options(options);
  return options;
}

std::size_t capacity_of(const ParticleOptions& options) {
  return static_cast<std::size_t>(options.particles);
}

}  // namespace

ParticleFilter::ParticleFilter(System& system, const ParticleOptions& options)
    : system_(system),
      options_(checked(options)),
      swarm_(system.make_swarm()),
      cloud_(*swarm_, capacity_of(options), options.threads, options.variant == ParticleVariant::kAuxiliary),
      weights_(capacity_of(options)),
      likelihood_(system, cloud_, options.sensor_factor),
      moments_(system, cloud_),
      scratch_(static_cast<std::size_t>(options.threads)),
      mean_size_(system.num_states()),
      lost_(cloud_.most_blocks(), 2),
      counts_(capacity_of(options)),
      moves_(capacity_of(options)),
      unknown_(system.num_states()),
      sizes_(sizes_of_states(system)),
      least_(Eigen::VectorXd::Zero(system.num_states())),
      factors_(least_),
      root_(Eigen::MatrixXd::Zero(least_.size(), least_.size())) {
  read_unknown_scales(system, unknown_);
  const bool is_auxiliary = options.variant == ParticleVariant::kAuxiliary;
  const auto n = static_cast<std::size_t>(num_states());
  for (Scratch& scratch : scratch_) {
    scratch.normals.resize(static_cast<std::size_t>(swarm_->num_normals()) * kBlock);
    scratch.dx.resize(n * kBlock);
    scratch.noise.resize(n * kBlock);
    scratch.ok.resize(kBlock);
    if (is_auxiliary) scratch.copy.resize(static_cast<std::size_t>(swarm_->num_arrays()) * kBlock);
  }
  Index channels = 0;
  for (int sensor = 0; sensor < system.num_sensors(); ++sensor)
    channels = std::max(channels, system.num_channels(sensor));
  expected_.resize(static_cast<std::size_t>(channels) * kBlock);
  if (options.fewest > 0) bins_.emplace(system, capacity_of(options));
  if (!is_auxiliary) return;
  stage_.emplace(capacity_of(options));
  first_.resize(capacity_of(options));
  second_.resize(capacity_of(options));
}

void ParticleFilter::begin(double t) {
  t_ = t;
  log_evidence_ = 0.0;
  steps_ = resamplings_ = spreads_ = 0;
  unexpected_ = 0;
  recoveries_ = 0;
  spreading_ = 1.0;
  has_second_ = is_sparse_ = false;
  weights_.set_equal(cloud_.count());
  forget_moments();
}

bool ParticleFilter::start(double t, const Eigen::VectorXd& x, const Eigen::MatrixXd& P) {
  check_start_size(num_states(), x, P);
  if (!find_root(P, root_)) refuse_start_covariance();
  if (!std::isfinite(t) || !x.allFinite() || !system_.accept(t, x)) return false;
  swarm_->at(t);
  const std::size_t before = cloud_.count();
  cloud_.set_count(cloud_.capacity());
  if (!swarm_->place(x, cloud_.slot(0))) {
    swarm_->at(t_);
    cloud_.set_count(before);
    return false;
  }
  cloud_.spread_first();
  begin(t);
  unknown_start_.reset();
  for (Index k = 0; k < num_states(); ++k) least_(k) = P(k, k) > 0.0 ? kLeastDeviation * unknown_(k) : 0.0;
  std::vector<double> is_placed(cloud_.count(), 1.0);
  cloud_.for_blocks([&](int worker, std::size_t block, Lanes lanes) {
    Scratch& mine = scratch(worker);
    fill_noise(Kind::kStart, 0, root_, block, mine);
    mine.dx.swap(mine.noise);
    leave_out_turns(lanes.count, mine.dx);
    swarm_->displace(cloud_.workspace(worker), lanes, mine.dx.data(), mine.ok.data());
    std::copy_n(mine.ok.data(), lanes.count, is_placed.data() + block * kBlock);
  });
  for (std::size_t i = 0; i < is_placed.size(); ++i)
    if (is_placed[i] == 0.0) draw_start_again(i);
  has_second_ = false;
  forget_moments();
  return true;
}

void ParticleFilter::leave_out_turns(std::size_t count, std::vector<double>& dx) const {
  for (std::size_t k = 0; k < static_cast<std::size_t>(num_states()); ++k)
    if (system_.states()[k].is_angle)
      for (std::size_t j = 0; j < count; ++j) dx[k * kBlock + j] = wrap_lane(dx[k * kBlock + j]);
}

void ParticleFilter::draw_start_again(std::size_t i) {
  Scratch& mine = scratch(0);
  const auto n = static_cast<std::size_t>(num_states());
  const auto is_moved = [&] {
    swarm_->displace(cloud_.workspace(0), cloud_.slot(i), mine.dx.data(), mine.ok.data());
    return mine.ok[0] != 0.0;
  };
  for (std::uint64_t draw = 0; draw <= kStartDraws; ++draw) {
    fill_noise(Kind::kStart, draw * n, root_, i / kBlock, mine);
    for (std::size_t k = 0; k < n; ++k) mine.dx[k * kBlock] = mine.noise[k * kBlock + i % kBlock];
    leave_out_turns(1, mine.dx);
    if (is_moved()) return;
    // An angle that is not reached one way round may be the other way: joints that do not turn fully.
    for (std::size_t k = 0; k < n; ++k) {
      if (!system_.states()[k].is_angle) continue;
      double& dx = mine.dx[k * kBlock];
      const double there = dx;
      dx -= std::copysign(2.0 * std::numbers::pi, dx);
      if (is_moved()) return;
      dx = there;
    }
  }
  for (int halving = 0; halving < kStartHalvings; ++halving) {
    for (std::size_t k = 0; k < n; ++k) mine.dx[k * kBlock] *= 0.5;
    if (is_moved()) return;
  }
}

// Seed000 eq. 118
bool ParticleFilter::start_unknown(double t, const UnknownStart& start) {
  if (!std::isfinite(t)) return false;
  swarm_->at(t);
  const std::size_t before = cloud_.count();
  cloud_.set_count(cloud_.capacity());
  for (std::size_t i = 0; i < cloud_.count(); ++i) {
    core::Rng rng(options_.seed, i);
    if (swarm_->draw(start, rng, cloud_.slot(i))) continue;
    if (i == 0) {
      swarm_->at(t_);
      cloud_.set_count(before);
      return false;
    }
    const Move copy{static_cast<std::uint32_t>(i / 2), static_cast<std::uint32_t>(i)};
    apply_moves({&copy, 1}, swarm_->num_arrays(), cloud_.lanes(), cloud_.pool());
  }
  begin(t);
  unknown_start_ = start;
  least_ = kLeastDeviation * unknown_;
  anchor();
  return true;
}

void ParticleFilter::anchor() { swarm_->accept(cloud_.slot(weights_.best())); }

// Seed000 eq. 121
bool ParticleFilter::move_on(Kind kind) {
  cloud_.for_blocks([&](int worker, std::size_t b, Lanes lanes) {
    Scratch& mine = scratch(worker);
    const int rows = swarm_->num_normals();
    random(kind).fill_normals(b * kBlock, lanes.count, steps_ * static_cast<std::uint64_t>(num_states()),
                              rows, kBlock, mine.normals.data());
    swarm_->step(cloud_.workspace(worker), lanes, mine.normals.data(), mine.ok.data());
    double num_failed = 0.0, left = 0.0;
    for (std::size_t j = 0; j < lanes.count; ++j) num_failed += 1.0 - mine.ok[j];
    if (num_failed > 0.0)
      for (std::size_t j = 0; j < lanes.count; ++j) {
        const bool is_good = mine.ok[j] > 0.0;
        likelihood_.values()[b * kBlock + j] = is_good ? 0.0 : kNoWeight;
        left += is_good ? weights_.values()[b * kBlock + j] : 0.0;
      }
    lost_.of_block(b)[0] = num_failed;
    lost_.of_block(b)[1] = num_failed > 0.0 ? left : 1.0;
  });
  return lost_.total(cloud_.num_blocks(), 1) > 0.0;
}

bool ParticleFilter::drop_failed() {
  if (!(lost_.total(cloud_.num_blocks(), 0) > 0.0)) return true;
  for (std::size_t b = 0; b < cloud_.num_blocks(); ++b)
    if (!(lost_.of_block(b)[0] > 0.0))
      std::fill_n(likelihood_.values() + b * kBlock, cloud_.block(b).count, 0.0);
  return weights_.multiply(cloud_, likelihood_.values(), 1.0) > kNoWeight;
}

// Seed000 eq. 122, fig. 19
bool ParticleFilter::predict(double h) {
  check_step(h);
  const bool is_auxiliary = options_.variant == ParticleVariant::kAuxiliary;
  const bool is_poor = weights_.effective_size() < options_.threshold * static_cast<double>(cloud_.count());
  if (is_sparse_ || (is_poor && !is_auxiliary)) resample();
  if (is_auxiliary) cloud_.keep_second();
  has_second_ = false;
  swarm_->prepare_step(t_, h, options_.motion);
  if (!move_on(Kind::kMotion) || !drop_failed()) {
    swarm_->at(t_);
    return false;
  }
  has_second_ = is_auxiliary;
  ++steps_;
  t_ += h;
  h_ = h;
  swarm_->at(t_);
  forget_moments();
  anchor();
  return true;
}

const Eigen::VectorXd& ParticleFilter::mean() const {
  if (!has_mean_) moments_.find_mean(cloud_, weights_);
  has_mean_ = true;
  return moments_.mean();
}

const Eigen::MatrixXd& ParticleFilter::covariance() {
  static_cast<void>(mean());
  if (!has_covariance_) moments_.find_covariance(cloud_, weights_);
  has_covariance_ = true;
  return moments_.covariance();
}

void ParticleFilter::inflate(double factor) {
  check_inflation(factor);
  static_cast<void>(covariance());
  root_.setZero();
  for (Index k = 0; k < num_states(); ++k) {
    const double sigma = std::sqrt(moments_.covariance()(k, k));
    factors_(k) = sigma > 0.0 ? std::clamp(unknown_(k) / sigma, 1.0, factor) - 1.0 : 0.0;
    if (sigma < least_(k)) root_(k, k) = std::min(least_(k) * factor, unknown_(k));
  }
  const bool has_noise = !root_.isZero(0.0);
  displace([&](int worker, std::size_t block) {
    Scratch& mine = scratch(worker);
    moments_.deviations(cloud_, block, mine.dx.data());
    for (std::size_t k = 0; k < static_cast<std::size_t>(num_states()); ++k)
      for (std::size_t j = 0; j < kBlock; ++j) mine.dx[k * kBlock + j] *= factors_(static_cast<Index>(k));
    if (!has_noise) return;
    fill_noise(Kind::kSpread, spreads_, root_, block, mine);
    for (std::size_t j = 0; j < mine.dx.size(); ++j) mine.dx[j] += mine.noise[j];
  });
  spreads_ += static_cast<std::uint64_t>(num_states());
}

bool ParticleFilter::set_outputs(const std::vector<std::shared_ptr<const sensing::Instrument>>& outputs) {
  if (!swarm_->set_outputs(outputs)) return false;
  output_angles_.clear();
  std::size_t most = 0;
  for (const auto& output : outputs) {
    std::vector<bool>& angles = output_angles_.emplace_back();
    for (const sensing::Channel& channel : output->channels()) angles.push_back(channel.is_angle);
    most = std::max(most, angles.size());
  }
  output_moments_.emplace(cloud_, most);
  return true;
}

void ParticleFilter::read_output(int output, StateRef mean, StateRef deviation) {
  output_moments_->find(cloud_, weights_, output, output_angles_[static_cast<std::size_t>(output)], mean,
                        deviation);
}

bool ParticleFilter::expect_reading(int sensor, StateRef y) {
  swarm_->measure(cloud_.workspace(0), cloud_.slot(weights_.best()), sensor, expected_.data());
  for (Index k = 0; k < y.size(); ++k) y[k] = expected_[static_cast<std::size_t>(k) * kBlock];
  return y.allFinite();
}

std::unique_ptr<Estimator> make_particle(System& system, const EstimatorOptions& options) {
  return std::make_unique<ParticleFilter>(system, options.particle);
}

}  // namespace eslabon::estimation
