#pragma once

#include <array>
#include <span>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/dynamics/forces/wrench.hpp"
#include "eslabon/dynamics/formulations/articulated_inertia.hpp"
#include "eslabon/dynamics/formulations/cluster_tree.hpp"
#include "eslabon/dynamics/mass/link_mass.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::dynamics {

/// Where the links of clusters are, how they move, and what their masses are and need. Everything of a cluster is written about one point,
/// its own or that of the cluster which carries it, along the axes of the world: about a point far away moments of inertia would leave no
/// digits for those about the joints. From a point to another one, farther by d, motions go by v ← v + w × d, and back by d forces and
/// inertias by (1) of add_shifted. Scratch: one per thread.
class ClusterLinks {
 public:
  ClusterLinks(const model::Mechanism& mechanism, const coordinates::KinematicTree& tree,
               const std::vector<Cluster>& clusters, int num_coordinates);

  /// A ball's Euler parameters; the one that follows from the others, as |e| = 1:  e_k ė_k = −Σ e_j ė_j.
  struct Ball {
    int column = 0;   ///< of the first
    int dropped = 0;  ///< 0 … 3
    /// Motion for a unit rate of the dropped one alone.
    Eigen::Vector3d w = Eigen::Vector3d::Zero(), v = Eigen::Vector3d::Zero();
  };
  std::vector<Ball>& balls() { return balls_; }
  const std::vector<Ball>& balls() const { return balls_; }
  /// Balls of a cluster, in balls().
  const std::vector<int>& balls_of(std::size_t cluster) const { return balls_of_[cluster]; }

  /// The dropped parameter of a ball from the others, with the sign that it has. False where these are too large.
  [[nodiscard]] bool close(const Ball& ball, std::span<double> q) const;
  /// And its rate.
  void close_rate(const Ball& ball, std::span<const double> q, std::span<double> v) const;
  /// |e|² − 1.
  double unit_error(const Ball& ball, std::span<const double> q) const;

  /// Poses of the links of a cluster, whose base is there, and motions of its columns.
  void place(std::size_t cluster, std::span<const double> q);
  /// Velocities, and accelerations that velocities alone make, that of the base 0.
  void move(std::size_t cluster, std::span<const double> q, std::span<const double> v);
  /// (bodies) the motion with these accelerations, where all links are placed; nothing else changes.
  void show(std::span<const double> q, std::span<const double> v, std::span<const double> q_ddot,
            coordinates::MechanismMotion& out);
  /// Inertia and what the motion needs without acceleration, less the weight.
  void weigh(std::size_t cluster, const Eigen::Vector3d& g);

  /// (columns) what a unit rate of a coordinate gives to all that it carries, dropped parameters following. Of mixed coordinates nothing.
  const Vector6d& axis(int column) const { return axes_[static_cast<std::size_t>(column)]; }
  /// Columns of the cluster between its base and a link.
  std::span<const int> path(int link) const { return paths_[static_cast<std::size_t>(link)]; }
  /// Where a cluster's motions, forces and inertias are written about.
  const Eigen::Vector3d& point(int cluster) const {
    return cluster < 0 ? origin_ : points_[static_cast<std::size_t>(cluster)];
  }
  bool has_own_point(std::size_t cluster) const { return has_own_point_[cluster]; }
  int cluster_of(int link) const { return link == 0 ? -1 : links_[static_cast<std::size_t>(link)].cluster; }
  int link_of(std::size_t body) const { return bodies_[body].link; }

  /// What rows need of a link: its frame, that of the joint which carries it.
  struct Values {
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    Eigen::Vector3d p = Eigen::Vector3d::Zero();
    Eigen::Vector3d w = Eigen::Vector3d::Zero(), v = Eigen::Vector3d::Zero();
    Eigen::Vector3d alpha = Eigen::Vector3d::Zero(), a = Eigen::Vector3d::Zero();  ///< as move() says
    Matrix6d inertia = Matrix6d::Zero();
    Vector6d force = Vector6d::Zero();         ///< needed
    Vector6d acceleration = Vector6d::Zero();  ///< of whoever solves
  };
  Values& operator[](int link) { return values_[static_cast<std::size_t>(link)]; }
  const Values& operator[](int link) const { return values_[static_cast<std::size_t>(link)]; }
  /// Velocity of the base about the point of the cluster; after move().
  const Vector6d& base_motion(std::size_t cluster) const { return base_motions_[cluster]; }

  /// A pose on a body in the frame that a link has here.
  core::Pose<double> in_link(model::BodyIndex body, const core::Pose<double>& X_BP) const {
    return bodies_[body.slot()].X_FB * X_BP;
  }
  /// (bodies) poses and velocities; accelerations stay as they are.
  void write_bodies(coordinates::MechanismMotion& out) const;
  /// Takes what acts on the bodies away from what their links need.
  void take(std::span<const Wrench> wrenches);
  LinkMass& mass(int link) { return links_[static_cast<std::size_t>(link)].mass; }

 private:
  struct Link {
    int parent = 0, cluster = -1;
    Eigen::Matrix3d R_PF =
        Eigen::Matrix3d::Identity();  ///< joint before it moves, in the frame of the parent's joint
    Eigen::Vector3d p_PF = Eigen::Vector3d::Zero();
    bool is_aligned = true;  ///< R_PF = 1
    std::vector<coordinates::JointStep> steps;
    std::vector<int> balls;  ///< (steps) in balls_; −1: none
    LinkMass mass;           ///< in the frame of the joint
  };
  struct Body {
    int link = 0;
    core::Pose<double> X_FB;
    bool is_aligned = false;
  };

  /// Of a link about the point of its cluster.
  struct Motion {
    Eigen::Vector3d w = Eigen::Vector3d::Zero(), v = Eigen::Vector3d::Zero();
    Eigen::Vector3d alpha = Eigen::Vector3d::Zero(), a = Eigen::Vector3d::Zero();
  };

  /// From the motion of its parent to that of a link.
  void advance(const Link& link, std::span<const double> q, std::span<const double> v,
               std::span<const double> q_ddot, Motion& motion) const;
  core::Pose<double> pose(const Body& body) const;
  void place_ball(Ball& ball, std::span<const double> q, const Eigen::Vector3d& p, Eigen::Matrix3d& R);

  const std::vector<Cluster>& clusters_;
  std::vector<Link> links_;
  std::vector<Body> bodies_;
  std::vector<Ball> balls_;
  std::vector<std::vector<int>> balls_of_;  ///< (clusters)
  std::vector<std::vector<int>> paths_;     ///< (links)
  std::vector<bool> has_own_point_;         ///< (clusters)
  // Scratch.
  Eigen::Vector3d origin_ = Eigen::Vector3d::Zero();
  std::vector<Eigen::Vector3d> points_;  ///< (clusters)
  std::vector<Vector6d> base_motions_;   ///< (clusters)
  std::vector<Vector6d> axes_;           ///< (columns)
  std::vector<Eigen::Vector3d> places_;  ///< (columns) a point of the axis
  std::vector<Values> values_;
  std::vector<Motion> shown_;
};

}  // namespace eslabon::dynamics
