#include <algorithm>
#include <cmath>
#include <type_traits>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/forces/applied_forces.hpp"

/// What stops add to forces: the gaps of their limits, and what they push with.
namespace eslabon::dynamics {

using coordinates::MechanismMotionOf;

template <core::Scalar T>
coordinates::CoordinateValueOf<T> AppliedForces::stopped_coordinate(std::size_t stop, std::size_t k,
                                                                    const MechanismMotionOf<T>& bodies,
                                                                    MemoryOf<T> memory) const {
  const model::Stop& one = mechanism_.stops()[stop];
  coordinates::CoordinateValueOf<T> value = position_value(
      mechanism_, one.coupling ? model::variable_of(one.coupling->terms[k].coordinate) : one.target, bodies);
  if (const std::size_t place = angles_of_stop_[stop][k]; place != CountedAngles::kNone)
    value.position = coordinates::unwrapped(value.position, memory->angles[place]);
  return value;
}

template <core::Scalar T>
coordinates::CoordinateValueOf<T> AppliedForces::stopped_value(std::size_t stop,
                                                               const MechanismMotionOf<T>& bodies,
                                                               MemoryOf<T> memory) const {
  const std::optional<model::Coupling>& coupling = mechanism_.stops()[stop].coupling;
  if (!coupling) return stopped_coordinate(stop, 0, bodies, memory);
  coordinates::CoordinateValueOf<T> sum{T(0.0), T(0.0), T(0.0)};
  for (std::size_t k = 0; k < coupling->terms.size(); ++k) {
    const auto term = term_value(*coupling, k, stopped_coordinate(stop, k, bodies, memory));
    sum.position += term.position;
    sum.velocity += term.velocity;
    sum.acceleration += term.acceleration;
  }
  return sum;
}

template <core::Scalar T>
T AppliedForces::stop_share(std::size_t stop, std::size_t k, const MechanismMotionOf<T>& bodies,
                            MemoryOf<T> memory) const {
  const model::Coupling& coupling = *mechanism_.stops()[stop].coupling;
  const model::CouplingLaw* const law = coupling.law_of_term(k);
  const double c = coupling.terms[k].factor;
  return law == nullptr ? T(c)
                        : T(c * law->slope.evaluate(stopped_coordinate(stop, k, bodies, memory).position));
}

template <core::Scalar T>
void AppliedForces::add_stop(std::size_t stop, const T& force, const MechanismMotionOf<T>& bodies,
                             MemoryOf<T> memory, WrenchSpan<T> wrenches) const {
  const std::optional<model::Coupling>& coupling = mechanism_.stops()[stop].coupling;
  if (!coupling) {
    add_effort<T>(mechanism_.stops()[stop].target, force, bodies, wrenches);
    return;
  }
  // Teeth push where they meet, which bearings feel. What moves is the same, so that derivatives may go along the coordinates.
  if constexpr (std::is_same_v<T, double>)
    if (mount_of_stop_[stop])
      if (const auto mesh = find_mesh_force(mechanism_, *coupling, *mount_of_stop_[stop], bodies)) {
        const core::Vector3<T> push = force * mesh->per_effort_W;
        const auto arm = [&](model::BodyIndex body) -> core::Vector3<T> {
          return mesh->place_W - bodies[body.slot()].X_WB.p_AB_A;
        };
        wrenches[mesh->first.slot()].add_force(push, arm(mesh->first));
        wrenches[mesh->second.slot()].add_force(core::Vector3<T>(-push), arm(mesh->second));
        return;
      }
  for (std::size_t k = 0; k < coupling->terms.size(); ++k)
    add_effort<T>(model::variable_of(coupling->terms[k].coordinate),
                  T(force * stop_share(stop, k, bodies, memory)), bodies, wrenches);
}

template <core::Scalar T>
std::optional<GapOf<T>> AppliedForces::find_gap(const StopSide& side, double t,
                                                const MechanismMotionOf<T>& bodies,
                                                MemoryOf<T> memory) const {
  const GapOf<T> found = gap_at(mechanism_.stops()[side.stop], side.is_upper,
                                stopped_value(side.stop, bodies, memory), t, memory->limits_stand);
  if constexpr (core::NumericScalar<T>)
    if (!std::isfinite(core::value_of(found.gap)) || !std::isfinite(core::value_of(found.rate)))
      return std::nullopt;
  return found;
}

core::ErrorText AppliedForces::why_no_gap(const StopSide& side, double t) const {
  return {.what = "a force cannot be computed",
          .where = side_name(mechanism_, side) + ", t = " + core::number_text(t) + " s",
          .expected = "a limit that has a value and a rate",
          .actual = "one that is not a number",
          .next = "Look at its function at this time."};
}

template <core::Scalar T>
GapOf<T> AppliedForces::gap(const StopSide& side, double t, const MechanismMotionOf<T>& bodies,
                            MemoryOf<T> memory) const {
  const std::optional<GapOf<T>> found = find_gap(side, t, bodies, memory);
  if (!found) throw core::ModelError(why_no_gap(side, t));
  return *found;
}

template <core::Scalar T>
std::optional<T> AppliedForces::find_stop_force(std::size_t stop, double t,
                                                const MechanismMotionOf<T>& bodies,
                                                MemoryOf<T> memory) const {
  T force(0.0);
  for (const StopSide& side : soft_sides_) {
    if (side.stop != stop) continue;
    const std::optional<GapOf<T>> gap = find_gap(side, t, bodies, memory);
    if (!gap) return std::nullopt;
    force += (side.is_upper ? -1.0 : 1.0) * soft_push(mechanism_.stops()[stop], *gap);
  }
  for (std::size_t k = 0; k < rigid_sides_.size(); ++k)
    if (rigid_sides_[k].stop == stop) force += (rigid_sides_[k].is_upper ? -1.0 : 1.0) * memory->holds[k];
  return force;
}

template <core::Scalar T>
T AppliedForces::stop_force(std::size_t stop, double t, const MechanismMotionOf<T>& bodies,
                            MemoryOf<T> memory) const {
  if (const std::optional<T> force = find_stop_force(stop, t, bodies, memory)) return *force;
  const auto is_guilty = [&](const StopSide& side) {
    return side.stop == stop && !find_gap(side, t, bodies, memory);
  };
  throw core::ModelError(why_no_gap(*std::ranges::find_if(soft_sides_, is_guilty), t));
}

template <core::Scalar T>
bool AppliedForces::add_stops(double t, const MechanismMotionOf<T>& bodies, MemoryOf<T> memory,
                              WrenchSpan<T> wrenches) const {
  for (std::size_t s = 0; s < mechanism_.stops().size(); ++s) {
    const std::optional<T> force = find_stop_force(s, t, bodies, memory);
    if (!force) return false;
    if (*force != 0.0) add_stop<T>(s, *force, bodies, memory, wrenches);
  }
  return true;
}

#define ESLABON_INSTANTIATE(T)                                                                               \
  template coordinates::CoordinateValueOf<T> AppliedForces::stopped_value(                                   \
      std::size_t, const MechanismMotionOf<T>&, MemoryOf<T>) const;                                          \
  template T AppliedForces::stop_share(std::size_t, std::size_t, const MechanismMotionOf<T>&, MemoryOf<T>)   \
      const;                                                                                                 \
  template T AppliedForces::stop_force(std::size_t, double, const MechanismMotionOf<T>&, MemoryOf<T>) const; \
  template bool AppliedForces::add_stops(double, const MechanismMotionOf<T>&, MemoryOf<T>, WrenchSpan<T>)    \
      const;                                                                                                 \
  template std::optional<GapOf<T>> AppliedForces::find_gap(const StopSide&, double,                          \
                                                           const MechanismMotionOf<T>&, MemoryOf<T>) const;  \
  template GapOf<T> AppliedForces::gap(const StopSide&, double, const MechanismMotionOf<T>&, MemoryOf<T>)    \
      const;
ESLABON_INSTANTIATE(double)
ESLABON_INSTANTIATE(core::Dual<double>)
ESLABON_INSTANTIATE(core::Traced)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::dynamics
