#include "benchmarks/tables/loop_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Geometry>

#include "eslabon/coordinates/kinematic_tree.hpp"
#include "eslabon/core/text/error.hpp"

namespace eslabon::benchmarks {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using model::JointType;

constexpr double kZero = 1e-12;  // m, or rad: what roundoff leaves
constexpr double kRank = 1e-9;   // of the largest entry

/// Ends of cut joints and what unit rates of coordinates make of them.
class Ends {
 public:
  Ends(const model::Mechanism& mechanism, const structure::Structure& structure, std::span<const double> q)
      : tree_(mechanism, structure) {
    tree_.evaluate(q, values_);
  }

  int num_coordinates() const { return tree_.num_coordinates(); }

  Vector3d point(const model::JointEnd& end) const {
    const int link = tree_.link_of(end.body);
    return values_.R_WL[slot(link)] * (tree_.X_LB(end.body).apply_to_point(end.X_BF.p_AB_A)) +
           values_.p_WL[slot(link)];
  }
  Vector3d axis(const model::JointEnd& end) const {
    const int link = tree_.link_of(end.body);
    return values_.R_WL[slot(link)] *
           (tree_.X_LB(end.body).apply_to_direction(end.X_BF.R_AB.matrix().col(2)));
  }

  // As in [Seed004, eq. (25)].
  /// Adds `sign` times the velocity of the point, or of the axis, for a unit rate of every coordinate between the ground and this end.
  void add_point(const model::JointEnd& end, double sign, Eigen::Ref<MatrixXd> rows) const {
    const Vector3d r = point(end);
    for (const int k : tree_.link(tree_.link_of(end.body)).path)
      rows.col(k) += sign * (values_.axis_v[slot(k)] + values_.axis_w[slot(k)].cross(r));
  }
  void add_axis(const model::JointEnd& end, double sign, Eigen::Ref<MatrixXd> rows) const {
    const Vector3d u = axis(end);
    for (const int k : tree_.link(tree_.link_of(end.body)).path)
      rows.col(k) += sign * values_.axis_w[slot(k)].cross(u);
  }

 private:
  static std::size_t slot(int i) { return static_cast<std::size_t>(i); }

  coordinates::KinematicTree tree_;
  coordinates::TreeValues<double> values_;
};

int rows_of(JointType type) {
  return type == JointType::kRevolute    ? 6
         : type == JointType::kSpherical ? 3
         : type == JointType::kRod       ? 1
                                         : 0;
}

/// The columns in which Gaussian elimination with complete pivoting finds its pivots, ascending.
std::vector<int> pivot_columns(MatrixXd A) {
  std::vector<int> columns(static_cast<std::size_t>(A.cols()));
  std::iota(columns.begin(), columns.end(), 0);
  const double least = kRank * A.cwiseAbs().maxCoeff();
  Index rank = 0;
  for (; rank < std::min(A.rows(), A.cols()); ++rank) {
    Index row = 0, column = 0;
    const Index m = A.rows() - rank, n = A.cols() - rank;
    if (A.bottomRightCorner(m, n).cwiseAbs().maxCoeff(&row, &column) <= least) break;
    A.row(rank).swap(A.row(rank + row));
    A.col(rank).swap(A.col(rank + column));
    std::swap(columns[static_cast<std::size_t>(rank)], columns[static_cast<std::size_t>(rank + column)]);
    for (Index i = rank + 1; i < A.rows(); ++i)
      A.row(i).tail(n) -= A(i, rank) / A(rank, rank) * A.row(rank).tail(n);
  }
  columns.resize(static_cast<std::size_t>(rank));
  std::ranges::sort(columns);
  return columns;
}

}  // namespace

double LoopRows::density() const {
  long entries = 0;
  for (const int k : dependent) entries += (Phi_z.col(k).array().abs() > kZero).count();
  return static_cast<double>(entries) / static_cast<double>(rows() * rank());
}

LoopRows loop_rows(const model::Mechanism& mechanism, const structure::Structure& structure,
                   std::span<const double> q) {
  LoopRows out;
  const Ends ends(mechanism, structure, q);
  Index rows = 0;
  for (const structure::Loop& loop : structure.tree.loops) {
    const model::Joint& joint = mechanism.joint(loop.closing_joint);
    const int count = rows_of(joint.type);
    if (count == 0)
      throw core::ModelError({.what = "a loop is cut at a joint that is not counted here",
                              .where = "joint '" + joint.name + "'",
                              .expected = "a revolute or spherical joint or a rod",
                              .actual = std::string(model::facts(joint.type).name),
                              .next = "Count another mechanism."});
    ++(count == 6 ? out.revolutes : count == 3 ? out.balls : out.rods);
    rows += count;
  }
  out.Phi_z = MatrixXd::Zero(rows, ends.num_coordinates());
  Index row = 0;
  for (const structure::Loop& loop : structure.tree.loops) {
    const model::Joint& joint = mechanism.joint(loop.closing_joint);
    const auto& [first, second] = joint.ends;
    MatrixXd relative = MatrixXd::Zero(3, ends.num_coordinates());
    ends.add_point(second, 1.0, relative);
    ends.add_point(first, -1.0, relative);
    if (joint.type == JointType::kRod) {
      out.Phi_z.row(row++) =
          2.0 * (ends.point(second) - ends.point(first)).transpose() * relative;  // [Seed004, eq. (22)]
      continue;
    }
    out.Phi_z.middleRows(row, 3) = relative;  // [Seed004, eq. (20)]
    row += 3;
    if (joint.type != JointType::kRevolute) continue;
    ends.add_axis(second, 1.0, out.Phi_z.middleRows(row, 3));  // [Seed004, eq. (21)]
    ends.add_axis(first, -1.0, out.Phi_z.middleRows(row, 3));
    row += 3;
  }
  out.dependent = pivot_columns(out.Phi_z);
  return out;
}

}  // namespace eslabon::benchmarks
