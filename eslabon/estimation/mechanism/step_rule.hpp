#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace eslabon::estimation {

/// How the mean goes from step to step.
enum class StepRule {
  kEuler,  ///< x + h ẋ, as [Seed003, eq. (17)]
  kHeun,   ///< explicit trapezoidal rule, second order
  kRk4,    ///< fourth order
};
std::optional<StepRule> find_step_rule(std::string_view name);  ///< "euler", "heun", "rk4"
std::string_view name(StepRule rule);

/// An explicit rule of Runge and Kutta:  x_i = x + h Σ_{j<i} a_ij k_j,  k_i = ẋ(t + c_i h, x_i),  x⁺ = x + h Σ b_i k_i.   (1)
struct StepTableau {
  int stages;
  std::array<std::array<double, 3>, 4> a;
  std::array<double, 4> b, c;
};
const StepTableau& tableau(StepRule rule);

}  // namespace eslabon::estimation
