#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/known_mobility.hpp"
#include <Eigen/Dense>

#include "eslabon/model/mechanism_builder.hpp"

/// How the mechanisms of known mobility are drawn: in the world at their start position, so that their loops close
/// whatever the numbers are.
namespace eslabon::test::sketch {

using model::JointType;
using model::Space;
using V = Eigen::Vector3d;
using Names = std::vector<std::string>;

inline constexpr auto R = JointType::kRevolute;
inline constexpr auto P = JointType::kPrismatic;
inline constexpr auto C = JointType::kCylindrical;
inline constexpr auto U = JointType::kUniversal;
inline constexpr auto S = JointType::kSpherical;
inline constexpr auto E = JointType::kPlanar;
inline constexpr auto W = JointType::kFixed;
inline constexpr auto Slot = JointType::kSlot;
inline constexpr auto OnLine = JointType::kPointOnLine;
inline constexpr auto OnPlane = JointType::kPointOnPlane;

/// A joint drawn in the world: where, and along what; on a plane: its normal. Universal: u on the first body, u2 on the second.
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
      // These joints allow no turn about the axis, or have a line or plane: both bodies need the same directions.
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
  /// The centre of the arc on the first body, the pin on the second.
  void circular_slot(const std::string& joint, const std::string& first, const std::string& second,
                     const V& center, const V& pin) {
    add_frame(first, joint, {Slot, center, V::UnitX()});
    add_frame(second, joint, {Slot, pin, V::UnitX()});
    joints_.push_back({joint, JointType::kCircularSlot, first + "." + joint, second + "." + joint});
    joints_.back().radius = (pin - center).norm();
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

  static bool needs_frames(JointType type) {
    return type == P || type == W || type == Slot || type == OnLine || type == OnPlane;
  }

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

  /// x along the axis; z along the normal of a plane.
  void add_frame(const std::string& name, const std::string& joint, const Pair& pair) {
    Drawn& body = body_of(name);
    const V across = space_ == Space::kPlanar ? V::UnitZ() : pair.u.unitOrthogonal();
    const bool is_normal = pair.type == OnPlane;
    body.frames.push_back({joint, body.turn.inverse() * (pair.p - body.p_WB),
                           body.turn.inverse() * (is_normal ? across : pair.u),
                           body.turn.inverse() * (is_normal ? pair.u : across)});
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

inline KnownMobility known(const Sketch& sketch, const Answer& answer, std::string source,
                           Names redundant_joints = {}) {
  model::Mechanism mechanism = sketch.build();
  std::string name = mechanism.name();
  return {std::move(name),  std::move(mechanism), answer.gruebler, answer.rank,
          answer.redundant, answer.idle,          answer.shaky,    std::move(redundant_joints),
          std::move(source)};
}

/// A, B, C, …
inline std::string letter(std::size_t i) { return std::string(1, static_cast<char>('A' + i)); }

inline Names letters(std::size_t count) {
  Names names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(letter(i));
  return names;
}

/// ground – A – link1 – B – link2 … and, in a ring, back to the ground.
inline Sketch chain(std::string name, Space space, const std::vector<Pair>& pairs, bool is_ring) {
  Sketch sketch(std::move(name), space);
  const auto link = [](std::size_t i) { return i == 0 ? std::string("ground") : "link" + std::to_string(i); };
  for (std::size_t i = 0; i < pairs.size(); ++i)
    sketch.join(letter(i), link(i), link(is_ring ? (i + 1) % pairs.size() : i + 1), pairs[i]);
  return sketch;
}

inline Sketch ring(std::string name, Space space, const std::vector<Pair>& pairs) {
  return chain(std::move(name), space, pairs, true);
}

inline Eigen::Isometry3d turn(double angle, const V& axis) {
  return Eigen::Isometry3d(Eigen::AngleAxisd(angle, axis.normalized()));
}

/// One link of Denavit and Hartenberg: turn by theta about z, shift by a and turn by alpha about the new x.
inline Eigen::Isometry3d link_transform(double theta, double a, double alpha) {
  return turn(theta, V::UnitZ()) * Eigen::Translation3d(a, 0.0, 0.0) * turn(alpha, V::UnitX());
}

inline Pair hinge_of(const Eigen::Isometry3d& X) { return {R, X.translation(), X.linear().col(2)}; }

struct Side {
  double a, alpha;
};

/// z axes of the frames before each link; throws unless the last link comes back to the first frame.
inline std::vector<Pair> hinges_of(const std::vector<Side>& sides, const Eigen::VectorXd& theta) {
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
inline const std::vector<Pair> kFourBar{
    {R, V(0, 0, 0)}, {R, V(0.2, 0.3, 0)}, {R, V(0.9, 0.6, 0)}, {R, V(1, 0, 0)}};

// The lists, one file each.
void add_planar(std::vector<KnownMobility>& list);
void add_loops_in_space(std::vector<KnownMobility>& list);
void add_machines(std::vector<KnownMobility>& list);

}  // namespace eslabon::test::sketch
