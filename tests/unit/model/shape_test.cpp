#include "eslabon/model/elements/shape.hpp"

#include <cmath>
#include <functional>
#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace eslabon::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kMass = 2.7;

/// The three-point Gauss rule is exact for the polynomials of degree ≤ 5 that moments of inertia are made of.
template <class F>
double gauss(double from, double to, const F& f) {
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from), node = std::sqrt(0.6);
  return half * (5.0 * f(middle - half * node) + 8.0 * f(middle) + 5.0 * f(middle + half * node)) / 9.0;
}

/// The mean over a full turn of a trigonometric polynomial of degree ≤ 2 is exact with eight equal steps.
template <class F>
double turn(const F& f) {
  double sum = 0.0;
  for (int k = 0; k < 8; ++k) sum += f(2.0 * std::numbers::pi * k / 8.0);
  return 2.0 * std::numbers::pi * sum / 8.0;
}

/// An integral over the material points p of a body, weighted by volume (area, length).
using Integral = std::function<double(const std::function<double(const Vector3d&)>&)>;

/// Mass, centre and inertia by integration alone: no closed form enters.
MassProperties integrate(const Integral& integral) {
  const double density = kMass / integral([](const Vector3d&) { return 1.0; });
  MassProperties result{.mass = kMass};
  for (int i = 0; i < 3; ++i)
    result.p_BC_B(i) = density / kMass * integral([&](const Vector3d& p) { return p(i); });
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      result.I_BC_B(i, j) = density * integral([&](const Vector3d& p) {
                              const Vector3d r = p - result.p_BC_B;
                              return (i == j ? r.squaredNorm() : 0.0) - r(i) * r(j);
                            });
  return result;
}

void expect_near(const MassProperties& actual, const MassProperties& expected) {
  EXPECT_EQ(actual.mass, expected.mass);
  // A few hundred sums of roundoff.
  const double tolerance = 1e-13;
  EXPECT_LE((actual.p_BC_B - expected.p_BC_B).norm(), tolerance * (1.0 + expected.p_BC_B.norm()));
  EXPECT_LE((actual.I_BC_B - expected.I_BC_B).norm(), tolerance * expected.I_BC_B.norm())
      << actual.I_BC_B << "\n\n"
      << expected.I_BC_B;
}

/// Unit vectors u, v, w with w along the axis, found without the library's frames.
Matrix3d axes_about(const Vector3d& axis) {
  return Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis).toRotationMatrix();
}

const Vector3d kNone = Vector3d::Zero(), kCentre(0.3, -0.2, 0.5), kAxis(1.0, 2.0, -2.0);

TEST(UniformMassProperties, OfABar_AreThoseOfItsIntegral) {
  const Vector3d from(0.1, 0.2, 0.3), to(1.3, -0.4, 0.9);
  expect_near(uniform_mass_properties(Bar{"A", "B"}, kMass, from, to), integrate([&](const auto& f) {
                return gauss(0.0, 1.0, [&](double s) { return f(from + s * (to - from)); });
              }));
}

/// ∫ over a disc of radius r about `centre`, in the plane of the first two columns of `axes`.
double over_disc(const Vector3d& centre, double r, const Matrix3d& axes,
                 const std::function<double(const Vector3d&)>& f) {
  return gauss(0.0, r, [&](double s) {
    return s *
           turn([&](double a) { return f(centre + axes * Vector3d(s * std::cos(a), s * std::sin(a), 0.0)); });
  });
}

TEST(UniformMassProperties, OfADisc_AreThoseOfItsIntegral) {
  expect_near(uniform_mass_properties(Disc{0.7, kCentre, kAxis}, kMass, kNone, kNone),
              integrate([&](const auto& f) { return over_disc(kCentre, 0.7, axes_about(kAxis), f); }));
}

TEST(UniformMassProperties, OfABox_AreThoseOfItsIntegral) {
  const Vector3d h = 0.5 * Vector3d(0.4, 0.9, 1.6);
  expect_near(uniform_mass_properties(Box{2.0 * h, kCentre}, kMass, kNone, kNone),
              integrate([&](const auto& f) {
                return gauss(-h.x(), h.x(), [&](double x) {
                  return gauss(-h.y(), h.y(), [&](double y) {
                    return gauss(-h.z(), h.z(), [&](double z) { return f(kCentre + Vector3d(x, y, z)); });
                  });
                });
              }));
}

TEST(UniformMassProperties, OfACylinder_AreThoseOfItsIntegral) {
  const Matrix3d axes = axes_about(kAxis);
  expect_near(uniform_mass_properties(Cylinder{0.35, 1.4, kCentre, kAxis}, kMass, kNone, kNone),
              integrate([&](const auto& f) {
                return gauss(-0.7, 0.7,
                             [&](double z) { return over_disc(kCentre + z * axes.col(2), 0.35, axes, f); });
              }));
}

TEST(UniformMassProperties, OfABall_AreThoseOfItsIntegral) {
  const double r = 0.6;
  // Discs of radius sqrt(r² − z²): their integrals are polynomials in z of degree ≤ 4.
  expect_near(uniform_mass_properties(Sphere{r, kCentre}, kMass, kNone, kNone), integrate([&](const auto& f) {
                return gauss(-r, r, [&](double z) {
                  return over_disc(kCentre + Vector3d(0, 0, z), std::sqrt(r * r - z * z),
                                   Matrix3d::Identity(), f);
                });
              }));
}

TEST(Volume, IsTheIntegralOfOne_ForSolids) {
  using std::numbers::pi;
  EXPECT_DOUBLE_EQ(*volume(Box{{0.5, 2.0, 3.0}}), 3.0);
  EXPECT_DOUBLE_EQ(*volume(Cylinder{0.5, 2.0}), 0.5 * pi);
  EXPECT_DOUBLE_EQ(*volume(Sphere{1.5}), 4.5 * pi);
}

TEST(Volume, IsNothing_ForThinShapes) {
  EXPECT_FALSE(volume(Bar{"A", "B"}));
  EXPECT_FALSE(volume(Disc{1.0}));
  EXPECT_FALSE(volume(Box{{1.0, 1.0, 0.0}}));
}

TEST(Shape, HasTheWordOfFiles) {
  EXPECT_EQ(name(Shape(Bar{})), "bar");
  EXPECT_EQ(name(Shape(Disc{})), "disc");
  EXPECT_EQ(name(Shape(Box{})), "box");
  EXPECT_EQ(name(Shape(Cylinder{})), "cylinder");
  EXPECT_EQ(name(Shape(Sphere{})), "sphere");
}

}  // namespace
}  // namespace eslabon::model
