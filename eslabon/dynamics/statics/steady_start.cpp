#include "eslabon/dynamics/statics/steady_start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "eslabon/core/linalg/least_norm.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/statics/equilibrium_walk.hpp"
#include "eslabon/dynamics/statics/freedom_chart.hpp"
#include "eslabon/dynamics/statics/scaled_newton.hpp"
#include "eslabon/tyres/tyre_on_road.hpp"

namespace eslabon::dynamics {

using coordinates::MechanismMotion;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

constexpr int kMostSteps = 100;
constexpr int kMostHalvings = 20;
constexpr double kStep = 1e-4;  // of differences: rad, of the mechanism's size, or either in a second
constexpr double kRoundoffOfSteps = 64.0 * std::numeric_limits<double>::epsilon() / kStep;
constexpr double kRoundoffOfRates = 64.0 * std::numeric_limits<double>::epsilon();
constexpr double kLargestMove = 0.3;  // of a body in one step: rad, or of the mechanism's size
constexpr double kLastStep = 1e-10;   // rad, of the mechanism's size, of the states' sizes
constexpr double kBalanced = 1e-9;    // of what acts
constexpr double kSame = 1e-9;        // of a motion: it is none
constexpr int kLowerings = 60;

[[noreturn]] void refuse(std::string what, std::string expected, std::string actual, std::string next) {
  throw core::ModelError({.what = std::move(what),
                          .where = "start, speed",
                          .expected = std::move(expected),
                          .actual = std::move(actual),
                          .next = std::move(next)});
}

core::LeastNorm least_norm(const MatrixXd& A) {
  core::LeastNorm solver;
  solver.compute(A, kSame * core::longest_column(A));
  return solver;
}

class SteadySearch {
 public:
  explicit SteadySearch(const DynamicModel& model)
      : model_(model),
        mechanism_(model.mechanism()),
        chart_(model, FreedomChart::Drivers::kHeld),
        V_(mechanism_.start_speed()->value),
        bodies_(mechanism_.bodies().size()) {
    for (std::size_t b = 1; b < mechanism_.bodies().size(); ++b)
      if (mechanism_.bodies()[b].mass_properties.mass > 0.0) heavy_.push_back(b);
    check_drivers();
    const tyres::Road& road = mechanism_.road();
    const Vector3d x = model.start()[mechanism_.start_speed()->body.slot()].X_WB.R_AB.matrix().col(0);
    const Eigen::Vector2d level = x.head<2>();
    if (!(level.norm() > kSame))
      refuse("the body looks straight up or down", "a body whose x points ahead", "x along z",
             "Turn it by its 'rotation' under 'assembly', or name another body with 'of'.");
    ahead_ << level, level.dot(Eigen::Vector2d(road.slope_x, road.slope_y));
    ahead_.normalize();
    up_ = Vector3d(-road.slope_x, -road.slope_y, 1.0).normalized();
  }

  SteadyStart find() {
    State state = chart_.state_of(model_.start(), 0.0);
    std::ranges::fill(state.v, 0.0);
    lower(state);
    roll(state);
    settle(state);
    roll(state);
    std::optional<State> found = newton(state, false);
    if (!found && V_ != 0.0) found = newton(state, true);
    if (!found && is_uneven(state)) found = as_steady_as_the_road_lets(state);
    if (!found) throw_not_found();
    SteadyStart out;
    out.slowing = slowing_;
    chart_.evaluate_bodies(*found, std::vector<double>(found->q.size(), 0.0), bodies_);
    out.bodies = bodies_;
    out.states = found->memory.states;
    return out;
  }

 private:
  void check_drivers() const {
    std::vector<coordinates::CoordinateValue> values(model_.prescribed().size());
    model_.evaluate_drivers_or_throw(0.0, values);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i].velocity != 0.0)
        refuse("a driver moves at the start", "drivers that stand still at t = 0 s, such as the steering",
               model_.prescribed()[i].name + " at " + core::rounded_text(values[i].velocity, 4) + " " +
                   std::string(model::unit(mechanism_, mechanism_.drivers()[i].target)) + "/s",
               "Let it begin later, or give start rates instead of the speed.");
  }

  /// What can move at the centre: ẏ_e and N of (1).
  struct Carriage {
    VectorXd along;  ///< ẏ_e
    MatrixXd spins;  ///< N
    MatrixXd
        posture;  ///< y without those that change nothing on a plane road: shifts along it, and turns of wheels
    FreedomForces forces;
  };

  /// (3 per body with mass, ω too: 6) velocities of mass centres for unit rates of y. Bodies without mass stand between others, such as the
  /// slides of a float of six pairs, of which some stay behind.
  MatrixXd velocities(const State& state, const MatrixXd& directions, bool with_turns) {
    const Index rows = with_turns ? 6 : 3;
    MatrixXd G(rows * static_cast<Index>(heavy_.size()), directions.cols());
    for (Index k = 0; k < directions.cols(); ++k) {
      chart_.evaluate_displacement(state, directions.col(k), bodies_);
      Index row = 0;
      for (const std::size_t b : heavy_) {
        G.block<3, 1>(row, k) = bodies_[b].point_velocity(mechanism_.bodies()[b].mass_properties.p_BC_B);
        if (with_turns) G.block<3, 1>(row + 3, k) = chart_.length() * bodies_[b].w_WB_W;
        row += rows;
      }
    }
    return G;
  }

  /// The rates of y with which all bodies move by `direction`; nothing where something holds them.
  std::optional<VectorXd> find_shift(const MatrixXd& G, const Vector3d& direction) const {
    VectorXd wanted = VectorXd::Zero(G.rows());
    for (Index row = 0; row < G.rows(); row += 6) wanted.segment<3>(row) = direction;
    VectorXd rates = least_norm(G).solve(wanted);
    if ((G * rates - wanted).norm() > kSame * wanted.norm()) return std::nullopt;
    return rates;
  }
  VectorXd shift_along(const MatrixXd& G, const Vector3d& direction) const {
    if (std::optional<VectorXd> rates = find_shift(G, direction)) return *rates;
    refuse("the mechanism cannot go straight on", "nothing that holds it to the ground",
           "a joint, a driver or a rod to the ground", "Free it, or give start rates instead.");
  }

  /// Of these motions those that change no force: a wheel turns on, a body that a spring holds upright does not. Nothing where a force has no value.
  std::optional<MatrixXd> without_stiffness(const MatrixXd& motions, const MatrixXd& directions) {
    const Index f = directions.cols();
    const VectorXd zero = VectorXd::Zero(f), acting = chart_.force_scales(chart_.centre(), directions);
    MatrixXd K(f, motions.cols());
    for (Index k = 0; k < motions.cols(); ++k) {
      const auto right = chart_.force_at(kStep * motions.col(k), zero),
                 left = chart_.force_at(-kStep * motions.col(k), zero);
      if (!right || !left) return std::nullopt;
      K.col(k) = (*right - *left) / (2.0 * kStep);
      for (Index r = 0; r < f; ++r)
        if (std::abs(K(r, k)) <= kRoundoffOfSteps * acting[r]) K(r, k) = 0.0;
    }
    if (K.isZero(0.0)) return motions;
    return MatrixXd(motions * least_norm(K).null_space());
  }

  [[nodiscard]] bool carriage_at(const State& state, Carriage& out) {
    if (chart_.centre_at(state) != ChartStatus::kGood) return false;
    if (chart_.evaluate(chart_.centre(), out.forces) != ChartStatus::kGood) return false;
    const MatrixXd& R = out.forces.directions;
    const MatrixXd G = velocities(chart_.centre(), R, true);
    out.along = shift_along(G, ahead_);
    const std::optional<MatrixXd> spins =
        without_stiffness(least_norm(velocities(chart_.centre(), R, false)).null_space(), R);
    if (!spins) return false;
    out.spins = *spins;
    const std::optional<VectorXd> across = find_shift(G, up_.cross(ahead_));
    MatrixXd changes_nothing(R.cols(), out.spins.cols() + 1 + (across ? 1 : 0));
    changes_nothing.leftCols(out.spins.cols() + 1) << out.spins, out.along;
    if (across) changes_nothing.rightCols(1) = *across;
    out.posture = least_norm(changes_nothing.transpose()).null_space();
    return true;
  }

  /// Gives the centre the speed and these spins. False where a force has no value then.
  [[nodiscard]] bool go(Carriage& carriage, const VectorXd& w) {
    State state = chart_.centre();
    const VectorXd rates = V_ * carriage.along + carriage.spins * w;
    Eigen::Map<VectorXd>(state.v.data(), static_cast<Index>(state.v.size())) =
        carriage.forces.directions * rates;
    return chart_.centre_at(state) == ChartStatus::kGood &&
           chart_.evaluate(chart_.centre(), carriage.forces) == ChartStatus::kGood;
  }

  /// Brings the mechanism to where its tyres carry it across the road, all else as it is.
  void lower(State& state) {
    Carriage carriage;
    if (!carriage_at(state, carriage)) return;
    const VectorXd across = shift_along(velocities(chart_.centre(), carriage.forces.directions, true), up_);
    const VectorXd zero = VectorXd::Zero(across.size());
    const auto pushed = [&](double height) {
      const auto force = chart_.force_at(height * across, zero);
      return force ? force->dot(across) : std::nan("");
    };
    double low = 0.0, high = 0.0;
    for (double way = 0.01; pushed(low) <= 0.0 && way < 2.0; way *= 2.0) low -= way;
    for (double way = 0.01; pushed(high) > 0.0 && way < 2.0; way *= 2.0) high += way;
    if (!(pushed(low) > 0.0 && pushed(high) <= 0.0)) return;
    for (int i = 0; i < kLowerings; ++i) {
      const double middle = 0.5 * (low + high);
      (pushed(middle) > 0.0 ? low : high) = middle;
    }
    State lowered;
    if (chart_.move(low * across, zero, lowered) == ChartStatus::kGood) state = lowered;
  }

  /// Lets the mechanism sink into its springs as on a level road: what its weight has along the road is taken off it, and soft springs keep it at
  /// its place, so that it does not roll off a bump. Where that does not end, the search begins where least was left.
  void settle(State& state) {
    constexpr int kPatience = 8;         // steps: forces of tyres that roll lead some vehicles nowhere
    constexpr double kFrequency = 30.0;  // rad/s: 1 mm aside for a slope of 10 %
    const Vector3d along_road = mechanism_.gravity_W() - up_.dot(mechanism_.gravity_W()) * up_;
    chart_.evaluate_bodies(state, std::vector<double>(state.q.size(), 0.0), bodies_);
    DynamicModel level = model_;
    level.add_force([&, from = bodies_](double, const MechanismMotion& bodies, std::span<Wrench> wrenches) {
      for (std::size_t b = 1; b < bodies.size(); ++b) {
        const model::MassProperties& mass = mechanism_.bodies()[b].mass_properties;
        Vector3d aside = bodies[b].point_position(mass.p_BC_B) - from[b].point_position(mass.p_BC_B);
        aside -= up_.dot(aside) * up_;
        wrenches[b].add_force(-mass.mass * (along_road + kFrequency * kFrequency * aside),
                              bodies[b].direction(mass.p_BC_B));
      }
    });
    FreedomChart chart(level, FreedomChart::Drivers::kHeld);
    EquilibriumWalk walk(chart, EquilibriumWalk::Way::kPushed);
    walk.give_up_after(kPatience);
    const bool is_found = walk.run(state) == EquilibriumReport::Status::kFound;
    if (is_found || !walk.least().q.empty()) state = is_found ? walk.found() : walk.least();
  }

  /// Lets the wheels turn so that they roll, by the radii that the tyres have where they stand.
  void roll(State& state) {
    Carriage carriage;
    if (!carriage_at(state, carriage) || carriage.spins.cols() == 0) return;
    const auto& list = mechanism_.tyres();
    MatrixXd turning(static_cast<Index>(list.size()), carriage.spins.cols());
    VectorXd wanted(turning.rows());
    chart_.evaluate_bodies(chart_.centre(), std::vector<double>(state.q.size(), 0.0), bodies_);
    const MechanismMotion standing = bodies_;
    for (std::size_t k = 0; k < list.size(); ++k) {
      const coordinates::BodyMotion& wheel = standing[list[k].center.body.slot()];
      const tyres::WheelMotionOf<double> motion{wheel.point_position(mechanism_.point(list[k].center).p_BP_B),
                                                wheel.direction(list[k].axis_B), Vector3d::Zero(),
                                                Vector3d::Zero()};
      const tyres::RoadFeeler feeler{tyres::unloaded_radius(list[k].fitted),
                                     list[k].fitted.contact_half_length};
      const auto contact = tyres::wheel_contact(mechanism_.road(), feeler, motion);
      wanted[static_cast<Index>(k)] =
          V_ * ahead_.dot(contact.ahead) / std::min(contact.radius, feeler.free_radius);
    }
    for (Index j = 0; j < carriage.spins.cols(); ++j) {
      chart_.evaluate_displacement(chart_.centre(), carriage.forces.directions * carriage.spins.col(j),
                                   bodies_);
      for (std::size_t k = 0; k < list.size(); ++k) {
        const std::size_t wheel = list[k].center.body.slot();
        turning(static_cast<Index>(k), j) =
            bodies_[wheel].w_WB_W.dot(standing[wheel].direction(list[k].axis_B));
      }
    }
    if (go(carriage, least_norm(turning).solve(wanted))) state = chart_.centre();
  }

  /// ∂(f, ξ̇)/∂(y, w, ξ), and by the slowing where it coasts.
  std::optional<MatrixXd> jacobian(const Carriage& carriage, bool coasts) {
    const Index f = carriage.along.size(), s = chart_.num_states();
    const Index p = carriage.posture.cols(), spins = carriage.spins.cols();
    MatrixXd J(f + s, p + spins + s + (coasts ? 1 : 0));
    const VectorXd zero = VectorXd::Zero(f);
    const auto difference = [&](const VectorXd& y, const VectorXd& y_dot, auto&& column) {
      const auto right = chart_.force_at(y, y_dot, true), left = chart_.force_at(-y, -y_dot, true);
      if (!right || !left) return false;
      column = (*right - *left) / (2.0 * kStep);
      return true;
    };
    for (Index k = 0; k < p; ++k)
      if (!difference(kStep * carriage.posture.col(k), zero, J.col(k))) return std::nullopt;
    for (Index k = 0; k < spins; ++k)
      if (!difference(zero, kStep * carriage.spins.col(k), J.col(p + k))) return std::nullopt;
    VectorXd by_speed(f + s);
    if (!difference(zero, kStep * carriage.along, by_speed)) return std::nullopt;
    const std::optional<StateDerivatives> by = chart_.differentiate_states(chart_.centre());
    if (!by) return std::nullopt;
    J.block(0, p + spins, f, s) = by->force;
    J.block(f, p + spins, s, s) = by->rate;
    // Differences that are roundoff of what acts, and of what the speed, the wheels and the states make of a rate, are none. So are rates of
    // states that only the roundoff of a speed changes, such as that of a dry friction where nothing slides.
    const std::optional<VectorXd> by_speeds = rates_by_speeds(carriage);
    if (!by_speeds) return std::nullopt;
    VectorXd acting(f + s);
    acting.head(f) = chart_.force_scales(chart_.centre(), carriage.forces.directions);
    acting.tail(s) = J.block(f, p, s, spins).cwiseAbs() * spins_of(carriage, chart_.centre()).cwiseAbs() +
                     std::abs(V_) * by_speed.tail(s).cwiseAbs() + by->rate.cwiseAbs().rowwise().sum() +
                     *by_speeds;
    for (Index r = 0; r < f + s; ++r)
      for (Index k = 0; k < p + spins; ++k)
        if (std::abs(J(r, k)) <= kRoundoffOfSteps * acting[r]) J(r, k) = 0.0;
    noise_ = kRoundoffOfRates * *by_speeds;
    for (Index r = 0; r < s; ++r)
      for (Index k = 0; k < s; ++k)
        if (std::abs(J(f + r, p + spins + k)) <= noise_[r]) J(f + r, p + spins + k) = 0.0;
    if (coasts) J.col(J.cols() - 1) << momentum(carriage) / V_, VectorXd::Zero(s);
    return J;
  }

  /// (states) how fast each would change if what it depends on most moved as fast as all that moves.
  std::optional<VectorXd> rates_by_speeds(const Carriage& carriage) {
    const Index f = carriage.along.size(), s = chart_.num_states();
    VectorXd most = VectorXd::Zero(s);
    for (Index k = 0; s > 0 && k < f; ++k) {
      const VectorXd one = kStep * VectorXd::Unit(f, k), zero = VectorXd::Zero(f);
      const auto right = chart_.force_at(zero, one, true), left = chart_.force_at(zero, -one, true);
      if (!right || !left) return std::nullopt;
      most = most.cwiseMax((*right - *left).tail(s).cwiseAbs() / (2.0 * kStep));
    }
    const auto& v = chart_.centre().v;
    return VectorXd(most *
                    chart_.y_of(Eigen::Map<const VectorXd>(v.data(), static_cast<Index>(v.size()))).norm());
  }

  /// M ẏ at the centre.
  VectorXd momentum(const Carriage& carriage) const {
    constexpr double kRoundoff = 1e-13;
    const auto& v = chart_.centre().v;
    const VectorXd rates = chart_.y_of(Eigen::Map<const VectorXd>(v.data(), static_cast<Index>(v.size())));
    const VectorXd most = carriage.forces.mass.cwiseAbs() * rates.cwiseAbs();
    VectorXd out = carriage.forces.mass * rates;
    for (Index r = 0; r < out.size(); ++r)
      if (std::abs(out[r]) <= kRoundoff * most[r]) out[r] = 0.0;
    return out;
  }

  /// (f, ξ̇) of (2), or of (3).
  std::optional<VectorXd> residual(const Carriage& carriage) {
    auto now = chart_.force_at_state(chart_.centre());
    if (now && slowing_ != 0.0) now->head(carriage.along.size()) += slowing_ / V_ * momentum(carriage);
    return now;
  }

  /// Whether a tyre stands where the road is not the plane.
  bool is_uneven(const State& state) {
    const tyres::Road& road = mechanism_.road();
    if (!road.relief && road.bumps.empty()) return false;
    chart_.evaluate_bodies(state, std::vector<double>(state.q.size(), 0.0), bodies_);
    for (const model::Tyre& tyre : mechanism_.tyres()) {
      const Vector3d C =
          bodies_[tyre.center.body.slot()].point_position(mechanism_.point(tyre.center).p_BP_B);
      const auto at = tyres::road_at(road, C.x(), C.y());
      if (at.slope_x != road.slope_x || at.slope_y != road.slope_y ||
          tyres::plank_lift(road, tyres::unloaded_radius(tyre.fitted), C.x(), C.y()) != 0.0)
        return true;
    }
    return false;
  }

  /// Where least is left of (2), or of (3) if that is much less: on an uneven road nothing is steady.
  std::optional<State> as_steady_as_the_road_lets(const State& state) {
    std::optional<State> driven = newton(state, false, true);
    const double left = left_;
    if (V_ == 0.0) return driven;
    constexpr double kMuchLess = 0.5;
    std::optional<State> coasting = newton(state, true, true);
    if (!driven || (coasting && left_ < kMuchLess * left)) return coasting;
    slowing_ = 0.0;
    return driven;
  }

  /// `ends_anywhere`: also where something is left that no step makes smaller.
  std::optional<State> newton(const State& start, bool coasts, bool ends_anywhere = false) {
    slowing_ = 0.0;
    Carriage carriage;
    State state = start;
    if (!carriage_at(state, carriage)) return std::nullopt;
    VectorXd w = spins_of(carriage, state);
    if (!go(carriage, w)) return std::nullopt;
    auto now = residual(carriage);
    const Index s = chart_.num_states();
    for (int i = 0; now && i < kMostSteps; ++i) {
      const auto J = jacobian(carriage, coasts);
      if (!J) return std::nullopt;
      for (Index r = 0; r < s; ++r)
        if (double& rate = (*now)[carriage.along.size() + r]; std::abs(rate) <= noise_[r]) rate = 0.0;
      const NewtonStep step = newton_step(*J, *now);
      left_ = step.residual.norm();
      const Index p = carriage.posture.cols(), spins = carriage.spins.cols();
      const VectorXd dy = carriage.posture * step.dx.head(p), dw = step.dx.segment(p, spins),
                     dxi = step.dx.segment(p + spins, s);
      const VectorXd xi = chart_.measured_states(chart_.centre());
      const double moved = chart_.size_of(chart_.centre(), carriage.forces.directions * dy);
      const double changed = s == 0 ? 0.0 : dxi.cwiseAbs().maxCoeff() / (1.0 + xi.cwiseAbs().maxCoeff());
      const double spun = spins == 0 ? 0.0 : dw.cwiseAbs().maxCoeff() / (1.0 + w.cwiseAbs().maxCoeff());
      if (std::max({moved, changed, spun}) <= kLastStep)
        return is_balanced(carriage, step) || ends_anywhere ? std::optional(chart_.centre()) : std::nullopt;
      const State centre = chart_.centre();
      const Carriage before = carriage;
      const double slowing = slowing_;
      double share = moved > kLargestMove ? kLargestMove / moved : 1.0;
      bool is_smaller = false;
      for (int half = 0; half < kMostHalvings && !is_smaller; ++half, share *= 0.5) {
        if (half > 0 && !(chart_.centre_at(centre) == ChartStatus::kGood)) return std::nullopt;
        State next;
        if (chart_.move(share * dy, before.spins * (share * dw), next) != ChartStatus::kGood) continue;
        chart_.set_states(xi + share * dxi, next);
        slowing_ = slowing + (coasts ? share * step.dx[step.dx.size() - 1] : 0.0);
        if (!carriage_at(next, carriage)) continue;
        w = spins_of(carriage, next);
        if (!go(carriage, w)) continue;
        now = residual(carriage);
        is_smaller =
            now && step.by.rows.cwiseProduct(*now).norm() <= (1.0 - 1e-4 * share) * step.residual.norm();
      }
      if (!is_smaller) {
        if (chart_.centre_at(centre) != ChartStatus::kGood) return std::nullopt;
        slowing_ = slowing;
        const bool has_ended =
            is_balanced(before, step) && std::max({moved, changed, spun}) <= 1e3 * kLastStep;
        return has_ended || ends_anywhere ? std::optional(centre) : std::nullopt;
      }
    }
    return std::nullopt;
  }

  VectorXd spins_of(const Carriage& carriage, const State& state) const {
    const Eigen::Map<const VectorXd> v(state.v.data(), static_cast<Index>(state.v.size()));
    return carriage.spins.transpose() * (chart_.y_of(v) - V_ * carriage.along);
  }

  /// Whether what no step changes is roundoff of what acts; otherwise keeps what is left to say so.
  bool is_balanced(const Carriage& carriage, const NewtonStep& step) {
    const VectorXd acting = chart_.force_scales(chart_.centre(), carriage.forces.directions);
    bool all = true;
    keep_worst(carriage, step);
    for (Index r = 0; r < step.left.size(); ++r) {
      const double largest =
          r < acting.size() ? std::max(acting[r], 1.0 / step.by.rows[r]) : 1.0 / step.by.rows[r];
      all = all && std::abs(step.left[r]) <= kBalanced * largest * step.by.rows[r];
    }
    return all;
  }

  /// What is left most where Newton's method ended, in words.
  void keep_worst(const Carriage& carriage, const NewtonStep& step) {
    const VectorXd& told = step.left.norm() > 0.5 * step.residual.norm() ? step.left : step.residual;
    Index worst = 0;
    told.cwiseAbs().maxCoeff(&worst);
    const double value = told[worst] / step.by.rows[worst];
    const Index f = carriage.along.size();
    if (worst >= f) {
      const model::AuxiliaryState& state = mechanism_.states()[static_cast<std::size_t>(worst - f)];
      worst_ = state.name + ".value, which still changes by " + core::rounded_text(value * state.size, 4) +
               " " + core::si_unit(state.dimension / core::kTime);
    } else {
      Index column = 0;
      carriage.forces.directions.col(worst).cwiseAbs().maxCoeff(&column);
      worst_ =
          chart_.system().coordinates()[static_cast<std::size_t>(column)].name + ", which is still pushed";
    }
  }

  [[noreturn]] void throw_not_found() const {
    refuse(
        "no steady motion was found at this speed",
        "forces that can balance, and states that can rest, as the vehicle goes straight on",
        worst_.empty() ? "no way towards one" : "at best " + worst_,
        "Let a state of the drive or of the steering take it up; or give start rates instead of the speed.");
  }

  DynamicModel model_;
  const model::Mechanism& mechanism_;
  FreedomChart chart_;
  double V_;
  Vector3d ahead_, up_;
  double slowing_ = 0.0;
  VectorXd noise_;     ///< (states) rates that are roundoff of speeds
  double left_ = 0.0;  ///< of the residual, where Newton's method was last
  std::string worst_;
  MechanismMotion bodies_;
  std::vector<std::size_t> heavy_;  ///< bodies with mass
};

}  // namespace

SteadyStart find_steady_start(const DynamicModel& model) { return SteadySearch(model).find(); }

double slowing_at_start(const DynamicModel& model) {
  FreedomChart chart(model, FreedomChart::Drivers::kHeld);
  State state = chart.state_of(model.start(), 0.0);
  state.memory = model.start_memory();
  FreedomForces forces;
  if (chart.centre_at(state) != ChartStatus::kGood) throw core::ModelError(chart.why_not(state));
  chart.evaluate_or_throw(chart.centre(), forces);
  const VectorXd y_ddot = least_norm(forces.mass).solve(forces.force);
  const VectorXd a = forces.directions * y_ddot + forces.bias;
  MechanismMotion bodies(model.mechanism().bodies().size());
  chart.evaluate_bodies(chart.centre(), {a.data(), state.q.size()}, bodies);
  const coordinates::BodyMotion& body = bodies[model.mechanism().start_speed()->body.slot()];
  const double speed = body.v_WB_W.norm();
  return speed > 0.0 ? -body.a_WB_W.dot(body.v_WB_W) / speed : 0.0;
}

}  // namespace eslabon::dynamics
