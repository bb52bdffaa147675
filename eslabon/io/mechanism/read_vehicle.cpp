// Section 'vehicle'.

#include <string>
#include <vector>

#include "eslabon/io/mechanism/mechanism_sections.hpp"

namespace eslabon::io {

namespace {

/// Angle of the steering wheel for 1 m, or 1 rad, of the driver's coordinate: rad/m, or a number.
double read_ratio(MapReader& map) {
  const Node& node =
      map.need("ratio", "the angle of the steering wheel for 1 m, or 1 rad, of the coordinate");
  const Quantity ratio = map.reading().quantity(node, map.element(), "ratio");
  const bool may_be_anything = ratio.certainty != Certainty::kKnown;
  if (!may_be_anything && !core::agree_but_for_radians(ratio.dimension, kNumber) &&
      !core::agree_but_for_radians(ratio.dimension, kNumber / kLength))
    map.reading().fail(node, map.element(), "ratio has a unit of the wrong kind",
                       "a number, or one by metre such as '125 rad/m'", "'" + node.text() + "'",
                       "It is the turn of the steering wheel for that of the driver.");
  return ratio.value;
}

model::VehicleSteeringDescription read_steering(MapReader& vehicle, const Node& node,
                                                const PartBuilder& builder) {
  MapReader map(vehicle.reading(), node, "vehicle, steering");
  const std::string& driver =
      map.reading().text(map.need("driver", "which one steers"), map.element(), "driver");
  model::VehicleSteeringDescription steering{
      map.reading().at_place([&] { return builder.full_name(driver, map.element() + ", driver"); }),
      read_ratio(map)};
  map.finish();
  return steering;
}

/// One tyre, or a list of some.
std::vector<std::string> read_tyre_names(MapReader& map, const char* side, const PartBuilder& builder) {
  const Node& node = map.need(side, "its tyre, or a list of tyres");
  const std::string element = map.element() + ", " + side;
  const auto name_of = [&](const Node& one) {
    const std::string& text = map.reading().text(one, map.element(), side);
    return map.reading().at_place([&] { return builder.full_name(text, element); });
  };
  if (!node.is_sequence()) return {name_of(node)};
  std::vector<std::string> names;
  for (const Node& item : node.items()) names.push_back(name_of(item));
  return names;
}

}  // namespace

void read_vehicle(Reading& reading, const Node& node, PartBuilder& builder) {
  MapReader map(reading, node, "vehicle");
  model::VehicleDescription vehicle;
  const std::string& chassis =
      reading.text(map.need("chassis", "a point of the chassis"), map.element(), "chassis");
  vehicle.chassis = reading.at_place([&] { return builder.full_name(chassis, "vehicle, chassis"); });
  if (const Node* steering = map.find("steering")) vehicle.steering = read_steering(map, *steering, builder);
  const Node& axles = map.need("axles", "a list of axles, front to rear");
  if (!axles.is_sequence())
    reading.fail(axles, map.element(), "'axles' is not a list", "a list of axles, front to rear",
                 axles.is_scalar() ? "'" + axles.text() + "'" : std::string(axles.kind_name()),
                 "Write '- {left: TYRE, right: TYRE}' for each axle.");
  for (const Node& item : axles.items()) {
    MapReader axle(reading, item, "vehicle, axle " + std::to_string(vehicle.axles.size() + 1));
    model::VehicleAxleDescription read;
    read.left = read_tyre_names(axle, "left", builder);
    read.right = read_tyre_names(axle, "right", builder);
    read.drive = axle.number_or("drive", kNumber, 0.0);
    read.brake = axle.number_or("brake", kNumber, 0.0);
    axle.finish();
    vehicle.axles.push_back(std::move(read));
  }
  map.finish();
  reading.at_place([&] { builder.whole().set_vehicle(std::move(vehicle)); });
}

}  // namespace eslabon::io
