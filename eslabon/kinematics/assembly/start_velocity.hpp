#pragma once

#include <span>
#include <string>
#include <vector>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/core/text/error.hpp"

namespace eslabon::kinematics {

/// Outcome of looking for the velocities at the start. Start rates that contradict the joints are an answer, not an exception.
struct [[nodiscard]] StartVelocityReport {
  enum class Status {
    kFound,
    kContradiction,    ///< a start rate is not what the joints, the drivers and the rates before it leave
    kDriverCannotMove  ///< the joints do not let the drivers go at their speeds
  };
  Status status = Status::kFound;
  double residual = 0.0;     ///< largest of the rows Phi_q v + Phi_t and of the rates, relative to the speeds
  std::string element = {};  ///< what is wrong: "start rate 'coupler.rate'", "driver 'motor'"
  std::string required = {};                 ///< what it would have to be, with unit: "1.2 rad/s"
  std::string given = {};                    ///< what it is
  bool has_drivers = false;                  ///< whether drivers are among what it may contradict
  std::vector<double> v = {};                ///< (n) dq/dt
  coordinates::MechanismMotion bodies = {};  ///< (bodies) where they are and how they move, no accelerations

  bool usable() const { return status == Status::kFound; }
  /// One line: "coupler.rate = 3 rad/s, but the joints allow 1.2 rad/s with the others".
  std::string brief() const;
  /// The whole sentence for a user, with the next step; only for reports that are not usable.
  core::ErrorText error_text() const;
};

/// The velocities at the start: those that the joints allow, the drivers prescribe and the start rates ask for, and of these those of
/// minimum kinetic energy T, which is what a mechanism at rest takes up when it is jerked into motion; of these the smallest,
///   min T(v), then min |D⁻¹ v|²   with   Phi_q v = −Phi_t,   C v = r     D: lengths count in units of the mechanism's size     (1)
///   u = D⁻¹ v = u₀ + N s:   u₀ the smallest of all,   N orthonormal, without effect on the rows,   min |y(u₀) + y(N) s|        (2)
/// with y of WeightedVelocity and the shortest s, for |u|² = |u₀|² + |s|². Without drivers and rates the mechanism is at rest. Where
/// nothing has mass the smallest v decide alone; reference-point coordinates are meant: the origins of the bodies and their
/// orientations. Source of u₀: minimum norm by an orthogonal decomposition of the transposed rows [GolubVanLoan2013, ch. 5], sparse;
/// that impulses on drivers leave minimum kinetic energy is Kelvin's theorem.
///
/// q satisfies the rows; `values` are those of system.prescribed(). A rate counts as satisfied to 1e-9 of the largest speed;
/// the first in the list that is not decides the report, whose velocities are then those without it and those behind it.
/// Throws core::ModelError for the rate of a spring or damper whose points coincide: it has no direction.
/// Cost: one sparse QR factorisation, and one motion of all bodies per coordinate when there are rates; where f degrees of freedom
/// are left, one for each, and a dense decomposition with f columns.
StartVelocityReport find_start_velocities(const coordinates::ConstraintSystem& system,
                                          std::span<const double> q,
                                          std::span<const coordinates::CoordinateValue> values,
                                          const std::vector<model::StartRate>& rates);

}  // namespace eslabon::kinematics
