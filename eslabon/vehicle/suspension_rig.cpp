#include "eslabon/vehicle/suspension_rig.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "eslabon/core/index.hpp"
#include "eslabon/core/linalg/least_norm.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/forces/passed_stop.hpp"
#include "eslabon/dynamics/statics/extrapolated_difference.hpp"
#include "eslabon/kinematics/assembly/assembled_mechanism.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::vehicle {

using coordinates::MechanismMotion;
using core::index;
using dynamics::ChartStatus;
using dynamics::State;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

constexpr double kSameRow = 1e-8;  // of a row of unit length, as kinematics::rank_rows_in_order
constexpr double kNoPivot = 1e-9;  // of the longest column: a stiffness that is none
constexpr int kMostIterations = 60;
constexpr double kLastStep = 1e-11;        // rad, or of the mechanism's size
constexpr double kLastMiss = 1e-9;         // of rows that repeat others
constexpr double kLongestStep = 0.25;      // rad, or of the mechanism's size
constexpr double kDifference = 1e-5;       // of Newton's steps
constexpr double kExactDifference = 8e-3;  // of (3)
constexpr double kLift = 10.0;             // m
constexpr Index kBodyRows = 6;
constexpr double kFrame = 0.25;  // of the mass of the chassis: as heavy is the frame of a trailer

model::Variable rate_of(model::Variable position) {
  position.kind = model::VariableKind::kJointVelocity;
  return position;
}

/// Degrees of freedom measured by their own stiffness, so that light and stiff ones are alike: rows and columns by √|K_kk|.
VectorXd own_scales(const MatrixXd& K) {
  VectorXd s(K.rows());
  const double largest = K.rows() > 0 ? K.cwiseAbs().maxCoeff() : 0.0;
  for (Index k = 0; k < s.size(); ++k) {
    const double own = std::max(K.row(k).cwiseAbs().maxCoeff(), K.col(k).cwiseAbs().maxCoeff());
    s[k] = own > 1e-12 * largest && own > 0.0 ? 1.0 / std::sqrt(own) : 1.0;
  }
  return s;
}

/// x of K x = b, and the shortest where K leaves it open.
VectorXd solve_scaled(const MatrixXd& K, const VectorXd& b) {
  const VectorXd s = own_scales(K);
  const MatrixXd scaled = s.asDiagonal() * K * s.asDiagonal();
  core::LeastNorm solver;
  solver.compute(scaled, kNoPivot * core::longest_column(scaled));
  return s.cwiseProduct(solver.solve(s.cwiseProduct(b)));
}

/// Independent rows, each taken unless those before it say the same.
std::vector<Index> independent_rows(const MatrixXd& rows) {
  std::vector<Index> chosen;
  MatrixXd basis(rows.cols(), 0);
  for (Index r = 0; r < rows.rows(); ++r) {
    VectorXd a = rows.row(r).transpose();
    const double size = a.norm();
    if (!(size > 1e-12)) continue;
    a /= size;
    for (int pass = 0; pass < 2; ++pass) a -= basis * (basis.transpose() * a);
    if (a.norm() <= kSameRow) continue;
    basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
    basis.col(basis.cols() - 1) = a.normalized();
    chosen.push_back(r);
  }
  return chosen;
}

/// The whole turned so that the chassis has the axes of the world, and lifted off the road, on which tyres would stand that are taken off, where only its
/// joint holds it.
MechanismMotion levelled(const MechanismMotion& bodies, model::BodyIndex chassis) {
  const core::Pose<double>& X_WC = bodies[chassis.slot()].X_WB;
  const core::Pose<double> X_new{core::Rotation<double>(), X_WC.p_AB_A + kLift * Vector3d::UnitZ()};
  const core::Pose<double> by = X_new * X_WC.inverse();
  MechanismMotion out(bodies.size());
  for (std::size_t b = 1; b < bodies.size(); ++b) out[b].X_WB = by * bodies[b].X_WB;
  return out;
}

dynamics::DynamicModel assembled_model(const model::Mechanism& mechanism) {
  return dynamics::DynamicModel(kinematics::AssembledMechanism::assemble(mechanism));
}

[[noreturn]] void fail_at_design(const model::Mechanism& mechanism, const std::string& why) {
  throw core::ModelError(
      {.what = "the vehicle does not stand still on the rig",
       .where = "mechanism '" + mechanism.name() + "'",
       .expected = "a balance near its start with chassis, wheels and steering held",
       .actual = why,
       .next = "Look at its springs with 'eslabon equilibrium', or start it nearer to rest."});
}

}  // namespace

SuspensionRig::SuspensionRig(RigVehicle vehicle)
    : vehicle_(std::move(vehicle)),
      chart_(assembled_model(vehicle_.mechanism), dynamics::FreedomChart::Drivers::kHeld) {
  const model::Mechanism& mechanism = model().mechanism();
  const auto at_start = [&](const MechanismMotion& bodies) {
    MechanismMotion resting = bodies;
    for (coordinates::BodyMotion& body : resting) body = {.X_WB = body.X_WB};
    State state = chart_.state_of(resting, 0.0);
    std::ranges::fill(state.v, 0.0);
    return state;
  };
  start_ = at_start(levelled(model().start(), vehicle_.chassis.body));
  if (chart_.constraint_error(start_) > 1e-6 * chart_.length()) start_ = at_start(model().start());
  if (chart_.centre_at(start_) != ChartStatus::kGood) fail_at_design(mechanism, "a singular position");
  start_ = chart_.centre();
  MechanismMotion bodies(mechanism.bodies().size());
  chart_.evaluate_bodies(start_, std::vector<double>(start_.q.size(), 0.0), bodies);
  const auto height = [&](const MechanismMotion& of) {
    return of[vehicle_.chassis.body.slot()].X_WB.p_AB_A.z();
  };
  lift_ = height(bodies) - height(model().start());  // 0 of one that hangs on a chain of sliders

  const double mass = mechanism.body(vehicle_.chassis.body).mass_properties.mass;
  held_.push_back({vehicle_.chassis.body, bodies[vehicle_.chassis.body.slot()].X_WB});
  for (std::size_t b = 1; b < mechanism.bodies().size(); ++b)
    if (const model::BodyIndex body(static_cast<int>(b));
        body != vehicle_.chassis.body && mass > 0.0 &&
        mechanism.bodies()[b].mass_properties.mass >= kFrame * mass)
      held_.push_back({body, bodies[b].X_WB});
  const coordinates::BodyMotion& chassis = bodies[vehicle_.chassis.body.slot()];
  axes_ = chassis.X_WB.R_AB.matrix();
  origin_W_ = chassis.point_position(mechanism.point(vehicle_.chassis).p_BP_B);
  for (const model::Variable& spin : vehicle_.spins)
    spin_starts_.push_back(kinematics::value_of(mechanism, spin, bodies));
  if (vehicle_.steering) steer_start_ = kinematics::value_of(mechanism, *vehicle_.steering, bodies);
  for (std::size_t k = 0; k < num_wheels(); ++k) {
    const coordinates::BodyMotion& own = bodies[wheel(k).wheel.slot()];
    Vector3d center = Vector3d::Zero();
    for (const model::TyreIndex tyre : wheel(k).tyres) {
      const model::PointRef& point = mechanism.tyres()[tyre.slot()].center;
      center += bodies[point.body.slot()].point_position(mechanism.point(point).p_BP_B);
    }
    center /= static_cast<double>(wheel(k).tyres.size());
    centers_.push_back(own.X_WB.inverse().apply_to_point(center));
    height_starts_.push_back(axes_.col(2).dot(center));
  }
  first_height_ = kBodyRows * static_cast<Index>(held_.size()) + static_cast<Index>(vehicle_.spins.size()) +
                  (vehicle_.steering ? 1 : 0);
  choose_rows();
}

RigSetting SuspensionRig::no_setting() const {
  return {.travel = std::vector<double>(num_wheels(), 0.0),
          .steer = 0.0,
          .loads = std::vector<PatchLoad>(num_wheels())};
}

void SuspensionRig::choose_rows() {
  Look at;
  if (!look(start_, no_setting(), false, at)) fail_at_design(model().mechanism(), "a singular position");
  rows_ = independent_rows(at.G);
  num_left_ = at.G.cols() - static_cast<Index>(rows_.size());
}

bool SuspensionRig::has_travel(std::size_t wheel) const {
  return std::ranges::find(rows_, height_row(wheel)) != rows_.end();
}

MatrixXd SuspensionRig::kept(const MatrixXd& rows) const {
  MatrixXd out(static_cast<Index>(rows_.size()), rows.cols());
  for (std::size_t k = 0; k < rows_.size(); ++k) out.row(static_cast<Index>(k)) = rows.row(rows_[k]);
  return out;
}

WheelPlace SuspensionRig::place_in(const MechanismMotion& bodies, std::size_t k) const {
  const coordinates::BodyMotion& own = bodies[wheel(k).wheel.slot()];
  WheelPlace out;
  out.center = place_of(own.point_position(centers_[k]));
  out.axis = axes_.transpose() * own.direction(wheel(k).axis_B);
  const Vector3d ahead = out.axis.cross(Vector3d::UnitZ()).normalized();
  out.contact = out.center - wheel(k).radius * ahead.cross(out.axis);
  return out;
}

VectorXd SuspensionRig::contact_row(const Look& at, std::size_t k, const Vector3d& u_W) const {
  const WheelPlace place = place_in(at.bodies, k);
  const Vector3d arm = axes_ * (place.contact - place.center);
  // u · (v + w × r) = u · v + (r × u) · w
  return at.J[k].topRows(3).transpose() * u_W + at.J[k].bottomRows(3).transpose() * arm.cross(u_W);
}

void SuspensionRig::add_bench(const State& state, const RigSetting& setting, Look& out) {
  const model::Mechanism& mechanism = model().mechanism();
  for (std::size_t k = 0; k < num_wheels(); ++k) {
    for (const model::TyreIndex tyre : wheel(k).tyres) {  // taken off
      std::vector<dynamics::Wrench> wrenches(out.bodies.size());
      model().forces().add_tyre<double>(tyre.slot(), out.bodies, state.memory, wrenches);
      const model::BodyIndex body = mechanism.tyres()[tyre.slot()].center.body;
      const dynamics::Wrench& wrench = wrenches[body.slot()];
      const Vector3d arm =
          out.bodies[body.slot()].X_WB.p_AB_A - (axes_ * place_in(out.bodies, k).center + origin_W_);
      // Wheels do not turn against their carrier: the first one tells how all of a side move.
      out.force -= out.J[k].topRows(3).transpose() * wrench.force +
                   out.J[k].bottomRows(3).transpose() * (wrench.torque + arm.cross(wrench.force));
    }
    const PatchLoad& load = setting.loads[k];
    out.force += load.longitudinal * contact_row(out, k, axes_.col(0)) +
                 load.lateral * contact_row(out, k, axes_.col(1)) +
                 load.aligning * (out.J[k].bottomRows(3).transpose() * axes_.col(2));
  }
}

bool SuspensionRig::look(const State& state, const RigSetting& setting, bool with_forces, Look& out) {
  const model::Mechanism& mechanism = model().mechanism();
  dynamics::FreedomForces forces;
  if (chart_.evaluate(state, forces) != ChartStatus::kGood) return false;
  const Index f = forces.directions.cols();
  out.bodies.resize(mechanism.bodies().size());
  chart_.evaluate_bodies(state, std::vector<double>(state.q.size(), 0.0), out.bodies);
  const Index rows = first_height_ + static_cast<Index>(num_wheels());
  out.G.resize(rows, f);
  out.J.assign(num_wheels(), MatrixXd(6, f));
  out.stretch.resize(static_cast<Index>(mechanism.springs().size()), f);
  MechanismMotion moving(out.bodies.size());
  for (Index j = 0; j < f; ++j) {
    chart_.evaluate_displacement(state, forces.directions.col(j), moving);
    Index row = 0;
    for (const HeldBody& held : held_) {
      const coordinates::BodyMotion& own = moving[held.body.slot()];
      out.G.col(j).segment(row, 3) = own.w_WB_W;
      out.G.col(j).segment(row + 3, 3) = own.v_WB_W;
      row += kBodyRows;
    }
    for (const model::Variable& spin : vehicle_.spins)
      out.G(row++, j) = kinematics::value_of(mechanism, rate_of(spin), moving);
    if (vehicle_.steering)
      out.G(row++, j) = kinematics::value_of(mechanism, rate_of(*vehicle_.steering), moving);
    for (std::size_t k = 0; k < num_wheels(); ++k) {
      const coordinates::BodyMotion& own = moving[wheel(k).wheel.slot()];
      out.J[k].col(j) << own.point_velocity(centers_[k]), own.w_WB_W;
      out.G(row++, j) = axes_.col(2).dot(out.J[k].col(j).head(3));
    }
    for (std::size_t s = 0; s < mechanism.springs().size(); ++s)
      out.stretch(static_cast<Index>(s), j) =
          kinematics::connection_value(mechanism, mechanism.springs()[s].connection, moving).rate;
  }

  out.missing.resize(rows);
  Index row = 0;
  for (const HeldBody& held : held_) {
    const core::Pose<double>& now = out.bodies[held.body.slot()].X_WB;
    out.missing.segment(row, 3) = (held.X_WB.R_AB * now.R_AB.inverse()).to_rotation_vector();
    out.missing.segment(row + 3, 3) = held.X_WB.p_AB_A - now.p_AB_A;
    row += kBodyRows;
  }
  const auto angle_left = [&](const model::Variable& variable, double wanted) {
    const double left = wanted - kinematics::value_of(mechanism, variable, out.bodies);
    return model::dimension(mechanism, variable) == core::kAngle
               ? std::remainder(left, 2.0 * std::numbers::pi)
               : left;
  };
  for (std::size_t s = 0; s < vehicle_.spins.size(); ++s)
    out.missing[row++] = angle_left(vehicle_.spins[s], spin_starts_[s]);
  if (vehicle_.steering) out.missing[row++] = angle_left(*vehicle_.steering, steer_start_ + setting.steer);
  for (std::size_t k = 0; k < num_wheels(); ++k)
    out.missing[row++] = height_starts_[k] + setting.travel[k] -
                         axes_.col(2).dot(out.bodies[wheel(k).wheel.slot()].point_position(centers_[k]));
  if (!with_forces) return true;
  out.force = forces.force;
  add_bench(state, setting, out);
  out.B = out.G;
  for (std::size_t k = 0; k < num_wheels(); ++k)
    out.B.row(height_row(k)) = contact_row(out, k, axes_.col(2)).transpose();
  return out.force.allFinite();
}

VectorXd SuspensionRig::efforts_of(const Look& at) const {
  core::LeastNorm solver;
  const MatrixXd B = kept(at.B).transpose();
  solver.compute(B, kNoPivot * core::longest_column(B));
  const VectorXd of_kept = solver.solve(-at.force);
  VectorXd efforts = VectorXd::Zero(at.B.rows());
  for (std::size_t k = 0; k < rows_.size(); ++k) efforts[rows_[k]] = of_kept[static_cast<Index>(k)];
  return efforts;
}

std::optional<VectorXd> SuspensionRig::balance_at(const VectorXd& y, const RigSetting& setting) {
  State moved;
  Look at;
  if (chart_.move(y, VectorXd::Zero(y.size()), moved) != ChartStatus::kGood ||
      !look(moved, setting, true, at))
    return std::nullopt;
  return at.force + at.B.transpose() * efforts_;
}

std::optional<VectorXd> SuspensionRig::push_along(const VectorXd& d, const RigSetting& setting,
                                                  bool is_exact) {
  const double size = d.norm();
  if (!(size > 0.0)) return VectorXd::Zero(d.size());
  const VectorXd unit = d / size;
  const auto along = [&](double s) { return balance_at(s * unit, setting); };
  if (!is_exact) {
    const std::optional<VectorXd> right = along(kDifference), left = along(-kDifference);
    if (!right || !left) return std::nullopt;
    return (*right - *left) * (size / (2.0 * kDifference));
  }
  const auto found = dynamics::extrapolated_difference(along, kExactDifference);
  if (!found) return std::nullopt;
  return found->value * size;
}

std::optional<RigPoint> SuspensionRig::fail(std::string why) {
  why_not_ = std::move(why);
  return std::nullopt;
}

RigPoint SuspensionRig::design(const RigSetting& setting) {
  if (std::optional<RigPoint> found = move({start_, {}}, setting)) return *found;
  fail_at_design(model().mechanism(), why_not_);
}

std::optional<RigPoint> SuspensionRig::move(const RigPoint& from, const RigSetting& setting) {
  constexpr const char* kOpen = "the joints do not close";
  State state = from.state;
  Look at;
  for (int i = 0; i < kMostIterations; ++i) {
    if (chart_.centre_at(state) != ChartStatus::kGood) return fail(kOpen);
    state = chart_.centre();
    if (!look(state, setting, true, at)) return fail(core::to_sentence(chart_.why_not(state)));
    efforts_ = efforts_of(at);
    const MatrixXd G = kept(at.G);
    core::LeastNorm rows;
    rows.compute(G, kNoPivot * core::longest_column(G));
    if (rows.rank() < G.rows()) return fail(kOpen);
    VectorXd dy = rows.solve(kept(at.missing));
    if (num_left_ > 0) {  // (2)
      const MatrixXd Z = rows.null_space();
      core::LeastNorm pushed;
      const MatrixXd B = kept(at.B);
      pushed.compute(B, kNoPivot * core::longest_column(B));
      const MatrixXd Z_B = pushed.null_space();
      if (Z_B.cols() != Z.cols()) return fail(kOpen);
      const std::optional<VectorXd> by_rows = push_along(dy, setting, false);
      if (!by_rows) return fail("forces have no value there");
      MatrixXd K(Z.cols(), Z.cols());
      for (Index c = 0; c < Z.cols(); ++c) {
        const std::optional<VectorXd> push = push_along(Z.col(c), setting, false);
        if (!push) return fail("forces have no value there");
        K.col(c) = Z_B.transpose() * *push;
      }
      dy += Z * solve_scaled(K, -Z_B.transpose() * (at.force + at.B.transpose() * efforts_ + *by_rows));
    }
    const double size = dy.size() == 0 ? 0.0 : dy.cwiseAbs().maxCoeff();
    if (!std::isfinite(size)) return fail(kOpen);
    if (size > kLongestStep) dy *= kLongestStep / size;
    State moved;
    if (chart_.move(dy, VectorXd::Zero(dy.size()), moved) != ChartStatus::kGood) return fail(kOpen);
    state = moved;
    if (size > kLastStep) continue;
    if (at.missing.cwiseAbs().maxCoeff() > kLastMiss)
      return fail("its wheels cannot move so beside each other");
    if (const auto passed = dynamics::find_passed_stop(model(), state.t, at.bodies, state.memory))
      return fail(passed->where + " is reached");
    return RigPoint{state, efforts_};
  }
  return fail("no balance of its springs and bushings is found");
}

void SuspensionRig::look_at(const RigPoint& point, const RigSetting& setting) {
  setting_ = setting;
  if (chart_.centre_at(point.state) != ChartStatus::kGood)
    fail_at_design(model().mechanism(), "a singular position");
  state_ = chart_.centre();
  if (!look(state_, setting_, true, look_)) throw core::ModelError(chart_.why_not(state_));
  efforts_ = efforts_of(look_);
  remainder_.reset();
}

WheelPlace SuspensionRig::place(std::size_t k) const { return place_in(look_.bodies, k); }

SuspensionRig::Remainder& SuspensionRig::remainder() {
  if (remainder_) return *remainder_;
  Remainder found;
  const MatrixXd G = kept(look_.G), B = kept(look_.B);
  found.rows.compute(G, kNoPivot * core::longest_column(G));
  found.pushes.compute(B, kNoPivot * core::longest_column(B));
  found.Z = found.rows.null_space();
  found.Z_B = found.pushes.null_space();
  found.along = pushes_along(found.Z);
  remainder_ = std::move(found);
  return *remainder_;
}

MatrixXd SuspensionRig::pushes_along(const MatrixXd& directions) {
  MatrixXd out(directions.rows(), directions.cols());
  for (Index c = 0; c < directions.cols(); ++c) {
    const std::optional<VectorXd> push = push_along(directions.col(c), setting_, true);
    if (!push) throw core::ModelError(chart_.why_not(state_));
    out.col(c) = *push;
  }
  return out;
}

SuspensionRig::Response SuspensionRig::respond(const MatrixXd& h_rates, const MatrixXd& loads,
                                               bool with_efforts) {
  const Index k = h_rates.cols();
  const Remainder& rest = remainder();
  const MatrixXd h = kept(h_rates);
  Response out{MatrixXd(look_.G.cols(), k), MatrixXd::Zero(look_.G.rows(), k)};
  for (Index c = 0; c < k; ++c) out.y.col(c) = rest.rows.solve(h.col(c));
  if (num_left_ == 0 && !with_efforts) return out;
  MatrixXd pushed = loads + pushes_along(out.y);
  if (num_left_ > 0) {  // (3)
    const MatrixXd K = rest.Z_B.transpose() * rest.along;
    for (Index c = 0; c < k; ++c) {
      const VectorXd eta = solve_scaled(K, -rest.Z_B.transpose() * pushed.col(c));
      out.y.col(c) += rest.Z * eta;
      pushed.col(c) += rest.along * eta;
    }
  }
  if (!with_efforts) return out;
  const MatrixXd B = kept(look_.B).transpose();
  core::LeastNorm solver;
  solver.compute(B, kNoPivot * core::longest_column(B));
  for (Index c = 0; c < k; ++c) {
    const VectorXd of_kept = solver.solve(-pushed.col(c));
    for (std::size_t r = 0; r < rows_.size(); ++r) out.efforts(rows_[r], c) = of_kept[static_cast<Index>(r)];
  }
  return out;
}

WheelRates SuspensionRig::wheel_rates(const VectorXd& y, const VectorXd& efforts) const {
  WheelRates out(num_wheels());
  for (std::size_t k = 0; k < out.size(); ++k) {
    const VectorXd twist = look_.J[k] * y;
    out[k] = {.v = axes_.transpose() * twist.head(3),
              .w = axes_.transpose() * twist.tail(3),
              .load = efforts.size() > 0 ? efforts[height_row(k)] : 0.0};
  }
  return out;
}

WheelRates SuspensionRig::rates(const std::vector<double>& travel, double steer, bool with_loads) {
  MatrixXd h = MatrixXd::Zero(look_.G.rows(), 1);
  for (std::size_t k = 0; k < num_wheels(); ++k) h(height_row(k), 0) = travel[k];
  if (vehicle_.steering) h(first_height_ - 1, 0) = steer;
  const Response found = respond(h, MatrixXd::Zero(look_.G.cols(), 1), with_loads);
  return wheel_rates(found.y.col(0), with_loads ? VectorXd(found.efforts.col(0)) : VectorXd());
}

WheelRates SuspensionRig::compliance(std::size_t k, UnitLoad load) {
  const auto row = [&]() -> VectorXd {
    switch (load) {
      case UnitLoad::kLateral:
        return contact_row(look_, k, axes_.col(1));
      case UnitLoad::kBraking:
        return contact_row(look_, k, axes_.col(0));
      case UnitLoad::kDriving:
        return look_.J[k].topRows(3).transpose() * axes_.col(0);
      case UnitLoad::kAligning:
        return look_.J[k].bottomRows(3).transpose() * axes_.col(2);
    }
    return {};
  };
  const Response found = respond(MatrixXd::Zero(look_.G.rows(), 1), row(), true);
  return wheel_rates(found.y.col(0), found.efforts.col(0));
}

std::optional<WheelRates> SuspensionRig::steer_with_locked_springs() {
  if (!vehicle_.steering) return std::nullopt;
  const auto null_space = [](const MatrixXd& A, VectorXd* solution, const VectorXd& b) {
    core::LeastNorm solver;
    solver.compute(A, kNoPivot * core::longest_column(A));
    if (solution != nullptr) *solution = solver.solve(b);
    return solver.null_space();
  };
  // What is held: chassis, spins, steering.
  std::vector<Index> first;
  for (const Index r : rows_)
    if (r < first_height_) first.push_back(r);
  MatrixXd P(static_cast<Index>(first.size()), look_.G.cols());
  for (std::size_t k = 0; k < first.size(); ++k) P.row(static_cast<Index>(k)) = look_.G.row(first[k]);
  VectorXd wanted = VectorXd::Zero(P.rows()), y;
  if (first.empty() || first.back() != first_height_ - 1) return std::nullopt;  // nothing steers
  wanted[P.rows() - 1] = 1.0;
  MatrixXd N = null_space(P, &y, wanted);
  // Springs, and the height of a wheel that no spring holds.
  MatrixXd locks = look_.stretch;
  for (std::size_t k = 0; k < num_wheels(); ++k) {
    const VectorXd across = N.transpose() * look_.G.row(height_row(k)).transpose();
    if (across.norm() <= kSameRow) continue;
    core::LeastNorm others;
    const MatrixXd held = (locks * N).transpose();
    others.compute(held, kSameRow * std::max(1.0, core::longest_column(held)));
    const VectorXd left = across - held * others.solve(across);
    if (!is_compliant() && left.norm() > 1e-6 * across.norm()) {
      locks.conservativeResize(locks.rows() + 1, Eigen::NoChange);
      locks.row(locks.rows() - 1) = look_.G.row(height_row(k));
    }
  }
  VectorXd eta;
  const MatrixXd free = null_space(locks * N, &eta, -locks * y);
  y += N * eta;
  N = N * free;
  if (N.cols() > 0) {  // bushings decide about the rest
    const VectorXd by_steer = pushes_along(y).col(0);
    const MatrixXd along = pushes_along(N);
    y += N * solve_scaled(N.transpose() * along, -N.transpose() * by_steer);
  }
  return wheel_rates(y, VectorXd());
}

bool SuspensionRig::is_on_trailer(std::size_t axle) const {
  // Bodies that joints lead to from the wheel, but not past the chassis or the ground.
  const model::Mechanism& mechanism = model().mechanism();
  const auto ends_here = [&](model::BodyIndex body) {
    return body == model::kGround || body == vehicle_.chassis.body;
  };
  std::vector<bool> is_reached(mechanism.bodies().size(), false);
  std::vector<model::BodyIndex> next{wheel(2 * axle).wheel};
  while (!next.empty()) {
    const model::BodyIndex body = next.back();
    next.pop_back();
    if (ends_here(body) || is_reached[body.slot()]) continue;
    is_reached[body.slot()] = true;
    for (const model::Joint& joint : mechanism.joints())
      if (joint.first() == body || joint.second() == body)
        next.push_back(joint.first() == body ? joint.second() : joint.first());
  }
  return std::any_of(held_.begin() + 1, held_.end(),
                     [&](const HeldBody& held) { return is_reached[held.body.slot()]; });
}

std::vector<std::string> SuspensionRig::held_frames() const {
  std::vector<std::string> names;
  for (std::size_t k = 1; k < held_.size(); ++k)
    names.push_back(model().mechanism().body(held_[k].body).name);
  return names;
}

Vector3d SuspensionRig::mass_center() const {
  Vector3d sum = Vector3d::Zero();
  double mass = 0.0;
  for (std::size_t b = 1; b < look_.bodies.size(); ++b) {
    const model::MassProperties& own = model().mechanism().bodies()[b].mass_properties;
    sum += own.mass * look_.bodies[b].point_position(own.p_BC_B);
    mass += own.mass;
  }
  return mass > 0.0 ? place_of(sum / mass) : Vector3d::Zero().eval();
}

std::vector<core::Pose<double>> SuspensionRig::poses() const {
  std::vector<core::Pose<double>> poses;
  for (std::size_t b = 1; b < look_.bodies.size(); ++b) {
    poses.push_back(look_.bodies[b].X_WB);
    poses.back().p_AB_A.z() -= lift_;
  }
  return poses;
}

double SuspensionRig::weight() const {
  double mass = 0.0;
  for (std::size_t b = 1; b < look_.bodies.size(); ++b)
    mass += model().mechanism().bodies()[b].mass_properties.mass;
  return -mass * axes_.col(2).dot(model().mechanism().gravity_W());
}

}  // namespace eslabon::vehicle
