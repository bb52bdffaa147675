#pragma once

#include "eslabon/codegen/coordinate_partition.hpp"
#include "eslabon/codegen/traced_kinematics.hpp"

namespace eslabon::codegen {

/// A mechanism in relative coordinates: positions by a fixed number of Newton steps from `near`, rates by a CoordinatePartition. Where a
/// driver prescribes a joint coordinate, and in chains without loops, nothing is looked for.
class RelativeKinematics final : public TracedKinematics {
 public:
  static constexpr int kNewtonSteps = 3;  ///< from 0.01 rad away to roundoff

  /// `motion` tells what z are, and is looked at later on.
  explicit RelativeKinematics(dynamics::ReducedMotion& motion, int newton_steps = kNewtonSteps);
  /// The same plan for a mechanism with other numbers, whose positions and rates are written.
  RelativeKinematics(const RelativeKinematics& planned, const dynamics::ReducedMotion& written);

  std::string description() const override;
  std::vector<coordinates::Coordinate> freedoms() const override;
  std::vector<core::Column> position_names() const override;
  std::vector<core::Column> branch_names() const override { return {}; }
  FreedomValues start() const override;
  TracedBodies write(const TracedFreedoms& freedoms) const override;
  const std::vector<int>& searched() const { return searched_; }  ///< columns of the positions

 private:
  dynamics::TracedVector guess(const TracedFreedoms& freedoms) const;
  void add_known(const CoordinatePartition::At& at, const dynamics::TracedMatrix& R,
                 const TracedFreedoms& freedoms, TracedBodies& out) const;

  /// Derivatives of the dependent coordinates by parameters, with z and drivers where they are: (parameters) of (dependent).
  std::vector<dynamics::TracedVector> by_parameters(const CoordinatePartition::At& at,
                                                    const TracedFreedoms& freedoms) const;

  const dynamics::ReducedMotion& motion_;   ///< tells what z are
  const dynamics::ReducedMotion* written_;  ///< the same mechanism, or one with other numbers
  int newton_steps_;
  CoordinatePartition partition_;
  dynamics::TracedScales scales_;  ///< the length alone is needed
  std::vector<int> driver_of_;     ///< (n) driver that prescribes the coordinate; −1: none
  std::vector<int> searched_;      ///< columns that are neither z nor prescribed: the positions
};

}  // namespace eslabon::codegen
