#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/kinematics/assembly/assembly.hpp"
#include "eslabon/kinematics/freedoms/redundancy.hpp"
#include "eslabon/model/mechanism.hpp"
#include "eslabon/structure/structure.hpp"

namespace eslabon::runs {

/// What the start position tells about a mechanism, beside its structure.
struct Placement {
  enum class Status { kClosed, kOpen, kNotComputed };
  Status status = Status::kNotComputed;
  std::string message;    ///< kOpen: what is wrong, a sentence; kNotComputed: why
  double residual = 0.0;  ///< kClosed: largest constraint residual, lengths divided by the mechanism's size
  std::optional<kinematics::RedundancyReport> redundancy;  ///< when closed
  int rolling =
      0;  ///< degrees of freedom that rolling without slipping takes from velocities alone, by rank; when closed
  std::vector<std::string>
      branches;        ///< names of those found, that of the start values first; when asked for
  std::string branch;  ///< name of that of the start values: signs of groups; when closed
  std::optional<coordinates::MechanismMotion> bodies;  ///< where they are, when closed
  std::string start;  ///< which value under 'start:' is not met there, a sentence; empty: none
  std::string
      drivers;  ///< what is wrong with the drivers there, a sentence; empty: nothing. That they are too few only where nothing has mass
};

/// For a mechanism that closes, but not where its drivers start: it closed with the drivers where they happen to be.
kinematics::AssemblyReport assemble_without_drivers(const model::Mechanism& mechanism,
                                                    const structure::Structure& structure);

/// Moving bodies up to which reports look for branches unasked: of more it may take minutes.
inline constexpr std::size_t kMostBodiesForBranches = 8;
inline bool has_few_bodies(const model::Mechanism& mechanism) {
  return mechanism.bodies().size() <= kMostBodiesForBranches + 1;
}

/// Assembles the mechanism and looks at the rank of its constraints; never throws for a mechanism that cannot be
/// assembled. Mechanisms with so many rows that it would take seconds are not computed. Looks for other branches on
/// demand.
Placement find_placement(const model::Mechanism& mechanism, const structure::Structure& structure,
                         bool with_branches);

/// The same for a mechanism that stands somewhere already: on what branch, and with what rank. Drivers are not looked at.
Placement placement_at(const model::Mechanism& mechanism, const structure::Structure& structure,
                       const coordinates::MechanismMotion& bodies);

}  // namespace eslabon::runs
