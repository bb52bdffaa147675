#pragma once

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/tables/progress.hpp"
#include "benchmarks/tables/reference_problems.hpp"

namespace eslabon::benchmarks {

struct ReferencesRequest {
  std::optional<double> tolerance;  ///< of a step, in the place of that of each problem
};

struct SolvedReference {
  ReferenceProblem problem;
  ReferenceResult result;

  bool is_complete() const { return result.failure.empty(); }
  /// How many of our times fit into one of theirs.
  double ratio(const PublishedTime& theirs) const { return theirs.seconds / result.seconds; }
};
using ReferencesTable = std::vector<SolvedReference>;

/// All of reference_problems().
ReferencesTable measure_references(const ReferencesRequest& request, const Progress& progress);

/// The problems that are not solved as accepted, each in words.
std::vector<std::string> missed(const ReferencesTable& table);

/// The table for programs: names, units, rows; a problem has as many as there are published times, or one.
std::string csv_text(const ReferencesTable& table);

}  // namespace eslabon::benchmarks
