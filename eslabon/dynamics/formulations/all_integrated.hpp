#pragma once

#include <algorithm>

#include "eslabon/dynamics/formulations/formulation.hpp"

namespace eslabon::dynamics {

/// A formulation whose integrated coordinates are all it has.
class AllIntegrated : public Formulation {
 public:
  int num_integrated() const final { return num_coordinates(); }
  /// Whether they are dependent, so that they drift and are projected.
  virtual bool drifts() const { return true; }
  State start() final { return state_of(model().start(), 0.0); }

  // Seed002 eq. 29
  void read(const State& state, std::span<double> z, std::span<double> z_dot) const final {
    std::ranges::copy(state.q, z.begin());
    std::ranges::copy(state.v, z_dot.begin());
  }
  DynamicsStatus complete(double t, std::span<const double> z, std::span<const double> z_dot,
                          State& state) final {
    state.t = t;
    std::ranges::copy(z, state.q.begin());
    std::ranges::copy(z_dot, state.v.begin());
    follow_angles(state);
    return DynamicsStatus::kSolved;
  }

 protected:
  virtual const DynamicModel& model() const = 0;
  /// Keeps the angles that springs see near those of the state.
  virtual void follow_angles(State& state) = 0;
};

}  // namespace eslabon::dynamics
