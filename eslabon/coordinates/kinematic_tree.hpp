#pragma once

#include <memory>
#include <span>
#include <vector>

#include "eslabon/coordinates/feature.hpp"
#include "eslabon/core/geometry/pose.hpp"
#include "eslabon/model/mechanism.hpp"
#include "eslabon/structure/structure.hpp"

namespace eslabon::coordinates {

/// One elementary motion of a joint, along or about an axis of the frame that the motions before it have reached.
struct JointStep {
  enum class Kind { kRotation, kTranslation, kBall };
  Kind kind;
  int axis = 0;        ///< 0, 1, 2 for x, y, z; not read for kBall
  double sign = 1.0;   ///< −1 when the tree goes through the joint from its second body to its first
  int column = 0;      ///< coordinate; of kBall the first of four Euler parameters
  double pitch = 0.0;  ///< kRotation: the way along the axis for a radian [m]
};

/// The steps from the first frame of a joint to its second, without columns and signs. From the second to the first they
/// come in the other order and with sign −1.
std::vector<JointStep> forward_steps(model::JointType type, bool is_planar);

/// A link of the tree and the way to it from its parent: a fixed pose, the steps of the joint, a fixed pose.
struct TreeLink {
  int parent = 0;
  model::JointIndex joint{0};
  core::Pose<double> X_PF;              ///< from the parent's frame to the joint's frame on the parent
  core::Pose<double> X_FL;              ///< from the joint's frame on the link to the link's own frame
  bool is_aligned_with_parent = false;  ///< X_PF is no rotation; saves a product
  bool is_aligned_with_joint = false;   ///< X_FL is none
  std::vector<JointStep> steps;
  std::span<const int>
      path;  ///< coordinates between the frame and this link, the root's first; of KinematicTree
};

/// The spanning tree with coordinates in its joints: revolute, prismatic, cylindrical, helical, universal and planar joints have
/// the scalar coordinates of the model; a spherical joint has four Euler parameters; a free joint has three
/// translations (two in the plane) and then a ball (an angle). A rod that carries the tree is a free joint
/// with one row for its length.
class KinematicTree {
 public:
  KinematicTree(const model::Mechanism& mechanism, const structure::Structure& structure);

  int num_links() const { return static_cast<int>(links_.size()); }
  int num_coordinates() const { return num_coordinates_; }
  /// Link 0 is the frame: no parent, no steps.
  const TreeLink& link(int i) const { return links_[static_cast<std::size_t>(i)]; }
  /// Links, parents before children.
  const std::vector<int>& order() const { return order_; }
  /// First coordinate of the joint's steps, in the order of its scalar coordinates; −1 for joints outside the tree.
  int first_column(model::JointIndex joint) const { return first_column_[joint.slot()]; }
  int link_of(model::BodyIndex body) const { return link_of_body_[body.slot()]; }
  const core::Pose<double>& X_LB(model::BodyIndex body) const { return X_LB_[body.slot()]; }

  /// Pose of the joint's frame on the link in its frame on the parent.
  core::Pose<double> joint_pose(int link, std::span<const double> q) const;

  /// Frames of all links and motions b of all coordinates:
  ///   rotation      R ← R R_k(s q),     w = s R k̂,   v = p × w          [Seed004, eq. (4)]               (1)
  ///   translation   p ← p + s q R k̂,    w = 0,       v = s R k̂                                          (2)
  ///   screw         both: of (1) with v = p × w + h w, and p ← p + s q h R k̂, h the pitch
  ///   ball          R ← R R(e),         w_k = column k of 2 R G(e) / |e|²,   v_k = p × w_k               (3)
  /// v is the velocity of the point at the world's origin. In (3) e is normalised, so that R is a rotation for any e,
  /// and reversed (ε → −ε) where the tree goes through the joint backwards.
  template <core::Scalar T>
  void evaluate(std::span<const T> q, TreeValues<T>& out) const;

  /// Motions of all links: velocities from v, and accelerations from a (zero when a is empty), about the world's origin:
  ///   V = Σ b_i v_i,   A = Σ b_i a_i + V_before × b_i v_i              [Seed004, eqs. (3), (4)]          (4)
  /// A is the spatial acceleration; the seed's s̈ is a_O + ω × v_O.
  /// written to `motions` as w, v, alpha, a of link after link (4 vectors each).
  template <core::Scalar T>
  void evaluate_motions(std::type_identity_t<std::span<const T>> q,
                        std::type_identity_t<std::span<const T>> v,
                        std::type_identity_t<std::span<const T>> a, const TreeValues<T>& values,
                        std::type_identity_t<std::span<core::Vector3<T>>> motions) const;

 private:
  void add_joint_steps(const model::Joint& joint, model::JointIndex index, bool is_reversed, bool is_planar,
                       TreeLink& link);
  void make_paths();

  /// One link of a planar mechanism: (1) and (2) with two numbers for R and two for p.
  template <core::Scalar T>
  void evaluate_planar_link(const TreeLink& link, int l, std::span<const T> q, TreeValues<T>& out) const;

  std::vector<TreeLink> links_;
  bool is_planar_;
  std::vector<int> order_;
  std::vector<int> first_column_;
  std::vector<int> link_of_body_;
  std::vector<core::Pose<double>> X_LB_;
  int num_coordinates_ = 0;
  /// Coordinates of one way from the frame to an end of the tree after the other: a link's path is the beginning of one of them, so that a
  /// chain of n links needs n numbers and not n²/2. Shared by copies, since links refer to it.
  std::shared_ptr<const std::vector<std::vector<int>>> ways_;
};

}  // namespace eslabon::coordinates
