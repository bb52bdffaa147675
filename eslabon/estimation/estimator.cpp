#include "eslabon/estimation/estimator.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/estimation/estimator_makers.hpp"

namespace eslabon::estimation {

namespace {

struct Entry {
  std::string_view name;
  EstimatorCapabilities capabilities;
  std::unique_ptr<Estimator> (*make)(System&, const EstimatorOptions&);
};

// A new filter is one file and one line here.
constexpr std::array kEntries{
    Entry{"dekf", {.simple_jacobian = true, .euler_steps = true}, &make_dekf},
    Entry{"ukf", {.simple_jacobian = false, .euler_steps = true}, &make_ukf},
    Entry{"cekf", {.simple_jacobian = false, .euler_steps = false}, &make_cekf},
    // dekf under its other name, which was published with another rule for its steps.
    Entry{"error-ekf", {.simple_jacobian = true, .euler_steps = false}, &make_error_ekf},
    Entry{"particle", {.unknown_start = true}, &make_particle},
    Entry{"grid", {.unknown_start = true, .num_states = 2}, &make_grid},
};

const Entry& entry_of(std::string_view name) {
  const auto* const entry = std::ranges::find(kEntries, name, &Entry::name);
  if (entry == kEntries.end())
    throw core::ModelError({.what = "unknown filter",
                            .where = "",
                            .expected = "one of " + core::quoted_list(estimator_names()),
                            .actual = "'" + std::string(name) + "'",
                            .next = "dekf is a good start; error-ekf is its other name."});
  return *entry;
}

void check_jacobian(const Entry& entry, const EstimatorOptions& options) {
  if (options.exact_jacobian || entry.capabilities.simple_jacobian) return;
  std::vector<std::string> able;
  for (const Entry& other : kEntries)
    if (other.capabilities.simple_jacobian) able.emplace_back(other.name);
  throw core::ModelError({.what = "a filter without a simple Jacobian",
                          .where = "filter '" + std::string(entry.name) + "'",
                          .expected = "one of " + core::quoted_list(able),
                          .actual = "'" + std::string(entry.name) + "'",
                          .next = "Take one of those, or leave the Jacobian exact."});
}

void check_spread(const EstimatorOptions& options, double n) {
  const auto check = [](bool is_good, const char* what, const std::string& expected, double value) {
    if (is_good) return;
    throw core::ModelError({.what = what,
                            .where = "filter 'ukf'",
                            .expected = expected,
                            .actual = core::number_text(value),
                            .next = "Omit it, or give another value."});
  };
  check(options.alpha >= 1e-6 && options.alpha <= 10.0, "alpha is out of range", "1e-6 to 10", options.alpha);
  check(std::isfinite(options.kappa) && n + options.kappa > 0.0, "kappa is out of range",
        "more than minus the number of states, " + core::number_text(-n), options.kappa);
  check(std::isfinite(options.beta) &&
            options.kappa + n * options.beta / (options.alpha * options.alpha) >= 0.0,
        "beta is out of range", "at least −kappa alpha²/states, so that covariances are positive",
        options.beta);
}

}  // namespace

std::vector<std::string> estimator_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kEntries) names.emplace_back(entry.name);
  return names;
}

EstimatorCapabilities estimator_capabilities(std::string_view name) { return entry_of(name).capabilities; }

std::unique_ptr<Estimator> make_estimator(std::string_view name, System& system,
                                          const EstimatorOptions& options) {
  const Entry& entry = entry_of(name);
  check_jacobian(entry, options);
  if (entry.name == "ukf") check_spread(options, static_cast<double>(system.num_states()));
  return entry.make(system, options);
}

std::unique_ptr<Estimator> make_estimator(std::string_view name, std::shared_ptr<System> system,
                                          const EstimatorOptions& options) {
  std::unique_ptr<Estimator> estimator = make_estimator(name, *system, options);
  estimator->kept_ = std::move(system);
  return estimator;
}

}  // namespace eslabon::estimation
