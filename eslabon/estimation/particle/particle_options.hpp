#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace eslabon::estimation {

/// How particles are drawn anew by their weights.
enum class Resampling { kMultinomial, kResidual, kStratified, kSystematic };
std::optional<Resampling> find_resampling(std::string_view name);  ///< "multinomial", …
std::string_view name(Resampling resampling);

/// Which particle filter.
enum class ParticleVariant {
  kBootstrap,    ///< proposals from the motion alone
  kRegularised,  ///< copies are spread by a kernel as wide as their number asks for
  kAuxiliary,    ///< particles are chosen by what the next reading will say of them
};
std::optional<ParticleVariant> find_particle_variant(
    std::string_view name);  ///< "bootstrap", "regularised", "auxiliary"
std::string_view name(ParticleVariant variant);

/// Choices of the particle filter.
struct ParticleOptions {
  int particles = 1000;  ///< N; of an adapted number the largest one
  /// Number adapted to the spread [Fox2003]: the smallest one; 0: N stays.
  int fewest = 0;
  double kld_error = 0.05;      ///< largest Kullback–Leibler distance to what more particles would say, …
  double kld_quantile = 2.326;  ///< … and how sure that is: upper quantile of the standard normal (99 %)
  Resampling resampling = Resampling::kSystematic;
  double threshold = 0.5;  ///< resampled when the effective sample size is below this part of N
  ParticleVariant variant = ParticleVariant::kBootstrap;
  double motion =
      0.0;  ///< MOTION_STDDEV of [Seed000]: deviation that each step adds to positions, beside plant noise [rad]
  double roughening = 0.0;  ///< RESAMPLE_STDDEV: deviation that resampling adds to rates [rad/s]
  double sensor_factor =
      1.0;  ///< SENSOR_STDDEV_MOD: by which deviations of readings are larger in the weights
  std::uint64_t seed = 1;
  int threads = 1;
};
inline constexpr int kMostParticles = 100'000'000, kMostThreads = 256;
/// Throws core::ModelError for options that are out of range.
void check_options(const ParticleOptions& options);

}  // namespace eslabon::estimation
