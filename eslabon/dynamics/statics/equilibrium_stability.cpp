#include "eslabon/dynamics/statics/equilibrium_stability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "eslabon/core/linalg/eigenvalues.hpp"
#include "eslabon/core/linalg/lu.hpp"
#include "eslabon/dynamics/forces/passed_stop.hpp"
#include "eslabon/dynamics/mass/energy.hpp"
#include "eslabon/dynamics/statics/extrapolated_difference.hpp"
#include "eslabon/dynamics/statics/modes.hpp"
#include "eslabon/dynamics/statics/own_sizes.hpp"
#include "eslabon/dynamics/statics/state_balance.hpp"

namespace eslabon::dynamics {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double kCarefulStep = 8e-3;  // of extrapolated differences
constexpr double kOneSidedStep = 5e-4;
constexpr double kOneSided = 1e-6;   // of the degree of freedom's own size, by differences to one side
constexpr double kSymmetric = 1e-6;  // of the degrees of freedom's own sizes
constexpr double kNoGrowth = 1e-6;   // of the eigenvalue, and of the largest for rigid motions
constexpr double kNoDriving = 1e-9;  // of the fastest motion: D has no negative eigenvalue

/// The signs of a symmetric K.
Stability stability_of(const MatrixXd& K, double none) {
  const double least = core::symmetric_eigenvalues(0.5 * (K + K.transpose())).minCoeff();
  if (least < -none) return Stability::kUnstable;
  return least > none ? Stability::kStable : Stability::kNeutral;
}

MatrixXd of_own_mass(const MatrixXd& matrix, const MatrixXd& M) {
  const VectorXd m = M.diagonal().cwiseSqrt().cwiseInverse();
  return m.asDiagonal() * matrix * m.asDiagonal();
}

/// (4); none: of K with each freedom measured by s.
Stability moving_stability(const Equilibrium& at, const VectorXd& s, double none) {
  const Index f = at.mass.rows();
  const core::Lu lu(of_own_mass(at.mass, at.mass));
  MatrixXd A = MatrixXd::Zero(2 * f, 2 * f);
  A.topRightCorner(f, f).setIdentity();
  A.bottomLeftCorner(f, f) = -lu.solve(of_own_mass(at.stiffness, at.mass));
  A.bottomRightCorner(f, f) = -lu.solve(of_own_mass(at.damping, at.mass));
  const RigidMotions rigid = rigid_motions(at.stiffness, at.damping, at.mass, s, none);
  const std::vector<Mode> modes = modes_of(A, rigid);
  const double fastest = modes.back().natural_frequency();
  for (const Mode& mode : modes)
    if (mode.kind != Mode::Kind::kRigid && mode.eigenvalue.real() > kNoGrowth * mode.natural_frequency() &&
        (rigid.zeros == 0 || mode.natural_frequency() > kNoGrowth * fastest))
      return Stability::kUnstable;
  return rigid.zeros > 0 ? Stability::kNeutral : Stability::kStable;
}

/// Whether some motion is driven by D, each freedom measured by its own mass.
bool is_driven(const Equilibrium& at, const MatrixXd& D_errors) {
  const MatrixXd D = of_own_mass(0.5 * (at.damping + at.damping.transpose()), at.mass),
                 K = of_own_mass(at.stiffness, at.mass);
  const double fastest = std::max(D.cwiseAbs().maxCoeff(), std::sqrt(K.cwiseAbs().maxCoeff()));
  const double least = core::symmetric_eigenvalues(D).minCoeff();
  return least < -std::max(kNoDriving * fastest, 10.0 * of_own_mass(D_errors, at.mass).maxCoeff());
}

/// Columns −∂f/∂y or −∂f/∂ẏ at the centre, and what they may be off by; kinks: by how much the slopes of the two sides differ, halved.
struct CarefulMatrix {
  MatrixXd value, errors, kinks;
};

/// Nothing where positions or forces beside the centre cannot be had.
std::optional<CarefulMatrix> careful_matrix(FreedomChart& chart, bool of_rates) {
  const Index f = chart.num_freedoms();
  const VectorXd zero = VectorXd::Zero(f);
  CarefulMatrix out{MatrixXd(f, f), MatrixXd(f, f), MatrixXd(f, f)};
  for (Index k = 0; k < f; ++k) {
    const auto derivative = extrapolated_difference(
        [&](double h) {
          const VectorXd along = h * VectorXd::Unit(f, k);
          return of_rates ? chart.force_at(zero, along) : chart.force_at(along, zero);
        },
        kCarefulStep);
    if (!derivative) return std::nullopt;
    out.value.col(k) = -derivative->value;
    out.errors.col(k) = derivative->errors;
    out.kinks.col(k) = derivative->kinks;
  }
  return out;
}

/// The auxiliary states that a shape (f + s) moves.
std::vector<std::string> moved_states(const FreedomChart& chart, const Eigen::VectorXcd& shape) {
  constexpr double kMoved = 1e-3;  // of the largest
  std::vector<std::string> names;
  const VectorXd sizes = shape.cwiseAbs();
  const Index f = chart.num_freedoms();
  for (Index k = f; k < sizes.size(); ++k)
    if (sizes[k] > kMoved * sizes.maxCoeff())
      names.push_back(chart.model().mechanism().states()[static_cast<std::size_t>(k - f)].name);
  return names;
}

/// (5), and the states that nothing brings back. Nothing where something beside the centre has no value. Leaves the states of the chart held.
std::optional<Stability> stability_with_states(FreedomChart& chart, Equilibrium& at, const VectorXd& s_own,
                                               double none) {
  chart.let_states_follow(false);
  const auto by_y = differentiate_pushes(chart, false), by_v = differentiate_pushes(chart, true);
  const auto by_x = chart.differentiate_states(chart.centre());
  if (!by_y || !by_v || !by_x) return std::nullopt;
  const Index f = at.mass.rows(), s = chart.num_states();
  const MatrixXd K = -by_y->value.topRows(f);
  if (!has_mass_everywhere(at.mass)) {
    const MatrixXd own = s_own.asDiagonal() * K * s_own.asDiagonal();
    const Stability of_motion = stability_of(own, none);
    if (of_motion != Stability::kStable) return of_motion;
    const MatrixXd G = by_x->rate + by_y->value.bottomRows(s) * core::Lu(K).solve(by_x->force);
    const Eigen::VectorXcd values = core::general_eigen(G).values;
    const double fastest = values.cwiseAbs().maxCoeff();
    if ((values.real().array() > kNoGrowth * fastest).any()) return Stability::kUnstable;
    return (values.real().array() < -kNoGrowth * fastest).all() ? Stability::kStable : Stability::kNeutral;
  }
  const core::Lu lu(of_own_mass(at.mass, at.mass));
  const VectorXd m = at.mass.diagonal().cwiseSqrt().cwiseInverse();  // y of unit mass each
  MatrixXd A = MatrixXd::Zero(2 * f + s, 2 * f + s);
  A.block(0, f, f, f).setIdentity();
  A.block(f, 0, f, f) = -lu.solve(of_own_mass(K, at.mass));
  A.block(f, f, f, f) = -lu.solve(of_own_mass(MatrixXd(-by_v->value.topRows(f)), at.mass));
  A.block(f, 2 * f, f, s) = lu.solve(MatrixXd(m.asDiagonal() * by_x->force));
  A.block(2 * f, 0, s, f) = by_y->value.bottomRows(s) * m.asDiagonal();
  A.block(2 * f, f, s, f) = by_v->value.bottomRows(s) * m.asDiagonal();
  A.block(2 * f, 2 * f, s, s) = by_x->rate;
  const std::vector<Mode> modes = modes_with_states(A, f, none);
  const double fastest = modes.back().natural_frequency();
  bool is_neutral = false;
  for (const Mode& mode : modes) {
    if (mode.kind == Mode::Kind::kRigid) {
      is_neutral = true;
      for (const std::string& name : moved_states(chart, mode.shape))
        if (std::ranges::find(at.neutral_states, name) == at.neutral_states.end())
          at.neutral_states.push_back(name);
    } else if (mode.eigenvalue.real() > kNoGrowth * mode.natural_frequency() &&
               (!is_neutral || mode.natural_frequency() > kNoGrowth * fastest)) {
      return Stability::kUnstable;
    }
  }
  return is_neutral ? Stability::kNeutral : Stability::kStable;
}

/// By how much the columns of K on one side of a kink are more than their mean, (K₊ − K₋)/2; K₊ for y of the side to which the first
/// kinked freedom grows. One kink has a difference  k a aᵀ: its column tells to which side the other freedoms lead.
std::optional<MatrixXd> half_jump(FreedomChart& chart, const std::vector<Index>& kinked) {
  const Index f = chart.num_freedoms();
  const VectorXd zero = VectorXd::Zero(f);
  const auto f0 = chart.force_at(zero, zero);
  MatrixXd H = MatrixXd::Zero(f, f);
  for (const Index k : kinked) {
    VectorXd slopes[2];  // to the right, to the left
    for (const double sign : {1.0, -1.0}) {
      const VectorXd step = sign * kOneSidedStep * VectorXd::Unit(f, k);
      const auto half = chart.force_at(0.5 * step, zero), whole = chart.force_at(step, zero);
      if (!f0 || !half || !whole) return std::nullopt;
      slopes[sign > 0.0 ? 0 : 1] = (4.0 * *half - *whole - 3.0 * *f0) / (sign * kOneSidedStep);
    }
    H.col(k) = 0.5 * (slopes[1] - slopes[0]);
    const Index first = kinked.front();
    if (k != first && H(k, first) * H(first, first) < 0.0) H.col(k) *= -1.0;
  }
  return H;
}

/// At a kink: stable when both sides are, unstable when one is. Returns K of the side that is softer; s, none: as of stability_of.
MatrixXd judge_sides(FreedomChart& chart, const std::vector<Index>& kinked, const VectorXd& s, double none,
                     Equilibrium& at) {
  const std::optional<MatrixXd> H = half_jump(chart, kinked);
  if (!H) return at.stiffness;
  MatrixXd softer = at.stiffness;
  double least = std::numeric_limits<double>::infinity();
  for (const double sign : {1.0, -1.0}) {
    const MatrixXd K = at.stiffness + sign * *H, own = s.asDiagonal() * K * s.asDiagonal();
    const double smallest = core::symmetric_eigenvalues(0.5 * (own + own.transpose())).minCoeff();
    if (smallest < least) {
      least = smallest;
      softer = K;
    }
  }
  const Stability side = least < -none  ? Stability::kUnstable
                         : least > none ? Stability::kStable
                                        : Stability::kNeutral;
  if (side == Stability::kUnstable || at.stability == Stability::kStable) at.stability = side;
  return softer;
}

/// Of this K, that of the softer side at a kink.
void find_softest(Equilibrium& at, const MatrixXd& K, const VectorXd& own_softest) {
  at.softest = own_softest.normalized();
  if (!has_mass_everywhere(at.mass)) return;
  if (at.is_conservative) {
    const SquaredModes modes = squared_modes(K, at.mass);
    at.softest = modes.shapes.col(0);
    at.softest_square = modes.squares[0];
    return;
  }
  const VectorXd m = at.mass.diagonal().cwiseSqrt().cwiseInverse();
  const core::GeneralEigen modes =
      core::general_eigen(core::Lu(of_own_mass(at.mass, at.mass)).solve(of_own_mass(K, at.mass)));
  Index least = 0;
  modes.values.real().minCoeff(&least);
  at.softest = m.cwiseProduct(modes.vectors.col(least).real()).normalized();
  at.softest_square = modes.values[least].real();
}

}  // namespace

std::string_view stability_word(Stability stability) {
  return stability == Stability::kStable     ? "stable"
         : stability == Stability::kUnstable ? "unstable"
                                             : "neutral";
}

std::optional<core::ErrorText> try_describe_equilibrium(FreedomChart& chart, const State& state,
                                                        Equilibrium& at) {
  const bool has_states = chart.num_states() > 0;
  const bool do_follow = has_states && follow_if_they_can(chart, state);
  if (chart.centre_at(state) != ChartStatus::kGood)
    return core::ErrorText{.what = "the equilibrium is singular",
                           .where = "mechanism '" + chart.model().mechanism().name() + "'",
                           .expected = "one near which the mechanism moves in one way",
                           .actual = "one where branches meet, or nearly so",
                           .next = "Move a little away from it."};
  FreedomForces forces;
  if (chart.evaluate(chart.centre(), forces) != ChartStatus::kGood) return chart.why_not(chart.centre());
  at.state = chart.centre();
  at.bodies.resize(chart.model().mechanism().bodies().size());
  chart.evaluate_bodies(at.state, std::vector<double>(at.state.q.size(), 0.0), at.bodies);
  at.mass = forces.mass;
  at.directions = forces.directions;
  const std::optional<CarefulMatrix> K = careful_matrix(chart, false),
                                     D = K ? careful_matrix(chart, true) : std::nullopt;
  if (!D)
    return core::ErrorText{.what = "the stiffness at an equilibrium cannot be found",
                           .where = "mechanism '" + chart.model().mechanism().name() + "'",
                           .expected = "positions and forces on both sides of it",
                           .actual = "none on one side",
                           .next = "A singular position is near, or a force without a value."};
  at.stiffness = K->value;
  at.damping = D->value;
  VectorXd acting = chart.force_scales(at.state, forces.directions);
  acting = acting.cwiseMax(kLeastScale * acting.maxCoeff()).eval();
  for (Index k = 0; k < acting.size(); ++k)
    if (const double size = std::max(acting[k], std::abs(at.stiffness(k, k))); size > 0.0)
      at.residual = std::max(at.residual, std::abs(forces.force[k]) / size);

  const OwnSizes own(at.stiffness, forces.force, acting);
  at.stiffness_error = (own.s.asDiagonal() * K->errors * own.s.asDiagonal()).maxCoeff();
  const double none = std::max(kNoStiffness, 10.0 * at.stiffness_error);
  at.is_conservative =
      (own.K - own.K.transpose()).cwiseAbs().maxCoeff() <= std::max(kSymmetric, 10.0 * at.stiffness_error);
  const bool is_by_energy =
      !has_mass_everywhere(at.mass) || (at.is_conservative && !is_driven(at, D->errors));
  at.stability = is_by_energy ? stability_of(own.K, none) : moving_stability(at, own.s, none);
  std::vector<Index> kinked;  // not by roundoff of a heavy freedom in the row of a light one
  const MatrixXd kinks = own.s.asDiagonal() * K->kinks * own.s.asDiagonal();
  for (Index k = 0; k < kinks.cols(); ++k)
    if (kinks.col(k).maxCoeff() > std::max(kOneSided, none)) kinked.push_back(k);
  at.has_kink = !kinked.empty();
  MatrixXd softer = at.stiffness;
  if (at.has_kink) softer = judge_sides(chart, kinked, own.s, std::max(none, kOneSided), at);
  if (has_states) {
    const std::optional<Stability> with_states = stability_with_states(chart, at, own.s, none);
    chart.let_states_follow(do_follow);
    if (!with_states)
      return core::ErrorText{.what = "the stability of an equilibrium cannot be found",
                             .where = "mechanism '" + chart.model().mechanism().name() + "'",
                             .expected = "forces and rates of states on both sides of it, with derivatives",
                             .actual = "none",
                             .next = "A singular position is near, or a force without a value."};
    at.stability = *with_states;
  }
  at.stiffnesses = core::symmetric_eigenvalues(0.5 * (at.stiffness + at.stiffness.transpose()));
  const core::SymmetricEigen solver = core::symmetric_eigen(0.5 * (own.K + own.K.transpose()));
  for (Index k = 0; k < at.stiffnesses.size(); ++k) {
    if (std::abs(solver.values[k]) > none || (has_states && !do_follow)) continue;  // integrals may hold it
    at.neutral.conservativeResize(at.stiffnesses.size(), at.neutral.cols() + 1);
    at.neutral.rightCols(1) = own.s.cwiseProduct(solver.vectors.col(k)).normalized();
  }
  find_softest(at, softer, own.s.cwiseProduct(solver.vectors.col(0)));
  const VectorXd softest = at.softest.cwiseQuotient(own.s).normalized();
  if (at.stability == Stability::kNeutral && at.softest_square &&
      std::abs(softest.dot(own.s.asDiagonal() * softer * own.s.asDiagonal() * softest)) <=
          (at.has_kink ? std::max(none, kOneSided) : none))
    at.softest_square = 0.0;
  for (const StopSide& side : chart.model().forces().rigid_sides())
    if (!chart.model().forces().find_gap(side, at.state.t, at.bodies, at.state.memory))
      return chart.model().forces().why_no_gap(side, at.state.t);
  if (const std::optional<StopSide> side = find_touched_stop(chart.model(), at.state, at.bodies)) {
    at.stop = side_name(chart.model().mechanism(), *side);
    at.is_beyond_stop = find_passed_stop(chart.model(), at.state.t, at.bodies, at.state.memory).has_value();
  }
  at.potential_energy = potential_energy(chart.model(), at.state, at.bodies);
  return std::nullopt;
}

Equilibrium describe_equilibrium(FreedomChart& chart, const State& state) {
  Equilibrium at;
  if (const std::optional<core::ErrorText> cause = try_describe_equilibrium(chart, state, at))
    throw core::ModelError(*cause);
  return at;
}

std::optional<StopSide> find_touched_stop(const DynamicModel& model, const State& state,
                                          const coordinates::MechanismMotion& bodies) {
  const std::vector<StopSide>& sides = model.forces().rigid_sides();
  for (std::size_t k = 0; k < sides.size(); ++k)
    if ((k < state.memory.rests.size() && state.memory.rests[k]) ||
        model.forces().gap(sides[k], state.t, bodies, state.memory).gap <=
            kTouching * gap_scale(model.mechanism(), sides[k]))
      return sides[k];
  return std::nullopt;
}

double potential_energy(const DynamicModel& model, const State& state,
                        const coordinates::MechanismMotion& bodies) {
  const model::Mechanism& mechanism = model.mechanism();
  std::vector<double> lengths;
  for (std::size_t s = 0; s < mechanism.springs().size(); ++s)
    lengths.push_back(model.forces().spring_length(s, bodies, state.memory));
  double V = potential_energy(mechanism, bodies, lengths);
  for (const StopSide& side : model.forces().soft_sides()) {
    const double depth = -model.forces().gap(side, state.t, bodies, state.memory).gap;
    if (depth > 0.0) V += 0.5 * mechanism.stops()[side.stop].stiffness * depth * depth;
  }
  return V;
}

}  // namespace eslabon::dynamics
