#pragma once

#include <array>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/coordinates/coupled_coordinates.hpp"
#include "eslabon/dynamics/forces/mesh_force.hpp"
#include "eslabon/dynamics/forces/wrench.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::dynamics {

/// How rows push bodies: those of all joints (on positions, then on velocities), then those of couplings, and those of drivers or actuators added to them. The matrix G has a column for each
/// row and 6 entries (planar: fx, fy, mz) for each moving body, force at its origin and torque. Torques count in units of force at
/// the mechanism's size, and a unit of a row is 1 N, or 1 N times that size where the row is turned against: what is least or
/// small then does not depend on the unit of length. Scratch: one per thread.
class RowPushes {
 public:
  /// The rows of the joints and of the couplings, in their order. Looks at `mechanism`, and lives inside what keeps it.
  explicit RowPushes(const model::Mechanism& mechanism);
  /// One more row, behind all others: what moves along this is pushed along it.
  void add(const coordinates::Prescribed& actuator);

  Eigen::Index num_rows() const { return static_cast<Eigen::Index>(rows_.size() + couplings_.size()); }
  Eigen::Index num_joint_rows() const {
    return first_row_.back() + static_cast<Eigen::Index>(couplings_.size());  // of couplings too
  }
  /// The row of a coupling: a unit of it is that of its first coordinate.
  Eigen::Index row_of_coupling(std::size_t coupling) const {
    return first_row_.back() + static_cast<Eigen::Index>(coupling);
  }
  /// Size of the mechanism [m].
  double length() const { return length_; }
  /// What a unit of row r is in N or N m.
  double unit(Eigen::Index r) const;

  /// Poses of the bodies; angles of rows are what they are there.
  void evaluate(const coordinates::MechanismMotion& bodies);

  /// G at the last evaluation.
  Eigen::MatrixXd matrix() const;
  /// Wrenches of bodies, (bodies) the ground too, in the order of the rows of G.
  Eigen::VectorXd stacked(std::span<const Wrench> wrenches) const;
  /// The motion of the bodies along a vector that is measured as the rows of G: their poses, and velocities.
  coordinates::MechanismMotion motion_along(const Eigen::VectorXd& direction) const;

  /// What the rows of a joint do to its second body with these weights in units of the rows (rows or num_joint_rows), at the
  /// joint's origin there.
  Wrench on_second_body(std::size_t joint, const Eigen::VectorXd& weights) const;

 private:
  /// Where the features of a row are, and how a unit of it pushes them.
  struct Push {
    std::size_t count = 0;
    std::array<Eigen::Vector3d, coordinates::kMostFeatures> x, gradient;
  };
  /// A coupling pushes in its pitch point, or along each of its coordinates.
  struct CouplingPush {
    bool is_length;                      ///< whether its first coordinate is
    std::vector<coordinates::Row> rows;  ///< of its coordinates
    std::vector<double> factors;  ///< of its coordinates, 1 of the first; of one with a law set by evaluate
    std::optional<MeshMount> mount;
    std::optional<MeshForce> mesh;  ///< set by evaluate
    std::vector<Push> pushes;       ///< (rows) set by evaluate
  };
  /// The place in rows_ of row r of a joint or an actuator; of couplings none.
  std::optional<std::size_t> own_row(Eigen::Index r) const;
  Push push_of(const coordinates::Row& row) const;
  void add_coupling(const model::Coupling& coupling);
  /// Factors of coordinates with a law: how much the first one moves for them.
  void evaluate_laws();
  /// Column of G of a coupling.
  void write_coupling(const CouplingPush& coupling, double unit, Eigen::Ref<Eigen::VectorXd> column) const;
  void add_to(model::BodyIndex body, const Wrench& wrench, Eigen::Ref<Eigen::VectorXd> column) const;
  /// Adds what `weight` [N or N m] of a push does at its feature f, torques about a point.
  static void add_push(const coordinates::Row& row, const Push& push, std::size_t f,
                       const Eigen::Vector3d& about, double weight, Wrench& wrench);
  void write(const Wrench& wrench, Eigen::Ref<Eigen::VectorXd> out) const;

  const model::Mechanism& mechanism_;
  double length_;
  Eigen::Index per_body_;
  std::vector<coordinates::Row> rows_;  ///< of joints, then of actuators
  std::vector<CouplingPush> couplings_;
  coordinates::CoupledCoordinates coupled_;  ///< where laws are
  std::vector<Eigen::Index> first_row_;      ///< (joints + 1)
  std::vector<Push> pushes_;                 ///< (rows)
  coordinates::MechanismMotion bodies_;
};

}  // namespace eslabon::dynamics
