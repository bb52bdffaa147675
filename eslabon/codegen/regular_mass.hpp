#pragma once

#include <vector>

#include <Eigen/Core>

namespace eslabon::codegen {

/// Rows r of J such that  M + ρ Σ J_rᵀ J_r  is regular where M alone is not: M has no mass along some directions (the length of Euler
/// parameters, bodies without mass), and rows are taken, those with the fewest entries first, until each of these directions is seen by
/// one. The unit length of Euler parameters adds no entries to M that way. All rows where no choice of them is enough.
std::vector<Eigen::Index> rows_that_add_mass(const Eigen::MatrixXd& M, const Eigen::MatrixXd& J);

}  // namespace eslabon::codegen
