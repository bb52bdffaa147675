#pragma once

#include <optional>
#include <span>
#include <vector>

#include "eslabon/coordinates/coupling_turns.hpp"
#include "eslabon/coordinates/joint_motion.hpp"

namespace eslabon::coordinates {

/// The joint coordinates that couplings look at, each once, for those who keep them beside poses: poses do not tell whole turns.
class CoupledCoordinates {
 public:
  /// Looks at `mechanism`, and lives inside what keeps it.
  explicit CoupledCoordinates(const model::Mechanism& mechanism);

  std::size_t size() const { return list_.size(); }
  const model::JointCoordinate& operator[](std::size_t k) const { return list_[k]; }
  bool is_angle(std::size_t k) const;
  /// The place of a variable in the list, if it is there.
  std::optional<std::size_t> place_of(const model::Variable& variable) const;
  /// (couplings) between the coordinates, by their places.
  const std::vector<LinearRelation>& relations() const { return relations_; }

  /// Their values and rates. `near`: (size) where the turn of an angle is known.
  std::vector<CoordinateValue> read(const MechanismMotion& bodies,
                                    std::span<const std::optional<double>> near) const;

  /// Largest |Σ c_i q_i − c₀| of the couplings, lengths in units of `length`.
  double residual(std::span<const CoordinateValue> values, double length) const;

 private:
  const model::Mechanism& mechanism_;
  std::vector<model::JointCoordinate> list_;
  std::vector<LinearRelation> relations_;
  CouplingTurns turns_;
};

}  // namespace eslabon::coordinates
