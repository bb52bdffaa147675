#include "eslabon/model/own_origin.hpp"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/mechanism_writer.hpp"

namespace eslabon::model {
namespace {

using Eigen::Vector3d;

/// Everything that is given as a position, from (x, y, z) on.
Mechanism machine_at(const Vector3d& place) {
  const auto at = [&](double x, double y, double z) {
    const Vector3d p = place + Vector3d(x, y, z);
    return fmt::format("[{}, {}, {}]", p.x(), p.y(), p.z());
  };
  return io::read_mechanism(
      "mechanism: machine\n"
      "gravity: [0, 0, -9.81]\n"
      "ground:\n"
      "  points: {O: [0.1, 0, 0], A: " +
          at(0, 0, 0) + ", S: " + at(0.5, 0, 1) +
          "}\n"
          "  frames: {F: {origin: " +
          at(0, 0.25, 0) +
          ", x: [1, 0, 0], z: [0, 0, 1]}}\n"
          "  visuals: [{sphere: {radius: 0.125, center: " +
          at(0, 1, 0) +
          "}}]\n"
          "bodies:\n"
          "  arm: {mass: 1, shape: {box: [0.5, 0.25, 0.25]}, points: {A: [0, 0, 0], E: [0.5, 0, 0]}}\n"
          "  box: {mass: 1, shape: {box: [0.5, 0.25, 0.25]}, points: {M: [0, 0, 0]}}\n"
          "joints: {A: {spherical: [ground.A, arm.A]}, flight: {free: [ground.O, box.M]}}\n"
          "springs: {s: {between: [ground.S, arm.E], stiffness: 10, free_length: 0.5}}\n"
          "drivers: {lift: {point: arm.E.z, position: \"= " +
          fmt::format("{}", place.z()) +
          " + 0.25*sin(t)\"}}\n"
          "stops: {floor: {point: box.M.z, lower: " +
          fmt::format("{}", place.z() - 4.0) +
          ", restitution: 0.5}}\n"
          "assembly: {box.position: " +
          at(2, 0, 1) + ", arm.E.x: " + fmt::format("{}", place.x() + 0.5) + "}\n",
      "machine.yaml");
}

const Vector3d kFar(1e7, -1e7, 4.5e6);

TEST(OwnOrigin, LeavesWhatLiesAtHomeAsItIs) {
  for (const Vector3d& place : {Vector3d(0, 0, 0), Vector3d(20, 0, 0)}) {
    const Mechanism machine = machine_at(place);
    EXPECT_EQ(about_own_origin(machine), machine);
  }
}

TEST(OwnOrigin, MovesEverythingThatIsAPosition) {
  const Mechanism home = machine_at(Vector3d::Zero()), moved = about_own_origin(machine_at(kFar));
  const Vector3d left = kFar - moved.origin_W();  // within the mechanism's size
  EXPECT_LT(left.norm(), 2.0);
  const auto expect_at = [&](const Vector3d& found, const Vector3d& expected) {
    EXPECT_EQ(found, Vector3d(left + expected));  // no coordinate is rounded
  };
  const Body &ground = moved.bodies().front(), &ground_at_home = home.bodies().front();
  for (std::size_t k = 1; k < ground.points.size(); ++k)
    expect_at(ground.points[k].p_BP_B, ground_at_home.points[k].p_BP_B);
  expect_at(ground.frames[0].p_BF_B, ground_at_home.frames[0].p_BF_B);
  expect_at(std::get<Sphere>(ground.visuals[0]).p_BC_B, Vector3d(0, 1, 0));
  expect_at(moved.joints()[0].ends[0].X_BF.p_AB_A, Vector3d::Zero());
  EXPECT_EQ(moved.joints()[1].ends[0].X_BF.p_AB_A, Vector3d(Vector3d::Zero()));  // of the free joint
  expect_at(*moved.start_poses()[0].p_WB_W, Vector3d(2, 0, 1));
  EXPECT_EQ(moved.start_values()[0].value, left.x() + 0.5);
  EXPECT_EQ(moved.stops()[0].lower->constant_value(), left.z() - 4.0);
  for (const double t : {0.0, 0.3, 1.0})
    EXPECT_EQ(moved.drivers()[0].function.evaluate(t), left.z() + 0.25 * std::sin(t));
  EXPECT_EQ(origin_part(moved, find_variable(moved, "arm.E.y")), moved.origin_W().y());
  EXPECT_EQ(origin_part(moved, find_variable(moved, "arm.E.vy")), 0.0);
}

TEST(OwnOrigin, ComesBackAndIsWrittenAsItWas) {
  const Mechanism machine = machine_at(kFar), moved = about_own_origin(machine);
  EXPECT_FALSE(moved == machine);
  const Mechanism back = about_user_origin(moved);
  EXPECT_TRUE(back.origin_W().isZero(0.0));
  EXPECT_EQ(back.joints()[1].ends[0].X_BF.p_AB_A, back.bodies().front().points[0].p_BP_B);
  EXPECT_EQ(io::write_mechanism(moved), io::write_mechanism(back));
  // All but the point at the user's origin, from which the other is 10 000 km away.
  EXPECT_LT((back.bodies().front().points[0].p_BP_B - Vector3d(0.1, 0, 0)).norm(), 2e-9);
  EXPECT_EQ(back.bodies().front().points[1], machine.bodies().front().points[1]);
  EXPECT_EQ(back.start_poses(), machine.start_poses());
  EXPECT_EQ(back.stops(), machine.stops());
  EXPECT_EQ(back.drivers(), machine.drivers());
}

TEST(OwnOrigin, OfABodyIsNearItsJoints) {
  const Mechanism machine = io::read_mechanism(
      "mechanism: pendulum\n"
      "plane: xy\n"
      "ground: {points: {A: [1e7, 0]}}\n"
      "bodies: {arm: {mass: 1, inertia: 1, center_of_mass: [10000000.5, 0], points: {A: [1e7, 0], E: "
      "[10000001, 0]}}}\n"
      "joints: {A: {revolute: [ground.A, arm.A]}}\n",
      "pendulum.yaml");
  const Mechanism moved = about_own_origin(machine);
  EXPECT_EQ(moved.bodies()[1].origin_B, Vector3d(1e7, 0, 0));
  EXPECT_EQ(moved.bodies()[1].mass_properties.p_BC_B, Vector3d(0.5, 0, 0));
  EXPECT_EQ(moved.bodies()[1].points[1].p_BP_B, Vector3d(1, 0, 0));
  EXPECT_EQ(moved.joints()[0].ends[1].X_BF.p_AB_A, Vector3d(0, 0, 0));
  EXPECT_EQ(about_own_origin(moved), moved);
  EXPECT_EQ(about_user_origin(moved), machine);
}

TEST(OwnOrigin, IsWhereFreeBodiesStartWhenNothingHoldsThem) {
  const auto free_at = [](const std::string& start) {
    return about_own_origin(io::read_mechanism(
        "mechanism: box\n"
        "ground: {points: {O: [0, 0, 0]}}\n"
        "bodies: {box: {mass: 1, shape: {box: [0.5, 0.25, 0.25]}, points: {M: [0, 0, 0], K: [0.25, 0, 0]}}}\n"
        "joints: {flight: {free: [ground.O, box.M]}}\n"
        "assembly: {" +
            start + "}\n",
        "box.yaml"));
  };
  EXPECT_EQ(free_at("box.position: [1e6, 0, 0]").origin_W(), Vector3d(1e6, 0, 0));
  EXPECT_EQ(free_at("box.M.x: -1e6").origin_W(), Vector3d(-1e6, 0, 0));
  EXPECT_EQ(free_at("box.position: [1, 0, 0]").origin_W(), Vector3d(0, 0, 0));
}

}  // namespace
}  // namespace eslabon::model
