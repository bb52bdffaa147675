#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include "eslabon/model/mechanism.hpp"

/// Mobility by screws, as an oracle: it reads the model and shares no code with any analysis of the library.
///
///   Σ_j s_lj S_j dq_j = 0        the screws S_j of the joint freedoms around each loop l, s_lj = ±1 or 0    (1)
///   mobility = freedoms − rank,  redundant rows = k loops − rank,  k = 3 in the plane, 6 in space           (2)
///
/// A rod is a joint of five freedoms (two in the plane): it turns about both of its ends. (1) is the derivative of
/// loop closure in joint displacements, so a finite step along a null vector of (1) and Newton's method on the same
/// matrix tell what moves from what is only shaky.
namespace eslabon::test {

/// A frame in another one.
struct Placement {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  Placement inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
  friend Placement operator*(const Placement& a, const Placement& b) { return {a.R * b.R, a.p + a.R * b.p}; }
};

/// Angular velocity and velocity of the point at the origin, both in one frame.
struct Screw {
  Eigen::Vector3d w = Eigen::Vector3d::Zero();
  Eigen::Vector3d v = Eigen::Vector3d::Zero();
};

/// exp: the displacement after unit time; w = 0 or v = p × w (no screw here has a pitch).
Placement displaced(const Screw& screw, double q);

/// What the singular values of (1) say at one position.
struct ScrewRank {
  int freedoms = 0;            ///< of all joints
  int rows = 0;                ///< k times loops
  int rank = 0;                ///< singular values above kRankTolerance times the largest
  double least_kept = 1.0;     ///< the last of them, relative; tells how clear the decision was
  double most_dropped = 0.0;   ///< the next one, relative
  Eigen::MatrixXd null_space;  ///< (freedoms × mobility) orthonormal
  Eigen::MatrixXd stress;      ///< (rows × redundant) orthonormal: loop wrenches that balance by themselves
  int mobility() const { return freedoms - rank; }
  int redundant() const { return rows - rank; }
};

/// A mechanism at one position of its joints; bodies follow through a spanning tree, the other joints close loops.
class ScrewChain {
 public:
  /// Relative; between roundoff after Newton (1e-13) and the flattest angle among the known mechanisms (1e-3).
  static constexpr double kRankTolerance = 1e-8;

  /// At the start values of the mechanism, which must give the pose of every body.
  explicit ScrewChain(const model::Mechanism& mechanism);

  /// Largest distance of the start from what the joints allow [m] and [–].
  double start_misfit() const { return start_misfit_; }

  /// The same here, after finite steps: whether the screws are those of the joints.
  double joint_misfit() const;

  ScrewRank rank() const;

  /// The wrench that each joint carries in each state of self-stress: (k × redundant) per joint; components about the
  /// world's origin, moments first (in the plane: mz fx fy).
  std::vector<Eigen::MatrixXd> joint_stresses(const ScrewRank& at) const;

  /// Names of the joints whose wrench is not zero in every state of self-stress.
  std::vector<std::string> stressed_joints() const;

  /// How a finite step ended.
  struct Step {
    bool closed = false;
    double kept = 0.0;             ///< length of the displacement over the length asked for
    Eigen::VectorXd displacement;  ///< (freedoms) sum of all joint displacements
  };

  /// Goes `length` along a null vector, then closes the loops again.
  Step move(const Eigen::VectorXd& direction, double length);

  /// Dimension of the finite motion here: how many directions survive a small step along random null vectors.
  /// Meant for positions without bifurcation.
  int finite_mobility(std::mt19937_64& random) const;

  /// Spins of parts that spherical joints and rods alone hold, of all other bodies at rest, where the ends that hold
  /// the part lead to more than one body.
  int idle_spins() const;

  /// `size` numbers of unit length.
  static Eigen::VectorXd random_unit(int size, std::mt19937_64& random);

 private:
  struct Oriented {
    std::size_t joint;
    double sign;  ///< +1: passed from its first body to its second
  };

  int k() const { return mechanism_->is_planar() ? 3 : 6; }
  std::vector<Screw> freedoms(std::size_t joint) const;
  void grow_tree();
  std::size_t body_before(std::size_t body) const;
  std::vector<Placement> body_placements() const;

  /// Second body in first body.
  Placement relative_placement(std::size_t j) const;

  /// The joints of a loop: forward through the joint that closes it, back through the tree.
  std::vector<Oriented> loop_path(std::size_t loop) const;

  /// The left side of (1), k rows per loop: world components about the world's origin.
  Eigen::MatrixXd loop_matrix() const;

  Eigen::VectorXd rows_of(const Eigen::Vector3d& w, const Eigen::Vector3d& v) const;

  /// How far each loop is from closing: where its last joint puts the second body, seen from where the tree puts it.
  Eigen::VectorXd loop_gaps() const;

  /// Least-squares Newton step with Levenberg's damping μ = |gap|²: converges on manifolds of solutions with redundant
  /// rows, and halves the distance to a shaky position.
  Eigen::VectorXd damped_newton_step(const Eigen::VectorXd& gap) const;

  void displace(const Eigen::VectorXd& dq);

  const model::Mechanism* mechanism_;
  std::vector<Placement> joints_;   ///< (joints) X_FM, exactly what the joint allows
  std::vector<Oriented> parent_;    ///< (bodies) the joint that leads to the body; unused for the ground
  std::vector<std::size_t> order_;  ///< (bodies) every body after the one before it in the tree
  std::vector<std::size_t> loops_;  ///< (loops) the joints that are not in the tree
  double start_misfit_ = 0.0;
};

}  // namespace eslabon::test
