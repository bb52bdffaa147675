#include "eslabon/codegen/regular_multipliers.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "eslabon/codegen/reduced_equations.hpp"
#include "eslabon/core/index.hpp"
#include "eslabon/core/linalg/eigenvalues.hpp"

namespace eslabon::codegen {

using core::index;
using core::Traced;
using dynamics::TracedVector;

namespace {

constexpr double kNoMass = 1e-9;  // eigenvalue of M by its maximum, each coordinate measured by its own mass
constexpr double kSeen = 1e-3;    // part of a row that no row before it has

/// Directions without mass, coordinates measured such that each has a mass of 1 or none: (n × k).
Eigen::MatrixXd massless_directions(const Eigen::MatrixXd& M, const Eigen::VectorXd& sizes) {
  const core::SymmetricEigen eigen = core::symmetric_eigen(sizes.asDiagonal() * M * sizes.asDiagonal());
  Eigen::Index count = 0;
  while (count < eigen.values.size() && eigen.values[count] <= kNoMass * eigen.values.maxCoeff()) ++count;
  return eigen.vectors.leftCols(count);
}

std::vector<Eigen::Index> fewest_entries_first(const Eigen::MatrixXd& J) {
  std::vector<Eigen::Index> order(core::index(J.rows()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::ranges::stable_sort(order, {}, [&](Eigen::Index r) { return (J.row(r).array() != 0.0).count(); });
  return order;
}

/// Rows r of J such that  M + ρ Σ J_rᵀ J_r  is regular where M alone is not: M has no mass along some directions, and rows are taken,
/// those with the fewest entries first, until each of these directions is seen by one. The unit length of Euler parameters adds no
/// entries to M that way. All rows where no choice of them is enough.
std::vector<Eigen::Index> rows_that_add_mass(const Eigen::MatrixXd& M, const Eigen::MatrixXd& J) {
  Eigen::VectorXd sizes = M.diagonal();
  for (double& size : sizes) size = size > 0.0 ? 1.0 / std::sqrt(size) : 1.0;
  const Eigen::MatrixXd massless = massless_directions(M, sizes);
  const Eigen::MatrixXd scaled = J * sizes.asDiagonal();
  std::vector<Eigen::Index> rows;
  Eigen::MatrixXd seen(massless.cols(), 0);  // orthonormal
  for (const Eigen::Index r : fewest_entries_first(J)) {
    if (seen.cols() == massless.cols()) break;
    Eigen::VectorXd along = massless.transpose() * scaled.row(r).transpose();
    along -= seen * (seen.transpose() * along);
    if (!(along.norm() > kSeen * scaled.row(r).norm())) continue;
    seen.conservativeResize(Eigen::NoChange, seen.cols() + 1);
    seen.rightCols<1>() = along.normalized();
    rows.push_back(r);
  }
  if (seen.cols() == massless.cols()) return rows;
  rows.resize(core::index(J.rows()));
  std::iota(rows.begin(), rows.end(), Eigen::Index{0});
  return rows;
}

}  // namespace

RegularMultipliers regular_multipliers(const TracedEquations& equations, const TracedParts& parts,
                                       const AtStart& at_start) {
  RegularMultipliers out;
  out.factors = {parts.M, parts.J, equations.augmentation(), dynamics::Elimination::kFewestFirst,
                 rows_that_add_mass(at_start(parts.M), at_start(parts.J))};
  TracedVector margins = out.factors.M.margins();
  const Eigen::VectorXd diagonal = (at_start(parts.J) * at_start(out.factors.Y)).diagonal();
  std::array<double, 2> largest{};
  const std::vector<int>& rows = equations.independent_rows();
  const auto unit_of = [&](Eigen::Index r) -> std::size_t {
    return equations.system().row_is_length(rows[index(r)]) ? 1 : 0;
  };
  for (Eigen::Index r = 0; r < diagonal.size(); ++r)
    largest[unit_of(r)] = std::max(largest[unit_of(r)], diagonal[r]);
  for (std::size_t k = 0; k < rows.size(); ++k)
    margins.push_back(out.factors.S.pivots()[k] * (1.0 / largest[unit_of(out.factors.S.order()[k])]));
  out.margin = smallest_margin(margins);
  return out;
}

std::vector<KnownDerivative> differentiate_multipliers(core::Trace& trace, const TracedParts& parts,
                                                       const TracedVector& gamma,
                                                       const dynamics::TracedMultipliers& factors,
                                                       const dynamics::TracedMultipliers::Solution& solution,
                                                       std::span<const Traced> inputs) {
  const TracedVector &a = solution.a, &lambda = solution.lambda;
  const auto n = static_cast<Eigen::Index>(a.size()), m = static_cast<Eigen::Index>(gamma.size());
  TracedVector values = parts.f;
  values.insert(values.end(), gamma.begin(), gamma.end());
  for (Eigen::Index r = 0; r < n; ++r)
    for (Eigen::Index c = 0; c < n; ++c) values.push_back(parts.M(r, c));
  for (Eigen::Index r = 0; r < m; ++r)
    for (Eigen::Index c = 0; c < n; ++c) values.push_back(parts.J(r, c));
  std::vector<TracedVector> force(inputs.size(), TracedVector(index(n), Traced(0.0))),
      row(inputs.size(), TracedVector(index(m), Traced(0.0)));
  std::vector<char> matters(inputs.size(), 0);
  for (const Entry& entry : derivative(trace, values, inputs)) {
    TracedVector &f = force[index(entry.column)], &right = row[index(entry.column)];
    matters[index(entry.column)] = 1;
    Eigen::Index k = entry.row;
    if (k < n) {
      f[index(k)] += entry.value;
    } else if ((k -= n) < m) {
      right[index(k)] += entry.value;
    } else if ((k -= m) < n * n) {
      f[index(k / n)] -= entry.value * a[index(k % n)];
    } else {
      k -= n * n;
      f[index(k % n)] -= entry.value * lambda[index(k / n)];
      right[index(k / n)] -= entry.value * a[index(k % n)];
    }
  }
  std::vector<KnownDerivative> known;
  for (const Traced& one : a) known.push_back({one, {}});
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (matters[k] == 0) continue;
    core::Trace::mark();
    const TracedVector by_input = factors.solve(row[k], force[k]).a;  // (1)
    for (std::size_t c = 0; c < by_input.size(); ++c)
      if (!(by_input[c] == Traced(0.0))) known[c].by_inputs.emplace_back(static_cast<int>(k), by_input[c]);
  }
  return known;
}

}  // namespace eslabon::codegen
