#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/core/column.hpp"
#include "eslabon/dynamics/forces/force_memory.hpp"
#include "eslabon/dynamics/reactions/joint_reaction.hpp"

namespace eslabon::runs {

/// Reactions of all joints at a row, and efforts of drivers or actuators.
struct ReactionSolution {
  const std::vector<dynamics::JointReaction>& joints;  ///< (joints)
  const std::vector<double>& efforts;                  ///< (drivers or actuators) or more
  const std::vector<bool>& are_efforts_unique;         ///< the same
  double residual;                                     ///< what joints cannot give, relative
};

/// The forces at a row: reactions are solved for when somebody asks, once.
class RowForces {
 public:
  virtual ~RowForces() = default;
  virtual const dynamics::ForceMemory& memory() const = 0;
  virtual bool is_solved() const = 0;
  virtual ReactionSolution solve() = 0;
};

/// One instant of a run.
struct Row {
  std::int64_t index;              ///< from 0
  bool is_last;                    ///< of those that were asked for
  double t;                        ///< [s]
  std::span<const double> values;  ///< (columns)
  const coordinates::MechanismMotion& bodies;
  RowForces* forces;  ///< nullptr: the run computes none
};

/// Where the rows of a run go: a table, a file, a page.
class RowSink {
 public:
  virtual ~RowSink() = default;
  /// Once, before the first row. `columns`: beside the time.
  virtual void begin(const std::vector<core::Column>& /*columns*/) {}
  virtual void add(const Row& row) = 0;
  /// There are no more rows, because all are there or because the run cannot go on.
  virtual void finish() {}
};

}  // namespace eslabon::runs
