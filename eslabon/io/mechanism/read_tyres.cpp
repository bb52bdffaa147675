// Section 'tyres'.
#include <algorithm>
#include <filesystem>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/mechanism/mechanism_sections.hpp"
#include "eslabon/io/tyres/tyre_file.hpp"

namespace eslabon::io {

namespace {

double need_number(MapReader& map, const char* key, const Dimension& dimension) {
  return map.reading().number(map.need(key, "its value"), map.element(), key, dimension);
}

tyres::LinearTyre read_linear_curves(MapReader& map) {
  return {.slip_coefficient = need_number(map, "slip_coefficient", kNumber),
          .cornering_coefficient = need_number(map, "cornering_coefficient", kNumber),
          .camber_coefficient = map.number_or("camber_coefficient", kNumber, 0.0),
          .trail = map.number_or("trail", kLength, 0.0)};
}

tyres::FialaTyre read_fiala_curves(MapReader& map) {
  return {.slip_stiffness = need_number(map, "slip_stiffness", kForce),
          .cornering_stiffness = need_number(map, "cornering_stiffness", kForce),
          .friction = need_number(map, "friction", kNumber),
          .half_contact = map.number_or("half_contact", kLength, 0.0)};
}

tyres::MagicFormula89 read_curves_of_89(MapReader& map) {
  tyres::MagicFormula89 tyre;
  const auto read = [&](const char* key, auto& list) {
    std::ranges::copy(
        map.reading().numbers(map.need(key, "its numbers"), map.element(), key, kNumber, list.size()),
        list.begin());
  };
  read("a", tyre.a);
  read("b", tyre.b);
  read("c", tyre.c);
  tyre.lateral_stiffness = map.number_or("lateral_stiffness", kStiffness, 0.0);
  return tyre;
}

/// `{radius: …, stiffness: …}` with the numbers of its curves.
tyres::PlainTyre read_plain_tyre(MapReader& map, const std::string& kind) {
  tyres::PlainTyre tyre;
  tyre.radius = need_number(map, "radius", kLength);
  tyre.stiffness = need_number(map, "stiffness", kStiffness);
  tyre.damping = map.number_or("damping", kDamping, 0.0);
  const std::vector<double> relaxation = map.reading().numbers(
      map.need("relaxation", "the lengths over which forces build up, along and across"), map.element(),
      "relaxation", kLength, 2);
  tyre.relaxation_along = relaxation[0];
  tyre.relaxation_across = relaxation[1];
  if (kind == "linear")
    tyre.curves = read_linear_curves(map);
  else if (kind == "fiala")
    tyre.curves = read_fiala_curves(map);
  else
    tyre.curves = read_curves_of_89(map);
  const double rolling_coefficient = map.number_or("rolling_coefficient", kNumber, 0.0);
  std::visit([&](auto& curves) { curves.rolling_coefficient = rolling_coefficient; }, tyre.curves);
  map.finish();
  return tyre;
}

tyres::TyreSide read_tyre_side(MapReader& map) {
  return read_side(map, "side", "Leave it out for a tyre that is mounted as it was measured.");
}

/// `file: x.tir`, from the folder of the file that names it.
tyres::MagicFormula read_tyre_of_file(MapReader& map, const Node& node) {
  const std::string path = map.reading().path(node, map.element(), "file");
  const auto* const text_of_file = map.reading().instance().text_of_file;
  std::string text;
  try {
    text =
        reading_file([&] { return text_of_file != nullptr ? (*text_of_file)(path) : read_file_text(path); });
  } catch (const core::ModelError&) {
    if (std::filesystem::exists(path)) throw;
    map.reading().fail(node, map.element(), "there is no such tyre file",
                       "a .tir file, named from the folder of this file", core::quoted(path),
                       "Check the name and the folder.");
  }
  const TyreFile file = read_tyre(text, path);
  map.reading().add_data_file(path);
  const auto slip = map.text("slip");
  if (!slip) return file.with_combined_slip();
  if (*slip != "pure")
    map.reading().fail(*map.node().find("slip"), map.element(), "unknown kind of slip", "'pure'",
                       "'" + *slip + "'", "Leave it out for forces that know of each other.");
  return tyres::without_combined_slip(file.tyre);
}

Dimension dimension_of(tyres::Measure measure) {
  switch (measure) {
    using enum tyres::Measure;
    case kNumber:
      return core::kNumber;
    case kLength:
      return core::kLength;
    case kForce:
      return core::kForce;
    case kAngle:
      return core::kAngle;
    case kMass:
      return core::kMass;
    case kSpeed:
      return core::kVelocity;
    case kPressure:
      return core::kPressure;
    case kStiffness:
      return core::kStiffness;
    case kDamping:
      return core::kDamping;
    case kInertia:
      return core::kInertia;
    case kYawStiffness:
      return core::kTorsionalStiffness;
  }
  return core::kNumber;
}

/// `{version: 6.1, UNLOADED_RADIUS: 0.33 m, PCX1: 1.5, …}`: what a .tir file has, in SI units.
tyres::MagicFormula read_magic_formula(MapReader& map) {
  tyres::MagicFormula tyre;
  const Node& version = map.need("version", "5.2, 6.1 or 6.2");
  const std::string text = map.reading().text(version, map.element(), "version");
  const std::optional<tyres::MagicFormulaVersion> found = tyres::find_version(text);
  if (!found)
    map.reading().fail(version, map.element(), "unknown version of the Magic Formula", "5.2, 6.1 or 6.2",
                       "'" + text + "'", "Name one of these.");
  tyre.version = *found;
  tyre.side = read_tyre_side(map);
  for (const tyres::Coefficient& one : tyres::coefficients()) {
    const Dimension dimension = dimension_of(one.measure);
    if (one.otherwise)
      tyre.*one.member = map.number_or(one.name, dimension, *one.otherwise);
    else
      tyre.*one.member = map.reading().number(map.need(one.name, one.meaning), map.element(),
                                              std::string(one.name), dimension);
  }
  map.finish();
  return tyre;
}

std::variant<tyres::PlainTyre, tyres::MagicFormula> read_model(MapReader& map) {
  if (map.need_one_of({"file", "model"}, "that says what tyre it is") == "file")
    return read_tyre_of_file(map, *map.find("file"));
  if (const Node* slip = map.find("slip"))
    map.reading().fail(*slip, map.element(), "'slip' is for tyres of a file",
                       "no 'slip' beside 'model': 'fiala' and 'magic_formula' combine slip and slip angle, "
                       "'linear' and 'magic_formula_89' know pure slip alone",
                       core::quoted(slip->text()), "Leave it out, or take another kind of 'model'.");
  MapReader model(map.reading(), *map.find("model"), map.element() + ", model");
  const std::string kind = model.need_one_of({"linear", "fiala", "magic_formula_89", "magic_formula"},
                                             "that says what its curves are");
  MapReader numbers(map.reading(), *model.find(kind), model.element());
  model.finish();
  if (kind == "magic_formula") return read_magic_formula(numbers);
  return read_plain_tyre(numbers, kind);
}

/// `axis: y`, or a vector in axes of the body.
Eigen::Vector3d read_wheel_axis(MapReader& map) {
  const Node* node = map.find("axis");
  if (node == nullptr) return Eigen::Vector3d::UnitY();
  if (!node->is_scalar()) return map.reading().vector(*node, map.element(), "axis", kNumber);
  const std::string& word = node->text();
  const std::size_t k = std::string("xyz").find(word);
  if (word.size() != 1 || k == std::string::npos)
    map.reading().fail(*node, map.element(), "unknown axis of a wheel",
                       "'x', 'y' or 'z' of its body, or three components", "'" + word + "'",
                       "Give the axis that points to the left of the way ahead.");
  return Eigen::Vector3d::Unit(static_cast<Eigen::Index>(k));
}

}  // namespace

tyres::TyreSide read_side(MapReader& map, const char* key, const char* advice) {
  const auto side = map.text(key);
  if (!side) return tyres::TyreSide::kSymmetric;
  if (*side != "left" && *side != "right")
    map.reading().fail(*map.node().find(key), map.element(), std::string("unknown ") + key,
                       "'left' or 'right'", core::quoted(*side), advice);
  return *side == "left" ? tyres::TyreSide::kLeft : tyres::TyreSide::kRight;
}

void read_tyres(Reading& reading, const Node& node, PartBuilder& builder) {
  read_named(reading, node, "tyres", "tyre", [&](MapReader& map, const std::string& name) {
    model::TyreDescription tyre{.name = name};
    tyre.center = reading.text(map.need("wheel", "the centre of its disc, a point of the wheel"),
                               map.element(), "wheel");
    tyre.axis_B = read_wheel_axis(map);
    tyre.side = read_tyre_side(map);
    tyre.fitted.model = read_model(map);
    tyre.fitted.contact_half_length = 0.5 * map.number_or("contact_length", kLength, 0.0);
    map.finish();
    reading.at_place([&] { builder.add_tyre(std::move(tyre)); });
  });
}

}  // namespace eslabon::io
