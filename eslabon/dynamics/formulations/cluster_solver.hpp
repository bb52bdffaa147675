#pragma once

#include <array>
#include <span>
#include <vector>

#include "eslabon/dynamics/formulations/cluster_links.hpp"
#include "eslabon/dynamics/formulations/cluster_rows.hpp"
#include "eslabon/dynamics/formulations/small_factors.hpp"

namespace eslabon::dynamics {

/// The m/6 of a rod with mass: T = m/6 ẋ_A·ẋ_B beside m/3 at each of its ends.
struct RodCoupling {
  std::array<int, 2> link{};
  std::array<Eigen::Vector3d, 2> local{};  ///< in the frames of the links [m]
  double mass = 0.0;                       ///< m / 6 [kg]

  Eigen::Vector3d end(std::size_t e, const ClusterLinks& links) const {
    return links[link[e]].p + links[link[e]].R * local[e];
  }
};

/// I ← I + m P_rᵀ P_s, P = [−r× 1]: the force at r for the acceleration of s, both of one body, m of a RodCoupling.
void add_coupling(double m, const Eigen::Vector3d& r, const Eigen::Vector3d& s, Matrix6d& inertia);

/// Equations (1) to (6) of clusters.cpp for one cluster. Scratch: one per thread.
class ClusterSolver {
 public:
  /// Both must outlive it.
  ClusterSolver(const Cluster& cluster, int number, const coordinates::KinematicTree& tree)
      : cluster_(&cluster), tree_(&tree), number_(number) {}

  /// A rod between links of the cluster, or between one of them and the base.
  void add_rod(const RodCoupling& rod) { rods_.push_back(rod); }
  /// Other clusters hang on this one.
  void set_carrier() { carries_clusters_ = true; }

  /// Columns from now on, without dropped parameters: dependent ones, as many as rows, then f independent ones.
  void set_columns(std::vector<int> columns, std::size_t f, const ClusterLinks& links);
  const std::vector<int>& columns() const { return columns_; }
  std::size_t m() const { return c_.size(); }
  std::size_t f() const { return of_z_.size(); }
  /// (f) places in z.
  std::vector<std::size_t>& of_z() { return of_z_; }

  /// Phi_d where rows were evaluated. False where it is singular.
  [[nodiscard]] bool factor(const ClusterRows& rows) {
    return lu_.factor(rows.Phi_q().data(), columns_.size(), rows.largest().data());
  }
  /// x = Phi_d⁻¹ b, both (m).
  void solve(const std::vector<double>& b, std::vector<double>& x) const {
    lu_.solve(b.data(), 1, x.data(), 1);
  }
  double pivot_ratio() const { return lu_.pivot_ratio(); }
  /// R_d of (1); after factor.
  void find_directions(const ClusterRows& rows);
  /// Row k of it, (f).
  const double* directions(std::size_t k) const { return R_d_.data() + k * f(); }
  /// c_d of (1), and α, a of the links become ζ of (2). `y`: (coordinates) scratch.
  void add_biases(const ClusterRows& rows, ClusterLinks& links, std::span<double> y);
  const std::vector<double>& bias() const { return c_; }

  /// (3), (4). False where a degree of freedom has no mass.
  [[nodiscard]] bool gather(ClusterLinks& links, const Eigen::Vector3d& g);
  /// (5): z̈, and R z̈ of the cluster's columns in y (coordinates).
  void spread(ClusterLinks& links, std::span<double> z_ddot, std::span<double> y);

 private:
  [[nodiscard]] bool gather_joint(ClusterLinks& links);
  /// (6), and what the motion needs of the coupling.
  void add_rod_terms(const RodCoupling& rod, const ClusterLinks& links, const Eigen::Vector3d& g,
                     Matrix6d& inertia, Vector6d& force);
  [[nodiscard]] bool reduce();
  void add_to_base(const Matrix6d& inertia, const Vector6d& force, ClusterLinks& links) const;

  const Cluster* cluster_;
  const coordinates::KinematicTree* tree_;
  int number_;
  std::vector<RodCoupling> rods_;
  bool carries_clusters_ = false;
  bool is_joint_ = false;  ///< a single one with one coordinate
  std::vector<int> columns_;
  std::vector<std::size_t> of_z_;
  std::vector<int> carrier_;  ///< (columns) link; −1: mixed
  std::vector<std::vector<int>>
      before_;  ///< (columns) places of those on the way to it from the base, itself included
  // Scratch: n columns, m dependent, f independent.
  SmallLu lu_;
  SmallCholesky cholesky_;
  std::vector<double> R_d_, c_;             ///< (m × f) by rows, (m)
  std::vector<double> M_, MR_, D_, u_, t_;  ///< (n × n), (n × f), (f × f), all by rows, (f), (n)
  std::vector<double> moved_;        ///< (n) what D is compared with: without a mass it is roundoff of this
  std::vector<Vector6d> F_, U_, W_;  ///< (n), (f), (f)
};

}  // namespace eslabon::dynamics
