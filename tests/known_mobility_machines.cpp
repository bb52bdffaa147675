// Mechanisms of known mobility: several loops, bearings, robots, vehicles.
#include "tests/mechanism_sketch.hpp"

#include "eslabon/io/mechanism/model_source.hpp"

namespace eslabon::test::sketch {

namespace {

// ---- Several loops, bearings, robots -------------------------------------------------------------------------------

/// Legs of three parallel hinges each between ground and platform; the i-th leg folds about directions[i].
Sketch sarrus(const std::string& name, const std::vector<V>& directions) {
  Sketch sketch(name, Space::kSpatial);
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const V u = directions[i].normalized(), out = u.cross(V::UnitZ()), foot = 0.5 * out;
    const std::string leg = letter(i);
    sketch.join(leg + "1", "ground", leg + "low", {R, foot, u});
    sketch.join(leg + "2", leg + "low", leg + "high", {R, V(foot + 0.25 * out + V(0, 0, 0.3)), u});
    sketch.join(leg + "3", leg + "high", "platform", {R, V(foot + 0.05 * out + V(0, 0, 0.65)), u});
  }
  return sketch;
}

Names hinges_of_legs(std::size_t legs) {
  Names names;
  for (std::size_t i = 0; i < legs; ++i)
    for (const char* n : {"1", "2", "3"}) names.push_back(letter(i) + n);
  return names;
}

V on_circle(double radius, double angle, double z) {
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

void add_parallel_machines(std::vector<KnownMobility>& list) {
  const Space space = Space::kSpatial;
  list.push_back(known(sarrus("Sarrus linkage", {V(1, 0, 0), V(0, 1, 0)}), {0, 1, 1},
                       "Sarrus 1853: straight line, both legs forbid the turn about z", hinges_of_legs(2)));
  list.push_back(known(sarrus("Sarrus linkage with three legs", {V(1, 0, 0), V(-0.4, 1, 0), V(-0.7, -1, 0)}),
                       {-3, 1, 4}, "by thought: the third leg brings 5·3 rows and 6·2 freedoms for no effect",
                       hinges_of_legs(3)));
  list.push_back(known(sarrus("Sarrus linkage with parallel legs", {V(1, 0, 0), V(-1, 0, 0)}), {0, 3, 3},
                       "by thought: a planar six-bar ring in space", hinges_of_legs(2)));

  const auto hexapod = [&](const std::string& name, JointType lower) {
    Sketch sketch(name, space);
    for (int i = 0; i < 6; ++i) {
      const double base = std::numbers::pi / 3.0 * i + (i % 2 == 0 ? 0.2 : -0.2);
      const double top = std::numbers::pi / 3.0 * i + (i % 2 == 0 ? -0.35 : 0.35);
      const V foot = on_circle(1.0, base, 0.0),
              head = on_circle(0.6, top + 0.1, 0.9) + V(0.1, 0.05, 0.02 * i);
      const V along = (head - foot).normalized(), side = along.cross(V::UnitZ()).normalized();
      const std::string n = std::to_string(i + 1);
      sketch.join("base" + n, "ground", "tube" + n, {lower, foot, side, along.cross(side)});
      sketch.join("slide" + n, "tube" + n, "piston" + n, {P, V(0.5 * (foot + head)), along});
      sketch.join("top" + n, "piston" + n, "platform", {S, head});
    }
    return sketch;
  };
  list.push_back(
      known(hexapod("Stewart platform 6-SPS", S), {12, 12, 0, 6}, "textbook: 6 and a spin of each leg"));
  list.push_back(
      known(hexapod("Stewart platform 6-UPS", U), {6, 6, 0}, "textbook: 6·13 − 6·(4 + 5 + 3) = 6"));
}

void add_three_legged_machines(std::vector<KnownMobility>& list) {
  const Space space = Space::kSpatial;
  Sketch rps("3-RPS", space);
  Sketch cartesian("3-PRRR", space);
  Sketch delta("Delta with ball-ended rods", space), delta_rods("Delta with rods", space);
  for (int i = 0; i < 3; ++i) {
    const double angle = 0.3 + 2.0 * std::numbers::pi * i / 3.0;
    const std::string n = std::to_string(i + 1);
    const V out = on_circle(1.0, angle, 0.0), side = on_circle(1.0, angle + 0.5 * std::numbers::pi, 0.0);
    const V foot = 0.6 * out, head = 0.4 * out + V(0, 0, 0.8);
    rps.join("base" + n, "ground", "tube" + n, {R, foot, side});
    rps.join("slide" + n, "tube" + n, "piston" + n, {P, V(0.5 * (foot + head)), head - foot});
    rps.join("top" + n, "piston" + n, "platform", {S, head});

    // All pairs of a leg along one direction, the legs along x, y and z.
    const V u = V::Unit(i), v = V::Unit((i + 1) % 3), w = V::Unit((i + 2) % 3);
    cartesian.join("slide" + n, "ground", "carriage" + n, {P, V(-0.5 * v - 0.4 * w + 0.1 * u), u});
    cartesian.join("shoulder" + n, "carriage" + n, "upper" + n, {R, V(-0.5 * v - 0.4 * w), u});
    cartesian.join("elbow" + n, "upper" + n, "fore" + n, {R, V(-0.1 * v - 0.5 * w), u});
    cartesian.join("wrist" + n, "fore" + n, "platform", {R, V(0.02 * v - 0.05 * w + 0.05 * u), u});

    const V elbow = 0.5 * out + V(0, 0, -0.1), platform_point = V(0.05, 0.02, -0.7) + 0.1 * out;
    for (Sketch* sketch : {&delta, &delta_rods})
      sketch->join("shoulder" + n, "ground", "arm" + n, {R, V(0.3 * out), side});
    for (const double half : {0.06, -0.06}) {
      const std::string rod = n + (half > 0.0 ? "a" : "b");
      delta.join("elbow" + rod, "arm" + n, "rod" + rod, {S, V(elbow + half * side)});
      delta.join("wrist" + rod, "rod" + rod, "platform", {S, V(platform_point + half * side)});
      delta_rods.rod("rod" + rod, "arm" + n, "platform", elbow + half * side, platform_point + half * side);
    }
  }
  list.push_back(known(rps, {3, 3, 0}, "Hunt: 6·7 − 3·(5 + 5 + 3) = 3"));
  list.push_back(known(
      cartesian, {0, 3, 3},
      "Kim and Tsai's Cartesian manipulator: each leg forbids two turns, so all three are forbidden twice",
      {"slide1", "shoulder1", "elbow1", "wrist1", "slide2", "shoulder2", "elbow2", "wrist2", "slide3",
       "shoulder3", "elbow3", "wrist3"}));
  list.push_back(known(delta, {9, 9, 0, 6}, "Clavel: three translations, and six spins"));
  list.push_back(known(delta_rods, {3, 3, 0}, "Clavel: three translations"));
}

void add_bearings(std::vector<KnownMobility>& list) {
  const Space space = Space::kSpatial;
  const V O(0.1, 0.2, 0), u(1, 2, 3);
  const auto held = [&](const std::string& name, const std::vector<Pair>& pairs) {
    Sketch sketch(name, space);
    for (std::size_t i = 0; i < pairs.size(); ++i) sketch.join(letter(i), "ground", "part", pairs[i]);
    return sketch;
  };
  const V higher = O + 0.3 * u, beside = O + V(0.2, -0.5, 0.1);
  list.push_back(known(held("door on two hinges", {{R, O, u}, {R, higher, u}}), {-4, 1, 5},
                       "by thought: the second hinge repeats the first", letters(2)));
  list.push_back(known(held("door on three hinges", {{R, O, u}, {R, higher, u}, {R, V(O + 0.5 * u), u}}),
                       {-9, 1, 10}, "by thought", letters(3)));
  list.push_back(
      known(held("drawer on two rails", {{P, O, u}, {P, beside, u}}), {-4, 1, 5}, "by thought", letters(2)));
  list.push_back(known(held("shaft in a fixed and a loose bearing", {{R, O, u}, {C, higher, u}}), {-3, 1, 4},
                       "by thought: the loose bearing repeats all of its four rows", letters(2)));
  list.push_back(
      known(held("shaft in two sleeves", {{C, O, u}, {C, higher, u}}), {-2, 2, 4}, "by thought", letters(2)));
  list.push_back(known(held("door on two balls", {{S, O}, {S, higher}}), {0, 1, 1},
                       "by thought: the distance of the balls is held twice", letters(2)));
  list.push_back(
      known(held("block on two faces of one plane", {{E, O, u}, {E, V(O + u.unitOrthogonal()), u}}),
            {0, 3, 3}, "by thought", letters(2)));
  list.push_back(known(held("nut welded and hinged", {{W, O, u}, {R, higher, u}}), {-5, 0, 5},
                       "by thought: the hinge repeats five rows of the weld", letters(2)));
  list.push_back(known(held("free body", {{JointType::kFree, O}}), {6, 6, 0}, "by definition"));
}

void add_points_on_lines_and_planes(std::vector<KnownMobility>& list) {
  const Space space = Space::kSpatial;
  const V z = V::UnitZ(), n = V(0.3, 0.1, 1).normalized();
  Sketch swash("swash plate", space);
  swash.join("O", "ground", "plate", {R, V(0, 0, 0), z});
  swash.join("guide", "ground", "plunger", {P, V(0.3, 0, -0.09), z});
  swash.join("tip", "plate", "plunger", {OnPlane, V(0.3, 0, -0.09), n});
  list.push_back(known(swash, {1, 1, 0}, "textbook: 6·2 − 2·5 − 1 = 1"));

  Sketch groove("ball in a groove", space);
  groove.join("O", "ground", "crank", {R, V(0, 0, 0), V(1, 0.2, 0)});
  groove.join("sleeve", "ground", "shaft", {C, V(0.2, 0.1, 0.5), V(0.1, 1, 0)});
  groove.join("groove", "shaft", "crank", {OnLine, V(0.1, 0.4, 0.3), V(0.2, 0.1, 1)});
  list.push_back(known(groove, {1, 1, 0}, "textbook: 6·2 − 5 − 4 − 2 = 1"));

  const std::array<V, 4> feet{V(0, 0, 0), V(1, 0.1, 0), V(0.8, 0.9, 0), V(-0.1, 0.7, 0)};
  const auto table = [&](const std::string& name, std::size_t legs) {
    Sketch sketch(name, space);
    for (std::size_t i = 0; i < legs; ++i) sketch.join(letter(i), "ground", "table", {OnPlane, feet[i], z});
    return sketch;
  };
  list.push_back(known(table("table on three legs", 3), {3, 3, 0}, "textbook: 6 − 3 = 3"));
  list.push_back(known(table("table on four legs", 4), {2, 3, 1},
                       "by thought: it does not rock on an even floor", letters(4)));

  Sketch kelvin("Kelvin's clamp", space);
  kelvin.join("hole", "ground", "plate", {S, feet[0]});
  kelvin.join("groove", "ground", "plate", {OnLine, feet[1], V(feet[1] - feet[0])});
  kelvin.join("flat", "ground", "plate", {OnPlane, feet[2], z});
  list.push_back(known(kelvin, {0, 0, 0}, "textbook: a hole, a groove and a flat hold a plate exactly"));

  Sketch maxwell("Maxwell's clamp", space);
  for (std::size_t i = 0; i < 3; ++i)
    maxwell.join(letter(i), "ground", "plate", {OnLine, feet[i], V(feet[i] - V(0.6, 0.4, 0))});
  list.push_back(known(maxwell, {0, 0, 0}, "textbook: three grooves hold a plate exactly"));
}

void add_robots_and_vehicles(std::vector<KnownMobility>& list) {
  const Space space = Space::kSpatial;
  list.push_back(known(
      chain(
          "SCARA", space,
          {{R, V(0, 0, 0)}, {R, V(0.4, 0.1, 0.5)}, {R, V(0.7, 0.3, 0.5)}, {P, V(0.7, 0.3, 0.4), V(0, 0, -1)}},
          false),
      {4, 4, 0}, "no loop"));
  list.push_back(known(chain("six-axis robot", space,
                             {{R, V(0, 0, 0)},
                              {R, V(0, 0, 0.4), V(0, 1, 0)},
                              {R, V(0.3, 0, 0.7), V(0, 1, 0)},
                              {R, V(0.5, 0, 0.7), V(1, 0, 0)},
                              {R, V(0.6, 0, 0.7), V(0, 1, 0)},
                              {R, V(0.7, 0, 0.7), V(1, 0, 0)}},
                             false),
                       {6, 6, 0}, "no loop"));

  Sketch spatial_watt("Watt six-bar in space", space);
  const std::array<std::string, 6> link{"ground", "crank", "coupler", "rocker", "l5", "l6"};
  const std::array<std::array<std::size_t, 2>, 7> ends{
      {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {3, 4}, {4, 5}, {5, 0}}};
  const std::array<V, 7> pins{V(0, 0, 0),       V(0.2, 0.3, 0.1), V(0.9, 0.6, 0), V(1, 0, 0.2),
                              V(1.1, 0.7, 0.1), V(1.8, 0.5, 0),   V(1.7, -0.1, 0)};
  for (std::size_t i = 0; i < 7; ++i)
    spatial_watt.join(letter(i), link[ends[i][0]], link[ends[i][1]], {R, pins[i]});
  list.push_back(known(spatial_watt, {-5, 1, 6}, "planar, 3 more redundant rows per loop", letters(7)));

  const auto from_file = [](const std::string& file, const Answer& answer, std::string source, Names joints) {
    return KnownMobility{file,
                         io::load_model(ESLABON_SOURCE_DIR "/models/" + file),
                         answer.gruebler,
                         answer.rank,
                         answer.redundant,
                         answer.idle,
                         answer.shaky,
                         std::move(joints),
                         std::move(source)};
  };
  list.push_back(from_file("double-wishbone.yaml", {2, 2, 0}, "travel and spin of the wheel", {}));
  list.push_back(
      from_file("quarter-vehicle.yaml", {-1, 2, 3},
                "[Seed002, table 1 and §2.1]: −1 by Grübler, 2 freedoms, 40 of 43 rows independent",
                {"A", "B", "C", "D"}));
  list.push_back(from_file("rolling/disc.yaml", {5, 5, 0},
                           "in position: place, heading, lean and spin; rolling constrains velocities", {}));
}

}  // namespace

void add_machines(std::vector<KnownMobility>& list) {
  add_parallel_machines(list);
  add_three_legged_machines(list);
  add_bearings(list);
  add_points_on_lines_and_planes(list);
  add_robots_and_vehicles(list);
}

}  // namespace eslabon::test::sketch
