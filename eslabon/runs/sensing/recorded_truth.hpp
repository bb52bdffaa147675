#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/core/result_table.hpp"
#include "eslabon/dynamics/dynamic_model.hpp"
#include "eslabon/runs/run_observer.hpp"
#include "eslabon/sensing/recorded_column.hpp"
#include "eslabon/sensing/recorded_motion.hpp"

namespace eslabon::runs {

/// A motion of which rows were left out.
struct ThinnedMotion {
  ThinnedMotion(const dynamics::DynamicModel& model, sensing::RecordedCoordinates record)
      : reduced(model, {}, dynamics::ReducedMotion::Use::kKinematics, record.names),
        motion(reduced, std::move(record)) {}
  dynamics::ReducedMotion reduced;
  sensing::RecordedMotion motion;
};

/// A motion from a table of results, with the mechanism that it belongs to: its drivers are released, and its degrees of freedom are read
/// from the table.
class RecordedTruth {
 public:
  enum class Use {
    kMotion,  ///< at any instant, rates and accelerations too: the table has those of each DOF
    kPositions  ///< poses at the times of the rows alone: the table has the position of each DOF, or angles that give it
  };
  /// `branch`: that of the start, when it is not that of the start values. Throws core::ModelError when the table does not tell the motion;
  /// the message says which outputs it lacks.
  RecordedTruth(core::ResultTable table, const model::Mechanism& with_drivers,
                const model::Mechanism& released, Use use, const std::optional<std::string>& branch,
                RunObserver& observer);

  /// The table, with the joint coordinates that its angles give as columns behind its own.
  const core::ResultTable& table() const { return table_; }
  const dynamics::DynamicModel& model() const { return model_; }
  double begin() const { return motion_->begin(); }
  double end() const { return motion_->end(); }
  /// Size of the mechanism [m].
  double length() const { return reduced_.length(); }
  /// The motion at t [s], between the first and the last row.
  const dynamics::ReducedPoint& at(double t);
  /// The auxiliary state that the table does not tell, as a column; "" where it tells all.
  const std::string& missing_state() const { return missing_state_; }
  /// Rows after which a rate jumps before the next one.
  const std::vector<std::size_t>& jumps() const { return motion_->jumps(); }
  /// Of all rows [s].
  double largest_distance() const;
  /// The motion by every `every`-th row alone, from the first on; it refers to this.
  std::unique_ptr<ThinnedMotion> thinned(std::size_t every) const;

 private:
  /// The rows of the coordinates, or of every `every`-th of them.
  sensing::RecordedCoordinates record(std::size_t every) const;
  /// Throws unless the table has what the degrees of freedom need.
  void check_columns(Use use) const;
  /// Throws unless a column that the table has is in the unit of results.
  void check_unit(const std::string& name) const;

  core::ResultTable table_;
  structure::Structure structure_;
  kinematics::AssemblyReport assembly_;
  std::vector<std::string> names_;  ///< of the coordinates that the table tells
  dynamics::DynamicModel model_;
  dynamics::ReducedMotion reduced_;
  std::unique_ptr<sensing::RecordedMotion> motion_;
  std::vector<sensing::RecordedColumn> states_;  ///< (states) none where the table does not tell all
  std::string missing_state_;
  dynamics::ReducedPoint point_;  ///< of the last at(), with its auxiliary states
};

}  // namespace eslabon::runs
