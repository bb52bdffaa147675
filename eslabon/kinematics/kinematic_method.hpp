#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/core/scalar/program_compiler.hpp"
#include "eslabon/kinematics/drivers/driven_mechanism.hpp"
#include "eslabon/kinematics/state.hpp"

namespace eslabon::kinematics {

/// Outcome of Newton's iteration for the positions.
struct [[nodiscard]] NewtonReport {
  bool is_converged = false;
  bool is_singular = false;  ///< the Jacobian could not be factored on the way
  int iterations = 0;
  double first_correction =
      0.0;                ///< largest change of a coordinate in the first step, lengths in units of the size
  double residual = 0.0;  ///< largest |Phi| of all rows, the redundant ones too, lengths in units of the size
};

/// A solution at which a method stands until it is asked for another position: who has one can ask for velocities there.
class SolvedPosition {
  friend class KinematicMethod;
  SolvedPosition() = default;
};

/// Velocities at a SolvedPosition: who has them can ask for accelerations.
class SolvedVelocity {
  friend class KinematicMethod;
  SolvedVelocity() = default;
};

/// What solve_positions gives.
struct [[nodiscard]] PositionSolution {
  NewtonReport report;
  std::optional<SolvedPosition> position;  ///< where it is converged, and not singular
};

/// A way to solve the position, velocity and acceleration problems of a driven mechanism: what Motion stands on. Keeps scratch;
/// one per thread. The same state and values give the same result.
class KinematicMethod {
 public:
  virtual ~KinematicMethod() = default;

  /// The word by which a user asks for it: "sparse".
  virtual std::string_view name() const = 0;
  /// What it solves, for people: "natural: 12 coordinates, 12 constraint rows".
  virtual std::string description() const = 0;
  /// Whether positions are found by iteration.
  virtual bool iterates() const = 0;

  /// The start position, not yet polished.
  virtual State start() const = 0;
  /// Positions from the q given, a prediction: the solution that belongs to it. At most `most` iterations; with 0 it stays where
  /// it is, and only branch_signs can be asked. Values are those of the time wanted.
  virtual PositionSolution solve_positions(std::span<const coordinates::CoordinateValue> values, int most,
                                           std::span<double> q) = 0;
  /// Velocities at the q that solve_positions ended with.
  virtual SolvedVelocity solve_velocities(const SolvedPosition& position, std::span<double> v) = 0;
  /// Accelerations at that q and the v of solve_velocities.
  virtual void solve_accelerations(const SolvedVelocity& velocity,
                                   std::span<const coordinates::CoordinateValue> values,
                                   std::span<const double> q, std::span<const double> v,
                                   std::span<double> a) = 0;
  /// Largest |Phi| of all rows at q, lengths in units of the mechanism's size.
  virtual double evaluate_residual(std::span<const coordinates::CoordinateValue> values,
                                   std::span<const double> q) = 0;
  /// Signs that tell the branch of the last position from those that meet it in singular positions.
  virtual void branch_signs(std::vector<signed char>& signs) = 0;
  /// Motion of all bodies.
  virtual void evaluate_bodies(const State& state, coordinates::MechanismMotion& out) = 0;
  /// Largest component, lengths in units of the mechanism's size.
  virtual double scaled_norm(std::span<const double> dq) const = 0;

 protected:
  static PositionSolution solution(const NewtonReport& report) {
    const bool is_good = report.is_converged && !report.is_singular;
    return {report, is_good ? std::optional(SolvedPosition()) : std::nullopt};
  }
  static SolvedVelocity solved_velocity() { return {}; }
};

/// A method by its name. `kind`: the kind of coordinates of global methods, not read by those that solve groups. `compiler`: of machine code
/// for groups in closed form; none: they are interpreted.
/// Throws core::ModelError for unknown names, and for mechanisms that the method cannot solve.
std::unique_ptr<KinematicMethod> make_kinematic_method(std::string_view name, std::string_view kind,
                                                       const DrivenMechanism& driven,
                                                       core::ProgramCompiler* compiler = nullptr);

/// The methods there are.
std::vector<std::string> method_names();
/// Whether the method has coordinates of a kind; otherwise it solves structural groups.
bool has_coordinates(std::string_view method);

}  // namespace eslabon::kinematics
