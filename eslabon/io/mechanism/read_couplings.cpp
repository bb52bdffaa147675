// Section 'couplings': relations between joint coordinates.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/io/mechanism/mechanism_sections.hpp"
#include "eslabon/io/mechanism/read_relation.hpp"
#include "eslabon/io/quantities/expression.hpp"
#include "eslabon/io/quantities/joint_units.hpp"

namespace eslabon::io {

namespace {

using model::CouplingDescription;
using model::CouplingKind;

constexpr std::array kKinds{CouplingKind::kGear, CouplingKind::kRackAndPinion, CouplingKind::kScrew,
                            CouplingKind::kSum, CouplingKind::kFollows};

/// What the kinds are called elsewhere.
constexpr auto kCouplingSynonyms = std::to_array<KindSynonym>({{"gears", "gear"},
                                                               {"mesh", "gear"},
                                                               {"worm", "gear"},
                                                               {"rack", "rack_and_pinion"},
                                                               {"pinion", "rack_and_pinion"},
                                                               {"thread", "screw"},
                                                               {"spindle", "screw"},
                                                               {"belt", "sum"},
                                                               {"chain", "sum"},
                                                               {"rope", "sum"},
                                                               {"cable", "sum"},
                                                               {"pulley", "sum"},
                                                               {"differential", "sum"},
                                                               {"planetary", "sum"},
                                                               {"linear", "sum"},
                                                               {"cam", "follows"},
                                                               {"follower", "follows"}});
/// Keys that say no kind: beside it, or in it and written without it.
constexpr std::array<std::string_view, 9> kKeysBesideCoupling{
    "offset", "joints", "joint", "teeth", "radius", "lead", "of", "table", "expression"};

/// The list under 'joints:'; a screw may have one cylindrical joint under 'joint:' instead.
std::vector<std::string> read_joints_of(MapReader& map, const JointTypeTable& types, CouplingKind kind) {
  std::vector<std::string> coordinates;
  if (kind == CouplingKind::kScrew && map.has("joint")) {
    const Node& node = map.need("joint", "a cylindrical joint");
    const std::string& joint = map.reading().text(node, map.element(), "joint");
    if (const auto type = types.find(joint);
        type != types.end() && type->second != model::JointType::kCylindrical)
      map.reading().fail(node, map.element(), "a screw in a joint that cannot turn and slide",
                         "a cylindrical joint, or two joints under 'joints:'",
                         "'" + joint + "', which is " + std::string(model::facts(type->second).name),
                         "Write 'joints: [JOINT THAT TURNS, JOINT THAT SLIDES]'.");
    coordinates = {joint + ".q1", joint + ".q2"};
    return coordinates;
  }
  const Node& node = map.need("joints", "the two joints that it couples");
  for (const std::string& text : map.reading().texts(node, map.element(), "joints", 2))
    coordinates.push_back(full_variable(types, text));
  return coordinates;
}

/// {prop.q: 1, left.q: = -i/2}. A factor turns what its coordinate measures into what that of the first one does.
void read_sum(MapReader& map, const JointTypeTable& types, CouplingDescription& coupling) {
  Dimension first = kAngle;
  for (const Entry& entry : map.node().entries()) {
    const std::string variable = full_variable(types, entry.key.text());
    const Dimension own = dimension_of_position(types, variable);
    if (coupling.coordinates.empty()) first = own;
    coupling.coordinates.push_back(variable);
    coupling.numbers.push_back(
        map.reading().number(entry.value, map.element(), entry.key.text(), first / own));
  }
}

/// Joints, and teeth, radius or lead.
void read_pair(MapReader& map, const JointTypeTable& types, CouplingDescription& coupling) {
  coupling.coordinates = read_joints_of(map, types, coupling.kind);
  if (coupling.kind == CouplingKind::kGear) {
    const Node& teeth = map.need("teeth", "the numbers of teeth of both wheels");
    coupling.numbers = map.reading().numbers(teeth, map.element(), "teeth", kNumber, 2);
  } else {
    const bool is_screw = coupling.kind == CouplingKind::kScrew;
    const char* const key = is_screw ? "lead" : "radius";
    map.need(key, is_screw ? "the way along the axis in one turn" : "the pitch radius of the pinion");
    coupling.numbers = {*map.number(key, kLength)};
  }
  map.finish();
}

/// Rows [x, y] of a table.
std::vector<core::CubicTable::Point> read_points(MapReader& map, const Node& node, const Dimension& of,
                                                 const Dimension& own) {
  const Reading& reading = map.reading();
  if (!node.is_sequence())
    reading.fail(node, map.element(), "table is not a list", "rows [position of 'of:', position of 'joint:']",
                 node.is_scalar() ? "'" + node.text() + "'" : std::string(node.kind_name()),
                 "Write it as [[x, y], [x, y]].");
  std::vector<core::CubicTable::Point> points;
  for (const Node& row : node.items()) {
    if (!row.is_sequence() || row.items().size() != 2)
      reading.fail(row, map.element(), "a row of the table is not a pair",
                   "[position of 'of:', position of 'joint:']",
                   row.is_scalar()     ? "'" + row.text() + "'"
                   : row.is_sequence() ? "a list of " + std::to_string(row.items().size())
                                       : std::string(row.kind_name()),
                   "Write two numbers per row.");
    points.emplace_back(reading.number(row.items()[0], map.element(), "table", of),
                        reading.number(row.items()[1], map.element(), "table", own));
    if (points.size() > 1 && !(points.back().first > points[points.size() - 2].first))
      reading.fail(row, map.element(), "rows of the table are not in order",
                   "first numbers that increase from row to row",
                   "'" + row.items()[0].text() + "' behind a row with no less",
                   "Sort the rows, each position once.");
  }
  return points;
}

/// `table:`, with `period:` and `rise:` where it is one turn of something that goes on.
model::TimeFunction read_law_table(MapReader& map, const Node& node, const Dimension& of,
                                   const Dimension& own) {
  const Reading& reading = map.reading();
  std::vector<core::CubicTable::Point> points = read_points(map, node, of, own);
  const auto period = map.number("period", of), rise = map.number("rise", own);
  const std::size_t least = period ? 4 : 2;
  if (points.size() < least)
    reading.fail(node, map.element(), "the table is too short",
                 "at least " + std::to_string(least) + " rows" + (period ? " of a period" : ""),
                 std::to_string(points.size()), "Give more rows.");
  if (rise && !period)
    reading.fail(*map.node().find("rise"), map.element(), "a rise without a period", "'period:' beside it",
                 "none", "Give 'period:', or remove 'rise:'.");
  // What is written in other units, or as an expression, agrees to roundoff.
  constexpr double kSame = 1e-9;
  const double length = points.back().first - points.front().first;
  if (period && !(std::abs(length - *period) <= kSame * length))
    reading.fail(
        *map.node().find("period"), map.element(), "the table is not as long as its period",
        "a last row one period behind the first",
        "rows over " + core::rounded_text(length) + " SI units, a period of " + core::rounded_text(*period),
        "Write the first row again at the end, one period later.");
  const auto [least_y, most_y] =
      std::ranges::minmax(points, {}, [](const core::CubicTable::Point& p) { return p.second; });
  const double change = points.back().second - points.front().second;
  if (period && !(std::abs(change - rise.value_or(0.0)) <= kSame * (most_y.second - least_y.second)))
    reading.fail(node, map.element(), "the table does not close",
                 rise ? "a last value that is the first and the rise" : "a last value equal to the first",
                 "a change by " + core::rounded_text(change) + " SI units over the period" +
                     (rise ? ", a rise of " + core::rounded_text(*rise) : ""),
                 rise ? "Change one of the two." : "Change it, or give 'rise:', what each period adds.");
  if (period) points.back().second = points.front().second + rise.value_or(0.0);
  return model::TimeFunction::table(
      std::make_shared<const core::CubicTable>(
          std::move(points), period ? core::CubicTable::Ends::kPeriod : core::CubicTable::Ends::kParabola),
      model::TimeFunction::time());
}

/// `expression:`, a formula of the coordinate under 'of:'.
model::TimeFunction read_law_expression(MapReader& map, const Node& node, const JointTypeTable& types,
                                        const std::string& variable, const Dimension& of,
                                        const Dimension& own) {
  const Reading& reading = map.reading();
  const ArgumentScope scope{
      [&](const std::string& name) -> Argument {
        if (full_variable(types, name) == variable) return {0, of};
        throw core::ModelError({.what = "a law of another variable",
                                .where = "",
                                .expected = "'" + variable + "', the coordinate under 'of:'",
                                .actual = "'" + name + "'",
                                .next = "Use that coordinate alone."});
      },
      reading.is_planar(), true};
  if (!node.is_scalar() || !is_expression(node.text()))
    reading.fail(node, map.element(), "the law is not an expression",
                 "a formula such as '= 5 mm*sin(" + variable + ")'",
                 node.is_scalar() ? "'" + node.text() + "'" : std::string(node.kind_name()),
                 "Begin it with '=', or give a table.");
  const TimeExpression read = reading.formula(node, map.element(), scope, false);
  check_dimension(read.measure, own,
                  {"expression", node.text(), reading.place(node, map.element()).where(), true});
  return read.function.with_arguments(std::array{model::TimeFunction::time()});
}

/// {joint: lift, of: cam, table: …} or {joint: lift, of: cam, expression: …}.
void read_follower(MapReader& map, const JointTypeTable& types, CouplingDescription& coupling) {
  for (const auto& [key, what] : {std::pair("joint", "the joint coordinate that follows"),
                                  std::pair("of", "the joint coordinate that it follows")}) {
    map.need(key, what);
    coupling.coordinates.push_back(read_joint_coordinate(map, key, types));
  }
  const Dimension own = dimension_of_position(types, coupling.coordinates[0]),
                  of = dimension_of_position(types, coupling.coordinates[1]);
  const std::string word = map.need_one_of({"table", "expression"}, "that says how it follows");
  const Node& node = *map.find(word);
  if (word == "table")
    coupling.law = read_law_table(map, node, of, own);
  else
    coupling.law = read_law_expression(map, node, types, coupling.coordinates[1], of, own);
  map.finish();
}

/// What is written under the kind: a map.
const Node& need_content(MapReader& map, const std::string& kind) {
  const Node& content = *map.find(kind);
  if (content.is_map()) return content;
  map.reading().fail(content, map.element(), "'" + kind + "' is not a map",
                     kind == "sum"     ? "joint coordinates and their factors, such as {A.q: 1, B.q: -2}"
                     : kind == "gear"  ? "joints and teeth, such as {joints: [A, B], teeth: [20, 60]}"
                     : kind == "screw" ? "joints and lead, such as {joints: [A, B], lead: 5 mm}"
                     : kind == "follows"
                         ? "two joints and a law, such as {joint: A, of: B, expression: = 5 mm*sin(B.q)}"
                         : "joints and radius, such as {joints: [A, B], radius: 20 mm}",
                     content.is_scalar() ? "'" + content.text() + "'" : std::string(content.kind_name()),
                     "Write it in braces.");
}

}  // namespace

const std::vector<std::string>& relation_words() {
  static const std::vector<std::string> kWords = [] {
    std::vector<std::string> words;
    for (const CouplingKind kind : kKinds) words.emplace_back(model::name(kind));
    return words;
  }();
  return kWords;
}

CouplingDescription read_relation(MapReader& map, const std::string& word, const std::string& name,
                                  const JointTypeTable& types) {
  CouplingDescription relation{name, CouplingKind::kSum, {}, {}, 0.0, {}};
  for (const CouplingKind kind : kKinds)
    if (model::name(kind) == word) relation.kind = kind;
  MapReader content(map.reading(), need_content(map, word), map.element());
  if (relation.kind == CouplingKind::kSum)
    read_sum(content, types, relation);
  else if (relation.kind == CouplingKind::kFollows)
    read_follower(content, types, relation);
  else
    read_pair(content, types, relation);
  return relation;
}

Dimension dimension_of_first(const CouplingDescription& relation, const JointTypeTable& types) {
  return relation.coordinates.empty() ? kAngle : dimension_of_position(types, relation.coordinates.front());
}

void read_couplings(Reading& reading, const Node& node, PartBuilder& builder) {
  const JointTypeTable& types = builder.scope().types;
  read_named(reading, node, "couplings", "coupling", [&](MapReader& map, const std::string& name) {
    const std::string word = map.need_kind({.what = "kind of coupling",
                                            .kinds = relation_words(),
                                            .what_for = "with what it couples",
                                            .others = kKeysBesideCoupling,
                                            .synonyms = kCouplingSynonyms});
    CouplingDescription coupling = read_relation(map, word, name, types);
    coupling.offset = map.number("offset", dimension_of_first(coupling, types)).value_or(0.0);
    map.finish();
    reading.at_place([&] { builder.add_coupling(std::move(coupling)); });
  });
}

}  // namespace eslabon::io
