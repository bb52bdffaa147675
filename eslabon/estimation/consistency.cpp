#include "eslabon/estimation/consistency.hpp"

#include <cmath>

#include "eslabon/estimation/chi_square.hpp"

namespace eslabon::estimation {

Band mean_band(int degrees, int runs, double probability) {
  const double all = static_cast<double>(degrees) * runs;
  return {.low = chi_square_quantile(0.5 * (1.0 - probability), all) / runs,
          .high = chi_square_quantile(0.5 * (1.0 + probability), all) / runs};  // (2)
}

std::optional<double> ErrorSquare::evaluate(const Eigen::Ref<const Eigen::VectorXd>& error,
                                            const Eigen::MatrixXd& P) {
  if (!error.allFinite() || !P.allFinite() || !(P.diagonal().array() > 0.0).all()) return std::nullopt;
  if (!root_.compute(P)) return std::nullopt;
  white_ = error;
  root_.whiten(white_);
  const double square = white_.squaredNorm();  // (1)
  if (!std::isfinite(square)) return std::nullopt;
  return square;
}

void RunningMean::add(double x) {
  ++count_;
  const double before = x - mean_;
  mean_ += before / static_cast<double>(count_);
  squares_ += before * (x - mean_);
}

double RunningMean::deviation() const {
  return count_ < 2 ? 0.0 : std::sqrt(squares_ / static_cast<double>(count_ - 1));
}

MonteCarloNees::MonteCarloNees(int num_states, int num_steps)
    : num_states_(num_states), steps_(static_cast<std::size_t>(num_steps)) {}

void MonteCarloNees::add(int step, double nees) { steps_[static_cast<std::size_t>(step)].add(nees); }

double MonteCarloNees::fraction_inside(double probability) const {
  int inside = 0;
  for (const RunningMean& step : steps_)
    if (step.count() > 0 &&
        mean_band(num_states_, static_cast<int>(step.count()), probability).contains(step.mean()))
      ++inside;
  return static_cast<double>(inside) / static_cast<double>(steps_.size());
}

}  // namespace eslabon::estimation
