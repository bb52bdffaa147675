#include "eslabon/structure/coaxial_spin.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "eslabon/model/variables/force_variables.hpp"
#include "eslabon/structure/link_pose.hpp"

namespace eslabon::structure {

namespace {

using core::Pose;
using model::JointType;
using Vector3d = core::Vector3<double>;

constexpr double kStraight = 1e-8;  // sine of an angle; distances in units of the link's size

Vector3d cross(const Vector3d& a, const Vector3d& b) {
  return {a.y() * b.z() - a.z() * b.y(), a.z() * b.x() - a.x() * b.z(), a.x() * b.y() - a.y() * b.x()};
}

/// A line in the frame of a link.
struct Line {
  Vector3d p;
  Vector3d u;  ///< unit
};

/// One end of a joint, seen from the link that has it.
struct JointSide {
  model::JointIndex joint;
  JointType type;
  std::size_t end;
  LinkIndex other;
  Pose<double> X_LF;
};

/// The column of the joint's frame that is the axis of its rotation on this side; none for joints without an axis.
std::optional<int> turning_axis(const JointSide& side) {
  switch (side.type) {
    case JointType::kRevolute:
    case JointType::kCylindrical:
      return 2;
    case JointType::kUniversal:
      return side.end == 0 ? 0 : 1;
    default:
      return std::nullopt;
  }
}

/// The joint coordinate that measures this rotation.
int turning_coordinate(const JointSide& side) {
  return side.type == JointType::kUniversal ? static_cast<int>(side.end) : 0;
}

/// What acts on joint coordinates and on points from outside the joints.
class OutsideActions {
 public:
  explicit OutsideActions(const model::Mechanism& mechanism) {
    const auto add = [&](const model::Connection& connection) {
      if (const auto* c = std::get_if<model::JointCoordinate>(&connection)) fix(*c);
      if (const auto* pair = std::get_if<model::CoordinatePair>(&connection)) {
        fix(pair->first);
        fix(pair->second);
      }
      if (const auto* of_point = std::get_if<model::PointCoordinate>(&connection))
        points_.push_back(of_point->point);
    };
    for (const model::Spring& spring : mechanism.springs()) add(spring.connection);
    for (const model::Damper& damper : mechanism.dampers()) add(damper.connection);
    for (const model::Load& load : mechanism.loads())
      if (const auto* effort = std::get_if<model::JointEffort>(&load.action)) add(effort->coordinate);
    for (const model::Variable& variable : model::force_variables(mechanism)) see(mechanism, variable, add);
    for (const model::Bushing& bushing : mechanism.bushings())
      for (const model::JointEnd& end : bushing.ends) bodies_.push_back(end.body);
    for (const model::Stop& stop : mechanism.stops()) {
      if (std::holds_alternative<model::JointIndex>(stop.target.element)) fix(stop.target);
      if (stop.coupling)
        for (const model::CouplingTerm& term : stop.coupling->terms) add(term.coordinate);
    }
    for (const model::Coupling& coupling : mechanism.couplings())
      for (const model::CouplingTerm& term : coupling.terms) add(term.coordinate);
    for (const model::Driver& driver : mechanism.drivers()) fix(driver.target);
    for (const model::Variable& input : mechanism.inputs()) fix(input);
  }

  bool is_on(model::JointIndex joint, int component) const {
    return coordinates_.contains({joint.value(), component});
  }
  const std::vector<model::PointRef>& fixed_points() const { return points_; }
  const std::vector<model::BodyIndex>& fixed_bodies() const { return bodies_; }

 private:
  void fix(const model::JointCoordinate& c) { coordinates_.insert({c.joint.value(), c.component}); }

  /// A variable of a formula of a force is as good as a force.
  template <class Add>
  void see(const model::Mechanism& mechanism, const model::Variable& variable, const Add& add) {
    if (const auto* axis = std::get_if<model::AxisRef>(&variable.element))
      bodies_.push_back(axis->body);
    else if (const auto* spring = std::get_if<model::SpringIndex>(&variable.element))
      add(mechanism.springs()[spring->slot()].connection);
    else if (const auto* damper = std::get_if<model::DamperIndex>(&variable.element))
      add(mechanism.dampers()[damper->slot()].connection);
    else
      fix(variable);
  }

  void fix(const model::Variable& variable) {
    if (const auto* joint = std::get_if<model::JointIndex>(&variable.element))
      coordinates_.insert({joint->value(), variable.component});
    else if (const auto* point = std::get_if<model::PointRef>(&variable.element))
      points_.push_back(*point);
    else if (const auto* body = std::get_if<model::BodyIndex>(&variable.element))
      bodies_.push_back(*body);
  }

  std::set<std::pair<int, int>> coordinates_;  ///< joint, component
  std::vector<model::PointRef> points_;
  std::vector<model::BodyIndex> bodies_;
};

class CoaxialSearch {
 public:
  CoaxialSearch(const model::Mechanism& mechanism, const Topology& topology)
      : mechanism_(mechanism),
        topology_(topology),
        actions_(mechanism),
        X_LB_(poses_in_links(mechanism, topology)),
        sides_(topology.links.size()),
        size_(topology.links.size(), 0.0) {
    for (const Edge& edge : topology.edges) {
      if (edge.rows == 0 || edge.first == edge.second) continue;
      const model::Joint& joint = mechanism.joint(edge.joint);
      for (std::size_t end = 0; end < 2; ++end) {
        const model::JointEnd& own = joint.ends[end];
        const LinkIndex link = end == 0 ? edge.first : edge.second;
        const Pose<double> X_LF = X_LB_[own.body.slot()] * own.X_BF;
        sides_[link.slot()].push_back(
            {edge.joint, joint.type, end, end == 0 ? edge.second : edge.first, X_LF});
        size_[link.slot()] = std::max(size_[link.slot()], X_LF.p_AB_A.norm());
      }
    }
  }

  std::vector<CoaxialSpin> run() const {
    std::vector<CoaxialSpin> spins;
    std::vector<bool> is_found(topology_.links.size(), false);
    for (int l = 1; l < topology_.num_links(); ++l) {
      const LinkIndex link(l);
      if (is_found[link.slot()]) continue;
      const auto line = line_of(link);
      const auto spin = line ? spin_about(link, *line) : std::nullopt;
      if (!spin) continue;
      for (const LinkIndex member : spin->part.links) is_found[member.slot()] = true;
      spins.push_back(*spin);
    }
    return spins;
  }

 private:
  /// The links that turn together, each with the line in its own frame.
  using Members = std::vector<std::pair<LinkIndex, Line>>;

  /// The line about which the joints of a link could all let it turn, if there is one: the axis of a joint, or the line
  /// through two points.
  std::optional<Line> line_of(LinkIndex link) const {
    const std::vector<JointSide>& sides = sides_[link.slot()];
    for (const JointSide& side : sides)
      if (const auto axis = turning_axis(side)) return Line{origin(side), column(side, *axis)};
    const JointSide* first = nullptr;
    for (const JointSide& side : sides) {
      if (!model::holds_a_point(side.type, side.end)) continue;
      if (first == nullptr) {
        first = &side;
        continue;
      }
      const Vector3d way = origin(side) - origin(*first);
      if (way.norm() > kStraight * size_[link.slot()]) return Line{origin(*first), way.normalized()};
    }
    return std::nullopt;
  }

  std::optional<CoaxialSpin> spin_about(LinkIndex link, const Line& line) const {
    Members members{{link, line}};
    for (std::size_t m = 0; m < members.size(); ++m) {
      const auto [own, in_own] = members[m];
      for (const JointSide& side : sides_[own.slot()]) {
        if (has(members, side.other) || lets_turn(side, own, in_own)) continue;
        if (side.type != JointType::kPrismatic || side.other == kFrame ||
            !is_parallel(column(side, 0), in_own.u))
          return std::nullopt;
        members.push_back({side.other, seen_from_the_other(side, in_own)});
      }
    }
    if (is_fixed_otherwise(members)) return std::nullopt;
    return spin_of(members);
  }

  /// Names the spin; nothing when one link alone is at the other ends: then it is a hinge.
  std::optional<CoaxialSpin> spin_of(const Members& members) const {
    CoaxialSpin spin;
    std::set<int> others;
    std::vector<std::string> points;
    std::string axis;
    bool has_rod = false;
    for (const auto& [link, line] : members) {
      spin.part.links.push_back(link);
      for (const JointSide& side : sides_[link.slot()]) {
        if (has(members, side.other)) continue;
        others.insert(side.other.value());
        has_rod = has_rod || side.type == JointType::kRod;
        const model::Joint& joint = mechanism_.joint(side.joint);
        if (model::holds_a_point(side.type, side.end)) {
          const model::JointEnd& own = joint.ends[side.end];
          const std::string name = mechanism_.body(own.body).name + "." + own.marker;
          if (std::ranges::find(points, name) == points.end()) points.push_back(name);
          continue;
        }
        if (axis.empty()) axis = "the axis of joint " + joint.name;
        if (!spin.part.variable)
          spin.part.variable =
              model::Variable{model::VariableKind::kJointPosition, side.joint, turning_coordinate(side)};
        if (side.type == JointType::kRevolute || side.type == JointType::kCylindrical)
          spin.on_axis.push_back(side.other);
      }
    }
    if (others.size() < 2 && !has_rod) return std::nullopt;
    if (axis.empty() && points.size() < 2) return std::nullopt;
    std::ranges::sort(spin.part.links);
    if (axis.empty()) {
      spin.part.first = points[0];
      spin.part.second = points[1];
    } else {
      spin.part.first = axis;
    }
    const auto& [link, line] = members.front();
    const model::BodyIndex body = topology_.links[link.slot()].front();  // whose frame is the link's
    spin.part.line = {BodyPoint{body, line.p},
                      BodyPoint{body, line.p + std::max(size_[link.slot()], 1e-3) * line.u}};
    return spin;
  }

  bool lets_turn(const JointSide& side, LinkIndex link, const Line& line) const {
    if (model::holds_a_point(side.type, side.end)) return is_on(origin(side), link, line);
    const auto axis = turning_axis(side);
    if (!axis || !is_parallel(column(side, *axis), line.u)) return false;
    return is_on(origin(side), link, line) && !actions_.is_on(side.joint, turning_coordinate(side));
  }

  bool is_fixed_otherwise(const Members& members) const {
    const auto line_in = [&](model::BodyIndex body) -> const Line* {
      const auto found = std::ranges::find(members, topology_.link_of(body), &Members::value_type::first);
      return found == members.end() ? nullptr : &found->second;
    };
    for (const model::BodyIndex body : actions_.fixed_bodies())
      if (line_in(body) != nullptr) return true;
    for (const model::PointRef& point : actions_.fixed_points())
      if (const Line* line = line_in(point.body))
        if (!is_on(X_LB_[point.body.slot()].apply_to_point(mechanism_.point(point).p_BP_B),
                   topology_.link_of(point.body), *line))
          return true;
    return false;
  }

  /// A line along the slide of a prismatic joint, in the frame of the link at its other end: the same for every slide.
  Line seen_from_the_other(const JointSide& side, const Line& line) const {
    const model::JointEnd& far = mechanism_.joint(side.joint).ends[1 - side.end];
    const Pose<double> X_OL = X_LB_[far.body.slot()] * far.X_BF * side.X_LF.inverse();
    return {X_OL.apply_to_point(line.p), X_OL.apply_to_direction(line.u)};
  }

  bool is_on(const Vector3d& point, LinkIndex link, const Line& line) const {
    return cross(point - line.p, line.u).norm() <=
           kStraight * std::max(size_[link.slot()], (point - line.p).norm());
  }
  static bool is_parallel(const Vector3d& a, const Vector3d& b) { return cross(a, b).norm() <= kStraight; }
  static bool has(const Members& members, LinkIndex link) {
    return std::ranges::find(members, link, &Members::value_type::first) != members.end();
  }
  static Vector3d origin(const JointSide& side) { return side.X_LF.p_AB_A; }
  static Vector3d column(const JointSide& side, int c) { return side.X_LF.R_AB.matrix().col(c); }

  const model::Mechanism& mechanism_;
  const Topology& topology_;
  OutsideActions actions_;
  std::vector<Pose<double>> X_LB_;             ///< (bodies)
  std::vector<std::vector<JointSide>> sides_;  ///< (links)
  std::vector<double> size_;  ///< (links) largest distance of a joint from the link's origin [m]
};

}  // namespace

std::vector<CoaxialSpin> find_coaxial_spins(const model::Mechanism& mechanism, const Topology& topology) {
  if (topology.is_planar) return {};
  return CoaxialSearch(mechanism, topology).run();
}

}  // namespace eslabon::structure
