#include <cmath>
#include <limits>

#include "eslabon/estimation/estimator_checks.hpp"
#include "eslabon/estimation/kalman/covariance_root.hpp"
#include "eslabon/estimation/particle/particle_displacement.hpp"
#include "eslabon/estimation/particle/particle_filter.hpp"

// Readings, and what becomes of those that nobody expects. Compiled without fused operations (CMakeLists.txt), for the same bits everywhere.
namespace eslabon::estimation {

namespace {

constexpr std::size_t kMostRedrawn = 4096;  ///< at a time: draws are slow
constexpr double kSpreading = 3.0;          ///< by which deviations grow when nobody expects what comes
constexpr double kMostSpreading = 1e6;
constexpr double kEffectivePerState = 10.0;  ///< hypotheses that a reading leaves at least

}  // namespace

// Seed000 fig. 19
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
    unexpected_ = std::max(unexpected_ - 1, 0);
    return false;
  }
  if (unexpected_++ == 0) unexpected_since_ = t_;
  if (unexpected_ < kPatience || (is_refused && !is_relapse() && t_ - unexpected_since_ < kLongPatience))
    return false;
  unexpected_ = 0;
  return true;
}

bool ParticleFilter::is_relapse() const { return recoveries_ > 0 && t_ - spread_t_ <= kRelapse; }

bool ParticleFilter::is_unexpected() const {
  return likelihood_.smallest_square() > kFar && likelihood_.nis() > kFar;
}

void ParticleFilter::spread() {
  spreading_ = is_relapse() ? std::min(spreading_ * kSpreading, kMostSpreading) : kSpreading;
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
  // What was at rest at the start moves now, as fast as the hypotheses do.
  UnknownStart start = *unknown_start_;
  static_cast<void>(covariance());
  for (Eigen::Index k = 0; k < num_states(); ++k)
    if (system_.states()[static_cast<std::size_t>(k)].is_rate)
      start.rate_deviation =
          std::max(start.rate_deviation, std::hypot(mean()[k], std::sqrt(covariance()(k, k))) / sizes_(k));
  for (std::size_t i = stride - 1; i < cloud_.count(); i += stride) {
    core::Rng rng(options_.seed, streams + i);
    static_cast<void>(swarm_->draw(start, rng, cloud_.slot(i)));  // where there is none it stays
  }
  weights_.set_equal(cloud_.count());
  has_second_ = false;
  forget_moments();
}

double ParticleFilter::fewest_effective() const {
  return std::min({kEffectivePerState * static_cast<double>(num_states()),
                   0.25 * static_cast<double>(cloud_.count()), 0.5 * weights_.effective_size()});
}

// Seed000 eq. 109
void ParticleFilter::weigh() {
  const double fewest = fewest_effective();
  log_evidence_ += weights_.multiply(cloud_, likelihood_.values(), 1.0) + likelihood_.log_constant();
  if (weights_.effective_size() < fewest) flatten(fewest);
}

/// (7) by bisection of log β, between where no weight changes by more than 10 % and 1.
void ParticleFilter::flatten(double fewest) {
  constexpr int kHalvings = 24;
  const double* const values = likelihood_.values();
  double smallest = -1.0;
  for (std::size_t i = 0; i < cloud_.count(); ++i)
    if (values[i] < smallest && weights_.logs()[i] > -std::numeric_limits<double>::infinity())
      smallest = values[i];
  double low = std::log2(0.1 / -smallest), high = 0.0;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = 0.5 * (low + high);
    (weights_.effective_size_with(cloud_, values, std::exp2(middle) - 1.0) < fewest ? high : low) = middle;
  }
  static_cast<void>(weights_.multiply(cloud_, values, std::exp2(low) - 1.0));
  is_sparse_ = true;
}

}  // namespace eslabon::estimation
