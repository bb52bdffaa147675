#include "eslabon/kinematics/drivers/driven_mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Geometry>

#include "eslabon/core/linalg/orthogonal.hpp"
#include "eslabon/kinematics/assembly/moving_joints.hpp"
#include "eslabon/kinematics/freedoms/idle_spin.hpp"
#include "eslabon/kinematics/freedoms/redundancy.hpp"
#include "eslabon/kinematics/freedoms/rolling_refusal.hpp"
#include "eslabon/kinematics/freedoms/row_rank.hpp"
#include "eslabon/kinematics/report_text.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::ConstraintSystem;
using coordinates::CoordinateValue;
using coordinates::MechanismMotion;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// How the bodies move when every driver goes at its speed at the start, or, while all stand still, at unit speed.
MechanismMotion first_motion(const ConstraintSystem& system, const std::vector<double>& q,
                             const coordinates::PositionLevel& positions) {
  VectorXd right = -positions.Phi_t;
  if (right.isZero(0.0)) right.tail(system.num_rows() - system.num_mechanism_rows()).setOnes();
  const VectorXd rates = core::solve_least_norm(system.dense(positions.Phi_q), right);
  const std::vector<double> v(rates.begin(), rates.end()), zero(q.size(), 0.0);
  MechanismMotion motion(system.mechanism().bodies().size());
  coordinates::BodiesWorkspace workspace;
  system.evaluate_bodies(q, v, zero, workspace, motion);
  return motion;
}

/// Holds the spin of a body about `axis` by a direction that leaves it free to swing: the hold fails where the axis becomes
/// parallel to d, so d is perpendicular to the plane in which the axis begins to swing.
coordinates::HeldDirection hold_spin(model::BodyIndex body, const core::Rotation<double>& R_WB,
                                     const Vector3d& axis, const Vector3d& w_WB_W) {
  const Vector3d across = axis.cross(w_WB_W.cross(axis));
  const Vector3d d =
      across.norm() > 1e-9 * w_WB_W.norm() ? Vector3d(across.normalized()) : axis.unitOrthogonal();
  return {body, R_WB.inverse() * d.cross(axis), d};
}

}  // namespace

DrivenMechanism::DrivenMechanism(AssembledMechanism assembled) {
  refuse_rolling_discs(assembled.mechanism(), "kinematics is");
  const auto parts = std::make_shared<Parts>(Parts{std::move(assembled), {}, {}, {}});
  parts_ = parts;
  for (std::size_t i = 0; i < mechanism().drivers().size(); ++i) {
    const model::Driver& driver = mechanism().drivers()[i];
    parts->prescribed.push_back({driver.target, "driver '" + driver.name + "'"});
    parts->drivers.emplace_back(driver, parts->assembled.assembly().driver_starts[i]);
  }
  check_rank(*parts);
}

void DrivenMechanism::check_rank(Parts& parts) const {
  const ConstraintSystem system("relative", mechanism(), structure(), prescribed());
  // Too large to look at densely: what is wrong shows when the first position is solved.
  if (system.num_rows() > kDenseLimit) return;
  const auto n = static_cast<std::size_t>(system.num_coordinates());
  std::vector<double> q(n), v(n), a(n), near;
  std::vector<CoordinateValue> values(prescribed().size());
  evaluate_or_throw(0.0, values);
  for (const CoordinateValue& value : values) near.push_back(value.position);
  system.read_bodies(start(), {q, v, a}, near);
  coordinates::PositionLevel positions;
  system.evaluate_positions(q, values, positions);
  const RowRank rank = rank_rows_in_order(system, positions.Phi_q);

  for (const RepeatedRow& repeated : rank.repeated_rows) {
    const auto* driver = std::get_if<coordinates::PrescribedIndex>(&system.label(repeated.row).source);
    if (driver == nullptr) continue;
    std::vector<std::string> others;
    for (const int row : repeated.rows) {
      const bool is_prescribed =
          std::holds_alternative<coordinates::PrescribedIndex>(system.label(row).source);
      if (row >= system.num_mechanism_rows() && !is_prescribed)
        continue;  // only ties the driven variable to the bodies
      if (const auto* joint = std::get_if<model::JointIndex>(&system.label(row).source)) {
        const std::string& name = mechanism().joint(*joint).name;
        if (std::ranges::find(others, name) == others.end()) others.push_back(name);
      } else {
        others.push_back(coordinates::describe_row(system, row));
      }
    }
    throw core::ModelError(
        {.what = "a driver prescribes what is already determined",
         .where = prescribed()[driver->slot()].name,
         .expected = "a degree of freedom that it can move at the start position",
         .actual =
             others.empty() ? "a variable that never changes" : "one that follows from " + listed(others, 6),
         .next = rank.null_space.cols() > 0
                     ? "Drive another variable, or start away from this position if it is a dead centre."
                     : "Remove the driver, or free a joint."});
  }
  if (rank.null_space.cols() == 0) return;

  const FreeMotions motions(system, q, rank.null_space);
  const std::vector<IdleSpin> spins = find_idle_spins(system, motions);
  if (static_cast<int>(spins.size()) < motions.count()) throw_underdriven(motions, spins);
  const MechanismMotion moving = first_motion(system, q, positions);
  for (const IdleSpin& spin : spins) {
    const coordinates::HeldDirection held = hold_spin(spin.body, start()[spin.body.slot()].X_WB.R_AB,
                                                      spin.axis_W, moving[spin.body.slot()].w_WB_W);
    parts.held.push_back({spin.body, held});
    parts.prescribed.push_back({held, "spin of body '" + mechanism().body(spin.body).name + "'"});
  }
}

void DrivenMechanism::throw_underdriven(const FreeMotions& motions,
                                        const std::vector<IdleSpin>& spins) const {
  // Some of every motion that is left, apart from the idle ones: signs so that they do not cancel out.
  VectorXd weights = VectorXd::Zero(motions.count());
  for (int k = 0; k < motions.count(); ++k) {
    VectorXd more = VectorXd::Unit(motions.count(), k);
    for (const IdleSpin& spin : spins) more -= more.dot(spin.weights) * spin.weights;
    weights += weights.dot(more) < 0.0 ? VectorXd(-more) : more;
  }
  const std::vector<std::string> joints = moving_joints(mechanism(), motions.combined(weights));
  const ConstraintSystem undriven("relative", mechanism(), structure(), {});
  if (explain_redundancy(undriven, start()).is_singular_at_start())
    throw core::ModelError(
        {.what = "the start position is singular",
         .where = "joint '" + joints.front() + "'",
         .expected = "a position from which the drivers determine the motion",
         .actual =
             "a dead centre, where joints " + listed(joints, 6) + " can move while the drivers stand still",
         .next = "Start somewhere else: give other start values or another start of the driver."});
  const std::size_t given = mechanism().drivers().size();
  const std::size_t wanted = given + static_cast<std::size_t>(motions.count()) - spins.size();
  throw UnderdrivenError(
      {.what = "the drivers do not move every degree of freedom",
       .where = "joint '" + joints.front() + "'",
       .expected = std::to_string(wanted) + (wanted == 1 ? " driver" : " drivers"),
       .actual = given == 0 ? "none, so joints " + listed(joints, 6) + " are free to move"
                            : std::to_string(given) + "; with " + (given == 1 ? "it" : "them") + " held, " +
                                  (joints.size() == 1 ? "joint " : "joints ") + listed(joints, 6) +
                                  " can still move",
       .next = wanted == given + 1 ? "Add a driver for one of these joints under 'drivers:'."
                                   : "Add drivers for " + std::to_string(wanted - given) +
                                         " of these joints under 'drivers:'."});
}

void DrivenMechanism::prepare_drivers(double until) const {
  for (const DriverMotion& driver : drivers()) driver.prepare(until);
}

bool DrivenMechanism::evaluate(double t, std::span<CoordinateValue> out) const {
  for (std::size_t i = 0; i < drivers().size(); ++i)
    if (!drivers()[i].evaluate(t, out[i])) return false;
  for (std::size_t i = drivers().size(); i < out.size(); ++i) out[i] = {};
  return true;
}

void DrivenMechanism::evaluate_or_throw(double t, std::span<CoordinateValue> out) const {
  for (std::size_t i = 0; i < drivers().size(); ++i) out[i] = drivers()[i].value_at(t);
  for (std::size_t i = drivers().size(); i < out.size(); ++i) out[i] = {};
}

}  // namespace eslabon::kinematics
