#include "eslabon/dynamics/reduced/reduced_motion.hpp"

#include "tests/moving_mechanisms.hpp"
#include "tests/sprung_rssr.hpp"
#include <gmock/gmock.h>

#include "eslabon/dynamics/statics/extrapolated_difference.hpp"

namespace eslabon::dynamics {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

double distance(const coordinates::MechanismMotion& a, const coordinates::MechanismMotion& b) {
  double largest = 0.0;
  for (std::size_t i = 1; i < a.size(); ++i)
    largest =
        std::max({largest, (a[i].alpha_WB_W - b[i].alpha_WB_W).norm(), (a[i].a_WB_W - b[i].a_WB_W).norm()});
  return largest;
}
double size(const coordinates::MechanismMotion& a) {
  return distance(a, coordinates::MechanismMotion(a.size()));
}

// crosscheck: the multipliers in natural or reference-point coordinates share neither coordinates nor masses with it.
TEST(ReducedMotion, AcceleratesAsMultipliersDo) {
  for (const test::NamedMechanism& named : test::moving_mechanisms()) {
    const test::DynamicCase c(named.mechanism);
    const auto formulation = make_formulation("multipliers", c.model, {.kind = "reference-point"});
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const auto expected = test::accelerated(*formulation, test::random_motion(c.model, seed));
      ReducedMotion reduced(c.model, {});
      const ReducedPoint point = reduced.point_of(expected, 0.0);
      EXPECT_LE(distance(point.bodies, expected), 1e-9 * size(expected)) << named.name;
      EXPECT_LE(reduced.constraint_error(point), 1e-12) << named.name;
    }
  }
}

/// All numbers of a motion in one list.
VectorXd flat(const ReducedPoint& point) {
  std::vector<double> all(point.z_ddot.data(), point.z_ddot.data() + point.z_ddot.size());
  for (const coordinates::BodyMotion& body : point.bodies)
    for (const Eigen::Vector3d& x : {body.X_WB.p_AB_A, Eigen::Vector3d(body.X_WB.R_AB.matrix().col(0)),
                                     Eigen::Vector3d(body.X_WB.R_AB.matrix().col(1)), body.w_WB_W,
                                     body.v_WB_W, body.alpha_WB_W, body.a_WB_W})
      all.insert(all.end(), x.data(), x.data() + 3);
  return Eigen::Map<VectorXd>(all.data(), static_cast<Index>(all.size()));
}
VectorXd flat_tangent(const ReducedTangent& tangent, Index d) {
  std::vector<double> all(tangent.z_ddot_x.col(d).data(),
                          tangent.z_ddot_x.col(d).data() + tangent.z_ddot_x.rows());
  for (const auto& body : tangent.bodies[static_cast<std::size_t>(d)])
    for (const core::Vector3<core::Dual<double>>& x :
         {body.X_WB.p_AB_A, core::Vector3<core::Dual<double>>(body.X_WB.R_AB.matrix().col(0)),
          core::Vector3<core::Dual<double>>(body.X_WB.R_AB.matrix().col(1)), body.w_WB_W, body.v_WB_W,
          body.alpha_WB_W, body.a_WB_W})
      for (int r = 0; r < 3; ++r) all.push_back(x(r).derivative);
  return Eigen::Map<VectorXd>(all.data(), static_cast<Index>(all.size()));
}

// derivative: differences of solutions share with dual numbers only the equations themselves.
TEST(ReducedMotion, DerivativesAreThoseOfDifferences_AlongStatesAndUnknowns) {
  for (const test::NamedMechanism& named : test::moving_mechanisms()) {
    const test::DynamicCase c(named.mechanism);
    ReducedMotion reduced(c.model, test::all_unknowns(c.mechanism));
    ReducedPoint point = reduced.point_of(test::random_motion(c.model, 7, 0.7), 0.0);
    for (Index i = 0; i < point.theta.size(); ++i) point.theta[i] += 0.3 + 0.1 * static_cast<double>(i);
    ASSERT_EQ(reduced.solve(0.0, point, point), ReducedStatus::kSolved);
    ReducedTangent tangent = reduced.make_tangent();
    ASSERT_TRUE(reduced.differentiate(point, tangent));
    const Index f = reduced.num_freedoms();
    for (Index d = 0; d < reduced.num_directions(); ++d) {
      const auto difference = extrapolated_difference(
          [&](double h) -> std::optional<VectorXd> {
            ReducedPoint moved = point;
            (d < f ? moved.z[d] : d < 2 * f ? moved.z_dot[d - f] : moved.theta[d - 2 * f]) += h;
            if (reduced.solve(0.0, point, moved) != ReducedStatus::kSolved) return std::nullopt;
            return flat(moved);
          },
          d < f ? 4e-3 * reduced.length() : 1e-2);
      ASSERT_TRUE(difference.has_value()) << named.name;
      const VectorXd exact = flat_tangent(tangent, d);
      const double scale = std::max(1.0, exact.cwiseAbs().maxCoeff());
      EXPECT_LE((exact - difference->value).cwiseAbs().maxCoeff() / scale,
                std::max(1e-8, 20.0 * difference->error / scale))
          << named.name << ", direction " << d << " of " << f << " freedoms";
      EXPECT_LE(difference->error / scale, 1e-6) << named.name << ", direction " << d;
    }
  }
}

TEST(ReducedMotion, OtherCoordinatesTellTheSameMotion_AndTheirDerivativesFollow) {
  // The crank is 6 degrees behind the dead centre of the rocker, which is the input.
  std::string text = test::kPushedFourBar;
  text.replace(text.find("70 deg"), 6, "40 deg");
  text.replace(text.find("20 deg"), 6, "30 deg");
  text.replace(text.find("125 deg"), 7, "114 deg");
  const std::string inputs = "inputs: [B.q]\n";
  const test::DynamicCase c(test::mechanism_of_text(test::kPushedFourBar + inputs)),
      near_dead_centre(test::mechanism_of_text(text + inputs));
  ReducedMotion reduced(c.model, {});
  ASSERT_EQ(reduced.coordinate(0).name, "B.q");
  ReducedPoint point = reduced.point_of(test::random_motion(near_dead_centre.model, 3, 0.1), 0.0);
  ReducedTangent tangent = reduced.make_tangent();
  ASSERT_TRUE(reduced.differentiate(point, tangent));
  const ReducedPoint before = point;
  Eigen::MatrixXd T(2, 2);
  const double lever = reduced.leverage(point);
  ASSERT_TRUE(reduced.choose(point, tangent, T));
  EXPECT_LT(reduced.leverage(point), 0.5 * lever);
  EXPECT_LE(distance(point.bodies, before.bodies), 1e-10 * size(before.bodies));
  // A small change of the old coordinates is T times that of the new ones.
  ReducedTangent changed = reduced.make_tangent();
  ASSERT_TRUE(reduced.differentiate(point, changed));
  const Eigen::MatrixXd product = changed.q_x * T;
  EXPECT_LE((product - tangent.q_x).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LE((changed.v_x * T - tangent.v_x).cwiseAbs().maxCoeff(), 1e-9);
}

}  // namespace
}  // namespace eslabon::dynamics
