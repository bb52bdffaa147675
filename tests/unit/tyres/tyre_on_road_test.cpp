// A tyre on a road: contact against geometry, slips against closed forms, derivatives against differences, traced numbers against plain ones.
#include "eslabon/tyres/tyre_on_road.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tests/unit/tyres/sample_tyres.hpp"
#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/tyres/tyre_bends.hpp"
#include "eslabon/tyres/vertical.hpp"

namespace eslabon::tyres {
namespace {

using core::Dual;
using core::Vector3;
using Eigen::Vector3d;

FittedTyre linear() {
  return {.model = PlainTyre{.radius = 0.3,
                             .stiffness = 2e5,
                             .damping = 300.0,
                             .relaxation_along = 0.4,
                             .relaxation_across = 0.5,
                             .curves = LinearTyre{.slip_coefficient = 25.0, .cornering_coefficient = 15.0}}};
}
FittedTyre fiala() {
  FittedTyre tyre = linear();
  std::get<PlainTyre>(tyre.model).curves =
      FialaTyre{.slip_stiffness = 9e4, .cornering_stiffness = 6e4, .friction = 0.9, .half_contact = 0.06};
  return tyre;
}
FittedTyre magic() { return {.model = test::tyre_61()}; }

/// A wheel above the place (x, y), on a road at z = 0 with this deflection, that rolls so fast with no slip but what is said.
WheelMotionOf<double> rolling(double deflection, double radius, double speed) {
  return {.center = {0.0, 0.0, radius - deflection},
          .axis = Vector3d::UnitY(),
          .velocity = {speed, 0.0, 0.0},
          .w = {0.0, speed / radius, 0.0}};
}

// analytic: the distance of the centre from a plane along the disc, whatever the wheel's camber and heading.
TEST(WheelContact, OfAPlaneIsWhereTheDiscMeetsIt) {
  const Road road{.height = 0.2, .slope_x = 0.3, .slope_y = -0.1, .bumps = {}, .relief = nullptr};
  const Vector3d n = Vector3d(-0.3, 0.1, 1.0).normalized();
  core::Rng rng(3);
  for (int k = 0; k < 50; ++k) {
    WheelMotionOf<double> wheel;
    wheel.center = Vector3d(20.0 * rng.normal(), 5.0 * rng.normal(), 0.0);
    wheel.center.z() = 0.2 + 0.3 * wheel.center.x() - 0.1 * wheel.center.y() + 0.28;
    wheel.axis = Vector3d(0.2 * rng.normal(), 1.0, 0.2 * rng.normal()).normalized();
    wheel.velocity = Vector3d(rng.normal(), rng.normal(), rng.normal());
    wheel.w = Vector3d(rng.normal(), 10.0, rng.normal());
    const WheelContactOf<double> at = wheel_contact(road, {0.3}, wheel);
    EXPECT_NEAR(at.point.z(), 0.2 + 0.3 * at.point.x() - 0.1 * at.point.y(), 1e-13);
    EXPECT_NEAR((at.point - wheel.center).dot(wheel.axis), 0.0, 1e-14);  // in the disc
    EXPECT_NEAR((at.point - wheel.center).dot(at.ahead), 0.0, 1e-14);    // straight below
    EXPECT_NEAR((at.normal - n).norm(), 0.0, 1e-14);
    EXPECT_NEAR(at.sin_camber, wheel.axis.dot(n), 1e-15);
    // The rate of r: of the same wheel a little later.
    const double h = 1e-6;
    const auto later = [&](double t) {
      WheelMotionOf<double> moved = wheel;
      moved.center += t * wheel.velocity;
      moved.axis = Eigen::AngleAxisd(t * wheel.w.norm(), wheel.w.normalized()) * wheel.axis;
      return wheel_contact(road, {0.3}, moved).radius;
    };
    EXPECT_NEAR(at.radius_rate, (later(h) - later(-h)) / (2.0 * h), 1e-7);
  }
}

// The foot of a sine: the nearest point of the road, found here by searching all of it.
TEST(WheelContact, OnABumpIsTheNearestPointOfTheRoad) {
  const Road road{.bumps = {{.name = "b", .begin = 1.0, .length = 1.0, .height = 0.05}}, .relief = nullptr};
  for (double x = 0.8; x < 2.2; x += 0.07) {
    const WheelMotionOf<double> wheel = [&] {
      WheelMotionOf<double> w = rolling(0.0, 0.3, 0.0);
      w.center = Vector3d(x, 0.0, road_at(road, x, 0.0).height + 0.29);
      return w;
    }();
    double best = 1.0;
    for (double s = x - 0.2; s < x + 0.2; s += 1e-5)
      best = std::min(best, std::hypot(s - x, road_at(road, s, 0.0).height - wheel.center.z()));
    EXPECT_NEAR(wheel_contact(road, {0.3}, wheel).radius, best, 1e-9) << x;
  }
}

// analytic: at a constant speed and slip κ' = κ∞ (1 − exp(−x/σ)), here by small steps of Euler's rule, in either direction.
TEST(TyreOnRoad, SlipBuildsUpOverTheRelaxationLength) {
  for (const double speed : {20.0, -20.0}) {
    const double R_e = 0.3 - 0.01 / 3.0;
    WheelMotionOf<double> wheel = rolling(0.01, 0.3, speed);
    wheel.w.y() = 1.02 * speed / R_e;
    FeltSlipOf<double> felt{0.0, 0.0};
    const double h = 1e-6;
    double x = 0.0;
    for (int k = 0; k < 40000; ++k) {
      const FeltSlipOf<double> rate = tyre_on_road(linear(), {}, wheel, felt).rate;
      felt.kappa += h * rate.kappa;
      x += h * std::abs(speed);
    }
    const double expected = (speed > 0.0 ? 0.02 : -0.02) * (1.0 - std::exp(-x / 0.4));
    EXPECT_NEAR(felt.kappa, expected, 1e-6);
    EXPECT_NEAR(tyre_on_road(linear(), {}, wheel, felt).forces.F_x, 25.0 * 2000.0 * expected, 0.1);
  }
}

// invariant: a tyre that stands is a spring: pushed by x it has slipped x/σ, and released it does not forget.
TEST(TyreOnRoad, StandsAsASpring) {
  WheelMotionOf<double> wheel = rolling(0.01, 0.3, 0.0);
  const FeltSlipOf<double> felt{-0.01, 0.004};
  const TyreActionOf<double> still = tyre_on_road(linear(), {}, wheel, felt);
  EXPECT_EQ(still.rate.kappa, 0.0);
  EXPECT_EQ(still.rate.tan_alpha, 0.0);
  EXPECT_NEAR(still.forces.F_x, -0.01 * 25.0 * 2000.0, 1e-9);
  wheel.velocity.x() = 1e-6;
  EXPECT_NEAR(tyre_on_road(linear(), {}, wheel, felt).rate.kappa, -1e-6 / 0.4, 1e-10);
}

// invariant: in the air there are no forces, and nothing that is not finite, with every model.
TEST(TyreOnRoad, DoesNothingInTheAir) {
  FittedTyre with_shifts = linear();
  std::get<PlainTyre>(with_shifts.model).curves =
      MagicFormula89{.a = {1.5, -20.0, 1000.0, 1500.0, 8.0, 0.01, -0.2, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 6.0},
                     .b = {1.6, -20.0, 1100.0, 20.0, 250.0, 0.07, 0.0, 0.0, 0.0, 0.0, 0.0},
                     .c = {2.2, -3.0, -2.0, -1.0, -6.0, 0.1}};
  for (const FittedTyre& tyre : {linear(), fiala(), magic(), with_shifts}) {
    WheelMotionOf<double> wheel = rolling(-0.2, unloaded_radius(tyre), 30.0);
    wheel.w.y() = 0.0;
    const TyreActionOf<double> action = tyre_on_road(tyre, {}, wheel, {0.5, -0.3});
    EXPECT_EQ(action.load, 0.0);
    EXPECT_NEAR(action.forces.F_x, 0.0, 1e-3);
    EXPECT_NEAR(action.forces.F_y, 0.0, 1e-3);
    EXPECT_TRUE(std::isfinite(action.rate.kappa));
    EXPECT_TRUE(std::isfinite(action.rate.tan_alpha));
  }
}

// invariant: a tyre that is pressed far beyond its file, at any camber and speed, has a load, and not more than without its own forces.
TEST(TyreOnRoad, HasALoadHoweverItIsPressed) {
  const FittedTyre tyre = magic();
  FittedTyre hard = tyre;
  std::get<MagicFormula>(hard.model).Q_FCX = std::get<MagicFormula>(hard.model).Q_FCY = 0.0;
  core::Rng rng(11);
  const auto between = [&](double a, double b) { return a + (b - a) * rng.uniform(); };
  for (int k = 0; k < 20000; ++k) {
    const double R = unloaded_radius(tyre), camber = between(-0.9, 0.9), speed = between(-60.0, 60.0);
    WheelMotionOf<double> wheel = rolling(0.0, R, speed);
    wheel.axis = {0.0, std::cos(camber), std::sin(camber)};
    wheel.center.z() = (R - between(-0.01, 0.2)) * std::cos(camber);
    wheel.velocity += Vector3d(0.0, between(-20.0, 20.0), between(-3.0, 3.0));
    wheel.w = wheel.axis * between(-250.0, 250.0);
    const FeltSlipOf<double> felt{between(-10.0, 10.0), between(-10.0, 10.0)};
    const TyreActionOf<double> action = tyre_on_road(tyre, {}, wheel, felt);
    ASSERT_GE(action.load, 0.0) << k;
    ASSERT_LE(action.load, tyre_on_road(hard, {}, wheel, felt).load) << k;
    ASSERT_TRUE(std::isfinite(action.forces.F_x) && std::isfinite(action.forces.F_y) &&
                std::isfinite(action.forces.M_z))
        << k;
  }
}

// invariant: a mirrored tyre in a mirrored motion is the mirror image, to roundoff.
TEST(TyreOnRoad, OnTheOtherSideIsTheMirrorImage) {
  FittedTyre left = magic(), right = magic();
  right.is_mirrored = true;
  WheelMotionOf<double> wheel = rolling(0.02, 0.33, 15.0), other = wheel;
  wheel.velocity = {15.0, 0.8, -0.1};
  wheel.axis = Vector3d(0.05, 1.0, 0.03).normalized();
  wheel.w = {0.3, 46.0, 0.2};
  other.velocity = {15.0, -0.8, -0.1};
  other.axis = Vector3d(-0.05, 1.0, -0.03).normalized();
  other.w = {-0.3, 46.0, -0.2};
  const auto a = tyre_on_road(left, {}, wheel, {0.02, 0.05}),
             b = tyre_on_road(right, {}, other, {0.02, -0.05});
  EXPECT_NEAR(a.forces.F_x, b.forces.F_x, 1e-9);
  EXPECT_NEAR(a.forces.F_y, -b.forces.F_y, 1e-9);
  EXPECT_NEAR(a.forces.M_x, -b.forces.M_x, 1e-10);
  EXPECT_NEAR(a.forces.M_z, -b.forces.M_z, 1e-10);
  EXPECT_NEAR(a.load, b.load, 1e-9);
}

// crosscheck: load and forces belong to each other. Here by bisection for F_z = load_at(F_x(F_z), F_y(F_z)), with the slips that the forces followed; also
// with far more softening than any file has.
TEST(TyreOnRoad, ForcesSoftenTheLoadThatTheyFollowFrom) {
  core::Rng rng(11);
  for (const double Q_FCY : {0.26033, 0.5}) {
    FittedTyre tyre = magic();
    MagicFormula& formula = std::get<MagicFormula>(tyre.model);
    formula.Q_FCX = 0.3;
    formula.Q_FCY = Q_FCY;
    double most = 0.0;
    for (int k = 0; k < 200; ++k) {
      const double speed = 10.0 + 20.0 * rng.uniform();
      const WheelMotionOf<double> wheel =
          rolling(0.005 + 0.03 * rng.uniform(), formula.UNLOADED_RADIUS, speed);
      const TyreActionOf<double> action =
          tyre_on_road(tyre, {}, wheel, {0.3 * rng.uniform() - 0.15, 0.4 * rng.uniform() - 0.2});
      const auto forces_at = [&](double F_z) {
        return magic_formula_forces<double>(
            formula, magic_curves<double>(formula, {F_z, action.gamma, formula.INFLPRES, 1.0}),
            {action.kappa, action.alpha, action.contact.v_x, action.contact.spin * action.effective_radius,
             1.0});
      };
      const auto load_of = [&](const TyreForces<double>& f) {
        return load_at<double>(formula, {action.contact.radius, action.gamma, formula.INFLPRES,
                                         action.contact.spin, f.F_x, f.F_y});
      };
      double low = 0.0, high = load_of({});
      for (int step = 0; step < 60; ++step) {
        const double middle = 0.5 * (low + high);
        (load_of(forces_at(middle)) > middle ? low : high) = middle;
      }
      const TyreForces<double> exact = forces_at(low);
      EXPECT_NEAR(action.load, low, 3e-4 * low);
      EXPECT_NEAR(action.forces.F_x, exact.F_x, 3e-4 * low);
      EXPECT_NEAR(action.forces.F_y, exact.F_y, 3e-4 * low);
      if (Q_FCY < 0.3) {
        EXPECT_NEAR(action.load, low, 1e-5 * low);
      }
      most = std::max(most, load_of({}) / low);
    }
    EXPECT_GT(most, 1.02);  // it is worth the trouble
  }
}

// invariant: where a bend passes zero the load bends, and nowhere else: second differences of the load along a fall through all of them.
TEST(TyreBends, AreWhereForcesBend) {
  const FittedTyre tyre = linear();
  const Road road{.bumps = {{.name = "b",
                             .shape = BumpShape::kTrapezoid,
                             .begin = 1.0,
                             .length = 1.0,
                             .height = 0.02,
                             .ramp = 0.3}},
                  .relief = nullptr,
                  .friction_right = 0.5};
  const std::size_t count = num_bends(road);
  const auto wheel_at = [&](double s) {  // rolls on and comes down, over to the other half
    WheelMotionOf<double> wheel = rolling(0.0, 0.3, 10.0);
    wheel.center = Vector3d(0.8 + s, 0.1 - 0.17 * s, 0.305 - 0.012 * s);
    wheel.velocity.z() = -1.2;
    return wheel;
  };
  const auto load = [&](double s) { return tyre_on_road(tyre, road, wheel_at(s), {0.01, 0.02}).load; };
  const auto friction = [&](double s) {
    return tyre_on_road(tyre, road, wheel_at(s), {0.01, 0.02}).contact.friction;
  };
  std::vector<double> before(count), now(count);
  find_bends(tyre, road, wheel_at(0.0), {}, before);
  const double h = 1e-4;
  int bends = 0;
  for (double s = 3.0 * h; s < 1.4; s += h) {
    find_bends(tyre, road, wheel_at(s), {}, now);
    bool passes = false;
    for (std::size_t k = 0; k < count; ++k) passes = passes || (before[k] > 0.0) != (now[k] > 0.0);
    const double bend = std::abs(load(s + h) - 2.0 * load(s - 0.5 * h) + load(s - 2.0 * h));
    const bool jumps = friction(s) != friction(s - h);
    bends += passes ? 1 : 0;
    std::vector<double> near(count);
    find_bends(tyre, road, wheel_at(s + 2.0 * h), {}, near);
    bool passes_soon = false;
    for (std::size_t k = 0; k < count; ++k) passes_soon = passes_soon || (now[k] > 0.0) != (near[k] > 0.0);
    find_bends(tyre, road, wheel_at(s - 3.0 * h), {}, near);
    for (std::size_t k = 0; k < count; ++k) passes_soon = passes_soon || (now[k] > 0.0) != (near[k] > 0.0);
    if (bend > 0.02 || jumps) {
      EXPECT_TRUE(passes_soon) << "a bend of " << bend << " N at " << s;
    }
    before = now;
  }
  EXPECT_GT(bends, 8);
  // What rests at zero does not pass it: a side that is kept is left 1e-9 of the radius beyond.
  std::vector<char> sides(count, 1);
  find_bends(tyre, road, wheel_at(0.0), {}, before);
  find_bends(tyre, road, wheel_at(0.0), sides, now);
  for (std::size_t k = 0; k < count; ++k) EXPECT_NEAR(now[k] - before[k], 3e-10, 1e-15);
}

/// Everything that a tyre's action depends on, as one list, and what it does.
template <class T>
std::vector<T> act(const FittedTyre& tyre, const Road& road, const std::array<T, 14>& x) {
  const auto vector = [&](std::size_t k) { return Vector3<T>(x[k], x[k + 1], x[k + 2]); };
  const Vector3<T> tilted = vector(3);
  const TyreActionOf<T> a =
      tyre_on_road<T>(tyre, road, {vector(0), tilted / tilted.norm(), vector(6), vector(9)}, {x[12], x[13]});
  return {a.forces.F_x, a.forces.F_y, a.load,       a.forces.M_x,
          a.forces.M_y, a.forces.M_z, a.rate.kappa, a.rate.tan_alpha};
}

// derivative: dual numbers against central differences, which see the roundoff of the load, with every model, on a plane and on a bump, slow, fast and backwards.
TEST(TyreOnRoad, DerivativesAreThoseOfDifferences) {
  const Road road{.slope_x = 0.1,
                  .bumps = {{.name = "b", .begin = -0.4, .length = 1.3, .height = 0.04}},
                  .relief = nullptr};
  core::Rng rng(7);
  for (const FittedTyre& tyre : {linear(), fiala(), magic()})
    for (int trial = 0; trial < 60; ++trial) {
      const double R = unloaded_radius(tyre),
                   speed = trial % 3 == 0 ? 1.0 + rng.uniform() : 30.0 * (rng.uniform() - 0.4);
      std::array<double, 14> x{};
      x[0] = 0.3 * rng.normal();
      x[2] = road_at(road, x[0], 0.0).height + R - 0.015;
      x[3] = 0.05 * rng.normal();
      x[4] = 1.0;
      x[5] = 0.05 * rng.normal();
      x[6] = speed;
      x[7] = 0.05 * speed * rng.normal();
      x[8] = 0.1 * rng.normal();
      x[10] = speed / R * (1.0 + 0.05 * rng.normal());
      x[11] = 0.1 * rng.normal();
      x[12] = 0.05 * rng.normal();
      x[13] = 0.05 * rng.normal();
      const std::vector<double> here = act(tyre, road, x);
      for (std::size_t d = 0; d < x.size(); ++d) {
        std::array<Dual<double>, 14> dual;
        for (std::size_t k = 0; k < x.size(); ++k) dual[k] = Dual<double>(x[k], k == d ? 1.0 : 0.0);
        const std::vector<Dual<double>> exact = act(tyre, road, dual);
        const double h = 1e-6;
        std::array<double, 14> ahead = x, behind = x;
        ahead[d] += h;
        behind[d] -= h;
        const std::vector<double> f1 = act(tyre, road, ahead), f0 = act(tyre, road, behind);
        for (std::size_t k = 0; k < here.size(); ++k) {
          EXPECT_NEAR(exact[k].value, here[k], 1e-9 * (1.0 + std::abs(here[k])));
          const double difference = (f1[k] - f0[k]) / (2.0 * h),
                       size = 20.0 + std::abs(difference) + std::abs(here[k]) / 0.01;
          EXPECT_NEAR(exact[k].derivative, difference, 2e-6 * size)
              << "model " << tyre.model.index() << ", trial " << trial << ", number " << k << " by " << d;
        }
      }
    }
}

}  // namespace
}  // namespace eslabon::tyres
