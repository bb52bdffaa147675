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
    const PlanarVector A = links[A_.link].position(A_.origin), B = links[B_.link].position(B_.origin);
    const PlanarVector C = links[side_[0].link].position(C_);
    return cross(B - A, C - A) >= 0.0 ? GroupBranch{1} : GroupBranch{-1};
  }

  // Seed001 eq. 1.1, eq. 1.2, eq. 3.16, eq. 3.17, eq. 3.18, eq. 3.19, eq. 3.20, eq. 3.21
  GroupStatus solve(std::span<const coordinates::CoordinateValue> inputs, GroupBranch& branch,
                    std::span<PlanarLink> links, GroupScratch& scratch) const override {
    if (branch == kNearestBranch) branch = branch_at(inputs, links, scratch);
    const PlanarPoint A = links[A_.link].point(A_.origin);
    const PlanarPoint B = links[B_.link].point(B_.origin);
    const PlanarVector d = B.p - A.p;
    const double square = dot(d, d);
    const double inverse = 1.0 / square;
    const double kappa = 0.5 + 0.5 * (side_[0].square - side_[1].square) * inverse;
    const double eta_square = side_[0].square * inverse - kappa * kappa;
    if (!(eta_square > kTouching * kappa * kappa)) return status_at_limit(eta_square, kappa * kappa);
    scratch.sine_square = eta_square * square * square * inverse_squares_;  // of the angle at C
    const double eta = branch * std::sqrt(eta_square);
    const PlanarVector r1 = kappa * d + eta * turned(d), r2 = r1 - d;  // (1)
    const double inverse_k = 1.0 / (eta * square);
    const PlanarVector dv = B.v - A.v;
    const double w1 = dot(dv, r2) * inverse_k, w2 = dot(dv, r1) * inverse_k;  // (2)
    const PlanarVector g = B.a - A.a + (w1 * w1) * r1 - (w2 * w2) * r2;
    PlanarLink& one = links[side_[0].link];
    one.u = conjugate_product(r1, side_[0].l_over_square);
    one.w = w1;
    one.alpha = dot(g, r2) * inverse_k;  // (3)
    one.put_point(side_[0].pin, A);
    PlanarLink& two = links[side_[1].link];
    two.u = conjugate_product(r2, side_[1].l_over_square);
    two.w = w2;
    two.alpha = dot(g, r1) * inverse_k;
    two.put_point(side_[1].pin, B);
    return GroupStatus::kSolved;
  }

 private:
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
