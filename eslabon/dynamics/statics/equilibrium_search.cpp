#include "eslabon/dynamics/statics/equilibrium_search.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <Eigen/Geometry>

#include "eslabon/core/linalg/eigenvalues.hpp"
#include "eslabon/core/random/rng.hpp"

namespace eslabon::dynamics {

using coordinates::MechanismMotion;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double kStep = 0.04;  // along a curve: rad, or of the mechanism's size
constexpr double kShortestStep = 1e-4;
constexpr double kLongestWay = 40.0;
constexpr double kSame = 1e-5;       // rad, or of the mechanism's size: one position
constexpr double kSameAngle = 1e-3;  // of springs that wind up
constexpr double kNearTouch = 0.05;  // of what acts: f may touch 0 near by
constexpr double kNothing = 1e-12;   // of what acts
constexpr int kMostStarts = 600;
constexpr double kMostForces = 10'000;  // evaluations of forces, of a search that has found nothing
constexpr double kWalk = 3.0;
constexpr double kAside = 0.3;  // from an equilibrium along its modes

/// Number i of Halton's sequence in this base, in (0, 1).
double halton(int i, int base) {
  double value = 0.0, part = 1.0;
  for (; i > 0; i /= base) value += (part /= base) * (i % base);
  return value;
}

class Search {
 public:
  Search(FreedomChart& chart, const SearchOptions& options) : chart_(chart), options_(options) {}

  EquilibriumSearch run(const State& start) {
    result_.from_start = find_equilibrium(chart_, start);
    result_.starts = 1;
    count(result_.from_start);
    if (result_.from_start.usable()) add(*result_.from_start.equilibrium);
    if (is_enough()) {
      result_.thoroughness = "those found first; there may be others";
      return result_;
    }
    if (chart_.num_freedoms() == 1 && chart_.num_states() == 0) {
      follow_curves(start);
    } else {
      look_from_everywhere(start);
    }
    return result_;
  }

 private:
  /// A curve that was followed.
  struct Curve {
    bool is_closed = false;
    std::vector<MechanismMotion> points;
  };

  bool is_enough() const {
    return options_.most > 0 && static_cast<int>(result_.found.size()) >= options_.most;
  }
  /// Of a machine with many degrees of freedom each start takes seconds: who finds nothing ends, and says so.
  bool is_hopeless() const { return result_.found.empty() && forces_ > kMostForces; }
  void count(const EquilibriumReport& report) { forces_ += 2.0 * report.iterations * chart_.num_freedoms(); }

  MechanismMotion bodies_at(const State& state) {
    MechanismMotion bodies(chart_.model().mechanism().bodies().size());
    chart_.evaluate_bodies(state, std::vector<double>(state.q.size(), 0.0), bodies);
    return bodies;
  }

  bool is_known(const Equilibrium& one) {
    return std::ranges::any_of(result_.found, [&](const Equilibrium& other) {
      for (std::size_t k = 0; k < one.state.memory.angles.size(); ++k)
        if (std::abs(one.state.memory.angles[k] - other.state.memory.angles[k]) > kSameAngle) return false;
      if (!has_same_states(one, other)) return false;
      return distance_of(one.bodies, other.bodies, chart_.length()) < kSame || are_one_family(one, other);
    });
  }

  /// Whether auxiliary states are the same, but for those that nothing brings back.
  bool has_same_states(const Equilibrium& one, const Equilibrium& other) const {
    const std::vector<model::AuxiliaryState>& states = chart_.model().mechanism().states();
    for (std::size_t k = 0; k < states.size(); ++k) {
      if (std::ranges::find(one.neutral_states, states[k].name) != one.neutral_states.end()) continue;
      const double a = one.state.memory.states[k], b = other.state.memory.states[k];
      if (std::abs(a - b) > kSame * std::max({states[k].size, std::abs(a), std::abs(b)})) return false;
    }
    return true;
  }

  /// Whether neutral motions lead from one to the other, as far as energy, stiffnesses and joints tell.
  bool are_one_family(const Equilibrium& one, const Equilibrium& other) {
    if (one.neutral.cols() == 0 || one.neutral.cols() != other.neutral.cols()) return false;
    const double size = std::max(one.stiffnesses.cwiseAbs().maxCoeff(), scale_of(one));
    if (std::abs(one.potential_energy - other.potential_energy) > kSame * size) return false;
    const std::vector<Eigen::Vector3d> here = joint_places(one.bodies), there = joint_places(other.bodies);
    double apart = 0.0;
    for (std::size_t k = 0; k < here.size(); ++k) apart = std::max(apart, (here[k] - there[k]).norm());
    if (apart < kSame * chart_.length()) return true;  // idle spins, wheels
    return moves_joints(one) && moves_joints(other) &&
           (one.stiffnesses - other.stiffnesses).cwiseAbs().maxCoeff() < 1e-3 * size;
  }
  double scale_of(const Equilibrium& at) { return chart_.force_scale(at.state, at.directions); }
  std::vector<Eigen::Vector3d> joint_places(const MechanismMotion& bodies) const {
    std::vector<Eigen::Vector3d> places;
    for (const model::Joint& joint : chart_.model().mechanism().joints())
      for (const model::JointEnd& end : joint.ends)
        places.push_back(bodies[end.body.slot()].point_position(end.X_BF.p_AB_A));
    return places;
  }
  /// Whether its neutral motions move the place of a joint.
  bool moves_joints(const Equilibrium& at) {
    MechanismMotion moving(at.bodies.size());
    for (Index k = 0; k < at.neutral.cols(); ++k) {
      chart_.evaluate_displacement(at.state, at.directions * at.neutral.col(k), moving);
      for (const model::Joint& joint : chart_.model().mechanism().joints())
        for (const model::JointEnd& end : joint.ends)
          if (moving[end.body.slot()].point_velocity(end.X_BF.p_AB_A).norm() > 1e-6 * chart_.length())
            return true;
    }
    return false;
  }
  void add(const Equilibrium& one) {
    if (!is_enough() && !is_known(one)) result_.found.push_back(one);
  }
  void look_from(const State& state) {
    ++result_.starts;
    const EquilibriumReport pushed = try_equilibrium(chart_, state);
    count(pushed);
    if (pushed.status == EquilibriumReport::Status::kNoForce) return;  // no place to start from
    if (pushed.usable()) add(*pushed.equilibrium);
    touch(state);
  }

  /// States of other assemblies, from random positions of the joints (a fixed seed).
  std::vector<State> other_assemblies(const State& start) {
    std::vector<State> states;
    const DynamicModel& model = chart_.model();
    const coordinates::ConstraintSystem tree("relative", model.mechanism(), model.structure(), {});
    if (tree.num_rows() == 0) return states;  // no loop, no other branch
    const auto n = static_cast<std::size_t>(tree.num_coordinates());
    std::vector<double> from(n), q(n), v(n, 0.0), a(n);
    tree.read_bodies(bodies_at(start), {from, v, a});
    std::ranges::fill(v, 0.0);
    std::vector<coordinates::CoordinateValue> values(model.prescribed().size());
    model.evaluate_drivers_or_throw(start.t, values);
    std::vector<double> drivers;
    for (const coordinates::CoordinateValue& value : values) drivers.push_back(value.position);
    coordinates::BodiesWorkspace workspace;
    MechanismMotion guess(model.mechanism().bodies().size());
    core::Rng rng(1);
    for (int i = 0; i < options_.tries; ++i) {
      for (std::size_t c = 0; c < n; ++c) {
        const core::Dimension& dimension = tree.coordinates()[c].dimension;
        q[c] = dimension == core::kAngle    ? std::numbers::pi * (2.0 * rng.uniform() - 1.0)
               : dimension == core::kLength ? from[c] + chart_.length() * rng.normal()
                                            : rng.normal();
      }
      tree.evaluate_bodies(q, v, v, workspace, guess);
      const kinematics::AssemblyReport report =
          kinematics::assemble_from(model.mechanism(), model.structure(), guess, drivers);
      if (!report.usable()) continue;
      states.push_back(chart_.state_of(report.bodies, start.t));
      // Springs that wind up are taken as they would be in a mechanism that is put together like this: within half a turn.
      std::ranges::fill(states.back().memory.angles, 0.0);
      model.forces().follow_angles(report.bodies, states.back().memory.angles);
    }
    return states;
  }

  // --- one freedom ---

  void follow_curves(const State& start) {
    std::vector<State> starts{start};
    for (State& state : other_assemblies(start)) starts.push_back(std::move(state));
    std::vector<Curve> curves;
    bool all_closed = true;
    for (const State& state : starts) {
      if (is_enough()) break;
      const MechanismMotion bodies = bodies_at(state);
      const bool is_on_one = std::ranges::any_of(curves, [&](const Curve& curve) {
        return std::ranges::any_of(curve.points, [&](const MechanismMotion& point) {
          return distance_of(point, bodies, chart_.length()) < 0.6 * kStep;
        });
      });
      if (is_on_one) continue;
      Curve curve;
      follow(state, 1.0, curve);
      if (!curve.is_closed) follow(state, -1.0, curve);
      all_closed = all_closed && curve.is_closed;
      curves.push_back(std::move(curve));
    }
    result_.curves = static_cast<int>(curves.size());
    result_.starts = static_cast<int>(starts.size());
    result_.is_exhaustive = all_closed && !is_enough();
    const std::string branches =
        curves.size() == 1 ? "this branch of motion" : std::to_string(curves.size()) + " branches of motion";
    if (is_enough())
      result_.thoroughness = "those found first; there may be others";
    else if (all_closed)
      result_.thoroughness =
          "all on " + branches + ", followed until " + (curves.size() == 1 ? "it closes" : "each closes");
    else
      result_.thoroughness =
          "all on " + branches +
          " as far as followed: 40 rad or 40 times the mechanism's size each way, or up to a "
          "singular position; there may be others beyond";
  }

  /// Follows a curve one way from a state and adds what is found on it.
  void follow(const State& start, double sense, Curve& curve) {
    const MechanismMotion first = bodies_at(start);
    State state = start;
    VectorXd along;  // dq of the step before
    double way = 0.0, pushes[3] = {0.0, 0.0, 0.0};
    State before = start;
    double step = kStep;
    int near_start = 0;
    was_nothing_ = false;
    for (int i = 0; way < kLongestWay && !is_enough(); ++i) {
      if (chart_.centre_at(state) != ChartStatus::kGood) return;
      FreedomForces forces;
      if (chart_.evaluate(chart_.centre(), forces) != ChartStatus::kGood) return;
      VectorXd dq = forces.directions.col(0);
      const double sign = i == 0 ? sense : (along.dot(dq) >= 0.0 ? 1.0 : -1.0);
      scale_ = std::max(scale_, chart_.force_scale(chart_.centre(), forces.directions));
      pushes[0] = pushes[1];
      pushes[1] = pushes[2];
      pushes[2] = sign * forces.force[0];
      curve.points.push_back(bodies_at(chart_.centre()));
      if (i >= 2 && touches(pushes)) touch(before);
      before = chart_.centre();
      if (chart_.centre_at(before) != ChartStatus::kGood) return;
      const double unit = chart_.size_of(before, dq);
      if (!(unit > 0.0)) return;
      State next;
      const VectorXd zero = VectorXd::Zero(1);
      while (chart_.move(VectorXd::Constant(1, sign * step / unit), zero, next) != ChartStatus::kGood)
        if ((step *= 0.5) < kShortestStep) return;
      bracket(sign * step / unit);
      along = sign * dq;
      way += step;
      state = next;
      step = std::min(kStep, 2.0 * step);
      const double distance = distance_of(bodies_at(state), first, chart_.length());
      if (way > 3.0 * kStep && distance < 0.75 * kStep && has_angles_of(state, start)) {
        ++near_start;
      } else if (near_start > 0) {  // past it: what lies between the last points was looked at
        curve.is_closed = true;
        return;
      }
    }
  }

  bool has_angles_of(const State& a, const State& b) const {
    for (std::size_t k = 0; k < a.memory.angles.size(); ++k)
      if (std::abs(a.memory.angles[k] - b.memory.angles[k]) > 1.0) return false;
    return true;
  }
  /// Whether the middle one is the smallest of three of one sign, and small.
  bool touches(const double (&push)[3]) const {
    return push[0] * push[1] > 0.0 && push[1] * push[2] > 0.0 && std::abs(push[1]) < std::abs(push[0]) &&
           std::abs(push[1]) <= std::abs(push[2]) && std::abs(push[1]) < kNearTouch * scale_;
  }
  void touch(const State& state) {
    const EquilibriumReport report = try_nearest_equilibrium(chart_, state);
    count(report);
    if (report.usable()) add(*report.equilibrium);
  }

  /// A change of sign of f between the centre and y, by bisection.
  void bracket(double y) {
    const VectorXd zero = VectorXd::Zero(1);
    const auto push = [&](double at) { return chart_.force_at(VectorXd::Constant(1, at), zero); };
    const auto f0 = push(0.0), f1 = push(y);
    if (!f0 || !f1) return;
    double left = 0.0, right = y, f_left = (*f0)[0];
    const double f_right = (*f1)[0];
    const bool is_nothing = std::abs(f_left) <= kNothing * scale_;
    if (std::exchange(was_nothing_, is_nothing) && is_nothing) return;
    if (is_nothing) {
      right = 0.0;
    } else if (f_left * f_right >= 0.0) {
      return;
    }
    for (int i = 0; i < 60 && right != left; ++i) {
      const double middle = 0.5 * (left + right);
      const auto f = push(middle);
      if (!f) return;
      if ((*f)[0] * f_left > 0.0) {
        left = middle;
      } else {
        right = middle;
      }
    }
    State state;
    if (chart_.move(VectorXd::Constant(1, right), zero, state) != ChartStatus::kGood) return;
    const State centre = chart_.centre();
    // Where springs have kinks a sign may change at a jump of f, which is no rest; Newton decides.
    touch(state);
    static_cast<void>(chart_.centre_at(centre));
  }

  // --- several freedoms ---

  void look_from_everywhere(const State& start) {
    if (is_hopeless()) return;
    for (const State& state : other_assemblies(start)) {
      if (is_enough() || is_hopeless()) break;
      look_from(state);
    }
    static constexpr int kPrimes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    const Index f = chart_.num_freedoms();
    for (int i = 1; i <= options_.walks && !is_enough() && !is_hopeless(); ++i) {
      VectorXd y(f);
      for (Index k = 0; k < f; ++k)
        y[k] = 2.0 * halton(i + static_cast<int>(k / 12) * 17, kPrimes[k % 12]) - 1.0;
      look_from(walked(start, kWalk * y));
    }
    for (std::size_t s = 0; s < result_.found.size() && result_.starts < kMostStarts && !is_enough(); ++s) {
      const Equilibrium at = result_.found[s];
      const core::SymmetricEigen modes =
          core::symmetric_eigen(0.5 * (at.stiffness + at.stiffness.transpose()));
      for (Index k = 0; k < std::min<Index>(f, 6); ++k)
        for (const double sense : {1.0, -1.0})
          look_from(walked(at.state, sense * kAside * modes.vectors.col(k)));
    }
    result_.thoroughness =
        is_enough() ? "those found first; there may be others"
                    : "found from " + std::to_string(result_.starts) + " starts; there may be others";
  }

  /// The state that a walk along y of the tangent space at `from` leads to, in steps that stay on the branch.
  State walked(const State& from, const VectorXd& y) {
    State state = from;
    if (chart_.centre_at(state) != ChartStatus::kGood) return state;
    FreedomForces forces;
    if (chart_.evaluate(chart_.centre(), forces) != ChartStatus::kGood) return state;
    const VectorXd dq = forces.directions * y;
    const int steps = std::max(1, static_cast<int>(std::ceil(chart_.size_of(state, dq) / 0.2)));
    for (int i = 0; i < steps; ++i) {
      State next;
      if (chart_.centre_at(state) != ChartStatus::kGood ||
          chart_.move(chart_.y_of(dq) / steps, VectorXd::Zero(y.size()), next) != ChartStatus::kGood)
        break;
      state = next;
    }
    return state;
  }

  FreedomChart& chart_;
  SearchOptions options_;
  EquilibriumSearch result_;
  double scale_ = 0.0;
  double forces_ = 0.0;  ///< that were evaluated, about
  bool was_nothing_ =
      false;  ///< at the last point of a curve f was 0: of positions that are all neutral the first is told
};

}  // namespace

double distance_of(const MechanismMotion& a, const MechanismMotion& b, double length) {
  double largest = 0.0;
  for (std::size_t k = 1; k < a.size(); ++k) {
    const Eigen::Matrix3d turn = a[k].X_WB.R_AB.matrix().transpose() * b[k].X_WB.R_AB.matrix();
    const Eigen::AngleAxisd axis(turn);
    largest =
        std::max({largest, std::abs(axis.angle()), (a[k].X_WB.p_AB_A - b[k].X_WB.p_AB_A).norm() / length});
  }
  return largest;
}

EquilibriumSearch search_equilibria(FreedomChart& chart, const State& start, const SearchOptions& options) {
  return Search(chart, options).run(start);
}

}  // namespace eslabon::dynamics
