#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "eslabon/io/mechanism/mechanism_sections.hpp"
#include "eslabon/io/mechanism/read_parameters.hpp"

namespace eslabon::io {

/// One file while it is read: that of the mechanism, or that of a part for one of its instances. Stays where it is: others refer to it.
struct FileReading {
  FileReading(std::shared_ptr<const Document> file, ReadParameters values, bool is_planar,
              FileNumbers* numbers, InstanceContext context, PartScope names,
              model::MechanismBuilder& mechanism, Drawing& drawing)
      : document(std::move(file)),
        parameters(std::move(values)),
        scope(std::move(names)),
        reading(*document, parameters.table, is_planar, numbers, std::move(context)),
        builder(mechanism, drawing, scope, is_planar) {}

  std::shared_ptr<const Document> document;
  ReadParameters parameters;
  PartScope scope;
  Reading reading;
  PartBuilder builder;
};

/// Sections that a part may have.
inline constexpr std::array kPartSections{
    "part",      "description", "source", "plane",     "gravity",  "parameters", "mounts",  "parts",
    "instances", "bodies",      "joints", "couplings", "drivers",  "springs",    "dampers", "bushings",
    "stops",     "forces",      "states", "sensors",   "assembly", "start",      "inputs",  "outputs",
    "exports",   "variants",    "events", "actuators", "tyres"};
/// Sections that a mechanism may have.
inline constexpr std::array kMechanismSections{
    "mechanism", "description", "source",    "plane",   "gravity", "parameters", "ground",    "bodies",
    "joints",    "couplings",   "drivers",   "springs", "dampers", "bushings",   "stops",     "forces",
    "states",    "sensors",     "assembly",  "start",   "inputs",  "outputs",    "parts",     "instances",
    "variants",  "events",      "actuators", "tyres",   "road",    "vehicle",    "estimation"};

/// Sections of a mechanism and of a part: joints, couplings, drivers, springs, dampers, bushings, stops and tyres; names and starts
/// of auxiliary states.
void read_joints_and_springs(FileReading& file, MapReader& root);
/// Sections forces, actuators and events, formulas of springs and dampers, rates of auxiliary states: when all else but sensors is there.
void read_forces_of(FileReading& file, std::optional<model::Mechanism>& so_far);
/// Sections assembly and start.
void read_starts(FileReading& file, MapReader& root);

/// Section 'plane' of a file.
bool read_is_planar(const Document& document, const std::string& chain = "");

}  // namespace eslabon::io
