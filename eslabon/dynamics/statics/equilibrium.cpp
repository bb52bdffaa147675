#include "eslabon/dynamics/statics/equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "eslabon/core/linalg/eigenvalues.hpp"
#include "eslabon/core/linalg/lu.hpp"
#include "eslabon/core/linalg/orthogonal.hpp"
#include "eslabon/core/linalg/singular_values.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/forces/passed_stop.hpp"
#include "eslabon/dynamics/mass/energy.hpp"
#include "eslabon/dynamics/statics/extrapolated_difference.hpp"
#include "eslabon/dynamics/statics/modes.hpp"
#include "eslabon/dynamics/statics/state_balance.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::dynamics {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int kMostIterations = 200;
constexpr int kMostHalvings = 12;
constexpr int kMostKeptSteps = 20;
constexpr double kLargestMove = 0.5;   // of a body in one step: rad, or of the mechanism's reach
constexpr double kQuickStep = 1e-4;    // of differences on the way
constexpr double kCarefulStep = 8e-3;  // of extrapolated ones
constexpr double kOneSidedStep = 5e-4;
constexpr double kNoStiffness = 1e-9;  // of the freedom's own size
constexpr double kOneSided = 1e-6;     // the same, by differences to one side
constexpr double kLastStep = 1e-10;    // rad, or of the mechanism's size
constexpr double kBalanced = 1e-9;     // of what acts in the freedom
constexpr double kLeastScale = 1e-12;  // of what acts in the one that is pushed most
constexpr double kSymmetric = 1e-6;    // of the freedoms' own sizes
constexpr double kNoGrowth = 1e-6;     // of the eigenvalue, and of the largest for rigid motions
constexpr double kNoDriving = 1e-9;    // of the fastest motion: D has no negative eigenvalue

/// −∂f/∂y at the centre by plain central differences; nothing where f has no value beside it.
std::optional<MatrixXd> quick_stiffness(FreedomChart& chart) {
  const Index f = chart.num_freedoms();
  const VectorXd zero = VectorXd::Zero(f);
  MatrixXd K(f, f);
  for (Index k = 0; k < f; ++k) {
    const auto right = chart.force_at(kQuickStep * VectorXd::Unit(f, k), zero),
               left = chart.force_at(-kQuickStep * VectorXd::Unit(f, k), zero);
    if (!right || !left) return std::nullopt;
    K.col(k) = (*left - *right) / (2.0 * kQuickStep);
  }
  return K;
}

/// K and f with each freedom measured by its own size: K is diag(s) K diag(s), f is diag(s) f, dy is diag(s) times theirs.
struct OwnSizes {
  OwnSizes(const MatrixXd& K_, const VectorXd& f_, const VectorXd& acting)
      : s(equilibrating_scales(K_, acting)), K(s.asDiagonal() * K_ * s.asDiagonal()), f(s.cwiseProduct(f_)) {}
  VectorXd s;
  MatrixXd K;
  VectorXd f;
};

/// K⁺ f, and what it leaves of f (y's own).
struct LeastStep {
  VectorXd dy;
  VectorXd rest;
};

LeastStep least_step(const OwnSizes& own) {
  const core::SingularValues svd = core::full_singular_values(own.K);
  VectorXd in_basis = svd.U.transpose() * own.f, left = VectorXd::Zero(own.f.size());
  for (Index i = 0; i < in_basis.size(); ++i) {
    if (svd.values[i] > kNoStiffness) {
      in_basis[i] /= svd.values[i];
    } else {
      left += in_basis[i] * svd.U.col(i);
      in_basis[i] = 0.0;
    }
  }
  return {own.s.cwiseProduct(svd.V * in_basis), left.cwiseQuotient(own.s).cwiseAbs()};
}

/// (2)
VectorXd pushed_step(const OwnSizes& own) {
  constexpr double kSmall = 1e-6;
  const core::SymmetricEigen solver = core::symmetric_eigen(0.5 * (own.K + own.K.transpose()));
  const VectorXd& lambda = solver.values;
  if (lambda.minCoeff() > kSmall)  // Newton's, with the whole of K
    return own.s.cwiseProduct(core::Lu(own.K).solve(own.f));
  const VectorXd part = solver.vectors.transpose() * own.f;
  return own.s.cwiseProduct(solver.vectors * part.cwiseQuotient(lambda.cwiseAbs().cwiseMax(kSmall)));
}

enum class Way { kPushed, kNearest };

/// One walk to an equilibrium.
class Walk {
 public:
  Walk(FreedomChart& chart, Way way) : chart_(chart), way_(way) {}

  EquilibriumReport::Status run(const State& start) {
    State state = start;
    for (iterations_ = 0; iterations_ < kMostIterations; ++iterations_) {
      if (chart_.centre_at(state) != ChartStatus::kGood) return EquilibriumReport::Status::kSingular;
      if (!look()) return EquilibriumReport::Status::kNoForce;
      const auto K = quick_stiffness(chart_);
      if (!K) return EquilibriumReport::Status::kNotFound;
      const OwnSizes own(*K, forces_.force, acting_);
      const LeastStep newton = least_step(own);
      if (scale_ == 0.0 || (chart_.size_of(chart_.centre(), forces_.directions * newton.dy) <= kLastStep &&
                            (newton.rest.array() <= kBalanced * acting_.array()).all())) {
        return polish() ? EquilibriumReport::Status::kFound : EquilibriumReport::Status::kNoForce;
      }
      const VectorXd dy = way_ == Way::kPushed ? pushed_step(own) : newton.dy;
      if (!step(dy, own.s, state))
        return blocked_ ? EquilibriumReport::Status::kSingular : EquilibriumReport::Status::kNotFound;
    }
    return EquilibriumReport::Status::kNotFound;
  }

  int iterations() const { return iterations_; }
  const State& found() const { return found_; }
  const State& least() const { return least_; }  ///< where the least was left to push
  double least_force() const { return least_force_; }

 private:
  /// False where a force has no value.
  bool look() {
    if (chart_.evaluate(chart_.centre(), forces_) != ChartStatus::kGood) return false;
    acting_ = chart_.force_scales(chart_.centre(), forces_.directions);
    reach_ = reach();
    scale_ = std::max(scale_, acting_.maxCoeff());
    acting_ = acting_.cwiseMax(kLeastScale * scale_);
    const double force = forces_.force.norm();
    if (least_.q.empty() || force < least_force_) {
      least_force_ = force;
      least_ = chart_.centre();
    }
    return true;
  }

  /// From one end of the mechanism to the other: the diagonal of the box around the origins of its bodies, at least its size [m].
  double reach() {
    bodies_.resize(chart_.model().mechanism().bodies().size());
    chart_.evaluate_displacement(chart_.centre(), VectorXd::Zero(chart_.n()), bodies_);
    Eigen::Vector3d least = bodies_.back().X_WB.p_AB_A, most = least;
    for (std::size_t b = 1; b < bodies_.size(); ++b) {
      least = least.cwiseMin(bodies_[b].X_WB.p_AB_A);
      most = most.cwiseMax(bodies_[b].X_WB.p_AB_A);
    }
    return std::max(chart_.length(), (most - least).norm());
  }
  /// The largest turn of a body for dq (n) [rad], or shift of an origin in parts of the reach.
  double largest_move(const VectorXd& dq) {
    chart_.evaluate_displacement(chart_.centre(), dq, bodies_);
    double largest = 0.0;
    for (const coordinates::BodyMotion& body : bodies_)
      largest = std::max({largest, body.w_WB_W.norm(), body.v_WB_W.norm() / reach_});
    return largest;
  }

  /// Goes along dy as far as it is good, forces measured by s; false when nowhere.
  bool step(VectorXd dy, const VectorXd& s, State& state) {
    blocked_ = false;
    const double size = largest_move(forces_.directions * dy);
    if (!(size > 1e-14)) return false;
    if (size > kLargestMove) dy *= kLargestMove / size;
    const VectorXd zero = VectorXd::Zero(dy.size());
    const double push = forces_.force.dot(dy), force = forces_.force.cwiseProduct(s).norm();
    double part = 1.0;
    for (int i = 0; i < kMostHalvings; ++i, part *= 0.5) {
      const auto there = chart_.force_at(part * dy, zero);
      if (!there) {
        blocked_ = true;
        continue;
      }
      const bool is_good = way_ == Way::kPushed
                               ? there->dot(dy) >= -0.5 * push
                               : there->cwiseProduct(s).norm() <= (1.0 - 1e-4 * part) * force;
      if (is_good) return chart_.move(part * dy, zero, state) == ChartStatus::kGood;
    }
    return false;
  }

  /// From an equilibrium to roundoff. False where a force has no value.
  bool polish() {
    found_ = chart_.centre();
    for (int i = 0; i < 5; ++i) {
      const auto K = quick_stiffness(chart_);
      if (!K) return true;
      const OwnSizes own(*K, forces_.force, acting_);
      State state;
      if (chart_.move(least_step(own).dy, VectorXd::Zero(K->rows()), state) != ChartStatus::kGood ||
          chart_.centre_at(state) != ChartStatus::kGood)
        return true;
      if (chart_.evaluate(chart_.centre(), forces_) != ChartStatus::kGood) return false;
      if (!(forces_.force.cwiseProduct(own.s).norm() < own.f.norm())) return true;
      found_ = chart_.centre();
    }
    return true;
  }

  FreedomChart& chart_;
  Way way_;
  FreedomForces forces_;
  VectorXd acting_;                      ///< (f) what acts in each freedom
  double scale_ = 0.0;                   ///< the most that acted so far
  double reach_ = 0.0;                   ///< at the centre [m]
  coordinates::MechanismMotion bodies_;  ///< scratch
  int iterations_ = 0;
  bool blocked_ = false;  ///< positions on the way could not be found
  State found_, least_;
  double least_force_ = 0.0;
};

void blame_force(FreedomChart& chart, EquilibriumReport& report) {
  report.status = EquilibriumReport::Status::kNoForce;
  report.cause = chart.why_not(chart.centre());
}

/// What is pushed most at a state, in words.
void tell_push(FreedomChart& chart, const State& state, EquilibriumReport& report) {
  if (state.q.empty() || chart.centre_at_named(state) != ChartStatus::kGood) return;
  FreedomForces forces;
  if (chart.evaluate(chart.centre(), forces) != ChartStatus::kGood) return blame_force(chart, report);
  double largest = -1.0;
  for (Index k = 0; k < forces.force.size(); ++k) {
    const auto column = static_cast<std::size_t>(chart.named_columns()[static_cast<std::size_t>(k)]);
    const coordinates::Coordinate& coordinate = chart.system().coordinates()[column];
    const bool is_length = coordinate.dimension == core::kLength;
    const double size = std::abs(forces.force[k]) * (is_length ? chart.length() : 1.0);
    if (size <= largest) continue;
    largest = size;
    report.pushed = coordinate.name;
    report.pushed_value =
        core::rounded_text(chart.centre().q[column], 6) + (is_length                              ? " m"
                                                           : coordinate.dimension == core::kAngle ? " rad"
                                                                                                  : "");
    report.force = forces.force[k];
    report.unit = is_length ? "N" : "N m";
  }
}

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

/// Sets `at`, or says why it cannot be described.
std::optional<core::ErrorText> describe(FreedomChart& chart, const State& state, Equilibrium& at);

/// The equilibrium on the same neutral motions where, of the named coordinates of the mechanism, those that these move are as they were at the
/// start: k coordinates for k motions, chosen by pivots. Steps (3) with these held. Nothing where they are there already, and where what looks
/// neutral is not: forces grow on the way.
std::optional<State> with_neutral_kept(FreedomChart& chart, const State& start, const Equilibrium& at) {
  const Index k = at.neutral.cols();
  if (k == 0 || chart.centre_at_named(at.state) != ChartStatus::kGood) return std::nullopt;
  const std::vector<int> named = chart.named_columns();
  const auto f = static_cast<Index>(named.size());
  MatrixXd moved(f, k);
  for (Index i = 0; i < f; ++i)
    moved.row(i) = at.directions.row(named[static_cast<std::size_t>(i)]) * at.neutral;
  const Eigen::VectorXi order = core::pivoted_qr(moved.transpose()).columns;
  MatrixXd pivots(k, k);
  VectorXd back(k);
  for (Index i = 0; i < k; ++i) {
    const auto column = static_cast<std::size_t>(named[static_cast<std::size_t>(order[i])]);
    pivots.row(i) = moved.row(order[i]);
    back[i] = start.q[column] - at.state.q[column];
  }
  const VectorXd way = core::solve_least_norm(pivots, back);
  if (!(chart.size_of(at.state, at.directions * (at.neutral * way)) > kLastStep)) return std::nullopt;
  VectorXd y = moved * way;
  for (int i = 0; i < kMostKeptSteps; ++i) {
    State state;
    if (chart.move(y, VectorXd::Zero(f), state) != ChartStatus::kGood ||
        chart.centre_at_named(state) != ChartStatus::kGood || chart.named_columns() != named)
      return std::nullopt;
    FreedomForces forces;
    if (chart.evaluate(chart.centre(), forces) != ChartStatus::kGood) return std::nullopt;
    VectorXd acting = chart.force_scales(chart.centre(), forces.directions);
    acting = acting.cwiseMax(kLeastScale * acting.maxCoeff()).eval();
    const auto K = quick_stiffness(chart);
    if (!K) return std::nullopt;
    OwnSizes own(*K, forces.force, acting);
    for (Index c = 0; c < k; ++c) own.K.col(order[c]).setZero();
    y = own.s.cwiseProduct(core::solve_least_norm(own.K, own.f));
    const bool is_balanced = (forces.force.array().abs() <= kBalanced * acting.array()).all();
    if (is_balanced && chart.size_of(chart.centre(), forces.directions * y) <= kLastStep)
      return chart.centre();
  }
  return std::nullopt;
}

EquilibriumReport report_of(FreedomChart& chart, const State& start, const std::vector<Walk>& walks,
                            const std::vector<EquilibriumReport::Status>& ends) {
  EquilibriumReport report;
  for (const Walk& walk : walks) report.iterations += walk.iterations();
  report.status = ends.back();
  if (report.status == EquilibriumReport::Status::kNoForce) {
    blame_force(chart, report);
    return report;
  }
  if (report.usable()) {
    Equilibrium at;
    if (const std::optional<core::ErrorText> cause = describe(chart, walks.back().found(), at)) {
      report.status = EquilibriumReport::Status::kNoForce;
      report.cause = *cause;
      return report;
    }
    if (const std::optional<State> kept = with_neutral_kept(chart, start, at))
      if (Equilibrium there; !describe(chart, *kept, there)) at = std::move(there);
    at.iterations = report.iterations;
    report.equilibrium = std::move(at);
    return report;
  }
  if (std::ranges::find(ends, EquilibriumReport::Status::kNotFound) != ends.end())
    report.status = EquilibriumReport::Status::kNotFound;
  const Walk& least = *std::ranges::min_element(walks, {}, &Walk::least_force);
  tell_push(chart, least.least(), report);
  return report;
}

}  // namespace

std::string_view stability_word(Stability stability) {
  return stability == Stability::kStable     ? "stable"
         : stability == Stability::kUnstable ? "unstable"
                                             : "neutral";
}

void check_has_freedoms(const FreedomChart& chart) {
  if (chart.num_freedoms() > 0) return;
  const model::Mechanism& mechanism = chart.model().mechanism();
  throw core::ModelError(
      {.what = "nothing can move",
       .where = "mechanism '" + mechanism.name() + "'",
       .expected = "at least one degree of freedom that no driver moves",
       .actual = "none",
       .next = mechanism.drivers().empty() ? "Remove a joint." : "Release a driver with --release."});
}

EquilibriumReport find_equilibrium(FreedomChart& chart, const State& start) {
  EquilibriumReport report = try_equilibrium(chart, start);
  if (report.status == EquilibriumReport::Status::kNoForce) throw core::ModelError(report.cause);
  return report;
}

namespace {

EquilibriumReport try_without_states(FreedomChart& chart, const State& start);

/// Whether the states at a state tell themselves; from then on they follow, if they do. False too where something has no value.
bool follow_if_they_can(FreedomChart& chart, const State& at) {
  chart.let_states_follow(false);
  if (chart.centre_at(at) != ChartStatus::kGood) return false;
  const auto by = chart.differentiate_states(chart.centre());
  const bool can = by && states_tell_themselves(by->rate);
  chart.let_states_follow(can);
  return can;
}

EquilibriumReport report_of(FreedomChart& chart, const StateBalance& balance, int iterations) {
  using Status = EquilibriumReport::Status;
  EquilibriumReport report;
  report.iterations = iterations + balance.iterations;
  switch (balance.status) {
    case StateBalance::Status::kSingular:
      report.status = Status::kSingular;
      break;
    case StateBalance::Status::kNoForce:
      blame_force(chart, report);
      return report;
    case StateBalance::Status::kNotFound:
      report.status = Status::kNotFound;
      break;
    case StateBalance::Status::kFound: {
      report.status = Status::kFound;
      Equilibrium at;
      if (const std::optional<core::ErrorText> cause = describe(chart, balance.state, at)) {
        report.status = Status::kNoForce;
        report.cause = *cause;
        return report;
      }
      at.iterations = report.iterations;
      report.equilibrium = std::move(at);
      return report;
    }
  }
  if (!balance.changing) {
    tell_push(chart, balance.state, report);
    return report;
  }
  const model::AuxiliaryState& state = chart.model().mechanism().states()[*balance.changing];
  report.is_state = true;
  report.has_no_feedback = balance.has_no_feedback;
  report.pushed = state.name + ".value";
  report.pushed_value = core::rounded_text(balance.state.memory.states[*balance.changing], 6) + " " +
                        core::si_unit(state.dimension);
  report.force = balance.rate;
  report.unit = core::si_unit(state.dimension) + "/s";
  return report;
}

/// Positions and auxiliary states together; `pushed`: also from where the mechanism rests with the states that it starts with.
EquilibriumReport try_together(FreedomChart& chart, const State& start, bool pushed) {
  const StateBalance balance = balance_with_states(chart, start);
  EquilibriumReport first = report_of(chart, balance, 0);
  if (first.usable() || !pushed || first.has_no_feedback) return first;
  chart.let_states_follow(false);
  Walk walk(chart, Way::kPushed);
  if (walk.run(start) != EquilibriumReport::Status::kFound) return first;
  const StateBalance again = balance_with_states(chart, walk.found());
  EquilibriumReport second = report_of(chart, again, first.iterations + walk.iterations());
  return second.usable() ? second : first;
}

}  // namespace

EquilibriumReport try_equilibrium(FreedomChart& chart, const State& start) {
  check_has_freedoms(chart);
  if (chart.num_states() == 0) return try_without_states(chart, start);
  if (follow_if_they_can(chart, start)) {
    EquilibriumReport report = try_without_states(chart, start);
    if (report.usable()) return report;
    EquilibriumReport together = try_together(chart, start, false);
    return together.usable() ? together : report;
  }
  return try_together(chart, start, true);
}

namespace {

EquilibriumReport try_without_states(FreedomChart& chart, const State& start) {
  using Status = EquilibriumReport::Status;
  std::vector<Walk> walks{Walk(chart, Way::kPushed)};
  std::vector<Status> ends{walks.back().run(start)};
  const auto goes_on = [&] { return ends.back() != Status::kFound && ends.back() != Status::kNoForce; };
  if (goes_on()) {
    walks.emplace_back(chart, Way::kNearest);
    ends.push_back(walks.back().run(start));
  }
  if (goes_on() && !walks.front().least().q.empty()) {
    const State least = walks.front().least();
    walks.emplace_back(chart, Way::kNearest);
    ends.push_back(walks.back().run(least));
  }
  return report_of(chart, start, walks, ends);
}

}  // namespace

EquilibriumReport try_nearest_equilibrium(FreedomChart& chart, const State& start) {
  check_has_freedoms(chart);
  if (chart.num_states() > 0 && !follow_if_they_can(chart, start)) return try_together(chart, start, false);
  std::vector<Walk> walks{Walk(chart, Way::kNearest)};
  const std::vector<EquilibriumReport::Status> ends{walks.back().run(start)};
  return report_of(chart, start, walks, ends);
}

Equilibrium describe_equilibrium(FreedomChart& chart, const State& state) {
  Equilibrium at;
  if (const std::optional<core::ErrorText> cause = describe(chart, state, at)) throw core::ModelError(*cause);
  return at;
}

namespace {

std::optional<core::ErrorText> describe(FreedomChart& chart, const State& state, Equilibrium& at) {
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

}  // namespace

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

core::ErrorText EquilibriumReport::error_text(const model::Mechanism& mechanism) const {
  if (status == Status::kNoForce) return cause;
  if (is_state)
    return {.what = "no equilibrium was found",
            .where = "mechanism '" + mechanism.name() + "'",
            .expected = "a position near the start where all forces balance and no auxiliary state changes",
            .actual = has_no_feedback
                          ? "'" + pushed + "', which changes by " + core::rounded_text(force, 4) + " " +
                                unit + " whatever the position and the states are"
                          : "at best " + pushed + " = " + pushed_value + ", which still changes by " +
                                core::rounded_text(force, 4) + " " + unit,
            .next = "Its rate must become 0 somewhere: an integral without feedback has no rest."};
  const std::string left = pushed.empty() ? "none found"
                                          : "at best " + pushed + " = " + pushed_value +
                                                ", where the unbalanced effort is still " +
                                                core::rounded_text(force, 4) + " " + unit;
  return {.what = status == Status::kSingular ? "the way to an equilibrium leads to a singular position"
                                              : "no equilibrium was found",
          .where = "mechanism '" + mechanism.name() + "'",
          .expected = "a position near the start where all forces balance",
          .actual = left + ", after " + std::to_string(iterations) +
                    (iterations == 1 ? " iteration" : " iterations"),
          .next = status == Status::kSingular
                      ? "Branches of the mechanism meet there: start on another side of it."
                      : "Start closer to the equilibrium, or check the loads: a load that nothing balances "
                        "has no equilibrium."};
}

}  // namespace eslabon::dynamics
