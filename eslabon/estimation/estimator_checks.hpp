#pragma once

#include "eslabon/estimation/system.hpp"

/// What callers of filters may get wrong, in the same words for all of them: core::ContractError.
namespace eslabon::estimation {

void check_start_size(Eigen::Index num_states, const Eigen::VectorXd& x, const Eigen::MatrixXd& P);
[[noreturn]] void refuse_start_covariance();
/// A step that is not positive.
void check_step(double h);
/// A sensor that does not exist, or a reading of another size. False when it is not finite.
bool check_reading(const System& system, int sensor, ConstStateRef y);
/// A factor below 1.
void check_inflation(double factor);

}  // namespace eslabon::estimation
