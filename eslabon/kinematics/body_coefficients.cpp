#include "eslabon/kinematics/body_coefficients.hpp"

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::kinematics {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

constexpr int kMostCorrections = 20;

}  // namespace

BodyCoefficients::BodyCoefficients(const DrivenMechanism& driven)
    : driven_(driven),
      solver_("sparse", "reference-point", driven_),
      rows_per_body_(driven.mechanism().is_planar() ? 3 : 6),
      state_(solver_.start()),
      values_(driven.prescribed().size()),
      motion_(driven.mechanism().bodies().size()) {
  const model::Mechanism& mechanism = driven.mechanism();
  for (const model::Driver& driver : mechanism.drivers())
    scale_.push_back(model::dimension(mechanism, driver.target) == core::kAngle ? 1.0 : solver_.length());
  const Index rows = rows_per_body_ * static_cast<Index>(motion_.size() - 1);
  coefficients_.K.resize(rows, static_cast<Index>(scale_.size()));
  coefficients_.L.assign(scale_.size(), coefficients_.K);
}

void BodyCoefficients::send(VectorXd& velocities, VectorXd& accelerations) {
  const PositionSolution solution = solver_.solve_positions(values_, kMostCorrections, state_.q);
  if (!solution.position)
    throw core::ModelError({.what = "velocity coefficients do not exist",
                            .where = "t = " + core::number_text(state_.t) + " s",
                            .expected = "a position that the drivers determine",
                            .actual = "a singular one",
                            .next = "End the run before it, or choose other times."});
  const SolvedVelocity solved = solver_.solve_velocities(*solution.position, state_.v);
  solver_.solve_accelerations(solved, values_, state_.q, state_.v, state_.a);
  solver_.evaluate_bodies(state_, motion_);
  velocities.resize(coefficients_.K.rows());
  accelerations.resize(coefficients_.K.rows());
  for (std::size_t b = 1; b < motion_.size(); ++b) {
    const Index row = rows_per_body_ * static_cast<Index>(b - 1);
    const coordinates::BodyMotion& body = motion_[b];
    if (rows_per_body_ == 3) {
      velocities.segment<3>(row) << body.v_WB_W.head<2>(), body.w_WB_W.z();
      accelerations.segment<3>(row) << body.a_WB_W.head<2>(), body.alpha_WB_W.z();
    } else {
      velocities.segment<6>(row) << body.v_WB_W, body.w_WB_W;
      accelerations.segment<6>(row) << body.a_WB_W, body.alpha_WB_W;
    }
  }
}

const VelocityCoefficients& BodyCoefficients::at(double t, const coordinates::MechanismMotion& bodies) {
  state_.t = t;
  driven_.evaluate_or_throw(t, values_);
  std::vector<double> near;
  for (coordinates::CoordinateValue& value : values_) {
    near.push_back(value.position);
    value = {value.position, 0.0, 0.0};
  }
  solver_.system().read_bodies(bodies, {state_.q, state_.v, state_.a}, near);
  VectorXd velocities, accelerations;
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    const auto column = static_cast<Index>(i);
    const double s = scale_[i];
    values_[i].velocity = s;
    send(velocities, accelerations);  // (1)
    coefficients_.K.col(column) = velocities / s;
    coefficients_.L[i].col(column) = accelerations / (s * s);
    for (std::size_t j = 0; j < i; ++j) {
      const double r = scale_[j];
      values_[j].velocity = r;
      send(velocities, accelerations);
      values_[j].velocity = 0.0;
      const auto other = static_cast<Index>(j);
      coefficients_.L[i].col(other) =
          (accelerations - s * s * coefficients_.L[i].col(column) - r * r * coefficients_.L[j].col(other)) /
          (2.0 * s * r);
      coefficients_.L[j].col(column) = coefficients_.L[i].col(other);
    }
    values_[i].velocity = 0.0;
  }
  return coefficients_;
}

}  // namespace eslabon::kinematics
