#include "eslabon/codegen/estimator_step.hpp"

#include "eslabon/codegen/traced_equations.hpp"
#include "eslabon/core/index.hpp"

namespace eslabon::codegen {

using core::index;
using core::Traced;
using dynamics::TracedMatrix;
using dynamics::TracedVector;
using Eigen::Index;

namespace {

/// ẋ of z and ż in a stage, and its derivatives by x at the start of the step.
struct Slope {
  TracedVector rates;  ///< (2 f)
  TracedMatrix by_x;   ///< (2 f × (2 f + p))
};

TracedMatrix identity(Index rows, Index columns) {
  TracedMatrix out(rows, columns);
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < columns; ++c) out(r, c) = r == c ? 1.0 : 0.0;
  return out;
}

void add(const Traced& weight, const Slope& slope, TracedVector& moving, TracedMatrix& by_x) {
  for (std::size_t r = 0; r < moving.size(); ++r) moving[r] += weight * slope.rates[r];
  for (Index r = 0; r < by_x.rows(); ++r)
    for (Index c = 0; c < by_x.cols(); ++c) by_x(r, c) += weight * slope.by_x(r, c);
}

/// Derivatives of z̈ by x, from those by the stage's own state: A x_i', where parameters are the same in all stages.
TracedMatrix chained(const std::vector<KnownDerivative>& z_ddot, const TracedMatrix& stage_by_x) {
  TracedMatrix out =
      TracedMatrix::Constant(static_cast<Index>(z_ddot.size()), stage_by_x.cols(), Traced(0.0));
  for (const Entry& entry : entries_of(z_ddot)) {
    if (entry.column >= stage_by_x.rows()) {
      out(entry.row, entry.column) += entry.value;
      continue;
    }
    for (Index c = 0; c < out.cols(); ++c) out(entry.row, c) += entry.value * stage_by_x(entry.column, c);
  }
  return out;
}

}  // namespace

EstimatorStep write_step(estimation::StepRule rule, const Traced& t, const Traced& h,
                         const dynamics::ReducedMotion& motion, const TracedKinematics& kinematics,
                         const TracedFreedoms& start, const TracedVector& theta,
                         const TracedVector& parameters, const DriversAt& drivers) {
  core::Trace& trace = core::Trace::listening();
  const estimation::StepTableau& tableau = estimation::tableau(rule);
  const auto f = static_cast<Index>(start.z.size());
  TracedVector x = start.z;
  x.insert(x.end(), start.z_dot.begin(), start.z_dot.end());
  const TracedMatrix x_by_x = identity(2 * f, 2 * f + static_cast<Index>(parameters.size()));
  EstimatorStep out{
      .z = {}, .z_dot = {}, .F = x_by_x, .positions = start.near, .closure_error = 0.0, .margin = 1.0};
  std::vector<Slope> slopes;
  TracedVector errors, margins;
  for (std::size_t i = 0; i < index(tableau.stages); ++i) {
    TracedVector moving = x;
    TracedMatrix by_x = x_by_x;
    for (std::size_t j = 0; j < i; ++j) add(h * tableau.a[i][j], slopes[j], moving, by_x);
    const TracedFreedoms at{.z = {moving.begin(), moving.begin() + f},
                            .z_dot = {moving.begin() + f, moving.end()},
                            .near = out.positions,
                            .branches = start.branches,
                            .drivers = drivers(t + tableau.c[i] * h),
                            .parameters = start.parameters};
    const TracedBodies bodies = kinematics.write(at);
    const ReducedEquations equations(motion, bodies, theta);
    TracedVector own = moving;
    own.insert(own.end(), parameters.begin(), parameters.end());
    const std::vector<KnownDerivative> z_ddot =
        equations.differentiate(trace, known_positions(trace, at, bodies, by_themselves(own)));
    Slope slope{.rates = at.z_dot, .by_x = by_x};
    slope.rates.insert(slope.rates.end(), equations.z_ddot().begin(), equations.z_ddot().end());
    slope.by_x.topRows(f) = by_x.bottomRows(f);
    slope.by_x.bottomRows(f) = chained(z_ddot, by_x);
    slopes.push_back(std::move(slope));
    out.positions = bodies.positions;
    errors.push_back(bodies.closure_error);
    margins.push_back(equations.margin());
  }
  for (std::size_t i = 0; i < slopes.size(); ++i) add(h * tableau.b[i], slopes[i], x, out.F);
  out.z = {x.begin(), x.begin() + f};
  out.z_dot = {x.begin() + f, x.end()};
  out.closure_error = max_abs(errors);
  out.margin = smallest_margin(margins);
  return out;
}

}  // namespace eslabon::codegen
