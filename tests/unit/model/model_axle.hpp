#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <variant>

#include "tests/unit/model/gauss_newton.hpp"
#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "eslabon/model/mechanism.hpp"

namespace eslabon::model::test {

using Eigen::Matrix3d;

inline Vector3d point_of(const Body& body, const std::string& name) {
  for (const NamedPoint& point : body.points) {
    if (point.name == name) return point.p_BP_B;
  }
  for (const NamedFrame& frame : body.frames) {
    if (frame.name == name) return frame.p_BF_B;
  }
  ADD_FAILURE() << body.name << " has no point " << name;
  return Vector3d::Zero();
}

/// One axle of the family as free bodies with six coordinates each, held by its joints and by the wheels'
/// heights.
class ModelAxle {
 public:
  struct BodyPose {
    Vector3d p_WB_W;
    Matrix3d R_WB;
  };

  ModelAxle(const Mechanism& mechanism, int number)
      : mechanism_(mechanism), suffix_("_" + std::to_string(number)) {
    for (std::size_t b = 1; b < mechanism.bodies().size(); ++b) {
      if (belongs(mechanism.bodies()[b].name)) slots_[static_cast<int>(b)] = std::ssize(slots_);
    }
    for (const StartPose& start : mechanism.start_poses()) {
      if (!slots_.contains(start.body.value())) continue;
      const Vector3d r = start.rotation_vector.value();
      start_[start.body.value()] = {start.p_WB_W.value(), rotation(r)};
    }
  }

  Solution close(double left_height, double right_height) {
    Solution solution = solve([&](const VectorXd& x) { return rows(x, left_height, right_height); },
                              VectorXd::Zero(6 * std::ssize(slots_)));
    x_ = solution.x;
    return solution;
  }

  int num_bodies() const { return static_cast<int>(slots_.size()); }

  /// "axle.wheel_left" of this axle, closed.
  Vector3d point(const std::string& body, const std::string& point) const {
    const auto index = std::get<BodyIndex>(mechanism_.find(body + suffix_).value());
    return place(pose(index.value(), x_), point_of(mechanism_.body(index), point));
  }

  /// The world components of the direction u_B of a body of this axle, closed.
  Vector3d direction(const std::string& body, const Vector3d& u_B) const {
    return pose(std::get<BodyIndex>(mechanism_.find(body + suffix_).value()).value(), x_).R_WB * u_B;
  }

  double largest_distance_from_start() const {
    double largest = 0.0;
    for (const auto& [b, slot] : slots_) {
      for (const NamedPoint& marker : mechanism_.bodies()[static_cast<std::size_t>(b)].points) {
        const Vector3d shift = place(pose(b, x_), marker.p_BP_B) - place(start_.at(b), marker.p_BP_B);
        largest = std::max(largest, shift.norm());
      }
    }
    return largest;
  }

 private:
  static Matrix3d rotation(const Vector3d& r) {
    const double angle = r.norm();
    if (angle == 0.0) return Matrix3d::Identity();
    return Eigen::AngleAxisd(angle, r / angle).toRotationMatrix();
  }
  static Vector3d place(const BodyPose& X_WB, const Vector3d& p_BP_B) {
    return X_WB.p_WB_W + X_WB.R_WB * p_BP_B;
  }

  bool belongs(const std::string& name) const { return name.ends_with(suffix_); }

  BodyPose pose(int b, const VectorXd& x) const {
    if (b == kGround.value()) return {Vector3d::Zero(), Matrix3d::Identity()};
    const Eigen::Index at = 6 * slots_.at(b);
    return {start_.at(b).p_WB_W + x.segment<3>(at), rotation(x.segment<3>(at + 3)) * start_.at(b).R_WB};
  }

  Vector3d axis(const JointEnd& end) const {
    if (end.axis_B) return *end.axis_B;
    for (const NamedFrame& frame : mechanism_.body(end.body).frames) {
      if (frame.name == end.marker) return frame.z_B;
    }
    return Vector3d::Zero();
  }

  void add_joint(Rows& rows, const Joint& joint, const VectorXd& x) const {
    std::array<Vector3d, 2> p, u;
    std::array<Matrix3d, 2> R;
    for (std::size_t e = 0; e < 2; ++e) {
      const JointEnd& end = joint.ends[e];
      const BodyPose X_WB = pose(end.body.value(), x);
      p[e] = place(X_WB, point_of(mechanism_.body(end.body), end.marker));
      u[e] = X_WB.R_WB * axis(end);
      R[e] = X_WB.R_WB;
    }
    if (joint.type == JointType::kPrismatic) {
      rows.zero(u[0].cross(p[1] - p[0]));
      rows.zero(u[0].cross(u[1]));
      rows.zero(R[0].col(1).dot(R[1].col(0)));
      return;
    }
    rows.zero(Vector3d(p[1] - p[0]));
    if (joint.type == JointType::kRevolute) rows.zero(u[0].cross(u[1]));
    if (joint.type == JointType::kUniversal) rows.zero(u[0].dot(u[1]));
  }

  VectorXd rows(const VectorXd& x, double left_height, double right_height) const {
    Rows rows;
    for (const Joint& joint : mechanism_.joints()) {
      if (belongs(joint.name)) add_joint(rows, joint, x);
    }
    for (const Driver& driver : mechanism_.drivers()) {
      if (!belongs(driver.name)) continue;
      const auto& target = std::get<PointRef>(driver.target.element);
      const bool is_left = driver.name.starts_with("wheel_left");
      rows.zero(place(pose(target.body.value(), x), mechanism_.point(target).p_BP_B).z() -
                (is_left ? left_height : right_height));
    }
    return rows.vector();
  }

  const Mechanism& mechanism_;
  std::string suffix_;
  std::map<int, Eigen::Index> slots_;  ///< by body: its position among the bodies of the axle
  std::map<int, BodyPose> start_;      ///< by body
  VectorXd x_;
};

}  // namespace eslabon::model::test
