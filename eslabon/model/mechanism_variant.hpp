#pragma once

#include <string>
#include <vector>

#include "eslabon/model/mechanism.hpp"

/// Mechanisms that differ from another one in a few words. The other one is not changed.
namespace eslabon::model {

/// The same mechanism with these outputs in the place of its own.
/// Throws core::ModelError at `output 'NAME'` for a name that is no variable, with the nearest one, and for
/// one that is listed twice.
Mechanism with_outputs(const Mechanism& mechanism, const std::vector<std::string>& names);

/// The same mechanism without these drivers: what they moved is free.
///   - Efforts of the drivers that go are no longer outputs, nor are formulas of these; other outputs and drivers stay in their order.
///   - Where a driver would have started, by `start` or by its position at t = 0 s, becomes a start value, so
///     that the mechanism is assembled as before; a start value that the user gave stays.
///   - A vehicle whose steering was driven by one of them has no steering.
/// Throws core::ModelError at `driver 'NAME'` for a name that is no driver, with the nearest one.
Mechanism without_drivers(const Mechanism& mechanism, const std::vector<std::string>& names);
/// The same with every driver released.
Mechanism without_all_drivers(const Mechanism& mechanism);

/// The same mechanism with joints that rub by viscous friction alone.
Mechanism without_dry_friction(const Mechanism& mechanism);

/// The same mechanism whose sensors have other errors or read at other times. Throws core::ContractError unless they are the sensors of
/// the mechanism, in their order.
Mechanism with_sensors(const Mechanism& mechanism, const std::vector<Sensor>& sensors);

/// The same mechanism with one formula more, which may be an output, or a variable of other formulas, from then on.
/// Throws core::ModelError at `output 'NAME'` when an element has its name, or the name is none, or it has too many variables.
Mechanism with_formula(const Mechanism& mechanism, const Formula& formula);

/// The same mechanism with these independent coordinates, beside its drivers, in the place of its own.
Mechanism with_inputs(const Mechanism& mechanism, const std::vector<Variable>& inputs);

}  // namespace eslabon::model
