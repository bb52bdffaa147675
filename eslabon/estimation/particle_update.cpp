#include <cmath>

#include "eslabon/estimation/covariance_root.hpp"
#include "eslabon/estimation/estimator_checks.hpp"
#include "eslabon/estimation/particle_displacement.hpp"
#include "eslabon/estimation/particle_filter.hpp"

// Readings, and what becomes of those that nobody expects. Compiled without fused operations (CMakeLists.txt), for the same bits everywhere.
namespace eslabon::estimation {

namespace {

constexpr std::size_t kMostRedrawn = 4096;  ///< at a time: draws are slow
constexpr double kSpreading = 3.0;          ///< by which deviations grow when nobody expects what comes
constexpr double kMostSpreading = 1e6;
constexpr double kRelapse = 1.0;  ///< when it comes again within this time, they grow more [s]

}  // namespace

UpdateReport ParticleFilter::update(int sensor, ConstStateRef y, double gate) {
  UpdateReport report{.status = UpdateReport::Status::kFailed};
  if (!check_reading(system_, sensor, y) || !likelihood_.take_sensor(sensor) ||
      !likelihood_.evaluate(y, weights_))
    return report;
  bool is_refused = refuses(gate);
  if (is_lost(is_refused)) {
    spread();
    if (!likelihood_.evaluate(y, weights_)) return report;
    is_refused = refuses(gate);
  }
  report.nis = likelihood_.nis();
  report.status = is_refused ? UpdateReport::Status::kOutlier : UpdateReport::Status::kAccepted;
  if (is_refused) return report;
  if (!(has_second_ && weigh_by_auxiliary(y))) weigh();
  forget_moments();
  return report;
}

bool ParticleFilter::refuses(double gate) {
  return !(likelihood_.nis() <= gate) && likelihood_.expecting_part(cloud_, weights_) < kExpecting;
}

bool ParticleFilter::is_lost(bool is_refused) {
  if (!is_refused && !is_unexpected()) {
    unexpected_ = 0;
    return false;
  }
  if (unexpected_++ == 0) unexpected_since_ = t_;
  return unexpected_ % kPatience == 0 && (!is_refused || t_ - unexpected_since_ >= kLongPatience);
}

bool ParticleFilter::is_unexpected() const {
  return likelihood_.smallest_square() > kFar && likelihood_.nis() > kFar;
}

void ParticleFilter::spread() {
  const bool is_relapse = recoveries_ > 0 && t_ - spread_t_ <= kRelapse;
  spreading_ = is_relapse ? std::min(spreading_ * kSpreading, kMostSpreading) : kSpreading;
  spread_t_ = t_;
  ++recoveries_;
  if (unknown_start_)
    redraw_half();
  else
    scatter(spreading_);
}

/// Deviations become `factor` times as large by noise, not by stretching: copies of few hypotheses become different ones.
void ParticleFilter::scatter(double factor) {
  if (!find_root(covariance(), root_)) root_.setZero();
  for (Eigen::Index k = 0; k < num_states(); ++k) {
    const double sigma = root_.row(k).norm(),
                 wanted = std::min(factor * std::max(sigma, least_(k)), unknown_(k));
    const double added = std::sqrt(std::max(wanted * wanted - sigma * sigma, 0.0));
    if (sigma > least_(k)) {
      root_.row(k) *= added / sigma;
    } else {
      root_.row(k).setZero();
      root_(k, k) = added;
    }
  }
  displace([&](int worker, std::size_t block) {
    fill_noise(Kind::kSpread, spreads_, root_, block, scratch(worker));
    scratch(worker).dx.swap(scratch(worker).noise);
  });
  spreads_ += static_cast<std::uint64_t>(num_states());
}

void ParticleFilter::redraw_half() {
  const std::size_t stride = std::max<std::size_t>(2, cloud_.count() / kMostRedrawn);
  const std::uint64_t streams = static_cast<std::uint64_t>(recoveries_) << 32;
  for (std::size_t i = stride - 1; i < cloud_.count(); i += stride) {
    core::Rng rng(options_.seed, streams + i);
    static_cast<void>(swarm_->draw(*unknown_start_, rng, cloud_.slot(i)));  // where there is none it stays
  }
  weights_.set_equal(cloud_.count());
  has_second_ = false;
  forget_moments();
}

void ParticleFilter::weigh() {
  const double least = likelihood_.smallest_square(), power = least > kFar ? kFar / least : 1.0;
  if (power < 1.0) {
    log_evidence_ += weights_.log_mean(likelihood_.values()) + likelihood_.log_constant();
    static_cast<void>(weights_.multiply(cloud_, likelihood_.values(), power));
  } else {
    log_evidence_ += weights_.multiply(cloud_, likelihood_.values(), 1.0) + likelihood_.log_constant();
  }
}

}  // namespace eslabon::estimation
