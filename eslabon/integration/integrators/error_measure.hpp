#pragma once

#include <span>
#include <vector>

#include "eslabon/integration/integrators/integrator.hpp"

namespace eslabon::integration {

/// What error a step may have in each z and ż, so that it does not matter in which units a mechanism is written, where it stands and how
/// little of it moves:
///   z:  rtol min(|z|, u max(1, S)) + atol u min(1, S)                                                       (1)
///   ż:  rtol |ż| + atol u min(1/s, V), but no less than a hundredth of (1) in the time of the run             (2)
/// with the scale u of the coordinate (the mechanism's size, or 1), and with what has been seen of the run: how far the coordinate that went
/// farthest is from its start, S, and the largest speed, V, both in scales. So long as nothing has moved, both are taken as 10⁻⁶, V of a
/// scale in the time of the run: roundoff moves less. Auxiliary states, behind the coordinates, are rates x/size of a z that nothing looks at:
///   z:  anything      ż:  rtol |ż| + atol                                                                 (3)
class ErrorMeasure {
 public:
  /// `least`: what is allowed in any case, in scales; of ż in a second.
  explicit ErrorMeasure(const IntegratorOptions& options, double least = 0.0)
      : options_(options), least_(least) {}

  /// Forgets where coordinates started: they may be others from now on.
  void restart() { is_started_ = false; }

  /// A point that the run has come to; `span`: how long it may go on [s].
  void see(const dynamics::Formulation& formulation, const MotionPoint& point, double span);

  /// The end of a step that is judged: it counts as seen until the next one is.
  void reach(std::span<const double> z, std::span<const double> z_dot);

  double of_position(std::size_t k, double z) const;            ///< (1)
  double of_rate(std::size_t k, double z, double z_dot) const;  ///< (2)

 private:
  IntegratorOptions options_;
  double least_;
  bool is_started_ = false;
  std::size_t num_coordinates_ = 0;  ///< of the formulation
  std::vector<double> scales_;       ///< (z) u
  std::vector<double> start_;        ///< (z)
  double span_ = 0.0;                ///< the time of the run [s]
  /// S and V [1/s], of points that were seen, and with the end of the step that is judged.
  double moved_ = 0.0, speed_ = 0.0, moved_here_ = 0.0, speed_here_ = 0.0;
};

}  // namespace eslabon::integration
