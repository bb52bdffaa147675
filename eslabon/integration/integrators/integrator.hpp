#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/integration/integrators/motion_equations.hpp"

namespace eslabon::integration {

/// What bdf allows a step, in parts of its rtol and atol: the errors of its steps add up, see bdf.cpp.
inline constexpr double kPartOfBdfStep = 1e-3;

/// What integrators can be told; each looks at its own.
struct IntegratorOptions {
  double step = 1e-3;  ///< of fixed-step ones [s]
  /// Of adaptive ones: what error is allowed in a step, see ErrorMeasure, of bdf kPartOfBdfStep of it.
  double rtol = 1e-8;
  double atol = 1e-10;        ///< of what moves, lengths in units of the mechanism's size
  double first_step = 0.0;    ///< of adaptive ones [s]; 0: they find one
  double largest_step = 0.0;  ///< of adaptive ones [s]; 0: any
  /// Of generalized-alpha: what is left of a very fast vibration after one step, 0 … 1.
  double spectral_radius = 0.9;
};

/// The options of a run up to `until` [s] of which nothing else is said. Adaptive integrators do not step over what depends on time: where
/// a force, a stop or a driver does, their steps are at most a thousandth of the run.
IntegratorOptions default_options(const model::Mechanism& mechanism, double until);

/// What an integrator promises.
struct IntegratorFacts {
  int order = 0;                  ///< error falls as step^order; 0: it varies
  bool is_adaptive = false;       ///< finds its steps from rtol and atol
  bool solves_positions = false;  ///< with a formulation that has a descriptor form
};

/// One way of advancing a motion: the seam between formulations and runs. Keeps what it needs from step to step: one per run.
class Integrator {
 public:
  virtual ~Integrator() = default;

  virtual std::string_view name() const = 0;
  virtual IntegratorFacts facts() const = 0;

  /// Forgets every step before: z have become others.
  virtual void restart() = 0;

  /// One step from a point that is evaluated, not beyond t_limit; `to` is then evaluated and settled. Fixed steps end at
  /// multiples of the step, or at t_limit. False when there is none: equations.trouble() says why.
  /// Does not allocate after the first step, adaptive ones by CVODE apart.
  [[nodiscard]] virtual bool step(MotionEquations& equations, const MotionPoint& from, double t_limit,
                                  MotionPoint& to) = 0;

  /// z and ż at time t within the last step, which was from `from` to `to`.
  virtual void interpolate(const MotionPoint& from, const MotionPoint& to, double t, std::span<double> z,
                           std::span<double> z_dot) = 0;
};

/// An integrator by its name. Throws core::ModelError for unknown names and for options that are not positive.
std::unique_ptr<Integrator> make_integrator(std::string_view name, const IntegratorOptions& options = {});
std::vector<std::string> integrator_names();
/// Those that find their own steps.
bool is_adaptive(std::string_view integrator);

}  // namespace eslabon::integration
