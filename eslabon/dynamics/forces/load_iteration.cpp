#include "eslabon/dynamics/forces/load_iteration.hpp"

#include <algorithm>
#include <cmath>

#include "eslabon/core/linalg/orthogonal.hpp"

namespace eslabon::dynamics {

namespace {

using Eigen::Index;

constexpr double kSameLoad = 1e-13;   // of the forces in the mechanism
constexpr int kMostRepetitions = 12;  // before Newton
constexpr int kMostCorrections = 20;  // by Newton
constexpr double kDifference = 1e-6;  // of the largest load

double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

/// One step of Newton from `loads`, which cause `found`.
DynamicsStatus correct(std::vector<double>& loads, const std::vector<double>& found, double scale,
                       const LoadsCaused& caused) {
  const auto n = static_cast<Index>(loads.size());
  const double step = kDifference * std::max({scale, largest(loads), largest(found)});
  Eigen::MatrixXd J = Eigen::MatrixXd::Identity(n, n);
  std::vector<double> beside;
  for (Index j = 0; j < n; ++j) {
    std::vector<double> moved = loads;
    moved[static_cast<std::size_t>(j)] += step;
    beside = found;
    if (const auto status = caused(moved, beside, scale); status != DynamicsStatus::kSolved) return status;
    for (Index i = 0; i < n; ++i)
      J(i, j) -= (beside[static_cast<std::size_t>(i)] - found[static_cast<std::size_t>(i)]) / step;
  }
  Eigen::VectorXd defect(n);
  for (Index i = 0; i < n; ++i)
    defect[i] = found[static_cast<std::size_t>(i)] - loads[static_cast<std::size_t>(i)];
  const Eigen::VectorXd change = core::solve_least_squares(J, defect);
  for (Index i = 0; i < n; ++i)
    loads[static_cast<std::size_t>(i)] = std::max(0.0, loads[static_cast<std::size_t>(i)] + change[i]);
  return DynamicsStatus::kSolved;
}

}  // namespace

DynamicsStatus solve_loads(std::vector<double>& loads, const LoadsCaused& caused) {
  std::vector<double> found(loads.size());
  double scale = 0.0;
  for (int i = 0; i < kMostRepetitions + kMostCorrections; ++i) {
    if (const auto status = caused(loads, found, scale); status != DynamicsStatus::kSolved) return status;
    double change = 0.0;
    for (std::size_t k = 0; k < found.size(); ++k) change = std::max(change, std::abs(found[k] - loads[k]));
    if (!std::isfinite(change)) return DynamicsStatus::kJammed;
    if (change <= kSameLoad * std::max(scale, largest(found))) return DynamicsStatus::kSolved;
    if (i < kMostRepetitions)
      loads = found;  // (1)
    else if (const auto status = correct(loads, found, scale, caused); status != DynamicsStatus::kSolved)
      return status;
  }
  return DynamicsStatus::kJammed;
}

}  // namespace eslabon::dynamics
