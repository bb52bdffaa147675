#pragma once

#include <memory>
#include <span>

#include <Eigen/Core>
#include <Eigen/LU>

#include "eslabon/dynamics/mass/mass_model.hpp"
#include "eslabon/dynamics/reduced/reduced_motion.hpp"

namespace eslabon::test {

/// How well accelerations and multipliers are determined: of
///   K (a, λ) = (f, γ),  K = [M Jᵀ; J 0]                                                                              (1)
///   (D K D) y = D (f, γ),  (a, λ) = D y                                                                              (2)
/// with D such that the largest entry of each row and column of D K D is 1. Roundings of K and (f, γ) change y by ε κ of its largest number
/// (a, λ) may then be small in a and large in λ: what is small is known no better. M and J come from the program's own masses and
/// constraints, not from the exported code.
class KktCondition {
 public:
  explicit KktCondition(const dynamics::ReducedMotion& motion);
  /// κ of D K D, by sums of absolute values.
  double at(std::span<const double> q);
  /// (n) how large each acceleration is where the largest number of y is its own; after at().
  Eigen::VectorXd sizes(std::span<const double> f, std::span<const double> gamma) const;

 private:
  const coordinates::ConstraintSystem& system_;
  std::unique_ptr<dynamics::MassModel> masses_;
  std::vector<int> slot_;  ///< (rows) place among the independent ones; −1: none
  dynamics::MassValues values_;
  coordinates::PositionLevel level_;
  std::vector<double> at_rest_;
  Eigen::MatrixXd K_;
  Eigen::VectorXd D_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

}  // namespace eslabon::test
