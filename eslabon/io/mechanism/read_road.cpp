// Section 'road'.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/files/result_reader.hpp"
#include "eslabon/io/mechanism/mechanism_sections.hpp"
#include "eslabon/io/quantities/unit.hpp"
#include "eslabon/io/roads/crg_file.hpp"
#include "eslabon/tyres/road_relief.hpp"

namespace eslabon::io {

namespace {

using Points = std::vector<core::CubicTable::Point>;

tyres::RoadBump read_bump(MapReader& map, const std::string& name) {
  tyres::RoadBump bump{.name = name};
  const std::string word = map.need_one_of({"sine", "trapezoid", "plank"}, "that says its shape");
  bump.shape = word == "sine"        ? tyres::BumpShape::kSine
               : word == "trapezoid" ? tyres::BumpShape::kTrapezoid
                                     : tyres::BumpShape::kPlank;
  MapReader shape(map.reading(), *map.find(word), map.element());
  const auto need = [&](const char* key) {
    return map.reading().number(shape.need(key, "its value"), map.element(), key, kLength);
  };
  bump.begin = need("at");
  bump.length = need("length");
  bump.height = need("height");
  if (bump.shape == tyres::BumpShape::kTrapezoid) bump.ramp = need("ramp");
  shape.finish();
  const tyres::TyreSide track = read_side(map, "track", "Leave it out for a bump across the whole road.");
  bump.on_left = track != tyres::TyreSide::kRight;
  bump.on_right = track != tyres::TyreSide::kLeft;
  map.finish();
  return bump;
}

/// `{class: C, seed: 1, at: 0 m, length: 1 km, track: 1.5 m, waves: [0.35 m, 90 m]}`
tyres::RoughRoad read_rough_road(MapReader& map) {
  tyres::RoughRoad road;
  const Node& letter = map.need("class", "A to H");
  const std::string text = map.reading().text(letter, map.element(), "class");
  if (!tyres::degree_of_class(text))
    map.reading().fail(letter, map.element(), "unknown class of roads", "a letter from A to H",
                       core::quoted(text), "A is as good as new, C worn, E a field track.");
  road.letter = text[0];
  if (const Node* seed = map.find("seed")) {
    const double number = map.reading().number(*seed, map.element(), "seed", kNumber);
    if (!(number >= 0.0 && number < 0x1p53 && number == std::floor(number)))
      map.reading().fail(*seed, map.element(), "a seed is no whole number", "0, 1, 2 or more",
                         core::quoted(seed->text()), "Any whole number will do.");
    road.seed = static_cast<std::uint64_t>(number);
  }
  road.begin = map.number_or("at", kLength, road.begin);
  const auto positive = [&](const char* key, double otherwise) {
    const double value = map.number_or(key, kLength, otherwise);
    if (!(value > 0.0 && std::isfinite(value)))
      map.reading().fail(*map.find(key), map.element(), std::string(key) + " is not positive",
                         "a length above 0 m", core::number_text(value) + " m", "Give a positive length.");
    return value;
  };
  road.length = positive("length", road.length);
  road.track = positive("track", road.track);
  if (const Node* waves = map.find("waves")) {
    const std::vector<double> ends = map.reading().numbers(*waves, map.element(), "waves", kLength, 2);
    road.shortest_wave = ends[0];
    road.longest_wave = ends[1];
    if (!(ends[0] > 0.0 && ends[1] > ends[0]))
      map.reading().fail(*waves, map.element(), "the waves are no range",
                         "[shortest, longest], both above 0 m",
                         "[" + core::number_text(ends[0]) + " m, " + core::number_text(ends[1]) + " m]",
                         "Give the shorter one first.");
  }
  if (const std::size_t count = tyres::wave_count(road); count == 0 || count > tyres::kMostWaves)
    map.reading().fail(
        map.node(), map.element(),
        count == 0 ? "no wave goes into the length of the road" : "the road has too many waves",
        "1 to " + std::to_string(tyres::kMostWaves) + " waves, length by wave", std::to_string(count),
        count == 0 ? "Give a longer road." : "Give a shorter road, or a longer shortest wave.");
  map.finish();
  return road;
}

/// Rows [x, z] or [x, left, right].
class HeightTableReader {
 public:
  HeightTableReader(Reading& reading, const Node& node) : reading_(reading), node_(node) {}

  tyres::TrackHeights read() {
    if (node_.is_sequence())
      read_rows();
    else
      read_file();
    const auto table = [](Points points) {
      return core::CubicTable(std::move(points), core::CubicTable::Ends::kNoValue);
    };
    tyres::TrackHeights heights{.left = table(std::move(left_)), .right = std::nullopt};
    if (!right_.empty()) heights.right = table(std::move(right_));
    check_swing(heights.left);
    if (heights.right) check_swing(*heights.right);
    return heights;
  }

 private:
  [[noreturn]] void fail(const Node& node, std::string what, std::string expected, std::string actual,
                         std::string next) const {
    reading_.fail(node, "road", std::move(what), std::move(expected), std::move(actual), std::move(next));
  }
  void check_length(const Node& node) const {
    if (left_.size() < 2)
      fail(node, "the table is too short", "at least 2 rows", std::to_string(left_.size()),
           "Give more rows.");
  }

  /// The curve through the rows leaves the heights of its neighbours by twice all heights at most: through a step between rows that are far
  /// from those beside them it would be a mountain.
  void check_swing(const core::CubicTable& table) const {
    constexpr int kLooks = 8;  // between two rows
    constexpr double kMost = 2.0;
    const Points& rows = table.points();
    const auto [low, high] = std::ranges::minmax_element(rows, {}, &core::CubicTable::Point::second);
    const double most = kMost * (high->second - low->second);
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
      const auto [below, above] = std::minmax(rows[i].second, rows[i + 1].second);
      for (int look = 1; look < kLooks; ++look) {
        const double x = std::lerp(rows[i].first, rows[i + 1].first, static_cast<double>(look) / kLooks);
        const double z = table.evaluate(x, 0), swing = std::max(z - above, below - z);
        if (!(swing > most)) continue;
        fail(node_, "the road swings between rows of its table",
             "rows through which a smooth curve stays near them",
             "one that is at z = " + core::rounded_text(z) + " m between x = " +
                 core::rounded_text(rows[i].first) + " m and " + core::rounded_text(rows[i + 1].first) +
                 " m, where rows have " + core::rounded_text(rows[i].second) + " m and " +
                 core::rounded_text(rows[i + 1].second) + " m",
             "Give more rows beside what is steep, or write a step as a 'plank' of 'bumps'.");
      }
    }
  }

  void read_rows() {
    std::size_t columns = 0;
    for (const Node& row : node_.items()) {
      const std::size_t count = row.is_sequence() ? row.items().size() : 0;
      if ((count != 2 && count != 3) || (columns != 0 && count != columns))
        fail(row, "a row of the table has another length",
             columns == 3   ? "[x, left, right]"
             : columns == 2 ? "[x, z]"
                            : "[x, z] or [x, left, right]",
             count == 0 ? std::string(row.kind_name()) : "a list of " + std::to_string(count),
             "Write rows of the same length.");
      columns = count;
      const std::vector<double> numbers = reading_.numbers(row, "road", "table", kLength, count);
      if (!left_.empty() && !(numbers[0] > left_.back().first))
        fail(row, "rows of the table are not in order", "x that increases from row to row",
             core::quoted(row.items()[0].text()) + " behind a place no less",
             "Sort the rows, each place once.");
      left_.emplace_back(numbers[0], numbers[1]);
      if (count == 3) right_.emplace_back(numbers[0], numbers[2]);
    }
    check_length(node_);
  }

  /// `{file: x.csv, column: z}` or `{file: x.csv, left: z1, right: z2}`
  void read_file() {
    MapReader map(reading_, node_, "road");
    const Node& file = map.need("file", "a CSV file with x in m and heights");
    const std::string path = reading_.path(file, "road", "file");
    const ResultTable table = columns_of(file, path);
    reading_.add_data_file(path);
    if (map.need_one_of({"column", "left"}, "that says where the heights are") == "column") {
      left_ = points_of(*map.find("column"), table);
    } else {
      left_ = points_of(*map.find("left"), table);
      right_ = points_of(map.need("right", "the column of the right track"), table);
    }
    map.finish();
    check_length(file);
  }

  ResultTable columns_of(const Node& file, const std::string& path) const {
    try {
      return read_columns(path, {.what = "a table of heights",
                                 .first = "x",
                                 .unit = "m",
                                 .first_values = "places",
                                 .next = "Give rows of x and heights under 'x [m],z [m]'."});
    } catch (const core::DataError& error) {
      const core::ErrorText& text = error.text();
      fail(file, "a file of data cannot be used", "a CSV file with places 'x' in m and columns with units",
           text.what + " [" + text.where + "], where " + text.expected + " is needed and " + text.actual +
               " is",
           "Give another file, or put it right.");
    }
  }

  Points points_of(const Node& column, const ResultTable& table) const {
    const std::string name = reading_.text(column, "road", "column");
    const auto place = table.find(name);
    if (!place) {
      std::vector<std::string> names;
      for (const core::Column& one : table.columns) names.push_back(one.name);
      const auto nearest = core::nearest_name(name, names);
      fail(column, "no such column in '" + table.path + "'", "one of " + core::quoted_list(names),
           core::quoted(name), nearest ? "Did you mean '" + *nearest + "'?" : "Name another one.");
    }
    const Unit unit = parse_unit(table.columns[*place].unit, table.path + ", column '" + name + "'");
    if (unit.dimension != kLength)
      fail(column, "a column with a unit of the wrong kind", "heights, in a unit such as mm",
           core::quoted(name) + " in " + table.columns[*place].unit, "Name another column.");
    Points points;
    for (std::size_t row = 0; row < table.t.size(); ++row)
      points.emplace_back(table.t[row], unit.factor * table.values[*place][row]);
    return points;
  }

  Reading& reading_;
  const Node& node_;
  Points left_, right_;  ///< right_ is empty where both are the same
};

tyres::RoadRelief read_grid(Reading& reading, const Node& node) {
  const std::string path = reading.path(node, "road", "opencrg");
  if (!std::filesystem::exists(path))
    reading.fail(node, "road", "there is no such road file",
                 "a .crg file, named from the folder of this file", core::quoted(path),
                 "Check the name and the folder.");
  tyres::RoadRelief relief{.heights = tyres::CrgSurface(read_crg_file(path)), .file = path};
  reading.add_data_file(path);
  return relief;
}

/// What lies on the plane of the road: nothing, or one of three.
std::shared_ptr<const tyres::RoadRelief> read_relief(MapReader& map) {
  const Node *random = map.find("iso_8608"), *table = map.find("table"), *grid = map.find("opencrg");
  const int count = (random != nullptr) + (table != nullptr) + (grid != nullptr);
  if (count == 0) return nullptr;
  if (count > 1)
    map.reading().fail(map.node(), "road", "heights are given twice", "one of 'iso_8608', 'table', 'opencrg'",
                       std::to_string(count), "Remove the others.");
  if (random != nullptr) {
    MapReader numbers(map.reading(), *random, "road, iso_8608");
    const tyres::RoughRoad rough = read_rough_road(numbers);
    return std::make_shared<tyres::RoadRelief>(
        tyres::RoadRelief{.heights = tyres::draw(rough), .drawn_from = rough});
  }
  if (table != nullptr)
    return std::make_shared<tyres::RoadRelief>(
        tyres::RoadRelief{.heights = HeightTableReader(map.reading(), *table).read()});
  return std::make_shared<tyres::RoadRelief>(read_grid(map.reading(), *grid));
}

}  // namespace

void read_road(Reading& reading, const Node& node, PartBuilder& builder) {
  MapReader map(reading, node, "road");
  tyres::Road road;
  road.height = map.number_or("height", kLength, 0.0);
  road.slope_x = map.number_or("slope", kNumber, 0.0);
  road.slope_y = map.number_or("bank", kNumber, 0.0);
  if (const Node* friction = map.find("friction")) {
    if (friction->is_sequence()) {
      const std::vector<double> sides = reading.numbers(*friction, "road", "friction", kNumber, 2);
      road.friction = sides[0];
      road.friction_right = sides[1];
    } else {
      road.friction = reading.number(*friction, "road", "friction", kNumber);
    }
  }
  if (const Node* bumps = map.find("bumps"))
    read_named(reading, *bumps, "bumps", "bump", [&](MapReader& bump, const std::string& name) {
      road.bumps.push_back(read_bump(bump, name));
    });
  road.relief = read_relief(map);
  map.finish();
  reading.at_place([&] { builder.whole().set_road(std::move(road)); });
}

}  // namespace eslabon::io
