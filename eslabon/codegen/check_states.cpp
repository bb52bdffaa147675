#include "eslabon/codegen/check_states.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "eslabon/core/index.hpp"
#include "eslabon/core/random/rng.hpp"

namespace eslabon::codegen {

namespace {

constexpr int kStates = 8;
constexpr double kAway = 0.05;       // of the mechanism's size, or rad
constexpr double kRate = 1.0;        // the same by second
constexpr double kSoon = 0.1;        // of the seconds of other checks
constexpr double kEffort = 1.0;      // [N or N m]
constexpr double kParameter = 0.05;  // of what it is

/// The start, and states beside it: the first numbers of x are these coordinates and their rates.
std::vector<CheckState> drawn_states(const std::vector<coordinates::Coordinate>& coordinates, double length,
                                     const CheckState& start) {
  std::vector<CheckState> states{start};
  core::Rng rng(22);
  while (states.size() < kStates) {
    CheckState state = start;
    for (std::size_t c = 0; c < coordinates.size(); ++c) {
      const double size = coordinates[c].dimension == core::kLength ? length : 1.0;
      state.x[c] += kAway * size * (2.0 * rng.uniform() - 1.0);
      state.x[coordinates.size() + c] += kRate * size * (2.0 * rng.uniform() - 1.0);
    }
    state.u[0] = static_cast<double>(states.size());
    for (std::size_t k = 1; k < state.u.size(); ++k) state.u[k] += kEffort * (2.0 * rng.uniform() - 1.0);
    for (double& p : state.p) p *= 1.0 + kParameter * (2.0 * rng.uniform() - 1.0);
    states.push_back(state);
  }
  return states;
}

std::vector<double> between(const std::vector<double>& from, const std::vector<double>& to, double part) {
  std::vector<double> out = from;
  for (std::size_t k = 0; k < out.size(); ++k) out[k] += part * (to[k] - from[k]);
  return out;
}

/// (values of all functions) whether they are finite.
std::vector<bool> finite_values(const ExportedModel& model, const CheckState& state) {
  std::vector<bool> is_finite;
  for (const ExportedFunction& function : model.functions)
    for (const double y : ExportedModel::evaluate(function, state)) is_finite.push_back(std::isfinite(y));
  return is_finite;
}

/// Comes back towards the start as far as need be for the mechanism to be closed there. What has no value at the start, as a ratio of
/// speeds at rest, tells nothing of that.
void come_into_reach(const ExportedModel& model, CheckState& state) {
  const std::vector<bool> at_start = finite_values(model, model.start);
  const auto is_in_reach = [&] {
    const std::vector<bool> here = finite_values(model, state);
    return std::ranges::equal(at_start, here, [](bool before, bool now) { return now || !before; });
  };
  for (int k = 0; k < 60 && !is_in_reach(); ++k) {
    state.x = between(model.start.x, state.x, 0.5);
    state.p = between(model.start.p, state.p, 0.5);
  }
}

/// Goes from the start to a state, not too fast for its positions to be found on the way.
void settle(const ExportedModel& model, CheckState& state) {
  constexpr int kCalls = 50;
  const auto positions = std::ranges::find(model.functions, "positions", &ExportedFunction::name);
  if (positions == model.functions.end()) return;
  const auto memory = static_cast<std::ptrdiff_t>(model.num_memory);
  std::vector<double> found(model.start.x.end() - memory, model.start.x.end());
  for (int k = 1; k <= kCalls; ++k) {
    const double part = static_cast<double>(k) / kCalls;
    CheckState now{between(model.start.x, state.x, part), between(model.start.u, state.u, part), state.p};
    std::ranges::copy(found, now.x.end() - memory);
    found = ExportedModel::evaluate(*positions, now);
    found.resize(model.num_memory);
  }
  std::ranges::copy(found, state.x.end() - memory);
}

}  // namespace

std::vector<CheckState> check_states(const coordinates::ConstraintSystem& system, double length,
                                     const CheckState& start) {
  return drawn_states(system.coordinates(), length, start);
}

std::vector<CheckState> check_freedoms(const std::vector<coordinates::Coordinate>& freedoms, double length,
                                       const ExportedModel& model) {
  std::vector<CheckState> states = drawn_states(freedoms, length, model.start);
  for (CheckState& state : states) {
    state.u[0] *= kSoon;
    settle(model, state);
    come_into_reach(model, state);
  }
  return states;
}

void keep_states_with_values(ExportedModel& model) {
  std::erase_if(model.checks, [&](const CheckState& state) {
    return !std::ranges::all_of(finite_values(model, state), std::identity());
  });
  if (!model.checks.empty()) return;
  const ExportedFunction& guilty = *std::ranges::find_if(model.functions, [&](const ExportedFunction& function) {
    return !std::ranges::all_of(ExportedModel::evaluate(function, model.start),
                                [](double y) { return std::isfinite(y); });
  });
  throw core::ModelError({.what = "what is exported has no value",
                          .where = "function '" + guilty.name + "'",
                          .expected = "finite numbers at the start, or at a state beside it",
                          .actual = "one that is not a number at all of them",
                          .next = "Leave the output out, or start somewhere else."});
}

}  // namespace eslabon::codegen
