#include "eslabon/kinematics/driven_mechanism.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "eslabon/kinematics/moving_joints.hpp"
#include "eslabon/kinematics/row_rank.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::ConstraintSystem;
using coordinates::CoordinateValue;
using coordinates::MechanismMotion;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// The motions that are left when joints and drivers hold, as twists of the bodies.
class FreeMotions {
 public:
  /// `null_space`: columns in scaled coordinates of the system.
  FreeMotions(const ConstraintSystem& system, const std::vector<double>& q, const MatrixXd& null_space)
      : system_(system), length_(coordinates::length_scale(system.mechanism())) {
    const std::vector<double> zero(q.size(), 0.0);
    coordinates::BodiesWorkspace workspace;
    for (Eigen::Index k = 0; k < null_space.cols(); ++k) {
      std::vector<double> v(q.size());
      for (std::size_t c = 0; c < q.size(); ++c)
        v[c] = null_space(static_cast<Eigen::Index>(c), k) *
               (system.coordinates()[c].unit == coordinates::CoordinateUnit::kLength ? length_ : 1.0);
      motions_.emplace_back(system.mechanism().bodies().size());
      system.evaluate_bodies(q, v, zero, workspace, motions_.back());
    }
  }

  int count() const { return static_cast<int>(motions_.size()); }

  /// Motions that move only the bodies of these links: columns are weights of the motions.
  MatrixXd confined_to(const std::vector<structure::LinkIndex>& links) const {
    const MatrixXd others = gram([&](std::size_t body) { return !is_in(body, links); });
    const MatrixXd inside = gram([&](std::size_t body) { return is_in(body, links); });
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(others);
    const double scale = std::max(1e-300, (inside + others).diagonal().maxCoeff());
    Eigen::Index found = 0;
    while (found < eigen.eigenvalues().size() && eigen.eigenvalues()[found] < 1e-14 * scale) ++found;
    return eigen.eigenvectors().leftCols(found);
  }

  /// The motion with these weights.
  MechanismMotion combined(const VectorXd& weights) const {
    MechanismMotion sum = motions_.front();
    for (std::size_t b = 0; b < sum.size(); ++b) {
      sum[b].w_WB_W.setZero();
      sum[b].v_WB_W.setZero();
      for (std::size_t k = 0; k < motions_.size(); ++k) {
        sum[b].w_WB_W += weights[static_cast<Eigen::Index>(k)] * motions_[k][b].w_WB_W;
        sum[b].v_WB_W += weights[static_cast<Eigen::Index>(k)] * motions_[k][b].v_WB_W;
      }
    }
    return sum;
  }

 private:
  bool is_in(std::size_t body, const std::vector<structure::LinkIndex>& links) const {
    const structure::LinkIndex link = system_.structure().topology.link_of_body[body];
    return std::ranges::find(links, link) != links.end();
  }
  /// Σ over bodies of the inner products of the motions.
  template <class Predicate>
  MatrixXd gram(Predicate counts) const {
    MatrixXd G = MatrixXd::Zero(count(), count());
    for (std::size_t b = 1; b < motions_.front().size(); ++b) {
      if (!counts(b)) continue;
      for (int i = 0; i < count(); ++i)
        for (int j = 0; j < count(); ++j) {
          const auto& m = motions_[static_cast<std::size_t>(i)][b];
          const auto& n = motions_[static_cast<std::size_t>(j)][b];
          G(i, j) += m.w_WB_W.dot(n.w_WB_W) + m.v_WB_W.dot(n.v_WB_W) / (length_ * length_);
        }
    }
    return G;
  }

  const ConstraintSystem& system_;
  double length_;
  std::vector<MechanismMotion> motions_;
};

/// Links that could be idle: one alone, or the parts that structure calls idle.
std::vector<std::vector<structure::LinkIndex>> idle_candidates(const structure::Structure& structure) {
  std::vector<std::vector<structure::LinkIndex>> sets;
  for (int l = 1; l < structure.topology.num_links(); ++l) sets.push_back({structure::LinkIndex(l)});
  for (const structure::IdleFreedom& idle : structure.idle)
    if (idle.links.size() > 1) sets.push_back(idle.links);
  return sets;
}

}  // namespace

DrivenMechanism::DrivenMechanism(const model::Mechanism& mechanism, const structure::Structure& structure,
                                 const AssemblyReport& assembly, double until)
    : mechanism_(mechanism), structure_(structure), start_(assembly.bodies), until_(until) {
  if (!assembly.usable())
    throw core::ContractError({.what = "a mechanism that is not assembled cannot be driven",
                               .where = "assembly",
                               .expected = "a usable AssemblyReport",
                               .actual = assembly.brief(),
                               .next = "Look at the report first."});
  for (std::size_t i = 0; i < mechanism.drivers().size(); ++i) {
    const model::Driver& driver = mechanism.drivers()[i];
    prescribed_.push_back({driver.target, "driver '" + driver.name + "'"});
    drivers_.emplace_back(driver, assembly.driver_starts[i], until);
  }
  check_rank();
}

void DrivenMechanism::check_rank() {
  const ConstraintSystem system("relative", mechanism_, structure_, prescribed_);
  // Too large to look at densely: what is wrong shows when the first position is solved.
  if (system.num_rows() > kDenseLimit) return;
  const auto n = static_cast<std::size_t>(system.num_coordinates());
  std::vector<double> q(n), v(n), a(n), near;
  std::vector<CoordinateValue> values(prescribed_.size());
  evaluate(0.0, values);
  for (const CoordinateValue& value : values) near.push_back(value.position);
  system.read_bodies(start_, {q, v, a}, near);
  coordinates::PositionLevel positions;
  system.evaluate_positions(q, values, positions);
  const RowRank rank = rank_rows_in_order(system, positions.Phi_q);

  for (const RepeatedRow& repeated : rank.repeated_rows) {
    const auto* driver = std::get_if<coordinates::PrescribedIndex>(&system.label(repeated.row).source);
    if (driver == nullptr) continue;
    std::vector<std::string> others;
    for (const int row : repeated.rows)
      if (const auto* joint = std::get_if<model::JointIndex>(&system.label(row).source)) {
        const std::string& name = mechanism_.joint(*joint).name;
        if (std::ranges::find(others, name) == others.end()) others.push_back(name);
      } else {
        others.push_back(coordinates::describe_row(system, row));
      }
    throw core::ModelError(
        {.what = "a driver prescribes what is held already",
         .where = prescribed_[driver->slot()].name,
         .expected = "a freedom that it can move at the start position",
         .actual = others.empty() ? "a variable that never changes"
                                  : "one that follows from " + listed(others, 6),
         .next = rank.null_space.cols() > 0
                     ? "Drive another variable, or start away from this position if it is a dead centre."
                     : "Remove the driver, or free a joint."});
  }
  if (rank.null_space.cols() == 0) return;

  const FreeMotions motions(system, q, rank.null_space);
  MatrixXd idle(motions.count(), 0);  // weights of the idle motions found, orthonormal
  for (const auto& links : idle_candidates(structure_)) {
    if (idle.cols() == motions.count()) break;
    const MatrixXd confined = motions.confined_to(links);
    for (Eigen::Index k = 0; k < confined.cols(); ++k) {
      VectorXd weights = confined.col(k) - idle * (idle.transpose() * confined.col(k));
      if (weights.norm() < 1e-6) continue;
      weights.normalize();
      const MechanismMotion motion = motions.combined(weights);
      const model::BodyIndex body = structure_.topology.links[links.front().slot()].front();
      const Vector3d& w = motion[body.slot()].w_WB_W;
      if (w.norm() < 1e-6) continue;  // no spin: a freedom that somebody ought to drive
      idle.conservativeResize(Eigen::NoChange, idle.cols() + 1);
      idle.rightCols<1>() = weights;
      const Vector3d axis = w.normalized();
      const Vector3d u_W = axis.unitOrthogonal();
      const coordinates::HeldDirection held{body, start_[body.slot()].X_WB.R_AB.inverse() * u_W, axis.cross(u_W)};
      held_.push_back({body, held});
      prescribed_.push_back({held, "spin of body '" + mechanism_.body(body).name + "'"});
    }
  }
  const int left = motions.count() - static_cast<int>(idle.cols());
  if (left == 0) return;
  // A motion that is left, apart from the idle ones.
  VectorXd weights = VectorXd::Zero(motions.count());
  for (int k = 0; k < motions.count() && weights.norm() < 1e-6; ++k) {
    const VectorXd unit = VectorXd::Unit(motions.count(), k);
    weights = unit - idle * (idle.transpose() * unit);
  }
  const std::vector<std::string> joints = moving_joints(mechanism_, motions.combined(weights));
  throw core::ModelError(
      {.what = "the drivers do not move every freedom",
       .where = "joint '" + joints.front() + "'",
       .expected = std::to_string(mechanism_.drivers().size() + static_cast<std::size_t>(left)) + " drivers",
       .actual = std::to_string(mechanism_.drivers().size()) + "; with " +
                 (mechanism_.drivers().empty() ? "none" : "these standing still") + ", joints " +
                 listed(joints, 6) + " can move",
       .next = "Add a driver for one of these joints under 'drivers:', or use 'eslabon simulate' to let forces move "
               "it."});
}

void DrivenMechanism::evaluate(double t, std::span<CoordinateValue> out) const {
  for (std::size_t i = 0; i < drivers_.size(); ++i) out[i] = drivers_[i].evaluate(t);
  for (std::size_t i = drivers_.size(); i < out.size(); ++i) out[i] = {};
}

}  // namespace eslabon::kinematics
