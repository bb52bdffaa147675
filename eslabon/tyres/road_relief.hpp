#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "eslabon/core/geometry/cubic_table.hpp"
#include "eslabon/tyres/crg_surface.hpp"
#include "eslabon/tyres/relief_point.hpp"

namespace eslabon::tyres {

/// Heights along the tracks of the left wheels and of the right ones, which are the same across each half of the road:
///   z = w(s/fade) (left(s) + (right(s) − left(s)) w(½ − y/seam)),   s = x − begin                                     (1)
///   w(u) = u³ (10 − 15 u + 6 u²) between 0 and 1                                                                       (2)
/// Outside of tables without a period the heights of their ends.
struct TrackHeights {
  core::CubicTable left;                  ///< z [m] by s [m]
  std::optional<core::CubicTable> right;  ///< none: as on the left
  double begin = 0.0;                     ///< [m]
  double fade = 0.0;                      ///< ≥ 0, over which they begin [m]
  friend bool operator==(const TrackHeights&, const TrackHeights&) = default;
};

/// A random road of ISO 8608 [Iso8608], one spectrum for both tracks and their coherence if the road is alike in all directions [KamashRobson1978]:
///   G_d(n) = G_d(n_0) (n/n_0)⁻²,   n_0 = 0.1 cycles/m                                                     (3)
///   γ(n) = 2π n b K_1(2π n b),   b the track                                                              (4)
/// It is a sum of cosines with these amplitudes and random phases φ, on the right one that lies ahead or behind by chance,
///   z_left ~ cos(2π n s + φ),   z_right ~ cos(2π n s + φ ± arccos γ)                                      (5)
/// so both tracks have the spectrum (3) at every wave, not only in the mean; after `length` they are the same again.
struct RoughRoad {
  char letter = 'A';            ///< of its class, 'A' to 'H'
  std::uint64_t seed = 1;       ///< the same seed, the same road
  double begin = 0.0;           ///< x where it begins to be rough [m]
  double length = 1000.0;       ///< > 2 longest_wave [m]
  double track = 1.5;           ///< > 0, b [m]
  double shortest_wave = 0.35;  ///< > 0 [m]
  double longest_wave = 90.0;   ///< > shortest_wave [m]
  friend bool operator==(const RoughRoad&, const RoughRoad&) = default;
};

/// Heights that are laid over the plane of a road.
struct RoadRelief {
  std::variant<TrackHeights, CrgSurface> heights;
  std::optional<RoughRoad> drawn_from = {};  ///< of those that were drawn
  std::string file = {};                     ///< of a CrgSurface: where it was read
  friend bool operator==(const RoadRelief& a, const RoadRelief& b) {
    return a.heights == b.heights && a.drawn_from == b.drawn_from;
  }
};

/// G_d(n_0) of the classes A to H [m³], the geometric means of ISO 8608; none for another letter.
std::optional<double> degree_of_class(std::string_view letter);

/// Root mean square of z'' along a track: (2π)² √(G_d(n_0) n_0² (n_2³ − n_1³)/3) for waves from n_1 to n_2 [1/m]
double curvature_of(const RoughRoad& road);
/// How many of its shortest waves a road is long; 0 where no wave fits into it.
std::size_t wave_count(const RoughRoad& road);
/// Fails: ContractError without a wave, or with more than kMostWaves.
TrackHeights draw(const RoughRoad& road);
inline constexpr std::size_t kMostWaves = 1u << 16;

/// A number that is traced has no relief: ContractError.
template <core::Scalar T>
ReliefPointOf<T> relief_at(const RoadRelief& relief, const T& x, const T& y);

#define ESLABON_DECLARE(T) extern template ReliefPointOf<T> relief_at(const RoadRelief&, const T&, const T&);
ESLABON_DECLARE(double)
ESLABON_DECLARE(core::Dual<double>)
ESLABON_DECLARE(core::Traced)
#undef ESLABON_DECLARE

}  // namespace eslabon::tyres
