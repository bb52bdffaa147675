#include "eslabon/integration/energy_audit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "eslabon/dynamics/energy.hpp"
#include "eslabon/dynamics/energy_account.hpp"

namespace eslabon::integration {

namespace {

constexpr double kResolvedPart = 1e-7;  // of what passed: error of the quadrature of a step
constexpr std::size_t kKeptInstants = 3;
constexpr long kStepsPerLook = 8;        // for the size of energies
constexpr double kLeastDistance = 1e-2;  // of instants, of a step
constexpr int kMostHalvingsOfStep = 6;

/// sum += duration · power
void add(const EnergyFlows& power, double duration, EnergyFlows& sum) {
  sum.drivers += duration * power.drivers;
  sum.loads += duration * power.loads;
  sum.dampers += duration * power.dampers;
  sum.friction += duration * power.friction;
}

/// Each without sign, of the difference.
double distance(const EnergyFlows& a, const EnergyFlows& b) {
  return std::abs(a.drivers - b.drivers) + std::abs(a.loads - b.loads) + std::abs(a.dampers - b.dampers) +
         std::abs(a.friction - b.friction);
}

double size_of(const EnergyFlows& flows) { return distance(flows, {}); }

/// The weight of instant i in the integral from a to b of the polynomial through all.
double weight_of(std::span<const double> t, std::size_t i, double a, double b) {
  double weight = 0.0;
  for (const dynamics::QuadratureNode& node : dynamics::gauss_nodes()) {
    const double x = a + (b - a) * node.place;
    double basis = 1.0;
    for (std::size_t k = 0; k < t.size(); ++k)
      if (k != i) basis *= (x - t[k]) / (t[i] - t[k]);
    weight += node.weight * basis;
  }
  return (b - a) * weight;
}

}  // namespace

EnergyAudit::EnergyAudit(const dynamics::DynamicModel& model, dynamics::Formulation& formulation,
                         bool is_conservative)
    : model_(model),
      formulation_(formulation),
      needs_(model),
      is_conservative_(is_conservative),
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
  return instant_at(point.state.t, bodies_, point.state.memory);
}

double EnergyAudit::resolved(const EnergyFlows& sum) const {
  return kResolvedPart * (passed() + size_of(sum) + EnergyRange::kMeasurable * in_play_);
}

void EnergyAudit::see(double t, const coordinates::MechanismMotion& bodies,
                      const dynamics::ForceMemory& memory) try {
  if (!is_conservative_) seen_.push_back(instant_at(t, bodies, memory));
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
  before_.clear();
}

void EnergyAudit::leave_step(const MotionPoint& from, const MotionPoint& to, const PointAt& at) try {
  if (num_steps_++ % kStepsPerLook == 0) {
    formulation_.evaluate_bodies(to.state, to.a, bodies_);
    const double T = dynamics::kinetic_energy(model_.mechanism(), bodies_);
    largest_kinetic_ = std::max(largest_kinetic_, T);
    in_play_ = std::max(in_play_, std::abs(T + dynamics::potential_energy(model_.mechanism(), bodies_)));
  }
  if (is_conservative_) return;
  if (!before_.empty() && before_.back().t != from.state.t) before_.clear();
  account(before_.empty() ? instant_at(from) : before_.back(), instant_at(to), at);
} catch (const core::ModelError&) {  // a force without a value
  is_complete_ = false;
}

void EnergyAudit::account(const Instant& first, const Instant& last, const PointAt& at) {
  std::vector<Instant> instants = before_;
  if (instants.empty()) instants.push_back(first);
  const std::size_t begin = instants.size() - 1;
  // Instants that nearly coincide tell one thing.
  const double apart = kLeastDistance * (last.t - first.t);
  std::ranges::sort(seen_, {}, &Instant::t);
  for (const Instant& instant : seen_)
    if (instant.t - instants.back().t > apart && last.t - instant.t > apart) instants.push_back(instant);
  instants.push_back(last);
  EnergyFlows sum;
  const std::optional<double> error = add_seen(instants, begin, sum);
  if (!error || !(*error <= resolved(sum))) {
    sum = {};
    is_complete_ = add_between(first, last, at, 0, sum) && is_complete_;
  }
  add(sum, 1.0, flows_);
  passed_ += size_of(sum);
  const std::size_t kept = std::min(instants.size(), kKeptInstants);
  before_.assign(instants.end() - static_cast<std::ptrdiff_t>(kept), instants.end());
  seen_.clear();
}

std::optional<double> EnergyAudit::add_seen(std::span<const Instant> instants, std::size_t first,
                                            EnergyFlows& sum) const {
  if (first < 1 || instants.size() < 4) return std::nullopt;
  // Extrapolation from instants close together would be of their roundoff.
  const double longest = instants.back().t - instants[first].t;
  for (std::size_t k = first < 2 ? 1 : first - 1; k < instants.size(); ++k)
    if (instants[k].t - instants[k - 1].t < kLeastDistance * longest) return std::nullopt;
  double error = 0.0;
  for (std::size_t i = first; i + 1 < instants.size(); ++i) {
    const auto integral = [&](std::size_t begin, std::size_t count) {
      std::array<double, 4> t{};
      for (std::size_t k = 0; k < count; ++k) t[k] = instants[begin + k].t;
      EnergyFlows flows;
      for (std::size_t k = 0; k < count; ++k)
        add(instants[begin + k].power,
            weight_of(std::span(t).first(count), k, instants[i].t, instants[i + 1].t), flows);
      return flows;
    };
    const EnergyFlows cubic = integral(i + 2 < instants.size() ? i - 1 : i - 2, 4);
    error += distance(cubic, integral(i - 1, 3));
    add(cubic, 1.0, sum);
  }
  return error;  // of the parabolas, which is more than that of the cubics
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
  const double error = 1e-2 * distance(fine, coarse);
  const bool is_resolved = error <= resolved(fine);
  if (is_resolved || depth == kMostHalvingsOfStep) {
    if (!is_resolved) unresolved_ += error;
    add(fine, 1.0, sum);
    return true;
  }
  return add_between(from, nodes[2], at, depth + 1, sum) && add_between(nodes[2], to, at, depth + 1, sum);
}

}  // namespace eslabon::integration
