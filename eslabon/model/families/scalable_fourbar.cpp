#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include <Eigen/Core>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/model/families/family_entry.hpp"
#include "eslabon/model/mechanism_builder.hpp"

// The scalable four-bar of [Seed001, §3.2.1, Cuadros 3.1 and 3.2]: a crank and k dyads in a row, each of a
// coupler and a rocker. k = 1 is the ordinary four-bar; every dyad adds two bodies and two loop equations,
// which is what makes it a yardstick for kinematic methods.
//
//        B_1      C_1      C_2      C_k
//         o--------o--------o--  …  --o            couplers 1 … k
//        /          \        \         \           crank, rockers 1 … k
//    A  o        D_1 o    D_2 o     D_k o          fixed pivots at (6 i, 0)
//
// The bars' lengths are the listing's unless they are given; masses are ours, because the source treats motion only.
namespace eslabon::model::detail {

namespace {

constexpr double kCrank = 2.0;  // "2 0" of point 1, Cuadro 3.2 [m]
constexpr double kBar = 6.0;    // "6 0" of both bars of a dyad [m]
constexpr double kPitch = 6.0;  // fixed pivots at 6*i [m]

constexpr int kMaxDyads = 100'000;

struct Lengths {
  double crank;    ///< A to B_1 [m]
  double coupler;  ///< P to C [m]
  double rocker;   ///< D to C [m]
  double pitch;    ///< D_{i−1} to D_i [m]
};

/// A dyad that reaches from P to the fixed pivot D.
struct ClosedDyad {
  Eigen::Vector2d p_WC_W;
  double coupler_angle;  ///< of p_PC_W against x [rad]
  double rocker_angle;   ///< of p_DC_W against x [rad]
};

/// C is where the circles of radius a about P and b about D meet, to the left of the line from P to D:
///   p_PC_W = κ p_PD_W + h n,   κ = ½ + (a² − b²) / 2d²,   h² = a² − (κ d)²                    (1)
/// with d = |p_PD_W| and n ⟂ p_PD_W of unit length. With the lengths of the listing and P = crank.B the distance d lies between 4 and
/// 8 < 2 a: C exists for every angle of the crank. Throws core::ModelError where it does not, for the dyad with this number.
ClosedDyad close_dyad(int number, const Lengths& lengths, const Eigen::Vector2d& p_WP_W,
                      const Eigen::Vector2d& p_WD_W) {
  const double a = lengths.coupler, b = lengths.rocker;
  const Eigen::Vector2d p_PD_W = p_WD_W - p_WP_W;
  const double d = p_PD_W.norm();
  if (!(d < a + b && d > std::abs(a - b))) {
    throw core::ModelError({.what = "the bars do not meet at the start",
                            .where = "family 'scalable-fourbar', dyad " + std::to_string(number),
                            .expected = "a distance of its two ends between " +
                                        core::number_text(std::abs(a - b)) + " m and " +
                                        core::number_text(a + b) + " m",
                            .actual = core::number_text(d) + " m",
                            .next = "Change 'coupler', 'rocker', 'pitch', 'crank' or 'start'."});
  }
  const Eigen::Vector2d n = Eigen::Vector2d(-p_PD_W.y(), p_PD_W.x()) / d;
  const double share = 0.5 + (a - b) * (a + b) / (2.0 * d * d);  // κ
  const double h = std::sqrt(std::max(0.0, a * a - share * d * (share * d)));
  const Eigen::Vector2d p_PC_W = share * p_PD_W + h * n;  // (1)
  const Eigen::Vector2d p_DC_W = p_PC_W - p_PD_W;
  return {p_WP_W + p_PC_W, std::atan2(p_PC_W.y(), p_PC_W.x()), std::atan2(p_DC_W.y(), p_DC_W.x())};
}

void add_bar(MechanismBuilder& builder, std::string name, const char* from, const char* to, double length,
             double density) {
  builder.add_body({.name = std::move(name),
                    .mass = density * length,
                    .shape = Bar{from, to},
                    .points = {{from, {0.0, 0.0, 0.0}}, {to, {length, 0.0, 0.0}}}});
}

// In C of dyad i − 1 three bodies meet. Two joints hold them together: C_{i−1} between coupler and rocker,
// and B_i, which ties the next coupler to the rocker. Tying it to the coupler instead would demand the same
// coincidence of the same three points: the motion is the same, only the reactions are shared out
// differently.
void add_dyad(MechanismBuilder& builder, int i, const Lengths& lengths, double density) {
  const std::string coupler = numbered("coupler_", i);
  const std::string rocker = numbered("rocker_", i);
  const std::string pivot = numbered("D_", i);
  const std::string before = i == 1 ? "crank.B" : numbered("rocker_", i - 1) + ".C";
  builder.add_ground_point(pivot, {lengths.pitch * i, 0.0, 0.0});
  add_bar(builder, coupler, "P", "C", lengths.coupler, density);
  add_bar(builder, rocker, "D", "C", lengths.rocker, density);
  builder.add_joint({numbered("B_", i), JointType::kRevolute, before, coupler + ".P"});
  builder.add_joint({numbered("C_", i), JointType::kRevolute, coupler + ".C", rocker + ".C"});
  builder.add_joint({pivot, JointType::kRevolute, "ground." + pivot, rocker + ".D"});
}

// Where couplers are as long as the pitch, only the first dyad needs (1): from the second on the circles about C_{i−1} and D_i meet
// in C_{i−1} + (pitch, 0), where the couplers stay horizontal and the rockers parallel, for every angle of the crank. The angles
// are therefore exact, however long the row is.
void add_start_values(MechanismBuilder& builder, int dyads, const Lengths& lengths, double crank_angle) {
  builder.add_start_value("crank.angle", crank_angle);
  const bool is_parallel = lengths.coupler == lengths.pitch;
  ClosedDyad dyad{lengths.crank * Eigen::Vector2d(std::cos(crank_angle), std::sin(crank_angle)), 0.0, 0.0};
  for (int i = 1; i <= dyads; ++i) {
    if (i > 1 && is_parallel)
      dyad.coupler_angle = 0.0;
    else
      dyad = close_dyad(i, lengths, dyad.p_WC_W, {lengths.pitch * i, 0.0});
    builder.add_start_value(numbered("coupler_", i) + ".angle", dyad.coupler_angle);
    builder.add_start_value(numbered("rocker_", i) + ".angle", dyad.rocker_angle);
  }
}

void add_outputs(MechanismBuilder& builder, int dyads) {
  builder.add_output("crank.angle");
  builder.add_output("coupler_1.C.x");
  builder.add_output("coupler_1.C.y");
  if (dyads == 1) return;
  builder.add_output(numbered("coupler_", dyads) + ".C.x");
  builder.add_output(numbered("coupler_", dyads) + ".C.y");
}

Mechanism make_scalable_fourbar(const FamilyValues& values) {
  const int dyads = values.integer("dyads");
  const double density = values.real("density");
  const double start = values.real("start");
  const Lengths lengths{values.real("crank"), values.real("coupler"), values.real("rocker"),
                        values.real("pitch")};

  MechanismBuilder builder("scalable-fourbar", Space::kPlanar);
  builder.set_description("Crank and " + std::to_string(dyads) + (dyads == 1 ? " dyad" : " dyads") +
                          " in a row, start in the open position.");
  builder.set_source(
      "Muñoz (2013), §3.2.1, Cuadros 3.1 and 3.2: lengths, fixed pivots, start and speed of the crank. "
      "Masses are not in the source: uniform bars of the given mass per length.");
  builder.set_gravity({0.0, -9.81, 0.0});
  builder.add_ground_point("A", {0.0, 0.0, 0.0});
  add_bar(builder, "crank", "A", "B", lengths.crank, density);
  builder.add_joint({"A", JointType::kRevolute, "ground.A", "crank.A"});
  for (int i = 1; i <= dyads; ++i) add_dyad(builder, i, lengths, density);
  builder.add_driver({.name = "motor",
                      .target = "A.q",
                      .level = DriverLevel::kSpeed,
                      .function = TimeFunction::constant(values.real("speed")),
                      .start = start});
  add_start_values(builder, dyads, lengths, start);
  add_outputs(builder, dyads);
  return builder.build();
}

}  // namespace

FamilyEntry scalable_fourbar_entry() {
  constexpr FamilyKeyKind kInteger = FamilyKeyKind::kInteger;
  constexpr FamilyKeyKind kReal = FamilyKeyKind::kReal;
  constexpr double kQuarterTurn = 0.5 * std::numbers::pi;
  return {.family = {.name = "scalable-fourbar",
                     .summary = "planar crank with a row of dyads, each a coupler and a rocker",
                     .keys = {{"dyads", "number of dyads", kInteger, 5.0, 1.0, kMaxDyads},
                              {"speed", "speed of the crank [rad/s]", kReal, 1.0, -1000.0, 1000.0},
                              {"start", "angle of the crank at the start [rad]", kReal, kQuarterTurn, -1000.0,
                               1000.0},
                              {"density", "mass of the bars per length [kg/m]", kReal, 1.0, 0.001, 1000.0},
                              {"crank", "length of the crank [m]", kReal, kCrank, 1e-6, 1e6},
                              {"coupler", "length of each coupler [m]", kReal, kBar, 1e-6, 1e6},
                              {"rocker", "length of each rocker [m]", kReal, kBar, 1e-6, 1e6},
                              {"pitch", "distance of the fixed pivots [m]", kReal, kPitch, 1e-6, 1e6}}},
          .make = &make_scalable_fourbar};
}

}  // namespace eslabon::model::detail
