// Mechanisms of known mobility: in the plane, and trusses.
#include "tests/mechanism_sketch.hpp"

namespace eslabon::test::sketch {

namespace {

// ---- Planar --------------------------------------------------------------------------------------------------------

void add_planar_linkages(std::vector<KnownMobility>& list) {
  const Space plane = Space::kPlanar;
  list.push_back(known(ring("planar four-bar", plane, kFourBar), {1, 1, 0}, "textbook: 3·3 − 4·2 = 1"));
  list.push_back(known(
      ring("planar slider-crank", plane,
           {{R, V(0, 0, 0)}, {R, V(0.1, 0.2, 0)}, {R, V(0.8, 0.05, 0)}, {P, V(0.8, 0.05, 0), V(2, 0.3, 0)}}),
      {1, 1, 0}, "textbook: 3·3 − 4·2 = 1"));
  list.push_back(known(ring("planar five-bar", plane,
                            {{R, V(0, 0, 0)},
                             {R, V(0.1, 0.4, 0)},
                             {R, V(0.5, 0.7, 0)},
                             {R, V(0.9, 0.35, 0)},
                             {R, V(0.8, 0, 0)}}),
                       {2, 2, 0}, "textbook: 3·4 − 5·2 = 2"));
  list.push_back(known(
      ring(
          "Oldham coupling in the plane", plane,
          {{R, V(0, 0, 0)}, {P, V(0, 0, 0), V(3, 1, 0)}, {P, V(0, 0, 0), V(-1, 3, 0)}, {R, V(0.1, 0.05, 0)}}),
      {1, 1, 0}, "textbook: cross slider, 3·3 − 4·2 = 1"));
  list.push_back(known(ring("three wedges", plane,
                            {{P, V(0, 0, 0), V(1, 0.2, 0)},
                             {P, V(0.3, 0.1, 0), V(0.6, 0.8, 0)},
                             {P, V(0.5, 0, 0), V(-0.3, 1, 0)}}),
                       {0, 1, 1},
                       "by thought: nothing can turn, so three pairs share the two equations of translation",
                       letters(3)));
  list.push_back(known(chain("double pendulum", plane, {{R, V(0, 0, 0)}, {R, V(0.3, -0.4, 0)}}, false),
                       {2, 2, 0}, "no loop"));
}

void add_pins_in_slots(std::vector<KnownMobility>& list) {
  const Space plane = Space::kPlanar;
  const V C(0, 0.3, 0), O(0, 0, 0), pin(0.1, 0.35, 0), end(0.2, 0.7, 0), x(1, 0, 0), y(0, 1, 0);
  Sketch whitworth("Whitworth's quick return with pins in slots", plane);
  whitworth.join("C", "ground", "crank", {R, C});
  whitworth.join("O", "ground", "lever", {R, O});
  whitworth.join("slot", "lever", "crank", {Slot, pin, V(pin - O)});
  whitworth.join("guide", "ground", "ram", {P, end, x});
  whitworth.join("end", "ram", "lever", {Slot, end, y});
  list.push_back(known(whitworth, {1, 1, 0}, "textbook: 3·3 − 3·2 − 2·1 = 1"));

  Sketch yoke("Scotch yoke", plane);
  yoke.join("O", "ground", "crank", {R, O});
  yoke.join("guide", "ground", "yoke", {P, pin, x});
  yoke.join("slot", "yoke", "crank", {Slot, pin, y});
  list.push_back(known(yoke, {1, 1, 0}, "textbook: 3·2 − 2·2 − 1 = 1"));

  Sketch bar("bar on a slide with a pin in a parallel slot", plane);
  bar.join("A", "ground", "bar", {P, O, x});
  bar.join("B", "ground", "bar", {Slot, V(0.4, 0.2, 0), x});
  list.push_back(
      known(bar, {0, 1, 1}, "by thought: the slide forbids the turn, the pin can do no more", letters(2)));

  Sketch four_bar("four-bar with an arc for its rocker", plane);
  four_bar.join("A", "ground", "crank", {R, O});
  four_bar.join("P", "crank", "coupler", {R, pin});
  four_bar.circular_slot("arc", "ground", "coupler", V(0.8, 0, 0), V(0.7, 0.6, 0));
  list.push_back(known(four_bar, {1, 1, 0}, "textbook: 3·2 − 2·2 − 1 = 1"));

  Sketch plate("plate on a crank and two parallel arcs", plane);
  const V arc(0.2, -0.3, 0);
  const std::array<V, 3> pins{V(0, 0, 0), V(0.5, 0.2, 0), V(0.9, -0.1, 0)};
  plate.join("A", "ground", "crank", {R, V(pins[0] + arc)});
  plate.join("B", "crank", "plate", {R, pins[0]});
  plate.circular_slot("C", "ground", "plate", pins[1] + arc, pins[1]);
  plate.circular_slot("D", "ground", "plate", pins[2] + arc, pins[2]);
  list.push_back(
      known(plate, {0, 1, 1}, "by thought: equal parallel cranks, one of three too many", letters(4)));
}

void add_planar_six_bars(std::vector<KnownMobility>& list) {
  const Space plane = Space::kPlanar;
  Sketch watt("Watt six-bar", plane);
  const auto add_four_bar = [&](Sketch& sketch) {
    const std::array<std::string, 5> link{"ground", "crank", "coupler", "rocker", "ground"};
    for (std::size_t i = 0; i < 4; ++i) sketch.join(letter(i), link[i], link[i + 1], kFourBar[i]);
  };
  add_four_bar(watt);
  watt.join("E", "rocker", "l5", {R, V(1.1, 0.7, 0)});
  watt.join("F", "l5", "l6", {R, V(1.8, 0.5, 0)});
  watt.join("G", "l6", "ground", {R, V(1.7, -0.1, 0)});
  list.push_back(known(watt, {1, 1, 0}, "textbook: 3·5 − 7·2 = 1"));

  Sketch stephenson("Stephenson six-bar", plane);
  add_four_bar(stephenson);
  stephenson.join("E", "coupler", "l5", {R, V(0.5, 0.9, 0)});
  stephenson.join("F", "l5", "l6", {R, V(1.5, 1.1, 0)});
  stephenson.join("G", "l6", "ground", {R, V(1.6, 0.2, 0)});
  list.push_back(known(stephenson, {1, 1, 0}, "textbook: 3·5 − 7·2 = 1"));
}

void add_planar_with_many_pins(std::vector<KnownMobility>& list) {
  const Space plane = Space::kPlanar;
  // Rhombus B P D Q hung on O by two equal bars, P on a circle through O: Q runs on a straight line.
  Sketch peaucellier("Peaucellier straight-line linkage", plane);
  const V O(0, 0, 0), crank_center(0.4, 0, 0),
      pin_P = crank_center + 0.4 * V(std::cos(0.9), std::sin(0.9), 0);
  const V along = pin_P.normalized(), across = V::UnitZ().cross(along);
  const V pin_B = pin_P + 0.2 * along + 0.35 * across, pin_D = pin_P + 0.2 * along - 0.35 * across;
  const V pin_Q = pin_P + 0.4 * along;
  peaucellier.join("O1", "ground", "OB", {R, O});
  peaucellier.join("O2", "ground", "OD", {R, O});
  peaucellier.join("B1", "OB", "BP", {R, pin_B});
  peaucellier.join("B2", "OB", "BQ", {R, pin_B});
  peaucellier.join("D1", "OD", "DP", {R, pin_D});
  peaucellier.join("D2", "OD", "DQ", {R, pin_D});
  peaucellier.join("P1", "BP", "DP", {R, pin_P});
  peaucellier.join("Q", "BQ", "DQ", {R, pin_Q});
  peaucellier.join("P2", "BP", "crank", {R, pin_P});
  peaucellier.join("A", "crank", "ground", {R, crank_center});
  list.push_back(
      known(peaucellier, {1, 1, 0}, "Peaucellier: seven moving bars, ten simple pins, 3·7 − 10·2 = 1"));

  // Both welds hold the same two halves: the second says what the first has said.
  Sketch welded("four-bar with a coupler welded twice", plane);
  welded.join("A", "ground", "crank", kFourBar[0]);
  welded.join("B", "crank", "half1", kFourBar[1]);
  welded.join("weld1", "half1", "half2", {W, V(0.4, 0.5, 0), V(1, 0, 0)});
  welded.join("weld2", "half1", "half2", {W, V(0.6, 0.4, 0), V(1, 0, 0)});
  welded.join("C", "half2", "rocker", kFourBar[2]);
  welded.join("D", "rocker", "ground", kFourBar[3]);
  list.push_back(
      known(welded, {-2, 1, 3}, "by thought: the second weld repeats the first", {"weld1", "weld2"}));
}

/// Equal and parallel cranks between the ground and one coupler; `last` lengthens the last crank.
Sketch parallel_cranks(std::string name, Space space, int count, double last = 0.0) {
  Sketch sketch(std::move(name), space);
  for (int i = 0; i < count; ++i) {
    const V foot(0.3 * i, 0.1 * i * i, space == Space::kPlanar ? 0.0 : 0.05 * i);
    const V head = foot + (1.0 + (i + 1 == count ? last : 0.0)) * V(0.2, 0.5, 0);
    const std::string number = std::to_string(i + 1);
    sketch.join("foot" + number, "ground", "crank" + number, {R, foot});
    sketch.join("head" + number, "crank" + number, "coupler", {R, head});
  }
  return sketch;
}

Names feet_and_heads(int count) {
  Names names;
  for (int i = 1; i <= count; ++i) {
    names.push_back("foot" + std::to_string(i));
    names.push_back("head" + std::to_string(i));
  }
  return names;
}

void add_planar_special(std::vector<KnownMobility>& list) {
  const Space plane = Space::kPlanar;
  list.push_back(known(parallel_cranks("parallelogram with a third crank", plane, 3), {0, 1, 1},
                       "textbook: the crank that repeats a parallelogram", feet_and_heads(3)));
  list.push_back(known(parallel_cranks("parallelogram with five cranks", plane, 5), {-2, 1, 3},
                       "as with three; each further crank takes 2·2 rows and brings 3 freedoms",
                       feet_and_heads(5)));
  list.push_back(
      known(parallel_cranks("three cranks, one too long", plane, 3, 0.1), {0, 0, 0, 0, true},
            "by thought: parallel cranks let the coupler translate, but two circles of unequal radius part"));
  list.push_back(known(parallel_cranks("parallelogram with a third crank in space", Space::kSpatial, 3),
                       {-6, 1, 7}, "planar: 1 per two loops; space: 3 more per loop", feet_and_heads(3)));

  Sketch stacked("two parallelograms on each other", plane);
  for (const double x : {0.0, 0.5}) {
    const std::string side = x == 0.0 ? "left" : "right";
    stacked.join("foot_" + side, "ground", "low_" + side, {R, V(x, 0, 0)});
    stacked.join("knee_low_" + side, "low_" + side, "shelf", {R, V(x + 0.1, 0.4, 0)});
    stacked.join("knee_high_" + side, "shelf", "high_" + side, {R, V(x + 0.15, 0.5, 0)});
    stacked.join("head_" + side, "high_" + side, "table", {R, V(x - 0.1, 0.9, 0)});
  }
  list.push_back(known(stacked, {2, 2, 0}, "drawing board: 3·6 − 8·2 = 2"));

  // Disc, ring and disc stay parallel; each third link repeats the other two.
  Sketch schmidt("Schmidt coupling", plane);
  const V ring_center(0.25, 0.2, 0), far_center(0.45, -0.05, 0);
  schmidt.join("input", "ground", "disc1", {R, V(0, 0, 0)});
  for (int i = 0; i < 3; ++i) {
    const double angle = 0.4 + 2.0 * std::numbers::pi * i / 3.0;
    const V pin = 0.3 * V(std::cos(angle), std::sin(angle), 0.0);
    const std::string n = std::to_string(i + 1);
    schmidt.join("a" + n, "disc1", "near" + n, {R, pin});
    schmidt.join("b" + n, "near" + n, "ring", {R, ring_center + pin});
    schmidt.join("c" + n, "ring", "far" + n, {R, ring_center + pin});
    schmidt.join("d" + n, "far" + n, "disc2", {R, far_center + pin});
  }
  schmidt.join("output", "disc2", "ground", {R, far_center});
  list.push_back(known(schmidt, {-1, 1, 2}, "Schmidt: the ring's centre stands, all three turn together",
                       {"a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2", "a3", "b3", "c3", "d3"}));

  const auto scissor = [&](const std::string& name) {
    Sketch lift(name, plane);
    lift.join("foot", "ground", "bar1", {R, V(0, 0, 0)});
    lift.join("rail", "ground", "roller", {P, V(0.8, 0, 0), V(1, 0, 0)});
    lift.join("axle", "roller", "bar2", {R, V(0.8, 0, 0)});
    lift.join("middle", "bar1", "bar2", {R, V(0.4, 0.3, 0)});
    lift.join("head", "bar2", "table", {R, V(0, 0.6, 0)});
    lift.join("top_rail", "table", "top_roller", {P, V(0.8, 0.6, 0), V(1, 0, 0)});
    lift.join("top_axle", "top_roller", "bar1", {R, V(0.8, 0.6, 0)});
    return lift;
  };
  list.push_back(known(scissor("scissor lift"), {1, 1, 0}, "3·5 − 7·2 = 1"));
  Sketch guided = scissor("scissor lift with a guide");
  guided.join("guide", "ground", "table", {P, V(-0.1, 0.6, 0), V(0, 1, 0)});
  list.push_back(known(guided, {-1, 1, 2}, "by thought: the table rises straight with or without the guide",
                       {"foot", "rail", "axle", "middle", "head", "top_rail", "top_axle", "guide"}));
}

// ---- Trusses -------------------------------------------------------------------------------------------------------

void add_trusses(std::vector<KnownMobility>& list) {
  const Space plane = Space::kPlanar;
  list.push_back(
      known(ring("three-hinged arch", plane, {{R, V(0, 0, 0)}, {R, V(0.4, 0.3, 0)}, {R, V(1, 0, 0)}}),
            {0, 0, 0}, "textbook: statically determinate"));
  list.push_back(
      known(ring("flat three-hinged arch", plane, {{R, V(0, 0, 0)}, {R, V(0.4, 0.2, 0)}, {R, V(1, 0.5, 0)}}),
            {0, 0, 0, 0, true}, "textbook: two bars in line give way to first order only"));
  // The parallelogram at its change point: the four pins in line, parallel and crossed branch meet.
  list.push_back(known(ring("parallelogram at its change point", plane,
                            {{R, V(0, 0, 0)}, {R, V(0.4, 0.2, 0)}, {R, V(1.2, 0.6, 0)}, {R, V(0.8, 0.4, 0)}}),
                       {1, 1, 0, 0, true}, "textbook: folded flat, either branch may follow"));

  const std::array<V, 4> on_plate{V(0, 1, 0), V(0.8, 1.1, 0), V(0.5, 1.4, 0), V(0.3, 1.2, 0)};
  const auto plate = [&](const std::string& name, const std::vector<V>& feet) {
    Sketch sketch(name, plane);
    for (std::size_t i = 0; i < feet.size(); ++i)
      sketch.rod("rod" + std::to_string(i + 1), "ground", "plate", feet[i], on_plate[i]);
    return sketch;
  };
  const std::vector<V> feet{V(-0.2, 0, 0), V(1.0, 0.1, 0), V(1.4, 0.9, 0), V(-0.7, 0.4, 0)};
  list.push_back(known(plate("plate on three rods", {feet[0], feet[1], feet[2]}), {0, 0, 0},
                       "textbook: lines of the rods not through one point"));
  list.push_back(known(plate("plate on four rods", feet), {-1, 0, 1},
                       "textbook: once statically indeterminate", {"rod1", "rod2", "rod3", "rod4"}));
  const V center(0.35, 0.2, 0);  // where the lines of the rods meet
  const auto towards_center = [&](std::size_t i, double share) {
    return V(on_plate[i] + share * (center - on_plate[i]));
  };
  list.push_back(known(plate("plate on three rods through one point",
                             {towards_center(0, 0.5), towards_center(1, 0.8), towards_center(2, 1.4)}),
                       {0, 0, 0, 0, true}, "textbook: turns about the point to first order only"));
}

void add_spatial_trusses(std::vector<KnownMobility>& list) {
  // A platform on rods in space; with all six lines meeting the z axis it turns about that to first order.
  const auto platform = [&](const std::string& name, std::size_t rods, bool meet_z) {
    Sketch sketch(name, Space::kSpatial);
    for (std::size_t i = 0; i < rods; ++i) {
      const double n = static_cast<double>(i), a = 1.1 * n + 0.3 * std::sin(5.0 * n),
                   b = a + (i % 2 == 0 ? 0.5 : -0.6);
      const V foot(std::cos(a), 0.9 * std::sin(a), 0.1 * std::sin(3.0 * n));
      const V head(0.5 * std::cos(b), 0.6 * std::sin(b), 0.8 + 0.1 * std::cos(2.0 * n));
      const V on_z(0, 0, 2.0 + 0.4 * std::sin(2.0 * n) + 0.3 * n);
      sketch.rod("rod" + std::to_string(i + 1), "ground", "platform", foot,
                 meet_z ? V(foot + 0.4 * (on_z - foot)) : head);
    }
    return sketch;
  };
  list.push_back(known(platform("platform on six rods", 6, false), {0, 0, 0}, "hexapod with locked legs"));
  list.push_back(known(platform("platform on seven rods", 7, false), {-1, 0, 1},
                       "once statically indeterminate",
                       {"rod1", "rod2", "rod3", "rod4", "rod5", "rod6", "rod7"}));
  list.push_back(known(platform("platform on six rods that meet one line", 6, true), {0, 0, 0, 0, true},
                       "textbook: six lines of a singular linear complex"));
}

}  // namespace

void add_planar(std::vector<KnownMobility>& list) {
  add_planar_linkages(list);
  add_pins_in_slots(list);
  add_planar_six_bars(list);
  add_planar_with_many_pins(list);
  add_planar_special(list);
  add_trusses(list);
  add_spatial_trusses(list);
}

}  // namespace eslabon::test::sketch
