#include "eslabon/estimation/particle/reading_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "eslabon/core/index.hpp"
#include "eslabon/core/scalar/each_width.hpp"
#include "eslabon/estimation/circular.hpp"
#include "eslabon/estimation/kalman/covariance_root.hpp"
#include "eslabon/estimation/kalman/gaussian_filter.hpp"

// Compiled without fused operations (CMakeLists.txt), for the same bits everywhere.
namespace eslabon::estimation {

namespace {

using core::index;
using Eigen::Index;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFarthest = 1e140;  ///< deviations beyond are not told apart, so that squares are finite

/// Channels, then their products.
std::size_t num_sums(Index m) { return index(2 + m + m * (m + 1) / 2); }

/// Weights of the hypotheses that tell a reading, 0 of others, and the smallest −2 log_likelihood of those that have one.
ESLABON_EACH_WIDTH double told_weights(const double* weight, const double* log_likelihood, std::size_t count,
                                       double* w) {
  double squares[kBlock];
  for (std::size_t j = 0; j < count; ++j) {
    w[j] = log_likelihood[j] > -kInfinity ? weight[j] : 0.0;
    squares[j] = w[j] > 0.0 ? -2.0 * log_likelihood[j] : kInfinity;
  }
  double least = kInfinity;
  for (std::size_t j = 0; j < count; ++j) least = squares[j] < least ? squares[j] : least;
  return least;
}

/// a b where w is not 0: others may be no numbers.
ESLABON_EACH_WIDTH void multiply_told(const double* w, const double* a, const double* b, std::size_t count,
                                      double* out) {
  for (std::size_t j = 0; j < count; ++j) out[j] = w[j] > 0.0 ? a[j] * b[j] : 0.0;
}

/// The sum of each row of kBlock numbers, from the first to the last; four rows at a time, whose sums do not wait for each other.
/// `rows`: a multiple of that.
constexpr std::size_t kRowsAtATime = 4;
void add_rows(const double* terms, std::size_t rows, std::size_t count, double* sums) {
  for (std::size_t r = 0; r < rows; r += kRowsAtATime) {
    const double* const at = terms + r * kBlock;
    double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
    for (std::size_t j = 0; j < count; ++j) {
      a += at[j];
      b += at[kBlock + j];
      c += at[2 * kBlock + j];
      d += at[3 * kBlock + j];
    }
    sums[r] = a;
    sums[r + 1] = b;
    sums[r + 2] = c;
    sums[r + 3] = d;
  }
}
/// At least as many rows as there are sums.
std::size_t padded_sums(Index m) { return (num_sums(m) + kRowsAtATime - 1) / kRowsAtATime * kRowsAtATime; }

}  // namespace

ReadingLikelihood::ReadingLikelihood(const System& system, ParticleCloud& cloud, double sensor_factor)
    : system_(system),
      cloud_(cloud),
      factor_(sensor_factor),
      log_likelihood_(cloud.capacity()),
      scratch_(static_cast<std::size_t>(cloud.pool().num_threads())),
      sums_(cloud.most_blocks(), num_sums(most_channels(system))) {
  const Index most = most_channels(system);
  is_angle_.resize(index(most));
  R_ = C_ = S_ = S_root_ = Eigen::MatrixXd::Zero(most, most);
  reference_ = offset_ = shift_ = Eigen::VectorXd::Zero(most);
  for (Scratch& scratch : scratch_) {
    scratch.y.resize(index(most) * kBlock);
    scratch.white.resize(index(most) * kBlock);
    scratch.terms.resize(padded_sums(most) * kBlock);
    scratch.totals.resize(padded_sums(most));
  }
}

bool ReadingLikelihood::take_sensor(int sensor) {
  sensor_ = sensor;
  m_ = system_.num_channels(sensor);
  auto R = R_.topLeftCorner(m_, m_), C = C_.topLeftCorner(m_, m_);
  system_.sensor_noise(sensor, R);
  R *= factor_ * factor_;
  if (!find_root(R, C) || !(C.diagonal().minCoeff() > 0.0)) return false;
  log_constant_ = -0.5 * static_cast<double>(m_) * std::log(2.0 * std::numbers::pi);
  for (Index k = 0; k < m_; ++k) {
    is_angle_[index(k)] = system_.is_angle(sensor, k);
    log_constant_ -= std::log(C(k, k));
  }
  return std::isfinite(log_constant_);
}

/// y becomes h(x) minus the reference, and NaN where it was infinite: 0 · ∞.
void ReadingLikelihood::measure(int worker, Lanes lanes, Scratch& scratch) {
  cloud_.swarm().measure(cloud_.workspace(worker), lanes, sensor_, scratch.y.data());
  for (Index k = 0; k < m_; ++k) {
    double* const e = scratch.y.data() + index(k) * kBlock;
    const double reference = reference_(k);
    if (is_angle_[index(k)])
      for (std::size_t j = 0; j < lanes.count; ++j) e[j] = wrap_lane(e[j] - reference) + 0.0 * e[j];
    else
      for (std::size_t j = 0; j < lanes.count; ++j) e[j] = (e[j] - reference) + 0.0 * e[j];
  }
}

/// (1) by forward substitution, channel by channel.
// Seed000 eq. 113
void ReadingLikelihood::whiten(Scratch& scratch, std::size_t count, double* log_likelihood) const {
  for (std::size_t j = 0; j < count; ++j) log_likelihood[j] = 0.0;
  for (Index k = 0; k < m_; ++k) {
    const double* const e = scratch.y.data() + index(k) * kBlock;
    double* const u = scratch.white.data() + index(k) * kBlock;
    const double offset = offset_(k), inverse = 1.0 / C_(k, k);
    for (std::size_t j = 0; j < count; ++j) u[j] = offset - e[j];
    if (is_angle_[index(k)])
      for (std::size_t j = 0; j < count; ++j) u[j] = wrap_lane(u[j]);
    for (Index i = 0; i < k; ++i) {
      const double c = C_(k, i);
      const double* const before = scratch.white.data() + index(i) * kBlock;
      for (std::size_t j = 0; j < count; ++j) u[j] -= c * before[j];
    }
    for (std::size_t j = 0; j < count; ++j) {
      const double scaled = u[j] * inverse;
      const double not_above = scaled > kFarthest ? kFarthest : scaled;
      u[j] = not_above < -kFarthest ? -kFarthest : not_above;
      log_likelihood[j] -= 0.5 * u[j] * u[j];
    }
  }
  for (std::size_t j = 0; j < count; ++j)
    log_likelihood[j] = log_likelihood[j] > -kInfinity ? log_likelihood[j] : -kInfinity;  // NaN too
}

void ReadingLikelihood::add_moments(Scratch& scratch, const double* weight, const double* log_likelihood,
                                    std::size_t count, double* sums) const {
  double w[kBlock];
  sums[1] = told_weights(weight, log_likelihood, count, w);
  double* term = scratch.terms.data();
  const auto next = [&] { return std::exchange(term, term + kBlock); };
  const auto of_channel = [&](Index k) { return scratch.y.data() + index(k) * kBlock; };
  const double* const first = scratch.terms.data() + kBlock;  // of the channels
  std::copy_n(w, count, next());
  for (Index k = 0; k < m_; ++k) multiply_told(w, w, of_channel(k), count, next());
  for (Index k = 0; k < m_; ++k)
    for (Index i = 0; i <= k; ++i) multiply_told(w, first + index(k) * kBlock, of_channel(i), count, next());
  add_rows(scratch.terms.data(), padded_sums(m_), count, scratch.totals.data());
  sums[0] = scratch.totals[0];
  std::copy_n(scratch.totals.data() + 1, num_sums(m_) - 2, sums + 2);
}

bool ReadingLikelihood::evaluate(ConstStateRef y, const ParticleWeights& weights) {
  reference_.head(m_).setZero();
  offset_.head(m_).setZero();
  measure(0, cloud_.slot(weights.best()), scratch_[0]);
  for (Index k = 0; k < m_; ++k) {
    const double h = scratch_[0].y[index(k) * kBlock];
    reference_(k) = std::isfinite(h) ? h : 0.0;
    const double difference = y(k) - reference_(k);
    offset_(k) = is_angle_[index(k)] ? std::remainder(difference, 2.0 * std::numbers::pi) : difference;
  }
  cloud_.for_blocks([&](int worker, std::size_t b, Lanes lanes) {
    Scratch& scratch = scratch_[static_cast<std::size_t>(worker)];
    double* const log_likelihood = log_likelihood_.data() + b * kBlock;
    measure(worker, lanes, scratch);
    whiten(scratch, lanes.count, log_likelihood);
    add_moments(scratch, weights.values().data() + b * kBlock, log_likelihood, lanes.count,
                sums_.of_block(b));
  });
  smallest_ = kInfinity;
  for (std::size_t b = 0; b < cloud_.num_blocks(); ++b) smallest_ = std::min(smallest_, sums_.of_block(b)[1]);
  if (!(smallest_ < kInfinity)) return false;
  find_nis();
  return true;
}

void ReadingLikelihood::evaluate_block(int worker, Lanes lanes, double* log_likelihood) {
  Scratch& scratch = scratch_[static_cast<std::size_t>(worker)];
  measure(worker, lanes, scratch);
  whiten(scratch, lanes.count, log_likelihood);
}

/// (2) from the sums.
void ReadingLikelihood::find_nis() {
  constexpr double kLargest = std::numeric_limits<double>::max();
  const std::size_t blocks = cloud_.num_blocks();
  const double weight = sums_.total(blocks, 0);
  std::size_t next = 2;
  auto S = S_.topLeftCorner(m_, m_), root = S_root_.topLeftCorner(m_, m_);
  for (Index k = 0; k < m_; ++k) shift_(k) = sums_.total(blocks, next++) / weight;
  for (Index k = 0; k < m_; ++k)
    for (Index i = 0; i <= k; ++i)
      S(k, i) = S(i, k) = sums_.total(blocks, next++) / weight - shift_(k) * shift_(i) + R_(k, i);
  nis_ = kLargest;
  if (!find_root(S, root) || !(root.diagonal().minCoeff() > 0.0)) return;
  double square = 0.0;
  for (Index k = 0; k < m_; ++k) {
    double u = offset_(k) - shift_(k);
    if (is_angle_[index(k)]) u = std::remainder(u, 2.0 * std::numbers::pi);
    shift_(k) = u;
  }
  for (Index k = 0; k < m_; ++k) {
    for (Index i = 0; i < k; ++i) shift_(k) -= root(k, i) * shift_(i);
    shift_(k) = std::clamp(shift_(k) / root(k, k), -kFarthest, kFarthest);
    square += shift_(k) * shift_(k);
  }
  nis_ = std::min(square, kLargest);
}

double ReadingLikelihood::expecting_part(ParticleCloud& cloud, const ParticleWeights& weights) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < cloud.count(); ++i)
    if (log_likelihood_[i] >= -0.5 * static_cast<double>(m_)) sum += weights.values()[i];
  return sum / weights.sum();
}

}  // namespace eslabon::estimation
