#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eslabon/model/mechanism.hpp"

/// Reference problems: motions whose answers were published, or follow from an equation that shares nothing
/// with this program.
namespace eslabon::benchmarks {

/// What is known at an instant.
struct ReferenceRow {
  double t = 0.0;              ///< [s]
  std::vector<double> values;  ///< (quantities)
};

/// An energy that stays.
struct ReferenceEnergy {
  double value = 0.0;     ///< [J]
  double accepted = 0.0;  ///< how far from it a run may go [J]
};

/// What another program took for the same motion, on its authors' machine.
struct PublishedTime {
  std::string program;
  double seconds = 0.0;
};

struct ReferenceQuantity {
  std::string name;
  std::string unit;
};

inline constexpr const char* kReferenceIntegrator = "dopri5";

struct ReferenceProblem {
  std::string name;
  std::function<model::Mechanism()> make;
  double until = 0.0;                         ///< what is timed [s]; not before the last row
  double tolerance = 0.0;                     ///< of kReferenceIntegrator, relative and absolute
  std::vector<ReferenceQuantity> quantities;  ///< that are compared
  /// The quantities from the outputs of the mechanism.
  std::function<std::vector<double>(std::span<const double> outputs)> read;
  std::vector<ReferenceRow> rows;              ///< in the order of time
  double accepted = 0.0;                       ///< error of every quantity, in its unit
  std::optional<ReferenceEnergy> energy = {};  ///< where its drift is asked for
  std::vector<PublishedTime> published = {};
};

std::vector<ReferenceProblem> reference_problems();

/// How a problem was solved.
struct ReferenceResult {
  std::string formulation;           ///< that the program picks
  double error = 0.0;                ///< the largest of all quantities and rows
  std::string unit = {};             ///< of the error
  std::string worst = {};            ///< what has it, "x at 10 s"
  std::optional<double> drift = {};  ///< largest distance of the energy from ReferenceEnergy::value [J]
  double seconds = 0.0;              ///< processor time from the start to `until`, the best of some runs
  std::string failure = {};          ///< why the motion ended before its time; empty: it did not
};

/// Once with an eye on rows and energy, then some times against the clock. `problem.tolerance` counts.
ReferenceResult solve_reference(const ReferenceProblem& problem);

}  // namespace eslabon::benchmarks
