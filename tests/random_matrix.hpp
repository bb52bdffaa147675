#pragma once

#include <Eigen/Core>

#include "eslabon/core/random/rng.hpp"

namespace eslabon::test {

/// Entries drawn from the standard normal law.
inline Eigen::MatrixXd random_matrix(core::Rng& rng, Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd A(rows, columns);
  for (double& entry : A.reshaped()) entry = rng.normal();
  return A;
}

}  // namespace eslabon::test
