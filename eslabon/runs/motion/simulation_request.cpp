#include "eslabon/runs/motion/simulation_request.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "eslabon/coordinates/layout.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::runs {

namespace {

void check_names(const SimulationRequest& request) {
  require_known("integrator", "unknown integrator", request.integrator, integration::integrator_names());
  require_known("formulation", "unknown formulation", request.formulation, known_formulations());
  if (request.coordinates)
    require_known("coordinates", "unknown coordinates", *request.coordinates, coordinates::layout_names());
  if (request.matrices)
    require_known("matrices", "unknown kind of matrices", *request.matrices, known_matrices());
}

void check_coordinates(const SimulationRequest& request) {
  if (!request.coordinates || request.formulation == kAuto) return;
  const std::vector<std::string> kinds = dynamics::coordinate_kinds(request.formulation);
  if (std::ranges::find(kinds, *request.coordinates) == kinds.end())
    throw RequestError(
        {.what = "the formulation '" + request.formulation + "' does not have these coordinates",
         .where = field("coordinates"),
         .expected = kinds.empty() ? "none: it has its own" : core::quoted_list(kinds),
         .actual = "'" + *request.coordinates + "'",
         .next = "Leave " + field("coordinates") + " out, or take another formulation."});
}

/// Fields that only one formulation has.
void check_belongs(const SimulationRequest& request, std::string_view name, const std::string& what,
                   const std::string& formulation) {
  if (request.formulation == formulation) return;
  throw RequestError(
      {.what = what + " only in the formulation '" + formulation + "'",
       .where = field(name),
       .expected = field("formulation") + " " + formulation,
       .actual = field("formulation") + " " + request.formulation,
       .next = "Leave " + field(name) + " out, or add " + field("formulation") + " " + formulation + "."});
}

void check_tolerance(std::string_view name, const std::optional<double>& value, double least,
                     const std::string& example) {
  if (!value || (*value >= least && *value < 1.0)) return;
  throw RequestError({.what = "not a tolerance",
                      .where = field(name),
                      .expected = fmt::format("a number of at least {:g}, below 1", least),
                      .actual = fmt::format("{:g}", *value),
                      .next = "Write, for example, " + field(name) + " " + example + "."});
}

/// For what only integrators that find their steps have.
[[noreturn]] void fail_without_choice(const SimulationRequest& request, std::string_view name,
                                      const std::string& value) {
  std::vector<std::string> adaptive;
  for (const std::string& known : integration::integrator_names())
    if (integration::is_adaptive(known)) adaptive.push_back(known);
  throw RequestError({.what = "the integrator '" + request.integrator + "' does not choose its steps",
                      .where = field(name),
                      .expected = "one that finds its own steps, " + core::quoted_list(adaptive),
                      .actual = value + " with " + field("integrator") + " " + request.integrator,
                      .next = "Use " + field("step") + ", or take another integrator."});
}

void check_stepping(const SimulationRequest& request) {
  const bool is_adaptive = integration::is_adaptive(request.integrator);
  if (is_adaptive && request.step) {
    std::vector<std::string> fixed;
    for (const std::string& known : integration::integrator_names())
      if (!integration::is_adaptive(known)) fixed.push_back(known);
    throw RequestError({.what = "the integrator '" + request.integrator + "' finds its own steps",
                        .where = field("step"),
                        .expected = "one with a fixed step, " + core::quoted_list(fixed),
                        .actual = fmt::format("{:g} s with {} {}", request.step->seconds(),
                                              field("integrator"), request.integrator),
                        .next = "Use " + field("every") + " for the time from row to row, " + field("rtol") +
                                " and " + field("atol") + " for accuracy."});
  }
  if (is_adaptive) return;
  if (!request.step)
    throw RequestError({.what = "the integrator '" + request.integrator + "' needs a step",
                        .where = field("step"),
                        .expected = "a positive time in s",
                        .actual = "none",
                        .next = "Write, for example, " + field("step") + " '1 ms'."});
  if (request.rtol) fail_without_choice(request, "rtol", fmt::format("{:g}", *request.rtol));
  if (request.atol) fail_without_choice(request, "atol", fmt::format("{:g}", *request.atol));
  if (request.largest_step)
    fail_without_choice(request, "largest_step", fmt::format("{:g} s", request.largest_step->seconds()));
}

void check_baumgarte(const dynamics::Baumgarte& by) {
  if (by.alpha >= 0.0 && by.beta >= 0.0 && std::isfinite(by.alpha + by.beta)) return;
  throw RequestError({.what = "not constants of Baumgarte's method",
                      .where = field("baumgarte"),
                      .expected = "alpha,beta in 1/s, 0 or above",
                      .actual = fmt::format("{:g},{:g}", by.alpha, by.beta),
                      .next = "Write, for example, " + field("baumgarte") + " 50,0.5."});
}

}  // namespace

std::vector<std::string> known_formulations() {
  std::vector<std::string> formulations = dynamics::formulation_names();
  formulations.insert(formulations.begin(), kAuto);
  return formulations;
}

std::vector<std::string> known_matrices() { return {"dense", "sparse"}; }

void check(const SimulationRequest& request) {
  check_names(request);
  check_coordinates(request);
  if (request.matrices)
    check_belongs(request, "matrices", "matrices are dense or sparse by choice", "semi-recursive");
  if (request.step_times) check_belongs(request, "step_times", "steps are timed", "semi-recursive");
  if (request.baumgarte) check_belongs(request, "baumgarte", "constraints are stabilised", "multipliers");
  check_stepping(request);
  require_positive("until", request.until);
  for (const auto& [name, time] : {std::pair{"step", request.step}, std::pair{"every", request.every},
                                   std::pair{"largest_step", request.largest_step}})
    if (time) require_positive(name, *time);
  check_tolerance("rtol", request.rtol, 1e-14, "1e-8");
  check_tolerance("atol", request.atol, 1e-300, "1e-10");
  if (request.baumgarte) check_baumgarte(*request.baumgarte);
}

TimeGrid grid_of(const SimulationRequest& request) {
  if (request.every) return {request.until, *request.every, "every"};
  if (request.step) return {request.until, *request.step, "step"};
  return {request.until, thousandth_of(request.until), "until"};
}

integration::IntegratorOptions stepping_of(const SimulationRequest& request,
                                           const model::Mechanism& mechanism, const TimeGrid& grid) {
  integration::IntegratorOptions options;
  if (request.step) {
    options.step = request.step->seconds();
    return options;
  }
  options.rtol = request.rtol.value_or(options.rtol);
  options.atol = request.atol.value_or(options.atol);
  options.largest_step =
      request.largest_step
          ? request.largest_step->seconds()
          : std::min(grid.step(), integration::default_options(mechanism, grid.until()).largest_step);
  return options;
}

}  // namespace eslabon::runs
