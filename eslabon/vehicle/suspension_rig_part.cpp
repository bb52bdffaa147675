#include "eslabon/vehicle/suspension_rig_part.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/mechanism/document.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/kinematics/assembly/assembled_mechanism.hpp"
#include "eslabon/model/own_origin.hpp"
#include "eslabon/tyres/tyre_on_road.hpp"

namespace eslabon::vehicle {

namespace {

constexpr const char* kRack = "rack";

std::optional<io::Document> read_part(const std::string& model) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(model, error)) return std::nullopt;
  try {
    io::Document document = io::read_document(io::read_file_text(model), model);
    if (document.root.find("part") == nullptr || document.root.find("mechanism") != nullptr)
      return std::nullopt;
    return document;
  } catch (const core::ModelError&) {
    return std::nullopt;
  }
}

std::string in_yaml(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

bool is_exported(const io::Document& part, const std::string& name) {
  const io::Node* exports = part.root.find("exports");
  return exports != nullptr && exports->is_sequence() &&
         std::ranges::any_of(exports->items(),
                             [&](const io::Node& item) { return item.is_scalar() && item.text() == name; });
}

/// Where the part has the wheel centres, y and z, as it is drawn.
std::vector<Eigen::Vector3d> centers_of(const model::Mechanism& alone) {
  const kinematics::AssembledMechanism assembled = kinematics::AssembledMechanism::assemble(alone);
  std::vector<Eigen::Vector3d> centers;
  for (const model::Tyre& tyre : alone.tyres())
    centers.push_back(
        assembled.assembly().bodies[tyre.center.body.slot()].point_position(alone.point(tyre.center).p_BP_B));
  return centers;
}

[[noreturn]] void fail(const std::string& what, const std::string& file, const std::string& where,
                       const std::string& expected, const std::string& actual, const std::string& next) {
  throw io::FileError({.what = what,
                       .where = where.empty() ? file : file + ", " + where,
                       .expected = expected,
                       .actual = actual,
                       .next = next});
}

}  // namespace

bool is_part_file(const std::string& model) { return read_part(model).has_value(); }

io::DescribedMechanism part_on_axle(const std::string& file, const io::ModelSettings& settings) {
  const io::DescribedMechanism alone = io::load_model_as_written(file, settings);
  const std::optional<io::Document> part = read_part(file);
  const std::vector<model::Tyre>& wheels = alone.mechanism.tyres();
  if (wheels.empty() || wheels.size() > 2)
    fail("the part does not stand on a rig", file, "", "one tyre, a corner, or two, an axle",
         wheels.empty() ? "none" : core::counted(wheels.size(), "tyre"),
         "Give the file of a vehicle, or of one corner.");
  for (const model::Tyre& tyre : wheels)
    if (!is_exported(*part, tyre.name))
      fail("the part does not export its tyre", file, "exports", "'" + tyre.name + "' in the list",
           "no such name", "Add it: the rig takes hold of the wheel there.");
  const std::vector<Eigen::Vector3d> centers = centers_of(alone.mechanism);
  // The axle stands on the road of the drawing.
  const std::string lift =
      "[0, 0, " + core::number_text(tyres::unloaded_radius(wheels[0].fitted) - centers[0].z()) + "]";
  const bool is_corner = wheels.size() == 1;
  const std::string first = wheels[0].name, second = is_corner ? first : wheels[1].name;
  std::string text = "mechanism: " + in_yaml(alone.mechanism.name()) + "\n";
  const Eigen::Vector3d& g = alone.mechanism.gravity_W();
  text += "gravity: [" + core::number_text(g.x()) + ", " + core::number_text(g.y()) + ", " +
          core::number_text(g.z()) + "]\n";
  text += "parts: {part: " + in_yaml(std::filesystem::path(file).filename().string()) + "}\n";
  text += "ground: {points: {O: " + lift + "}}\n";
  std::string mounts;
  bool has_rack = false;
  if (const io::Node* node = part->root.find("mounts"))
    for (const io::Entry& entry : node->entries()) {
      const bool is_rack = entry.key.text() == kRack;
      has_rack = has_rack || is_rack;
      mounts += (mounts.empty() ? "" : ", ") + entry.key.text() + ": " + (is_rack ? "rack" : "chassis");
    }
  text += "bodies:\n  chassis: {points: {O: [0, 0, 0]}, drawn: {at: " + lift + "}}\n";
  if (has_rack) text += "  rack: {points: {O: [0, 0, 0]}, drawn: {at: " + lift + "}}\n";
  text += "joints:\n  bench: {fixed: [ground.O, chassis.O]}\n";
  if (has_rack)
    text +=
        "  rack_slide: {prismatic: [chassis.O, rack.O], axis: y}\ndrivers: {steer: {joint: rack_slide, "
        "position: 0}}\n";
  text += "instances:\n  axle:\n    part: part\n    at: " + lift + "\n    mounts: {" + mounts + "}\n";
  if (!settings.set.empty()) {
    text += "    set: {";
    for (std::size_t k = 0; k < settings.set.size(); ++k) {
      const std::size_t sign = settings.set[k].find('=');
      text += (k == 0 ? "" : ", ") + settings.set[k].substr(0, sign) + ": " +
              in_yaml(settings.set[k].substr(sign + 1));
    }
    text += "}\n";
  }
  const bool first_is_left = is_corner ? centers[0].y() >= 0.0 : centers[0].y() >= centers[1].y();
  if (is_corner)
    text += std::string("    copies: {left: {") + (first_is_left ? "" : "mirror: y") + "}, right: {" +
            (first_is_left ? "mirror: y" : "") + "}}\n";
  const std::string left = is_corner ? "axle.left." + first : "axle." + (first_is_left ? first : second);
  const std::string right = is_corner ? "axle.right." + first : "axle." + (first_is_left ? second : first);
  text += "vehicle:\n  chassis: chassis.O\n";
  if (has_rack) text += "  steering: {driver: steer, ratio: 1 rad/m}\n";
  text += "  axles: [{left: " + left + ", right: " + right + ", drive: 1, brake: 1}]\n";
  const std::filesystem::path beside =
      std::filesystem::path(file).parent_path() / "the rig";  // where parts are looked for
  io::DescribedMechanism axle = io::read_described_mechanism(text, beside.string());
  axle.parameters = alone.parameters;
  axle.mechanism = model::about_own_origin(axle.mechanism);
  return axle;
}

}  // namespace eslabon::vehicle
