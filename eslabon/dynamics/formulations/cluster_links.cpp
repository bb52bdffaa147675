#include "eslabon/dynamics/formulations/cluster_links.hpp"

#include <cmath>

#include "eslabon/coordinates/euler_parameters.hpp"
#include "eslabon/coordinates/turn.hpp"
#include "eslabon/core/index.hpp"

namespace eslabon::dynamics {

namespace {

using coordinates::JointStep;
using core::index;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Kind = JointStep::Kind;

constexpr int kLinksPerOwnPoint = 16;  // a few digits at most are lost over so many

}  // namespace

ClusterLinks::ClusterLinks(const model::Mechanism& mechanism, const coordinates::KinematicTree& tree,
                           const std::vector<Cluster>& clusters, int num_coordinates)
    : clusters_(clusters),
      links_(index(tree.num_links())),
      balls_of_(clusters.size()),
      paths_(links_.size()),
      has_own_point_(clusters.size()),
      points_(clusters.size(), Vector3d::Zero()),
      base_motions_(clusters.size(), Vector6d::Zero()),
      axes_(index(num_coordinates), Vector6d::Zero()),
      places_(index(num_coordinates), Vector3d::Zero()),
      values_(links_.size()),
      shown_(links_.size()) {
  const std::vector<LinkMass> masses = link_masses(mechanism, tree);
  std::vector<int> links_since(clusters.size(), 0);  // the last own point
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const Cluster& cluster = clusters[c];
    const int before = cluster.parent < 0 ? 0 : links_since[index(cluster.parent)];
    has_own_point_[c] = cluster.parent < 0 || before >= kLinksPerOwnPoint;
    links_since[c] = static_cast<int>(cluster.links.size()) + (has_own_point_[c] ? 0 : before);
    for (const int l : cluster.links) {
      const coordinates::TreeLink& from = tree.link(l);
      Link& link = links_[index(l)];
      link.parent = from.parent;
      link.cluster = static_cast<int>(c);
      const core::Pose<double> X_PF = tree.link(from.parent).X_FL * from.X_PF;
      link.R_PF = X_PF.R_AB.matrix();
      link.p_PF = X_PF.p_AB_A;
      link.is_aligned = link.R_PF.isIdentity(0.0);
      link.steps = from.steps;
      if (from.parent != cluster.base) paths_[index(l)] = paths_[index(from.parent)];
      for (const JointStep& step : link.steps) {
        link.balls.push_back(-1);
        if (step.kind == Kind::kBall) {
          link.balls.back() = static_cast<int>(balls_.size());
          balls_of_[c].push_back(link.balls.back());
          balls_.emplace_back().column = step.column;
        }
        for (int k = 0; k < (step.kind == Kind::kBall ? 4 : 1); ++k)
          paths_[index(l)].push_back(step.column + k);
      }
      const Matrix3d& R_FL = from.X_FL.R_AB.matrix();
      link.mass = masses[index(l)];
      link.mass.p_LC_L = from.X_FL.apply_to_point(link.mass.p_LC_L);
      link.mass.I_LC_L = R_FL * link.mass.I_LC_L * R_FL.transpose();
    }
  }
  for (std::size_t b = 0; b < mechanism.bodies().size(); ++b) {
    const model::BodyIndex body(static_cast<int>(b));
    const int l = tree.link_of(body);
    const core::Pose<double> X_FB = tree.link(l).X_FL * tree.X_LB(body);
    bodies_.push_back({l, X_FB, X_FB.R_AB.matrix().isIdentity(0.0)});
  }
}

bool ClusterLinks::close(const Ball& ball, std::span<double> q) const {
  double square = 1.0;
  for (int k = 0; k < 4; ++k)
    if (k != ball.dropped) square -= q[index(ball.column + k)] * q[index(ball.column + k)];
  if (!(square > 0.0)) return false;
  double& own = q[index(ball.column + ball.dropped)];
  own = std::copysign(std::sqrt(square), own);
  return true;
}

double ClusterLinks::unit_error(const Ball& ball, std::span<const double> q) const {
  double error = -1.0;
  for (int k = 0; k < 4; ++k) error += q[index(ball.column + k)] * q[index(ball.column + k)];
  return error;
}

void ClusterLinks::close_rate(const Ball& ball, std::span<const double> q, std::span<double> v) const {
  double sum = 0.0;
  for (int k = 0; k < 4; ++k)
    if (k != ball.dropped) sum += q[index(ball.column + k)] * v[index(ball.column + k)];
  v[index(ball.column + ball.dropped)] = -sum / q[index(ball.column + ball.dropped)];
}

void ClusterLinks::place_ball(Ball& ball, std::span<const double> q, const Vector3d& p, Matrix3d& R) {
  const std::size_t first = index(ball.column);
  // The sign of the step stands in what was given to q by the caller: see place.
  const core::EulerParameters<double> e(q[0], q[1], q[2], q[3]);
  const double scale = 1.0 / e.dot(e);
  const Eigen::Matrix<double, 3, 4> W = (2.0 * scale) * (R * coordinates::euler_rate_matrix<double>(e));
  ball.w = W.col(ball.dropped);
  for (int k = 0; k < 4; ++k) {
    Vector6d& axis = axes_[first + index(k)];
    axis.head<3>() =
        k == ball.dropped ? Vector3d(Vector3d::Zero()) : Vector3d(W.col(k) - e[k] / e[ball.dropped] * ball.w);
    places_[first + index(k)] = p;
  }
  R = R * (scale * core::scaled_rotation_matrix<double>(e));
}

void ClusterLinks::place(std::size_t c, std::span<const double> q) {
  const Cluster& cluster = clusters_[c];
  for (const int l : cluster.links) {
    const Link& link = links_[index(l)];
    const Values& parent = values_[index(link.parent)];
    Matrix3d R;
    if (link.is_aligned)
      R = parent.R;
    else
      R.noalias() = parent.R * link.R_PF;
    Vector3d p = parent.p;
    p.noalias() += parent.R * link.p_PF;
    for (std::size_t s = 0; s < link.steps.size(); ++s) {
      const JointStep& step = link.steps[s];
      const std::size_t column = index(step.column);
      switch (step.kind) {
        case Kind::kRotation: {
          const Vector3d axis = step.sign * R.col(step.axis);
          axes_[column].head<3>() = axis;
          places_[column] = p;
          if (step.pitch != 0.0) p += step.pitch * q[column] * axis;
          coordinates::turn_about_own_axis<double>(R, step.axis, step.sign * q[column]);
          break;
        }
        case Kind::kTranslation: {
          const Vector3d axis = step.sign * R.col(step.axis);
          axes_[column].tail<3>() = axis;
          p += q[column] * axis;
          break;
        }
        case Kind::kBall: {
          const std::array<double, 4> e{q[column], step.sign * q[column + 1], step.sign * q[column + 2],
                                        step.sign * q[column + 3]};
          Ball& ball = balls_[index(link.balls[s])];
          place_ball(ball, e, p, R);
          if (step.sign < 0.0) {  // rates of ε are reversed, and so are the ratios of the dropped one
            for (int k = 1; k < 4; ++k) axes_[column + index(k)].head<3>() *= -1.0;
            if (ball.dropped != 0) ball.w *= -1.0;
          }
          break;
        }
      }
    }
    values_[index(l)].R = R;
    values_[index(l)].p = p;
  }
  points_[c] = has_own_point_[c] ? values_[index(cluster.links.empty() ? 0 : cluster.links.front())].p
                                 : points_[index(cluster.parent)];
  const Vector3d& point = points_[c];
  for (const int l : cluster.links) {
    const Link& link = links_[index(l)];
    for (std::size_t s = 0; s < link.steps.size(); ++s) {
      const JointStep& step = link.steps[s];
      if (step.kind == Kind::kTranslation) continue;
      const Vector3d r = places_[index(step.column)] - point;
      if (step.kind == Kind::kRotation) {
        Vector6d& axis = axes_[index(step.column)];
        axis.tail<3>() = r.cross(axis.head<3>());
        if (step.pitch != 0.0) axis.tail<3>() += step.pitch * axis.head<3>();
        continue;
      }
      for (std::size_t k = 0; k < 4; ++k) {
        Vector6d& axis = axes_[index(step.column) + k];
        axis.tail<3>() = r.cross(axis.head<3>());
      }
      Ball& ball = balls_[index(link.balls[s])];
      ball.v = r.cross(ball.w);
    }
  }
}

/// By the steps of its joint; where coordinates accelerate, by those of q̈, too.
void ClusterLinks::advance(const Link& link, std::span<const double> q, std::span<const double> v,
                           std::span<const double> q_ddot, Motion& motion) const {
  auto& [w, v_O, alpha, a] = motion;
  const bool accelerates = !q_ddot.empty();
  for (std::size_t s = 0; s < link.steps.size(); ++s) {
    const JointStep& step = link.steps[s];
    const std::size_t column = index(step.column);
    const Vector6d& axis = axes_[column];
    if (step.kind == Kind::kTranslation) {
      const Vector3d step_v = v[column] * axis.tail<3>();
      a += w.cross(step_v);
      v_O += step_v;
      if (accelerates) a += q_ddot[column] * axis.tail<3>();
      continue;
    }
    Vector3d step_w, step_v;
    if (step.kind == Kind::kRotation) {
      step_w = v[column] * axis.head<3>();
      step_v = v[column] * axis.tail<3>();
      if (accelerates) {
        alpha += q_ddot[column] * axis.head<3>();
        a += q_ddot[column] * axis.tail<3>();
      }
    } else {
      const Ball& ball = balls_[index(link.balls[s])];
      const std::size_t dropped = index(ball.dropped);
      step_w.setZero();
      step_v.setZero();
      double square = 0.0;
      for (std::size_t k = 0; k < 4; ++k) {
        const Vector6d& own = axes_[column + k];
        const double rate = v[column + k];
        square += rate * rate;
        step_w += rate * own.head<3>();
        step_v += rate * own.tail<3>();
        if (!accelerates || k == dropped) continue;
        alpha += q_ddot[column + k] * own.head<3>();
        a += q_ddot[column + k] * own.tail<3>();
      }
      // e·ë = −ė·ė: where the others do not accelerate, the dropped one does.
      const double bias = -square / q[column + dropped];
      alpha += bias * ball.w;
      a += bias * ball.v;
    }
    alpha += w.cross(step_w);
    a += w.cross(step_v) + v_O.cross(step_w);
    w += step_w;
    v_O += step_v;
  }
}

void ClusterLinks::move(std::size_t c, std::span<const double> q, std::span<const double> v) {
  const Cluster& cluster = clusters_[c];
  const Values& carrier = values_[index(cluster.base)];
  Vector6d& base = base_motions_[c];
  base << carrier.w, carrier.v;
  if (has_own_point_[c] && cluster.base != 0)
    base.tail<3>() += carrier.w.cross(points_[c] - point(cluster.parent));
  const Motion first{base.head<3>(), base.tail<3>(), Vector3d::Zero(), Vector3d::Zero()};
  for (const int l : cluster.links) {
    const Link& link = links_[index(l)];
    const Values& parent = values_[index(link.parent)];
    Motion motion = link.parent == cluster.base ? first : Motion{parent.w, parent.v, parent.alpha, parent.a};
    advance(link, q, v, {}, motion);
    Values& values = values_[index(l)];
    values.w = motion.w;
    values.v = motion.v;
    values.alpha = motion.alpha;
    values.a = motion.a;
  }
}

void ClusterLinks::show(std::span<const double> q, std::span<const double> v, std::span<const double> q_ddot,
                        coordinates::MechanismMotion& out) {
  shown_[0] = {};
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    const Cluster& cluster = clusters_[c];
    Motion base = shown_[index(cluster.base)];
    if (has_own_point_[c] && cluster.base != 0) {
      const Vector3d way = points_[c] - point(cluster.parent);
      base.v += base.w.cross(way);
      base.a += base.alpha.cross(way);
    }
    for (const int l : cluster.links) {
      const Link& link = links_[index(l)];
      Motion& motion = shown_[index(l)];
      motion = link.parent == cluster.base ? base : shown_[index(link.parent)];
      advance(link, q, v, q_ddot, motion);
    }
  }
  for (std::size_t b = 1; b < out.size(); ++b) {
    const Body& body = bodies_[b];
    const Motion& link = shown_[index(body.link)];
    coordinates::BodyMotion& to = out[b];
    to.X_WB = pose(body);
    const Vector3d r = to.X_WB.p_AB_A - point(links_[index(body.link)].cluster);
    to.w_WB_W = link.w;
    to.v_WB_W = link.v + link.w.cross(r);
    to.alpha_WB_W = link.alpha;
    to.a_WB_W = link.a + link.alpha.cross(r) + link.w.cross(to.v_WB_W);
  }
}

void ClusterLinks::weigh(std::size_t c, const Vector3d& g) {
  for (const int l : clusters_[c].links) {
    const LinkMass& mass = links_[index(l)].mass;
    Values& values = values_[index(l)];
    if (mass.mass == 0.0) {
      values.inertia.setZero();
      values.force.setZero();
      continue;
    }
    const double m = mass.mass;
    const Vector3d r = values.p - points_[c] + values.R * mass.p_LC_L;
    Matrix3d RI;
    RI.noalias() = values.R * mass.I_LC_L;
    const Vector3d &w = values.w, &v = values.v, mr = m * r;
    const Vector3d force = m * (w.cross(v + w.cross(r)) - g), spin = RI * (values.R.transpose() * w);
    values.force << w.cross(spin) + r.cross(force), force;
    const double square = m * r.squaredNorm();
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) {
        const double about_center =
            RI(i, 0) * values.R(j, 0) + RI(i, 1) * values.R(j, 1) + RI(i, 2) * values.R(j, 2);
        values.inertia(i, j) = values.inertia(j, i) = about_center - mr[i] * r[j] + (i == j ? square : 0.0);
      }
    Matrix3d cross;
    cross << 0.0, -mr.z(), mr.y(), mr.z(), 0.0, -mr.x(), -mr.y(), mr.x(), 0.0;
    values.inertia.topRightCorner<3, 3>() = cross;
    values.inertia.bottomLeftCorner<3, 3>() = -cross;
    values.inertia.bottomRightCorner<3, 3>() = m * Matrix3d::Identity();
  }
}

core::Pose<double> ClusterLinks::pose(const Body& body) const {
  const Values& link = values_[index(body.link)];
  return {core::Rotation<double>::from_known_matrix(
              body.is_aligned ? link.R : Matrix3d(link.R * body.X_FB.R_AB.matrix())),
          link.p + link.R * body.X_FB.p_AB_A};
}

void ClusterLinks::write_bodies(coordinates::MechanismMotion& out) const {
  for (std::size_t b = 1; b < out.size(); ++b) {
    const Body& body = bodies_[b];
    const Values& link = values_[index(body.link)];
    coordinates::BodyMotion& to = out[b];
    to.X_WB = pose(body);
    to.w_WB_W = link.w;
    to.v_WB_W = link.v + link.w.cross(to.X_WB.p_AB_A - point(links_[index(body.link)].cluster));
  }
}

void ClusterLinks::take(std::span<const Wrench> wrenches) {
  for (std::size_t b = 1; b < wrenches.size(); ++b) {
    const Body& body = bodies_[b];
    if (body.link == 0 || (wrenches[b].force.isZero(0.0) && wrenches[b].torque.isZero(0.0))) continue;
    Values& link = values_[index(body.link)];
    const Vector3d r = link.p + link.R * body.X_FB.p_AB_A - points_[index(links_[index(body.link)].cluster)];
    link.force.head<3>() -= wrenches[b].torque + r.cross(wrenches[b].force);
    link.force.tail<3>() -= wrenches[b].force;
  }
}

}  // namespace eslabon::dynamics
