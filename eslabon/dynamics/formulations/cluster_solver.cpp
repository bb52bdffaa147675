#include "eslabon/dynamics/formulations/cluster_solver.hpp"

#include <algorithm>

#include "eslabon/core/index.hpp"

namespace eslabon::dynamics {

namespace {

using core::index;
using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kNoClusterMass = 1e-15;  // of what roundoff leaves of a mass

/// What a unit rate moves, cross products left out.
double moved_by(const Vector6d& b, const Matrix6d& inertia) {
  return b.head<3>().squaredNorm() * inertia.topLeftCorner<3, 3>().trace() +
         b.tail<3>().squaredNorm() * inertia.bottomRightCorner<3, 3>().trace();
}

/// h of (3).
void add_needs(ClusterLinks::Values& link) {
  Vector6d zeta;
  zeta << link.alpha, link.a;
  link.force.noalias() += link.inertia * zeta;
}

}  // namespace

void add_coupling(double m, const Vector3d& r, const Vector3d& s, Matrix6d& inertia) {
  const auto crossed = [](const Vector3d& d) {
    Matrix3d out;
    out << 0.0, -d.z(), d.y(), d.z(), 0.0, -d.x(), -d.y(), d.x(), 0.0;
    return out;
  };
  const Matrix3d R = crossed(r), S = crossed(s);
  inertia.topLeftCorner<3, 3>() -= m * R * S;
  inertia.topRightCorner<3, 3>() += m * R;
  inertia.bottomLeftCorner<3, 3>() -= m * S;
  inertia.bottomRightCorner<3, 3>().diagonal().array() += m;
}

void ClusterSolver::set_columns(std::vector<int> columns, std::size_t f, const ClusterLinks& links) {
  columns_ = std::move(columns);
  const std::size_t n = columns_.size(), m = n - f;
  is_joint_ = n == 1 && f == 1 && cluster_->links.size() == 1;
  of_z_.assign(f, 0);
  lu_ = SmallLu(m);
  cholesky_ = SmallCholesky(f);
  R_d_.assign(m * f, 0.0);
  c_.assign(m, 0.0);
  M_.assign(n * n, 0.0);
  MR_.assign(n * f, 0.0);
  D_.assign(f * f, 0.0);
  u_.assign(f, 0.0);
  t_.assign(n, 0.0);
  moved_.assign(n, 0.0);
  F_.assign(n, Vector6d::Zero());
  U_.assign(f, Vector6d::Zero());
  W_.assign(f, Vector6d::Zero());
  carrier_.assign(n, -1);
  before_.assign(n, {});
  for (const int l : cluster_->links) {
    std::vector<int> places;
    for (const int column : links.path(l)) {
      const auto at = std::ranges::find(columns_, column);
      if (at == columns_.end()) continue;
      const auto place = static_cast<int>(at - columns_.begin());
      places.push_back(place);
      if (carrier_[index(place)] >= 0) continue;
      carrier_[index(place)] = l;
      before_[index(place)] = places;
    }
  }
}

void ClusterSolver::find_directions(const ClusterRows& rows) {
  lu_.solve_rows(rows.Phi_q().data() + m(), columns_.size(), f(), R_d_.data());
  for (double& entry : R_d_) entry = -entry;
}

void ClusterSolver::add_biases(const ClusterRows& rows, ClusterLinks& links, std::span<double> y) {
  solve(rows.gamma(), c_);
  for (std::size_t k = 0; k < columns_.size(); ++k) y[index(columns_[k])] = k < m() ? c_[k] : 0.0;
  for (const int l : cluster_->links) {
    ClusterLinks::Values& link = links[l];
    for (const int column : links.path(l))
      if (const double bias = y[index(column)]; bias != 0.0) {
        link.alpha += bias * links.axis(column).head<3>();
        link.a += bias * links.axis(column).tail<3>();
      }
  }
}

bool ClusterSolver::gather_joint(ClusterLinks& links) {
  ClusterLinks::Values& link = links[cluster_->links.front()];
  add_needs(link);
  const Vector6d& b = links.axis(columns_.front());
  Vector6d& U = U_[0];
  U.noalias() = link.inertia * b;
  const double D = b.dot(U);
  if (!(D > kNoClusterMass * moved_by(b, link.inertia))) return false;
  D_[0] = 1.0 / D;
  u_[0] = -b.dot(link.force);
  if (cluster_->base == 0) return true;
  const Vector6d scaled = D_[0] * U;
  link.inertia.noalias() -= scaled * U.transpose();
  link.force += u_[0] * scaled;
  add_to_base(link.inertia, link.force, links);
  return true;
}

void ClusterSolver::add_to_base(const Matrix6d& inertia, const Vector6d& force, ClusterLinks& links) const {
  ClusterLinks::Values& base = links[cluster_->base];
  if (links.has_own_point(index(number_))) {
    add_shifted(inertia, force, links.point(number_) - links.point(cluster_->parent), base.inertia,
                base.force);
  } else {
    base.inertia += inertia;
    base.force += force;
  }
}

bool ClusterSolver::gather(ClusterLinks& links, const Vector3d& g) {
  if (is_joint_) return gather_joint(links);
  const std::size_t n = columns_.size();
  for (const int l : cluster_->links) add_needs(links[l]);
  Matrix6d inertia = Matrix6d::Zero();
  Vector6d force = Vector6d::Zero();
  for (auto l = cluster_->links.rbegin(); l != cluster_->links.rend(); ++l) {
    const ClusterLinks::Values& link = links[*l];
    const int parent = tree_->link(*l).parent;
    (parent == cluster_->base ? inertia : links[parent].inertia) += link.inertia;
    (parent == cluster_->base ? force : links[parent].force) += link.force;
  }
  std::ranges::fill(M_, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    if (carrier_[k] < 0) continue;
    const ClusterLinks::Values& link = links[carrier_[k]];
    const Vector6d& b = links.axis(columns_[k]);
    F_[k].noalias() = link.inertia * b;
    t_[k] = b.dot(link.force);
    moved_[k] = moved_by(b, link.inertia);
    for (const int j : before_[k])
      M_[k * n + index(j)] = M_[index(j) * n + k] = links.axis(columns_[index(j)]).dot(F_[k]);
  }
  for (const RodCoupling& rod : rods_) add_rod_terms(rod, links, g, inertia, force);
  if (!reduce()) return false;
  if (cluster_->base == 0) return true;
  cholesky_.solve_lower(U_.data(), W_.data());
  for (std::size_t i = 0; i < f(); ++i) {
    inertia.noalias() -= W_[i] * W_[i].transpose();
    force += u_[i] * W_[i];
  }
  add_to_base(inertia, force, links);
  return true;
}

/// U, D and u of (3), and L⁻¹ u with the factors of D = L Lᵀ.
bool ClusterSolver::reduce() {
  const std::size_t n = columns_.size(), m = c_.size(), f = of_z_.size();
  in_blocks(f, [&](std::size_t first, auto block) {
    for (std::size_t k = 0; k < n; ++k) {
      std::array<double, block> row;
      for (std::size_t i = 0; i < block; ++i) row[i] = M_[k * n + m + first + i];
      for (std::size_t d = 0; d < m; ++d)
        if (const double mass = M_[k * n + d]; mass != 0.0)  // on one branch
          for (std::size_t i = 0; i < block; ++i) row[i] += mass * R_d_[d * f + first + i];
      std::ranges::copy(row, MR_.data() + k * f + first);
    }
    for (std::size_t i = first; i < f;
         ++i) {  // the lower half, and what else is in the blocks on the diagonal
      std::array<double, block> row;
      for (std::size_t j = 0; j < block; ++j) row[j] = MR_[(m + i) * f + first + j];
      for (std::size_t d = 0; d < m; ++d) {
        const double rate = R_d_[d * f + i];
        for (std::size_t j = 0; j < block; ++j) row[j] += rate * MR_[d * f + first + j];
      }
      std::ranges::copy(row, D_.data() + i * f + first);
    }
  });
  for (std::size_t i = 0; i < f; ++i) {
    Vector6d U = F_[m + i];
    double u = -t_[m + i], moved = moved_[m + i];
    for (std::size_t d = 0; d < m; ++d) {
      const double rate = R_d_[d * f + i];
      if (rate == 0.0) continue;
      U += rate * F_[d];
      u -= rate * t_[d];
      moved += rate * rate * moved_[d];
    }
    U_[i] = U;
    u_[i] = u;
    if (!(D_[i * f + i] > kNoClusterMass * moved)) return false;
  }
  if (!cholesky_.factor(D_.data())) return false;
  cholesky_.solve_lower(u_.data(), 1);
  return true;
}

void ClusterSolver::add_rod_terms(const RodCoupling& rod, const ClusterLinks& links, const Vector3d& g,
                                  Matrix6d& inertia, Vector6d& force) {
  const std::size_t n = columns_.size();
  std::array<Vector3d, 2> r, a;
  std::array<std::span<const int>, 2> path;
  for (std::size_t e = 0; e < 2; ++e) {
    const ClusterLinks::Values& link = links[rod.link[e]];
    const bool is_base = rod.link[e] == cluster_->base;
    r[e] = rod.end(e, links) - links.point(number_);
    const Vector6d& base = links.base_motion(index(number_));
    const Vector3d w = is_base ? Vector3d(base.head<3>()) : link.w,
                   v = is_base ? Vector3d(base.tail<3>()) : link.v;
    a[e] = w.cross(v + w.cross(r[e]));
    if (is_base) continue;
    a[e] += link.a + link.alpha.cross(r[e]);
    path[e] = links.path(rod.link[e]);
  }
  const auto point_motion = [&](std::size_t k, std::size_t e) {
    const Vector6d& b = links.axis(columns_[k]);
    return Vector3d(b.tail<3>() + b.head<3>().cross(r[e]));
  };
  const auto carries = [&](std::size_t k, std::size_t e) {
    return std::ranges::find(path[e], columns_[k]) != path[e].end();
  };
  for (std::size_t e = 0; e < 2; ++e) {
    add_coupling(rod.mass, r[e], r[1 - e], inertia);
    const Vector3d pull = rod.mass * (a[1 - e] - g);
    force.head<3>() += r[e].cross(pull);
    force.tail<3>() += pull;
    for (std::size_t k = 0; k < n; ++k) {
      if (!carries(k, e)) continue;
      const Vector3d own = point_motion(k, e), push = rod.mass * own;
      t_[k] += own.dot(pull);
      F_[k].head<3>() += r[1 - e].cross(push);
      F_[k].tail<3>() += push;
      for (std::size_t j = 0; j < n; ++j)
        if (carries(j, 1 - e)) M_[k * n + j] += push.dot(point_motion(j, 1 - e));
    }
  }
}

void ClusterSolver::spread(ClusterLinks& links, std::span<double> z_ddot, std::span<double> y) {
  const std::size_t m = c_.size(), f = of_z_.size();
  Vector6d base = Vector6d::Zero();
  if (cluster_->base != 0) {
    base = links[cluster_->base].acceleration;
    if (links.has_own_point(index(number_)))
      base.tail<3>() += base.head<3>().cross(links.point(number_) - links.point(cluster_->parent));
  }
  if (is_joint_) {
    u_[0] = (u_[0] - U_[0].dot(base)) * D_[0];
  } else {
    if (cluster_->base != 0)
      for (std::size_t i = 0; i < f; ++i) u_[i] -= W_[i].dot(base);
    cholesky_.solve_upper(u_.data(), 1);
  }
  for (std::size_t i = 0; i < f; ++i) {
    z_ddot[of_z_[i]] = u_[i];
    y[index(columns_[m + i])] = u_[i];
  }
  for (std::size_t k = 0; k < m; ++k) {
    double sum = 0.0;
    for (std::size_t i = 0; i < f; ++i) sum += R_d_[k * f + i] * u_[i];
    y[index(columns_[k])] = sum;
  }
  if (!carries_clusters_) return;
  for (const int l : cluster_->links) {
    ClusterLinks::Values& link = links[l];
    link.acceleration = base;
    link.acceleration.head<3>() += link.alpha;
    link.acceleration.tail<3>() += link.a;
    for (const int column : links.path(l)) link.acceleration += y[index(column)] * links.axis(column);
  }
}

}  // namespace eslabon::dynamics
