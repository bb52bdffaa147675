#include "eslabon/runs/estimation/unknown_states.hpp"

#include <algorithm>
#include <span>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/sensing/sensor_choice.hpp"

namespace eslabon::runs {

namespace {

using dynamics::Unknown;
using Kind = UnknownRequest::Kind;

constexpr std::string_view kField = "unknown";

/// The place of a name in a list of elements.
template <class Elements>
int place_of(const Elements& elements, const std::string& name, const std::string& what) {
  std::vector<std::string> names;
  for (const auto& element : elements) names.push_back(element.name);
  require_known(kField, "unknown " + what, name, names);
  return static_cast<int>(std::ranges::find(names, name) - names.begin());
}

/// The coordinate along which an unknown force acts.
model::Variable find_line(const UnknownRequest& unknown, const model::Mechanism& mechanism) {
  const model::Variable along = [&] {
    try {
      return model::find_variable(mechanism, unknown.name);
    } catch (const core::ModelError& error) {
      core::ErrorText text = error.text();
      text.where = field(kField);
      throw RequestError(text);
    }
  }();
  if (along.kind == model::VariableKind::kPointPosition || along.kind == model::VariableKind::kJointPosition)
    return along;
  throw RequestError(
      {.what = "this unknown cannot be read",
       .where = field(kField),
       .expected = "a coordinate of a point, or of a joint, along which the force acts",
       .actual = "'" + unknown.name + "'",
       .next = "Write, for example, " + field(kField) + " 'force:wheel.W.z,sigma=200 N,walk=1000 N'."});
}

/// How little is known of it at the start.
double deviation_of(const UnknownRequest& unknown, double usual) {
  const double deviation = unknown.deviation.value_or(usual);
  if (!unknown.deviation || deviation > 0.0) return deviation;
  throw RequestError({.what = "an unknown without uncertainty",
                      .where = field(kField),
                      .expected = "sigma > 0",
                      .actual = quoted_number(deviation),
                      .next = "Say how far off the start may be, or leave the unknown out."});
}

double walk_of(const UnknownRequest& unknown) {
  const double walk = unknown.walk.value_or(0.0);
  if (walk >= 0.0) return walk;
  throw RequestError({.what = "a deviation is negative",
                      .where = field(kField),
                      .expected = "a number of at least 0",
                      .actual = quoted_number(walk),
                      .next = "Write it without the sign."});
}

Unknown factor_of(const UnknownRequest& unknown, const model::Mechanism& mechanism) {
  if (unknown.kind == Kind::kMass) {
    const std::span moving = std::span(mechanism.bodies()).subspan(1);  // the ground has no mass
    return {Unknown::Kind::kMass, 1 + place_of(moving, unknown.name, "body")};
  }
  if (unknown.kind == Kind::kStiffness)
    return {Unknown::Kind::kSpring, place_of(mechanism.springs(), unknown.name, "spring")};
  if (unknown.kind == Kind::kDamping)
    return {Unknown::Kind::kDamper, place_of(mechanism.dampers(), unknown.name, "damper")};
  const Unknown friction{Unknown::Kind::kFriction, place_of(mechanism.joints(), unknown.name, "joint")};
  if (!mechanism.joints()[static_cast<std::size_t>(friction.index)].friction.is_none()) return friction;
  throw RequestError({.what = "there is no friction to estimate",
                      .where = field(kField),
                      .expected = "a joint with 'friction' in the model",
                      .actual = "'" + unknown.name + "' without",
                      .next = "Give the joint a friction; what is estimated is a factor of it."});
}

estimation::UnknownState factor_state(const UnknownRequest& unknown, const model::Mechanism& mechanism) {
  estimation::UnknownState state;
  state.what = factor_of(unknown, mechanism);
  state.dimension = core::kNumber;
  state.start = unknown.start.value_or(1.0);
  if (!(state.start > 0.0))
    throw RequestError({.what = "a factor is estimated by its logarithm",
                        .where = field(kField),
                        .expected = "start > 0",
                        .actual = quoted_number(state.start),
                        .next = "Leave start out to begin with the model's value, or give a small one."});
  state.deviation = deviation_of(unknown, 0.3);
  return state;
}

estimation::UnknownState force_state(const UnknownRequest& unknown, const model::Mechanism& mechanism) {
  estimation::UnknownState state;
  state.what = {Unknown::Kind::kForce, 0, find_line(unknown, mechanism)};
  state.dimension = core::effort_along(model::dimension(mechanism, *state.what.along));
  state.start = unknown.start.value_or(0.0);
  state.deviation = deviation_of(unknown, 10.0);
  return state;
}

estimation::UnknownState auxiliary_state(const UnknownRequest& unknown, const model::Mechanism& mechanism) {
  const int index = place_of(mechanism.states(), unknown.name, "state");
  const model::AuxiliaryState& state = mechanism.states()[static_cast<std::size_t>(index)];
  return {.what = {Unknown::Kind::kState, index},
          .start = unknown.start.value_or(state.start) - state.start,
          .deviation = deviation_of(unknown, 0.1 * state.size)};
}

std::string name_of(const UnknownRequest& unknown) {
  return std::string(name(unknown.kind)) + ":" + unknown.name;
}

/// Fails unless a sensor, or a channel of one, has this name.
void require_channel(const std::string& name, const std::vector<sensing::SensorFacts>& sensors) {
  std::vector<std::string> names;
  for (const sensing::SensorFacts& facts : sensors) {
    names.push_back(facts.name);
    for (const sensing::Channel& channel : facts.channels)
      if (channel.name != facts.name) names.push_back(channel.name);
  }
  require_known(kField, "unknown sensor", name, names);
}

/// Calls `use(sensor, channel)` for each channel whose bias that is.
template <class Use>
void for_channels(const UnknownRequest& unknown, const std::vector<sensing::SensorFacts>& sensors, Use use) {
  require_channel(unknown.name, sensors);
  for (std::size_t s = 0; s < sensors.size(); ++s)
    for (std::size_t k = 0; k < sensors[s].channels.size(); ++k)
      if (unknown.name == sensors[s].name || unknown.name == sensors[s].channels[k].name) use(s, k);
}

void add_biases(const UnknownRequest& unknown, const std::vector<estimation::FilterSensor>& sensors,
                std::vector<estimation::BiasState>& out) {
  std::vector<sensing::SensorFacts> facts;
  for (const estimation::FilterSensor& sensor : sensors) facts.push_back(sensor.facts);
  for_channels(unknown, facts, [&](std::size_t s, std::size_t k) {
    const sensing::Channel& channel = facts[s].channels[k];
    out.push_back({static_cast<int>(s), static_cast<Eigen::Index>(k),
                   deviation_of(unknown, 10.0 * std::max(channel.noise, channel.resolution)),
                   walk_of(unknown)});
  });
}

void check_named_once(const std::vector<UnknownRequest>& unknowns) {
  for (std::size_t i = 0; i < unknowns.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (unknowns[i].kind == unknowns[j].kind && unknowns[i].name == unknowns[j].name)
        throw RequestError({.what = "an unknown is named twice",
                            .where = field(kField),
                            .expected = "each once",
                            .actual = "'" + name_of(unknowns[i]) + "'",
                            .next = "Remove one."});
}

}  // namespace

std::vector<core::Dimension> dimensions_of(const UnknownRequest& unknown, const model::Mechanism& mechanism) {
  if (unknown.kind == Kind::kForce)
    return {core::effort_along(model::dimension(mechanism, find_line(unknown, mechanism)))};
  if (unknown.kind == Kind::kState)
    return {mechanism.states()[static_cast<std::size_t>(place_of(mechanism.states(), unknown.name, "state"))]
                .dimension};
  if (unknown.kind != Kind::kBias) {
    static_cast<void>(factor_of(unknown, mechanism));
    return {core::kNumber};
  }
  const dynamics::AppliedForces forces(mechanism);
  std::vector<sensing::SensorFacts> facts;
  for (const model::Sensor& sensor : named_sensors(mechanism, std::nullopt))
    facts.push_back(sensing::sensor_facts(sensor, *sensing::make_instrument(mechanism, sensor, forces)));
  std::vector<core::Dimension> dimensions;
  for_channels(unknown, facts,
               [&](std::size_t s, std::size_t k) { dimensions.push_back(facts[s].channels[k].dimension); });
  return dimensions;
}

void add_unknowns(const EstimateRequest& request, const model::Mechanism& mechanism,
                  const std::vector<estimation::FilterSensor>& sensors, int num_freedoms,
                  estimation::MechanismSystemOptions& options) {
  for (const UnknownRequest& unknown : request.unknown) {
    if (unknown.kind == Kind::kBias) {
      add_biases(unknown, sensors, options.biases);
      continue;
    }
    estimation::UnknownState state = unknown.kind == Kind::kForce   ? force_state(unknown, mechanism)
                                     : unknown.kind == Kind::kState ? auxiliary_state(unknown, mechanism)
                                                                    : factor_state(unknown, mechanism);
    state.name = name_of(unknown);
    state.walk = walk_of(unknown);
    options.unknowns.push_back(std::move(state));
  }
  check_named_once(request.unknown);
  for (int k = 0; request.forces && k < num_freedoms; ++k)
    options.unknowns.push_back({.what = {Unknown::Kind::kFreedomForce, k},
                                .deviation = request.force_deviation,
                                .walk = request.force_walk});
}

}  // namespace eslabon::runs
