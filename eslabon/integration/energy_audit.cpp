#include "eslabon/integration/energy_audit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "eslabon/dynamics/mass/energy.hpp"
#include "eslabon/dynamics/mass/energy_account.hpp"

namespace eslabon::integration {

namespace {

constexpr double kResolvedPart = 1e-12;  // of what passed: error of the quadrature of a step
constexpr std::size_t kKeptInstants = 3;
constexpr long kStepsPerLook = 8;        // for the size of energies
constexpr double kLeastDistance = 1e-2;  // of instants, of a step
constexpr int kMostHalvingsOfStep = 20;

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

/// (b − a) / duration of each
EnergyFlows slope(const EnergyFlows& a, const EnergyFlows& b, double duration) {
  EnergyFlows result;
  add(b, 1.0 / duration, result);
  add(a, -1.0 / duration, result);
  return result;
}

}  // namespace

EnergyAudit::EnergyAudit(const dynamics::DynamicModel& model, dynamics::Formulation& formulation,
                         bool is_conservative)
    : model_(model),
      formulation_(formulation),
      needs_(model),
      is_conservative_(is_conservative),
      needs_drivers_(!model.prescribed().empty() && formulation.num_integrated() > 0),
      bodies_(model.mechanism().bodies().size()) {}

std::optional<EnergyAudit::Instant> EnergyAudit::instant_at(double t,
                                                            const coordinates::MechanismMotion& bodies,
                                                            const dynamics::ForceMemory& memory) {
  std::optional<dynamics::Powers> powers;
  if (needs_drivers_ || model_.forces().has_other_forces()) {
    if (!needs_.evaluate(t, bodies, memory)) return std::nullopt;
    powers = dynamics::evaluate_powers(model_, t, bodies, memory, needs_);
  } else {
    powers = dynamics::evaluate_exchanges(model_, t, bodies, memory);
  }
  if (!powers) return std::nullopt;
  // What nothing else gives, drivers do: Powers (1).
  const double drivers = needs_drivers_ ? -powers->balance() : 0.0;
  return Instant{
      t,
      {.drivers = drivers, .loads = powers->loads, .dampers = powers->dampers, .friction = powers->friction}};
}

std::optional<EnergyAudit::Instant> EnergyAudit::instant_at(const MotionPoint& point) {
  formulation_.evaluate_bodies(point.state, point.a, bodies_);
  return instant_at(point.state.t, bodies_, point.state.memory);
}

double EnergyAudit::resolved(const EnergyFlows& sum) const {
  return kResolvedPart * (passed() + size_of(sum) + EnergyRange::kMeasurable * in_play_);
}

void EnergyAudit::see(double t, const coordinates::MechanismMotion& bodies,
                      const dynamics::ForceMemory& memory) {
  if (is_conservative_) return;
  const std::optional<Instant> instant = instant_at(t, bodies, memory);
  if (instant) seen_.push_back(*instant);
  is_complete_ = is_complete_ && instant;
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

void EnergyAudit::leave_step(const MotionPoint& from, const MotionPoint& to, const PointAt& at) {
  const bool looks = num_steps_++ % kStepsPerLook == 0;
  const bool is_end_seen = !seen_.empty() && seen_.back().t == to.state.t;
  if (looks || !(is_conservative_ || is_end_seen)) formulation_.evaluate_bodies(to.state, to.a, bodies_);
  if (looks) {
    const double T = dynamics::kinetic_energy(model_.mechanism(), bodies_);
    largest_kinetic_ = std::max(largest_kinetic_, T);
    in_play_ = std::max(in_play_, std::abs(T + dynamics::potential_energy(model_.mechanism(), bodies_)));
  }
  if (is_conservative_) return;
  if (!before_.empty() && before_.back().t != from.state.t) before_.clear();
  const std::optional<Instant> last =
      is_end_seen ? seen_.back() : instant_at(to.state.t, bodies_, to.state.memory);
  const std::optional<Instant> first = !last             ? std::nullopt
                                       : before_.empty() ? instant_at(from)
                                                         : before_.back();
  if (first)
    account(*first, *last, at);
  else
    is_complete_ = false;  // a force without a value
}

void EnergyAudit::account(const Instant& first, const Instant& last, const PointAt& at) {
  instants_ = before_;
  if (instants_.empty()) instants_.push_back(first);
  const std::size_t begin = instants_.size() - 1;
  // Instants that nearly coincide tell one thing.
  const double apart = kLeastDistance * (last.t - first.t);
  std::ranges::sort(seen_, {}, &Instant::t);
  for (const Instant& instant : seen_)
    if (instant.t - instants_.back().t > apart && last.t - instant.t > apart) instants_.push_back(instant);
  instants_.push_back(last);
  EnergyFlows sum;
  const std::optional<double> error = add_seen(instants_, begin, sum);
  if (!error || !(*error <= resolved(sum))) {
    sum = {};
    is_complete_ = add_between(first, last, at, 0, sum) && is_complete_;
  }
  add(sum, 1.0, flows_);
  passed_ += size_of(sum);
  const std::size_t kept = std::min(instants_.size(), kKeptInstants);
  before_.assign(instants_.end() - static_cast<std::ptrdiff_t>(kept), instants_.end());
  seen_.clear();
}

/// With Newton's divided differences, h from b to c and g from a to b,
///   ∫ from b to c of the parabola through a, b, c  =  h (P_b + P_c)/2 − h³/6 P[a, b, c]                       (2)
///   and of the cubic through d, too, more than that:  −h³ (h + 2 g)/12 P[a, b, c, d]                          (3)
std::optional<double> EnergyAudit::add_seen(std::span<const Instant> instants, std::size_t first,
                                            EnergyFlows& sum) const {
  if (first < 1 || instants.size() < 4) return std::nullopt;
  // Extrapolation from instants close together would be of their roundoff.
  const double longest = instants.back().t - instants[first].t;
  for (std::size_t k = first < 2 ? 1 : first - 1; k < instants.size(); ++k)
    if (instants[k].t - instants[k - 1].t < kLeastDistance * longest) return std::nullopt;
  double error = 0.0;
  for (std::size_t i = first; i + 1 < instants.size(); ++i) {
    const Instant &a = instants[i - 1], &b = instants[i], &c = instants[i + 1],
                  &d = instants[i + 2 < instants.size() ? i + 2 : i - 2];
    const double h = c.t - b.t, g = b.t - a.t;
    const EnergyFlows bc = slope(b.power, c.power, h), abc = slope(slope(a.power, b.power, g), bc, g + h);
    const EnergyFlows bcd = slope(bc, slope(c.power, d.power, d.t - c.t), d.t - b.t);
    EnergyFlows cubic;
    add(slope(abc, bcd, d.t - a.t), -h * h * h * (h + 2.0 * g) / 12.0, cubic);  // (3)
    error += size_of(cubic);
    add(abc, -h * h * h / 6.0, sum);  // (2)
    add(b.power, 0.5 * h, sum);
    add(c.power, 0.5 * h, sum);
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
    const std::optional<Instant> node = instant_at(*point);
    if (!node) return false;
    nodes[k + 1] = *node;
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
