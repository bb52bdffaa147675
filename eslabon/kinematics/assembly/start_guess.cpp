#include "eslabon/kinematics/assembly/start_guess.hpp"

#include <numbers>
#include <optional>

#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/coordinates/kinematic_tree.hpp"
#include "eslabon/coordinates/layout.hpp"
#include "eslabon/core/geometry/spline_curve.hpp"

namespace eslabon::kinematics {

namespace {

using core::Pose;
using core::Rotation;
using Eigen::Vector3d;
using model::VariableKind;

/// What the user said about one body.
struct Wishes {
  std::optional<Vector3d> position;
  std::optional<Rotation<double>> rotation;
  struct PointCoordinate {
    model::PointRef point;
    int component;
    double value;
  };
  std::vector<PointCoordinate> points;
};

class Guesser {
 public:
  Guesser(const model::Mechanism& mechanism, const structure::Structure& structure)
      : mechanism_(mechanism),
        structure_(structure),
        tree_(mechanism, structure),
        q_(static_cast<std::size_t>(tree_.num_coordinates()), 0.0),
        is_given_(q_.size(), false),
        wishes_(mechanism.bodies().size()) {
    for (int l = 1; l < tree_.num_links(); ++l)
      for (const coordinates::JointStep& step : tree_.link(l).steps)
        if (step.kind == coordinates::JointStep::Kind::kBall) q_[static_cast<std::size_t>(step.column)] = 1.0;
    for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
      if (has_places(mechanism.joints()[j].type))
        note_pin(model::JointIndex(static_cast<int>(j)), 0.0, false);
    for (const model::StartPose& pose : mechanism.start_poses()) {
      Wishes& wishes = wishes_[pose.body.slot()];
      if (pose.p_WB_W) wishes.position = pose.p_WB_W;
      if (pose.rotation_vector)
        wishes.rotation = Rotation<double>::from_rotation_vector(*pose.rotation_vector);
    }
    for (const model::StartValue& start : mechanism.start_values()) note(start.variable, start.value);
    for (const model::Driver& driver : mechanism.drivers()) {
      if (driver.level == model::DriverLevel::kPosition)
        note(driver.target, driver.function.evaluate(0.0));
      else if (driver.start)
        note(driver.target, *driver.start);
    }
    for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
      if (mechanism.joints()[j].type == model::JointType::kRolling)
        roll(model::JointIndex(static_cast<int>(j)));
  }

  /// Random numbers for what is not given.
  void fill(core::Rng& rng) {
    const double length = coordinates::length_scale(mechanism_);
    for (int l = 1; l < tree_.num_links(); ++l)
      for (const coordinates::JointStep& step : tree_.link(l).steps) {
        const auto c = static_cast<std::size_t>(step.column);
        if (is_given_[c]) continue;
        if (step.kind == coordinates::JointStep::Kind::kRotation) {
          q_[c] = std::numbers::pi * (2.0 * rng.uniform() - 1.0);
        } else if (step.kind == coordinates::JointStep::Kind::kTranslation) {
          q_[c] = length * rng.normal();
        } else {
          for (std::size_t k = 0; k < 4; ++k) q_[c + k] = rng.normal();
        }
      }
  }

  StartGuess place_all() {
    StartGuess guess;
    guess.bodies.resize(mechanism_.bodies().size());
    guess.is_turn_given.assign(static_cast<std::size_t>(tree_.num_links()), false);
    guess.is_turn_given[0] = true;
    std::vector<Pose<double>> X_WL(static_cast<std::size_t>(tree_.num_links()));
    for (const int l : tree_.order()) {
      const auto slot = static_cast<std::size_t>(l);
      if (l != 0) X_WL[slot] = place(l, X_WL[static_cast<std::size_t>(tree_.link(l).parent)], guess);
      for (const coordinates::JointStep& step : tree_.link(l).steps) {
        const bool is_slide = step.kind == coordinates::JointStep::Kind::kTranslation;
        if (!is_given_[static_cast<std::size_t>(step.column)] &&
            !(is_slide ? is_place_given(l) : guess.is_turn_given[slot]))
          guess.is_complete = false;
      }
      for (const model::BodyIndex body : structure_.topology.links[slot])
        guess.bodies[body.slot()].X_WB = X_WL[slot] * tree_.X_LB(body);
    }
    return guess;
  }

 private:
  /// Whether the user said where the link is: the origin of one of its bodies, or as many coordinates of its points.
  bool is_place_given(int l) const {
    std::size_t coordinates = 0;
    for (const model::BodyIndex body : structure_.topology.links[static_cast<std::size_t>(l)]) {
      if (wishes_[body.slot()].position) return true;
      coordinates += wishes_[body.slot()].points.size();
    }
    return coordinates >= (mechanism_.is_planar() ? 2U : 3U);
  }

  /// Whether the tree has the place and the turn for a joint whose first coordinate says where its second body is.
  static bool has_places(model::JointType type) {
    return type == model::JointType::kCircularSlot || type == model::JointType::kPointOnCurve ||
           type == model::JointType::kPointOnSpaceCurve;
  }

  /// What the second frame of a joint is turned against the first when the axes of the bodies are parallel.
  double frames_turn(model::JointIndex index) const {
    const model::Joint& joint = mechanism_.joint(index);
    return coordinates::turn_about_z(joint.ends[1].X_BF.R_AB.matrix()) -
           coordinates::turn_about_z(joint.ends[0].X_BF.R_AB.matrix());
  }

  /// The pin of a circular slot at this angle about its centre; a point at this place of a curve, or a roller beside it.
  void note_pin(model::JointIndex joint, double place, bool is_given) {
    const int first = tree_.first_column(joint);
    if (first < 0) return;
    const auto c = static_cast<std::size_t>(first);
    const double radius = mechanism_.joint(joint).length;
    const auto& curve = mechanism_.joint(joint).ends[0].curve;
    if (curve && !mechanism_.is_planar()) {
      const Vector3d p = curve->spline.at(place).p;
      for (std::size_t k = 0; k < 3; ++k) {
        q_[c + k] = p[static_cast<Eigen::Index>(k)];
        is_given_[c + k] = is_given;
      }
      return;
    }
    if (curve) {
      const core::PlanarCurvePoint<double> at = core::planar_point(curve->spline, place);
      const Eigen::Vector2d p = at.p + curve->side * radius * at.n;
      q_[c] = p.x();
      q_[c + 1] = p.y();
      is_given_[c] = is_given_[c + 1] = is_given;
      return;
    }
    q_[c] = radius * std::cos(place);
    q_[c + 1] = radius * std::sin(place);
    is_given_[c] = is_given_[c + 1] = is_given;
  }

  /// A circle that rolls is turned as its way says, or is where its turn says.
  void roll(model::JointIndex joint) {
    const int first = tree_.first_column(joint);
    if (first < 0) return;
    const auto c = static_cast<std::size_t>(first);
    const double radius = mechanism_.joint(joint).length;
    if (is_given_[c] && !is_given_[c + 1]) q_[c + 1] = -q_[c] / radius;
    if (!is_given_[c] && is_given_[c + 1]) q_[c] = -q_[c + 1] * radius;
    is_given_[c] = is_given_[c + 1] = is_given_[c] || is_given_[c + 1];
  }

  void note(const model::Variable& variable, double value) {
    switch (variable.kind) {
      case VariableKind::kJointPosition: {
        const auto joint = std::get<model::JointIndex>(variable.element);
        const bool is_beside_curve = model::has_curve(mechanism_.joint(joint).type);
        if (has_places(mechanism_.joint(joint).type) || is_beside_curve) {
          if (variable.component == 0) {
            if (has_places(mechanism_.joint(joint).type)) note_pin(joint, value, true);
          } else if (const int pin = tree_.first_column(joint); pin >= 0) {  // x, y, then the turn
            q_[static_cast<std::size_t>(pin + 2)] = is_beside_curve ? value + frames_turn(joint) : value;
            is_given_[static_cast<std::size_t>(pin + 2)] = true;
          }
          break;
        }
        if (const int first = tree_.first_column(joint); first >= 0) {  // of a linear actuator: along x
          q_[static_cast<std::size_t>(first + variable.component)] = value;
          is_given_[static_cast<std::size_t>(first + variable.component)] = true;
        }
        break;
      }
      case VariableKind::kBodyAngle:
        wishes_[std::get<model::BodyIndex>(variable.element).slot()].rotation =
            Rotation<double>::about_z(value);
        break;
      case VariableKind::kPointPosition: {
        const auto& point = std::get<model::PointRef>(variable.element);
        wishes_[point.body.slot()].points.push_back({point, variable.component, value});
        break;
      }
      default:
        break;
    }
  }

  Pose<double> place(int l, const Pose<double>& X_WP, StartGuess& guess) const {
    const coordinates::TreeLink& link = tree_.link(l);
    const Pose<double> X_WG = X_WP * link.X_PF * tree_.joint_pose(l, q_);
    Pose<double> X_WL = X_WG * link.X_FL;
    for (const model::BodyIndex body : structure_.topology.links[static_cast<std::size_t>(l)]) {
      const Wishes& wishes = wishes_[body.slot()];
      const Pose<double>& X_LB = tree_.X_LB(body);
      if (wishes.rotation) {
        // Turned about the joint's origin, so that the joint stays closed.
        X_WL.R_AB = *wishes.rotation * X_LB.R_AB.inverse();
        X_WL.p_AB_A = X_WG.p_AB_A - X_WL.R_AB * link.X_FL.inverse().p_AB_A;
        guess.is_turn_given[static_cast<std::size_t>(l)] = true;
      }
      if (wishes.position) X_WL.p_AB_A = *wishes.position - X_WL.R_AB * X_LB.p_AB_A;
      for (const Wishes::PointCoordinate& wish : wishes.points) {
        const Vector3d p_WP = X_WL.apply_to_point(X_LB.apply_to_point(mechanism_.point(wish.point).p_BP_B));
        X_WL.p_AB_A[wish.component] += wish.value - p_WP[wish.component];
      }
    }
    return X_WL;
  }

  const model::Mechanism& mechanism_;
  const structure::Structure& structure_;
  coordinates::KinematicTree tree_;
  std::vector<double> q_;       ///< start of the tree's coordinates
  std::vector<bool> is_given_;  ///< whether the user gave it
  std::vector<Wishes> wishes_;  ///< (bodies)
};

}  // namespace

StartGuess guess_start(const model::Mechanism& mechanism, const structure::Structure& structure,
                       core::Rng* rng) {
  Guesser guesser(mechanism, structure);
  if (rng != nullptr) guesser.fill(*rng);
  return guesser.place_all();
}

}  // namespace eslabon::kinematics
