#include <optional>

#include "eslabon/kinematics/groups/spatial_hinge.hpp"

// The spatial dyads 1C1E1R and 1C1E1P [Seed001, §§3.1.4, 3.1.5], and 2E1R and 2E1P, whose spin is held: two links with one hinge (R or
// P) and two joints that hold a point (C or E). First the hinge, from one distance; then a body is put on two points:
//   hinge outside   the hinge carries link 1; link 2 is a rod from Q on link 1 to P: |Q − P| = l
//   hinge inside    links 1 and 2 reach from one fixed point to the other: the hinge makes their distance |D|
// The body then carries a vector r(t) that must lie along D(t), and turns about it until its axis y(t) is perpendicular to n(t), the
// other axis of the universal joint (or the fixed direction that holds the spin). In its own frame r and y move with the hinge:
//   R r = D,   n·R y = 0                                                                                      (1)
//   ω = D × (Ḋ − R ṙ) / D² + σ D,   n·Ẏ + ṅ·Y = 0,   Y = R y,   Ẏ = ω × Y + R ẏ                                (2)
//   α = D × (D̈ − ω × (ω × D) − 2 ω × R ṙ − R r̈) / D² + τ D,   n·Ÿ + 2 ṅ·Ẏ + n̈·Y = 0                           (3)
// Each of the two steps has two branches: the signs of the derivatives of the distance by the hinge and of n·Y by the spin.
namespace eslabon::kinematics {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

GroupBranch encoded(double hinge, double spin) {
  return static_cast<GroupBranch>((hinge > 0.0 ? 1 : -1) * (spin > 0.0 ? 1 : 2));
}

/// A point of one link that a joint holds at a point of another.
struct Pin {
  std::size_t link = 0;
  Vector3d local = Vector3d::Zero();
};
/// A direction of a link.
struct Axis {
  std::size_t link = 0;
  Vector3d local = Vector3d::Zero();
};

struct HingedDyadParts {
  bool is_inner = false;
  SpatialHinge hinge;  ///< outside: link 1 on a link before; inside: link 2 on link 1
  Pin near_own;        ///< outside: Q on link 1; inside: of link 1, at `near`
  Pin near;            ///< inside: on a link before
  Pin rod_near;        ///< outside: of link 2, at Q
  Pin far_own;         ///< of link 2, at `far`
  Pin far;             ///< on a link before
  Axis y;              ///< on link 2, or inside on link 1
  Axis n;              ///< perpendicular to it
};

/// Lays r along D and makes y perpendicular to n, (1): the unit vectors along r and across it in the plane of y go to e and f with
///   f = k m ± √(1 − k²) e × m,   m along the part of n across e                                              (4)
/// Nothing when no turn makes them perpendicular.
// Seed001 eq. 3.33, eq. 3.42
std::optional<Matrix3d> oriented(const Vector3d& r, const Vector3d& y, const Vector3d& D, const Vector3d& n,
                                 double sign) {
  const Vector3d e_own = r.normalized(), e = D.normalized();
  const double y_along = y.dot(e_own), n_along = n.dot(e);
  const Vector3d y_across = y - y_along * e_own, n_across = n - n_along * e;
  const double y_size = y_across.norm(), n_size = n_across.norm();
  const double k = -y_along * n_along / (y_size * n_size), root_square = 1.0 - k * k;
  if (!(root_square > kTouching)) return std::nullopt;
  const Vector3d f_own = y_across / y_size, m = n_across / n_size;
  // n·(e × f) has the sign of −(coefficient of e × m).
  const Vector3d f = k * m - sign * std::sqrt(root_square) * e.cross(m);
  return e * e_own.transpose() + f * f_own.transpose() + e.cross(f) * e_own.cross(f_own).transpose();
}

class HingedDyad final : public SpatialGroupSolver {
 public:
  explicit HingedDyad(const HingedDyadParts& parts) : parts_(parts) {
    const SpatialHinge& hinge = parts_.hinge;
    P_in_hinge_ = hinge.base.axes.transpose() * (parts_.near_own.local - hinge.base.origin);
    const Vector3d carried = parts_.is_inner ? parts_.far_own.local : parts_.near_own.local;
    Q_in_hinge_ = hinge.carried.axes.transpose() * (carried - hinge.carried.origin);
    rod_ = parts_.far_own.local - parts_.rod_near.local;
  }

  GroupStatus solve(std::span<const coordinates::CoordinateValue> inputs, GroupBranch& branch,
                    std::span<SpatialLink> links, GroupScratch& scratch) const override {
    if (branch == kNearestBranch) branch = branch_at(inputs, links, scratch);
    return parts_.is_inner ? solve_inner(branch, links) : solve_outer(branch, links);
  }

  GroupBranch branch_at(std::span<const coordinates::CoordinateValue>, std::span<const SpatialLink> links,
                        GroupScratch&) const override {
    const Vector3d far = position(links, parts_.far_own), near = position(links, parts_.near_own);
    const Vector3d Y = links[parts_.y.link].direction(parts_.y.local);
    const Vector3d n = links[parts_.n.link].direction(parts_.n.local);
    const SpatialLink& base = links[parts_.hinge.base.link];
    const double hinge = parts_.is_inner ? (far - near).dot(parts_.hinge.direction(base, far))
                                         : (near - far).dot(parts_.hinge.direction(base, near));
    return encoded(hinge, n.dot((far - near).cross(Y)));
  }

 private:
  static Vector3d position(std::span<const SpatialLink> links, const Pin& pin) {
    return links[pin.link].position(pin.local);
  }
  static SpatialPoint point(std::span<const SpatialLink> links, const Pin& pin) {
    return links[pin.link].point(pin.local);
  }

  /// Puts `pin` of the body at P, r along D and y perpendicular to n; r and y as the body sees them move.
  // Seed001 eq. 3.38
  bool put_on_two_points(const Vector3d& pin, const SpatialPoint& P, const SpatialPoint& D,
                         const SpatialPoint& r, const SpatialDirection& y, const SpatialDirection& n,
                         double sign, SpatialLink& body) const {
    const auto R = oriented(r.p, y.u, D.p, n.u, sign);  // (1)
    if (!R) return false;
    body.R = *R;
    const double inverse = 1.0 / D.p.squaredNorm();
    const Vector3d Y = *R * y.u, Y_rel = *R * y.u_dot, r_rel = *R * r.v;
    const double by_spin = n.u.dot(D.p.cross(Y));
    Vector3d w = inverse * D.p.cross(D.v - r_rel);
    w -= (n.u.dot(w.cross(Y) + Y_rel) + n.u_dot.dot(Y)) / by_spin * D.p;  // (2)
    const Vector3d Y_dot = w.cross(Y) + Y_rel;
    Vector3d alpha = inverse * D.p.cross(D.a - w.cross(w.cross(D.p) + 2.0 * r_rel) - *R * r.a);
    const Vector3d Y_ddot = alpha.cross(Y) + w.cross(w.cross(Y) + 2.0 * Y_rel) + *R * y.u_ddot;
    alpha -= (n.u.dot(Y_ddot) + 2.0 * n.u_dot.dot(Y_dot) + n.u_ddot.dot(Y)) / by_spin * D.p;  // (3)
    body.w = w;
    body.alpha = alpha;
    body.put_point(pin, P);
    return true;
  }

  // Seed001 eq. 3.30, eq. 3.32, eq. 3.36, eq. 3.37
  GroupStatus solve_outer(GroupBranch branch, std::span<SpatialLink> links) const {
    const SpatialHinge& hinge = parts_.hinge;
    const SpatialLink& base = links[hinge.base.link];
    const SpatialPoint P = point(links, parts_.far);
    const Matrix3d F = base.R * hinge.base.axes;
    SpatialHinge::Place at;
    const double reach = hinge.reach(F.transpose() * (P.p - base.position(hinge.base.origin)), Q_in_hinge_,
                                     rod_.squaredNorm(), branch > 0 ? 1.0 : -1.0, at);
    if (!(reach > kTouching)) return status_at_limit(reach, 1.0);
    // (Q − P)·(v_Q − v_P) = 0,   (Q − P)·(a_Q − a_P) + |v_Q − v_P|² = 0
    SpatialPoint Q = hinge.carry(base, at).point(parts_.near_own.local);
    const Vector3d across = Q.p - P.p;
    const double leverage = across.dot(hinge.direction(base, Q.p));
    at.velocity = across.dot(P.v - Q.v) / leverage;
    Q = hinge.carry(base, at).point(parts_.near_own.local);
    at.acceleration = (across.dot(P.a - Q.a) - (Q.v - P.v).squaredNorm()) / leverage;
    SpatialLink& one = links[hinge.carried.link];
    one = hinge.carry(base, at);
    Q = one.point(parts_.near_own.local);
    const SpatialPoint D{P.p - Q.p, P.v - Q.v, P.a - Q.a};
    const SpatialPoint r{rod_, Vector3d::Zero(), Vector3d::Zero()};
    const SpatialDirection y{parts_.y.local, Vector3d::Zero(), Vector3d::Zero()};
    const SpatialDirection n = links[parts_.n.link].moving_direction(parts_.n.local);
    const bool is_put = put_on_two_points(parts_.rod_near.local, Q, D, r, y, n, spin_sign(branch),
                                          links[parts_.far_own.link]);
    return is_put ? GroupStatus::kSolved : GroupStatus::kOutOfReach;
  }

  // Seed001 eq. 3.43
  GroupStatus solve_inner(GroupBranch branch, std::span<SpatialLink> links) const {
    const SpatialHinge& hinge = parts_.hinge;
    const SpatialPoint near = point(links, parts_.near), far = point(links, parts_.far);
    const SpatialPoint D{far.p - near.p, far.v - near.v, far.a - near.a};
    SpatialHinge::Place at;
    const double reach =
        hinge.reach(P_in_hinge_, Q_in_hinge_, D.p.squaredNorm(), branch > 0 ? 1.0 : -1.0, at);
    if (!(reach > kTouching)) return status_at_limit(reach, 1.0);
    // As link 1 sees it:  r·ṙ = D·Ḋ,   r·r̈ + ṙ² = D·D̈ + Ḋ²
    const SpatialLink still;
    const auto reaching = [&] {
      SpatialPoint r = hinge.carry(still, at).point(parts_.far_own.local);
      r.p -= parts_.near_own.local;
      return r;
    };
    SpatialPoint r = reaching();
    const double leverage = r.p.dot(hinge.direction(still, r.p + parts_.near_own.local));
    at.velocity = D.p.dot(D.v) / leverage;
    r = reaching();
    at.acceleration = (D.p.dot(D.a) + D.v.squaredNorm() - r.v.squaredNorm() - r.p.dot(r.a)) / leverage;
    r = reaching();
    const bool is_on_second = parts_.y.link == hinge.carried.link;
    const SpatialDirection y = is_on_second ? hinge.carry(still, at).moving_direction(parts_.y.local)
                                            : still.moving_direction(parts_.y.local);
    const SpatialDirection n = links[parts_.n.link].moving_direction(parts_.n.local);
    SpatialLink& one = links[hinge.base.link];
    if (!put_on_two_points(parts_.near_own.local, near, D, r, y, n, spin_sign(branch), one))
      return GroupStatus::kOutOfReach;
    links[hinge.carried.link] = hinge.carry(one, at);
    return GroupStatus::kSolved;
  }

  static double spin_sign(GroupBranch branch) { return branch == 1 || branch == -1 ? 1.0 : -1.0; }

  HingedDyadParts parts_;
  Vector3d P_in_hinge_,
      Q_in_hinge_;  ///< the two points whose distance the hinge sets, in its frames on either side
  Vector3d rod_;    ///< outside: from Q to P in link 2
};

/// The axes that a universal joint keeps perpendicular: x of its first and y of its second frame.
Axis crossing_axis(const SpatialGroupContext& context, model::JointIndex joint, int end) {
  const SpatialJointEnd e = joint_end(context, joint, end);
  return {e.link, e.axes.col(end)};
}

}  // namespace

std::unique_ptr<SpatialGroupSolver> make_hinged_dyad(const SpatialGroupContext& context,
                                                     const structure::StructuralGroup& group) {
  const auto plan = dyad_plan(context.mechanism, context.structure, group);
  if (!plan || !group.inputs.empty() || group.redundant != 0) return nullptr;
  std::optional<model::JointIndex> hinge, cross;
  for (const model::JointIndex index : group.joints) {
    const model::JointType type = context.mechanism.joint(index).type;
    if (type == model::JointType::kRevolute || type == model::JointType::kPrismatic) hinge = index;
    if (type == model::JointType::kUniversal) cross = index;
  }
  if (!hinge) return nullptr;

  HingedDyadParts parts;
  parts.is_inner = *hinge == plan->inner;
  // Link 1 is the one on the outer hinge.
  const int one = *hinge == plan->outer[1] ? 1 : 0, two = 1 - one;
  const auto outer = [&](int side) { return joint_end(context, plan->outer[side], plan->outer_end[side]); };
  const auto before = [&](int side) {
    return joint_end(context, plan->outer[side], 1 - plan->outer_end[side]);
  };
  const auto inner = [&](int side) { return joint_end(context, plan->inner, plan->inner_end[side]); };
  const auto pin = [](const SpatialJointEnd& end) { return Pin{end.link, end.origin}; };
  parts.hinge = {.is_turn = context.mechanism.joint(*hinge).type == model::JointType::kRevolute,
                 .base = parts.is_inner ? inner(one) : before(one),
                 .carried = parts.is_inner ? inner(two) : outer(one)};
  parts.near_own = pin(parts.is_inner ? outer(one) : inner(one));
  if (parts.is_inner) parts.near = pin(before(one));
  if (!parts.is_inner) parts.rod_near = pin(inner(two));
  parts.far_own = pin(outer(two));
  parts.far = pin(before(two));

  const auto side_of = [&](std::size_t link) {
    return link == group.links[0].slot() ? 0 : link == group.links[1].slot() ? 1 : -1;
  };
  const auto turns_with_body = [&](const Axis& axis) {
    const int side = side_of(axis.link);
    return side == two || (parts.is_inner && side == one);
  };
  if (cross) {
    const Axis first = crossing_axis(context, *cross, 0), second = crossing_axis(context, *cross, 1);
    // Between links 1 and 2 (hinge outside) the axis on the rod is the one that turns.
    const bool is_first = parts.is_inner ? turns_with_body(first) : side_of(first.link) == two;
    parts.y = is_first ? first : second;
    parts.n = is_first ? second : first;
  } else {
    bool is_held = false;
    for (const coordinates::Prescribed& prescribed : context.prescribed) {
      const auto* held = std::get_if<coordinates::HeldDirection>(&prescribed.what);
      if (held == nullptr) continue;
      const Axis y{static_cast<std::size_t>(context.tree.link_of(held->body)),
                   context.tree.X_LB(held->body).apply_to_direction(held->u_B)};
      if (!turns_with_body(y)) continue;
      if (is_held) return nullptr;
      is_held = true;
      parts.y = y;
      parts.n = {0, held->d_W};
    }
    if (!is_held) return nullptr;
  }
  return std::make_unique<HingedDyad>(parts);
}

}  // namespace eslabon::kinematics
