#pragma once

#include "eslabon/estimation/estimator.hpp"

/// One maker per filter, for the registry.
namespace eslabon::estimation {

std::unique_ptr<Estimator> make_dekf(System& system, const EstimatorOptions& options);
std::unique_ptr<Estimator> make_ukf(System& system, const EstimatorOptions& options);
std::unique_ptr<Estimator> make_cekf(System& system, const EstimatorOptions& options);
/// The same filter as make_dekf gives, under its other name.
std::unique_ptr<Estimator> make_error_ekf(System& system, const EstimatorOptions& options);
std::unique_ptr<Estimator> make_particle(System& system, const EstimatorOptions& options);
std::unique_ptr<Estimator> make_grid(System& system, const EstimatorOptions& options);

}  // namespace eslabon::estimation
