#include "eslabon/core/geometry/rotation.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/sentence_of.hpp"
#include "tests/tolerances.hpp"
#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"

namespace eslabon::core {
namespace {

using ::testing::HasSubstr;
using D1 = Dual<double>;
using D2 = Dual<Dual<double>>;
using std::numbers::pi;

const Eigen::Vector3d kAxis = Eigen::Vector3d(0.6, -1.1, 0.8).normalized();

std::vector<Eigen::Vector3d> axes() {
  std::vector<Eigen::Vector3d> list{kAxis,      {1, 0, 0},  {0, 1, 0}, {0, 0, 1},
                                    {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  Rng rng(31);
  for (int k = 0; k < 20; ++k) {
    list.push_back(Eigen::Vector3d(rng.normal(), rng.normal(), rng.normal()).normalized());
  }
  return list;
}

const std::vector<double> kAngles{0.0,  1e-300, 1e-16,  1e-9, 1e-5, 0.01, 0.3,       0.4899,
                                  0.49, 0.9,    1.0001, 1.7,  2.5,  3.0,  pi - 1e-5, pi - 1e-9};

/// exp(r̃) by its own power series, scaled and squared: shares nothing with Rodrigues' formula.
Eigen::Matrix3d exponential(const Eigen::Vector3d& r) {
  const int squarings = 8;
  const Eigen::Matrix3d X = skew(r) / 256.0;
  Eigen::Matrix3d sum = Eigen::Matrix3d::Identity(), term = sum;
  for (int k = 1; k <= 14; ++k) {
    term = term * X / k;
    sum += term;
  }
  for (int k = 0; k < squarings; ++k) sum = sum * sum;
  return sum;
}

TEST(Rotation, StartsAligned) { EXPECT_EQ(Rotation<double>().matrix(), Eigen::Matrix3d::Identity()); }

TEST(Rotation, EveryFactoryGivesAProperRotation) {
  for (const Eigen::Vector3d& u : axes()) {
    for (double angle : kAngles) {
      Vector4<double> e;
      e << std::cos(angle / 2), std::sin(angle / 2) * u;
      for (const auto& R :
           {Rotation<double>::from_axis_angle(u, angle), Rotation<double>::from_euler_parameters(e),
            Rotation<double>::from_rotation_vector(angle * u), Rotation<double>::about_z(angle)}) {
        const Eigen::Matrix3d& M = R.matrix();
        EXPECT_LE((M.transpose() * M - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff(),
                  test::roundoff(16, 1));
        EXPECT_LE(std::abs(M.determinant() - 1.0), test::roundoff(16, 1));
      }
    }
  }
}

TEST(RotationExp, MatchesThePowerSeriesOfTheMatrixExponential) {
  for (const Eigen::Vector3d& u : axes()) {
    for (double angle : {1e-5, 0.3, 0.999, 1.001, 2.9, 6.0, 11.0}) {
      const Eigen::Matrix3d R = Rotation<double>::from_rotation_vector(angle * u).matrix();
      // eight squarings double the error of the series each time
      EXPECT_LE((R - exponential(angle * u)).norm(), test::roundoff(1024, 1)) << angle;
    }
  }
}

TEST(Rotation, FactoriesAgreeWithEachOtherAndWithEigen) {
  for (const Eigen::Vector3d& u : axes()) {
    for (double angle : kAngles) {
      const Eigen::Matrix3d expected = Eigen::AngleAxisd(angle, u).toRotationMatrix();
      Vector4<double> e;
      e << std::cos(angle / 2), std::sin(angle / 2) * u;
      const double tolerance = test::roundoff(16, 1);
      EXPECT_LE((Rotation<double>::from_axis_angle(u, angle).matrix() - expected).norm(), tolerance);
      EXPECT_LE((Rotation<double>::from_euler_parameters(e).matrix() - expected).norm(), tolerance);
      EXPECT_LE((Rotation<double>::from_rotation_vector(angle * u).matrix() - expected).norm(), tolerance);
    }
  }
}

TEST(Rotation, AboutZTurnsXTowardsY) {
  const Eigen::Vector3d turned = Rotation<double>::about_z(0.3) * Vector3<double>(2, 0, 5);
  EXPECT_LE((turned - Eigen::Vector3d(2 * std::cos(0.3), 2 * std::sin(0.3), 5)).norm(), test::roundoff(4, 5));
}

TEST(ScaledRotationMatrix, IsTheSquareOfTheLengthTimesARotation) {
  const EulerParameters<double> e(0.8, -0.5, 1.3, 0.4);
  const Eigen::Matrix3d M = scaled_rotation_matrix(e);
  const Eigen::Matrix3d R = Rotation<double>::from_euler_parameters(e.normalized()).matrix();
  EXPECT_LE((M - e.squaredNorm() * R).norm(), test::roundoff(32, e.squaredNorm()));
}

// The four branches are the four components that may be largest; the axes and angles visit all.
TEST(EulerParameters, ComeBackFromTheMatrix_OnAllFourBranches) {
  int visits[4] = {};
  for (const Eigen::Vector3d& u : axes()) {
    for (double angle : kAngles) {
      EulerParameters<double> e;
      e << std::cos(angle / 2), std::sin(angle / 2) * u;
      const EulerParameters<double> back = Rotation<double>::from_euler_parameters(e).to_euler_parameters();
      Eigen::Index largest = 0;
      back.cwiseAbs().maxCoeff(&largest);
      ++visits[largest];
      EXPECT_GT(back(largest), 0.0);
      EXPECT_LE(std::min((back - e).norm(), (back + e).norm()), test::roundoff(16, 1))
          << angle << " about " << u;
    }
  }
  for (int k : visits) EXPECT_GT(k, 0);
}

// invariant: the Euler parameters of the matrix of e are ±e when all four are equal, where every branch ties.
TEST(EulerParameters, OfATieAreExact) {
  const EulerParameters<double> e(0.5, 0.5, 0.5, 0.5);
  EXPECT_EQ(Rotation<double>::from_euler_parameters(e).to_euler_parameters(), e);
}

TEST(RotationLog, IsTheInverseOfExp_FromZeroToNearlyPi) {
  for (const Eigen::Vector3d& u : axes()) {
    for (double angle : kAngles) {
      const Eigen::Vector3d r = angle * u;
      const Eigen::Vector3d back = Rotation<double>::from_rotation_vector(r).to_rotation_vector();
      EXPECT_LE((back - r).norm(), test::roundoff(32, std::min(1.0, angle) + angle * angle)) << angle;
    }
  }
}

TEST(RotationLog, OfAHalfTurnIsPiAboutTheAxis_InEitherSense) {
  for (const Eigen::Vector3d& u : axes()) {
    const Eigen::Vector3d r = Rotation<double>::from_axis_angle(u, pi).to_rotation_vector();
    EXPECT_LE(std::min((r - pi * u).norm(), (r + pi * u).norm()), test::roundoff(32, pi));
  }
}

TEST(RotationLog, BeyondPiGivesTheShorterWayRound) {
  for (double angle : {3.3, 5.0, 6.1}) {
    const Eigen::Vector3d r = Rotation<double>::from_axis_angle(kAxis, angle).to_rotation_vector();
    EXPECT_LE((r - (angle - 2 * pi) * kAxis).norm(), test::roundoff(32, angle));
  }
}

TEST(RotationLog, MatchesEigensAngleAndAxis) {
  for (double angle : {0.1, 0.8, 2.2, 3.1}) {
    const auto R = Rotation<double>::from_axis_angle(kAxis, angle);
    const Eigen::AngleAxisd expected(R.matrix());
    EXPECT_LE((R.to_rotation_vector() - expected.angle() * expected.axis()).norm(),
              test::roundoff(64, angle));
  }
}

/// log(exp(r + x d₁ + y d₂)) with x the inner and y the outer direction, at x = y = 0.
Vector3<D2> log_of_exp(const Eigen::Vector3d& r, const Eigen::Vector3d& d1, const Eigen::Vector3d& d2) {
  Vector3<D2> seeded;
  for (int i = 0; i < 3; ++i) seeded(i) = D2(D1(r(i), d1(i)), D1(d2(i), 0.0));
  return Rotation<D2>::from_rotation_vector(seeded).to_rotation_vector();
}

// log ∘ exp is the identity: its first derivative is the direction itself and its second is zero. Any wrong
// coefficient of a series or branch shows. The borders between series and closed form are among the angles.
TEST(RotationLog, OfExpHasExactFirstAndSecondDerivatives_AtZeroToo) {
  const Eigen::Vector3d d1(0.9, -0.4, 0.7), d2(-0.3, 1.2, 0.5);
  for (double angle : {0.0, 1e-12, 1e-4, 0.2, 0.4899, 0.49, 0.6, 0.999, 1.001, 2.0, 2.9}) {
    const Vector3<D2> log = log_of_exp(angle * kAxis, d1, d2);
    for (int i = 0; i < 3; ++i) {
      // Derivatives of the closed forms lose up to 1/θ³ of their digits; θ ≥ 0.49 there.
      EXPECT_LE(std::abs(log(i).value.derivative - d1(i)), test::roundoff(256, 1)) << angle;
      EXPECT_LE(std::abs(log(i).derivative.value - d2(i)), test::roundoff(256, 1)) << angle;
      EXPECT_LE(std::abs(log(i).derivative.derivative), test::roundoff(4096, 1)) << angle;
    }
  }
}

// analytic: exp(r̃) = I + r̃ + ½ r̃² + …, so at r = 0 the derivatives of R are the matrices d̃ and ½(d̃₁d̃₂ +
// d̃₂d̃₁).
TEST(RotationExp, HasTheDerivativesOfTheSeriesAtZero) {
  const Eigen::Vector3d d1(0.9, -0.4, 0.7), d2(-0.3, 1.2, 0.5);
  Vector3<D2> r;
  for (int i = 0; i < 3; ++i) r(i) = D2(D1(0.0, d1(i)), D1(d2(i), 0.0));
  const Matrix3<D2> R = Rotation<D2>::from_rotation_vector(r).matrix();
  const Eigen::Matrix3d second = 0.5 * (skew(d1) * skew(d2) + skew(d2) * skew(d1));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      EXPECT_EQ(R(i, j).value.derivative, skew(d1)(i, j));
      EXPECT_EQ(R(i, j).derivative.value, skew(d2)(i, j));
      EXPECT_LE(std::abs(R(i, j).derivative.derivative - second(i, j)), test::roundoff(8, 1));
    }
  }
}

TEST(RotationExp, DerivativeMatchesTheCentralDifference) {
  const Eigen::Vector3d d(0.9, -0.4, 0.7);
  const double h = test::central_step(1.0);
  for (double angle : {0.0, 0.7, 1.0, 2.4}) {
    const Eigen::Vector3d r = angle * kAxis;
    Vector3<D1> seeded;
    for (int i = 0; i < 3; ++i) seeded(i) = D1(r(i), d(i));
    const Matrix3<D1> R = Rotation<D1>::from_rotation_vector(seeded).matrix();
    const Eigen::Matrix3d expected = (Rotation<double>::from_rotation_vector(r + h * d).matrix() -
                                      Rotation<double>::from_rotation_vector(r - h * d).matrix()) /
                                     (2 * h);
    const Eigen::Matrix3d actual = R.unaryExpr([](const D1& x) { return x.derivative; });
    EXPECT_LE((actual - expected).cwiseAbs().maxCoeff(), test::central_tolerance(h, 8.0)) << angle;
  }
}

TEST(Rotation, ComposesInvertsAndTurnsVectorsLikeItsMatrix) {
  const auto R_AB = Rotation<double>::from_axis_angle(kAxis, 0.8);
  const auto R_BC = Rotation<double>::from_axis_angle(Eigen::Vector3d(2, 1, -1).normalized(), 1.9);
  const Vector3<double> a_C(0.3, -0.9, 1.4);
  EXPECT_LE(((R_AB * R_BC) * a_C - R_AB * (R_BC * a_C)).norm(), test::roundoff(16, a_C.norm()));
  EXPECT_LE((R_AB.inverse() * (R_AB * a_C) - a_C).norm(), test::roundoff(16, a_C.norm()));
  const auto R_CA = (R_AB * R_BC).inverse();
  EXPECT_LE((R_CA.matrix() - (R_BC.inverse() * R_AB.inverse()).matrix()).norm(), test::roundoff(16, 1));
}

TEST(RotationFromMatrix, AcceptsARotation) {
  const Eigen::Matrix3d M = Eigen::AngleAxisd(0.8, kAxis).toRotationMatrix();
  EXPECT_EQ(Rotation<double>::from_matrix(M).matrix(), M);
}

TEST(RotationFromMatrix, RefusesWhatIsNoRotation) {
  const Eigen::Matrix3d M = Eigen::Vector3d(1.0, 1.0, 1.5).asDiagonal();
  EXPECT_EQ(
      test::sentence_of<ContractError>([&] { static_cast<void>(Rotation<double>::from_matrix(M, 0.125)); }),
      "a matrix is not a rotation [Rotation::from_matrix]: expected max entry of |MᵀM - I| <= 0.125, got "
      "1.25. Make its columns orthogonal and of length 1.");
  const Eigen::Matrix3d mirror = Eigen::Vector3d(1.0, 1.0, -1.0).asDiagonal();
  EXPECT_THAT(
      test::sentence_of<ContractError>([&] { static_cast<void>(Rotation<double>::from_matrix(mirror)); }),
      HasSubstr("a matrix is a reflection, not a rotation"));
  const Eigen::Matrix3d nothing = Eigen::Matrix3d::Constant(std::nan(""));
  EXPECT_THROW(static_cast<void>(Rotation<double>::from_matrix(nothing)), ContractError);
}

TEST(Rotation, RefusesAnAxisOrEulerParametersOfAnotherLengthThanOne) {
  EXPECT_EQ(test::sentence_of<ContractError>([] {
              static_cast<void>(Rotation<double>::from_axis_angle({0, 2, 0}, 1.0));
            }),
            "an axis of rotation has no unit length [Rotation::from_axis_angle]: expected length 1, got 2. "
            "Divide it by its length first.");
  EXPECT_EQ(
      test::sentence_of<ContractError>([] {
        static_cast<void>(Rotation<double>::from_euler_parameters({0.5, 0, 0, 0}));
      }),
      "Euler parameters have no unit length [Rotation::from_euler_parameters]: expected length 1, got 0.5. "
      "Divide it by its length first.");
  EXPECT_THROW(static_cast<void>(Rotation<D1>::from_axis_angle({std::nan(""), 0, 0}, 1.0)), ContractError);
}

}  // namespace
}  // namespace eslabon::core
