#include <cmath>
#include <optional>

#include "eslabon/coordinates/layout.hpp"
#include "eslabon/kinematics/groups/group_solver.hpp"

// The spherical dyad: two links and three revolutes whose axes z₁, z₂, z₃ meet in one point. Three of its rows repeat others, so
// that it moves although the count says it cannot. The outer axes are given; the inner one makes fixed angles with both,
//   z₂·z₁ = c₁,   z₂·z₃ = c₃,   z₂ = a z₁ + b z₃ + γ z₁ × z₃                                                  (1)
//   γ² s² = 1 − a² − b² − 2 a b c,   c = z₁·z₃,   s² = 1 − c²,   a = (c₁ − c c₃)/s²,   b = (c₃ − c c₁)/s²
// the spherical counterpart of two circles. With ω_A before z₁ and ω_B behind z₃,
//   q̇₁ z₁ + q̇₂ z₂ + q̇₃ z₃ = ω_B − ω_A                                                                        (2)
//   Σ q̈_i z_i = α_B − α_A − Σ ω_i × q̇_i z_i,   ω_i: of the link before z_i                                    (3)
// are solved with the triple product k = z₁·(z₂ × z₃). The branch is its sign.
namespace eslabon::kinematics {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kLargestGap = 1e-9;  // of the inner joint, in units of the mechanism's size

struct SphericalSide {
  SpatialJointEnd other, own;  ///< of the outer joint
  Vector3d inner;              ///< z₂ in the link
  Vector3d inner_origin;       ///< of the inner joint, in the link [m]
};

class SphericalDyad final : public SpatialGroupSolver {
 public:
  SphericalDyad(const SphericalSide& one, const SphericalSide& three, double length)
      : one_(one), three_(three), largest_gap_(kLargestGap * length) {
    c1_ = one_.inner.dot(one_.own.axes.col(2));
    c3_ = three_.inner.dot(three_.own.axes.col(2));
  }

  GroupBranch branch_at(std::span<const coordinates::CoordinateValue>, std::span<const SpatialLink> links,
                        GroupScratch&) const override {
    return side<double>(links) >= 0.0 ? GroupBranch{1} : GroupBranch{-1};
  }

  GroupStatus solve(std::span<const coordinates::CoordinateValue> inputs, GroupBranch& branch,
                    std::span<SpatialLink> links, GroupScratch& scratch) const override {
    if (branch == kNearestBranch) branch = branch_at(inputs, links, scratch);
    const OuterAxes<double> axes = outer_axes<double>(links);
    if (!(axes.rest > kTouching)) return status_at_limit(axes.rest, 1.0);
    scratch.sine_square = axes.rest;
    // The outer links may carry their axes past each other: then the rows that repeat others do not any more.
    return close<double>(axes, branch, links).norm() <= largest_gap_ ? GroupStatus::kSolved
                                                                     : GroupStatus::kOutOfReach;
  }

  std::size_t num_signs() const override { return 1; }
  void write_signs(std::span<const TracedLink> links, std::span<core::Traced> signs) const override {
    signs[0] = sign_of(side<core::Traced>(links));
  }
  TracedClosure write(std::span<const coordinates::CoordinateValueOf<core::Traced>>,
                      std::span<const core::Traced> signs, std::span<TracedLink> links) const override {
    const OuterAxes<core::Traced> axes = outer_axes<core::Traced>(links);
    const core::Vector3<core::Traced> gap = close<core::Traced>(axes, signs[0], links);
    return {sqrt(axes.rest), sqrt(gap.squaredNorm())};
  }

 private:
  /// k.
  template <class T>
  T side(std::span<const SpatialLinkOf<T>> links) const {
    const core::Vector3<T> z1 = links[one_.other.link].direction(one_.other.axes.col(2));
    const core::Vector3<T> z3 = links[three_.other.link].direction(three_.other.axes.col(2));
    return z1.dot(links[one_.own.link].direction(one_.inner).cross(z3));
  }
  /// The axes of the outer joints, and the inner one as (1) has it.
  template <class T>
  struct OuterAxes {
    core::Vector3<T> z1, z3, normal;
    T s_square, a, b, rest;
  };
  template <class T>
  OuterAxes<T> outer_axes(std::span<const SpatialLinkOf<T>> links) const {
    OuterAxes<T> axes;
    axes.z1 = links[one_.other.link].direction(one_.other.axes.col(2));
    axes.z3 = links[three_.other.link].direction(three_.other.axes.col(2));
    axes.normal = axes.z1.cross(axes.z3);
    const T c = axes.z1.dot(axes.z3);
    axes.s_square = axes.normal.squaredNorm();
    axes.a = (c1_ - c * c3_) / axes.s_square;
    axes.b = (c3_ - c * c1_) / axes.s_square;
    axes.rest = 1.0 - axes.a * axes.a - axes.b * axes.b - 2.0 * axes.a * axes.b * c;
    return axes;
  }
  /// Returns what the inner joint is open by [m].
  template <class T>
  core::Vector3<T> close(const OuterAxes<T>& axes, const T& sign, std::span<SpatialLinkOf<T>> links) const {
    using std::sqrt;
    using Vector = core::Vector3<T>;
    const auto& [z1, z3, normal, s_square, a, b, rest] = axes;
    const SpatialLinkOf<T>&before = links[one_.other.link], &behind = links[three_.other.link];
    // z₁·(z₂ × z₃) = −γ s²
    const T gamma = -sign * sqrt(rest / s_square);
    const Vector z2 = a * z1 + b * z3 + gamma * normal;  // (1)
    SpatialLinkOf<T>&first = links[one_.own.link], &second = links[three_.own.link];
    first.R = turned<T>(z1, z2, one_);
    second.R = turned<T>(z3, z2, three_);
    const Vector across23 = z2.cross(z3), across31 = z3.cross(z1), across12 = z1.cross(z2);
    const T inverse = 1.0 / z1.dot(across23);
    const auto parts = [&](const Vector& d) {
      return Vector(inverse * d.dot(across23), inverse * d.dot(across31), inverse * d.dot(across12));
    };
    const Vector q = parts(behind.w - before.w);  // (2)
    first.w = before.w + q.x() * z1;
    second.w = first.w + q.y() * z2;
    const Vector bias = before.w.cross(q.x() * z1) + first.w.cross(q.y() * z2) + second.w.cross(q.z() * z3);
    const Vector q_ddot = parts(behind.alpha - before.alpha - bias);  // (3)
    first.alpha = before.alpha + q_ddot.x() * z1 + before.w.cross(q.x() * z1);
    second.alpha = first.alpha + q_ddot.y() * z2 + first.w.cross(q.y() * z2);
    first.put_point(one_.own.origin, before.point(one_.other.origin));
    second.put_point(three_.own.origin, behind.point(three_.other.origin));
    return first.position(one_.inner_origin) - second.position(three_.inner_origin);
  }

  /// The orientation that brings the link's outer axis to `outer` and its inner one to `inner`.
  template <class T>
  static core::Matrix3<T> turned(const core::Vector3<T>& outer, const core::Vector3<T>& inner,
                                 const SphericalSide& side) {
    return triad<T>(outer, inner) *
           triad<double>(side.own.axes.col(2), side.inner).transpose().template cast<T>();
  }
  template <class T>
  static core::Matrix3<T> triad(const core::Vector3<T>& z, const core::Vector3<T>& other) {
    using std::sqrt;
    const core::Vector3<T> across = z.cross(other);
    core::Matrix3<T> axes;
    axes.col(0) = z;
    axes.col(1) = across / sqrt(across.squaredNorm());
    axes.col(2) = z.cross(axes.col(1));
    return axes;
  }

  SphericalSide one_, three_;
  double c1_, c3_;
  double largest_gap_;  ///< of a closed dyad [m]
};

}  // namespace

std::unique_ptr<SpatialGroupSolver> make_spherical_dyad(const SpatialGroupContext& context,
                                                        const structure::StructuralGroup& group) {
  const auto plan = dyad_plan(context.mechanism, context.structure, group);
  if (!plan || !group.inputs.empty() || group.redundant != 3) return nullptr;
  SphericalSide sides[2];
  for (const int side : {0, 1}) {
    const SpatialJointEnd inner = joint_end(context, plan->inner, plan->inner_end[side]);
    sides[side] = {.other = joint_end(context, plan->outer[side], 1 - plan->outer_end[side]),
                   .own = joint_end(context, plan->outer[side], plan->outer_end[side]),
                   .inner = inner.axes.col(2),
                   .inner_origin = inner.origin};
  }
  // The axes must meet, and no two of them be one line: points on them nearest to the first two's meeting.
  const double length = coordinates::length_scale(context.mechanism);
  Vector3d origins[3], axes[3];
  for (std::size_t i = 0; i < 2; ++i) {
    const SpatialLink& link = context.start[sides[i].own.link];
    origins[2 * i] = link.position(sides[i].own.origin);
    axes[2 * i] = link.direction(sides[i].own.axes.col(2));
    axes[1] = link.direction(sides[i].inner);
  }
  origins[1] = context.start[sides[0].own.link].position(sides[0].inner_origin);
  const Vector3d across = axes[0].cross(axes[2]);
  constexpr double kParallel = 1e-6, kApart = 1e-9;
  if (across.norm() < kParallel || axes[0].cross(axes[1]).norm() < kParallel ||
      axes[1].cross(axes[2]).norm() < kParallel)
    return nullptr;
  const double along = (origins[2] - origins[0]).cross(axes[2]).dot(across) / across.squaredNorm();
  const Vector3d meeting = origins[0] + along * axes[0];
  for (std::size_t i = 0; i < 3; ++i)
    if ((meeting - origins[i]).cross(axes[i]).norm() > kApart * length) return nullptr;
  return std::make_unique<SphericalDyad>(sides[0], sides[1], length);
}

}  // namespace eslabon::kinematics
