#include "eslabon/dynamics/forces/stop_contact.hpp"

#include <algorithm>
#include <cmath>

#include "eslabon/core/scalar/dual.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/model/elements/traced_time.hpp"

namespace eslabon::dynamics {

namespace {

using coordinates::CoordinateValue;
using coordinates::CoordinateValueOf;
using core::Dual;

template <class T>
CoordinateValueOf<T> limit_at(const model::TimeFunction& limit, double t) {
  if (limit.is_constant()) return {.position = T(limit.constant_value())};
  if constexpr (core::NumericScalar<T>) {
    const Dual<Dual<double>> x = limit.evaluate(Dual<Dual<double>>({t, 1.0}, {1.0, 0.0}));
    return {T(x.value.value), T(x.value.derivative), T(x.derivative.derivative)};
  } else {
    return {model::traced_value(limit), model::traced_rate(limit), T(0.0)};  // no force asks for more
  }
}

}  // namespace

std::vector<StopSide> stop_sides(const model::Mechanism& mechanism, bool rigid) {
  std::vector<StopSide> sides;
  for (std::size_t s = 0; s < mechanism.stops().size(); ++s) {
    if (mechanism.stops()[s].is_rigid() != rigid) continue;
    if (mechanism.stops()[s].lower) sides.push_back({s, false});
    if (mechanism.stops()[s].upper) sides.push_back({s, true});
  }
  return sides;
}

template <core::Scalar T>
GapOf<T> gap_at(const model::Stop& stop, bool is_upper, const CoordinateValueOf<T>& x, double t,
                bool stands) {
  CoordinateValueOf<T> limit = limit_at<T>(is_upper ? *stop.upper : *stop.lower, t);
  if (stands) limit.velocity = limit.acceleration = T(0.0);
  const double sign = is_upper ? -1.0 : 1.0;
  return {sign * (x.position - limit.position), sign * (x.velocity - limit.velocity),
          sign * (x.acceleration - limit.acceleration)};
}

template <core::Scalar T>
T soft_push(const model::Stop& stop, const GapOf<T>& gap) {
  const T zero(0.0), push = -stop.stiffness * gap.gap - stop.damping * gap.rate;
  return core::select_less(gap.gap, zero, core::select_less(zero, push, push, zero), zero);
}

double stop_energy(const model::Stop& stop, double position, double t) {
  double energy = 0.0;
  if (stop.is_rigid()) return energy;
  for (const bool is_upper : {false, true}) {
    if (!(is_upper ? stop.upper : stop.lower)) continue;
    const double depth = -gap_at<double>(stop, is_upper, {.position = position}, t).gap;
    if (depth > 0.0) energy += 0.5 * stop.stiffness * depth * depth;
  }
  return energy;
}

template <core::Scalar T>
CoordinateValueOf<T> position_value(const model::Mechanism& mechanism, const model::Variable& target,
                                    const coordinates::MechanismMotionOf<T>& bodies) {
  if (const auto* point = std::get_if<model::PointRef>(&target.element)) {
    const coordinates::BodyMotionOf<T>& body = bodies[point->body.slot()];
    const Eigen::Vector3d& p_BP_B = mechanism.point(*point).p_BP_B;
    const int k = target.component;
    return {body.point_position(p_BP_B)(k), body.point_velocity(p_BP_B)(k),
            body.point_acceleration(p_BP_B)(k)};
  }
  const model::Joint& joint = mechanism.joint(std::get<model::JointIndex>(target.element));
  return coordinates::joint_coordinate(joint, target.component, bodies);
}

template <core::Scalar T>
CoordinateValueOf<T> term_value(const model::Coupling& coupling, std::size_t k,
                                const CoordinateValueOf<T>& x) {
  const double c = coupling.terms[k].factor;
  const model::CouplingLaw* const law = coupling.law_of_term(k);
  if (law == nullptr) return {T(c * x.position), T(c * x.velocity), T(c * x.acceleration)};
  const T slope = law->slope.evaluate(x.position), curvature = law->curvature.evaluate(x.position);
  return {T(c * law->value.evaluate(x.position)), T(c * slope * x.velocity),
          T(c * (slope * x.acceleration + curvature * x.velocity * x.velocity))};
}

double stopped_position(const model::Stop& stop, std::span<const double> coordinates) {
  if (!stop.coupling) return coordinates.front();
  double sum = 0.0;
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    sum += term_value<double>(*stop.coupling, k, {.position = coordinates[k]}).position;
  return sum;
}

std::size_t num_stopped(const model::Stop& stop) { return stop.coupling ? stop.coupling->terms.size() : 1; }

std::string stopped_name(const model::Mechanism& mechanism, const model::Stop& stop) {
  if (!stop.coupling) return model::name(mechanism, stop.target);
  std::string text;
  for (std::size_t k = 0; k < stop.coupling->terms.size(); ++k) {
    const auto& [coordinate, factor] = stop.coupling->terms[k];
    const std::string size = std::abs(factor) == 1.0 ? "" : core::rounded_text(std::abs(factor)) + " ";
    const std::string name = model::name(mechanism, model::variable_of(coordinate));
    text += (text.empty() ? (factor < 0.0 ? "-" : "") : factor < 0.0 ? " - " : " + ") + size +
            (stop.coupling->law_of_term(k) != nullptr ? "f(" + name + ")" : name);
  }
  return text;
}

#define ESLABON_INSTANTIATE(T)                                                                   \
  template GapOf<T> gap_at(const model::Stop&, bool, const CoordinateValueOf<T>&, double, bool); \
  template T soft_push(const model::Stop&, const GapOf<T>&);                                     \
  template CoordinateValueOf<T> position_value(const model::Mechanism&, const model::Variable&,  \
                                               const coordinates::MechanismMotionOf<T>&);        \
  template CoordinateValueOf<T> term_value(const model::Coupling&, std::size_t, const CoordinateValueOf<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_INSTANTIATE)
#undef ESLABON_INSTANTIATE

std::string side_name(const model::Mechanism& mechanism, const StopSide& side) {
  const model::Stop& stop = mechanism.stops()[side.stop];
  const std::string name = "stop '" + stop.name + "'";
  if (!stop.lower || !stop.upper) return name;
  return (side.is_upper ? "upper limit of " : "lower limit of ") + name;
}

}  // namespace eslabon::dynamics
