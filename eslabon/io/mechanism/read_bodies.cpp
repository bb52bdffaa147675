#include <array>
#include <cmath>

#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/io/mechanism/mechanism_sections.hpp"

namespace eslabon::io {

namespace {

using Eigen::Vector3d;
using model::BodyDescription;
using model::NamedAxis;
using model::NamedCurve;
using model::NamedFrame;
using model::NamedPoint;

/// Named places of a body or of the ground.
struct Markers {
  std::vector<NamedPoint> points;
  std::vector<NamedAxis> axes;
  std::vector<NamedFrame> frames;
  std::vector<NamedCurve> curves;
};

NamedFrame read_frame(Reading& reading, const Node& node, const std::string& name,
                      const std::string& element) {
  MapReader map(reading, node, element);
  NamedFrame frame{name};
  if (const auto origin = map.vector("origin", kLength)) frame.p_BF_B = *origin;
  if (reading.is_planar()) {
    if (const auto x = map.vector("x", kNumber)) {
      if (map.has("angle"))
        reading.fail(node, element, "keys 'x' and 'angle' exclude each other", "one of them", "both",
                     "Keep the one you mean.");
      frame.x_B = *x;
    } else if (const auto angle = map.number("angle", kAngle)) {
      frame.x_B = {std::cos(*angle), std::sin(*angle), 0.0};
    }
  } else {
    if (const auto x = map.vector("x", kNumber)) frame.x_B = *x;
    if (const auto z = map.vector("z", kNumber)) frame.z_B = *z;
  }
  map.finish();
  return frame;
}

/// One of two words, the first of which is the default.
bool is_second_word(MapReader& map, std::string_view key, std::string_view first, std::string_view second,
                    const std::string& next) {
  const auto word = map.text(key);
  if (!word || *word == first) return false;
  if (*word == second) return true;
  map.reading().fail(*map.node().find(std::string(key)), map.element(), "unknown '" + std::string(key) + "'",
                     "'" + std::string(first) + "' or '" + std::string(second) + "'", "'" + *word + "'",
                     next);
}

/// {points: [[x, y], …], closed: true, side: inside}; in space {points: [[x, y, z], …], closed: true}
NamedCurve read_curve(Reading& reading, const Node& node, const std::string& name,
                      const std::string& element) {
  MapReader map(reading, node, element);
  NamedCurve curve{.name = name, .points = {}};
  const std::string point_text = reading.is_planar() ? "[x, y]" : "[x, y, z]";
  const Node& points = map.need("points", "the points of the curve, [" + point_text + ", …]");
  if (!points.is_sequence())
    reading.fail(points, element, "points of a curve are not a list",
                 "[" + point_text + ", " + point_text + ", …]",
                 points.is_scalar() ? "'" + points.text() + "'" : std::string(points.kind_name()),
                 "Write the points in their order along the curve.");
  for (const Node& point : points.items())
    curve.points.push_back(reading.vector(point, element, "point", kLength));
  curve.is_closed =
      is_second_word(map, "closed", "false", "true",
                     "Write 'closed: true' for a curve that goes on from its last point to its first.");
  if (const Node* side = map.find("side"); side && !reading.is_planar())
    reading.fail(*side, element, "a side of a curve in space", "'side:' in planar mechanisms only",
                 side->is_scalar() ? "'" + side->text() + "'" : std::string(side->kind_name()),
                 "Remove 'side:': in space points stay on the curve itself.");
  curve.is_other_side =
      curve.is_closed
          ? is_second_word(map, "side", "outside", "inside", "Say from which side others touch the curve.")
          : is_second_word(map, "side", "left", "right",
                           "Say from which side, seen along the curve, others touch it.");
  map.finish();
  return curve;
}

template <class ReadOne>
void read_marker_map(MapReader& owner, std::string_view key, std::string_view kind, ReadOne read_one) {
  const Node* section = owner.find(key);
  if (!section) return;
  if (!section->is_map())
    owner.reading().fail(
        *section, owner.element(), "'" + std::string(key) + "' is not a map",
        "a name and a value for each " + std::string(kind),
        section->is_scalar() ? "'" + section->text() + "'" : std::string(section->kind_name()),
        "Write it as {NAME: …, NAME: …}.");
  for (const Entry& entry : section->entries()) {
    const std::string element = owner.element() + ", " + std::string(kind) + " '" + entry.key.text() + "'";
    owner.reading().remember(element, entry.key.position());
    read_one(entry.key.text(), entry.value, element);
  }
}

Markers read_markers(MapReader& owner) {
  Reading& reading = owner.reading();
  Markers markers;
  read_marker_map(owner, "points", "point",
                  [&](const std::string& name, const Node& value, const std::string& element) {
                    markers.points.push_back({name, reading.vector(value, element, "point", kLength)});
                  });
  read_marker_map(
      owner, "axes", "axis", [&](const std::string& name, const Node& value, const std::string& element) {
        if (name == "x" || name == "y" || name == "z")
          reading.fail(value, element, "an axis has the name of a body's own axis", "another name",
                       "'" + name + "'", "The words x, y and z mean the body's own axes.");
        markers.axes.push_back({name, reading.vector(value, element, "axis", kNumber)});
      });
  read_marker_map(owner, "frames", "frame",
                  [&](const std::string& name, const Node& value, const std::string& element) {
                    markers.frames.push_back(read_frame(reading, value, name, element));
                  });
  read_marker_map(owner, "curves", "curve",
                  [&](const std::string& name, const Node& value, const std::string& element) {
                    markers.curves.push_back(read_curve(reading, value, name, element));
                  });
  return markers;
}

/// A place in a body: coordinates, or the name of one of its points.
std::optional<Vector3d> read_place(MapReader& map, std::string_view key,
                                   const std::vector<NamedPoint>& points) {
  const Node* node = map.find(key);
  if (!node) return std::nullopt;
  if (!node->is_scalar()) return map.reading().vector(*node, map.element(), std::string(key), kLength);
  std::vector<std::string> names;
  for (const NamedPoint& point : points) {
    if (point.name == node->text()) return point.p_BP_B;
    names.push_back(point.name);
  }
  const auto nearest = core::nearest_name(node->text(), names);
  map.reading().fail(
      *node, map.element(), std::string(key) + " is not a point of the body",
      "coordinates, or " + core::quoted_list(names), "'" + node->text() + "'",
      nearest ? "Did you mean '" + *nearest + "'?" : "Write its coordinates, or add the point to the body.");
}

/// The size of a shape: a bare value, or a map with the value and where it is. Returns the map reader for the
/// rest.
class ShapeReader {
 public:
  ShapeReader(MapReader& shape, std::string_view kind, const std::vector<NamedPoint>& points)
      : reading_(shape.reading()),
        element_(shape.element()),
        node_(*shape.find(kind)),
        kind_(kind),
        points_(points) {
    if (node_.is_map()) map_.emplace(reading_, node_, element_);
  }

  double radius() {
    if (!map_) return reading_.number(node_, element_, kind_, kLength);
    return reading_.number(map_->need("radius", "a length"), element_, "radius", kLength);
  }
  Vector3d size() {
    if (!map_) return reading_.vector(node_, element_, kind_, kLength);
    return reading_.vector(map_->need("size", "its lengths along the axes"), element_, "size", kLength);
  }
  double length() {
    if (!map_)
      reading_.fail(node_, element_, "a cylinder needs a radius and a length", "{radius: …, length: …}",
                    node_.is_scalar() ? "'" + node_.text() + "'" : std::string(node_.kind_name()),
                    "Write both.");
    return reading_.number(map_->need("length", "a length"), element_, "length", kLength);
  }
  Vector3d center() {
    if (!map_) return Vector3d::Zero();
    return read_place(*map_, "center", points_).value_or(Vector3d::Zero());
  }
  Vector3d axis() {
    if (!map_ || reading_.is_planar()) return Vector3d::UnitZ();
    return map_->vector("axis", kNumber).value_or(Vector3d::UnitZ());
  }
  void finish() {
    if (map_) map_->finish();
  }

 private:
  Reading& reading_;
  std::string element_;
  const Node& node_;
  std::string kind_;
  const std::vector<NamedPoint>& points_;
  std::optional<MapReader> map_;
};

/// What shapes are called elsewhere.
constexpr std::array<KindSynonym, 9> kShapeSynonyms{{{"circle", "disc"},
                                                     {"disk", "disc"},
                                                     {"wheel", "disc"},
                                                     {"block", "box"},
                                                     {"cuboid", "box"},
                                                     {"rod", "bar"},
                                                     {"link", "bar"},
                                                     {"ball", "sphere"},
                                                     {"tube", "cylinder"}}};

/// `element`: of the body or the ground; `key`: under which the shape stands.
model::Shape read_shape(Reading& reading, const Node& node, const std::string& element,
                        const std::string& key, const std::vector<NamedPoint>& points) {
  if (node.is_scalar())
    reading.fail(node, element, "the shape has no size", "a map such as '{disc: 150 mm}' or '{bar: [A, B]}'",
                 "'" + node.text() + "'", "Write the kind, a colon and its size, in braces.");
  MapReader map(reading, node, element + ", " + key);
  const std::string kind = map.need_kind({.what = "shape",
                                          .kinds = {"bar", "disc", "box", "cylinder", "sphere"},
                                          .what_for = "with its size",
                                          .others = {},
                                          .synonyms = kShapeSynonyms});
  const auto read = [&]() -> model::Shape {
    if (kind == "bar") {
      const auto ends = reading.texts(*map.find("bar"), map.element(), "bar", 2);
      return model::Bar{ends[0], ends[1]};
    }
    ShapeReader shape(map, kind, points);
    const auto made = [&]() -> model::Shape {
      if (kind == "disc") return model::Disc{shape.radius(), shape.center(), shape.axis()};
      if (kind == "box") return model::Box{shape.size(), shape.center()};
      if (kind == "cylinder")
        return model::Cylinder{shape.radius(), shape.length(), shape.center(), shape.axis()};
      return model::Sphere{shape.radius(), shape.center()};
    }();
    shape.finish();
    return made;
  };
  model::Shape shape = read();
  map.finish();
  return shape;
}

/// What is drawn beside the shape: a list of shapes.
std::vector<model::Shape> read_visuals(MapReader& owner, const std::vector<NamedPoint>& points) {
  std::vector<model::Shape> visuals;
  const Node* node = owner.find("visuals");
  if (!node) return visuals;
  if (!node->is_sequence())
    owner.reading().fail(*node, owner.element(), "'visuals' is not a list", "a list of shapes",
                         node->is_scalar() ? "'" + node->text() + "'" : std::string(node->kind_name()),
                         "Write it as [{box: […]}, {disc: …}].");
  owner.reading().remember(owner.element() + ", visuals", node->position());
  for (const Node& item : node->items())
    visuals.push_back(read_shape(owner.reading(), item, owner.element(), "visuals", points));
  return visuals;
}

/// Planar: one moment. Spatial: the three principal ones, or six: xx, yy, zz, xy, xz, yz.
std::optional<Eigen::Matrix3d> read_inertia(MapReader& body) {
  const Node* node = body.find("inertia");
  if (!node) return std::nullopt;
  Eigen::Matrix3d I = Eigen::Matrix3d::Zero();
  if (body.reading().is_planar()) {
    I(2, 2) = body.reading().number(*node, body.element(), "inertia", kInertia);
    return I;
  }
  const bool is_full = node->is_sequence() && node->items().size() == 6;
  if (node->is_sequence() && !is_full && node->items().size() != 3)
    body.reading().fail(
        *node, body.element(), "inertia has the wrong number of entries",
        "the 3 principal moments, or the 6 components xx, yy, zz, xy, xz, yz",
        std::to_string(node->items().size()) + (node->items().size() == 1 ? " entry" : " entries"),
        "Write it as [xx, yy, zz].");
  const auto m = body.reading().numbers(*node, body.element(), "inertia", kInertia, is_full ? 6 : 3);
  I.diagonal() = Vector3d(m[0], m[1], m[2]);
  if (is_full) {
    I(0, 1) = I(1, 0) = m[3];
    I(0, 2) = I(2, 0) = m[4];
    I(1, 2) = I(2, 1) = m[5];
  }
  return I;
}

/// All mass in one point: the centre of mass is there, and there is no inertia about it.
void read_point_mass(MapReader& map, const std::vector<NamedPoint>& points, BodyDescription& body) {
  const auto place = read_place(map, "point_mass", points);
  if (!place) return;
  for (const char* const other : {"shape", "center_of_mass", "inertia", "density"})
    if (map.has(other))
      map.reading().fail(*map.node().find(other), map.element(), "a point mass says where its mass is itself",
                         "'mass' and 'point_mass' alone", "'" + std::string(other) + "'",
                         "Remove one of the two; 'visuals' are drawn and have no mass.");
  if (!body.mass)
    map.reading().fail(*map.node().find("point_mass"), map.element(), "a point mass without mass",
                       "'mass' beside 'point_mass'", "none", "Give its mass, as 'mass: 2 kg'.");
  body.center_of_mass = *place;
  body.inertia = Eigen::Matrix3d::Zero();
}

/// `accept_inertia: as_published`, for numbers of the literature that no rigid body has.
bool accepts_inertia(MapReader& body) {
  const auto word = body.text("accept_inertia");
  if (!word) return false;
  if (*word != "as_published")
    body.reading().fail(*body.node().find("accept_inertia"), body.element(),
                        "unknown word for 'accept_inertia'", "'as_published'", "'" + *word + "'",
                        "Write 'as_published', or leave the key out.");
  return true;
}

/// The joint that holds a mount of a part that is read on its own, and the points that it joins.
std::string held_name(const std::string& mount) { return "mount." + mount; }

/// Where the axes of the body are in the drawing: {at: [x, y, z], rotation: […]}, in the plane {at: [x, y], angle: …}.
model::DrawnPose read_drawn(MapReader& body) {
  model::DrawnPose drawn;
  const Node* node = body.find("drawn");
  if (!node) return drawn;
  MapReader map(body.reading(), *node, body.element() + ", drawn");
  if (const auto at = map.vector("at", kLength)) drawn.p_WB_W = *at;
  drawn.rotation_vector = read_turn(map);
  map.finish();
  return drawn;
}

}  // namespace

Eigen::Vector3d read_turn(MapReader& map) {
  if (!map.reading().is_planar()) return map.vector("rotation", kAngle).value_or(Vector3d::Zero());
  return {0.0, 0.0, map.number_or("angle", kAngle, 0.0)};
}

void read_ground(Reading& reading, const Node& node, PartBuilder& builder) {
  MapReader map(reading, node, "ground");
  Markers markers = read_markers(map);
  std::vector<model::Shape> visuals = read_visuals(map, markers.points);
  map.finish();
  for (const NamedAxis& axis : markers.axes)
    builder.scope().axes.insert_or_assign("ground." + axis.name, axis.u_B);
  reading.at_place([&] {
    builder.add_ground_markers(std::move(markers.points), std::move(markers.axes), std::move(markers.frames),
                               std::move(markers.curves));
    for (model::Shape& visual : visuals) builder.add_ground_visual(std::move(visual));
  });
}

void read_mounts(Reading& reading, const Node& node, PartBuilder& builder) {
  const bool is_held = !builder.scope().is_part();
  read_named(reading, node, "mounts", "mount", [&](MapReader& map, const std::string& name) {
    Markers markers = read_markers(map);
    map.finish();
    const auto remember = [&](const auto& named, const char* section, const char* kind) {
      const std::string body = is_held ? name : builder.scope().mounts.at(name).body;
      const std::string before = is_held ? "" : builder.scope().own_name(name) + ".";
      for (const auto& marker : named) {
        std::string element = (body == "ground" ? body : "body '" + body + "'") + ", " + kind + " '";
        for (const Entry& entry : map.node().find(section)->entries())
          if (entry.key.text() == marker.name)
            reading.remember_as(element + before + marker.name + "'", entry.key.position());
      }
    };
    remember(markers.points, "points", "point");
    remember(markers.axes, "axes", "axis");
    remember(markers.frames, "frames", "frame");
    remember(markers.curves, "curves", "curve");
    if (!is_held)
      return reading.at_place([&] {
        builder.add_mount(name, std::move(markers.points), std::move(markers.axes), std::move(markers.frames),
                          std::move(markers.curves));
      });
    reading.remember("body '" + name + "'", map.node().position());
    reading.remember("joint '" + held_name(name) + "'", map.node().position());
    reading.at_place([&] {
      markers.points.push_back({held_name(name), Vector3d::Zero()});
      builder.add_ground_markers({markers.points.back()}, {}, {});
      builder.add_body({.name = name,
                        .points = std::move(markers.points),
                        .axes = std::move(markers.axes),
                        .frames = std::move(markers.frames),
                        .curves = std::move(markers.curves)});
      builder.add_joint({held_name(name), model::JointType::kFixed, "ground." + held_name(name),
                         name + "." + held_name(name)});
    });
  });
}

void read_bodies(Reading& reading, const Node& node, PartBuilder& builder) {
  read_named(reading, node, "bodies", "body", [&](MapReader& map, const std::string& name) {
    BodyDescription body{.name = name};
    body.mass = map.number("mass", kMass);
    body.density = map.number("density", kDensity);
    Markers markers = read_markers(map);
    body.center_of_mass = read_place(map, "center_of_mass", markers.points);
    body.inertia = read_inertia(map);
    read_point_mass(map, markers.points, body);
    body.inertia_as_published = accepts_inertia(map);
    if (map.has("shape"))
      body.shape = read_shape(reading, map.need("shape", "a shape"), map.element(), "shape", markers.points);
    else
      map.find("shape");
    body.visuals = read_visuals(map, markers.points);
    body.drawn = read_drawn(map);
    map.finish();
    body.points = std::move(markers.points);
    body.axes = std::move(markers.axes);
    body.frames = std::move(markers.frames);
    body.curves = std::move(markers.curves);
    reading.at_place([&] { builder.add_body(std::move(body)); });
  });
}

}  // namespace eslabon::io
