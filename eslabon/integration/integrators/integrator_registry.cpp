#include <algorithm>
#include <array>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/integration/integrators/integrator_makers.hpp"
#include "eslabon/model/variables/force_variables.hpp"

namespace eslabon::integration {

namespace {

constexpr double kStepsOfRun = 1000.0;

/// Whether a force, a stop or a driver is a function of time.
bool depends_on_time(const model::Mechanism& mechanism) {
  const auto varies = [](const model::TimeFunction& f) { return !f.is_constant(); };
  for (const model::Driver& driver : mechanism.drivers())
    if (varies(driver.function)) return true;
  for (const model::Stop& stop : mechanism.stops())
    if ((stop.lower && varies(*stop.lower)) || (stop.upper && varies(*stop.upper))) return true;
  return model::forces_depend_on_time(mechanism);
}

struct Entry {
  std::string_view name;
  bool is_adaptive;
  std::unique_ptr<Integrator> (*make)(const IntegratorOptions&);
};

// A new integrator is one file and one line here.
constexpr std::array kEntries{
    Entry{"rk4", false, &make_rk4},
    Entry{"abm4", false, &make_abm4},
    Entry{"dopri5", true, &make_dopri5},
    Entry{"trapezoidal", false, &make_trapezoidal},
    Entry{"generalized-alpha", false, &make_generalized_alpha},
    Entry{"bdf", true, &make_bdf},
};

void check(bool is_good, const std::string& what, const std::string& expected, double value) {
  if (is_good) return;
  throw core::ModelError({.what = what + " of an integrator is out of range",
                          .where = "",
                          .expected = expected,
                          .actual = core::number_text(value),
                          .next = "Give it another value."});
}

void check_options(const IntegratorOptions& options, bool is_adaptive) {
  if (!is_adaptive) {
    check(std::isfinite(options.step) && options.step > 0.0, "the step", "a positive time in s",
          options.step);
    check(options.spectral_radius >= 0.0 && options.spectral_radius <= 1.0, "the spectral radius", "0 to 1",
          options.spectral_radius);
    return;
  }
  check(options.rtol >= 1e-14 && std::isfinite(options.rtol), "the relative tolerance", "at least 1e-14",
        options.rtol);
  check(options.atol > 0.0 && std::isfinite(options.atol), "the absolute tolerance", "a positive number",
        options.atol);
  check(options.first_step >= 0.0, "the first step", "a time in s, or 0", options.first_step);
  check(options.largest_step >= 0.0, "the maximum step", "a time in s, or 0", options.largest_step);
}

}  // namespace

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kEntries) names.emplace_back(entry.name);
  return names;
}

bool is_adaptive(std::string_view integrator) {
  const auto* const entry = std::ranges::find(kEntries, integrator, &Entry::name);
  return entry != kEntries.end() && entry->is_adaptive;
}

std::unique_ptr<Integrator> make_integrator(std::string_view name, const IntegratorOptions& options) {
  const auto* const entry = std::ranges::find(kEntries, name, &Entry::name);
  if (entry == kEntries.end())
    throw core::ModelError({.what = "unknown integrator",
                            .where = "",
                            .expected = "one of " + core::quoted_list(integrator_names()),
                            .actual = "'" + std::string(name) + "'",
                            .next = "dopri5 is a good start; bdf is for stiff mechanisms."});
  check_options(options, entry->is_adaptive);
  return entry->make(options);
}

IntegratorOptions default_options(const model::Mechanism& mechanism, double until) {
  IntegratorOptions options;
  if (depends_on_time(mechanism)) options.largest_step = until / kStepsOfRun;
  return options;
}

}  // namespace eslabon::integration
