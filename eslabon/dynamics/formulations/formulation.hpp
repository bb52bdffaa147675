#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/dynamics/dynamic_model.hpp"
#include "eslabon/dynamics/formulations/descriptor_form.hpp"
#include "eslabon/dynamics/formulations/step_timer.hpp"
#include "eslabon/dynamics/state.hpp"
#include "eslabon/kinematics/state.hpp"

namespace eslabon::dynamics {

/// Equations of motion of a mechanism in one way of writing them: the seam that integrators stand on. An integrator advances z and ż,
/// the integrated coordinates: all of q, or as many as there are degrees of freedom. Keeps scratch, and which coordinates are integrated
/// (choose_integrated): one per run. What it returns depends on its arguments and on that choice alone.
class Formulation {
 public:
  virtual ~Formulation() = default;

  virtual std::string_view name() const = 0;
  /// For people: "natural: 5 coordinates, 4 constraint rows, 1 DOF".
  virtual std::string description() const = 0;

  virtual int num_coordinates() const = 0;  ///< n
  virtual int num_integrated() const = 0;   ///< of z

  /// The variables of the mechanism that z are, where they are some.
  virtual std::vector<model::Variable> integrated_variables() const { return {}; }

  /// The start: assembled, at the speeds of the drivers and at the start rates of the mechanism.
  virtual State start() = 0;
  /// The state of these motions of the bodies; velocities must satisfy the constraints.
  virtual State state_of(const coordinates::MechanismMotion& bodies, double t) = 0;

  /// What each z is measured by: the mechanism's size [m] for lengths, 1 for angles and numbers; out: (num_integrated).
  virtual void read_scales(std::span<double> out) const = 0;
  /// z and ż of a state; out: (num_integrated).
  virtual void read(const State& state, std::span<double> z, std::span<double> z_dot) const = 0;
  /// The state with these z and ż at time t; others are found from where state.q is.
  [[nodiscard]] virtual DynamicsStatus complete(double t, std::span<const double> z,
                                                std::span<const double> z_dot, State& state) = 0;
  /// Accelerations of all coordinates, a (n), and of the integrated ones, z_ddot.
  [[nodiscard]] virtual DynamicsStatus accelerate(const State& state, std::span<double> a,
                                                  std::span<double> z_ddot) = 0;

  /// (states) Rates of the auxiliary states in the last accelerate(); empty where the formulation does not tell them.
  virtual std::span<const double> state_rates() const { return {}; }

  /// What is said of a state at which complete, project or accelerate found no value of a force or a driver: names it. Slow.
  virtual core::ErrorText why_not(const State& state) = 0;

  /// How far from a singular position the last accelerate() was: a sine, or a ratio of pivots, of order 1 far from one and 0 at it.
  /// Accelerations lose digits with its third power. 1 where the formulation does not mind.
  virtual double regularity() const { return 1.0; }

  /// Brings a state that has drifted back to its constraints, for formulations that integrate dependent coordinates.
  [[nodiscard]] virtual DynamicsStatus project(State&) { return DynamicsStatus::kSolved; }
  /// Looks whether another choice of z has become better, and takes it: a sentence about it for the log, or nothing. To be called
  /// between steps only; z and ż must be read anew.
  virtual std::optional<std::string> choose_integrated(State&) { return std::nullopt; }

  /// Motion of all bodies; a (n): accelerations.
  virtual void evaluate_bodies(const State& state, std::span<const double> a,
                               coordinates::MechanismMotion& out) = 0;
  /// Largest constraint residual, lengths in m; numbers without unit count as lengths of the mechanism's size.
  virtual double constraint_error(const State& state) = 0;

  /// The equations for implicit integrators that solve for positions, when the formulation wants that; its z are then all q.
  virtual DescriptorForm* descriptor_form() { return nullptr; }

  /// Where the time of the evaluations so far went, where FormulationOptions asked for it; otherwise nothing.
  virtual const StepTimer* timer() const { return nullptr; }
};

/// Constants [1/s] of  Φ̈ + 2 α Φ̇ + β² Φ = 0  [Seed002, eq. (32)]. Both 0: Φ̈ = 0, and nothing holds Φ and Φ̇.
struct Baumgarte {
  double alpha = 0.0, beta = 0.0;
  bool stabilises() const { return alpha != 0.0 || beta != 0.0; }
};

/// Choices that some formulations have.
struct FormulationOptions {
  std::string kind = "";  ///< of coordinates; empty: the first that the formulation has
  /// Of multipliers. Without it states are projected after each step; with it they never are.
  std::optional<Baumgarte> baumgarte = std::nullopt;
  /// Of semi-recursive: matrices "dense" or "sparse"; empty: by size. Open chains have composite inertias and one dense matrix, or
  /// articulated inertias and none.
  std::string variant = "";
  bool times_steps = false;  ///< of semi-recursive with loops
};

/// A formulation by its name. Throws core::ModelError for unknown names, for kinds of coordinates that
/// the formulation does not have, and for mechanisms that it cannot simulate.
std::unique_ptr<Formulation> make_formulation(std::string_view name, const DynamicModel& model,
                                              const FormulationOptions& options = {});
std::vector<std::string> formulation_names();
/// The kinds of coordinates that the formulation has; none when it has its own.
std::vector<std::string> coordinate_kinds(std::string_view formulation);

}  // namespace eslabon::dynamics
