#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <Eigen/Core>

/// Simbody behind plain numbers: its headers are not C++20, ours are not C++17, so this one is both. Link 0 is the ground; links
/// come parents first. SI units, world axes unless said.
namespace eslabon::test {

struct SimbodyFrame {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
};

enum class SimbodyMobilizer { kPin, kSlider, kCylinder, kUniversal, kBall, kPlanar, kFree };

struct SimbodyLink {
  int parent = 0;
  SimbodyMobilizer mobilizer = SimbodyMobilizer::kPin;
  SimbodyFrame X_PF, X_LM;  ///< of the mobilizer in the parent and in the link
  double mass = 0.0;
  Eigen::Vector3d center = Eigen::Vector3d::Zero();  ///< of mass, in the link
  Eigen::Matrix3d I = Eigen::Matrix3d::Zero();       ///< about the link's origin, its axes
};

/// A constraint between frames of two links.
struct SimbodyConstraint {
  enum class Kind {
    kBall,         ///< origins together
    kOnLine,       ///< second origin on axis `axis1` of the first frame
    kInPlane,      ///< second origin in the plane of the first frame perpendicular to `axis1`
    kRightAngle,   ///< `axis1` of the first frame perpendicular to `axis2` of the second
    kOrientation,  ///< frames parallel
    kRod           ///< origins at `length`
  };
  Kind kind = Kind::kBall;
  int first = 0, second = 0;
  SimbodyFrame F1, F2;
  int axis1 = 0, axis2 = 0;
  double length = 0.0;
};

/// Pulls two points together with  preload + stiffness (length − free_length) + damping · rate.
struct SimbodySpring {
  int first = 0, second = 0;
  Eigen::Vector3d p1, p2;  ///< in the links
  double stiffness = 0.0, free_length = 0.0, damping = 0.0, preload = 0.0;
};

/// A coordinate of a point, world axes, that is pushed back with max(0, stiffness·depth + damping·rate of depth) beyond a limit.
struct SimbodyStop {
  int link = 0;
  Eigen::Vector3d p = Eigen::Vector3d::Zero();  ///< in the link
  int axis = 0;
  bool is_upper = false;
  std::function<double(double)> limit;  ///< of t [m]; its rate is found by differences
  double stiffness = 0.0, damping = 0.0;
};

struct SimbodyPlan {
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  std::vector<SimbodyLink> links;
  std::vector<SimbodyConstraint> constraints;
  std::vector<SimbodySpring> springs;
  std::vector<SimbodyStop> stops;
};

/// The motion in the mobilizer of a link, components in its frame on the parent, and what else acts at the link's origin.
struct SimbodyLinkState {
  SimbodyFrame X_FM;
  Eigen::Vector3d w = Eigen::Vector3d::Zero(), v = Eigen::Vector3d::Zero();
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
};

struct SimbodyLinkMotion {
  SimbodyFrame X_WL;
  Eigen::Vector3d w, v, alpha, a;
};

/// What acts on a link at its origin.
struct SimbodyForce {
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
};

struct SimbodyReactions {
  std::vector<SimbodyForce> mobilizers;   ///< (links) what each link gets from its mobilizer
  std::vector<SimbodyForce> constraints;  ///< (constraints) what the second link gets from each
};

class SimbodySystem {
 public:
  explicit SimbodySystem(const SimbodyPlan& plan);
  ~SimbodySystem();
  SimbodySystem(const SimbodySystem&) = delete;
  SimbodySystem& operator=(const SimbodySystem&) = delete;

  /// states, result: (links)
  std::vector<SimbodyLinkMotion> accelerate(const std::vector<SimbodyLinkState>& states,
                                            SimbodyReactions* reactions = nullptr);
  /// The motion from these states at t = 0: at each of these times, ascending, (links). By the method of Runge, Kutta and Merson;
  /// constraints are projected after each step.
  std::vector<std::vector<SimbodyLinkMotion>> integrate(const std::vector<SimbodyLinkState>& states,
                                                        const std::vector<double>& times, double accuracy);
  /// The last accelerations anew, to be timed: everything that follows from q and u is forgotten and found again.
  void accelerate_again();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace eslabon::test
