#include "eslabon/kinematics/assembly/kept_starts.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "eslabon/kinematics/freedoms/idle_spin.hpp"
#include "eslabon/kinematics/freedoms/row_rank.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::ConstraintSystem;
using coordinates::MechanismMotion;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// All in [rad], or in units of the mechanism's size.
constexpr double kMet = 1e-12;        // roundoff of a closing
constexpr double kMetClosely = 1e-9;  // after a closing with a residual that counts as closed
constexpr double kUnmoved = 1e-8;     // rate at which a motion of size 1 does not move a value
constexpr double kStep = 0.05;        // of a value on its way: short, so that the branch is kept
constexpr double kOutOfReach =
    0.3;  // part of the way to a pose that no motion goes: farther off than curvature explains

/// The motions that are left with the drivers and some given values held.
class FreeMotionsOfStart {
 public:
  FreeMotionsOfStart(const model::Mechanism& mechanism, const structure::Structure& structure,
                     const HeldValues& drivers, const std::vector<GivenStart>& held,
                     const MechanismMotion& bodies)
      : mechanism_(&mechanism) {
    const ConstraintSystem system("relative", mechanism, structure, drivers.what);
    if (system.num_rows() > kDenseLimit) return;
    const auto n = static_cast<std::size_t>(system.num_coordinates());
    std::vector<double> q(n), v(n), a(n);
    system.read_bodies(bodies, {q, v, a}, drivers.near);
    coordinates::PositionLevel positions;
    system.evaluate_positions(q, drivers.values, positions);
    const FreeMotions motions(system, q, rank_rows_in_order(system, positions.Phi_q).null_space);
    for (int k = 0; k < motions.count(); ++k)
      motions_.push_back(motions.combined(VectorXd::Unit(motions.count(), k)));
    weights_ = MatrixXd::Identity(motions.count(), motions.count());
    for (const GivenStart& given : held) forbid(given);
  }

  bool empty() const { return weights_.cols() == 0; }

  /// (1 or 3 × motions) rate_towards of each motion that is left.
  MatrixXd rates_of(const GivenStart& given) const {
    MatrixXd rates(rate_towards(*mechanism_, given, motions_.front()).size(), weights_.rows());
    for (std::size_t k = 0; k < motions_.size(); ++k)
      rates.col(static_cast<Index>(k)) = rate_towards(*mechanism_, given, motions_[k]);
    return rates * weights_;
  }

 private:
  /// Leaves the motions in which the value stands still.
  void forbid(const GivenStart& given) {
    for (Index row = 0; !empty() && row < rates_of(given).rows(); ++row) {
      VectorXd r = rates_of(given).row(row).transpose();
      if (r.norm() < kUnmoved) continue;
      // Householder's reflection takes r to the first axis: its other columns are perpendicular to r.
      r[0] += std::copysign(r.norm(), r[0]);
      const MatrixXd H = MatrixXd::Identity(r.size(), r.size()) - 2.0 / r.squaredNorm() * r * r.transpose();
      weights_ = weights_ * H.rightCols(r.size() - 1).eval();
    }
  }

  const model::Mechanism* mechanism_;
  std::vector<MechanismMotion> motions_;  ///< with the drivers held
  MatrixXd weights_;                      ///< (motions × those left) orthonormal columns
};

/// What of d no combination of the columns of A reaches, by Gram and Schmidt with the largest column first.
VectorXd out_of_reach(MatrixXd A, VectorXd d) {
  for (Index step = 0; step < d.size(); ++step) {
    Index largest = 0;
    const double norm = A.colwise().norm().maxCoeff(&largest);
    if (norm < kUnmoved) break;
    const VectorXd u = A.col(largest) / norm;
    d -= u * u.dot(d);
    A -= u * (u.transpose() * A);
  }
  return d;
}

/// Whether a motion that is left goes towards a given value.
bool may_reach(const FreeMotionsOfStart& motions, const GivenStart& given, const VectorXd& distance) {
  if (motions.empty()) return false;
  const MatrixXd rates = motions.rates_of(given);
  return rates.norm() >= kUnmoved &&
         out_of_reach(rates, distance).norm() <= kOutOfReach * distance.norm() + kMetClosely;
}

/// The bodies with one more value met, or none where the joints do not let it go there.
std::optional<ClosingAttempt> met(const model::Mechanism& mechanism, const structure::Structure& structure,
                                  const HeldValues& held, const GivenStart& given,
                                  const ClosingAttempt& from) {
  const VectorXd distance = distance_from(mechanism, given, from.bodies);
  // The straight way to a pose is not one that joints allow; that of a single value is the only one.
  const int steps =
      distance.size() > 1 ? 1 : std::max(1, static_cast<int>(std::ceil(distance.norm() / kStep)));
  ClosingAttempt attempt = from;
  for (int i = 1; i <= steps; ++i) {
    const GivenStart between =
        i == steps ? given : part_of_the_way(mechanism, given, from.bodies, static_cast<double>(i) / steps);
    HeldValues with = held;
    hold(mechanism, between, attempt.bodies, with);
    const int iterations = attempt.closing.iterations;
    attempt = close_held(mechanism, structure, with, attempt.bodies);
    attempt.closing.iterations += iterations;
    // A row of an angle also holds half a turn off.
    if (!attempt.closing.is_closed || distance_from(mechanism, between, attempt.bodies).norm() > kMetClosely)
      return std::nullopt;
  }
  return attempt;
}

}  // namespace

ClosingAttempt keep_given_starts(const model::Mechanism& mechanism, const structure::Structure& structure,
                                 const HeldValues& drivers, const std::vector<GivenStart>& given,
                                 const ClosingAttempt& closed) {
  if (largest_distance(mechanism, given, closed.bodies) <= kMet) return closed;
  ClosingAttempt best = closed;
  HeldValues held = drivers;
  std::vector<GivenStart> kept;
  FreeMotionsOfStart motions(mechanism, structure, drivers, kept, best.bodies);
  for (const GivenStart& start : given) {
    if (start.kind == model::StartKind::kGuess &&
        !may_reach(motions, start, distance_from(mechanism, start, best.bodies)))
      continue;
    const auto attempt = met(mechanism, structure, held, start, best);
    if (!attempt) continue;
    best = *attempt;
    hold(mechanism, start, best.bodies, held);
    kept.push_back(start);
    motions = FreeMotionsOfStart(mechanism, structure, drivers, kept, best.bodies);
  }
  return best;
}

}  // namespace eslabon::kinematics
