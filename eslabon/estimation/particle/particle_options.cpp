#include "eslabon/estimation/particle/particle_options.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::estimation {

namespace {

constexpr std::array<std::pair<std::string_view, Resampling>, 4> kResamplings{{
    {"multinomial", Resampling::kMultinomial},
    {"residual", Resampling::kResidual},
    {"stratified", Resampling::kStratified},
    {"systematic", Resampling::kSystematic},
}};
constexpr std::array<std::pair<std::string_view, ParticleVariant>, 3> kVariants{{
    {"bootstrap", ParticleVariant::kBootstrap},
    {"regularised", ParticleVariant::kRegularised},
    {"auxiliary", ParticleVariant::kAuxiliary},
}};

template <class List>
auto find_in(const List& list, std::string_view name) -> std::optional<decltype(list[0].second)> {
  for (const auto& [key, value] : list)
    if (key == name) return value;
  return std::nullopt;
}

template <class List, class Value>
std::string_view name_in(const List& list, Value value) {
  for (const auto& [key, candidate] : list)
    if (candidate == value) return key;
  return "";
}

void check(bool is_good, const char* what, const char* expected, double value) {
  if (is_good) return;
  throw core::ModelError({.what = what,
                          .where = "filter 'particle'",
                          .expected = expected,
                          .actual = core::number_text(value),
                          .next = "Omit it, or give another value."});
}

bool is_deviation(double value) { return std::isfinite(value) && value >= 0.0; }

}  // namespace

std::optional<Resampling> find_resampling(std::string_view name) { return find_in(kResamplings, name); }
std::string_view name(Resampling resampling) { return name_in(kResamplings, resampling); }
std::optional<ParticleVariant> find_particle_variant(std::string_view name) {
  return find_in(kVariants, name);
}
std::string_view name(ParticleVariant variant) { return name_in(kVariants, variant); }

void check_options(const ParticleOptions& options) {
  check(options.particles >= 1 && options.particles <= kMostParticles,
        "the number of particles is out of range", "1 to 100000000", options.particles);
  check(options.fewest >= 0 && options.fewest <= options.particles,
        "the minimum number of particles is out of range", "0 (the number is constant) to the maximum number",
        options.fewest);
  check(options.kld_error > 0.0 && options.kld_error <= 10.0, "the Kullback–Leibler distance is out of range",
        "more than 0 and at most 10", options.kld_error);
  check(options.kld_quantile >= 0.0 && options.kld_quantile <= 10.0,
        "the quantile of the Kullback–Leibler distance is out of range", "0 to 10", options.kld_quantile);
  check(options.threshold >= 0.0 && options.threshold <= 1.0, "the threshold of resampling is out of range",
        "0 (never) to 1 (after every reading)", options.threshold);
  check(is_deviation(options.motion), "the deviation of motion is out of range", "a number of at least 0",
        options.motion);
  check(is_deviation(options.roughening), "the deviation after resampling is out of range",
        "a number of at least 0", options.roughening);
  check(std::isfinite(options.sensor_factor) && options.sensor_factor > 0.0,
        "the factor of the sensors' deviations is out of range", "a number above 0", options.sensor_factor);
  check(options.threads >= 1 && options.threads <= kMostThreads, "the number of threads is out of range",
        "1 to 256", options.threads);
}

}  // namespace eslabon::estimation
