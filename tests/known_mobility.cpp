// Mechanisms of known mobility. Each is drawn in the world at its start position, so that its loops close whatever the
// numbers are; what it can do then is the geometry's answer, and known. A long file because it is a long list: read
// Sketch, then any entry.

#include "tests/known_mobility.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <utility>

#include <Eigen/Dense>

#include "eslabon/io/model_source.hpp"
#include "eslabon/model/mechanism_builder.hpp"

namespace eslabon::test {
namespace {

using model::JointType;
using model::Space;
using V = Eigen::Vector3d;
using Names = std::vector<std::string>;

constexpr auto R = JointType::kRevolute;
constexpr auto P = JointType::kPrismatic;
constexpr auto C = JointType::kCylindrical;
constexpr auto U = JointType::kUniversal;
constexpr auto S = JointType::kSpherical;
constexpr auto E = JointType::kPlanar;
constexpr auto W = JointType::kFixed;

/// A joint drawn in the world: where, and along what. Universal: u on the first body, u2 on the second.
struct Pair {
  JointType type;
  V p;
  V u = V::UnitZ();
  V u2 = V::Zero();
};

/// A mechanism drawn in the world at its start position. Bodies appear when they are first named, each with a frame of
/// its own that is parallel to nothing.
class Sketch {
 public:
  Sketch(std::string name, Space space) : name_(std::move(name)), space_(space) {}

  void join(const std::string& joint, const std::string& first, const std::string& second, const Pair& pair) {
    model::JointDescription description{joint, pair.type, first + "." + joint, second + "." + joint};
    if (needs_frames(pair.type)) {
      // These joints allow no turn about the axis: both bodies need the same second direction.
      add_frame(first, joint, pair);
      add_frame(second, joint, pair);
    } else {
      add_point(first, joint, pair.p);
      add_point(second, joint, pair.p);
      const model::AxisUse use = model::facts(pair.type).axis_use;
      const V& u2 = use == model::AxisUse::kCross ? pair.u2 : pair.u;
      if (use != model::AxisUse::kNone && space_ == Space::kSpatial)
        description.axis = model::AxisPair{in_body(first, pair.u), in_body(second, u2)};
    }
    joints_.push_back(description);
  }

  void rod(const std::string& joint, const std::string& first, const std::string& second, const V& p1,
           const V& p2) {
    add_point(first, joint, p1);
    add_point(second, joint, p2);
    joints_.push_back({joint, JointType::kRod, first + "." + joint, second + "." + joint});
    joints_.back().length = (p2 - p1).norm();
  }

  model::Mechanism build() const {
    model::MechanismBuilder builder(name_, space_);
    for (const model::NamedPoint& point : bodies_.front().points)
      builder.add_ground_point(point.name, point.p_BP_B);
    for (const model::NamedFrame& frame : bodies_.front().frames) builder.add_ground_frame(frame);
    for (std::size_t i = 1; i < bodies_.size(); ++i) {
      const Drawn& body = bodies_[i];
      builder.add_body({.name = body.name, .points = body.points, .frames = body.frames});
      if (space_ == Space::kPlanar) {
        builder.add_start_value(body.name + ".angle", body.turn.angle());
        builder.add_start_value(body.name + ".origin.x", body.p_WB.x());
        builder.add_start_value(body.name + ".origin.y", body.p_WB.y());
      } else {
        builder.add_start_position(body.name, body.p_WB);
        builder.add_start_rotation(body.name, body.turn.angle() * body.turn.axis());
      }
    }
    for (const model::JointDescription& joint : joints_) builder.add_joint(joint);
    return builder.build();
  }

 private:
  struct Drawn {
    std::string name;
    V p_WB;
    Eigen::AngleAxisd turn;  ///< R_WB
    std::vector<model::NamedPoint> points = {};
    std::vector<model::NamedFrame> frames = {};
  };

  static bool needs_frames(JointType type) { return type == P || type == W; }

  Drawn& body_of(const std::string& name) {
    for (Drawn& body : bodies_)
      if (body.name == name) return body;
    const double n = static_cast<double>(bodies_.size());
    const V axis =
        space_ == Space::kPlanar ? V::UnitZ() : V(std::cos(n), 0.3 + std::sin(2.0 * n), 0.7).normalized();
    const V p(0.31 * std::sin(1.7 * n), 0.23 * std::cos(2.3 * n),
              space_ == Space::kPlanar ? 0.0 : 0.17 * std::sin(n));
    bodies_.push_back({name, p, Eigen::AngleAxisd(0.5 + 0.9 * std::sin(1.1 * n), axis)});
    if (space_ == Space::kPlanar) bodies_.back().points.push_back({"origin", V::Zero()});
    return bodies_.back();
  }

  V in_body(const std::string& body, const V& direction) { return body_of(body).turn.inverse() * direction; }

  void add_point(const std::string& name, const std::string& joint, const V& p_W) {
    Drawn& body = body_of(name);
    body.points.push_back({joint, body.turn.inverse() * (p_W - body.p_WB)});
  }

  /// x along the axis.
  void add_frame(const std::string& name, const std::string& joint, const Pair& pair) {
    Drawn& body = body_of(name);
    const V z = space_ == Space::kPlanar ? V::UnitZ() : pair.u.unitOrthogonal();
    body.frames.push_back({joint, body.turn.inverse() * (pair.p - body.p_WB), body.turn.inverse() * pair.u,
                           space_ == Space::kPlanar ? z : V(body.turn.inverse() * z)});
  }

  std::string name_;
  Space space_;
  std::vector<Drawn> bodies_{{"ground", V::Zero(), Eigen::AngleAxisd::Identity()}};
  std::vector<model::JointDescription> joints_;
};

/// The numbers of KnownMobility, in its order.
struct Answer {
  int gruebler, rank, redundant;
  int idle = 0;
  bool shaky = false;
};

KnownMobility known(const Sketch& sketch, const Answer& answer, std::string source,
                    Names redundant_joints = {}) {
  model::Mechanism mechanism = sketch.build();
  std::string name = mechanism.name();
  return {std::move(name),  std::move(mechanism), answer.gruebler, answer.rank,
          answer.redundant, answer.idle,          answer.shaky,    std::move(redundant_joints),
          std::move(source)};
}

/// A, B, C, …
std::string letter(std::size_t i) { return std::string(1, static_cast<char>('A' + i)); }

Names letters(std::size_t count) {
  Names names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(letter(i));
  return names;
}

/// ground – A – link1 – B – link2 … and, in a ring, back to the ground.
Sketch chain(std::string name, Space space, const std::vector<Pair>& pairs, bool is_ring) {
  Sketch sketch(std::move(name), space);
  const auto link = [](std::size_t i) { return i == 0 ? std::string("ground") : "link" + std::to_string(i); };
  for (std::size_t i = 0; i < pairs.size(); ++i)
    sketch.join(letter(i), link(i), link(is_ring ? (i + 1) % pairs.size() : i + 1), pairs[i]);
  return sketch;
}

Sketch ring(std::string name, Space space, const std::vector<Pair>& pairs) {
  return chain(std::move(name), space, pairs, true);
}

Eigen::Isometry3d turn(double angle, const V& axis) {
  return Eigen::Isometry3d(Eigen::AngleAxisd(angle, axis.normalized()));
}

/// One link of Denavit and Hartenberg: turn by theta about z, shift by a and turn by alpha about the new x.
Eigen::Isometry3d link_transform(double theta, double a, double alpha) {
  return turn(theta, V::UnitZ()) * Eigen::Translation3d(a, 0.0, 0.0) * turn(alpha, V::UnitX());
}

Pair hinge_of(const Eigen::Isometry3d& X) { return {R, X.translation(), X.linear().col(2)}; }

struct Side {
  double a, alpha;
};

/// z axes of the frames before each link; throws unless the last link comes back to the first frame.
std::vector<Pair> hinges_of(const std::vector<Side>& sides, const Eigen::VectorXd& theta) {
  std::vector<Pair> hinges;
  Eigen::Isometry3d X = turn(0.7, V(1, 2, -1));  // nothing along the world's axes
  const Eigen::Isometry3d start = X;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    hinges.push_back(hinge_of(X));
    X = X * link_transform(theta(static_cast<int>(i)), sides[i].a, sides[i].alpha);
  }
  if (!X.isApprox(start, 1e-12)) throw std::logic_error("the ring of known_mobility.cpp does not close");
  return hinges;
}

/// Pins of a planar four-bar.
const std::vector<Pair> kFourBar{{R, V(0, 0, 0)}, {R, V(0.2, 0.3, 0)}, {R, V(0.9, 0.6, 0)}, {R, V(1, 0, 0)}};

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

// ---- Single loops in space -----------------------------------------------------------------------------------------

/// The planar four-bar and slider-crank, laid into space by X, with the axes along its z.
std::vector<Pair> laid_out(const Eigen::Isometry3d& X, std::vector<Pair> pairs) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    // The pins of one planar mechanism may lie at any height.
    pairs[i].p = X * V(pairs[i].p + V(0, 0, 0.04 * static_cast<double>(i * i)));
    pairs[i].u = X.linear() * pairs[i].u;
  }
  return pairs;
}

void add_planar_loops_in_space(std::vector<KnownMobility>& list) {
  const Space space = Space::kSpatial;
  const std::string four_source = "textbook: a planar loop of revolutes needs 3 of its 6 equations";
  const auto inclined = Eigen::Isometry3d(Eigen::Quaterniond::FromTwoVectors(V::UnitZ(), V(1, 2, 3)));
  list.push_back(known(ring("four-bar in space", space, laid_out(Eigen::Isometry3d::Identity(), kFourBar)),
                       {-2, 1, 3}, four_source, letters(4)));
  list.push_back(known(ring("inclined four-bar", space, laid_out(inclined, kFourBar)), {-2, 1, 3},
                       four_source, letters(4)));
  std::vector<Pair> tilted = laid_out(inclined, kFourBar);
  tilted[2].u = turn(0.1, V(1, 0, 0.3)) * tilted[2].u;
  list.push_back(
      known(ring("four-bar with one pin tilted", space, tilted), {-2, 0, 2},
            "by thought: four lines without relation give rank 4 of 6; Bennett's is the only movable one",
            letters(4)));
  const std::vector<Pair> slider{
      {R, V(0, 0, 0)}, {R, V(0.1, 0.2, 0)}, {R, V(0.8, 0.05, 0)}, {P, V(0.8, 0.05, 0), V(2, 0.3, 0)}};
  list.push_back(known(ring("slider-crank in space", space, laid_out(inclined, slider)), {-2, 1, 3},
                       four_source, letters(4)));
  const std::vector<Pair> wedges{
      {P, V(0, 0, 0), V(1, 0.2, 0)}, {P, V(0.3, 0.1, 0), V(0.6, 0.8, 0)}, {P, V(0.5, 0, 0), V(-0.3, 1, 0)}};
  list.push_back(known(ring("three wedges in space", space, laid_out(inclined, wedges)), {-3, 1, 4},
                       "by thought: three pairs share two equations", letters(3)));
  list.push_back(known(ring("four slides in space", space,
                            {{P, V(0, 0, 0), V(1, 0.2, 0.1)},
                             {P, V(0.3, 0, 0.1), V(0, 1, 0.4)},
                             {P, V(0.5, 0.2, 0), V(0.3, -0.1, 1)},
                             {P, V(0.1, 0.4, 0.2), V(1, 1, -1)}}),
                       {-2, 1, 3}, "by thought: nothing can turn, so four pairs share three equations",
                       letters(4)));
  list.push_back(known(ring("Oldham coupling in space", space,
                            laid_out(inclined, {{R, V(0, 0, 0)},
                                                {P, V(0, 0, 0), V(3, 1, 0)},
                                                {P, V(0, 0, 0), V(-1, 3, 0)},
                                                {R, V(0.1, 0.05, 0)}})),
                       {-2, 1, 3}, four_source, letters(4)));
  // Vehicle door with a check strap that slides through a swivel on the door.
  Sketch door("car door with a check strap", space);
  door.join("hinge", "ground", "door", {R, V(0, 0, 0)});
  door.join("strap_pin", "ground", "strap", {R, V(0.1, 0.2, 0.3)});
  door.join("slot", "strap", "swivel", {P, V(0.3, 0.25, 0.3), V(0.2, 0.05, 0)});
  door.join("swivel_pin", "swivel", "door", {R, V(0.4, 0.275, 0.25)});
  list.push_back(known(door, {-2, 1, 3}, four_source, {"hinge", "strap_pin", "slot", "swivel_pin"}));
}

/// The four axes of a Bennett linkage: sides (a, alpha) and (b, beta) in turn with sin(alpha)/a = sin(beta)/b, and
///   tan(theta1/2) tan(theta2/2) = sin((alpha + beta)/2) / sin((beta − alpha)/2),                              (1)
///   theta3 = 2π − theta1,  theta4 = 2π − theta2.                                                             (2)
std::vector<Eigen::Isometry3d> bennett_frames(const Eigen::Isometry3d& first, const Side& a, const Side& b,
                                              double theta1) {
  const double theta2 = 2.0 * std::atan(std::sin(0.5 * (a.alpha + b.alpha)) /
                                        std::sin(0.5 * (b.alpha - a.alpha)) / std::tan(0.5 * theta1));
  std::vector<Eigen::Isometry3d> frames{first};
  frames.push_back(frames[0] * link_transform(theta1, a.a, a.alpha));
  frames.push_back(frames[1] * link_transform(theta2, b.a, b.alpha));
  frames.push_back(frames[2] * link_transform(-theta1, a.a, a.alpha));
  if (!(frames[3] * link_transform(-theta2, b.a, b.alpha)).isApprox(first, 1e-12))
    throw std::logic_error("the Bennett linkage of known_mobility.cpp does not close");
  return frames;
}

/// The side of length a that has the Bennett ratio of `other`.
Side with_ratio_of(const Side& other, double a) {
  return {a, std::asin(a * std::sin(other.alpha) / other.a)};
}

/// theta with zero offsets that closes the ring of `sides` near a guess: Gauss and Newton, differences for derivatives.
Eigen::VectorXd closed_angles(const std::vector<Side>& sides, Eigen::VectorXd theta) {
  const auto gap = [&](const Eigen::VectorXd& angles) {
    Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
    for (std::size_t i = 0; i < sides.size(); ++i)
      X = X * link_transform(angles(static_cast<int>(i)), sides[i].a, sides[i].alpha);
    Eigen::Matrix<double, 12, 1> g;
    g << X.linear().reshaped() - Eigen::Matrix3d::Identity().reshaped(), X.translation();
    return g;
  };
  for (int iteration = 0; iteration < 200; ++iteration) {
    const double h = 1e-6;  // cbrt of roundoff
    Eigen::MatrixXd J(12, theta.size());
    for (int i = 0; i < theta.size(); ++i) {
      const Eigen::VectorXd d = h * Eigen::VectorXd::Unit(theta.size(), i);
      J.col(i) = (gap(theta + d) - gap(theta - d)) / (2.0 * h);
    }
    const Eigen::Matrix<double, 12, 1> g = gap(theta);
    const Eigen::MatrixXd damped =
        J.transpose() * J + g.squaredNorm() * Eigen::MatrixXd::Identity(theta.size(), theta.size());
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod(damped);
    cod.setThreshold(1e-9);
    theta -= cod.solve(J.transpose() * g);
  }
  return theta;
}

void add_bennett_linkages(std::vector<KnownMobility>& list) {
  const Space space = Space::kSpatial;
  const Eigen::Isometry3d first = turn(0.7, V(1, 2, -1));
  const Side a{0.5, 0.6}, b = with_ratio_of(a, 0.8), c = with_ratio_of(a, 0.35);
  const double theta = 1.1;
  const auto bennett = bennett_frames(first, a, b, theta);
  std::vector<Pair> hinges;
  for (const Eigen::Isometry3d& X : bennett) hinges.push_back(hinge_of(X));
  list.push_back(known(ring("Bennett linkage", space, hinges), {-2, 1, 3}, "Bennett 1903", letters(4)));

  // Two Bennett linkages share the side a between axes 1 and 2. The sides b and c that meet at axis 2 become one
  // link; then the common side and axis 2 can go, and five axes are left.
  const double other_theta = -1.9;
  const auto second = bennett_frames(first * turn(theta - other_theta, V::UnitZ()), a, c, other_theta);
  list.push_back(known(ring("Goldberg five-bar", space,
                            {hinge_of(bennett[0]), hinge_of(bennett[3]), hinge_of(bennett[2]),
                             hinge_of(second[2]), hinge_of(second[3])}),
                       {-1, 1, 2}, "Goldberg 1943: two Bennett linkages", letters(5)));

  std::vector<Pair> spherical;
  for (const V& u : {V(0, 0, 1), V(0.5, 0.2, 1), V(0.8, 1, 0.7), V(-0.3, 0.9, 0.6)})
    spherical.push_back({R, V(V(0.1, 0.2, 0.3) + 0.5 * u), u});
  list.push_back(known(ring("spherical four-bar", space, spherical), {-2, 1, 3},
                       "textbook: all axes through one point", letters(4)));
}

void add_bricard_linkages(std::vector<KnownMobility>& list) {
  const Space space = Space::kSpatial;
  const double right = 0.5 * std::numbers::pi;
  // All sides 1, angles theta and phi in turn: cos(phi) = −cos(theta)/(1 + cos(theta)). hinges_of checks it.
  const auto alternating = [&](const std::array<double, 6>& lengths) {
    std::vector<Side> sides;
    for (std::size_t i = 0; i < 6; ++i) sides.push_back({lengths[i], i % 2 == 0 ? right : -right});
    return sides;
  };
  const std::vector<Side> threefold = alternating({1, 1, 1, 1, 1, 1});
  const double theta = 1.2, phi = std::acos(-std::cos(theta) / (1.0 + std::cos(theta)));
  const Eigen::VectorXd threefold_angles =
      (Eigen::VectorXd(6) << theta, phi, theta, phi, theta, phi).finished();
  list.push_back(known(ring("threefold-symmetric Bricard", space, hinges_of(threefold, threefold_angles)),
                       {0, 1, 1}, "kaleidocycle: Bricard 1927, equal sides and right angles", letters(6)));
  // a1² + a3² + a5² = 1.10 = a2² + a4² + a6².
  const std::vector<Side> trihedral = alternating({0.5, 0.4, 0.7, 0.5, 0.6, std::sqrt(0.69)});
  list.push_back(known(
      ring("trihedral Bricard", space, hinges_of(trihedral, closed_angles(trihedral, threefold_angles))),
      {0, 1, 1}, "Bricard 1927, orthogonal", letters(6)));
  const std::vector<Pair> half{{R, V(0.6, 0.1, 0.2), V(0.3, 1, 0.5)},
                               {R, V(0.5, 0.7, -0.1), V(-0.4, 0.2, 1)},
                               {R, V(-0.1, 0.6, 0.3), V(1, 0.3, -0.2)}};
  std::vector<Pair> line_symmetric = half;
  for (const Pair& hinge : half) {
    const Eigen::Isometry3d half_turn = turn(std::numbers::pi, V::UnitZ());
    line_symmetric.push_back({R, half_turn * hinge.p, half_turn.linear() * hinge.u});
  }
  list.push_back(known(ring("line-symmetric Bricard", space, line_symmetric), {0, 1, 1},
                       "Bricard 1927: opposite sides equal, one half turned into the other about z",
                       letters(6)));
  const auto mirrored = [](const Pair& hinge) {
    return Pair{R, V(hinge.p.x(), -hinge.p.y(), hinge.p.z()), V(hinge.u.x(), -hinge.u.y(), hinge.u.z())};
  };
  const Pair near_axis{R, V(0.7, 0, 0.1), V(0.4, 0, 1)}, far_axis{R, V(-0.6, 0, 0.2), V(1, 0, 0.7)};
  list.push_back(known(ring("plane-symmetric Bricard", space,
                            {near_axis, half[0], half[1], far_axis, mirrored(half[1]), mirrored(half[0])}),
                       {0, 1, 1}, "Bricard 1927: one half mirrored into the other, two axes in the mirror",
                       letters(6)));
  std::vector<Pair> general = line_symmetric;
  general[4].p += V(0.1, -0.05, 0.07);
  list.push_back(known(ring("six revolutes without relation", space, general), {0, 0, 0}, "by count"));
  list.push_back(known(ring("seven revolutes", space,
                            {general[0],
                             general[1],
                             general[2],
                             general[3],
                             general[4],
                             general[5],
                             {R, V(0.9, -0.3, 0.4), V(0.2, 1, -0.6)}}),
                       {1, 1, 0}, "by count: 6·6 − 7·5 = 1"));
}

void add_general_loops(std::vector<KnownMobility>& list) {
  const Space space = Space::kSpatial;
  const V O(0, 0, 0), A(0.05, 0.0866, 0.02), B(0.22, 0.2, 0.3), G(0.2, 0.25, 0.1);
  list.push_back(known(ring("RSSR", space, {{R, O}, {S, A}, {S, B}, {R, G, V(1, 0, 0.2)}}), {2, 2, 0, 1},
                       "textbook: one freedom is the coupler's spin"));
  Sketch rod("RSSR with a rod", space);
  rod.join("O", "ground", "crank", {R, O});
  rod.rod("coupler", "crank", "rocker", A, B);
  rod.join("G", "ground", "rocker", {R, G, V(1, 0, 0.2)});
  list.push_back(known(rod, {1, 1, 0}, "textbook: RSSR without the spin"));
  list.push_back(known(ring("RSSP", space, {{R, O}, {S, A}, {S, B}, {P, G, V(1, 0.3, 0.2)}}), {2, 2, 0, 1},
                       "textbook: spatial slider-crank, one freedom is the coupler's spin"));
  list.push_back(known(
      ring("RCCC", space, {{R, O}, {C, A, V(0.2, 1, 0.3)}, {C, B, V(1, 0.1, 0.4)}, {C, G, V(0.3, 0.2, 1)}}),
      {1, 1, 0}, "textbook: 6·3 − 5 − 3·4 = 1"));
  list.push_back(known(
      ring("CCCC", space, {{C, O}, {C, A, V(0.2, 1, 0.3)}, {C, B, V(1, 0.1, 0.4)}, {C, G, V(0.3, -0.2, 1)}}),
      {2, 2, 0}, "textbook: 6·3 − 4·4 = 2"));
  list.push_back(known(ring("RSCR", space, {{R, O}, {S, A}, {C, B, V(1, 0.1, 0.4)}, {R, G, V(0.3, -0.2, 1)}}),
                       {1, 1, 0}, "textbook: 6·3 − 5 − 3 − 4 − 5 = 1"));
  list.push_back(known(ring("RESR", space, {{R, O}, {E, A, V(0.2, 1, 0.3)}, {S, B}, {R, G, V(1, 0, 0.2)}}),
                       {2, 2, 0}, "textbook: 6·3 − 5 − 3 − 3 − 5 = 2"));
}

void add_cardan_shafts(std::vector<KnownMobility>& list) {
  const Space space = Space::kSpatial;
  const V O(0, 0, 0);
  // Hinge lines of the yokes: u on the shaft, across on the other side of the cross.
  const V shaft = V::UnitX(), yoke = V(0, std::cos(0.4), std::sin(0.4));
  const auto cross_to = [&](const V& u, const V& other_shaft) {
    return V(u.cross(other_shaft).normalized());
  };
  const V bent(1, 0.2, 0.5);
  list.push_back(known(ring("Hooke's joint", space,
                            {{R, V(-1, 0, 0), shaft}, {U, O, yoke, cross_to(yoke, bent)}, {R, bent, bent}}),
                       {-2, 1, 3}, "textbook: a spherical four-bar", letters(3)));
  const V middle(1, 0.1, 0.4);  // along the intermediate shaft
  const V inner = cross_to(yoke, middle);
  const std::vector<Pair> cardan{{R, V(-0.5, 0, 0), shaft},
                                 {U, O, yoke, inner},
                                 {U, middle, inner, yoke},
                                 {R, V(middle + V(0.5, 0, 0)), shaft}};
  list.push_back(
      known(ring("double Cardan shaft, parallel shafts", space, cardan), {0, 1, 1},
            "textbook: inner yokes in one plane transmit evenly; parallel shafts need no length change",
            letters(4)));
  std::vector<Pair> out_of_phase = cardan;
  const V twisted = turn(0.6, middle).linear() * inner;
  out_of_phase[2].u = twisted;
  out_of_phase[2].u2 = twisted.cross(shaft).normalized();
  list.push_back(known(ring("double Cardan shaft, yokes out of phase", space, out_of_phase), {0, 1, 1},
                       "by thought: each shaft keeps its yoke's centre on its axis, whatever the phase",
                       letters(4)));
  const V skew(1, 0.3, -0.4);
  std::vector<Pair> telescopic{cardan[0],
                               cardan[1],
                               {P, V(0.5 * middle), middle},
                               {U, middle, inner, cross_to(inner, skew)},
                               {R, V(middle + 0.5 * skew), skew}};
  list.push_back(known(ring("Cardan shaft with a slide", space, telescopic), {1, 1, 0},
                       "by count: 6·4 − 5·3 − 4·2 = 1"));
}

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
}

}  // namespace

std::vector<KnownMobility> known_mobility_mechanisms() {
  std::vector<KnownMobility> list;
  add_planar_linkages(list);
  add_planar_six_bars(list);
  add_planar_with_many_pins(list);
  add_planar_special(list);
  add_trusses(list);
  add_spatial_trusses(list);
  add_planar_loops_in_space(list);
  add_bennett_linkages(list);
  add_bricard_linkages(list);
  add_general_loops(list);
  add_cardan_shafts(list);
  add_parallel_machines(list);
  add_three_legged_machines(list);
  add_bearings(list);
  add_robots_and_vehicles(list);
  return list;
}

}  // namespace eslabon::test
