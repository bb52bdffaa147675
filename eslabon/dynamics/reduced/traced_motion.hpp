#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/core/scalar/trace.hpp"
#include "eslabon/dynamics/reduced/reduced_motion.hpp"
#include "eslabon/dynamics/reduced/traced_factors.hpp"

namespace eslabon::dynamics {

/// What numbers are measured by at the start of the model.
struct TracedScales {
  double length = 0.0;                 ///< size of the mechanism [m]
  double augmentation = 0.0;           ///< ρ with which M + ρ Jᵀ J is regular: 0 when M is
  std::vector<double> freedom_pivots;  ///< (f) below which pivots of Eᵀ N are held, in sizes …
  std::vector<double> mass_pivots;     ///< … and with M⁻¹ for D
};
TracedScales find_scales(const ReducedMotion& motion);

/// The equations of motion of a mechanism in relative coordinates, written down in traced numbers: see LaneMotion for them. Everything is
/// a function of its arguments; what is asked for twice is traced once.
class TracedMotion {
 public:
  /// Constraints at a position.
  struct Position {
    TracedVector q;                              ///< (n)
    coordinates::TreeValues<core::Traced> tree;  ///< frames of the links, motions of the coordinates
    TracedVector Phi;                            ///< (m) independent rows
    TracedMatrix J;                              ///< (m × n)
  };
  using Masses = TracedMultipliers;  ///< what moves there, for (2) of LaneMotion

  /// What drivers prescribe: (drivers) each.
  struct Drivers {
    TracedVector position, velocity, acceleration;
  };
  TracedMotion(const ReducedMotion& motion, const TracedScales& scales, Drivers drivers);
  /// Drivers become numbers that all states share, in the trace of this thread. Lives as long as one trace; looks at `scales`.
  TracedMotion(const ReducedMotion& motion, const TracedScales& scales)
      : TracedMotion(motion, scales, shared_drivers(motion)) {}

  Position position(const TracedVector& q) const;
  Masses masses(const Position& at, const TracedVector& theta) const;
  /// R of (3) there: (n × f).
  TracedMatrix freedom_basis(const Position& at) const;
  /// The same by M⁻¹, column after column.
  TracedVector freedom_columns(const Position& at, const Masses& masses) const;
  /// A Newton step towards positions with Phi = 0 and these z; R may be that of a position nearby.
  TracedVector closed(const Position& at, const TracedVector& z, const TracedMatrix& R) const;
  /// Positions one step along Y closer to Phi = 0, then back to the same z if those are held, and how large that was: squares of the
  /// changes by the coordinates' sizes.
  struct Correction {
    TracedVector q;
    core::Traced size_squared;
  };
  Correction corrected_positions(const Position& at, const Masses& masses, bool holds_freedoms) const;
  /// Rates with J v + Phi_t = 0, along Y.
  TracedVector corrected_rates(const Position& at, const Masses& masses, const TracedVector& v) const;
  /// The same with rates of z that are these, as far as z can move.
  TracedVector rates_with_freedoms(const Position& at, const Masses& masses, const TracedVector& v,
                                   const TracedVector& z_dot) const;
  TracedMatrix mass_matrix(const Position& at, const TracedVector& theta) const;
  TracedVector accelerations(const Position& at, const Masses& masses, const TracedVector& v,
                             const TracedVector& theta) const {
    return masses.solve(rate_rows(at.q, v).gamma, generalised_forces(at, v, theta)).a;
  }
  coordinates::MechanismMotionOf<core::Traced> bodies(const Position& at, const TracedVector& v,
                                                      const TracedVector& a) const;
  /// (states) auxiliary states that are among the unknowns; none when there are none.
  TracedVector states(const TracedVector& theta) const;
  /// (p) their rates, 0 of other unknowns.
  TracedVector state_rates(const Position& at, const TracedVector& v, const TracedVector& theta) const;
  /// (rows) all of Phi, in lengths [m].
  TracedVector all_rows(const TracedVector& q) const;
  /// z of coordinates, or ż of rates.
  TracedVector freedoms(const TracedVector& q) const;

  struct RateRows {
    TracedVector velocity;  ///< (m) J v + Phi_t
    TracedVector gamma;     ///< (m) −Φ̈ without accelerations
  };
  RateRows rate_rows(const TracedVector& q, const TracedVector& v) const;
  /// (n) of all that acts, and of what masses ask for when a = 0.
  TracedVector generalised_forces(const Position& at, const TracedVector& v, const TracedVector& theta) const;

  friend TracedScales find_scales(const ReducedMotion& motion);

 private:
  static Drivers shared_drivers(const ReducedMotion& motion);
  /// What unknowns that are factors make of elements and masses.
  struct Factors {
    ElementFactors<core::Traced> elements;
    TracedVector bodies;  ///< (bodies)
  };
  Factors factors(const TracedVector& theta) const;
  /// N of (3) with M⁻¹ for D.
  TracedMatrix mass_directions(const Position& at, const Masses& masses) const;
  /// N of (3).
  TracedMatrix size_directions(const Position& at) const;
  TracedFactors freedom_factors(const TracedMatrix& N, const std::vector<double>& least) const;
  /// What moves z by dz within the constraints with the minimum kinetic energy, as far as z can move.
  TracedVector moved_by_freedoms(const Position& at, const Masses& masses, const TracedVector& dz) const;
  /// J D Jᵀ.
  TracedFactors size_factors(const Position& at) const;
  /// D Jᵀ S⁻¹ x with S = J D Jᵀ.
  TracedVector along_sizes(const Position& at, const TracedFactors& S, const TracedVector& x) const;

  const ReducedMotion& motion_;
  const coordinates::ConstraintSystem& system_;
  const coordinates::KinematicTree& tree_;
  const TracedScales& scales_;
  TracedVector sizes_;  ///< (n) D of (3)
  Drivers drivers_;
};

}  // namespace eslabon::dynamics
