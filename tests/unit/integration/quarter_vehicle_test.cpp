// The quarter vehicle of [Seed002] on its tyre: rest, two manoeuvres, drift of the constraints, energy.
#include "tests/quarter_vehicle.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::integration {
namespace {

using coordinates::BodyMotion;
using coordinates::MechanismMotion;
using dynamics::Baumgarte;
using test::SimulatedCase;

// The numbers of models/quarter-vehicle.yaml once more, for what is computed here.
constexpr double kGravity = 9.81, kStiffness = 4000.0, kDamping = 160.0;
constexpr double kLoad = 245.25, kTyreStiffness = 40e3, kTyreDamping = 50.0;
constexpr double kStartLimit = -0.06 + kLoad / kTyreStiffness;  // of the wheel's centre [m]
constexpr double kBump = 0.02, kBumpStart = 1.0, kPassing = 0.3;

/// ((1 − cos φ)/2)² of the height, φ from 0 to 2π while the bump passes, and its rate.
double bump_height(double t) {
  if (t <= kBumpStart || t >= kBumpStart + kPassing) return 0.0;
  return kBump * std::pow(std::sin(std::numbers::pi * (t - kBumpStart) / kPassing), 4);
}
double bump_rate(double t) {
  if (t <= kBumpStart || t >= kBumpStart + kPassing) return 0.0;
  const double w = std::numbers::pi / kPassing, phi = w * (t - kBumpStart);
  return kBump * 4.0 * w * std::pow(std::sin(phi), 3) * std::cos(phi);
}

TEST(QuarterVehicle, StandsStill_WithoutManoeuvre) {
  // Also where other numbers move the equilibrium: the free length of the spring follows.
  for (const std::vector<std::string>& settings : {std::vector<std::string>{},
                                                   {"vehicle_mass=130 kg", "zW=-80 mm"},
                                                   {"stiffness=6000 N/m", "yK=370 mm"}}) {
    const model::Mechanism mechanism = test::quarter_vehicle(settings);
    SimulatedCase run(mechanism, test::kVehicleRun, test::by_multipliers("dopri5", 1e-10, std::nullopt));
    const MechanismMotion start = run.bodies;
    for (const BodyMotion& body : start) {
      EXPECT_LE(body.a_WB_W.norm(), 1e-9);
      EXPECT_LE(body.alpha_WB_W.norm(), 1e-9);
    }
    ASSERT_TRUE(run.advance_to(test::kVehicleRun));
    EXPECT_LE(test::largest_distance({start}, {run.bodies}), 1e-9);
  }
}

TEST(QuarterVehicle, RoadHasASmoothBump) {
  const model::Mechanism mechanism = test::quarter_vehicle({"bump=20 mm"});
  const model::TimeFunction& limit = *mechanism.stops().front().lower;
  for (int k = 0; k <= 5000; ++k)
    EXPECT_NEAR(limit.evaluate(1e-3 * k), kStartLimit + bump_height(1e-3 * k), 1e-15);
  // Its slope has no kink where it begins and ends: the second derivative is continuous.
  const double h = 1e-4;
  for (const double t : {kBumpStart, kBumpStart + kPassing})
    EXPECT_LE(std::abs(limit.evaluate(t + h) - 2.0 * limit.evaluate(t) + limit.evaluate(t - h)) / (h * h),
              1e-3);
}

class QuarterVehicleIn : public testing::TestWithParam<std::string> {};

TEST_P(QuarterVehicleIn, MovesInTheSameWayStabilisedAndSemiRecursive) {
  const model::Mechanism mechanism = test::quarter_vehicle({GetParam()});
  const std::vector<double> times = test::vehicle_times();
  const std::vector<MechanismMotion> judge = test::motions(mechanism, test::by_semi_recursion(1e-10), times);
  EXPECT_GE(test::largest_travel(judge), 0.019);
  const double difference =
      test::largest_distance(test::motions(mechanism, test::by_multipliers_stabilised(1e-10), times), judge);
  RecordProperty("largest_difference", core::number_text(difference));
  EXPECT_LE(difference, test::tolerance_scale() * 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Manoeuvres, QuarterVehicleIn, testing::Values("drop=30 mm", "bump=20 mm"),
                         [](const auto& setting) { return test::test_name(setting.param); });

/// Where the wheel's centre is when all is at rest: the four-bar in its plane, by circles, and the least energy of weights, spring and
/// tyre.
class RestingPlace {
 public:
  explicit RestingPlace(double drop, double free_length) : limit_(kStartLimit - drop), free_(free_length) {}

  Eigen::Vector2d wheel() const {
    double low = -0.4, high = 0.4;  // of the lower arm [rad]
    for (int i = 0; i < 50; ++i) {
      const double middle = 0.5 * (low + high);
      (slope(middle) > 0.0 ? high : low) = middle;
    }
    return place(0.5 * (low + high), {0.45, -0.06});
  }

 private:
  using Point = Eigen::Vector2d;  // (y, z)

  static Point turned(const Point& p, double angle) {
    return {std::cos(angle) * p.x() - std::sin(angle) * p.y(),
            std::sin(angle) * p.x() + std::cos(angle) * p.y()};
  }
  struct Position {
    Point B, C;
    double knuckle;  ///< by how much it has turned [rad]
  };
  static Position position(double angle) {
    const Point A(0.15, -0.1), B0(0.4, -0.15), C0(0.38, 0.05), D(0.18, 0.06);
    const Point B = A + turned(B0 - A, angle);
    // C on the circles around B and D, on the outer side.
    const double r = (C0 - B0).norm(), s = (C0 - D).norm(), d = (D - B).norm();
    const double along = (r * r - s * s + d * d) / (2.0 * d);
    const Point u = (D - B) / d, n(u.y(), -u.x());
    const double aside = std::sqrt(r * r - along * along);
    const Point C = B + along * u + (n.x() > 0.0 ? 1.0 : -1.0) * aside * n;
    const Point before = C0 - B0, now = C - B;
    return {B, C, std::atan2(before.x() * now.y() - before.y() * now.x(), before.dot(now))};
  }
  /// Of a point of the knuckle that starts at `start`.
  static Point place(double angle, const Point& start) {
    const Position at = position(angle);
    return at.B + turned(start - Point(0.4, -0.15), at.knuckle);
  }
  double energy(double angle) const {
    const Point A(0.15, -0.1), D(0.18, 0.06), T(0.39, 0.24);
    const Position at = position(angle);
    const Point wheel = place(angle, {0.45, -0.06});
    const double stretch = (T - place(angle, {0.39, 0.1})).norm() - free_;
    const double depth = std::max(0.0, limit_ - wheel.y());
    return kGravity * (1.2 * 0.5 * (A + at.B).y() + 2.0 * place(angle, {0.4, -0.05}).y() +
                       0.8 * 0.5 * (at.C + D).y() + 4.0 * wheel.y()) +
           0.5 * kStiffness * stretch * stretch + 0.5 * kTyreStiffness * depth * depth;
  }
  double slope(double angle) const {
    const double h = 1e-5;
    return (energy(angle + h) - energy(angle - h)) / (2.0 * h);
  }

  double limit_, free_;
};

TEST(QuarterVehicle, ComesToRestWhereTheEnergyIsLeast_AfterADrop) {
  for (const double drop : {0.0, 0.03}) {
    const model::Mechanism mechanism = test::quarter_vehicle({"drop=" + std::to_string(drop)});
    SimulatedCase run(mechanism, test::kVehicleRun, test::by_semi_recursion(1e-10));
    ASSERT_TRUE(run.advance_to(test::kVehicleRun));
    const Eigen::Vector2d rest = RestingPlace(drop, mechanism.springs().front().free_length).wheel();
    EXPECT_NEAR(run.value("wheel.W.y"), rest.x(), 1e-8);
    EXPECT_NEAR(run.value("wheel.W.z"), rest.y(), 1e-8);
  }
}

/// The third equation of joint A, what keeps it from moving along z [m]: Φ₃ of [Seed002, figure 25].
class ThirdRow {
 public:
  explicit ThirdRow(const test::DynamicCase& c) : system_("reference-point", c.mechanism, c.structure, {}) {
    for (int r = 0; r < system_.num_rows(); ++r) {
      const auto* joint = std::get_if<model::JointIndex>(&system_.label(r).source);
      if (joint == nullptr || c.mechanism.joint(*joint).name != "A" || !system_.row_is_length(r)) continue;
      const std::string& label = system_.label(r).direction;
      const Eigen::Vector3d axis =
          c.mechanism.joint(*joint).ends[0].X_BF.R_AB.matrix().col(label.back() - 'x');
      if (std::abs(axis.z()) > 0.9) row_ = r;
    }
  }
  double operator()(const dynamics::State& state) {
    system_.evaluate_positions(state.q, {}, level_);
    return level_.Phi[row_];
  }

 private:
  coordinates::ConstraintSystem system_;
  coordinates::PositionLevel level_;
  Eigen::Index row_ = -1;
};

/// Φ₃ at 1, 2 … 5 s, and the largest error of all equations there and of 500 instants [m].
struct Drift {
  std::array<double, 5> values = {}, errors = {};
  double largest = 0.0;
};
Drift drift(const std::string& integrator, std::optional<Baumgarte> baumgarte) {
  SimulatedCase run(test::quarter_vehicle({"drop=30 mm"}), test::kVehicleRun,
                    test::by_multipliers(integrator, 1e-8, baumgarte));
  ThirdRow third(run.c);
  Drift found;
  for (int k = 1; k <= 500; ++k) {
    EXPECT_TRUE(run.advance_to(0.01 * k));
    const double error = run.simulation.constraint_error();
    found.largest = std::max(found.largest, error);
    if (k % 100 != 0) continue;
    found.values[static_cast<std::size_t>(k / 100 - 1)] = third(run.simulation.point().state);
    found.errors[static_cast<std::size_t>(k / 100 - 1)] = error;
  }
  return found;
}

class QuarterVehicleBy : public testing::TestWithParam<std::string> {};

// At rest, from 2 s on, what the steps before have left in Φ goes on by itself: with Φ̈ = 0 on a straight line, with
// Φ̈ + 2 α Φ̇ + β² Φ = 0 by the slow one of two exponentials, exp(−(α − √(α² − β²)) t).
// In a second 200 steps round q: some √200 ε in Φ, taken as 16.
TEST_P(QuarterVehicleBy, DriftsUnlessItIsStabilised) {
  const double alpha = 50.0, beta = 0.5;
  const Drift free = drift(GetParam(), Baumgarte{}), held = drift(GetParam(), Baumgarte{alpha, beta}),
              projected = drift(GetParam(), std::nullopt);
  RecordProperty("unstabilised", core::number_text(free.largest));
  RecordProperty("stabilised", core::number_text(held.largest));
  RecordProperty("unstabilised_after_2_s", core::number_text(free.errors[1]));
  EXPECT_GE(free.errors[4], 2.0 * free.errors[1]);  // it grows
  EXPECT_GE(free.largest, 10.0 * held.largest);
  EXPECT_LE(projected.largest, test::roundoff(4.0, 1.0));
  const double speed = free.values[2] - free.values[1];
  const double decay = std::exp(-(alpha - std::sqrt(alpha * alpha - beta * beta)));
  for (std::size_t k = 3; k < 5; ++k) {
    EXPECT_NEAR(free.values[k] - free.values[k - 1], speed, 1e-3 * std::abs(speed));
    EXPECT_NEAR(held.values[k] / held.values[k - 1], decay,
                1e-3 * (1.0 - decay) + test::roundoff(16.0, 1.0) / std::abs(held.values[k]));
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, QuarterVehicleBy, testing::Values("bdf", "dopri5"),
                         [](const auto& name) { return test::test_name(name.param); });

/// Energy of bodies, weights, spring and tyre, and where it goes, from the motion of the bodies alone.
class EnergyBook {
 public:
  EnergyBook(double drop, bool has_bump, double free_length)
      : limit_(kStartLimit - drop), has_bump_(has_bump), free_(free_length) {}

  double energy(const SimulatedCase& run) const {
    // Mass and moment of inertia about x: boxes, a solid cylinder and a hollow one about a diameter. The leaf does not move.
    const auto box = [](double m, double y, double z) { return m * (y * y + z * z) / 12.0; };
    struct Part {
      const char* name;
      double m, I;
    };
    double sum = 0.0;
    for (const auto& [name, m, I] :
         {Part{"lower_arm", 1.2, box(1.2, 0.25, 0.02)}, Part{"knuckle", 2.0, box(2.0, 0.06, 0.26)},
          Part{"upper_arm", 0.8, box(0.8, 0.2, 0.02)},
          Part{"wheel", 2.5, 2.5 * (3.0 * 0.12 * 0.12 + 0.08 * 0.08) / 12.0},
          Part{"tyre", 1.5, 1.5 * (3.0 * (0.2 * 0.2 + 0.12 * 0.12) + 0.08 * 0.08) / 12.0}}) {
      const BodyMotion& body = run.bodies[std::get<model::BodyIndex>(*run.c.mechanism.find(name)).slot()];
      sum += 0.5 * m * body.v_WB_W.squaredNorm() + 0.5 * I * body.w_WB_W.squaredNorm() +
             m * kGravity * body.X_WB.p_AB_A.z();
    }
    const double stretch = run.value("spring.length") - free_, depth = std::max(0.0, depth_at(run));
    return sum + 0.5 * kStiffness * stretch * stretch + 0.5 * kTyreStiffness * depth * depth;
  }

  /// Adds what was lost in damper and tyre since the last call, and what the road did.
  void add(const SimulatedCase& run) {
    const Rates now = rates(run);
    if (before_) {
      const double dt = now.t - before_->t;
      lost_ += 0.5 * dt * (before_->damper + now.damper);
      // The tyre's force begins with a jump: the interval is cut where it touches the road or leaves it.
      const bool touched = before_->depth > 0.0, touches = now.depth > 0.0;
      const double part = touched && touches ? 1.0
                          : touched != touches
                              ? std::abs((touches ? now : *before_).depth / (now.depth - before_->depth))
                              : 0.0;
      const Rates& first = touched ? *before_ : now;
      const Rates& second = touches ? now : *before_;
      lost_ += 0.5 * dt * part * (first.tyre + second.tyre);
      road_ += 0.5 * dt * part * (first.road + second.road);
    }
    before_ = now;
  }
  double lost() const { return lost_; }
  double done_by_road() const { return road_; }

 private:
  struct Rates {
    double t = 0.0, depth = 0.0;
    double damper = 0.0, tyre = 0.0, road = 0.0;  ///< [W]; the last two while the tyre touches
  };

  double depth_at(const SimulatedCase& run) const {
    const double t = run.simulation.t();
    return limit_ + (has_bump_ ? bump_height(t) : 0.0) - run.value("wheel.W.z");
  }
  Rates rates(const SimulatedCase& run) const {
    const double t = run.simulation.t(), road_rate = has_bump_ ? bump_rate(t) : 0.0;
    Rates now{.t = t, .depth = depth_at(run)};
    const double rate = road_rate - run.value("wheel.W.vz");
    const double stored = kTyreStiffness * now.depth;
    const double push = std::max(0.0, stored + kTyreDamping * rate);
    now.damper = kDamping * run.value("shock.rate") * run.value("shock.rate");
    now.tyre = (push - stored) * rate;
    now.road = push * road_rate;
    return now;
  }

  double limit_;
  bool has_bump_;
  double free_;
  std::optional<Rates> before_;
  double lost_ = 0.0, road_ = 0.0;
};

// What damper and tyre turn into heat is what the vehicle loses, and what the road puts into it. The trapezoidal rule in steps of 0.1 ms
// sees 80 rad/s: (80·10⁻⁴)²/12 = 5·10⁻⁶ of a power at worst.
TEST_P(QuarterVehicleIn, LosesWhatDamperAndTyreTake) {
  const bool has_bump = GetParam().starts_with("bump");
  const model::Mechanism mechanism = test::quarter_vehicle({GetParam()});
  SimulatedCase run(mechanism, test::kVehicleRun, test::by_semi_recursion(1e-10));
  EnergyBook book(has_bump ? 0.0 : 0.03, has_bump, mechanism.springs().front().free_length);
  const double start = book.energy(run);
  book.add(run);
  for (int k = 1; k <= 30'000; ++k) {
    ASSERT_TRUE(run.advance_to(1e-4 * k));
    book.add(run);
    if (k % 5000 != 0) continue;
    const double left = start + book.done_by_road() - book.lost() - book.energy(run);
    EXPECT_LE(std::abs(left), test::tolerance_scale() * 1e-5 * (1.0 + book.lost())) << 1e-4 * k;
  }
  EXPECT_GE(book.lost(), 1.0);  // [J]
  EXPECT_EQ(book.done_by_road() > 1.0, has_bump);
}

}  // namespace
}  // namespace eslabon::integration
