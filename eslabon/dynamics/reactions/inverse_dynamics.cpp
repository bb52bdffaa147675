#include "eslabon/dynamics/reactions/inverse_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/forces/auxiliary_states.hpp"
#include "eslabon/dynamics/forces/load_iteration.hpp"
#include "eslabon/dynamics/forces/passed_stop.hpp"
#include "eslabon/kinematics/assembly/moving_joints.hpp"
#include "eslabon/kinematics/freedoms/rolling_refusal.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::dynamics {

namespace {

using coordinates::MechanismMotion;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::Variable;
using model::VariableKind;

/// The derivative of a position variable.
Variable rate_variable(const Variable& position) {
  const VariableKind kind = position.kind == VariableKind::kJointPosition   ? VariableKind::kJointVelocity
                            : position.kind == VariableKind::kPointPosition ? VariableKind::kPointVelocity
                                                                            : VariableKind::kBodyRate;
  return {kind, position.element, position.component};
}

double rate_of(const model::Mechanism& mechanism, const coordinates::Prescribed& actuator,
               const MechanismMotion& bodies) {
  if (const auto* held = std::get_if<coordinates::HeldDirection>(&actuator.what)) {
    const coordinates::BodyMotion& body = bodies[held->body.slot()];
    return body.w_WB_W.cross(Eigen::Vector3d(body.X_WB.R_AB * held->u_B)).dot(held->d_W);
  }
  return kinematics::value_of(mechanism, rate_variable(std::get<Variable>(actuator.what)), bodies);
}

/// The position variable that moves most in a motion: a joint coordinate, or, where none moves, a coordinate of a point.
std::optional<Variable> fastest_variable(const model::Mechanism& mechanism, const MechanismMotion& motion,
                                         double length) {
  std::optional<Variable> fastest;
  double most = 1e-9;
  const auto try_variable = [&](const Variable& variable) {
    const bool is_angle = model::dimension(mechanism, variable) == core::kAngle;
    const double speed = std::abs(kinematics::value_of(mechanism, rate_variable(variable), motion)) *
                         (is_angle ? length : 1.0);
    if (speed <= most) return;
    most = speed * (1.0 + 1e-6);  // of equals the first
    fastest = variable;
  };
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    for (int c = 0; c < model::coordinate_count(mechanism.joints()[j].type); ++c)
      try_variable({VariableKind::kJointPosition, model::JointIndex(static_cast<int>(j)), c});
  if (fastest) return fastest;
  for (std::size_t b = 1; b < mechanism.bodies().size(); ++b)
    for (std::size_t p = 0; p < mechanism.bodies()[b].points.size(); ++p)
      for (int c = 0; c < (mechanism.is_planar() ? 2 : 3); ++c)
        try_variable(
            {VariableKind::kPointPosition,
             model::PointRef{model::BodyIndex(static_cast<int>(b)), model::PointIndex(static_cast<int>(p))},
             c});
  return fastest;
}

std::string counted(Index count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace

InverseDynamics::InverseDynamics(const DynamicModel& model, std::vector<coordinates::Prescribed> actuators)
    : model_(model),
      actuators_(std::move(actuators)),
      needs_(model),
      pushes_(model.mechanism()),
      couplings_(model.mechanism().couplings().size()),
      efforts_(actuators_.size()),
      rates_(actuators_.size()),
      is_effort_unique_(actuators_.size(), true) {
  refuse_auxiliary_states(model.mechanism(), "inverse dynamics is");
  kinematics::refuse_rolling_discs(model.mechanism(), "inverse dynamics is");
  for (const coordinates::Prescribed& actuator : actuators_) pushes_.add(actuator);
}

void InverseDynamics::check_stops(double t, const MechanismMotion& bodies) const {
  std::optional<core::ErrorText> passed = find_passed_stop(model_, t, bodies, memory_);
  if (!passed) return;
  passed->what = "the prescribed motion passes a rigid stop";
  passed->where += ", t = " + core::number_text(t) + " s";
  passed->next = "Change the driver, or the stop.";
  throw core::ModelError(*passed);
}

void InverseDynamics::solve(double t, const MechanismMotion& bodies, const ForceMemory& memory) {
  memory_ = memory;
  check_stops(t, bodies);
  std::vector<double> loads = memory_.loads;
  const DynamicsStatus status =
      solve_loads(loads, [&](const std::vector<double>& given, std::vector<double>& found, double& scale) {
        memory_.loads = given;
        solve_with_loads(t, bodies);
        const std::vector<model::JointIndex>& joints = model_.forces().loaded_joints();
        for (std::size_t k = 0; k < joints.size(); ++k)
          found[k] = friction_load(model_.mechanism().joint(joints[k]), joints_[joints[k].slot()], bodies);
        scale = largest_force(joints_);
        return DynamicsStatus::kSolved;
      });
  if (status == DynamicsStatus::kSolved) {
    find_powers(t, bodies);
    return;
  }
  throw core::ModelError({.what = "a joint jams",
                          .where = "t = " + core::number_text(t) + " s",
                          .expected = "reactions that agree with the friction that they cause",
                          .actual = "none that were found",
                          .next = "Make the coefficient of friction smaller, or give 'coulomb:' instead."});
}

void InverseDynamics::solve_with_loads(double t, const MechanismMotion& bodies) {
  if (!needs_.evaluate(t, bodies, memory_))
    throw core::ModelError(model_.forces().why_not(t, bodies, memory_));
  pushes_.evaluate(bodies);
  const MatrixXd G = pushes_.matrix();
  const VectorXd w = pushes_.stacked(needs_.needed());
  const Index m = pushes_.num_joint_rows();
  const MatrixXd G_J = G.leftCols(m), G_A = G.rightCols(G.cols() - m);
  joint_solver_.compute(G_J, kDependent * core::longest_column(G_J));
  const MatrixXd N = joint_solver_.left_null_space();  // (2)
  num_freedoms_ = static_cast<int>(N.cols());
  const MatrixXd A = N.transpose() * G_A;
  const double tolerance = kDependent * core::longest_column(G_A);
  actuator_solver_.compute(A, tolerance);
  if (actuator_solver_.rank() < N.cols()) throw_unreached(t, N, A, tolerance);
  const VectorXd u = actuator_solver_.solve(N.transpose() * w);  // (3)
  const VectorXd mu = joint_solver_.solve(w - G_A * u);          // (1)
  residual_ = relative_residual(G_J * mu + G_A * u, w, size_of_forces(pushes_, needs_));

  // What joints and actuators can share otherwise: μ that do nothing, and u that the joints take up.
  const MatrixXd other_u = actuator_solver_.null_space(), idle_mu = joint_solver_.null_space();
  MatrixXd shared(m, idle_mu.cols() + other_u.cols());
  shared.leftCols(idle_mu.cols()) = idle_mu;
  for (Index k = 0; k < other_u.cols(); ++k)
    shared.col(idle_mu.cols() + k) = -joint_solver_.solve(G_A * other_u.col(k));
  find_joint_reactions(model_.mechanism(), bodies, pushes_, mu, shared, joints_);
  find_coupling_efforts(pushes_, mu, shared, couplings_);
  for (std::size_t k = 0; k < efforts_.size(); ++k) {
    const auto row = static_cast<Index>(k);
    efforts_[k] = u[row] * pushes_.unit(m + row);
    is_effort_unique_[k] = other_u.cols() == 0 || other_u.row(row).cwiseAbs().maxCoeff() < kSameForce;
  }
}

void InverseDynamics::find_powers(double t, const MechanismMotion& bodies) {
  powers_ = *evaluate_powers(model_, t, bodies, memory_, needs_);  // needs_ found all forces
  for (std::size_t k = 0; k < efforts_.size(); ++k) {
    rates_[k] = rate_of(model_.mechanism(), actuators_[k], bodies);
    powers_.actuators += efforts_[k] * rates_[k];
  }
}

void InverseDynamics::throw_unreached(double t, const MatrixXd& N, const MatrixXd& A,
                                      double tolerance) const {
  const model::Mechanism& mechanism = model_.mechanism();
  const Index freedoms = N.cols(), reached = actuator_solver_.rank();
  const VectorXd left = actuator_solver_.left_null_space().col(0);
  const MechanismMotion motion = pushes_.motion_along(N * left);
  std::vector<std::string> joints = kinematics::moving_joints(mechanism, motion);
  const std::size_t moving = joints.size();
  if (moving > 6) joints.resize(6);
  std::vector<std::string> names, idle;
  for (std::size_t k = 0; k < actuators_.size(); ++k) {
    names.push_back(actuators_[k].name);
    if (A.col(static_cast<Index>(k)).norm() <= tolerance) idle.push_back(actuators_[k].name);
  }
  std::string actual = "actuators for " + std::to_string(reached) + " of them" +
                       (names.empty() ? "" : ", " + core::conjunction(names));
  if (!idle.empty()) actual += "; nothing moves along " + core::conjunction(idle);
  if (!joints.empty())
    actual += "; with " + std::string(names.size() == 1 ? "it" : "them") + " held, " +
              (joints.size() == 1 ? "joint " : "joints ") + core::conjunction(joints) +
              (moving > joints.size() ? " and others" : "") + " can move";
  const auto missing = fastest_variable(mechanism, motion, pushes_.length());
  throw core::ModelError(
      {.what = "the actuators cannot give every motion",
       .where = "t = " + core::number_text(t) + " s",
       .expected = "actuators for " + counted(freedoms, "degree of freedom", "degrees of freedom"),
       .actual = std::move(actual),
       .next = missing ? "Add an actuator such as '" + model::name(mechanism, *missing) + "'" +
                             (idle.empty() ? "." : ", or take it in place of one that does nothing.")
                       : "Add an actuator that moves what is left."});
}

}  // namespace eslabon::dynamics
