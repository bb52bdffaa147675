#include "eslabon/codegen/check_states.hpp"

#include "eslabon/core/index.hpp"
#include "eslabon/core/random/rng.hpp"

namespace eslabon::codegen {

namespace {

constexpr int kStates = 8;
constexpr double kAway = 0.05;   // of the mechanism's size, or rad
constexpr double kRate = 1.0;    // the same by second
constexpr double kEffort = 1.0;  // [N or N m]

}  // namespace

std::vector<CheckState> check_states(const coordinates::ConstraintSystem& system, double length,
                                     const CheckState& start) {
  std::vector<CheckState> states{start};
  core::Rng rng(22);
  const auto& coordinates = system.coordinates();
  while (states.size() < kStates) {
    CheckState state = start;
    for (std::size_t c = 0; c < coordinates.size(); ++c) {
      const double size = coordinates[c].dimension == core::kLength ? length : 1.0;
      state.x[c] += kAway * size * (2.0 * rng.uniform() - 1.0);
      state.x[coordinates.size() + c] += kRate * size * (2.0 * rng.uniform() - 1.0);
    }
    state.u[0] = static_cast<double>(states.size());
    for (std::size_t k = 1; k < state.u.size(); ++k) state.u[k] += kEffort * (2.0 * rng.uniform() - 1.0);
    states.push_back(state);
  }
  return states;
}

}  // namespace eslabon::codegen
