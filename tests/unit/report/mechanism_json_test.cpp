#include "eslabon/report/data/mechanism_json.hpp"

#include <cmath>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/model/families/family.hpp"
#include "eslabon/model/mechanism_builder.hpp"

namespace eslabon::report {
namespace {

using nlohmann::json;

json json_of(const model::Mechanism& mechanism) { return json::parse(mechanism_json(mechanism)); }

json read(const std::string& name) {
  return json_of(io::read_mechanism_file(std::string(ESLABON_SOURCE_DIR) + "/models/" + name + ".yaml"));
}

/// The element of a list that has this name.
json named(const json& list, const std::string& name) {
  for (const json& element : list)
    if (element["name"] == name) return element;
  ADD_FAILURE() << name << " is missing";
  return {};
}

// golden: the whole text of a small planar mechanism, against the page's own words (viewer/src/report_data.ts).
TEST(MechanismJson, TellsAPlanarMechanismInTheWordsOfThePage) {
  model::MechanismBuilder builder("crank", model::Space::kPlanar);
  builder.set_gravity({0.0, -9.81, 0.0});
  builder.add_ground_point("O", {0.0, 0.0, 0.0});
  builder.add_ground_point("W", {3.0, 0.0, 0.0});
  builder.add_body({.name = "arm",
                    .mass = 2.0,
                    .shape = model::Bar{"A", "B"},
                    .points = {{"A", {0.0, 0.0, 0.0}}, {"B", {4.0, 0.0, 0.0}}}});
  builder.add_joint({"J", model::JointType::kRevolute, "ground.O", "arm.A"});
  builder.add_spring({.name = "s", .connection = {"ground.W", "arm.B"}, .stiffness = 5.0});
  builder.add_damper({.name = "d", .connection = {"J"}, .damping = 1.0});
  builder.add_driver({"motor", "J.q", model::DriverLevel::kSpeed, 1.0});
  builder.add_sensor({.name = "gyro", .kind = model::SensorKind::kGyroscope, .target = "arm"});
  builder.add_sensor(
      {.name = "wire", .kind = model::SensorKind::kDistance, .target = "ground.W", .second_target = "arm.B"});
  builder.add_load({.name = "push",
                    .kind = model::LoadKind::kPointForce,
                    .target = "arm.B",
                    .components = {1.0, 0.0, 0.0}});
  builder.add_load({.name = "twist",
                    .kind = model::LoadKind::kBodyTorque,
                    .target = "arm",
                    .components = {0.0, 0.0, 1.0}});
  builder.add_load(
      {.name = "effort", .kind = model::LoadKind::kJointEffort, .target = "J", .components = {1.0}});
  builder.add_output("arm.B.x");
  builder.add_output("arm.B.y");
  builder.add_output("arm.angle");
  const json B = json::parse(R"({"body":1,"at":[4.0,0.0,0.0],"name":"B"})");
  const json W = json::parse(R"({"body":0,"at":[3.0,0.0,0.0],"name":"W"})");
  const json expected{
      {"name", "crank"},
      {"description", ""},
      {"source", ""},
      {"planar", true},
      {"gravity", {0.0, -9.81, 0.0}},
      {"size", 4.0},
      {"bodies",
       {json::parse(R"({"name":"ground","mass":0.0,"centre":[0.0,0.0,0.0],
          "points":[{"name":"O","at":[0.0,0.0,0.0]},{"name":"W","at":[3.0,0.0,0.0]}]})"),
        json::parse(R"({"name":"arm","mass":2.0,"centre":[2.0,0.0,0.0],
          "points":[{"name":"A","at":[0.0,0.0,0.0]},{"name":"B","at":[4.0,0.0,0.0]}],
          "shape":{"kind":"bar","from":[0.0,0.0,0.0],"to":[4.0,0.0,0.0]}})")}},
      {"joints", json::array({json::parse(R"({"name":"J","kind":"revolute","length":0.0,"mass":0.0,"ends":[
          {"body":0,"at":[0.0,0.0,0.0],"name":"O","axes":[1.0,0.0,0.0,0.0]},
          {"body":1,"at":[0.0,0.0,0.0],"name":"A","axes":[1.0,0.0,0.0,0.0]}]})")})},
      {"couplings", json::array()},
      {"springs",
       {{{"name", "s"}, {"coils", true}, {"damping", false}, {"ends", {W, B}}},
        {{"name", "d"}, {"coils", false}, {"damping", true}, {"joint", 0}}}},
      {"sensors",
       {json::parse(
            R"({"name":"gyro","kind":"gyroscope","place":{"body":1,"at":[2.0,0.0,0.0]},"axes":[1.0,0.0,0.0,0.0]})"),
        {{"name", "wire"}, {"kind", "distance"}, {"place", W}, {"second", B}}}},
      {"drivers", json::array({{{"name", "motor"}, {"joint", 0}, {"target", "J.q"}}})},
      {"loads",
       {{{"name", "push"}, {"kind", "force"}, {"place", B}},
        {{"name", "twist"}, {"kind", "torque"}, {"place", {{"body", 1}, {"at", {2.0, 0.0, 0.0}}}}},
        {{"name", "effort"}, {"kind", "effort"}, {"joint", 0}}}},
      {"stops", json::array()},
      {"tyres", json::array()},
      {"traces", json::array({B})}};
  EXPECT_EQ(json_of(builder.build()), expected);
}

// golden: what is drawn beside shapes, also of the ground; it has no part in the size of symbols.
TEST(MechanismJson, TellsWhatIsDrawnBesideTheShapes) {
  model::MechanismBuilder builder("cart", model::Space::kSpatial);
  builder.add_ground_point("O", {0.0, 0.0, 0.0});
  builder.add_ground_visual(model::Box{{1.0, 2.0, 3.0}, {0.0, 0.0, -50.0}});
  builder.add_body(
      {.name = "axle",
       .points = {{"A", {0.0, 0.0, 0.0}}, {"B", {1.0, 0.0, 0.0}}},
       .visuals = {model::Cylinder{0.5, 0.2, {1.0, 0.0, 0.0}, {2.0, 0.0, 0.0}}, model::Bar{"A", "B"}}});
  builder.add_joint({"J", model::JointType::kSpherical, "ground.O", "axle.A"});
  const json mechanism = json_of(builder.build());
  EXPECT_EQ(mechanism["bodies"][0]["visuals"],
            json::parse(R"([{"kind":"box","size":[1.0,2.0,3.0],"centre":[0.0,0.0,-50.0]}])"));
  EXPECT_EQ(mechanism["bodies"][1]["visuals"],
            json::parse(
                R"([{"kind":"cylinder","radius":0.5,"length":0.2,"centre":[1.0,0.0,0.0],"axis":[1.0,0.0,0.0]},
                            {"kind":"bar","from":[0.0,0.0,0.0],"to":[1.0,0.0,0.0]}])"));
  EXPECT_FALSE(mechanism["bodies"][1].contains("shape"));
  EXPECT_EQ(mechanism["size"], 1.0);
}

// golden: models of vehicles have something to be seen where the source has points alone.
TEST(MechanismJson, VehiclesHaveWheelsAndChassis) {
  const json quarter = read("quarter-vehicle");
  EXPECT_EQ(quarter["bodies"][0]["visuals"].size(), 1U);
  const json truck = json_of(model::make_family("truck-suspension,axles=5"));
  EXPECT_EQ(truck["bodies"][0]["visuals"].size(), 2U);
  for (int axle = 1; axle <= 5; ++axle) {
    const json body = named(truck["bodies"], "axle_" + std::to_string(axle));
    for (std::size_t side = 0; side < 2; ++side) {
      EXPECT_EQ(body["visuals"][side]["kind"], "cylinder");
      EXPECT_EQ(body["visuals"][side]["centre"],
                named(body["points"], side == 0 ? "wheel_left" : "wheel_right")["at"]);
    }
  }
}

// golden: tyres about the points of their wheels; their width is that of the wheel's cylinder where no file tells it. Other mechanisms have none.
TEST(MechanismJson, TellsTyres) {
  const json cart = read("vehicles/cart");
  ASSERT_EQ(cart["tyres"].size(), 4U);
  EXPECT_EQ(named(cart["tyres"], "tyre_rl"),
            json::parse(R"({"name":"tyre_rl","place":{"body":4,"at":[0.0,0.0,0.0],"name":"C"},
                            "axis":[0.0,1.0,0.0],"radius":0.3,"width":0.2})"));
  EXPECT_TRUE(read("quarter-vehicle")["tyres"].empty());
}

// Sensors sit at their frame and look along its axes; those that read a variable sit where it is.
TEST(MechanismJson, PutsSensorsWhereTheyAre) {
  model::MechanismBuilder builder("box", model::Space::kSpatial);
  builder.add_ground_point("O", {0.0, 0.0, 0.0});
  builder.add_body({.name = "box",
                    .mass = 1.0,
                    .shape = model::Cylinder{0.5, 2.0, {0.0, 0.0, 0.0}, {0.0, 3.0, 0.0}},
                    .points = {{"P", {1.0, 2.0, 3.0}}},
                    .frames = {{"F", {4.0, 5.0, 6.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}});
  builder.add_joint({.name = "J", .type = model::JointType::kFree, .first = "ground.O", .second = "box.P"});
  builder.add_spring({.name = "s", .connection = {"ground.O", "box.P"}, .stiffness = 5.0, .damping = 2.0});
  builder.add_sensor({.name = "gyro", .kind = model::SensorKind::kGyroscope, .target = "box", .frame = "F"});
  builder.add_sensor({.name = "imu", .kind = model::SensorKind::kImu, .target = "box.P", .frame = "F"});
  builder.add_sensor({.name = "length", .kind = model::SensorKind::kVariable, .target = "s.length"});
  builder.add_sensor({.name = "reaction", .kind = model::SensorKind::kVariable, .target = "J.fx"});
  const json mechanism = json_of(builder.build());
  const double half = std::sqrt(0.5);  // a quarter turn about z
  for (const char* name : {"gyro", "imu"}) {
    const json axes = named(mechanism["sensors"], name)["axes"];
    for (int k = 0; k < 4; ++k)
      EXPECT_NEAR(axes[static_cast<std::size_t>(k)], k % 3 == 0 ? half : 0.0, 1e-15);
  }
  EXPECT_EQ(named(mechanism["sensors"], "gyro")["place"],
            json::parse(R"({"body":1,"at":[4.0,5.0,6.0],"name":"F"})"));
  EXPECT_EQ(named(mechanism["sensors"], "imu")["place"],
            json::parse(R"({"body":1,"at":[1.0,2.0,3.0],"name":"P"})"));
  EXPECT_EQ(named(mechanism["sensors"], "length")["place"]["body"], 0);
  EXPECT_EQ(named(mechanism["sensors"], "length")["second"]["name"], "P");
  EXPECT_EQ(named(mechanism["sensors"], "reaction")["joint"], 0);
  EXPECT_FALSE(named(mechanism["sensors"], "reaction").contains("axes"));
  EXPECT_TRUE(mechanism["springs"][0]["damping"]);
  EXPECT_EQ(mechanism["bodies"][1]["shape"]["axis"], json::parse("[0.0,1.0,0.0]"));
}

// contract: joint or point with its world axis, limits at t = 0, and nothing that is not there.
TEST(MechanismJson, TellsWhereStopsAre) {
  model::MechanismBuilder builder("ram", model::Space::kSpatial);
  builder.add_ground_point("O", {0.0, 0.0, 0.0});
  builder.add_body({.name = "ram",
                    .mass = 1.0,
                    .center_of_mass = Eigen::Vector3d::Zero(),
                    .inertia = Eigen::Matrix3d::Identity(),
                    .points = {{"P", {0.0, 0.0, 0.0}}, {"tip", {1.0, 2.0, 3.0}}}});
  builder.add_joint({.name = "J",
                     .type = model::JointType::kCylindrical,
                     .first = "ground.O",
                     .second = "ram.P",
                     .axis = model::AxisPair{{0.0, 0.0, 1.0}, {0.0, 0.0, 1.0}}});
  builder.add_stop({.name = "turn", .target = "J.q1", .lower = -1.0, .upper = 2.0, .stiffness = 1.0});
  builder.add_stop({.name = "slide", .target = "J.q2", .upper = 3.0, .restitution = 0.5});
  builder.add_stop({.name = "floor",
                    .target = "ram.tip.z",
                    .lower = model::TimeFunction(0.25) + model::TimeFunction::time(),
                    .restitution = 0.0});
  EXPECT_EQ(json_of(builder.build())["stops"], json::parse(R"([
      {"name":"turn","joint":0,"lower":-1.0,"upper":2.0},
      {"name":"slide","upper":3.0},
      {"name":"floor","place":{"body":1,"at":[1.0,2.0,3.0],"name":"tip"},"axis":[0.0,0.0,1.0],"lower":0.25}])"));
}

// contract: a circle in or on a circle has both radii, one that it rolls inside of with a minus; slots and lines have none.
TEST(MechanismJson, TellsOnWhichCircleACircleRolls) {
  const json inside = named(read("pairs/cylinder-in-cylinder")["joints"], "rolls");
  EXPECT_EQ(inside["kind"], "circular_slot");
  EXPECT_EQ(inside["rolling"], json::parse(R"({"radius":0.08,"base":-0.5})"));
  EXPECT_NEAR(inside["length"], 0.42, 1e-15);
  EXPECT_FALSE(named(read("pairs/arc-four-bar")["joints"], "arc").contains("rolling"));
  EXPECT_FALSE(named(read("pairs/cycloid")["joints"], "roll").contains("rolling"));

  model::MechanismBuilder builder("epicycle", model::Space::kPlanar);
  builder.add_ground_point("O", {0.0, 0.0, 0.0});
  builder.add_body({.name = "wheel",
                    .mass = 1.0,
                    .shape = model::Disc{0.5, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}},
                    .points = {{"C", {0.0, 0.0, 0.0}}}});
  builder.add_joint({.name = "rolls",
                     .type = model::JointType::kCircularSlot,
                     .first = "ground.O",
                     .second = "wheel.C",
                     .axis = model::AxisPair{{1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}},
                     .rolling = model::CircleRolling{.radius = 0.5, .base = 2.0}});
  EXPECT_EQ(json_of(builder.build())["joints"][0]["rolling"], json::parse(R"({"radius":0.5,"base":2.0})"));
}

// analytic: bars of 1, 2 and 9 m; a disc of radius 1 m is 2√2 m across its box; what has no extent counts nothing.
TEST(MechanismJson, KnowsATypicalLength) {
  model::MechanismBuilder empty("dot", model::Space::kPlanar);
  empty.add_ground_point("O", {5.0, 5.0, 0.0});
  empty.add_body({.name = "dot", .points = {{"A", {2.0, 2.0, 0.0}}}});
  empty.add_joint({"J", model::JointType::kRevolute, "ground.O", "dot.A"});
  EXPECT_EQ(typical_length(empty.build()), 1.0);

  model::MechanismBuilder disc("disc", model::Space::kSpatial);
  disc.add_ground_point("O", {0.0, 0.0, 0.0});
  disc.add_body({.name = "disc",
                 .mass = 1.0,
                 .shape = model::Disc{1.0, {0.0, 0.0, 0.0}, {0.0, 2.0, 0.0}},
                 .points = {{"A", {0.0, 0.0, 0.0}}}});
  disc.add_joint(
      {.name = "J", .type = model::JointType::kSpherical, .first = "ground.O", .second = "disc.A"});
  EXPECT_NEAR(typical_length(disc.build()), 2.0 * std::sqrt(2.0), 1e-14);

  EXPECT_NEAR(typical_length(
                  io::read_mechanism_file(std::string(ESLABON_SOURCE_DIR) + "/models/fourbar-testbed.yaml")),
              0.54, 0.1);
}

// invariant: every model and family has a size, unit quaternions, and positions in lists that exist.
TEST(MechanismJson, FitsTogether_ForEveryModelAndFamily) {
  std::vector<json> all;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(ESLABON_SOURCE_DIR) + "/models"))
    if (entry.path().extension() == ".yaml") all.push_back(read(entry.path().stem()));
  for (const char* family : {"scalable-fourbar,dyads=5", "truck-suspension,axles=5"})
    all.push_back(json_of(model::make_family(family)));
  EXPECT_GE(all.size(), 14u);
  for (const json& mechanism : all) {
    EXPECT_GT(mechanism["size"], 0.0);
    const std::size_t bodies = mechanism["bodies"].size();
    for (const json& joint : mechanism["joints"])
      for (const json& end : joint["ends"]) {
        EXPECT_LT(end["body"], bodies);
        double norm = 0.0;
        for (const double e : end["axes"]) norm += e * e;
        EXPECT_NEAR(norm, 1.0, 1e-12);
      }
    for (const json& sensor : mechanism["sensors"])
      EXPECT_NE(sensor.contains("place"), sensor.contains("joint"));
    for (const json& spring : mechanism["springs"])
      EXPECT_NE(spring.contains("ends"), spring.contains("joint"));
    for (const json& load : mechanism["loads"]) EXPECT_NE(load.contains("place"), load.contains("joint"));
  }
}

}  // namespace
}  // namespace eslabon::report
