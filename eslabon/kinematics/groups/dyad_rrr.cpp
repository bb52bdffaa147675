#include <cmath>

#include "eslabon/kinematics/groups/group_solver.hpp"

// The dyad of three revolutes [Seed001, §3.1.2], closed by the intersection of two circles. A, B are the outer pins, C the
// inner one; d = p_AB, r₁ = p_AC, r₂ = p_BC, L₁ = |r₁|, L₂ = |r₂|:
//   κ = (|d|² + L₁² − L₂²) / 2|d|²,   η = ± √(L₁²/|d|² − κ²),   r₁ = κ d + η ẑ × d,   r₂ = r₁ − d        (1)
// The orientation of link 1 follows from r₁ and its components l₁ in the link: u₁ = r₁ l₁* / L₁² (complex). Differentiating
// A + r₁ = B + r₂, with k = r₁ × r₂ = η |d|²:
//   ω₁ = (v_B − v_A)·r₂ / k,   ω₂ = (v_B − v_A)·r₁ / k                                                   (2)
//   α₁ = g·r₂ / k,   α₂ = g·r₁ / k,   g = a_B − a_A + ω₁² r₁ − ω₂² r₂                                     (3)
// The branch is the sign of η: C to the left (+) or right (−) of the way from A to B.
namespace eslabon::kinematics {

namespace {

class DyadRRR final : public PlanarGroupSolver {
 public:
  explicit DyadRRR(const DyadJoints& dyad) : A_(dyad.other[0]), B_(dyad.other[1]), C_(dyad.inside[0].origin) {
    for (std::size_t i = 0; i < 2; ++i) {
      Side& side = side_[i];
      side.link = dyad.own[i].link;
      side.pin = dyad.own[i].origin;
      const PlanarVector l = dyad.inside[i].origin - dyad.own[i].origin;
      side.square = dot(l, l);
      side.l_over_square = (1.0 / side.square) * l;
    }
    inverse_squares_ = 1.0 / (side_[0].square * side_[1].square);
  }

  GroupBranch branch_at(std::span<const coordinates::CoordinateValue>, std::span<const PlanarLink> links,
                        GroupScratch&) const override {
    return side<double>(links) >= 0.0 ? GroupBranch{1} : GroupBranch{-1};
  }

  // Seed001 eq. 1.1, eq. 1.2, eq. 3.16, eq. 3.17, eq. 3.18, eq. 3.19, eq. 3.20, eq. 3.21
  GroupStatus solve(std::span<const coordinates::CoordinateValue> inputs, GroupBranch& branch,
                    std::span<PlanarLink> links, GroupScratch& scratch) const override {
    if (branch == kNearestBranch) branch = branch_at(inputs, links, scratch);
    const Pins<double> pins = reach<double>(links);
    const double kappa_square = pins.kappa * pins.kappa;
    if (!(pins.eta_square > kTouching * kappa_square)) return status_at_limit(pins.eta_square, kappa_square);
    scratch.sine_square = sine_square(pins);
    close<double>(pins, branch, links);
    return GroupStatus::kSolved;
  }

  std::size_t num_signs() const override { return 1; }
  TracedClosure write_rates(std::span<const coordinates::CoordinateValueOf<core::Traced>>,
                            std::span<TracedLink> links) const override {
    const auto A = links[A_.link].point(A_.origin), B = links[B_.link].point(B_.origin);
    TracedLink &one = links[side_[0].link], &two = links[side_[1].link];
    const auto r1 = one.direction(side_[0].square * side_[0].l_over_square),
               r2 = two.direction(side_[1].square * side_[1].l_over_square);
    const core::Traced k = cross(r1, r2);
    turn<core::Traced>(A, B, r1, r2, 1.0 / k, one, two);
    one.put_rates(side_[0].pin, A);
    two.put_rates(side_[1].pin, B);
    return {abs(k) * std::sqrt(inverse_squares_)};
  }
  void write_signs(std::span<const TracedLink> links, std::span<core::Traced> signs) const override {
    signs[0] = sign_of(side<core::Traced>(links));
  }
  TracedClosure write(std::span<const coordinates::CoordinateValueOf<core::Traced>>,
                      std::span<const core::Traced> signs, std::span<TracedLink> links) const override {
    const Pins<core::Traced> pins = reach<core::Traced>(links);
    close<core::Traced>(pins, signs[0], links);
    return {sqrt(sine_square(pins))};
  }

 private:
  /// How far C is to the left of the way from A to B, times that way.
  template <class T>
  T side(std::span<const PlanarLinkOf<T>> links) const {
    const PlanarVectorOf<T> A = links[A_.link].position(A_.origin), B = links[B_.link].position(B_.origin);
    return cross(B - A, links[side_[0].link].position(C_) - A);
  }
  /// The outer pins, and how far the inner one can be from them.
  template <class T>
  struct Pins {
    PlanarPointOf<T> A, B;
    PlanarVectorOf<T> d;
    T square, kappa, eta_square;
  };
  template <class T>
  Pins<T> reach(std::span<const PlanarLinkOf<T>> links) const {
    Pins<T> pins{links[A_.link].point(A_.origin), links[B_.link].point(B_.origin), {}, 0.0, 0.0, 0.0};
    pins.d = pins.B.p - pins.A.p;
    pins.square = dot(pins.d, pins.d);
    const T inverse = 1.0 / pins.square;
    pins.kappa = 0.5 + 0.5 * (side_[0].square - side_[1].square) * inverse;
    pins.eta_square = side_[0].square * inverse - pins.kappa * pins.kappa;
    return pins;
  }
  /// Of the angle at C.
  template <class T>
  T sine_square(const Pins<T>& pins) const {
    return pins.eta_square * pins.square * pins.square * inverse_squares_;
  }
  template <class T>
  void close(const Pins<T>& pins, const T& sign, std::span<PlanarLinkOf<T>> links) const {
    using std::sqrt;
    using Vector = PlanarVectorOf<T>;
    const auto& [A, B, d, square, kappa, eta_square] = pins;
    const T eta = sign * sqrt(eta_square);
    const Vector r1 = kappa * d + eta * turned(d), r2 = r1 - d;  // (1)
    PlanarLinkOf<T>&one = links[side_[0].link], &two = links[side_[1].link];
    one.u = conjugate_product(r1, side_[0].l_over_square);
    two.u = conjugate_product(r2, side_[1].l_over_square);
    turn<T>(A, B, r1, r2, 1.0 / (eta * square), one, two);
    one.put_point(side_[0].pin, A);
    two.put_point(side_[1].pin, B);
  }
  template <class T>
  static void turn(const PlanarPointOf<T>& A, const PlanarPointOf<T>& B, const PlanarVectorOf<T>& r1,
                   const PlanarVectorOf<T>& r2, const T& inverse_k, PlanarLinkOf<T>& one,
                   PlanarLinkOf<T>& two) {
    const PlanarVectorOf<T> dv = B.v - A.v;
    one.w = dot(dv, r2) * inverse_k;
    two.w = dot(dv, r1) * inverse_k;  // (2)
    const PlanarVectorOf<T> g = B.a - A.a + (one.w * one.w) * r1 - (two.w * two.w) * r2;
    one.alpha = dot(g, r2) * inverse_k;  // (3)
    two.alpha = dot(g, r1) * inverse_k;
  }

  struct Side {
    std::size_t link;
    PlanarVector pin;            ///< outer pin in the link's frame
    PlanarVector l_over_square;  ///< l / L²
    double square;               ///< L²
  };
  PlanarJointEnd A_, B_;
  PlanarVector C_;  ///< in link 1
  Side side_[2];
  double inverse_squares_;  ///< 1 / (L₁² L₂²)
};

}  // namespace

std::unique_ptr<PlanarGroupSolver> make_dyad_rrr(const PlanarGroupContext& context,
                                                 const structure::StructuralGroup& group) {
  return std::make_unique<DyadRRR>(dyad_joints(context, group));
}

}  // namespace eslabon::kinematics
