#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/model/descriptions.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::model {

/// Another function of a driver of a position.
struct DriverFunction {
  std::string driver;
  TimeFunction position;
};

/// What is put on a mechanism that is there already: a road, a controller, what it is watched for.
struct MechanismAddition {
  std::vector<StateDescription> states = {};
  std::vector<LoadDescription> loads = {};     ///< they may look at the states
  std::vector<EventDescription> events = {};   ///< the same
  std::vector<DriverFunction> drivers = {};    ///< of drivers that are there
  std::optional<tyres::Road> road = {};        ///< instead of its own
  std::optional<StartSpeed> start_speed = {};  ///< instead of its own and of its start rates
  bool starts_at_rest = false;                 ///< without its start speed and start rates
};

/// The same mechanism with more. Names of what is new must be new.
/// Throws core::ModelError as MechanismBuilder does, at `KIND 'NAME'` of what is new.
Mechanism with_addition(const Mechanism& mechanism, const MechanismAddition& addition);

}  // namespace eslabon::model
