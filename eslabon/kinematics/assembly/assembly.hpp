#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/kinematics/assembly/start_guess.hpp"

namespace eslabon::kinematics {

/// Outcome of an assembly. Not closing is an answer, not an exception.
struct [[nodiscard]] AssemblyReport {
  enum class Status {
    kClosed,
    kOpen,               ///< some loop stays open, whatever the drivers do
    kUnreachableDriver,  ///< it closes, but not where a driver wants it at the start
    kUnreachableStart,   ///< it closes, but not with a start value that must be met
    kInsideOut,          ///< it closes only with the two bodies of a joint turned the wrong way round
  };
  Status status = Status::kOpen;
  int iterations = 0;
  double residual = 0.0;     ///< largest constraint residual, lengths divided by the mechanism's size
  std::string element = {};  ///< what stays open: "loop A, P1, P2, B", "driver 'motor'", "start value 'A.q'"
  std::string gap = {};      ///< by how much, with unit: "joint 'P2' stays open by 0.12 m"
  coordinates::MechanismMotion bodies =
      {};  ///< (bodies) where they are, at rest; the best found when not closed
  std::vector<double> driver_starts = {};  ///< (drivers) value of each driven variable at t = 0 [rad or m]

  bool usable() const { return status == Status::kClosed; }
  /// One line: "closed in 5 iterations, residual 1e-15".
  std::string brief() const;
  /// The whole sentence for a user, with the next step; only for reports that are not usable.
  core::ErrorText error_text() const;
};

/// Brings a mechanism from its start values to a position where all joints are closed and the drivers stand where they
/// start: at their `start`, at f(0) of a prescribed position, or else at the value that the start values give
/// them; a driver about which nothing is said starts wherever the mechanism closes. It closes in
/// reference-point coordinates, nearest to the guess, whatever coordinates are used afterwards: the branch does
/// not depend on them. Where that fails, from guesses around the first (a fixed seed): bars in one line, as without any
/// start values, are a place from which no way leads downhill. Start values that close are kept; of others as many as there are
/// degrees of freedom without a driver (docs/mechanism-file.md, Assembly); those that are exact are met, or it is not closed.
AssemblyReport assemble(const model::Mechanism& mechanism, const structure::Structure& structure);

/// Makes a closed report one that says which start value is not met, where one must be: for bodies that were moved since.
void require_exact_starts(const model::Mechanism& mechanism, AssemblyReport& report);

/// Closes the mechanism from the given poses instead of the file's start values, with the drivers at `driver_starts`.
AssemblyReport assemble_from(const model::Mechanism& mechanism, const structure::Structure& structure,
                             const coordinates::MechanismMotion& guess,
                             const std::vector<double>& driver_starts);

/// What a position variable is at the start, where a start value or a driver says so: angles may be beyond ±π.
std::optional<double> start_hint(const model::Mechanism& mechanism, const AssemblyReport& assembly,
                                 const model::Variable& variable);

}  // namespace eslabon::kinematics
