#include "tests/spatial_group_case.hpp"

#include <array>

#include "tests/mechanism_sketch.hpp"

#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/mechanism_writer.hpp"

namespace eslabon::test {
namespace {

using Eigen::Vector3d;
using model::JointType;
using sketch::Pair;
using sketch::Sketch;

model::Mechanism with_motors(const Sketch& sketch, const std::vector<std::string>& joints) {
  const model::Mechanism mechanism = sketch.build();
  std::string drivers;
  for (const std::string& joint : joints)
    drivers += (drivers.empty() ? "" : ", ") + ("motor_" + joint) + ": {joint: " + joint + ", speed: 0.3}";
  return io::read_mechanism(io::write_mechanism(mechanism) + "\ndrivers: {" + drivers + "}\n",
                            mechanism.name());
}

Pair drawn(char letter, const Vector3d& p) {
  const Vector3d hinge = Vector3d(0.5, -0.4, 0.8).normalized(), u = Vector3d(1.0, 0.2, -0.3).normalized();
  switch (letter) {
    case 'R':
      return {JointType::kRevolute, p, hinge};
    case 'P':
      return {JointType::kPrismatic, p, hinge};
    case 'C':
      return {JointType::kUniversal, p, u, u.cross(Vector3d(0.3, 1.0, 0.4)).normalized()};
    default:
      return {JointType::kSpherical, p};
  }
}

}  // namespace

void PrintTo(const GroupCase& c, std::ostream* out) { *out << c.name; }

GroupCase dyad(const std::string& type, const std::string& letters, const std::string& order) {
  Sketch sketch("dyad", model::Space::kSpatial);
  const std::array<Vector3d, 3> at{Vector3d(0.4, 0.2, 0.1), Vector3d(1.1, 0.9, 0.6),
                                   Vector3d(1.8, 0.1, -0.1)};
  sketch.join("A", "ground", "left",
              {JointType::kRevolute, {0.0, 0.0, 0.0}, Vector3d(0.2, 0.1, 1.0).normalized()});
  sketch.join("B", "ground", "right",
              {JointType::kRevolute, {2.2, -0.2, 0.3}, Vector3d(0.1, 1.0, 0.3).normalized()});
  const std::array<std::string, 4> bodies{"left", "one", "two", "right"};
  for (std::size_t i = 0; i < 3; ++i) {
    const bool is_swapped = order[i] == 's';
    sketch.join("J" + std::to_string(i + 1), bodies[i + (is_swapped ? 1 : 0)],
                bodies[i + (is_swapped ? 0 : 1)], drawn(letters[i], at[i]));
  }
  return {letters + "_" + order, type, with_motors(sketch, {"A", "B"}), {"left", "right"}, {at[0], at[2]}};
}

GroupCase spherical_dyad(const std::string& order) {
  const Vector3d centre(0.1, 0.2, 0.3);
  const auto hinge = [&](double x, double y, double z, double away) {
    const Vector3d u = Vector3d(x, y, z).normalized();
    return Pair{JointType::kRevolute, Vector3d(centre + away * u), u};
  };
  Sketch sketch("spherical dyad", model::Space::kSpatial);
  sketch.join("A", "ground", "left", hinge(0.1, -0.2, 1.0, 0.6));
  sketch.join("B", "ground", "right", hinge(1.0, 0.1, 0.2, 0.7));
  const std::array<std::string, 4> bodies{"left", "one", "two", "right"};
  const std::array<Pair, 3> joints{hinge(0.2, 0.5, 1.0, 0.5), hinge(0.4, 1.0, 0.5, 0.8),
                                   hinge(1.0, 0.6, 0.3, 0.4)};
  for (std::size_t i = 0; i < 3; ++i) {
    const bool is_swapped = order[i] == 's';
    sketch.join("J" + std::to_string(i + 1), bodies[i + (is_swapped ? 1 : 0)],
                bodies[i + (is_swapped ? 0 : 1)], joints[i]);
  }
  return {"RRR_" + order, "3R", with_motors(sketch, {"A", "B"}), {"left", "right"}, {centre, centre}, true};
}

GroupCase planar_dyad() {
  Sketch sketch("planar dyad", model::Space::kPlanar);
  const auto pin = [](double x, double y) { return Pair{JointType::kRevolute, {x, y, 0.0}}; };
  sketch.join("A", "ground", "left", pin(0.0, 0.0));
  sketch.join("B", "ground", "right", pin(2.2, -0.2));
  sketch.join("J1", "left", "one", pin(0.4, 0.2));
  sketch.join("J2", "one", "two", pin(1.1, 0.9));
  sketch.join("J3", "two", "right", pin(1.8, 0.1));
  return {"planar_RRR",
          "dyad RRR",
          with_motors(sketch, {"A", "B"}),
          {"left", "right"},
          {{0.4, 0.2, 0.0}, {1.8, 0.1, 0.0}}};
}

GroupCase driven_link(char letter, bool is_swapped) {
  Sketch sketch("driven link", model::Space::kSpatial);
  sketch.join("A", "ground", "left", drawn('R', {0.0, 0.0, 0.0}));
  const Vector3d at(0.4, 0.2, 0.1);
  Pair pair = drawn(letter, at);
  pair.u = Vector3d(0.3, 0.9, -0.2).normalized();
  sketch.join("J", is_swapped ? "one" : "left", is_swapped ? "left" : "one", pair);
  return {std::string(1, letter) + (is_swapped ? "_s" : "_f"),
          std::string("1") + letter,
          with_motors(sketch, {"A", "J"}),
          {"left"},
          {at}};
}

namespace {

std::vector<GroupCase> hinged_dyads() {
  std::vector<GroupCase> cases;
  for (const std::string h : {"R", "P"}) {
    const std::string one = "1C1E1" + h, two = "2E1" + h;
    // The hinge outside, C and then E inside; on the other side; the hinge inside.
    for (const std::string& letters : {h + "CE", h + "EC", "EC" + h, "CE" + h, "C" + h + "E", "E" + h + "C"})
      for (const char* order : {"fff", "sss"}) cases.push_back(dyad(one, letters, order));
    cases.push_back(dyad(one, h + "CE", "fsf"));
    cases.push_back(dyad(one, h + "EC", "ffs"));
    cases.push_back(dyad(one, "C" + h + "E", "sff"));
    for (const std::string& letters : {h + "EE", "E" + h + "E"})
      for (const char* order : {"fff", "sss"}) cases.push_back(dyad(two, letters, order));
    cases.push_back(dyad(two, "EE" + h, "fsf"));
  }
  return cases;
}

}  // namespace

std::vector<GroupCase> spatial_dyads() {
  std::vector<GroupCase> cases = hinged_dyads();
  for (const char* order : {"fff", "sss", "fsf", "sff"}) cases.push_back(spherical_dyad(order));
  return cases;
}

}  // namespace eslabon::test
