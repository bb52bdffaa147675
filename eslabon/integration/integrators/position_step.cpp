#include "eslabon/integration/integrators/position_step.hpp"

#include <algorithm>
#include <cmath>

#include "eslabon/core/linalg/lu.hpp"

namespace eslabon::integration {

void PositionStep::resize(std::size_t n, std::size_t m) {
  if (a_.size() == n && lambda_.size() == m) return;
  a_.assign(n, 0.0);
  lambda_.assign(m, 0.0);
  const auto rows = static_cast<Eigen::Index>(n), constraints = static_cast<Eigen::Index>(m);
  r_.setZero(rows);
  r_here_.setZero(rows);
  Phi_.setZero(constraints);
  J_.resize(rows + constraints, rows + constraints);
  right_.resize(rows + constraints);
  answer_.resize(rows + constraints);
  lu_ = core::Lu(rows + constraints);
}

Verdict PositionStep::solve(MotionEquations& equations, dynamics::DescriptorForm& form,
                            const MotionPoint& from, double t1, std::span<const double> x0,
                            std::span<double> x, MotionPoint& to) {
  resize(from.z.size(), form.num_rows());
  const double h = t1 - from.state.t;
  if (std::abs(h - h_) > 1e-6 * h) has_tangent_ = false;
  h_ = h;
  // Anew in each step: shares of redundant rows that roundoff brings in would add up.
  std::ranges::fill(lambda_, 0.0);
  Verdict verdict = iterate(equations, form, from, t1, x0, x, to);
  for (int i = 0; i < NewtonWatch::kMostTangents && verdict == Verdict::kSlow; ++i) {
    has_tangent_ = false;
    if (!is_finite(x)) return verdict;
    verdict = iterate(equations, form, from, t1, x0, x, to);
  }
  return verdict;
}

bool PositionStep::evaluate(MotionEquations& equations, dynamics::DescriptorForm& form,
                            const MotionPoint& from, double t1, std::span<const double> x0,
                            std::span<const double> x, MotionPoint& to) {
  rule_.place(from, h_, x0, x, to);
  for (std::size_t k = 0; k < x.size(); ++k)  // (2) of the rule
    a_[k] = ((1.0 - rule_.alpha_m) * x[k] + rule_.alpha_m * x0[k] - rule_.alpha_f * from.z_ddot[k]) /
            (1.0 - rule_.alpha_f);
  return equations.evaluate(form, from, t1, a_, lambda_, to, r_, Phi_);
}

bool PositionStep::make_tangent(MotionEquations& equations, dynamics::DescriptorForm& form,
                                const MotionPoint& from, double t1, std::span<const double> x0,
                                std::span<double> x, MotionPoint& to) {
  if (!evaluate(equations, form, from, t1, x0, x, to)) return false;
  const auto n = static_cast<Eigen::Index>(x.size()), m = static_cast<Eigen::Index>(lambda_.size());
  form.write_Phi_q(J_.bottomLeftCorner(m, n));
  J_.topRightCorner(n, m) = J_.bottomLeftCorner(m, n).transpose();
  J_.bottomRightCorner(m, m).setZero();
  for (Eigen::Index k = 0; k < m; ++k) J_(n + k, n + k) = -form.softness()[static_cast<std::size_t>(k)];
  const double d = NewmarkRule::difference(x, to.z_dot, h_);
  r_here_ = r_;
  for (Eigen::Index j = 0; j < n; ++j) {
    double& moved = x[static_cast<std::size_t>(j)];
    const double before = moved;
    moved += d;
    const bool is_evaluated = evaluate(equations, form, from, t1, x0, x, to);
    moved = before;
    if (!is_evaluated) return false;
    J_.col(j).head(n) = (r_ - r_here_) / d;
  }
  ++equations.statistics().tangents;
  lu_.compute(J_);
  has_tangent_ = true;
  return true;
}

Verdict PositionStep::iterate(MotionEquations& equations, dynamics::DescriptorForm& form,
                              const MotionPoint& from, double t1, std::span<const double> x0,
                              std::span<double> x, MotionPoint& to) {
  if (x.empty()) return Verdict::kConverged;
  const bool is_new = !has_tangent_;
  if (is_new && !make_tangent(equations, form, from, t1, x0, x, to)) return Verdict::kFailed;
  const auto n = static_cast<Eigen::Index>(x.size()), m = static_cast<Eigen::Index>(lambda_.size());
  watch_.begin(is_new);
  for (int i = 0; i < NewtonWatch::kMostIterations; ++i) {
    if (!evaluate(equations, form, from, t1, x0, x, to)) return Verdict::kFailed;
    ++equations.statistics().iterations;
    right_.head(n) = -r_;
    right_.tail(m) = -Phi_ / (rule_.beta * h_ * h_);
    lu_.solve(right_, answer_);  // (1)
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += answer_[static_cast<Eigen::Index>(k)];
    for (std::size_t k = 0; k < lambda_.size(); ++k) lambda_[k] += answer_[n + static_cast<Eigen::Index>(k)];
    const auto verdict = watch_.look(rule_.gamma * h_ * answer_.head(n).cwiseAbs().maxCoeff(),
                                     largest(to.z_dot) + h_ * largest(x), h_, largest(to.z));
    has_tangent_ = has_tangent_ && !watch_.is_old();
    if (verdict) return *verdict;
  }
  return Verdict::kSlow;
}

}  // namespace eslabon::integration
