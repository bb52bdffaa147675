#include "eslabon/runs/motion/verification.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "eslabon/coordinates/layout.hpp"
#include "eslabon/dynamics/formulations/formulation.hpp"
#include "eslabon/dynamics/reactions/force_outputs.hpp"
#include "eslabon/integration/recorder.hpp"
#include "eslabon/integration/simulation.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::runs {

namespace {

constexpr double kTighter = 0.1;
constexpr double kDifferent = 1e-2;   // of the range of an output
constexpr double kLeastRange = 1e-3;  // of the mechanism's size, or rad

/// Those that share least with most others come first.
constexpr std::array kSecondFormulations{"null-space", "multipliers", "augmented-lagrangian", "groups"};

/// Another formulation than the first that can simulate the mechanism.
std::unique_ptr<dynamics::Formulation> other_formulation(const dynamics::DynamicModel& model,
                                                         const std::string& first) {
  std::optional<core::ErrorText> reason;
  for (const char* const name : kSecondFormulations) {
    if (name == first) continue;
    try {
      return dynamics::make_formulation(name, model);
    } catch (const core::ModelError& error) {
      if (!reason) reason = error.text();
    }
  }
  throw core::ModelError(*reason);
}

bool has_positions(const model::Mechanism& mechanism) {
  return std::ranges::any_of(mechanism.outputs(), [&](const model::Variable& output) {
    return core::is_position(model::dimension(mechanism, output));
  });
}

}  // namespace

Verification::Verification(kinematics::AssembledMechanism assembled, const TimeGrid& grid,
                           std::string_view formulation, std::string_view integrator,
                           const integration::IntegratorOptions& options)
    : assembled_(std::move(assembled)),
      grid_(grid),
      first_formulation_(formulation),
      integrator_(integration::is_adaptive(integrator) ? integrator : "dopri5"),
      options_(integration::is_adaptive(integrator)
                   ? options
                   : integration::default_options(mechanism(), grid.until())) {
  options_.rtol = std::max(kTighter * options_.rtol, 1e-13);
  options_.atol *= kTighter;
}

bool Verification::run(const std::function<bool(long steps)>& must_stop) {
  const dynamics::DynamicModel model(assembled_);
  const std::unique_ptr<dynamics::Formulation> formulation = other_formulation(model, first_formulation_);
  second_formulation_ = formulation->name();
  integration::Simulation simulation(model, *formulation, integration::make_integrator(integrator_, options_),
                                     grid_.until());
  integration::Recorder recorder(model.assembled());
  dynamics::ForceOutputs forces(model, mechanism().outputs());
  coordinates::MechanismMotion bodies(mechanism().bodies().size());
  simulation.evaluate_bodies(bodies);
  for (std::size_t k = 0; k < times_.size(); ++k) {
    const double t = times_[k];
    while (simulation.t() < t) {
      if (must_stop(simulation.statistics().steps)) return false;
      if (!simulation.advance_by_small_turns(t))
        throw core::ModelError(simulation.failure()->error_text(simulation.integrator().facts().is_adaptive));
      simulation.evaluate_bodies(bodies);
      if (simulation.t() < t) recorder.count_turns(simulation.t(), bodies);
    }
    const std::span<const double> row = recorder.record(t, bodies, simulation.constraint_error());
    forces.record(t, bodies, simulation.point().state.memory, recorder.outputs());
    errors_.resize(row.size(), 0.0);
    for (std::size_t c = 0; c < row.size(); ++c)
      errors_[c] = std::max(errors_[c], std::abs(row[c] - rows_[k * row.size() + c]));
  }
  return true;
}

std::pair<std::size_t, double> Verification::worst(const std::vector<ColumnRange>& ranges) const {
  const double size = coordinates::length_scale(mechanism());
  std::size_t worst = 0;
  double largest = 0.0;
  for (std::size_t c = 0; c < std::min(errors_.size(), mechanism().outputs().size()); ++c) {
    // Positions tell one motion from another; rates and forces may be next to nothing beside what they are differences of.
    const core::Dimension dimension = model::dimension(mechanism(), mechanism().outputs()[c]);
    if (!core::is_position(dimension)) continue;
    const double range = std::max(ranges[c].largest - ranges[c].least,
                                  kLeastRange * (dimension == core::kLength ? size : 1.0));
    if (errors_[c] / range <= largest) continue;
    largest = errors_[c] / range;
    worst = c;
  }
  return {worst, largest};
}

std::string Verification::text(const std::vector<core::Column>& columns,
                               const std::vector<ColumnRange>& ranges) const {
  const auto [c, part] = worst(ranges);
  const std::string how =
      fmt::format("by {}, {} with tolerances {:g} relative and {:g} of the size of the motion",
                  second_formulation_, integrator_, options_.rtol, options_.atol);
  if (!has_positions(mechanism()))
    return how + ": no output is a position, so the two motions cannot be compared";
  if (part == 0.0) return how + ": no position differs";
  return fmt::format("{}: {} differs most, by {:.2g} {}, {:.2g} of its range", how, columns[c].name,
                     errors_[c], columns[c].unit, part);
}

std::optional<core::ErrorText> Verification::failure(const std::vector<core::Column>& columns,
                                                     const std::vector<ColumnRange>& ranges) const {
  const auto [c, part] = worst(ranges);
  if (!(part > kDifferent)) return std::nullopt;
  return core::ErrorText{.what = "a second run is another motion",
                         .where = field("verify") + ", output '" + columns[c].name + "'",
                         .expected = fmt::format("what {} gives to within {:g} % of its range",
                                                 second_formulation_, 100.0 * kDifferent),
                         .actual = fmt::format("{:.3g} {} beside it", errors_[c], columns[c].unit),
                         .next =
                             "Give smaller tolerances, and look for a singular position on the way, or for a "
                             "motion in which small differences grow."};
}

}  // namespace eslabon::runs
