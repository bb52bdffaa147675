#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include "eslabon/core/linalg/cholesky.hpp"

namespace eslabon::estimation {

/// Whether a filter knows its own error [BarShalom2001, ch. 5]. For an error e of n states with covariance P,
///   NEES = eᵀ P⁻¹ e                                                                                                       (1)
/// is chi-square with n degrees when P is right; the NIS of m channels likewise with m. The sum over N independent runs has N n
/// degrees, so that their mean lies in a band about n with a given probability:
///   [χ²_{N n}((1 − p)/2), χ²_{N n}((1 + p)/2)] / N                                                                        (2)

/// An interval.
struct Band {
  double low = 0.0, high = 0.0;
  bool contains(double x) const { return x >= low && x <= high; }
};

/// (2): where the mean of `runs` independent chi-square numbers lies with this probability.
Band mean_band(int degrees, int runs, double probability = 0.95);

/// (1), without allocation after construction.
class ErrorSquare {
 public:
  explicit ErrorSquare(Eigen::Index num_states) : root_(num_states), white_(num_states) {}
  /// Nothing when P has a direction without variance, or one of the arguments is not finite.
  std::optional<double> evaluate(const Eigen::Ref<const Eigen::VectorXd>& error, const Eigen::MatrixXd& P);

 private:
  core::Cholesky root_;    // Scratch.
  Eigen::VectorXd white_;  // Scratch.
};

/// Mean and deviation of numbers as they come, without keeping them.
class RunningMean {
 public:
  void add(double x);
  long count() const { return count_; }
  double mean() const { return mean_; }  ///< 0 for none
  double deviation() const;              ///< of the numbers, not of their mean; 0 for fewer than two

 private:
  long count_ = 0;
  double mean_ = 0.0, squares_ = 0.0;
};

/// NEES of many runs at the same instants.
class MonteCarloNees {
 public:
  MonteCarloNees(int num_states, int num_steps);

  void add(int step, double nees);
  /// Of the runs so far at a step.
  double mean(int step) const { return steps_[static_cast<std::size_t>(step)].mean(); }
  /// Fraction of the steps at which the mean lies in the band (2).
  double fraction_inside(double probability = 0.95) const;

 private:
  int num_states_;
  std::vector<RunningMean> steps_;
};

}  // namespace eslabon::estimation
