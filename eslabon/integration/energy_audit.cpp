#include "eslabon/integration/energy_audit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "eslabon/dynamics/mass/energy.hpp"
#include "eslabon/dynamics/mass/energy_account.hpp"

namespace eslabon::integration {

namespace {

constexpr double kResolvedPart = 2e-13;  // of what passed: error of the quadrature of a step
constexpr std::size_t kMostNodes = 8;  // of a polynomial: as many as Gauss's rule with four points integrates
constexpr std::size_t kFewestNodes = 4;
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
  const bool has_others = model_.forces().has_other_forces();
  if ((needs_drivers_ || has_others) && !needs_.evaluate(t, bodies, memory)) return std::nullopt;
  const std::optional<dynamics::Powers> powers =
      has_others ? dynamics::evaluate_powers(model_, t, bodies, memory, needs_)
                 : dynamics::evaluate_exchanges(model_, t, bodies, memory);
  if (!powers) return std::nullopt;
  // What nothing else gives, drivers do: Powers (1).
  const double drivers = needs_drivers_ ? dynamics::power_of(needs_.inertial(), bodies) -
                                              dynamics::power_of(needs_.applied(), bodies)
                                        : 0.0;
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
  const std::size_t kept = std::min(instants_.size(), kMostNodes - 1);
  before_.assign(instants_.end() - static_cast<std::ptrdiff_t>(kept), instants_.end());
  seen_.clear();
}

/// By Newton's polynomial through the ends t₀, t₁ of an interval and through instants beside it, one after the other,
///   P(t) = Σ c_k N_k(t),   N_k(t) = Π_{j<k} (t − t_j),   c_k = (P_k − Σ_{i<k} c_i N_i(t_k)) / N_k(t_k)                     (2)
///   ∫ P dt = Σ c_k ∫ N_k dt                                                                                             (3)
/// by Gauss's rule with four points, which is exact for N_0 … N_7.
std::optional<double> EnergyAudit::add_seen(std::span<const Instant> instants, std::size_t first,
                                            EnergyFlows& sum) const {
  if (first < 1 || instants.size() < kFewestNodes) return std::nullopt;
  // Extrapolation from instants close together would be of their roundoff.
  const double longest = instants.back().t - instants[first].t;
  std::size_t begin = instants.size() - 1;
  while (begin > 0 && instants[begin].t - instants[begin - 1].t >= kLeastDistance * longest) --begin;
  if (begin >= first || instants.size() - begin < kFewestNodes) return std::nullopt;
  const double enough = 0.1 * resolved({}) / static_cast<double>(instants.size() - 1 - first);
  double error = 0.0;
  for (std::size_t i = first; i + 1 < instants.size(); ++i)
    error += add_interval(instants.subspan(begin), i - begin, enough, sum);
  return error;
}

double EnergyAudit::add_interval(std::span<const Instant> instants, std::size_t i, double enough,
                                 EnergyFlows& sum) {
  // Gauss–Legendre on [−1, 1] [AbramowitzStegun1964, ch. 25].
  constexpr std::array<double, 4> kPlaces{-0.861136311594052575, -0.339981043584856265, 0.339981043584856265,
                                          0.861136311594052575};
  constexpr std::array<double, 4> kWeights{0.347854845137453857, 0.652145154862546143, 0.652145154862546143,
                                           0.347854845137453857};
  const double h = instants[i + 1].t - instants[i].t, middle = 0.5 * (instants[i].t + instants[i + 1].t);
  std::array<double, kMostNodes> nodes{};
  std::array<EnergyFlows, kMostNodes> coefficients{};
  std::array<double, 4> product{1.0, 1.0, 1.0, 1.0};  // N_k where Gauss's rule looks
  std::size_t low = i, high = i + 1;                  // nodes so far lie between
  double last = 0.0;
  for (std::size_t k = 0; k < std::min(kMostNodes, instants.size()); ++k) {
    std::size_t at = i + k;
    if (k > 1) {
      const bool is_before = low > 0 && (high + 1 == instants.size() ||
                                         middle - instants[low - 1].t <= instants[high + 1].t - middle);
      at = is_before ? --low : ++high;
    }
    nodes[k] = instants[at].t;
    EnergyFlows rest = instants[at].power;
    double own = 1.0;
    for (std::size_t j = 0; j < k; ++j) {
      add(coefficients[j], -own, rest);
      own *= nodes[k] - nodes[j];
    }
    add(rest, 1.0 / own, coefficients[k]);  // (2)
    double integral = 0.0;
    for (std::size_t g = 0; g < 4; ++g) {
      integral += 0.5 * h * kWeights[g] * product[g];
      product[g] *= middle + 0.5 * h * kPlaces[g] - nodes[k];
    }
    add(coefficients[k], integral, sum);  // (3)
    last = size_of(coefficients[k]) * std::abs(integral);
    if (k + 1 >= kFewestNodes && last <= enough) break;
  }
  return last;  // of the polynomial with one node less, which is more than that of this one
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
