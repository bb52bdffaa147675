#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "eslabon/estimation/mechanism/mechanism_system.hpp"

namespace eslabon::runs {

/// How well a filter knows the deflections ρ of tyres, < 0 in the air: ρ ± σ, σ² = H P Hᵀ, H = ∂ρ/∂x. Loads have a kink at ρ = 0. A tangent
/// there says that a tyre in the air never touches, or that one on the road pulls, so filters that know their state by mean and covariance
/// go wrong where they do not know on which side a tyre is, and do not see it by their readings.
class TyreKnowledge {
 public:
  TyreKnowledge(const model::Mechanism& mechanism, const dynamics::AppliedForces& forces);

  /// Covariance of a start at which deflections of tyres that touch are known to a quarter, and so their loads:
  ///   P ← P − P Hᵀ H P/(H P Hᵀ + (ρ/4)²)   for one tyre after the other                                         (1)
  /// A deviation of an angle or a length that is usual elsewhere would press tyres with ten times the weight.
  void know_loads(estimation::MechanismSystem& system, double t, estimation::ConstStateRef x,
                  Eigen::MatrixXd& P);

  /// Looks at the tyres in a state of a run. False: of one of them it is not known whether it touches: |ρ| < σ/2, where
  /// the mean load is off the load of the mean by a fifth of its deviation or more.
  bool judge(estimation::MechanismSystem& system, double t, estimation::ConstStateRef x,
             const Eigen::MatrixXd& P);
  /// Deviation of what an instrument of one channel reads of a tyre in the state judged last. By five points along the direction that P has
  /// the deflection change in, u = P Hᵀ/σ, and by the tangent g across it,
  ///   σ_y² = Σ w_k (y(x + ξ_k u) − ȳ)² + g P gᵀ − (g u)²,   ȳ = Σ w_k y(x + ξ_k u)                                 (2)
  /// with ξ, w of Gauss and Hermite. On a straight characteristic that is g P gᵀ, which is `by_tangent`² and is told where the kink is
  /// more than two deviations below what stands on the road, or three above what is in the air.
  double deviation(std::size_t tyre, estimation::MechanismSystem& system, double t,
                   estimation::ConstStateRef x, const sensing::Instrument& instrument,
                   const Eigen::VectorXd& g, double by_tangent);

  /// States judged, and those of them in which it was not known of the tyre, of all, whether it touches.
  std::int64_t num_judged() const { return num_judged_; }
  std::int64_t num_doubted() const { return num_doubted_; }
  bool is_mostly_doubted() const { return 2 * num_doubted_ > num_judged_; }
  /// The tyre that was doubted most often. There is one where any was.
  const std::string& most_doubted() const;

 private:
  struct Gauge {
    std::string name;  ///< of the tyre
    std::unique_ptr<sensing::Instrument> instrument;
    double deflection = 0.0, sigma = 0.0;  ///< of the state judged last [m]
    Eigen::VectorXd shift = {};            ///< (n) u
    std::int64_t doubted = 0;
  };
  /// ρ, H Pᵀ and σ of a gauge; false where there is none.
  bool read(Gauge& gauge, estimation::MechanismSystem& system, double t, estimation::ConstStateRef x,
            const Eigen::MatrixXd& P);

  std::vector<Gauge> gauges_;  ///< (tyres)
  std::int64_t num_judged_ = 0, num_doubted_ = 0;
  Eigen::VectorXd y_, x_;  ///< scratch
  Eigen::MatrixXd H_;      ///< the same
};

}  // namespace eslabon::runs
