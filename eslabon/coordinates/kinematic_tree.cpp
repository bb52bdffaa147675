#include "eslabon/coordinates/kinematic_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include "eslabon/coordinates/euler_parameters.hpp"
#include "eslabon/coordinates/layout.hpp"
#include "eslabon/coordinates/turn.hpp"
#include "eslabon/core/index.hpp"

namespace eslabon::coordinates {

namespace {

using core::index;
using core::Matrix3;
using core::Vector3;
using Eigen::Vector3d;
using model::JointType;
using Kind = JointStep::Kind;

/// The step's Euler parameters, reversed where the tree goes backwards.
template <class T>
core::EulerParameters<T> ball_parameters(const JointStep& step, std::span<const T> q) {
  const std::size_t k = index(step.column);
  return {q[k], step.sign * q[k + 1], step.sign * q[k + 2], step.sign * q[k + 3]};
}

}  // namespace

std::vector<JointStep> forward_steps(JointType type, bool is_planar) {
  std::vector<JointStep> steps;
  const model::JointTypeFacts& facts = model::facts(type);
  for (const model::JointCoordinateFacts& coordinate : facts.coordinates) {
    if (model::is_floating(type)) break;
    if (coordinate.dimension == core::kAngle) steps.push_back({Kind::kRotation, coordinate.axis});
    if (coordinate.dimension == core::kLength) steps.push_back({Kind::kTranslation, coordinate.axis});
  }
  if (model::is_floating(type) || model::is_shifting(type))
    for (int axis = 0; axis < (is_planar ? 2 : 3); ++axis) steps.push_back({Kind::kTranslation, axis});
  if (model::is_floating(type) && is_planar) steps.push_back({Kind::kRotation, 2});
  if (model::turns_freely(type) || (model::is_floating(type) && !is_planar)) steps.push_back({Kind::kBall});
  return steps;
}

namespace {

/// Coordinates of a step.
int num_columns(const JointStep& step) { return step.kind == Kind::kBall ? 4 : 1; }

}  // namespace

KinematicTree::KinematicTree(const model::Mechanism& mechanism, const structure::Structure& structure)
    : links_(structure.topology.links.size()),
      is_planar_(mechanism.is_planar()),
      first_column_(mechanism.joints().size(), -1),
      X_LB_(poses_in_links(mechanism, structure.topology)) {
  for (const structure::LinkIndex link : structure.topology.link_of_body)
    link_of_body_.push_back(link.value());
  for (const structure::LinkIndex l : structure.tree.order) {
    order_.push_back(l.value());
    const auto joint_index = structure.tree.joint_to_parent[l.slot()];
    if (!joint_index) continue;
    const model::Joint& joint = mechanism.joint(*joint_index);
    TreeLink& link = links_[l.slot()];
    link.parent = structure.tree.parent[l.slot()].value();
    link.joint = *joint_index;
    const bool is_reversed = link_of(joint.second()) != l.value();
    const model::JointEnd& near = joint.ends[is_reversed ? 1 : 0];
    const model::JointEnd& far = joint.ends[is_reversed ? 0 : 1];
    link.X_PF = X_LB(near.body) * near.X_BF;
    link.X_FL = (X_LB(far.body) * far.X_BF).inverse();
    link.is_aligned_with_parent = link.X_PF.R_AB.matrix().isIdentity(0.0);
    link.is_aligned_with_joint = link.X_FL.R_AB.matrix().isIdentity(0.0);
    add_joint_steps(joint, *joint_index, is_reversed, mechanism.is_planar(), link);
  }
  make_paths();
}

// Seed000 eq. 60
void KinematicTree::add_joint_steps(const model::Joint& joint, model::JointIndex joint_index,
                                    bool is_reversed, bool is_planar, TreeLink& link) {
  first_column_[joint_index.slot()] = num_coordinates_;
  link.steps = forward_steps(joint.type, is_planar);
  for (JointStep& step : link.steps) {
    step.sign = is_reversed ? -1.0 : 1.0;
    step.column = num_coordinates_;
    if (model::has_lead(joint.type)) step.pitch = joint.length / (2.0 * std::numbers::pi);
    num_coordinates_ += num_columns(step);
  }
  if (is_reversed) std::ranges::reverse(link.steps);
}

/// The first child of a link goes on with its way; every other one begins a way of its own with a copy of what leads there.
// Seed004 eq. 14
void KinematicTree::make_paths() {
  struct Place {
    std::size_t way = 0, length = 0;
  };
  std::vector<std::vector<int>> ways(1);
  std::vector<Place> places(links_.size());
  for (const int l : order_) {
    const TreeLink& link = links_[index(l)];
    if (link.steps.empty() && l == 0) continue;
    Place place = places[index(link.parent)];
    std::vector<int> own;
    for (const JointStep& step : link.steps)
      for (int k = 0; k < num_columns(step); ++k) own.push_back(step.column + k);
    std::ranges::sort(own);
    if (ways[place.way].size() > place.length && !own.empty()) {
      ways.emplace_back(ways[place.way].begin(),
                        ways[place.way].begin() + static_cast<std::ptrdiff_t>(place.length));
      place.way = ways.size() - 1;
    }
    ways[place.way].insert(ways[place.way].end(), own.begin(), own.end());
    place.length += own.size();
    places[index(l)] = place;
  }
  ways_ = std::make_shared<const std::vector<std::vector<int>>>(std::move(ways));
  for (std::size_t l = 0; l < links_.size(); ++l)
    links_[l].path = std::span((*ways_)[places[l].way]).first(places[l].length);
}

// Seed000 eq. 52
core::Pose<double> KinematicTree::joint_pose(int link, std::span<const double> q) const {
  core::Pose<double> X;
  for (const JointStep& step : links_[index(link)].steps) {
    core::Pose<double> X_step;
    if (step.kind == Kind::kBall) {
      X_step.R_AB = core::Rotation<double>::from_euler_parameters(ball_parameters(step, q).normalized());
    } else if (step.kind == Kind::kRotation) {
      X_step.R_AB = core::Rotation<double>::from_axis_angle(Vector3d::Unit(step.axis),
                                                            step.sign * q[index(step.column)]);
      X_step.p_AB_A = step.sign * step.pitch * q[index(step.column)] * Vector3d::Unit(step.axis);
    } else {
      X_step.p_AB_A = step.sign * q[index(step.column)] * Vector3d::Unit(step.axis);
    }
    X = X * X_step;
  }
  return X;
}

template <core::Scalar T>
void KinematicTree::evaluate_planar_link(const TreeLink& link, int l, std::span<const T> q,
                                         TreeValues<T>& out) const {
  const Matrix3<T>& R_WP = out.R_WL[index(link.parent)];
  T c = R_WP(0, 0), s = R_WP(1, 0);
  T x = out.p_WL[index(link.parent)].x(), y = out.p_WL[index(link.parent)].y();
  const auto move_by = [&](const core::Pose<double>& X) {
    const T dx = c * X.p_AB_A.x() - s * X.p_AB_A.y(), dy = s * X.p_AB_A.x() + c * X.p_AB_A.y();
    x = x + dx;
    y = y + dy;
  };
  const auto turn_by = [&](const auto& cosine, const auto& sine) {
    const T c_before = c;
    c = c * cosine - s * sine;
    s = s * cosine + c_before * sine;
  };
  move_by(link.X_PF);
  if (!link.is_aligned_with_parent) turn_by(link.X_PF.R_AB.matrix()(0, 0), link.X_PF.R_AB.matrix()(1, 0));
  for (const JointStep& step : link.steps) {
    const std::size_t column = index(step.column);
    Vector3<T>& w = out.axis_w[column];
    Vector3<T>& v = out.axis_v[column];
    if (step.kind == Kind::kRotation) {
      w.z() = T(step.sign);
      v.x() = step.sign * y;
      v.y() = -step.sign * x;  // (1)
      const auto [sine, cosine] = core::sin_cos(q[column]);
      turn_by(cosine, T(step.sign * sine));
    } else {
      v.x() = step.sign * (step.axis == 0 ? c : T(-s));
      v.y() = step.sign * (step.axis == 0 ? s : c);  // (2)
      x = x + q[column] * v.x();
      y = y + q[column] * v.y();
    }
  }
  move_by(link.X_FL);
  if (!link.is_aligned_with_joint) turn_by(link.X_FL.R_AB.matrix()(0, 0), link.X_FL.R_AB.matrix()(1, 0));
  Matrix3<T>& R = out.R_WL[index(l)];
  R(0, 0) = R(1, 1) = c;
  R(1, 0) = s;
  R(0, 1) = -s;
  out.p_WL[index(l)] = Vector3<T>(x, y, T(0.0));
}

// Seed000 eq. 53, eq. 65, eq. 68, eq. 69
// Seed004 eq. 4
template <core::Scalar T>
void KinematicTree::evaluate(std::span<const T> q, TreeValues<T>& out) const {
  if (out.R_WL.size() != links_.size()) {
    out.R_WL.assign(links_.size(), Matrix3<T>::Identity());
    out.p_WL.assign(links_.size(), Vector3<T>::Zero());
    out.axis_w.assign(index(num_coordinates_), Vector3<T>::Zero());
    out.axis_v.assign(index(num_coordinates_), Vector3<T>::Zero());
  }
  for (const int l : order_) {
    if (l == 0) continue;
    const TreeLink& link = links_[index(l)];
    if (is_planar_) {
      evaluate_planar_link(link, l, q, out);
      continue;
    }
    Matrix3<T> R = out.R_WL[index(link.parent)];
    Vector3<T> p = out.p_WL[index(link.parent)] + R * link.X_PF.p_AB_A.template cast<T>();
    if (!link.is_aligned_with_parent) R = R * link.X_PF.R_AB.matrix().template cast<T>();
    for (const JointStep& step : link.steps) {
      const std::size_t column = index(step.column);
      switch (step.kind) {
        case Kind::kRotation:
          out.axis_w[column] = step.sign * R.col(step.axis);
          out.axis_v[column] = p.cross(out.axis_w[column]);  // (1)
          if (step.pitch != 0.0) {
            out.axis_v[column] += step.pitch * out.axis_w[column];
            p += T(step.pitch * q[column]) * out.axis_w[column];
          }
          turn_about_own_axis<T>(R, step.axis, step.sign * q[column]);
          break;
        case Kind::kTranslation:
          out.axis_v[column] = step.sign * R.col(step.axis);  // (2)
          p += q[column] * out.axis_v[column];
          break;
        case Kind::kBall: {
          const core::EulerParameters<T> e = ball_parameters(step, q);
          const T square = e.dot(e);
          const Eigen::Matrix<T, 3, 4> W = R * euler_rate_matrix<T>(e);
          for (int k = 0; k < 4; ++k) {
            const std::size_t c = column + index(k);
            out.axis_w[c] = W.col(k) * ((k == 0 ? 2.0 : 2.0 * step.sign) / square);
            out.axis_v[c] = p.cross(out.axis_w[c]);  // (3)
          }
          R = R * (core::scaled_rotation_matrix<T>(e) / square);
          break;
        }
      }
    }
    out.p_WL[index(l)] = p + R * link.X_FL.p_AB_A.template cast<T>();
    if (!link.is_aligned_with_joint) R = R * link.X_FL.R_AB.matrix().template cast<T>();
    out.R_WL[index(l)] = R;
  }
}

#define ESLABON_INSTANTIATE(T) \
  template void KinematicTree::evaluate<T>(std::span<const T>, TreeValues<T>&) const;
ESLABON_FOR_EACH_SCALAR_AND_JET(ESLABON_INSTANTIATE)
#undef ESLABON_INSTANTIATE

// Seed000 eq. 54, eq. 70, eq. 72
// Seed004 eq. 1, eq. 2, eq. 3, eq. 11, eq. 13, eq. 15
template <core::Scalar T>
void KinematicTree::evaluate_motions(std::type_identity_t<std::span<const T>> q,
                                     std::type_identity_t<std::span<const T>> v,
                                     std::type_identity_t<std::span<const T>> a, const TreeValues<T>& values,
                                     std::type_identity_t<std::span<Vector3<T>>> motions) const {
  for (std::size_t k = 0; k < 4; ++k) motions[k].setZero();
  for (const int l : order_) {
    if (l == 0) continue;
    const TreeLink& link = links_[index(l)];
    Vector3<T> w = motions[4 * index(link.parent)], v_O = motions[4 * index(link.parent) + 1];
    Vector3<T> alpha = motions[4 * index(link.parent) + 2], a_O = motions[4 * index(link.parent) + 3];
    for (const JointStep& step : link.steps) {
      const int width = step.kind == Kind::kBall ? 4 : 1;
      Vector3<T> step_w = Vector3<T>::Zero(), step_v = Vector3<T>::Zero();
      for (std::size_t c = index(step.column); c < index(step.column + width); ++c) {
        step_w += v[c] * values.axis_w[c];
        step_v += v[c] * values.axis_v[c];
        if (!a.empty()) {
          alpha += a[c] * values.axis_w[c];
          a_O += a[c] * values.axis_v[c];
        }
      }
      if (step.kind == Kind::kBall) {
        // ω = 2 G ė / |e|²:  the part of dω/dt without ë is −2 (e·ė / |e|²) ω, as G(ė) ė = 0.
        T e_e(0.0), e_edot(0.0);
        for (std::size_t c = index(step.column); c < index(step.column + 4); ++c) {
          e_e += q[c] * q[c];
          e_edot += q[c] * v[c];
        }
        alpha -= T(2.0 * e_edot / e_e) * step_w;
        a_O -= T(2.0 * e_edot / e_e) * step_v;
      }
      alpha += w.cross(step_w);
      a_O += w.cross(step_v) + v_O.cross(step_w);  // (4), the cross product of spatial_vector.hpp
      w += step_w;
      v_O += step_v;
    }
    motions[4 * index(l)] = w;
    motions[4 * index(l) + 1] = v_O;
    motions[4 * index(l) + 2] = alpha;
    motions[4 * index(l) + 3] = a_O;
  }
}

template void KinematicTree::evaluate_motions(std::span<const double>, std::span<const double>,
                                              std::span<const double>, const TreeValues<double>&,
                                              std::span<Vector3<double>>) const;
template void KinematicTree::evaluate_motions(std::span<const core::Traced>, std::span<const core::Traced>,
                                              std::span<const core::Traced>, const TreeValues<core::Traced>&,
                                              std::span<Vector3<core::Traced>>) const;

}  // namespace eslabon::coordinates
