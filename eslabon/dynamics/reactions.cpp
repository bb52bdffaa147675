#include "eslabon/dynamics/reactions.hpp"

#include <cmath>

#include <Eigen/QR>

#include "eslabon/coordinates/joint_rows.hpp"
#include "eslabon/coordinates/layout.hpp"
#include "eslabon/coordinates/row_kernel.hpp"

namespace eslabon::dynamics {

namespace {

using coordinates::BodyMotion;
using coordinates::MechanismMotion;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Loops close to some 1e-10 only, and so rows that repeat others do: what they tell apart below this is no direction of its own.
constexpr double kDependent = 1e-8;  // of the largest direction of G
constexpr double kSameForce = 1e-6;  // of a unit of μ that redundant joints can share otherwise

/// What the mass of a rod needs at each of its ends: m/6 (2 a + a of the other end).
std::array<Vector3d, 2> rod_needs(const model::Joint& joint, const MechanismMotion& bodies) {
  std::array<Vector3d, 2> a;
  for (std::size_t e = 0; e < 2; ++e)
    a[e] = bodies[joint.ends[e].body.slot()].point_acceleration(joint.ends[e].X_BF.p_AB_A);
  return {joint.rod_mass / 6.0 * (2.0 * a[0] + a[1]), joint.rod_mass / 6.0 * (2.0 * a[1] + a[0])};
}

}  // namespace

Reactions::Reactions(const DynamicModel& model)
    : model_(model),
      length_(coordinates::length_scale(model.mechanism())),
      joints_(model.mechanism().joints().size()),
      efforts_(model.mechanism().drivers().size()),
      is_effort_unique_(efforts_.size(), true),
      values_(model.prescribed().size()),
      applied_(model.mechanism().bodies().size()),
      needed_(applied_.size()) {
  const model::Mechanism& mechanism = model.mechanism();
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    for (coordinates::Row& row : coordinates::joint_rows(mechanism, model::JointIndex(static_cast<int>(j))))
      rows_.push_back({std::move(row), static_cast<int>(j), -1});
  for (std::size_t d = 0; d < mechanism.drivers().size(); ++d)
    rows_.push_back(
        {coordinates::variable_row(mechanism, mechanism.drivers()[d].target), -1, static_cast<int>(d)});
  angle_of_row_.assign(rows_.size(), 0.0);
  pushes_.resize(rows_.size());
}

void Reactions::find_pushes(const MechanismMotion& bodies) {
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const coordinates::Row& row = rows_[r].row;
    Push& push = pushes_[r];
    push.count = static_cast<std::size_t>(coordinates::feature_count(row.form));
    for (std::size_t f = 0; f < push.count; ++f) {
      const core::Pose<double>& X_WB = bodies[row.features[f].body.slot()].X_WB;
      push.x[f] = row.features[f].is_point ? X_WB.apply_to_point(row.features[f].local_B)
                                           : X_WB.apply_to_direction(row.features[f].local_B);
    }
    push.gradient = coordinates::row_gradient<double>(row.form, {&push.x[0], &push.x[1], &push.x[2]},
                                                      row.constant, angle_of_row_[r])
                        .by_feature;
  }
}

void Reactions::add_push(std::size_t r, std::size_t f, const Vector3d& about, double weight,
                         Wrench& wrench) const {
  const Push& push = pushes_[r];
  if (rows_[r].row.features[f].is_point)
    wrench.add_force(weight * push.gradient[f], push.x[f] - about);
  else
    wrench.torque += weight * push.x[f].cross(push.gradient[f]);
}

void Reactions::find_needs(double t, const MechanismMotion& bodies, const ForceMemory& memory) {
  const model::Mechanism& mechanism = model_.mechanism();
  model_.forces().evaluate(t, bodies, memory, applied_);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const model::MassProperties& mass = mechanism.bodies()[b].mass_properties;
    needed_[b] = {};
    if (b > 0 && !mass.is_massless()) {
      const Eigen::Matrix3d& R = bodies[b].X_WB.R_AB.matrix();
      const Eigen::Matrix3d I = R * mass.I_BC_B * R.transpose();
      const Vector3d &w = bodies[b].w_WB_W, force = mass.mass * bodies[b].point_acceleration(mass.p_BC_B);
      needed_[b].torque = I * bodies[b].alpha_WB_W + w.cross(I * w);
      needed_[b].add_force(force, R * mass.p_BC_B);
    }
    needed_[b].force -= applied_[b].force;
    needed_[b].torque -= applied_[b].torque;
  }
  for (const model::Joint& joint : mechanism.joints()) {
    if (joint.rod_mass == 0.0) continue;
    const std::array<Vector3d, 2> forces = rod_needs(joint, bodies);
    for (std::size_t e = 0; e < 2; ++e)
      needed_[joint.ends[e].body.slot()].add_force(
          forces[e], bodies[joint.ends[e].body.slot()].X_WB.R_AB * joint.ends[e].X_BF.p_AB_A);
  }
}

void Reactions::solve(double t, const MechanismMotion& bodies, const ForceMemory& memory) {
  const model::Mechanism& mechanism = model_.mechanism();
  model_.evaluate_drivers(t, values_);
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (rows_[r].driver >= 0) angle_of_row_[r] = values_[static_cast<std::size_t>(rows_[r].driver)].position;
  find_needs(t, bodies, memory);

  // Torques in units of force at the mechanism's size; in the plane fx, fy, mz.
  const bool is_planar = mechanism.is_planar();
  const Index per_body = is_planar ? 3 : 6, m = static_cast<Index>(rows_.size());
  const auto write = [&](const Wrench& wrench, auto&& out) {
    if (is_planar)
      out << wrench.force.x(), wrench.force.y(), wrench.torque.z() / length_;
    else
      out << wrench.force, wrench.torque / length_;
  };
  // μ in N, moments by the mechanism's size: what is least must not depend on the unit of length.
  VectorXd scale(m);
  for (Index r = 0; r < m; ++r)
    scale[r] = coordinates::is_length(rows_[static_cast<std::size_t>(r)].row.form) ? 1.0 : length_;
  MatrixXd G = MatrixXd::Zero(per_body * static_cast<Index>(bodies.size() - 1), m);
  VectorXd w(G.rows()), part(per_body);
  for (std::size_t b = 1; b < bodies.size(); ++b)
    write(needed_[b], w.segment(per_body * static_cast<Index>(b - 1), per_body));
  find_pushes(bodies);
  for (std::size_t r = 0; r < rows_.size(); ++r)
    for (std::size_t f = 0; f < pushes_[r].count; ++f) {
      const std::size_t b = rows_[r].row.features[f].body.slot();
      if (b == 0) continue;
      Wrench wrench;
      add_push(r, f, bodies[b].X_WB.p_AB_A, 1.0, wrench);
      write(wrench, part);
      G.col(static_cast<Index>(r)).segment(per_body * static_cast<Index>(b - 1), per_body) += part;
    }
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition;
  decomposition.setThreshold(kDependent);
  decomposition.compute(G * scale.asDiagonal());
  const VectorXd mu = scale.cwiseProduct(decomposition.solve(w));  // (1)
  residual_ =
      G.rows() == 0 ? 0.0 : (G * mu - w).lpNorm<Eigen::Infinity>() / (w.lpNorm<Eigen::Infinity>() + 1e-300);

  // What redundant joints can share otherwise: μ that do nothing to any body.
  MatrixXd shared(m, m - decomposition.rank());
  if (shared.cols() > 0) {
    const MatrixXd Z = decomposition.matrixZ();
    shared = (Z.transpose() * MatrixXd::Identity(m, m)).rightCols(shared.cols());
    shared = scale.asDiagonal() * (decomposition.colsPermutation() * shared);
  }
  const auto of_joint = [&](std::size_t j, const VectorXd& weights) {
    const model::Joint& joint = mechanism.joints()[j];
    const Vector3d origin = bodies[joint.second().slot()].point_position(joint.ends[1].X_BF.p_AB_A);
    Wrench sum;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (rows_[r].joint != static_cast<int>(j)) continue;
      for (std::size_t f = 0; f < pushes_[r].count; ++f)
        if (rows_[r].row.features[f].body == joint.second())
          add_push(r, f, origin, weights[static_cast<Index>(r)], sum);
    }
    return sum;
  };
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    Wrench reaction = of_joint(j, mu);
    // A rod gives to the body what its rows do, and its half of the weight, less what its own mass needs there.
    if (const model::Joint& joint = mechanism.joints()[j]; joint.rod_mass != 0.0)
      reaction.force += 0.5 * joint.rod_mass * mechanism.gravity_W() - rod_needs(joint, bodies)[1];
    joints_[j] = {reaction.force, reaction.torque, true};
    for (Index k = 0; k < shared.cols() && joints_[j].is_unique; ++k) {
      const Wrench other = of_joint(j, shared.col(k));
      joints_[j].is_unique = other.force.norm() + other.torque.norm() / length_ < kSameForce;
    }
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (rows_[r].driver < 0) continue;
    const auto driver = static_cast<std::size_t>(rows_[r].driver);
    const auto row = static_cast<Index>(r);
    efforts_[driver] = mu[row];
    is_effort_unique_[driver] =
        shared.cols() == 0 || shared.row(row).cwiseAbs().maxCoeff() < kSameForce * scale[row];
  }
}

}  // namespace eslabon::dynamics
