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
    const Vector3d z1 = links[one_.other.link].direction(one_.other.axes.col(2));
    const Vector3d z3 = links[three_.other.link].direction(three_.other.axes.col(2));
    return z1.dot(links[one_.own.link].direction(one_.inner).cross(z3)) >= 0.0 ? GroupBranch{1}
                                                                               : GroupBranch{-1};
  }

  GroupStatus solve(std::span<const coordinates::CoordinateValue> inputs, GroupBranch& branch,
                    std::span<SpatialLink> links, GroupScratch& scratch) const override {
    if (branch == kNearestBranch) branch = branch_at(inputs, links, scratch);
    const SpatialLink &before = links[one_.other.link], &behind = links[three_.other.link];
    const Vector3d z1 = before.direction(one_.other.axes.col(2));
    const Vector3d z3 = behind.direction(three_.other.axes.col(2));
    const Vector3d normal = z1.cross(z3);
    const double c = z1.dot(z3), s_square = normal.squaredNorm();
    const double a = (c1_ - c * c3_) / s_square, b = (c3_ - c * c1_) / s_square;
    const double rest = 1.0 - a * a - b * b - 2.0 * a * b * c;
    if (!(rest > kTouching)) return status_at_limit(rest, 1.0);
    scratch.sine_square = rest;
    // z₁·(z₂ × z₃) = −γ s²
    const double gamma = -branch * std::sqrt(rest / s_square);
    const Vector3d z2 = a * z1 + b * z3 + gamma * normal;  // (1)
    SpatialLink &first = links[one_.own.link], &second = links[three_.own.link];
    first.R = turned(z1, z2, one_);
    second.R = turned(z3, z2, three_);
    const double inverse = 1.0 / z1.dot(z2.cross(z3));
    const auto parts = [&](const Vector3d& d) {
      return Vector3d(inverse * d.dot(z2.cross(z3)), inverse * d.dot(z3.cross(z1)),
                      inverse * d.dot(z1.cross(z2)));
    };
    const Vector3d q = parts(behind.w - before.w);  // (2)
    first.w = before.w + q.x() * z1;
    second.w = first.w + q.y() * z2;
    const Vector3d bias = before.w.cross(q.x() * z1) + first.w.cross(q.y() * z2) + second.w.cross(q.z() * z3);
    const Vector3d q_ddot = parts(behind.alpha - before.alpha - bias);  // (3)
    first.alpha = before.alpha + q_ddot.x() * z1 + before.w.cross(q.x() * z1);
    second.alpha = first.alpha + q_ddot.y() * z2 + first.w.cross(q.y() * z2);
    first.put_point(one_.own.origin, before.point(one_.other.origin));
    second.put_point(three_.own.origin, behind.point(three_.other.origin));
    // The outer links may carry their axes past each other: then the rows that repeat others do not any more.
    const Vector3d gap = first.position(one_.inner_origin) - second.position(three_.inner_origin);
    return gap.norm() <= largest_gap_ ? GroupStatus::kSolved : GroupStatus::kOutOfReach;
  }

 private:
  /// The orientation that brings the link's outer axis to `outer` and its inner one to `inner`.
  static Matrix3d turned(const Vector3d& outer, const Vector3d& inner, const SphericalSide& side) {
    const auto triad = [](const Vector3d& z, const Vector3d& other) {
      Matrix3d axes;
      axes.col(0) = z;
      axes.col(1) = z.cross(other).normalized();
      axes.col(2) = z.cross(axes.col(1));
      return axes;
    };
    return triad(outer, inner) * triad(side.own.axes.col(2), side.inner).transpose();
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
