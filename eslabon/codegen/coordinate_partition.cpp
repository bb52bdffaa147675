#include "eslabon/codegen/coordinate_partition.hpp"

#include <algorithm>

#include "eslabon/codegen/sampled_positions.hpp"
#include "eslabon/core/index.hpp"

namespace eslabon::codegen {

using core::index;
using core::Traced;
using dynamics::TracedMatrix;
using dynamics::TracedMotion;
using dynamics::TracedVector;
using Eigen::Index;

namespace {

/// Rows and columns of the Jacobian at a position, as numbers.
Eigen::MatrixXd dependent_columns(const dynamics::ReducedMotion& motion, const SampledPosition& at,
                                  const std::vector<int>& dependent) {
  std::vector<coordinates::CoordinateValue> values(motion.model().prescribed().size());
  motion.model().evaluate_drivers_or_throw(at.t, values);
  coordinates::PositionLevel level;
  const coordinates::ConstraintSystem& system = motion.system();
  system.evaluate_positions(at.q, values, level);
  const TracedMatrix J = dynamics::dense_rows(system.pattern(), motion.independent_rows(),
                                              {level.Phi_q.begin(), level.Phi_q.end()});
  Eigen::MatrixXd S(J.rows(), static_cast<Index>(dependent.size()));
  for (Index r = 0; r < S.rows(); ++r)
    for (Index c = 0; c < S.cols(); ++c) S(r, c) = J(r, dependent[index(c)]).constant();
  return S;
}

TracedMatrix columns_of(const TracedMatrix& J, const std::vector<int>& columns) {
  TracedMatrix S(J.rows(), static_cast<Index>(columns.size()));
  for (Index r = 0; r < S.rows(); ++r)
    for (Index c = 0; c < S.cols(); ++c) S(r, c) = J(r, columns[index(c)]);
  return S;
}

TracedVector negated(TracedVector list) {
  for (Traced& x : list) x = -x;
  return list;
}

}  // namespace

CoordinatePartition::CoordinatePartition(dynamics::ReducedMotion& motion) : motion_(motion) {
  for (int c = 0; c < motion.system().num_coordinates(); ++c)
    if (std::ranges::find(motion.chosen(), c) == motion.chosen().end()) dependent_.push_back(c);
  std::vector<double> row_scales;
  for (const int row : motion.independent_rows())
    row_scales.push_back(motion.system().row_is_length(row) ? 1.0 : motion.length());
  std::vector<Eigen::MatrixXd> samples;
  for (const SampledPosition& at : sample_positions(motion))
    samples.push_back(dependent_columns(motion, at, dependent_));
  plan_ = plan_elimination(std::move(samples), std::move(row_scales));
}

CoordinatePartition::At::At(const CoordinatePartition& partition, const TracedMotion& traced,
                            TracedMotion::Position position)
    : partition_(partition),
      traced_(traced),
      position_(std::move(position)),
      factors_(columns_of(position_.J, partition.dependent_), partition.plan_) {}

TracedVector CoordinatePartition::At::spread(const TracedVector& dependent) const {
  TracedVector out(position_.q.size(), Traced(0.0));
  for (std::size_t d = 0; d < dependent.size(); ++d) out[index(partition_.dependent_[d])] = dependent[d];
  return out;
}

TracedMatrix CoordinatePartition::At::R() const {
  const std::vector<int>& chosen = partition_.motion_.chosen();
  TracedMatrix R(static_cast<Index>(position_.q.size()), static_cast<Index>(chosen.size()));
  for (Index k = 0; k < R.cols(); ++k) {
    TracedVector rhs(index(position_.J.rows()));
    for (Index r = 0; r < position_.J.rows(); ++r) rhs[index(r)] = -position_.J(r, chosen[index(k)]);
    TracedVector column = spread(solve(rhs));  // (1)
    column[index(chosen[index(k)])] = 1.0;
    for (Index c = 0; c < R.rows(); ++c) R(c, k) = column[index(c)];
  }
  return R;
}

TracedVector CoordinatePartition::At::v(const TracedMatrix& R, const TracedVector& z_dot) const {
  TracedVector v = dynamics::product(R, z_dot);
  const TracedVector Phi_t =
      traced_.rate_rows(position_.q, TracedVector(position_.q.size(), Traced(0.0))).velocity;
  const TracedVector s = spread(solve(negated(Phi_t)));  // (1)
  for (std::size_t c = 0; c < v.size(); ++c) v[c] += s[c];
  return v;
}

TracedVector CoordinatePartition::At::b(const TracedVector& v) const {
  return spread(solve(traced_.rate_rows(position_.q, v).gamma));  // (1)
}

}  // namespace eslabon::codegen
