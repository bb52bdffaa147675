#include "eslabon/runs/estimation/tyre_knowledge.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace eslabon::runs {

namespace {

constexpr double kKnownPart = 0.25;  // of its deflection, by which the load of a tyre at the start is known
constexpr double kDoubt = 0.5;       // of the deviation: a deflection that is less
constexpr double kFarInside = 2.0, kFarOutside = 3.0;  // deviations from the kink, on the road and in the air

}  // namespace

TyreKnowledge::TyreKnowledge(const model::Mechanism& mechanism, const dynamics::AppliedForces& forces)
    : y_(1) {
  for (std::size_t k = 0; k < mechanism.tyres().size(); ++k) {
    const model::Variable deflection{.kind = model::VariableKind::kTyre,
                                     .element = model::TyreIndex(static_cast<int>(k)),
                                     .component = static_cast<int>(model::TyreQuantity::kDeflection)};
    gauges_.push_back({.name = mechanism.tyres()[k].name,
                       .instrument = sensing::make_instrument(mechanism, deflection, forces)});
  }
}

bool TyreKnowledge::read(Gauge& gauge, estimation::MechanismSystem& system, double t,
                         estimation::ConstStateRef x, const Eigen::MatrixXd& P) {
  H_.resize(1, system.num_states());
  if (!system.read(t, x, *gauge.instrument, y_, H_)) return false;
  gauge.deflection = y_[0];
  gauge.shift.noalias() = P * H_.row(0).transpose();
  gauge.sigma = std::sqrt(std::max(0.0, H_.row(0).dot(gauge.shift)));
  return true;
}

void TyreKnowledge::know_loads(estimation::MechanismSystem& system, double t, estimation::ConstStateRef x,
                               Eigen::MatrixXd& P) {
  for (Gauge& gauge : gauges_) {
    if (!read(gauge, system, t, x, P) || !(gauge.deflection > 0.0)) continue;
    const double known = kKnownPart * gauge.deflection;
    P -= gauge.shift * gauge.shift.transpose() / (gauge.sigma * gauge.sigma + known * known);
  }
}

bool TyreKnowledge::judge(estimation::MechanismSystem& system, double t, estimation::ConstStateRef x,
                          const Eigen::MatrixXd& P) {
  bool is_known = true;
  for (Gauge& gauge : gauges_) {
    if (!read(gauge, system, t, x, P)) continue;
    if (gauge.sigma > 0.0) gauge.shift /= gauge.sigma;
    if (!(std::abs(gauge.deflection) < kDoubt * gauge.sigma)) continue;
    is_known = false;
    ++gauge.doubted;
  }
  ++num_judged_;
  if (!is_known) ++num_doubted_;
  return is_known;
}

double TyreKnowledge::deviation(std::size_t tyre, estimation::MechanismSystem& system, double t,
                                estimation::ConstStateRef x, const sensing::Instrument& instrument,
                                const Eigen::VectorXd& g, double by_tangent) {
  const Gauge& gauge = gauges_[tyre];
  if (!(gauge.deflection < kFarInside * gauge.sigma && gauge.deflection > -kFarOutside * gauge.sigma))
    return by_tangent;
  constexpr std::array<double, 5> kPoints{-2.85697001387280565, -1.35562617997426587, 0.0,
                                          1.35562617997426587, 2.85697001387280565};
  constexpr std::array<double, 5> kWeights{0.0112574113277206889, 0.222075922005612644, 0.533333333333333333,
                                           0.222075922005612644, 0.0112574113277206889};
  double mean = 0.0, squares = 0.0, weights = 0.0;
  H_.resize(1, system.num_states());
  for (std::size_t k = 0; k < kPoints.size(); ++k) {
    x_ = x + kPoints[k] * gauge.shift;
    if (!system.read(t, x_, instrument, y_, H_)) continue;
    weights += kWeights[k];
    mean += kWeights[k] * y_[0];
    squares += kWeights[k] * y_[0] * y_[0];
  }
  if (!(weights > 0.0)) return by_tangent;
  mean /= weights;
  const double along = g.dot(gauge.shift);
  return std::sqrt(std::max(0.0, squares / weights - mean * mean) +
                   std::max(0.0, by_tangent * by_tangent - along * along));
}

const std::string& TyreKnowledge::most_doubted() const {
  return std::ranges::max_element(gauges_, {}, &Gauge::doubted)->name;
}

}  // namespace eslabon::runs
