#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include <Eigen/Core>

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
// The bars' lengths are the listing's; masses are ours, because the source treats motion only.
namespace eslabon::model::detail {

namespace {

constexpr double kCrank = 2.0;  // "2 0" of point 1, Cuadro 3.2 [m]
constexpr double kBar = 6.0;    // "6 0" of both bars of a dyad [m]
constexpr double kPitch = 6.0;  // fixed pivots at 6*i [m]

constexpr int kMaxDyads = 100'000;

/// The angles of a dyad's two bars, of the same length L, that reach from P to the fixed pivot D.
struct DyadAngles {
  double coupler;  ///< of p_PC_W against x [rad]
  double rocker;   ///< of p_DC_W against x [rad]
};

/// C is where the circles of radius L about P and D meet, to the left of the line from P to D:
///   p_PC_W = ½ p_PD_W + h n,   h² = L² − ¼ |p_PD_W|²,   n ⟂ p_PD_W of unit length            (1)
/// With P = crank.B the distance PD lies between 4 and 8 < 2 L: it exists for every angle of the crank.
DyadAngles close_dyad(const Eigen::Vector2d& p_WP_W, const Eigen::Vector2d& p_WD_W) {
  const Eigen::Vector2d p_PD_W = p_WD_W - p_WP_W;
  const double distance = p_PD_W.norm();
  const Eigen::Vector2d n = Eigen::Vector2d(-p_PD_W.y(), p_PD_W.x()) / distance;
  const double h = std::sqrt(kBar * kBar - 0.25 * distance * distance);
  const Eigen::Vector2d p_PC_W = 0.5 * p_PD_W + h * n;  // (1)
  const Eigen::Vector2d p_DC_W = p_PC_W - p_PD_W;
  return {std::atan2(p_PC_W.y(), p_PC_W.x()), std::atan2(p_DC_W.y(), p_DC_W.x())};
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
void add_dyad(MechanismBuilder& builder, int i, double density) {
  const std::string coupler = numbered("coupler_", i);
  const std::string rocker = numbered("rocker_", i);
  const std::string pivot = numbered("D_", i);
  const std::string before = i == 1 ? "crank.B" : numbered("rocker_", i - 1) + ".C";
  builder.add_ground_point(pivot, {kPitch * i, 0.0, 0.0});
  add_bar(builder, coupler, "P", "C", kBar, density);
  add_bar(builder, rocker, "D", "C", kBar, density);
  builder.add_joint({numbered("B_", i), JointType::kRevolute, before, coupler + ".P"});
  builder.add_joint({numbered("C_", i), JointType::kRevolute, coupler + ".C", rocker + ".C"});
  builder.add_joint({pivot, JointType::kRevolute, "ground." + pivot, rocker + ".D"});
}

// Only the first dyad needs (1). From the second on all four sides are 6 long, and the circles about C_{i−1}
// and D_i meet in D_{i−1} (folded) and in C_{i−1} + (6, 0) (open): in the open one the couplers stay
// horizontal and the rockers parallel, for every angle of the crank. The angles are therefore exact, however
// long the row is.
void add_start_values(MechanismBuilder& builder, int dyads, double crank_angle) {
  builder.add_start_value("crank.angle", crank_angle);
  const Eigen::Vector2d p_WB_W = kCrank * Eigen::Vector2d(std::cos(crank_angle), std::sin(crank_angle));
  const DyadAngles first = close_dyad(p_WB_W, {kPitch, 0.0});
  for (int i = 1; i <= dyads; ++i) {
    builder.add_start_value(numbered("coupler_", i) + ".angle", i == 1 ? first.coupler : 0.0);
    builder.add_start_value(numbered("rocker_", i) + ".angle", first.rocker);
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

  MechanismBuilder builder("scalable-fourbar", Space::kPlanar);
  builder.set_description("Crank and " + std::to_string(dyads) + (dyads == 1 ? " dyad" : " dyads") +
                          " in a row, start in the open position.");
  builder.set_source(
      "Muñoz (2013), §3.2.1, Cuadros 3.1 and 3.2: lengths, fixed pivots, start and speed of the crank. "
      "Masses are not in the source: uniform bars of the given mass per length.");
  builder.set_gravity({0.0, -9.81, 0.0});
  builder.add_ground_point("A", {0.0, 0.0, 0.0});
  add_bar(builder, "crank", "A", "B", kCrank, density);
  builder.add_joint({"A", JointType::kRevolute, "ground.A", "crank.A"});
  for (int i = 1; i <= dyads; ++i) add_dyad(builder, i, density);
  builder.add_driver({.name = "motor",
                      .target = "A.q",
                      .level = DriverLevel::kSpeed,
                      .function = TimeFunction::constant(values.real("speed")),
                      .start = start});
  add_start_values(builder, dyads, start);
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
                              {"density", "mass of the bars per length [kg/m]", kReal, 1.0, 0.001, 1000.0}}},
          .make = &make_scalable_fourbar};
}

}  // namespace eslabon::model::detail
