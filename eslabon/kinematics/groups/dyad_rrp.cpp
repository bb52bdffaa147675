#include <cmath>

#include "eslabon/kinematics/groups/group_solver.hpp"

// The dyad RRP: link 1 turns on pin A, pin C joins it to link 2, which slides on a link before it (slider-crank). Link 2 keeps
// the orientation of that link; C lies on a line with the slide's direction f, at Q when the slide is at 0:
//   C = Q + s f,   |Q − A + s f|² = L₁²,   s = −b ± √(b² − c),   b = (Q − A)·f,   c = |Q − A|² − L₁²         (1)
//   (v_C − v_A)·r = 0,   v_C = v_Q' + ṡ f                                                                  (2)
//   (a_C − a_A)·r = −ω₁² L₁²,   a_C = a_Q' + 2 ṡ ω ẑ × f + s̈ f                                              (3)
// with r = p_AC, Q' the point of the sliding link's guide that C passes, ω the guide's rate. The branch is the sign before
// the root: C ahead (+) or behind (−) of the foot of the perpendicular from A.
namespace eslabon::kinematics {

namespace {

class DyadRRP final : public PlanarGroupSolver {
 public:
  explicit DyadRRP(const DyadJoints& dyad)
      : A_(dyad.other[0]),
        guide_(dyad.other[1]),
        pin_(dyad.own[0].origin),
        slider_(dyad.own[1]),
        C_in_slider_(dyad.inside[1].origin),
        link_(dyad.own[0].link) {
    const PlanarVector l = dyad.inside[0].origin - dyad.own[0].origin;
    square_ = dot(l, l);
    l_over_square_ = (1.0 / square_) * l;
    // Where C is in the guide's frame when the slide is at 0: turned as the slider is, its origin on the guide's.
    const PlanarVector to_guide = conjugate_product(guide_.axis, slider_.axis);
    C_in_guide_ = guide_.origin + product(to_guide, C_in_slider_ - slider_.origin);
    slider_in_guide_ = to_guide;
  }

  GroupBranch branch_at(std::span<const coordinates::CoordinateValue>, std::span<const PlanarLink> links,
                        GroupScratch&) const override {
    const PlanarVector A = links[A_.link].position(A_.origin);
    const PlanarVector C = links[slider_.link].position(C_in_slider_);
    return dot(C - A, links[guide_.link].direction(guide_.axis)) >= 0.0 ? GroupBranch{1} : GroupBranch{-1};
  }

  GroupStatus solve(std::span<const coordinates::CoordinateValue> inputs, GroupBranch& branch,
                    std::span<PlanarLink> links, GroupScratch& scratch) const override {
    if (branch == kNearestBranch) branch = branch_at(inputs, links, scratch);
    const PlanarPoint A = links[A_.link].point(A_.origin);
    const PlanarLink& guide = links[guide_.link];
    const PlanarVector f = guide.direction(guide_.axis);
    const PlanarVector e = guide.point(C_in_guide_).p - A.p;
    const double b = dot(e, f), root_square = b * b - dot(e, e) + square_;
    if (!(root_square > kTouching * square_)) return status_at_limit(root_square, square_);
    scratch.sine_square = root_square / square_;
    const double root = branch * std::sqrt(root_square);
    const double s = root - b;  // (1)
    const PlanarVector r = e + s * f;
    PlanarPoint C = guide.point(C_in_guide_ + s * guide_.axis);
    const double inverse = 1.0 / root;                 // r·f = s + b
    const double s_dot = dot(A.v - C.v, r) * inverse;  // (2)
    C.v = C.v + s_dot * f;
    const double w = cross(r, C.v - A.v) / square_;
    C.a = C.a + (2.0 * s_dot * guide.w) * turned(f);
    const double s_ddot = (dot(A.a - C.a, r) - w * w * square_) * inverse;  // (3)
    C.a = C.a + s_ddot * f;
    PlanarLink& one = links[link_];
    one.u = conjugate_product(r, l_over_square_);
    one.w = w;
    one.alpha = cross(r, C.a - A.a) / square_;
    one.put_point(pin_, A);
    PlanarLink& two = links[slider_.link];
    two.u = product(guide.u, slider_in_guide_);
    two.w = guide.w;
    two.alpha = guide.alpha;
    two.put_point(C_in_slider_, C);
    return GroupStatus::kSolved;
  }

 private:
  PlanarJointEnd A_, guide_;
  PlanarVector pin_;
  PlanarJointEnd slider_;
  PlanarVector C_in_slider_;
  std::size_t link_;
  double square_;                 ///< L₁²
  PlanarVector l_over_square_;    ///< l₁ / L₁²
  PlanarVector C_in_guide_;       ///< Q
  PlanarVector slider_in_guide_;  ///< orientation
};

}  // namespace

std::unique_ptr<PlanarGroupSolver> make_dyad_rrp(const PlanarGroupContext& context,
                                                 const structure::StructuralGroup& group) {
  return std::make_unique<DyadRRP>(dyad_joints(context, group));
}

}  // namespace eslabon::kinematics
