#include <cmath>

#include "eslabon/kinematics/groups/group_solver.hpp"

// The dyad RPR: two links on pins A and B, one sliding along the other (a cylinder). Both have the same orientation up to a
// constant. In the frame of link 1, with the slide's direction f and n = ẑ × f, B is at A + s f + e n with e constant:
//   |d|² = s² + e²,   s = ± √(|d|² − e²),   d = p_AB                                                        (1)
//   u₁ = d (s f + e n)* / |d|²  (complex)
//   v_B − v_A = ω ẑ × d + ṡ f                                                                               (2)
//   a_B − a_A = α ẑ × d − ω² d + 2 ω ṡ ẑ × f + s̈ f                                                          (3)
// (2), (3) across f, where d·f = s, give ω and α; along f, ṡ and s̈. The branch is the sign of s.
namespace eslabon::kinematics {

namespace {

class DyadRPR final : public PlanarGroupSolver {
 public:
  explicit DyadRPR(const DyadJoints& dyad)
      : A_(dyad.other[0]), B_(dyad.other[1]), one_(dyad.own[0]), two_(dyad.own[1]), f_(dyad.inside[0].axis) {
    // Link 2 in link 1: axes of the slide parallel.
    two_in_one_ = conjugate_product(dyad.inside[0].axis, dyad.inside[1].axis);
    // From the pin A to the line of the slide, and from there to the pin B, across f.
    const PlanarVector to_line = dyad.inside[0].origin - one_.origin;
    const PlanarVector to_pin = product(two_in_one_, two_.origin - dyad.inside[1].origin);
    e_ = cross(f_, to_line + to_pin);
  }

  GroupBranch branch_at(std::span<const coordinates::CoordinateValue>, std::span<const PlanarLink> links,
                        GroupScratch&) const override {
    return side<double>(links) >= 0.0 ? GroupBranch{1} : GroupBranch{-1};
  }

  GroupStatus solve(std::span<const coordinates::CoordinateValue> inputs, GroupBranch& branch,
                    std::span<PlanarLink> links, GroupScratch& scratch) const override {
    if (branch == kNearestBranch) branch = branch_at(inputs, links, scratch);
    const Pins<double> pins = reach<double>(links);
    if (!(pins.s_square > kTouching * pins.square)) return status_at_limit(pins.s_square, pins.square);
    scratch.sine_square = pins.s_square / pins.square;
    close<double>(pins, branch, links);
    return GroupStatus::kSolved;
  }

  std::size_t num_signs() const override { return 1; }
  void write_signs(std::span<const TracedLink> links, std::span<core::Traced> signs) const override {
    signs[0] = sign_of(side<core::Traced>(links));
  }
  TracedClosure write(std::span<const coordinates::CoordinateValueOf<core::Traced>>,
                      std::span<const core::Traced> signs, std::span<TracedLink> links) const override {
    const Pins<core::Traced> pins = reach<core::Traced>(links);
    close<core::Traced>(pins, signs[0], links);
    return {sqrt(pins.s_square / pins.square)};
  }

 private:
  /// s.
  template <class T>
  T side(std::span<const PlanarLinkOf<T>> links) const {
    const PlanarVectorOf<T> d = links[B_.link].position(B_.origin) - links[A_.link].position(A_.origin);
    return dot(d, links[one_.link].direction(f_));
  }
  template <class T>
  struct Pins {
    PlanarPointOf<T> A, B;
    PlanarVectorOf<T> d;
    T square, s_square;
  };
  template <class T>
  Pins<T> reach(std::span<const PlanarLinkOf<T>> links) const {
    Pins<T> pins{links[A_.link].point(A_.origin), links[B_.link].point(B_.origin), {}, 0.0, 0.0};
    pins.d = pins.B.p - pins.A.p;
    pins.square = dot(pins.d, pins.d);
    pins.s_square = pins.square - e_ * e_;
    return pins;
  }
  template <class T>
  void close(const Pins<T>& pins, const T& sign, std::span<PlanarLinkOf<T>> links) const {
    using std::sqrt;
    using Vector = PlanarVectorOf<T>;
    const auto& [A, B, d, square, s_square] = pins;
    const T s = sign * sqrt(s_square);  // (1)
    PlanarLinkOf<T>& one = links[one_.link];
    one.u = (1.0 / square) * conjugate_product(d, s * Vector(f_) + e_ * turned(f_));
    const Vector f = one.direction(f_), n = turned(f);
    const Vector dv = B.v - A.v, da = B.a - A.a;
    // (ẑ × d)·n = d·f = s,  (ẑ × d)·f = −d·n = −e
    one.w = dot(dv, n) / s;
    const T s_dot = dot(dv, f) + one.w * e_;                                  // (2)
    one.alpha = (dot(da, n) + one.w * one.w * e_ - 2.0 * one.w * s_dot) / s;  // (3)
    one.put_point(one_.origin, A);
    PlanarLinkOf<T>& two = links[two_.link];
    two.u = product(one.u, two_in_one_);
    two.w = one.w;
    two.alpha = one.alpha;
    two.put_point(two_.origin, B);
  }

  PlanarJointEnd A_, B_, one_, two_;
  PlanarVector f_;           ///< slide, in link 1
  PlanarVector two_in_one_;  ///< orientation of link 2 in link 1
  double e_;
};

}  // namespace

std::unique_ptr<PlanarGroupSolver> make_dyad_rpr(const PlanarGroupContext& context,
                                                 const structure::StructuralGroup& group) {
  return std::make_unique<DyadRPR>(dyad_joints(context, group));
}

}  // namespace eslabon::kinematics
