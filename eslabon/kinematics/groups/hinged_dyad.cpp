#include <optional>

#include "eslabon/core/scalar/trace.hpp"
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
// Seed001 eq. 3.33, eq. 3.42
template <class T>
struct Orientation {
  T root_square;  ///< 1 − k²: not positive when no turn makes them perpendicular, and then R has no meaning
  core::Matrix3<T> R;
};
template <class T>
Orientation<T> oriented(const core::Vector3<T>& r, const core::Vector3<T>& y, const core::Vector3<T>& D,
                        const core::Vector3<T>& n, const T& sign) {
  using Vector = core::Vector3<T>;
  using std::sqrt;
  const auto norm = [](const Vector& x) -> T { return sqrt(x.squaredNorm()); };
  const Vector e_own = r / norm(r), e = D / norm(D);
  const T y_along = y.dot(e_own), n_along = n.dot(e);
  const Vector y_across = y - y_along * e_own, n_across = n - n_along * e;
  const T y_size = norm(y_across), n_size = norm(n_across);
  const T k = -y_along * n_along / (y_size * n_size), root_square = 1.0 - k * k;
  const Vector f_own = y_across / y_size, m = n_across / n_size;
  // n·(e × f) has the sign of −(coefficient of e × m).
  const Vector f = k * m - sign * sqrt(root_square) * e.cross(m);
  return {root_square,
          e * e_own.transpose() + f * f_own.transpose() + e.cross(f) * e_own.cross(f_own).transpose()};
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
    const auto [hinge, spin] = signs_of(branch);
    const Limits<double> limits = close<double>(hinge, spin, links);
    if (!(limits.reach > kTouching)) return status_at_limit(limits.reach, 1.0);
    return limits.spin > kTouching ? GroupStatus::kSolved : GroupStatus::kOutOfReach;
  }

  std::size_t num_signs() const override { return 2; }
  TracedClosure write(std::span<const coordinates::CoordinateValueOf<core::Traced>>,
                      std::span<const core::Traced> signs, std::span<TracedLink> links) const override {
    const Limits<core::Traced> limits = close<core::Traced>(signs[0], signs[1], links);
    return {sqrt(core::minimum(limits.reach, limits.spin))};
  }

  GroupBranch branch_at(std::span<const coordinates::CoordinateValue>, std::span<const SpatialLink> links,
                        GroupScratch&) const override {
    const auto [hinge, spin] = sides<double>(links);
    return encoded(hinge, spin);
  }
  void write_signs(std::span<const TracedLink> links, std::span<core::Traced> signs) const override {
    const auto [hinge, spin] = sides<core::Traced>(links);
    signs[0] = core::select_less(0.0, hinge, 1.0, -1.0);
    signs[1] = core::select_less(0.0, spin, 1.0, -1.0);
  }

 private:
  template <class T>
  static core::Vector3<T> position(std::span<const SpatialLinkOf<T>> links, const Pin& pin) {
    return links[pin.link].position(pin.local);
  }
  /// The derivatives of the distance by the hinge and of n·Y by the spin.
  template <class T>
  std::array<T, 2> sides(std::span<const SpatialLinkOf<T>> links) const {
    using Vector = core::Vector3<T>;
    const Vector far = position<T>(links, parts_.far_own), near = position<T>(links, parts_.near_own);
    const Vector Y = links[parts_.y.link].direction(parts_.y.local);
    const Vector n = links[parts_.n.link].direction(parts_.n.local);
    const SpatialLinkOf<T>& base = links[parts_.hinge.base.link];
    const T hinge = parts_.is_inner ? (far - near).dot(parts_.hinge.direction(base, far))
                                    : (near - far).dot(parts_.hinge.direction(base, near));
    return {hinge, n.dot((far - near).cross(Y))};
  }
  template <class T>
  static SpatialPointOf<T> point(std::span<const SpatialLinkOf<T>> links, const Pin& pin) {
    return links[pin.link].point(pin.local);
  }

  /// How far the two steps are from their limits: 0 there, negative beyond, where links have no meaning; 1 is far.
  template <class T>
  struct Limits {
    T reach = 0.0, spin = 0.0;
  };
  template <class T>
  Limits<T> close(const T& hinge_sign, const T& spin_sign, std::span<SpatialLinkOf<T>> links) const {
    return parts_.is_inner ? solve_inner(hinge_sign, spin_sign, links)
                           : solve_outer(hinge_sign, spin_sign, links);
  }
  /// Whether a number that is known says that there is nothing beyond.
  static bool is_beyond(double limit) { return !(limit > kTouching); }
  static bool is_beyond(const core::Traced&) { return false; }

  /// Puts `pin` of the body at P, r along D and y perpendicular to n; r and y as the body sees them move. Returns the limit.
  // Seed001 eq. 3.38
  template <class T>
  T put_on_two_points(const Vector3d& pin, const SpatialPointOf<T>& P, const SpatialPointOf<T>& D,
                      const SpatialPointOf<T>& r, const SpatialDirectionOf<T>& y,
                      const SpatialDirectionOf<T>& n, const T& sign, SpatialLinkOf<T>& body) const {
    using Vector = core::Vector3<T>;
    const auto [limit, R] = oriented(r.p, y.u, D.p, n.u, sign);  // (1)
    if (is_beyond(limit)) return limit;
    body.R = R;
    const T inverse = 1.0 / D.p.squaredNorm();
    const Vector Y = R * y.u, Y_rel = R * y.u_dot, r_rel = R * r.v;
    const T by_spin = n.u.dot(D.p.cross(Y));
    Vector w = inverse * D.p.cross(D.v - r_rel);
    w -= (n.u.dot(w.cross(Y) + Y_rel) + n.u_dot.dot(Y)) / by_spin * D.p;  // (2)
    const Vector Y_dot = w.cross(Y) + Y_rel;
    Vector alpha = inverse * D.p.cross(D.a - w.cross(w.cross(D.p) + 2.0 * r_rel) - R * r.a);
    const Vector Y_ddot = alpha.cross(Y) + w.cross(w.cross(Y) + 2.0 * Y_rel) + R * y.u_ddot;
    alpha -= (n.u.dot(Y_ddot) + 2.0 * n.u_dot.dot(Y_dot) + n.u_ddot.dot(Y)) / by_spin * D.p;  // (3)
    body.w = w;
    body.alpha = alpha;
    body.put_point(pin, P);
    return limit;
  }

  // Seed001 eq. 3.30, eq. 3.32, eq. 3.36, eq. 3.37
  template <class T>
  Limits<T> solve_outer(const T& hinge_sign, const T& spin_sign, std::span<SpatialLinkOf<T>> links) const {
    using Vector = core::Vector3<T>;
    const SpatialHinge& hinge = parts_.hinge;
    const SpatialLinkOf<T>& base = links[hinge.base.link];
    const SpatialPointOf<T> P = point<T>(links, parts_.far);
    const core::Matrix3<T> F = base.R * hinge.base.axes.template cast<T>();
    SpatialHinge::PlaceOf<T> at;
    Limits<T> limits;
    limits.reach = hinge.reach<T>(F.transpose() * (P.p - base.position(hinge.base.origin)), Q_in_hinge_,
                                  rod_.squaredNorm(), hinge_sign, at);
    if (is_beyond(limits.reach)) return limits;
    // (Q − P)·(v_Q − v_P) = 0,   (Q − P)·(a_Q − a_P) + |v_Q − v_P|² = 0
    SpatialPointOf<T> Q = hinge.carry(base, at).point(parts_.near_own.local);
    const Vector across = Q.p - P.p;
    const T leverage = across.dot(hinge.direction(base, Q.p));
    at.velocity = across.dot(P.v - Q.v) / leverage;
    Q = hinge.carry(base, at).point(parts_.near_own.local);
    at.acceleration = (across.dot(P.a - Q.a) - (Q.v - P.v).squaredNorm()) / leverage;
    SpatialLinkOf<T>& one = links[hinge.carried.link];
    one = hinge.carry(base, at);
    Q = one.point(parts_.near_own.local);
    const SpatialPointOf<T> D{P.p - Q.p, P.v - Q.v, P.a - Q.a};
    const SpatialPointOf<T> r{rod_.template cast<T>(), Vector::Zero(), Vector::Zero()};
    const SpatialDirectionOf<T> y{parts_.y.local.template cast<T>(), Vector::Zero(), Vector::Zero()};
    const SpatialDirectionOf<T> n = links[parts_.n.link].moving_direction(parts_.n.local);
    limits.spin =
        put_on_two_points(parts_.rod_near.local, Q, D, r, y, n, spin_sign, links[parts_.far_own.link]);
    return limits;
  }

  // Seed001 eq. 3.43
  template <class T>
  Limits<T> solve_inner(const T& hinge_sign, const T& spin_sign, std::span<SpatialLinkOf<T>> links) const {
    using Vector = core::Vector3<T>;
    const SpatialHinge& hinge = parts_.hinge;
    const SpatialPointOf<T> near = point<T>(links, parts_.near), far = point<T>(links, parts_.far);
    const SpatialPointOf<T> D{far.p - near.p, far.v - near.v, far.a - near.a};
    SpatialHinge::PlaceOf<T> at;
    Limits<T> limits;
    limits.reach =
        hinge.reach<T>(P_in_hinge_.template cast<T>(), Q_in_hinge_, D.p.squaredNorm(), hinge_sign, at);
    if (is_beyond(limits.reach)) return limits;
    // As link 1 sees it:  r·ṙ = D·Ḋ,   r·r̈ + ṙ² = D·D̈ + Ḋ²
    const SpatialLinkOf<T> still;
    const Vector near_own = parts_.near_own.local.template cast<T>();
    const auto reaching = [&] {
      SpatialPointOf<T> r = hinge.carry(still, at).point(parts_.far_own.local);
      r.p -= near_own;
      return r;
    };
    SpatialPointOf<T> r = reaching();
    const T leverage = r.p.dot(hinge.direction<T>(still, r.p + near_own));
    at.velocity = D.p.dot(D.v) / leverage;
    r = reaching();
    at.acceleration = (D.p.dot(D.a) + D.v.squaredNorm() - r.v.squaredNorm() - r.p.dot(r.a)) / leverage;
    r = reaching();
    const bool is_on_second = parts_.y.link == hinge.carried.link;
    const SpatialDirectionOf<T> y = is_on_second ? hinge.carry(still, at).moving_direction(parts_.y.local)
                                                 : still.moving_direction(parts_.y.local);
    const SpatialDirectionOf<T> n = links[parts_.n.link].moving_direction(parts_.n.local);
    SpatialLinkOf<T>& one = links[hinge.base.link];
    limits.spin = put_on_two_points(parts_.near_own.local, near, D, r, y, n, spin_sign, one);
    if (!is_beyond(limits.spin)) links[hinge.carried.link] = hinge.carry(one, at);
    return limits;
  }

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
