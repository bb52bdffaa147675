#include "eslabon/dynamics/equilibrium.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include "eslabon/core/number_text.hpp"
#include "eslabon/dynamics/energy.hpp"
#include "eslabon/dynamics/extrapolated_difference.hpp"
#include "eslabon/dynamics/modes.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::dynamics {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int kMostIterations = 200;
constexpr int kMostHalvings = 12;
constexpr double kLargestMove = 0.5;   // of a body in one step: rad, or of the mechanism's size
constexpr double kQuickStep = 1e-4;    // of differences on the way
constexpr double kCarefulStep = 8e-3;  // of extrapolated ones
constexpr double kNoStiffness = 1e-9;  // of the largest, or of what acts
constexpr double kLastStep = 1e-10;    // rad, or of the mechanism's size
constexpr double kBalanced = 1e-9;     // of what acts
constexpr double kSymmetric = 1e-6;    // of the largest entry
constexpr double kNoGrowth = 1e-6;     // of the largest eigenvalue
constexpr double kNoMass = 1e-12;      // of the largest

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

/// K⁺ f, and the largest part of f that it leaves.
struct LeastStep {
  VectorXd dy;
  double rest = 0.0;
};

LeastStep least_step(const MatrixXd& K, const VectorXd& f, double scale) {
  const Eigen::JacobiSVD<MatrixXd> svd(K, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const double none = kNoStiffness * std::max(svd.singularValues()[0], scale);
  VectorXd in_basis = svd.matrixU().transpose() * f, left = VectorXd::Zero(f.size());
  for (Index i = 0; i < in_basis.size(); ++i) {
    if (svd.singularValues()[i] > none) {
      in_basis[i] /= svd.singularValues()[i];
    } else {
      left += in_basis[i] * svd.matrixU().col(i);
      in_basis[i] = 0.0;
    }
  }
  return {svd.matrixV() * in_basis, left.cwiseAbs().maxCoeff()};
}

/// (2)
VectorXd pushed_step(const MatrixXd& K, const VectorXd& f, double scale) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(0.5 * (K + K.transpose()));
  const VectorXd& lambda = solver.eigenvalues();
  const double small = 1e-6 * std::max(lambda.cwiseAbs().maxCoeff(), scale);
  if (lambda.minCoeff() > small) return K.partialPivLu().solve(f);  // Newton's, with the whole of K
  const VectorXd part = solver.eigenvectors().transpose() * f;
  return solver.eigenvectors() * part.cwiseQuotient(lambda.cwiseAbs().cwiseMax(small));
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
      look();
      const auto K = quick_stiffness(chart_);
      if (!K) return EquilibriumReport::Status::kNotFound;
      const LeastStep newton = least_step(*K, forces_.force, scale_);
      if (scale_ == 0.0 || (chart_.size_of(chart_.centre(), forces_.directions * newton.dy) <= kLastStep &&
                            newton.rest <= kBalanced * scale_)) {
        polish();
        return EquilibriumReport::Status::kFound;
      }
      const VectorXd dy = way_ == Way::kPushed ? pushed_step(*K, forces_.force, scale_) : newton.dy;
      if (!step(dy, state))
        return blocked_ ? EquilibriumReport::Status::kSingular : EquilibriumReport::Status::kNotFound;
    }
    return EquilibriumReport::Status::kNotFound;
  }

  int iterations() const { return iterations_; }
  const State& found() const { return found_; }
  const State& least() const { return least_; }  ///< where the least was left to push
  double least_force() const { return least_force_; }

 private:
  void look() {
    chart_.evaluate(chart_.centre(), forces_);
    scale_ = std::max(scale_, chart_.force_scale(chart_.centre(), forces_.directions));
    const double force = forces_.force.norm();
    if (least_.q.empty() || force < least_force_) {
      least_force_ = force;
      least_ = chart_.centre();
    }
  }

  /// Goes along dy as far as it is good; false when nowhere.
  bool step(VectorXd dy, State& state) {
    blocked_ = false;
    const double size = chart_.size_of(chart_.centre(), forces_.directions * dy);
    if (!(size > 1e-14)) return false;
    if (size > kLargestMove) dy *= kLargestMove / size;
    const VectorXd zero = VectorXd::Zero(dy.size());
    const double push = forces_.force.dot(dy), force = forces_.force.norm();
    double part = 1.0;
    for (int i = 0; i < kMostHalvings; ++i, part *= 0.5) {
      const auto there = chart_.force_at(part * dy, zero);
      if (!there) {
        blocked_ = true;
        continue;
      }
      const bool is_good =
          way_ == Way::kPushed ? there->dot(dy) >= -0.5 * push : there->norm() <= (1.0 - 1e-4 * part) * force;
      if (is_good) return chart_.move(part * dy, zero, state) == ChartStatus::kGood;
    }
    return false;
  }

  /// From an equilibrium to roundoff.
  void polish() {
    found_ = chart_.centre();
    double force = forces_.force.norm();
    for (int i = 0; i < 5 && force > 0.0; ++i) {
      const auto K = quick_stiffness(chart_);
      State state;
      if (!K || chart_.move(least_step(*K, forces_.force, scale_).dy, VectorXd::Zero(K->rows()), state) !=
                    ChartStatus::kGood)
        return;
      if (chart_.centre_at(state) != ChartStatus::kGood) return;
      chart_.evaluate(chart_.centre(), forces_);
      if (!(forces_.force.norm() < force)) return;
      force = forces_.force.norm();
      found_ = chart_.centre();
    }
  }

  FreedomChart& chart_;
  Way way_;
  FreedomForces forces_;
  double scale_ = 0.0;
  int iterations_ = 0;
  bool blocked_ = false;  ///< positions on the way could not be found
  State found_, least_;
  double least_force_ = 0.0;
};

/// What is pushed most at a state, in words.
void tell_push(FreedomChart& chart, const State& state, EquilibriumReport& report) {
  if (state.q.empty() || chart.centre_at_named(state) != ChartStatus::kGood) return;
  FreedomForces forces;
  chart.evaluate(chart.centre(), forces);
  double largest = -1.0;
  for (Index k = 0; k < forces.force.size(); ++k) {
    const auto column = static_cast<std::size_t>(chart.named_columns()[static_cast<std::size_t>(k)]);
    const coordinates::Coordinate& coordinate = chart.system().coordinates()[column];
    const bool is_length = coordinate.unit == coordinates::CoordinateUnit::kLength;
    const double size = std::abs(forces.force[k]) * (is_length ? chart.length() : 1.0);
    if (size <= largest) continue;
    largest = size;
    report.pushed = coordinate.name;
    report.pushed_value = core::rounded_text(chart.centre().q[column], 6) +
                          (is_length                                                ? " m"
                           : coordinate.unit == coordinates::CoordinateUnit::kAngle ? " rad"
                                                                                    : "");
    report.force = forces.force[k];
    report.unit = is_length ? "N" : "N m";
  }
}

/// The signs of a symmetric K.
Stability stability_of(const VectorXd& lambda, double none) {
  if (lambda.minCoeff() < -none) return Stability::kUnstable;
  return lambda.minCoeff() > none ? Stability::kStable : Stability::kNeutral;
}

/// Of M ÿ + D ẏ + K y = 0.
Stability stability_of(const Equilibrium& at, double none) {
  const Index f = at.mass.rows();
  const Eigen::PartialPivLU<MatrixXd> lu(at.mass);
  MatrixXd A = MatrixXd::Zero(2 * f, 2 * f);
  A.topRightCorner(f, f).setIdentity();
  A.bottomLeftCorner(f, f) = -lu.solve(at.stiffness);
  A.bottomRightCorner(f, f) = -lu.solve(at.damping);
  const Eigen::VectorXcd values = Eigen::EigenSolver<MatrixXd>(A, false).eigenvalues();
  if (values.real().maxCoeff() > kNoGrowth * values.cwiseAbs().maxCoeff()) return Stability::kUnstable;
  const double least = Eigen::JacobiSVD<MatrixXd>(at.stiffness).singularValues().minCoeff();
  return least > none ? Stability::kStable : Stability::kNeutral;
}

bool has_mass(const MatrixXd& M) {
  const VectorXd masses = Eigen::SelfAdjointEigenSolver<MatrixXd>(M, Eigen::EigenvaluesOnly).eigenvalues();
  return masses.minCoeff() > kNoMass * masses.maxCoeff();
}

/// Columns −∂f/∂y or −∂f/∂ẏ at the centre, and the largest error.
double careful_matrix(FreedomChart& chart, bool of_rates, MatrixXd& out) {
  const Index f = chart.num_freedoms();
  const VectorXd zero = VectorXd::Zero(f);
  out = MatrixXd::Zero(f, f);
  double error = 0.0;
  for (Index k = 0; k < f; ++k) {
    const auto derivative = extrapolated_difference(
        [&](double h) {
          const VectorXd along = h * VectorXd::Unit(f, k);
          return of_rates ? chart.force_at(zero, along) : chart.force_at(along, zero);
        },
        kCarefulStep);
    if (!derivative) continue;
    out.col(k) = -derivative->value;
    error = std::max(error, derivative->error);
  }
  return error;
}

void find_softest(Equilibrium& at, const VectorXd& lambda, const MatrixXd& vectors) {
  Index least = 0;
  at.softest = vectors.col((lambda.minCoeff(&least), least));
  if (!has_mass(at.mass)) return;
  if (at.is_conservative) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(
        0.5 * (at.stiffness + at.stiffness.transpose()), at.mass);
    at.softest = modes.eigenvectors().col(0).normalized();
    at.softest_square = modes.eigenvalues()[0];
    return;
  }
  const Eigen::EigenSolver<MatrixXd> modes(at.mass.partialPivLu().solve(at.stiffness));
  modes.eigenvalues().real().minCoeff(&least);
  at.softest = modes.eigenvectors().col(least).real().normalized();
  at.softest_square = modes.eigenvalues()[least].real();
}

EquilibriumReport report_of(FreedomChart& chart, const std::vector<Walk>& walks,
                            const std::vector<EquilibriumReport::Status>& ends) {
  EquilibriumReport report;
  for (const Walk& walk : walks) report.iterations += walk.iterations();
  report.status = ends.back();
  if (report.usable()) {
    report.equilibrium = describe_equilibrium(chart, walks.back().found());
    report.equilibrium->iterations = report.iterations;
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
       .expected = "at least one freedom that no driver moves",
       .actual = "none",
       .next = mechanism.drivers().empty() ? "Take a joint away." : "Let a driver go with --release."});
}

EquilibriumReport find_equilibrium(FreedomChart& chart, const State& start) {
  check_has_freedoms(chart);
  std::vector<Walk> walks{Walk(chart, Way::kPushed)};
  std::vector<EquilibriumReport::Status> ends{walks.back().run(start)};
  if (ends.back() != EquilibriumReport::Status::kFound) {
    walks.emplace_back(chart, Way::kNearest);
    ends.push_back(walks.back().run(start));
  }
  if (ends.back() != EquilibriumReport::Status::kFound && !walks.front().least().q.empty()) {
    const State least = walks.front().least();
    walks.emplace_back(chart, Way::kNearest);
    ends.push_back(walks.back().run(least));
  }
  return report_of(chart, walks, ends);
}

EquilibriumReport find_nearest_equilibrium(FreedomChart& chart, const State& start) {
  check_has_freedoms(chart);
  std::vector<Walk> walks{Walk(chart, Way::kNearest)};
  const std::vector<EquilibriumReport::Status> ends{walks.back().run(start)};
  return report_of(chart, walks, ends);
}

Equilibrium describe_equilibrium(FreedomChart& chart, const State& state) {
  Equilibrium at;
  static_cast<void>(chart.centre_at(state));
  FreedomForces forces;
  chart.evaluate(chart.centre(), forces);
  at.state = chart.centre();
  at.bodies.resize(chart.model().mechanism().bodies().size());
  chart.evaluate_bodies(at.state, std::vector<double>(at.state.q.size(), 0.0), at.bodies);
  at.mass = forces.mass;
  at.directions = forces.directions;
  const double scale = chart.force_scale(at.state, forces.directions);
  at.residual = scale > 0.0 ? forces.force.cwiseAbs().maxCoeff() / scale : 0.0;
  const double error = careful_matrix(chart, false, at.stiffness);
  careful_matrix(chart, true, at.damping);
  const double largest = at.stiffness.cwiseAbs().maxCoeff();
  at.stiffness_error = largest > 0.0 ? error / largest : 0.0;
  at.is_conservative = (at.stiffness - at.stiffness.transpose()).cwiseAbs().maxCoeff() <=
                       std::max(kSymmetric * std::max(largest, kNoStiffness * scale), 10.0 * error);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(0.5 * (at.stiffness + at.stiffness.transpose()));
  const double none =
      std::max(kNoStiffness * std::max(solver.eigenvalues().cwiseAbs().maxCoeff(), scale), 10.0 * error);
  at.stability = at.is_conservative || !has_mass(at.mass) ? stability_of(solver.eigenvalues(), none)
                                                          : stability_of(at, none);
  at.stiffnesses = solver.eigenvalues();
  for (Index k = 0; k < at.stiffnesses.size(); ++k) {
    if (std::abs(at.stiffnesses[k]) > none) continue;
    at.neutral.conservativeResize(at.stiffnesses.size(), at.neutral.cols() + 1);
    at.neutral.rightCols(1) = solver.eigenvectors().col(k);
  }
  find_softest(at, solver.eigenvalues(), solver.eigenvectors());
  if (at.stability == Stability::kNeutral && at.softest_square &&
      std::abs(at.softest.dot(at.stiffness * at.softest)) <= none)
    at.softest_square = 0.0;
  at.potential_energy = potential_energy(chart.model(), at.state, at.bodies);
  return at;
}

double potential_energy(const DynamicModel& model, const State& state,
                        const coordinates::MechanismMotion& bodies) {
  const model::Mechanism& mechanism = model.mechanism();
  std::vector<double> lengths;
  std::size_t angle = 0;
  for (const model::Spring& spring : mechanism.springs()) {
    double length = kinematics::connection_value(mechanism, spring.connection, bodies).length;
    const auto* const joint = std::get_if<model::JointCoordinate>(&spring.connection);
    if (joint && angle < state.memory.angles.size() && *joint == model.forces().angle_coordinate(angle))
      length = coordinates::unwrapped(length, state.memory.angles[angle++]);
    lengths.push_back(length);
  }
  double V = potential_energy(mechanism, bodies, lengths);
  for (const StopSide& side : model.forces().soft_sides()) {
    const double depth = -model.forces().gap(side, state.t, bodies, state.memory).gap;
    if (depth > 0.0) V += 0.5 * mechanism.stops()[side.stop].stiffness * depth * depth;
  }
  return V;
}

core::ErrorText EquilibriumReport::error_text(const model::Mechanism& mechanism) const {
  const std::string left = pushed.empty() ? "none found"
                                          : "at best " + pushed + " = " + pushed_value +
                                                ", where it is still pushed with " +
                                                core::rounded_text(force, 4) + " " + unit;
  return {.what = status == Status::kSingular ? "the way to an equilibrium leads to a singular position"
                                              : "no equilibrium was found",
          .where = "mechanism '" + mechanism.name() + "'",
          .expected = "a position near the start where nothing is pushed",
          .actual = left + ", after " + std::to_string(iterations) +
                    (iterations == 1 ? " iteration" : " iterations"),
          .next = status == Status::kSingular
                      ? "Branches of the mechanism meet there: start on another side of it."
                      : "Start nearer to where it should rest, or look at what pushes it: a load that "
                        "nothing holds has no equilibrium."};
}

}  // namespace eslabon::dynamics
