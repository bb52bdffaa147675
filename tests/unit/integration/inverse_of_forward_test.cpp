// Inverse dynamics of a forward run gives back the forces that drove it: mechanisms with 1 to 10 freedoms, in the plane and in
// space, chains and loops, with weights, springs, dampers and friction. The forces go into the run as loads of the file.
#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/simulated_case.hpp"
#include "tests/test_name.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "eslabon/dynamics/formulations/formulation_choice.hpp"
#include "eslabon/dynamics/reactions/inverse_dynamics.hpp"

namespace eslabon::integration {
namespace {

/// An actuator and the load of the file that does the same: f(t) = amplitude sin(frequency t + phase).
struct Actuator {
  std::string name;    ///< "A.q", "slider.B.x", "crank.angle"
  std::string target;  ///< "joint: A, torque"; '#' stands for f(t)
  double amplitude, frequency = 7.0, phase = 0.3;

  double effort(double t) const { return amplitude * std::sin(frequency * t + phase); }
  std::string load() const {
    std::string text = target;
    return text.replace(text.find('#'), 1, fmt::format("= {}*sin({}*t + {})", amplitude, frequency, phase));
  }
};

struct Case {
  std::string name;
  int freedoms;
  std::string text;  ///< of its file
  std::vector<Actuator> actuators;
  std::string held = "";  ///< a body that spins idly
  double until = 0.4;     ///< [s]
};

std::string file_text(const std::string& model) {
  std::ifstream file(std::string(ESLABON_SOURCE_DIR) + "/models/" + model + ".yaml");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The text with loads more.
std::string with_loads(std::string text, const std::vector<Actuator>& actuators) {
  std::string loads = "\nforces:\n";
  for (std::size_t k = 0; k < actuators.size(); ++k)
    loads += fmt::format("  effort_{}: {{{}}}\n", k, actuators[k].load());
  const std::size_t place = text.find("\nforces:\n");
  if (place == std::string::npos) return text + loads;
  return text.replace(place, 9, loads);
}

Actuator torque(const std::string& joint, double amplitude, double phase = 0.3) {
  const bool has_dot = joint.find('.') != std::string::npos;
  return {has_dot ? joint : joint + ".q", "joint: " + joint + ", torque: #", amplitude, 7.0, phase};
}
Actuator force(const std::string& joint, double amplitude, double phase = 0.3) {
  const bool has_dot = joint.find('.') != std::string::npos;
  return {has_dot ? joint : joint + ".q", "joint: " + joint + ", force: #", amplitude, 5.0, phase};
}

/// Links in space one after the other, `joints` as "revolute [0, 0, 1]"; the ground's point G is for what is added. A link whose
/// number is in `massless` has no mass.
std::string chain(const std::vector<std::string>& joints, const std::vector<int>& massless = {}) {
  std::string bodies = "bodies:\n", list = "joints:\n", start = "assembly:\n", before = "ground.O";
  for (int i = 1; i <= static_cast<int>(joints.size()); ++i) {
    const std::string name = "bar" + std::to_string(i), &joint = joints[static_cast<std::size_t>(i - 1)];
    const std::size_t space = joint.find(' ');
    const bool has_mass = std::ranges::find(massless, i) == massless.end();
    bodies += fmt::format("  {}: {{{}points: {{A: [0, 0, 0], B: [0.4, 0.05, {}]}}}}\n", name,
                          has_mass ? fmt::format("mass: {}, center_of_mass: [0.2, 0.02, -0.01], inertia: "
                                                 "[0.02, 0.05, 0.06], ",
                                                 1.0 + 0.1 * i)
                                   : "",
                          0.02 * i);
    list += fmt::format("  J{}: {{{}: [{}, {}.A], axis: {}}}\n", i, joint.substr(0, space), before, name,
                        joint.substr(space + 1));
    start += fmt::format("  {}.rotation: [{}, {}, {}]\n", name, 0.1 * i, 0.3 - 0.05 * i, 0.2);
    before = name + ".B";
  }
  return "mechanism: chain\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0], G: [0.6, 1.4, 1.2]}}\n" +
         bodies + list + start;
}

std::vector<Actuator> torques(int count) {
  std::vector<Actuator> list;
  for (int i = 1; i <= count; ++i) list.push_back(torque("J" + std::to_string(i), 8.0 - 0.5 * i, 0.4 * i));
  return list;
}

std::vector<std::string> revolutes(std::size_t count) {
  const std::vector<std::string> axes{"[0, 0, 1]", "[0, 1, 0.2]", "[1, 0.1, 0]"};
  std::vector<std::string> joints;
  for (std::size_t i = 0; i < count; ++i) joints.push_back("revolute " + axes[i % 3]);
  return joints;
}

const std::string kUniversal = "universal {first: [1, 0, 0], second: [0, 1, 0]}";

/// The testbed with hinges that rub by their load, and a soft stop that the rocker runs into.
std::string rubbing_testbed() {
  std::string text = file_text("fourbar-testbed");
  for (const std::string hinge : {"[crank.P1, coupler.P1]", "[ground.B, rocker.B]"}) {
    const std::size_t at = text.find(hinge);
    if (at == std::string::npos) throw std::runtime_error("no " + hinge);
    text.insert(at + hinge.size(), ", friction: {coefficient: 0.3, radius: 25 mm, coulomb: 0.05}");
  }
  return text + "stops: {buffer: {joint: B, lower: 131 deg, upper: 133 deg, stiffness: 40, damping: 2}}\n";
}

std::vector<Case> cases() {
  std::vector<Case> list;
  list.push_back({"four-bar that rubs and runs into a soft stop", 1, rubbing_testbed(), {torque("A", 3.0)}});
  list.push_back({"four-bar with spring and damper",
                  1,
                  file_text("fourbar-testbed") +
                      "springs: {coil: {joint: B, stiffness: 3, free_angle: 2, damping: 0.1}, "
                      "strut: {between: [ground.B, coupler.P3], stiffness: 150, free_length: 0.3}}\n"
                      "dampers: {shock: {between: [ground.A, coupler.P3], damping: 4}}\n",
                  {torque("A", 6.0)}});
  list.push_back({"four-bar turned at its rocker",
                  1,
                  file_text("fourbar-testbed"),
                  {{"rocker.angle", "body: rocker, torque: #", 4.0}}});
  list.push_back({"slider-crank pushed at its slider", 1, file_text("slider-crank"), {force("guide", 40.0)}});
  list.push_back({"slider-crank pulled at a point",
                  1,
                  file_text("slider-crank"),
                  {{"rod.B.x", "point: rod.B, force: [#, 0]", 40.0}}});
  // Later it comes near a dead centre, and neither run nor efforts are known to 1e-9 there (4e-10 at 0.25 s).
  list.push_back({"five-bar", 2, file_text("five-bar"), {torque("A", 2.0), torque("C", 1.5, 1.1)}, "", 0.2});
  list.push_back({"double wishbone",
                  2,
                  file_text("double-wishbone"),
                  {{"upright.hub.z", "point: upright.hub, force: [0, 0, #]", 2000.0}, torque("hub", 90.0)}});
  list.push_back({"RSSR with an idle spin", 2, file_text("rssr"), {torque("O", 3.0)}, "coupler"});
  list.push_back({"planar arm with a slide",
                  3,
                  R"(mechanism: arm
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}}
bodies:
  upper: {mass: 2, shape: {bar: [A, B]}, points: {A: [0, 0], B: [0.5, 0]}}
  lower: {mass: 1, shape: {bar: [A, B]}, points: {A: [0, 0], B: [0.4, 0]}}
  tool:  {mass: 0.5, shape: {box: [0.1, 0.05]}, points: {A: [0, 0]}}
joints:
  J1: {revolute: [ground.O, upper.A], friction: {viscous: 0.2}}
  J2: {revolute: [upper.B, lower.A]}
  J3: {prismatic: [lower.B, tool.A], axis: [1, 0], friction: {viscous: 3}}
springs: {s: {joint: J3, stiffness: 200, free_length: 0.1}}
assembly: {J1.q: 0.4, J2.q: -0.8, J3.q: 0.1}
)",
                  {torque("J1", 14.0), torque("J2", 6.0, 1.0), force("J3", 9.0, 2.0)}});
  list.push_back(
      {"universal, revolute and slide",
       4,
       chain({kUniversal, "revolute [0, 0.3, 1]", "prismatic [1, 0.2, 0]"}),
       {torque("J1.q1", 20.0), torque("J1.q2", 15.0, 1.0), torque("J2", 8.0, 2.0), force("J3", 30.0, 3.0)}});
  list.push_back(
      {"revolute, cylinder and universal",
       5,
       chain({"revolute [0, 0, 1]", "cylindrical [0.1, 1, 0]", kUniversal}) +
           "springs: {s: {between: [ground.G, bar3.B], stiffness: 60, free_length: 0.7, damping: 2}}\n",
       {torque("J1", 20.0), torque("J2.q1", 15.0, 1.0), force("J2.q2", 25.0, 2.0), torque("J3.q1", 6.0, 0.7),
        torque("J3.q2", 5.0, 2.2)}});
  list.push_back({"six revolutes", 6, chain(revolutes(6)), torques(6)});
  list.push_back(
      {"platform on a table and an arm",
       7,
       chain({"planar [0, 0, 1]", "revolute [0, 0, 1]", "revolute [0, 1, 0]", kUniversal}),
       {force("J1.q1", 30.0), force("J1.q2", 20.0, 1.0), torque("J1.q3", 9.0, 2.0), torque("J2", 7.0),
        torque("J3", 6.0, 0.7), torque("J4.q1", 5.0, 1.4), torque("J4.q2", 4.0, 2.1)}});
  list.push_back({"nine revolutes and a rod to the ground", 8, chain(revolutes(9)), torques(8)});
  list.push_back({"nine revolutes", 9, chain(revolutes(9)), torques(9)});
  std::vector<Actuator> ten = torques(11);  // the second rod leaves J1 … J7 six freedoms
  ten.erase(ten.begin() + 6);
  list.push_back({"twelve revolutes on two rods, one link massless", 10, chain(revolutes(12), {5}), ten});
  const auto add_rods = [](std::string& text, const std::string& rods) {
    text.insert(text.find("assembly:"), rods);
  };
  for (Case& c : list) {
    if (c.name.starts_with("nine revolutes and"))
      add_rods(c.text, "  rod: {rod: [ground.G, bar9.B], length: 3.2}\n");
    if (c.name.starts_with("twelve"))
      add_rods(c.text,
               "  rod: {rod: [ground.G, bar12.B], length: 3.5, mass: 0.7}\n"
               "  stay: {rod: [ground.G, bar7.B], length: 2.1}\n");
  }
  return list;
}

class ForwardRun : public testing::TestWithParam<Case> {};

// 1e-9 is the promise, relative to the largest effort and to the largest power.
TEST_P(ForwardRun, IsGivenBackByInverseDynamics) {
  const Case& c = GetParam();
  const model::Mechanism loaded = test::released(test::mechanism_of_text(with_loads(c.text, c.actuators)));
  const test::DynamicCase plain(test::released(test::mechanism_of_text(c.text)));
  std::vector<coordinates::Prescribed> actuators;
  for (const Actuator& actuator : c.actuators)
    actuators.push_back({model::find_variable(plain.mechanism, actuator.name), actuator.name});
  if (!c.held.empty()) {
    const auto body = std::get<model::BodyIndex>(*plain.mechanism.find(c.held));
    actuators.push_back({coordinates::HeldDirection{body, {0, 0, 1}, {0, 1, 0}}, "spin"});
  }
  dynamics::InverseDynamics inverse(plain.model, actuators);

  const test::DynamicCase probe(loaded);
  test::Way way{.formulation = dynamics::choose_formulation(probe.model).formulation, .kind = ""};
  way.options.largest_step = 0.01;
  test::SimulatedCase run(loaded, c.until, way);
  double worst = 0.0, worst_balance = 0.0, largest = 0.0, largest_power = 0.0;
  for (int k = 0; k <= 8; ++k) {
    const double t = c.until * k / 8.0;
    ASSERT_TRUE(run.advance_to(t));
    dynamics::ForceMemory memory = run.simulation.point().state.memory;
    std::ranges::fill(memory.loads, 0.0);  // found again
    inverse.solve(t, run.bodies, memory);
    EXPECT_EQ(inverse.num_freedoms(), c.freedoms);
    EXPECT_LE(inverse.residual(), 1e-9);
    for (std::size_t i = 0; i < actuators.size(); ++i) {
      const double expected = i < c.actuators.size() ? c.actuators[i].effort(t) : 0.0;
      worst = std::max(worst, std::abs(inverse.efforts()[i] - expected));
      largest = std::max(largest, std::abs(expected));
      EXPECT_TRUE(inverse.is_effort_unique(i));
    }
    const dynamics::Powers& powers = inverse.powers();
    worst_balance = std::max(worst_balance, std::abs(powers.balance()));
    largest_power =
        std::max({largest_power, std::abs(powers.actuators), std::abs(powers.kinetic), powers.dampers});
  }
  EXPECT_LE(worst, 1e-9 * largest);
  EXPECT_LE(worst_balance, 1e-9 * largest_power);
  RecordProperty("worst", fmt::format("{:.2g}", worst / largest));
  RecordProperty("balance", fmt::format("{:.2g}", worst_balance / largest_power));
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, ForwardRun, testing::ValuesIn(cases()),
                         [](const auto& each) { return test::test_name(each.param.name); });

}  // namespace
}  // namespace eslabon::integration
