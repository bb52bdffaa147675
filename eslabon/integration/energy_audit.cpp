#include "eslabon/integration/energy_audit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "eslabon/dynamics/energy.hpp"
#include "eslabon/dynamics/powers.hpp"

namespace eslabon::integration {

namespace {

constexpr double kResolvedPart = 1e-7;  // of what passed: error of the quadrature of a step
constexpr std::size_t kEnoughInstants = 5;
constexpr int kMostHalvingsOfStep = 8;

/// sum += duration · power
void add(const EnergyFlows& power, double duration, EnergyFlows& sum) {
  sum.drivers += duration * power.drivers;
  sum.loads += duration * power.loads;
  sum.dampers += duration * power.dampers;
  sum.friction += duration * power.friction;
}

/// Without sign, each.
double size_of(const EnergyFlows& flows) {
  return std::abs(flows.drivers) + std::abs(flows.loads) + std::abs(flows.dampers) + std::abs(flows.friction);
}

/// Weights of three instants in the integral from a to b of the parabola through them: Simpson's rule, exact for it.
std::array<double, 3> parabola_weights(double t0, double t1, double t2, double a, double b) {
  const std::array<double, 3> t{t0, t1, t2};
  std::array<double, 3> weights{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double u = t[(i + 1) % 3], v = t[(i + 2) % 3];
    const auto basis = [&](double x) { return (x - u) * (x - v) / ((t[i] - u) * (t[i] - v)); };
    weights[i] = (b - a) / 6.0 * (basis(a) + 4.0 * basis(0.5 * (a + b)) + basis(b));
  }
  return weights;
}

}  // namespace

EnergyAudit::EnergyAudit(const dynamics::DynamicModel& model, dynamics::Formulation& formulation)
    : model_(model),
      formulation_(formulation),
      needs_(model),
      has_drivers_(!model.prescribed().empty()),
      bodies_(model.mechanism().bodies().size()) {}

EnergyAudit::Instant EnergyAudit::instant_at(double t, const coordinates::MechanismMotion& bodies,
                                             const dynamics::ForceMemory& memory) {
  needs_.evaluate(t, bodies, memory);
  const dynamics::Powers powers = dynamics::evaluate_powers(model_, t, bodies, memory, needs_);
  // What nothing else gives, drivers do: Powers (1).
  const double drivers = has_drivers_ ? -powers.balance() : 0.0;
  return {
      t, {.drivers = drivers, .loads = powers.loads, .dampers = powers.dampers, .friction = powers.friction}};
}

EnergyAudit::Instant EnergyAudit::instant_at(const MotionPoint& point) {
  formulation_.evaluate_bodies(point.state, point.a, bodies_);
  largest_kinetic_ = std::max(largest_kinetic_, dynamics::kinetic_energy(model_.mechanism(), bodies_));
  return instant_at(point.state.t, bodies_, point.state.memory);
}

void EnergyAudit::see(double t, const coordinates::MechanismMotion& bodies,
                      const dynamics::ForceMemory& memory) try {
  seen_.push_back(instant_at(t, bodies, memory));
} catch (const core::ModelError&) {
  is_complete_ = false;
}

void EnergyAudit::strike(const MotionPoint& before, const MotionPoint& after) {
  formulation_.evaluate_bodies(before.state, before.a, bodies_);
  const double T = dynamics::kinetic_energy(model_.mechanism(), bodies_);
  formulation_.evaluate_bodies(after.state, after.a, bodies_);
  const double lost = T - dynamics::kinetic_energy(model_.mechanism(), bodies_);
  flows_.impacts += lost;
  passed_ += std::abs(lost);
}

void EnergyAudit::leave_step(const MotionPoint& from, const MotionPoint& to, const PointAt& at) try {
  const Instant first = instant_at(from), last = instant_at(to);
  // Ends of steps count once, whether they are rows or not; what was seen before this step belongs to another.
  std::erase_if(seen_, [&](const Instant& instant) { return instant.t <= first.t || instant.t >= last.t; });
  seen_.insert(seen_.begin(), first);
  seen_.push_back(last);
  std::ranges::sort(seen_, {}, &Instant::t);
  const auto repeated = std::ranges::unique(seen_, {}, &Instant::t);
  seen_.erase(repeated.begin(), repeated.end());
  EnergyFlows sum;
  bool is_known = false;
  if (seen_.size() >= kEnoughInstants) {
    const double error = add_seen(sum);
    is_known = error <= kResolvedPart * (passed() + size_of(sum));
  }
  if (!is_known) {
    sum = {};
    is_complete_ = add_between(first, last, at, 0, sum) && is_complete_;
  }
  add(sum, 1.0, flows_);
  passed_ += size_of(sum);
  seen_.clear();
} catch (const core::ModelError&) {  // a force without a value
  is_complete_ = false;
}

double EnergyAudit::add_seen(EnergyFlows& sum) const {
  double error = 0.0;
  const std::size_t n = seen_.size();
  for (std::size_t i = 0; i + 1 < n; ++i) {
    // Of the interval from i to i + 1: the parabolas that begin one before it, and with it.
    std::array<EnergyFlows, 2> by{};
    std::size_t found = 0;
    for (const std::size_t begin : {i, i + 1}) {
      if (begin == 0 || begin + 1 >= n) continue;
      const std::size_t k = begin - 1;
      const auto weights =
          parabola_weights(seen_[k].t, seen_[k + 1].t, seen_[k + 2].t, seen_[i].t, seen_[i + 1].t);
      for (std::size_t j = 0; j < 3; ++j) add(seen_[k + j].power, weights[j], by[found]);
      ++found;
    }
    if (found == 1) by[1] = by[0];
    add(by[0], 0.5, sum);
    add(by[1], 0.5, sum);
    error += std::abs(by[1].given() - by[0].given());
  }
  return 0.1 * error;  // their mean is far better than either
}

bool EnergyAudit::add_between(const Instant& from, const Instant& to, const PointAt& at, int depth,
                              EnergyFlows& sum) {
  const double h = to.t - from.t, place = 0.5 * (1.0 - std::sqrt(3.0 / 7.0));
  std::array<Instant, 5> nodes{from, {}, {}, {}, to};
  const std::array<double, 3> places{place, 0.5, 1.0 - place};
  for (std::size_t k = 0; k < 3; ++k) {
    const MotionPoint* const point = at(from.t + places[k] * h);
    if (point == nullptr) return false;
    nodes[k + 1] = instant_at(*point);
  }
  // Gauss–Lobatto on [0, 1] [AbramowitzStegun1964, ch. 25].
  constexpr std::array<double, 5> kWeights{1.0 / 20.0, 49.0 / 180.0, 16.0 / 45.0, 49.0 / 180.0, 1.0 / 20.0};
  EnergyFlows fine, coarse;
  for (std::size_t k = 0; k < 5; ++k) add(nodes[k].power, h * kWeights[k], fine);
  for (const auto& [k, weight] : {std::pair{0, 1.0}, std::pair{2, 4.0}, std::pair{4, 1.0}})
    add(nodes[static_cast<std::size_t>(k)].power, h * weight / 6.0, coarse);
  // Simpson's rule is off by far more than Lobatto's.
  const double error = 1e-2 * std::abs(fine.given() - coarse.given());
  if (error <= kResolvedPart * (passed() + size_of(fine)) || depth == kMostHalvingsOfStep) {
    add(fine, 1.0, sum);
    return true;
  }
  return add_between(from, nodes[2], at, depth + 1, sum) && add_between(nodes[2], to, at, depth + 1, sum);
}

}  // namespace eslabon::integration
