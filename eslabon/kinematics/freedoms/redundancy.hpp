#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/coordinates/constraint_system.hpp"

namespace eslabon::kinematics {

/// A row that repeats what others say already.
struct RedundantRow {
  model::JointIndex joint;                 ///< whose row it is; of a coupling its first joint
  std::string direction;                   ///< "rotation about x"; empty for a coupling
  std::vector<model::JointIndex> repeats;  ///< joints that say the same together, in the order of the file
  std::optional<model::CouplingIndex> coupling = {};  ///< whose row it is instead
};

/// What the rank of the constraints says about a mechanism, at several positions of it.
struct RedundancyReport {
  int coordinates = 0;    ///< n of the coordinates that were used
  int rows = 0;           ///< m
  int rank = 0;           ///< of Phi_q, the largest that was found: that of almost every position
  int rank_at_start = 0;  ///< smaller when the start position is singular
  int positions = 0;      ///< how many were looked at
  bool is_shaky = false;  ///< infinitesimally mobile: the start has DOFs, but none of them leads anywhere
  int mobility = 0;       ///< n − rank; 0 when infinitesimally mobile
  std::vector<RedundantRow> redundant = {};       ///< at every position
  std::vector<RedundantRow> redundant_here = {};  ///< at the start position only

  bool is_singular_at_start() const { return rank_at_start < rank; }
};

/// Looks at the rank of the constraints where the bodies are, then moves the mechanism by about a tenth of a radian along
/// random motions that the constraints allow, closes it again, and looks there. What is redundant at all
/// positions is so by the mechanism's nature; what is redundant at the first only, by accident of the position.
/// `system` has no prescribed values; `bodies` satisfies its constraints.
/// The random motions have a fixed seed: the same mechanism gives the same report.
/// Cost: some dense analyses of Phi_q (row_rank.hpp).
RedundancyReport explain_redundancy(const coordinates::ConstraintSystem& system,
                                    const coordinates::MechanismMotion& bodies);

/// The redundant rows by joint, one line each: "joint P2: rotation about x and y repeat A, P1, B".
std::vector<std::string> describe_redundancy(const model::Mechanism& mechanism,
                                             const std::vector<RedundantRow>& rows);

}  // namespace eslabon::kinematics
