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
    return side<double>(links) >= 0.0 ? GroupBranch{1} : GroupBranch{-1};
  }

  GroupStatus solve(std::span<const coordinates::CoordinateValue> inputs, GroupBranch& branch,
                    std::span<PlanarLink> links, GroupScratch& scratch) const override {
    if (branch == kNearestBranch) branch = branch_at(inputs, links, scratch);
    const Foot<double> foot = reach<double>(links);
    if (!(foot.root_square > kTouching * square_)) return status_at_limit(foot.root_square, square_);
    scratch.sine_square = foot.root_square / square_;
    close<double>(foot, branch, links);
    return GroupStatus::kSolved;
  }

  std::size_t num_signs() const override { return 1; }
  TracedClosure write_rates(std::span<const coordinates::CoordinateValueOf<core::Traced>>,
                            std::span<TracedLink> links) const override {
    const TracedLink& guide = links[guide_.link];
    const auto A = links[A_.link].point(A_.origin);
    const auto f = guide.direction(guide_.axis);
    TracedLink &one = links[link_], &two = links[slider_.link];
    const auto C_p = two.position(C_in_slider_), r = C_p - A.p;
    const core::Traced s = dot(C_p - guide.position(C_in_guide_), f), root = dot(r, f);
    const auto C = turn<core::Traced>(guide, A, f, r, s, 1.0 / root, one, two);
    one.put_rates(pin_, A);
    two.put_rates(C_in_slider_, C);
    return {abs(root) / std::sqrt(square_)};
  }
  void write_signs(std::span<const TracedLink> links, std::span<core::Traced> signs) const override {
    signs[0] = sign_of(side<core::Traced>(links));
  }
  TracedClosure write(std::span<const coordinates::CoordinateValueOf<core::Traced>>,
                      std::span<const core::Traced> signs, std::span<TracedLink> links) const override {
    const Foot<core::Traced> foot = reach<core::Traced>(links);
    close<core::Traced>(foot, signs[0], links);
    return {sqrt(foot.root_square / square_)};
  }

 private:
  /// How far C is ahead.
  template <class T>
  T side(std::span<const PlanarLinkOf<T>> links) const {
    const PlanarVectorOf<T> A = links[A_.link].position(A_.origin);
    const PlanarVectorOf<T> C = links[slider_.link].position(C_in_slider_);
    return dot(C - A, links[guide_.link].direction(guide_.axis));
  }
  /// From A to the line of C.
  template <class T>
  struct Foot {
    PlanarPointOf<T> A;
    PlanarVectorOf<T> f, e;
    T b, root_square;
  };
  template <class T>
  Foot<T> reach(std::span<const PlanarLinkOf<T>> links) const {
    const PlanarLinkOf<T>& guide = links[guide_.link];
    Foot<T> foot{links[A_.link].point(A_.origin), guide.direction(guide_.axis), {}, 0.0, 0.0};
    foot.e = guide.point(C_in_guide_).p - foot.A.p;
    foot.b = dot(foot.e, foot.f);
    foot.root_square = foot.b * foot.b - dot(foot.e, foot.e) + square_;
    return foot;
  }
  template <class T>
  void close(const Foot<T>& foot, const T& sign, std::span<PlanarLinkOf<T>> links) const {
    using std::sqrt;
    using Vector = PlanarVectorOf<T>;
    const auto& [A, f, e, b, root_square] = foot;
    const PlanarLinkOf<T>& guide = links[guide_.link];
    const T root = sign * sqrt(root_square);
    const T s = root - b;  // (1)
    const Vector r = e + s * f;
    PlanarLinkOf<T>&one = links[link_], &two = links[slider_.link];
    one.u = conjugate_product(r, l_over_square_);
    two.u = product(guide.u, slider_in_guide_);
    const PlanarPointOf<T> C = turn<T>(guide, A, f, r, s, 1.0 / root, one, two);  // r·f = s + b
    one.put_point(pin_, A);
    two.put_point(C_in_slider_, C);
  }
  /// Rates of the links; returns C.
  template <class T>
  PlanarPointOf<T> turn(const PlanarLinkOf<T>& guide, const PlanarPointOf<T>& A, const PlanarVectorOf<T>& f,
                        const PlanarVectorOf<T>& r, const T& s, const T& inverse, PlanarLinkOf<T>& one,
                        PlanarLinkOf<T>& two) const {
    PlanarPointOf<T> C = guide.point(C_in_guide_ + s * PlanarVectorOf<T>(guide_.axis));
    const T s_dot = dot(A.v - C.v, r) * inverse;  // (2)
    C.v = C.v + s_dot * f;
    one.w = cross(r, C.v - A.v) / square_;
    C.a = C.a + (2.0 * s_dot * guide.w) * turned(f);
    const T s_ddot = (dot(A.a - C.a, r) - one.w * one.w * square_) * inverse;  // (3)
    C.a = C.a + s_ddot * f;
    one.alpha = cross(r, C.a - A.a) / square_;
    two.w = guide.w;
    two.alpha = guide.alpha;
    return C;
  }

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
