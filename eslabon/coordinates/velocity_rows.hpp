#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "eslabon/coordinates/constraint_system.hpp"

namespace eslabon::coordinates {

/// What VelocityRows find at one q; the first two are of it, gamma of q and v.
struct VelocityLevel {
  Eigen::MatrixXd A;                           ///< (rows × n) [m], set by evaluate
  FeatureValues<double> features;              ///< what the rows are made of, set by evaluate
  Eigen::VectorXd gamma;                       ///< (rows) −(d/dt A) v [m/s²], set by evaluate_gamma
  std::vector<Eigen::Vector3d> x_dot, x_bias;  ///< Scratch of evaluate_gamma.
};

/// The rows of a mechanism on velocities that are derivatives of none on positions: non-holonomic ones, of discs that roll without
/// slipping,
///   A(q) v = 0,   A a = gamma,   gamma = −(d/dt A) v                                                       (1)
/// in the coordinates of a ConstraintSystem, whose own rows are on positions. Positions do not know them: the mechanism has as many
/// degrees of freedom in position as its constraint system leaves, and by the rank of A less in velocity [NeimarkFufaev1972, ch. I].
/// Immutable, safe to share between threads; after their first use levels do not allocate. The system must outlive it.
class VelocityRows {
 public:
  explicit VelocityRows(const ConstraintSystem& system);

  int size() const { return static_cast<int>(rows_.size()); }
  bool is_empty() const { return rows_.empty(); }
  const RowLabel& label(int row) const { return rows_[static_cast<std::size_t>(row)].label; }
  /// Coordinates that the row depends on, ascending.
  const std::vector<int>& columns(int row) const { return rows_[static_cast<std::size_t>(row)].columns; }

  void evaluate(std::span<const double> q, VelocityLevel& out) const;
  /// gamma; `level` was evaluated at q.
  void evaluate_gamma(std::span<const double> q, std::span<const double> v, VelocityLevel& level) const;

  /// The first joint whose disc lies flat on its plane, or so nearly that no point of its rim is the one it rolls on.
  std::optional<model::JointIndex> find_flat_disc(const VelocityLevel& level) const;

 private:
  struct PlacedRow {
    RowForm form;
    double constant;
    std::array<int, kMostFeatures> features;  ///< places in the map
    std::vector<int> columns;
    RowLabel label;
  };
  std::array<const Eigen::Vector3d*, kMostFeatures> of(const PlacedRow& row,
                                                       const std::vector<Eigen::Vector3d>& x) const;

  const ConstraintSystem& system_;
  std::vector<PlacedRow> rows_;
  std::unique_ptr<FeatureMap> map_;
};

/// "joint 'wheel', slipping along y"
std::string describe_row(const ConstraintSystem& system, const VelocityRows& rows, int row);

/// What is said of a disc that lies flat.
core::ErrorText flat_disc_text(const model::Mechanism& mechanism, model::JointIndex joint);

}  // namespace eslabon::coordinates
