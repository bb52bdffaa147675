#pragma once

#include <optional>
#include <span>
#include <vector>

#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/forces/stop_contact.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::integration {

/// How far a row may be from the laws of its mechanism, lengths in units of the mechanism's size, angles in rad.
struct LawLimits {
  double open = 1e-9;         ///< joints
  double beyond_stop = 1e-6;  ///< what rigid stops limit
  double off_driver = 1e-9;   ///< what drivers move
};
/// Where constraints are left to drift, as a method does that was asked for.
inline constexpr LawLimits kDriftingLimits{.open = 1e-4, .off_driver = 1e-4};

/// What the laws of a row are about.
struct RowFacts {
  double t = 0.0;  ///< [s]
  std::span<const coordinates::BodyMotion> bodies =
      {};                                ///< where they are: far from the origin numbers are coarse
  double constraint_error = 0.0;         ///< [m]
  std::span<const double> stopped = {};  ///< (stops) what they limit, turns counted
  std::span<const double> driven = {};   ///< (drivers) what they move, turns counted
  std::span<const coordinates::CoordinateValue> drivers = {};  ///< (drivers or more) where they want it
};

/// Whether a row is a motion of its mechanism, whatever method made it.
class RowLaws {
 public:
  /// Looks at `mechanism`, and lives beside the run that keeps it.
  explicit RowLaws(const model::Mechanism& mechanism, const LawLimits& limits = {});

  /// Joints that are open, a rigid limit that is passed, or something driven that is not where its driver wants it: which row, which law and
  /// by how much. Nothing: the row is good.
  std::optional<core::ErrorText> broken(const RowFacts& row) const;

 private:
  std::optional<core::ErrorText> open_joints(const RowFacts& row) const;
  std::optional<core::ErrorText> passed_stop(const RowFacts& row) const;
  std::optional<core::ErrorText> left_driver(const RowFacts& row) const;

  const model::Mechanism& mechanism_;
  LawLimits limits_;
  double size_;                        ///< of the mechanism [m]
  std::vector<double> driver_scales_;  ///< (drivers) size_, or a radian
  std::vector<dynamics::StopSide> sides_;
};

}  // namespace eslabon::integration
