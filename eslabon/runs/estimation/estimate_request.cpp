#include "eslabon/runs/estimation/estimate_request.hpp"

#include <algorithm>
#include <array>
#include <numbers>
#include <utility>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/estimation/estimator.hpp"
#include "eslabon/runs/motion/time_grid.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::runs {

namespace {

constexpr std::array<std::string_view, 7> kUnknownKinds{"force",    "mass", "stiffness", "damping",
                                                        "friction", "bias", "state"};

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

void check_numbers(const EstimateRequest& request) {
  const std::array<std::pair<const char*, double>, 7> deviations{
      {{"start_deviation", request.start_deviation.value_or(0.0)},
       {"start_rate_deviation", request.start_rate_deviation.value_or(0.0)},
       {"position_noise", request.position_noise},
       {"velocity_noise", request.velocity_noise},
       {"acceleration_noise", request.acceleration_noise},
       {"force_deviation", request.force_deviation},
       {"force_walk", request.force_walk}}};
  for (const auto& [name, value] : deviations)
    if (!(value >= 0.0))
      throw RequestError({.what = "a deviation is negative",
                          .where = field(name),
                          .expected = "a number of at least 0",
                          .actual = quoted_number(value),
                          .next = "Write it without the sign."});
  if (!(request.gate >= 0.0 && request.gate < 0.5))
    throw RequestError({.what = "the gate is not a probability of rejecting a good reading",
                        .where = field("gate"),
                        .expected = "a probability from 0 to below 0.5",
                        .actual = quoted_number(request.gate),
                        .next = "Write, for example, " + field("gate") + " 1e-6, or 0 for no gate."});
}

void check_times(const EstimateRequest& request) {
  require_positive("step", request.step);
  if (request.every) require_positive("every", *request.every);
  if (request.until) require_positive("until", *request.until);
  if (request.window && *request.window != core::Duration()) require_positive("window", *request.window);
}

void check_filter(const EstimateRequest& request, const std::string& filter) {
  const estimation::EstimatorCapabilities can = estimation::estimator_capabilities(filter);
  if (request.simple_jacobian && !can.simple_jacobian)
    throw RequestError({.what = "the filter '" + filter + "' has no simple Jacobian",
                        .where = field("simple_jacobian"),
                        .expected = field("filter") + " dekf or error-ekf",
                        .actual = field("filter") + " " + filter,
                        .next = "Leave " + field("simple_jacobian") + " out, or take another filter."});
  if (request.has_unknown_start && !can.unknown_start)
    throw RequestError({.what = "the filter '" + filter + "' needs to know where it starts",
                        .where = field("has_unknown_start"),
                        .expected = "a filter that does not, such as particle",
                        .actual = field("filter") + " " + filter,
                        .next = "Take another filter, or start from the model."});
}

/// The first field that only filters of many particles read.
std::optional<std::string> first_particle_field(const ParticleRequest& particle) {
  const std::array<std::pair<const char*, bool>, 9> all{
      {{"particles", particle.particles.has_value()},
       {"fewest", particle.fewest.has_value()},
       {"resampling", particle.resampling.has_value()},
       {"threshold", particle.threshold.has_value()},
       {"sampling", particle.sampling.has_value()},
       {"motion", particle.motion.has_value()},
       {"roughening", particle.roughening.has_value()},
       {"sensor_factor", particle.sensor_factor.has_value()},
       {"threads", particle.threads.has_value()}}};
  for (const auto& [name, is_given] : all)
    if (is_given) return name;
  return std::nullopt;
}

/// Fields that only some filters read.
void check_readers(const EstimateRequest& request, const std::vector<std::string>& filters) {
  const auto of_particles = first_particle_field(request.particle);
  if (of_particles && !has(filters, "particle") && !has(filters, "grid"))
    throw RequestError({.what = "no filter here reads this",
                        .where = field(*of_particles),
                        .expected = field("filter") + " particle",
                        .actual = field("filter") + " " + core::joined(filters, ","),
                        .next = "Leave it out, or take the particle filter."});
  if (request.integrator && filters.size() == 1 && has(filters, "particle"))
    throw RequestError({.what = "the particle filter steps by a rule of its own",
                        .where = field("integrator"),
                        .expected = "another filter",
                        .actual = field("filter") + " particle",
                        .next = "Leave it out: its steps are of second order."});
  if (request.has_unknown_start && request.start_deviation)
    throw RequestError(
        {.what = "an unknown start has no deviation",
         .where = field("start_deviation"),
         .expected = field("start") + " model",
         .actual = field("start") + " unknown",
         .next = "Leave one of them out; " + field("start_rate_deviation") + " can be given with both."});
}

}  // namespace

std::string_view name(UnknownRequest::Kind kind) { return kUnknownKinds[static_cast<std::size_t>(kind)]; }

std::optional<UnknownRequest::Kind> find_unknown_kind(std::string_view name) {
  const auto found = std::ranges::find(kUnknownKinds, name);
  if (found == kUnknownKinds.end()) return std::nullopt;
  return static_cast<UnknownRequest::Kind>(found - kUnknownKinds.begin());
}

estimation::ParticleOptions ParticleRequest::options() const {
  estimation::ParticleOptions options;
  const auto take = [](const auto& given, auto& into) {
    if (given) into = *given;
  };
  take(particles, options.particles);
  take(fewest, options.fewest);
  take(resampling, options.resampling);
  take(threshold, options.threshold);
  take(sampling, options.variant);
  take(motion, options.motion);
  take(roughening, options.roughening);
  take(sensor_factor, options.sensor_factor);
  take(seed, options.seed);
  take(threads, options.threads);
  try {
    estimation::check_options(options);
  } catch (const core::ModelError& error) {
    core::ErrorText text = error.text();
    text.where = field("filter") + " particle" + (text.where.empty() ? "" : ", " + text.where);
    throw RequestError(text);
  }
  return options;
}

void check_request(const EstimateRequest& request, const std::vector<std::string>& filters) {
  for (const std::string& filter : filters) {
    require_known("filter", "unknown filter", filter, estimation::estimator_names());
    check_filter(request, filter);
  }
  check_readers(request, filters);
  check_numbers(request);
  check_times(request);
}

StartDeviations start_deviations(const EstimateRequest& request) {
  constexpr double kUsual = 5.0 * (std::numbers::pi / 180.0);  // 5°, 5 °/s
  return {request.start_deviation.value_or(kUsual),
          request.start_rate_deviation.value_or(request.has_unknown_start ? 0.0 : kUsual)};
}

core::Duration window_of(const EstimateRequest& request, double latency) {
  if (request.window) return *request.window;
  return core::Duration::from_nanoseconds(request.is_live ? 5'000'000 : 20'000'000) +
         core::Duration::from_seconds(latency);
}

}  // namespace eslabon::runs
