#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/core/column.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/integration/integrators/integrator.hpp"
#include "eslabon/kinematics/assembly/assembled_mechanism.hpp"
#include "eslabon/runs/motion/column_range.hpp"
#include "eslabon/runs/motion/time_grid.hpp"

namespace eslabon::runs {

/// A run that is made a second time, by another formulation and with a tenth of the errors, and what both differ by: an estimate of the error of
/// the first, since they share neither equations nor steps.
class Verification {
 public:
  /// A second run of the mechanism from the same start. `formulation`, `integrator` and `options` are those of the first.
  Verification(kinematics::AssembledMechanism assembled, const TimeGrid& grid, std::string_view formulation,
               std::string_view integrator, const integration::IntegratorOptions& options);

  /// A row of the first run.
  void keep(double t, std::span<const double> row) {
    times_.push_back(t);
    rows_.insert(rows_.end(), row.begin(), row.end());
  }
  /// Makes the second run; false when `must_stop` says so. Throws core::ModelError when there is no other way to make it, or when it
  /// ends before its time.
  bool run(const std::function<bool(long steps)>& must_stop);

  /// (columns) the largest difference of each; empty before run.
  const std::vector<double>& errors() const { return errors_; }
  /// "by null-space, dopri5 with tolerances 1e-09 relative and 1e-11 absolute: A.q differs most, by 3e-09 rad"
  std::string text(const std::vector<core::Column>& columns, const std::vector<ColumnRange>& ranges) const;
  /// The error when both are different motions.
  std::optional<core::ErrorText> failure(const std::vector<core::Column>& columns,
                                         const std::vector<ColumnRange>& ranges) const;

 private:
  /// The position that differs most in parts of its range, and by which part.
  std::pair<std::size_t, double> worst(const std::vector<ColumnRange>& ranges) const;

  const model::Mechanism& mechanism() const { return assembled_.mechanism(); }

  kinematics::AssembledMechanism assembled_;
  TimeGrid grid_;
  std::string first_formulation_;
  std::string integrator_;
  integration::IntegratorOptions options_;
  std::string second_formulation_;
  std::vector<double> times_;  ///< (rows) of the first run [s]
  std::vector<double> rows_;   ///< (rows × columns) of the first run
  std::vector<double> errors_;
};

}  // namespace eslabon::runs
