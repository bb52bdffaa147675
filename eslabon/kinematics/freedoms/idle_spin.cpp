#include "eslabon/kinematics/freedoms/idle_spin.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <Eigen/Geometry>

#include "eslabon/core/linalg/eigenvalues.hpp"
#include "eslabon/core/linalg/orthogonal.hpp"
#include "eslabon/structure/idle_part.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::ConstraintSystem;
using coordinates::MechanismMotion;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kStill = 1e-7;  // of the spin, lengths in units of the size

/// Direction of the line about which the part spins; nothing when its two points coincide.
std::optional<Vector3d> axis_of(const structure::IdlePart& part, const MechanismMotion& bodies,
                                double length) {
  const auto place = [&](const structure::BodyPoint& point) {
    return bodies[point.body.slot()].point_position(point.p_BP_B);
  };
  const Vector3d way = place(part.line[1]) - place(part.line[0]);
  if (way.norm() <= kStill * length) return std::nullopt;
  return way.normalized();
}

/// Velocities of all bodies below each other, angular ones first, lengths in units of the size.
VectorXd velocities_of(const MechanismMotion& bodies, double length) {
  VectorXd x(6 * static_cast<Eigen::Index>(bodies.size()));
  for (std::size_t b = 0; b < bodies.size(); ++b)
    x.segment<6>(6 * static_cast<Eigen::Index>(b)) << bodies[b].w_WB_W, bodies[b].v_WB_W / length;
  return x;
}

/// The bodies of the part turn about the axis with unit rate, all others are at rest.
MechanismMotion spinning(const structure::Topology& topology, const structure::IdlePart& part,
                         const Vector3d& axis_W, MechanismMotion bodies) {
  const structure::BodyPoint& on_line = part.line[0];
  const Vector3d p_WL_W = bodies[on_line.body.slot()].point_position(on_line.p_BP_B);
  for (const structure::LinkIndex link : part.links)
    for (const model::BodyIndex body : topology.links[link.slot()]) {
      coordinates::BodyMotion& motion = bodies[body.slot()];
      motion.w_WB_W = axis_W;
      motion.v_WB_W = axis_W.cross(motion.X_WB.p_AB_A - p_WL_W);
    }
  return bodies;
}

/// Weights of the free motions that make this one, which moves the part alone; nothing when no combination does.
std::optional<VectorXd> weights_of(const MechanismMotion& motion, const structure::IdlePart& part,
                                   const FreeMotions& motions, double length) {
  const MatrixXd confined = motions.confined_to(part.links);
  if (confined.cols() == 0) return std::nullopt;
  const VectorXd wanted = velocities_of(motion, length);
  MatrixXd A(wanted.size(), confined.cols());
  for (Eigen::Index k = 0; k < confined.cols(); ++k)
    A.col(k) = velocities_of(motions.combined(confined.col(k)), length);
  const VectorXd x = core::solve_least_squares(A, wanted);
  if (!((A * x - wanted).norm() <= kStill * wanted.norm())) return std::nullopt;
  return (confined * x).normalized();
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
             (system.coordinates()[c].dimension == core::kLength ? length_ : 1.0);
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
  const MechanismMotion at_rest = motions.combined(VectorXd::Zero(motions.count()));
  const double length = coordinates::length_scale(system.mechanism());
  const structure::Topology& topology = system.structure().topology;
  for (const structure::IdlePart& part : structure::find_idle_parts(system.mechanism(), topology)) {
    const auto axis_W = axis_of(part, at_rest, length);
    if (!axis_W) continue;
    auto weights = weights_of(spinning(topology, part, *axis_W, at_rest), part, motions, length);
    if (!weights) continue;
    for (const IdleSpin& known : spins) *weights -= weights->dot(known.weights) * known.weights;
    if (weights->norm() < 1e-6) continue;
    spins.push_back({topology.links[part.links.front().slot()].front(), *axis_W, weights->normalized()});
  }
  return spins;
}

}  // namespace eslabon::kinematics
