#include "eslabon/dynamics/statics/equilibrium.hpp"

#include <algorithm>
#include <cmath>

#include "eslabon/core/linalg/lu.hpp"
#include "eslabon/core/linalg/orthogonal.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/statics/equilibrium_walk.hpp"
#include "eslabon/dynamics/statics/own_sizes.hpp"
#include "eslabon/dynamics/statics/state_balance.hpp"

namespace eslabon::dynamics {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int kMostKeptSteps = 20;

void blame_force(FreedomChart& chart, EquilibriumReport& report) {
  report.status = EquilibriumReport::Status::kNoForce;
  report.cause = chart.why_not(chart.centre());
}

/// What is pushed most at a state, in words.
void tell_push(FreedomChart& chart, const State& state, EquilibriumReport& report) {
  if (state.q.empty() || chart.centre_at_named(state) != ChartStatus::kGood) return;
  FreedomForces forces;
  if (chart.evaluate(chart.centre(), forces) != ChartStatus::kGood) return blame_force(chart, report);
  double largest = -1.0;
  for (Index k = 0; k < forces.force.size(); ++k) {
    const auto column = static_cast<std::size_t>(chart.named_columns()[static_cast<std::size_t>(k)]);
    const coordinates::Coordinate& coordinate = chart.system().coordinates()[column];
    const bool is_length = coordinate.dimension == core::kLength;
    const double size = std::abs(forces.force[k]) * (is_length ? chart.length() : 1.0);
    if (size <= largest) continue;
    largest = size;
    report.pushed = coordinate.name;
    report.pushed_value =
        core::rounded_text(chart.centre().q[column], 6) + (is_length                              ? " m"
                                                           : coordinate.dimension == core::kAngle ? " rad"
                                                                                                  : "");
    report.force = forces.force[k];
    report.unit = is_length ? "N" : "N m";
  }
}

/// The equilibrium on the same neutral motions where, of the named coordinates of the mechanism, those that these move are as they were at the
/// start: k coordinates for k motions, chosen by pivots. Steps (3) with these held. Nothing where they are there already, and where what looks
/// neutral is not: forces grow on the way.
std::optional<State> with_neutral_kept(FreedomChart& chart, const State& start, const Equilibrium& at) {
  const Index k = at.neutral.cols();
  if (k == 0 || chart.centre_at_named(at.state) != ChartStatus::kGood) return std::nullopt;
  const std::vector<int> named = chart.named_columns();
  const auto f = static_cast<Index>(named.size());
  MatrixXd moved(f, k);
  for (Index i = 0; i < f; ++i)
    moved.row(i) = at.directions.row(named[static_cast<std::size_t>(i)]) * at.neutral;
  const Eigen::VectorXi order = core::pivoted_qr(moved.transpose()).columns;
  MatrixXd pivots(k, k);
  VectorXd back(k);
  for (Index i = 0; i < k; ++i) {
    const auto column = static_cast<std::size_t>(named[static_cast<std::size_t>(order[i])]);
    pivots.row(i) = moved.row(order[i]);
    back[i] = start.q[column] - at.state.q[column];
  }
  const VectorXd way = core::solve_least_norm(pivots, back);
  if (!(chart.size_of(at.state, at.directions * (at.neutral * way)) > kLastStep)) return std::nullopt;
  VectorXd y = moved * way;
  for (int i = 0; i < kMostKeptSteps; ++i) {
    State state;
    if (chart.move(y, VectorXd::Zero(f), state) != ChartStatus::kGood ||
        chart.centre_at_named(state) != ChartStatus::kGood || chart.named_columns() != named)
      return std::nullopt;
    FreedomForces forces;
    if (chart.evaluate(chart.centre(), forces) != ChartStatus::kGood) return std::nullopt;
    VectorXd acting = chart.force_scales(chart.centre(), forces.directions);
    acting = acting.cwiseMax(kLeastScale * acting.maxCoeff()).eval();
    const auto K = quick_stiffness(chart);
    if (!K) return std::nullopt;
    OwnSizes own(*K, forces.force, acting);
    for (Index c = 0; c < k; ++c) own.K.col(order[c]).setZero();
    y = own.s.cwiseProduct(core::solve_least_norm(own.K, own.f));
    const bool is_balanced = (forces.force.array().abs() <= kBalanced * acting.array()).all();
    if (is_balanced && chart.size_of(chart.centre(), forces.directions * y) <= kLastStep)
      return chart.centre();
  }
  return std::nullopt;
}

EquilibriumReport report_of(FreedomChart& chart, const State& start,
                            const std::vector<EquilibriumWalk>& walks,
                            const std::vector<EquilibriumReport::Status>& ends) {
  EquilibriumReport report;
  for (const EquilibriumWalk& walk : walks) report.iterations += walk.iterations();
  report.status = ends.back();
  if (report.status == EquilibriumReport::Status::kNoForce) {
    blame_force(chart, report);
    return report;
  }
  if (report.usable()) {
    Equilibrium at;
    if (const std::optional<core::ErrorText> cause =
            try_describe_equilibrium(chart, walks.back().found(), at)) {
      report.status = EquilibriumReport::Status::kNoForce;
      report.cause = *cause;
      return report;
    }
    if (const std::optional<State> kept = with_neutral_kept(chart, start, at))
      if (Equilibrium there; !try_describe_equilibrium(chart, *kept, there)) at = std::move(there);
    at.iterations = report.iterations;
    report.equilibrium = std::move(at);
    return report;
  }
  if (std::ranges::find(ends, EquilibriumReport::Status::kNotFound) != ends.end())
    report.status = EquilibriumReport::Status::kNotFound;
  const EquilibriumWalk& least = *std::ranges::min_element(walks, {}, &EquilibriumWalk::least_force);
  tell_push(chart, least.least(), report);
  return report;
}

}  // namespace

void check_has_freedoms(const FreedomChart& chart) {
  if (chart.num_freedoms() > 0) return;
  const model::Mechanism& mechanism = chart.model().mechanism();
  throw core::ModelError(
      {.what = "nothing can move",
       .where = "mechanism '" + mechanism.name() + "'",
       .expected = "at least one degree of freedom that no driver moves",
       .actual = "none",
       .next = mechanism.drivers().empty() ? "Remove a joint." : "Release a driver with --release."});
}

EquilibriumReport find_equilibrium(FreedomChart& chart, const State& start) {
  EquilibriumReport report = try_equilibrium(chart, start);
  if (report.status == EquilibriumReport::Status::kNoForce) throw core::ModelError(report.cause);
  return report;
}

namespace {

EquilibriumReport try_without_states(FreedomChart& chart, const State& start);

EquilibriumReport report_of(FreedomChart& chart, const StateBalance& balance, int iterations) {
  using Status = EquilibriumReport::Status;
  EquilibriumReport report;
  report.iterations = iterations + balance.iterations;
  switch (balance.status) {
    case StateBalance::Status::kSingular:
      report.status = Status::kSingular;
      break;
    case StateBalance::Status::kNoForce:
      blame_force(chart, report);
      return report;
    case StateBalance::Status::kNotFound:
      report.status = Status::kNotFound;
      break;
    case StateBalance::Status::kFound: {
      report.status = Status::kFound;
      Equilibrium at;
      if (const std::optional<core::ErrorText> cause = try_describe_equilibrium(chart, balance.state, at)) {
        report.status = Status::kNoForce;
        report.cause = *cause;
        return report;
      }
      at.iterations = report.iterations;
      report.equilibrium = std::move(at);
      return report;
    }
  }
  if (!balance.changing) {
    tell_push(chart, balance.state, report);
    return report;
  }
  const model::AuxiliaryState& state = chart.model().mechanism().states()[*balance.changing];
  report.is_state = true;
  report.has_no_feedback = balance.has_no_feedback;
  report.pushed = state.name + ".value";
  report.pushed_value = core::rounded_text(balance.state.memory.states[*balance.changing], 6) + " " +
                        core::si_unit(state.dimension);
  report.force = balance.rate;
  report.unit = core::si_unit(state.dimension) + "/s";
  return report;
}

/// Positions and auxiliary states together; `pushed`: also from where the mechanism rests with the states that it starts with.
EquilibriumReport try_together(FreedomChart& chart, const State& start, bool pushed) {
  const StateBalance balance = balance_with_states(chart, start);
  EquilibriumReport first = report_of(chart, balance, 0);
  if (first.usable() || !pushed || first.has_no_feedback) return first;
  chart.let_states_follow(false);
  EquilibriumWalk walk(chart, EquilibriumWalk::Way::kPushed);
  if (walk.run(start) != EquilibriumReport::Status::kFound) return first;
  const StateBalance again = balance_with_states(chart, walk.found());
  EquilibriumReport second = report_of(chart, again, first.iterations + walk.iterations());
  return second.usable() ? second : first;
}

}  // namespace

EquilibriumReport try_equilibrium(FreedomChart& chart, const State& start) {
  check_has_freedoms(chart);
  if (chart.num_states() == 0) return try_without_states(chart, start);
  if (follow_if_they_can(chart, start)) {
    EquilibriumReport report = try_without_states(chart, start);
    if (report.usable()) return report;
    EquilibriumReport together = try_together(chart, start, false);
    return together.usable() ? together : report;
  }
  return try_together(chart, start, true);
}

namespace {

EquilibriumReport try_without_states(FreedomChart& chart, const State& start) {
  using Status = EquilibriumReport::Status;
  std::vector<EquilibriumWalk> walks{EquilibriumWalk(chart, EquilibriumWalk::Way::kPushed)};
  std::vector<Status> ends{walks.back().run(start)};
  const auto goes_on = [&] { return ends.back() != Status::kFound && ends.back() != Status::kNoForce; };
  if (goes_on()) {
    walks.emplace_back(chart, EquilibriumWalk::Way::kNearest);
    ends.push_back(walks.back().run(start));
  }
  if (goes_on() && !walks.front().least().q.empty()) {
    const State least = walks.front().least();
    walks.emplace_back(chart, EquilibriumWalk::Way::kNearest);
    ends.push_back(walks.back().run(least));
  }
  return report_of(chart, start, walks, ends);
}

}  // namespace

EquilibriumReport try_nearest_equilibrium(FreedomChart& chart, const State& start) {
  check_has_freedoms(chart);
  if (chart.num_states() > 0 && !follow_if_they_can(chart, start)) return try_together(chart, start, false);
  std::vector<EquilibriumWalk> walks{EquilibriumWalk(chart, EquilibriumWalk::Way::kNearest)};
  const std::vector<EquilibriumReport::Status> ends{walks.back().run(start)};
  return report_of(chart, start, walks, ends);
}

core::ErrorText EquilibriumReport::error_text(const model::Mechanism& mechanism) const {
  if (status == Status::kNoForce) return cause;
  if (is_state)
    return {.what = "no equilibrium was found",
            .where = "mechanism '" + mechanism.name() + "'",
            .expected = "a position near the start where all forces balance and no auxiliary state changes",
            .actual = has_no_feedback
                          ? "'" + pushed + "', which changes by " + core::rounded_text(force, 4) + " " +
                                unit + " whatever the position and the states are"
                          : "at best " + pushed + " = " + pushed_value + ", which still changes by " +
                                core::rounded_text(force, 4) + " " + unit,
            .next = "Its rate must become 0 somewhere: an integral without feedback has no rest."};
  const std::string left = pushed.empty() ? "none found"
                                          : "at best " + pushed + " = " + pushed_value +
                                                ", where the unbalanced effort is still " +
                                                core::rounded_text(force, 4) + " " + unit;
  return {.what = status == Status::kSingular ? "the way to an equilibrium leads to a singular position"
                                              : "no equilibrium was found",
          .where = "mechanism '" + mechanism.name() + "'",
          .expected = "a position near the start where all forces balance",
          .actual = left + ", after " + std::to_string(iterations) +
                    (iterations == 1 ? " iteration" : " iterations"),
          .next = status == Status::kSingular
                      ? "Branches of the mechanism meet there: start on another side of it."
                      : "Start closer to the equilibrium, or check the loads: a load that nothing balances "
                        "has no equilibrium."};
}

}  // namespace eslabon::dynamics
