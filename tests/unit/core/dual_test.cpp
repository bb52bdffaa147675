#include "eslabon/core/scalar/dual.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tests/tolerances.hpp"
#include <Eigen/LU>
#include <gtest/gtest.h>

namespace eslabon::core {
namespace {

using D1 = Dual<double>;
using D2 = Dual<Dual<double>>;

/// A function of one variable, with its first two derivatives from a table of derivatives.
struct Case {
  std::string name;
  double x;
  std::function<D2(const D2&)> f;
  std::function<double(double)> f_double;
  double first, second;
};

D2 variable(double x) { return D2(D1(x, 1.0), D1(1.0, 0.0)); }

// The states have no convenient zeros; the derivatives are written out by hand.
std::vector<Case> cases() {
  const double x = 0.37, y = 1.9;
  const double c = std::cos(x), s = std::sin(x), t = std::tan(x), root = std::sqrt(1 - x * x);
  const double q = x * x + y * y, h = std::sqrt(q);
  using std::log, std::pow, std::exp, std::sqrt;
  return {
      {"sin", x, [](const D2& a) { return sin(a); }, [](double a) { return std::sin(a); }, c, -s},
      {"cos", x, [](const D2& a) { return cos(a); }, [](double a) { return std::cos(a); }, -s, -c},
      {"tan", x, [](const D2& a) { return tan(a); }, [](double a) { return std::tan(a); }, 1 / (c * c),
       2 * t / (c * c)},
      {"asin", x, [](const D2& a) { return asin(a); }, [](double a) { return std::asin(a); }, 1 / root,
       x / pow(root, 3)},
      {"acos", x, [](const D2& a) { return acos(a); }, [](double a) { return std::acos(a); }, -1 / root,
       -x / pow(root, 3)},
      {"atan", x, [](const D2& a) { return atan(a); }, [](double a) { return std::atan(a); }, 1 / (1 + x * x),
       -2 * x / pow(1 + x * x, 2)},
      {"sqrt", x, [](const D2& a) { return sqrt(a); }, [](double a) { return std::sqrt(a); }, 0.5 / sqrt(x),
       -0.25 / pow(x, 1.5)},
      {"exp", x, [](const D2& a) { return exp(a); }, [](double a) { return std::exp(a); }, exp(x), exp(x)},
      {"log", x, [](const D2& a) { return log(a); }, [](double a) { return std::log(a); }, 1 / x,
       -1 / (x * x)},
      {"pow whole", -x, [](const D2& a) { return pow(a, 5); }, [](double a) { return std::pow(a, 5); },
       5 * pow(x, 4), -20 * pow(x, 3)},
      {"pow negative whole", -x, [](const D2& a) { return pow(a, -2); }, [](double a) { return 1 / (a * a); },
       2 / pow(x, 3), 6 / pow(x, 4)},
      {"pow constant", x, [](const D2& a) { return pow(a, 2.3); }, [](double a) { return std::pow(a, 2.3); },
       2.3 * pow(x, 1.3), 2.99 * pow(x, 0.3)},
      {"pow of constant", x, [](const D2& a) { return pow(1.7, a); },
       [](double a) { return std::pow(1.7, a); }, log(1.7) * pow(1.7, x), pow(log(1.7), 2) * pow(1.7, x)},
      {"x to the x", x, [](const D2& a) { return pow(a, a); }, [](double a) { return std::pow(a, a); },
       pow(x, x) * (log(x) + 1), pow(x, x) * (pow(log(x) + 1, 2) + 1 / x)},
      {"abs of negative", -x, [](const D2& a) { return abs(a * a * a); },
       [](double a) { return std::abs(a * a * a); }, -3 * x * x, 6 * x},
      {"atan2 over", x, [](const D2& a) { return atan2(a, -1.9); },
       [](double a) { return std::atan2(a, -1.9); }, -y / q, 2 * x * y / (q * q)},
      {"atan2 under", x, [](const D2& a) { return atan2(-1.9, a); },
       [](double a) { return std::atan2(-1.9, a); }, y / q, -2 * x * y / (q * q)},
      {"hypot", x, [](const D2& a) { return hypot(a, 1.9); }, [](double a) { return std::hypot(a, 1.9); },
       x / h, y * y / pow(h, 3)},
      {"quotient", x, [](const D2& a) { return (2 * a - 1) / (a * a + 3.0); },
       [](double a) { return (2 * a - 1) / (a * a + 3.0); },
       (2 * (x * x + 3) - (2 * x - 1) * 2 * x) / pow(x * x + 3, 2),
       // f = u/v:  f″ = (u″ − 2 f′ v′ − f v″)/v
       (-2 * (2 * (x * x + 3) - (2 * x - 1) * 2 * x) / pow(x * x + 3, 2) * 2 * x -
        (2 * x - 1) / (x * x + 3) * 2) /
           (x * x + 3)},
      {"constant over", x, [](const D2& a) { return 3 / a - 2.0 / (1 - a) + a / 4 - (a - 5); },
       [](double a) { return 3 / a - 2.0 / (1 - a) + a / 4 - (a - 5); },
       -3 / (x * x) - 2 / pow(1 - x, 2) + 0.25 - 1, 6 / pow(x, 3) - 4 / pow(1 - x, 3)},
  };
}

TEST(Dual, FirstAndSecondDerivativesMatchTheTableOfDerivatives) {
  for (const Case& k : cases()) {
    const D2 f = k.f(variable(k.x));
    const double size = 1 + std::abs(k.first) + std::abs(k.second);
    EXPECT_LE(std::abs(f.value.value - k.f_double(k.x)), test::roundoff(8, 1 + std::abs(k.f_double(k.x))))
        << k.name;
    EXPECT_LE(std::abs(f.value.derivative - k.first), test::roundoff(32, size)) << k.name;
    EXPECT_LE(std::abs(f.derivative.value - k.first), test::roundoff(32, size)) << k.name;
    EXPECT_LE(std::abs(f.derivative.derivative - k.second), test::roundoff(64, size)) << k.name;
  }
}

// Shares no code with Dual: the double function alone, at two neighbouring points.
TEST(Dual, FirstDerivativeMatchesTheCentralDifference) {
  const double h = test::central_step(1.0);
  for (const Case& k : cases()) {
    const double expected = (k.f_double(k.x + h) - k.f_double(k.x - h)) / (2.0 * h);
    // 1000 bounds |f‴| of every case at its x; the largest is that of x⁻² (≈ 430) and 1/x (≈ 960).
    EXPECT_LE(std::abs(k.f(variable(k.x)).value.derivative - expected), test::central_tolerance(h, 1000.0))
        << k.name;
  }
}

TEST(Dual, DerivativeOfAComposition_IsTheProductOfTheDerivatives) {
  const double x = 0.83;
  const D1 f = exp(sin(D1(x, 1.0) * D1(x, 1.0)));
  EXPECT_LE(std::abs(f.derivative - std::exp(std::sin(x * x)) * std::cos(x * x) * 2 * x),
            test::roundoff(16, 4.0));
}

TEST(Dual, MixedSecondDerivative_OfTwoVariables) {
  // f = x³ sin y:  ∂²f/∂x∂y = 3x² cos y. The inner direction is x, the outer y.
  const double x = 1.3, y = 0.6;
  const D2 f = pow(D2(D1(x, 1.0), D1(0.0)), 3) * sin(D2(D1(y, 0.0), D1(1.0)));
  EXPECT_LE(std::abs(f.derivative.derivative - 3 * x * x * std::cos(y)), test::roundoff(16, 5.0));
}

TEST(Dual, WholePowersAreGoodAtZero) {
  const D1 x(0.0, 1.0);
  EXPECT_EQ(pow(x, 0).derivative, 0.0);
  EXPECT_EQ(pow(x, 1).derivative, 1.0);
  EXPECT_EQ(pow(x, 2).derivative, 0.0);
  EXPECT_EQ(pow(x, 2.0).derivative, 0.0);
  EXPECT_EQ(pow(x, 0).value, 1.0);
}

TEST(Dual, OrderLooksAtTheValue_EqualityAtBothParts) {
  const D1 x(1.0, 5.0), y(1.0, -2.0), z(1.5, 0.0);
  EXPECT_TRUE(x < z && x <= y && x >= y && z > 1.25);
  EXPECT_FALSE(x < y || x > y);
  EXPECT_FALSE(x == y);
  EXPECT_TRUE(x != 1.0);
  EXPECT_TRUE(z == 1.5);
}

TEST(Dual, SelectLessTakesValueAndDerivativeOfOneSide_EvenBesideNan) {
  const D1 nan(std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN());
  const D1 less = select_less(D1(1.0, 9.0), D1(2.0), D1(3.0, 4.0), nan);
  EXPECT_EQ(less.value, 3.0);
  EXPECT_EQ(less.derivative, 4.0);
  const D1 equal = select_less(D1(2.0), D1(2.0, 9.0), nan, D1(5.0, 6.0));
  EXPECT_EQ(equal.value, 5.0);
  EXPECT_EQ(equal.derivative, 6.0);
}

TEST(DualInEigen, ProductWithADoubleMatrix_IsLinearInTheDerivative) {
  Eigen::Matrix3d A;
  A << 1.5, -0.3, 2.2, 0.7, 1.1, -1.9, 3.1, 0.2, 0.4;
  const Eigen::Vector3d b(0.3, -1.2, 2.5), b_dot(1.7, 0.6, -0.8);
  Eigen::Matrix<D1, 3, 1> x;
  for (int i = 0; i < 3; ++i) x(i) = D1(b(i), b_dot(i));
  const Eigen::Matrix<D1, 3, 1> y = A * x + 2.0 * x - x * 0.5 + b;
  const Eigen::Vector3d y_dot = A * b_dot + 1.5 * b_dot;
  for (int i = 0; i < 3; ++i) EXPECT_LE(std::abs(y(i).derivative - y_dot(i)), test::roundoff(16, 20.0));
  const Eigen::Matrix<D1, Eigen::Dynamic, 1> y_dynamic =
      Eigen::MatrixXd(A) * Eigen::Matrix<D1, Eigen::Dynamic, 1>(x);
  EXPECT_LE(std::abs(y_dynamic(1).derivative - A.row(1).dot(b_dot)), test::roundoff(16, 20.0));
}

// A x = b gives  A' x + A x' = b',  solved here in doubles.
TEST(DualInEigen, SolutionOfALinearSystem_HasTheImplicitDerivative) {
  Eigen::Matrix3d A, A_dot;
  Eigen::Vector3d b, b_dot;
  Eigen::Matrix<D1, 3, 3> A_dual;
  Eigen::Matrix<D1, 3, 1> b_dual;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      A(i, j) = std::sin(1.0 + i * 3.1 + j * 1.7) + (i == j ? 3.0 : 0.0);
      A_dot(i, j) = std::cos(0.4 + i * 2.3 - j * 1.1);
      A_dual(i, j) = D1(A(i, j), A_dot(i, j));
    }
    b(i) = std::cos(2.0 * i + 0.3);
    b_dot(i) = 1.0 / (i + 1.3);
    b_dual(i) = D1(b(i), b_dot(i));
  }
  const Eigen::Vector3d x = A.partialPivLu().solve(b);
  const Eigen::Vector3d x_dot = A.partialPivLu().solve(b_dot - A_dot * x);
  const Eigen::Matrix<D1, 3, 1> x_dual = A_dual.partialPivLu().solve(b_dual);
  for (int i = 0; i < 3; ++i) {
    EXPECT_LE(std::abs(x_dual(i).value - x(i)), x.norm() * test::solve_tolerance(A));
    EXPECT_LE(std::abs(x_dual(i).derivative - x_dot(i)), x_dot.norm() * test::solve_tolerance(A));
  }
}

// Eigen 3.4 skips entries of a right-hand side that "are zero"; a zero with a derivative must not be one.
TEST(DualInEigen, TriangularSolve_KeepsTheDerivativeOfAZeroRightHandSide) {
  Eigen::Matrix<D1, Eigen::Dynamic, Eigen::Dynamic> L(2, 2);
  L << D1(4.0), D1(0.0), D1(2.0), D1(5.0);
  Eigen::Matrix<D1, Eigen::Dynamic, 1> b(2);
  b << D1(0.0, 1.0), D1(10.0, 0.0);
  const Eigen::Matrix<D1, Eigen::Dynamic, 1> x = L.triangularView<Eigen::Lower>().solve(b);
  EXPECT_EQ(x(0).value, 0.0);
  EXPECT_EQ(x(0).derivative, 0.25);
  EXPECT_EQ(x(1).value, 2.0);
  EXPECT_LE(std::abs(x(1).derivative + 0.1), test::roundoff(4, 0.1));
}

}  // namespace
}  // namespace eslabon::core
