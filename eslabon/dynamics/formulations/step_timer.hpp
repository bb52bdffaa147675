#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <string_view>

namespace eslabon::dynamics {

/// The steps of an evaluation by the semi-recursive formulation, numbered as in [Seed004, tables 1 and 2]. 0 is not there: it is what
/// finds the dependent positions.
enum class SemiRecursiveStep {
  kClose = 0,
  kInertias,
  kConstraints,
  kTransformation,
  kVelocities,
  kForces,
  kBias,
  kSums,
  kEquations,
  kSolve
};
inline constexpr std::size_t kNumSteps = 10;
inline constexpr std::array<std::string_view, kNumSteps> kStepNames{
    "positions of dependent coordinates, by Newton",
    "b, A, J, M̄ and their sums M^Σ",
    "Φ_z and its factors L, U",
    "R_z",
    "velocities: dependent ones, of all links",
    "forces Q, τ",
    "c = −Φ̇_z ż and Ṙ_z ż",
    "sums Q^Σ of forces and of what masses need",
    "M = R_zᵀ R_dᵀ M^Σ R_d R_z and b",
    "z̈ = M \\ b"};

/// Seconds by step. Does nothing, and costs next to nothing, until it is switched on.
class StepTimer {
 public:
  void switch_on() { is_on_ = true; }
  bool is_on() const { return is_on_; }
  /// What follows is timed from here.
  void begin() {
    if (is_on_) last_ = Clock::now();
  }
  /// What was done since the last call belongs to this step.
  void lap(SemiRecursiveStep step) {
    if (!is_on_) return;
    const Clock::time_point now = Clock::now();
    seconds_[static_cast<std::size_t>(step)] += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }
  /// (steps) [s]
  const std::array<double, kNumSteps>& seconds() const { return seconds_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool is_on_ = false;
  Clock::time_point last_;
  std::array<double, kNumSteps> seconds_{};
};

}  // namespace eslabon::dynamics
