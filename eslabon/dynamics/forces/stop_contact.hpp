#pragma once

#include <span>
#include <string>
#include <vector>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::dynamics {

/// One limit of a stop.
struct StopSide {
  std::size_t stop = 0;  ///< position in Mechanism::stops()
  bool is_upper = false;
};

/// The limits of all stops that are rigid, or of all that are soft, lower before upper.
std::vector<StopSide> stop_sides(const model::Mechanism& mechanism, bool rigid);

/// How far what a stop limits is from a limit, and how that changes; negative: beyond it.
template <core::Scalar T>
struct GapOf {
  T gap = T(0.0);           ///< [m] or [rad]
  T rate = T(0.0);          ///< [m/s] or [rad/s]
  T acceleration = T(0.0);  ///< [m/s²] or [rad/s²]
};
using Gap = GapOf<double>;

/// `position` of the stop's target and its rates. `stands`: the limit does not move.
template <core::Scalar T>
GapOf<T> gap_at(const model::Stop& stop, bool is_upper, const coordinates::CoordinateValueOf<T>& position,
                double t, bool stands = false);

/// What the limit of a soft stop pushes with, ≥ 0 [N] or [N m].
template <core::Scalar T>
T soft_push(const model::Stop& stop, const GapOf<T>& gap);

/// What is stored in a soft stop when its target is there [J]; rigid ones store nothing.
double stop_energy(const model::Stop& stop, double position, double t);

/// A position variable in this motion, an angle in (−π, π].
template <core::Scalar T>
coordinates::CoordinateValueOf<T> position_value(const model::Mechanism& mechanism, const model::Variable& target,
                                                 const coordinates::MechanismMotionOf<T>& bodies);

/// What term k of a coupling adds to its left side where its coordinate is at x:  c_k f_k(x), and its rates.
template <core::Scalar T>
coordinates::CoordinateValueOf<T> term_value(const model::Coupling& coupling, std::size_t k,
                                             const coordinates::CoordinateValueOf<T>& x);

/// The position of what a stop limits, from those of its coordinates: (1), or (terms of the coupling) [m or rad].
double stopped_position(const model::Stop& stop, std::span<const double> coordinates);

/// How many coordinates a stop looks at.
std::size_t num_stopped(const model::Stop& stop);

/// "A.q"; "A.q + 3 B.q", "lift.q - f(cam.q)" of a coupling.
std::string stopped_name(const model::Mechanism& mechanism, const model::Stop& stop);

#define ESLABON_DECLARE(T)                                                                            \
  extern template GapOf<T> gap_at(const model::Stop&, bool, const coordinates::CoordinateValueOf<T>&, \
                                  double, bool);                                                      \
  extern template T soft_push(const model::Stop&, const GapOf<T>&);                                   \
  extern template coordinates::CoordinateValueOf<T> position_value(                                   \
      const model::Mechanism&, const model::Variable&, const coordinates::MechanismMotionOf<T>&);     \
  extern template coordinates::CoordinateValueOf<T> term_value(                                       \
      const model::Coupling&, std::size_t, const coordinates::CoordinateValueOf<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_DECLARE)
#undef ESLABON_DECLARE

/// "stop 'buffer'", "upper limit of stop 'buffer'" where it has two.
std::string side_name(const model::Mechanism& mechanism, const StopSide& side);

}  // namespace eslabon::dynamics
