#include "eslabon/kinematics/idle_spin.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/core/linalg/eigenvalues.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::ConstraintSystem;
using coordinates::MechanismMotion;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using model::JointType;

constexpr double kStill = 1e-7;  // of the spin, lengths in units of the size

/// Links that could be idle: one alone, or the parts that structure calls idle.
std::vector<std::vector<structure::LinkIndex>> candidates(const structure::Structure& structure) {
  std::vector<std::vector<structure::LinkIndex>> sets;
  for (int l = 1; l < structure.topology.num_links(); ++l) sets.push_back({structure::LinkIndex(l)});
  for (const structure::IdleFreedom& idle : structure.idle)
    if (idle.links.size() > 1) sets.push_back(idle.links);
  return sets;
}

/// Whether the motion, which moves the bodies of these links only, is a spin that nobody needs.
bool is_idle_spin(const ConstraintSystem& system, const std::vector<structure::LinkIndex>& links,
                  const MechanismMotion& motion) {
  const model::Mechanism& mechanism = system.mechanism();
  const structure::Topology& topology = system.structure().topology;
  const double length = coordinates::length_scale(mechanism);
  const double spin = motion[topology.links[links.front().slot()].front().slot()].w_WB_W.norm();
  if (spin < kStill) return false;
  const auto is_inside = [&](model::BodyIndex body) {
    return std::ranges::find(links, topology.link_of(body)) != links.end();
  };
  std::set<int> others;
  bool has_rod = false;
  std::vector<Vector3d> points;
  for (const model::Joint& joint : mechanism.joints()) {
    const bool is_first = is_inside(joint.first()), is_second = is_inside(joint.second());
    if (!is_first && !is_second) continue;
    const bool is_open = joint.type == JointType::kSpherical || joint.type == JointType::kRod;
    if ((is_first && is_second) || !is_open) {
      const coordinates::RelativeMotion relative = coordinates::relative_motion(joint, motion);
      if (relative.w.norm() + relative.v.norm() / length > kStill * spin) return false;
      continue;
    }
    const model::JointEnd& own = joint.ends[is_first ? 0 : 1];
    if (motion[own.body.slot()].point_velocity(own.X_BF.p_AB_A).norm() > kStill * spin * length) return false;
    points.push_back(motion[own.body.slot()].point_position(own.X_BF.p_AB_A));
    others.insert(topology.link_of(joint.ends[is_first ? 1 : 0].body).value());
    has_rod = has_rod || joint.type == JointType::kRod;
  }
  const bool is_line = std::ranges::any_of(
      points, [&](const Vector3d& p) { return (p - points.front()).norm() > kStill * length; });
  return is_line && (has_rod || others.size() > 1);
}

}  // namespace

FreeMotions::FreeMotions(const ConstraintSystem& system, const std::vector<double>& q,
                         const MatrixXd& null_space)
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

bool FreeMotions::is_in(std::size_t body, const std::vector<structure::LinkIndex>& links) const {
  const structure::LinkIndex link = system_.structure().topology.link_of_body[body];
  return std::ranges::find(links, link) != links.end();
}

MatrixXd FreeMotions::confined_to(const std::vector<structure::LinkIndex>& links) const {
  // Inner products of the motions over the bodies outside and inside the links: what is confined has none outside.
  MatrixXd outside = MatrixXd::Zero(count(), count()), inside = outside;
  for (std::size_t b = 1; count() > 0 && b < motions_.front().size(); ++b) {
    MatrixXd& G = is_in(b, links) ? inside : outside;
    for (int i = 0; i < count(); ++i)
      for (int j = 0; j < count(); ++j) {
        const auto& m = motions_[static_cast<std::size_t>(i)][b];
        const auto& n = motions_[static_cast<std::size_t>(j)][b];
        G(i, j) += m.w_WB_W.dot(n.w_WB_W) + m.v_WB_W.dot(n.v_WB_W) / (length_ * length_);
      }
  }
  const core::SymmetricEigen eigen = core::symmetric_eigen(outside);
  const double scale = (inside + outside).diagonal().maxCoeff();
  Eigen::Index found = 0;
  while (found < eigen.values.size() && eigen.values[found] < 1e-14 * scale) ++found;
  return eigen.vectors.leftCols(found);
}

MechanismMotion FreeMotions::combined(const VectorXd& weights) const {
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

std::vector<IdleSpin> find_idle_spins(const ConstraintSystem& system, const FreeMotions& motions) {
  std::vector<IdleSpin> spins;
  if (motions.count() == 0) return spins;
  for (const auto& links : candidates(system.structure())) {
    const MatrixXd confined = motions.confined_to(links);
    if (confined.cols() != 1) continue;  // a part with more freedoms of its own does more than spin
    VectorXd weights = confined.col(0);
    const MechanismMotion motion = motions.combined(weights);
    if (!is_idle_spin(system, links, motion)) continue;
    for (const IdleSpin& known : spins) weights -= weights.dot(known.weights) * known.weights;
    if (weights.norm() < 1e-6) continue;
    const model::BodyIndex body = system.structure().topology.links[links.front().slot()].front();
    spins.push_back({body, motion[body.slot()].w_WB_W.normalized(), weights.normalized()});
  }
  return spins;
}

}  // namespace eslabon::kinematics
