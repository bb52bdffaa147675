#include "tests/export/kkt_condition.hpp"

#include <algorithm>

#include "eslabon/core/index.hpp"

namespace eslabon::test {

using core::index;
using Eigen::Index;

namespace {

/// Of a pattern, entry by entry.
template <class Take>
void for_each_entry(const coordinates::SparsePattern& pattern, const Take& take) {
  for (int c = 0; c < pattern.columns; ++c)
    for (int e = pattern.column_start[index(c)]; e < pattern.column_start[index(c) + 1]; ++e)
      take(pattern.row_of_entry[index(e)], c, index(e));
}

/// A few times D K D with D = 1/√(largest); all of D.
Eigen::VectorXd equilibrate(Eigen::MatrixXd& K) {
  Eigen::VectorXd D = Eigen::VectorXd::Ones(K.rows());
  for (int i = 0; i < 5; ++i) {
    const Eigen::VectorXd d = K.cwiseAbs().colwise().maxCoeff().transpose().cwiseSqrt().cwiseInverse();
    K = d.asDiagonal() * K * d.asDiagonal();
    D = D.cwiseProduct(d);
  }
  return D;
}

}  // namespace

KktCondition::KktCondition(const dynamics::ReducedMotion& motion)
    : system_(motion.system()),
      masses_(dynamics::make_masses(system_)),
      slot_(index(system_.num_rows()), -1),
      at_rest_(index(system_.num_coordinates()), 0.0) {
  int k = 0;
  for (const int row : motion.independent_rows()) slot_[index(row)] = system_.num_coordinates() + k++;
  const Index size = system_.num_coordinates() + k;
  K_.resize(size, size);
}

double KktCondition::at(std::span<const double> q) {
  masses_->evaluate(q, at_rest_, Eigen::Vector3d::Zero(), values_);
  system_.evaluate_positions(q, {}, level_);
  K_.setZero();
  for_each_entry(masses_->pattern(), [&](int r, int c, std::size_t e) { K_(r, c) = values_.M[e]; });
  for_each_entry(system_.pattern(), [&](int r, int c, std::size_t e) {
    if (slot_[index(r)] >= 0) K_(slot_[index(r)], c) = K_(c, slot_[index(r)]) = level_.Phi_q[e];
  });
  D_ = equilibrate(K_);
  lu_.compute(K_);
  return 1.0 / lu_.rcond();
}

Eigen::VectorXd KktCondition::sizes(std::span<const double> f, std::span<const double> gamma) const {
  Eigen::VectorXd b(K_.rows());
  std::ranges::copy(f, b.begin());
  std::ranges::copy(gamma, b.begin() + static_cast<Index>(f.size()));
  const Eigen::VectorXd y = lu_.solve(D_.cwiseProduct(b));  // (2)
  return y.cwiseAbs().maxCoeff() * D_.head(static_cast<Index>(f.size()));
}

}  // namespace eslabon::test
