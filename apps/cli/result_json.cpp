#include "result_json.hpp"

#include <charconv>

#include "provenance.hpp"

namespace eslabon::cli {

namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

Json cell_json(const std::string& cell) {
  if (cell.empty()) return nullptr;
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return error == std::errc() && end == cell.data() + cell.size() ? Json(value) : Json(cell);
}

}  // namespace

Json result_of(const std::string& command, const std::string& mechanism) {
  return Json{{"command", command}, {"mechanism", mechanism}};
}

Json ranges_json(const std::vector<io::ResultColumn>& columns, const std::vector<runs::ColumnRange>& ranges) {
  Json list = Json::array();
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (ranges[k].is_empty) continue;
    list.push_back({{"name", columns[k].name},
                    {"unit", columns[k].unit},
                    {"start", ranges[k].start},
                    {"end", ranges[k].end},
                    {"min", ranges[k].least},
                    {"max", ranges[k].largest}});
  }
  return list;
}

Json table_json(const std::string& csv) {
  const std::vector<std::string> lines = split(csv, '\n');
  const std::vector<std::string> names = split(lines.front(), ',');
  Json list = Json::array();
  for (std::size_t k = 2; k < lines.size(); ++k) {
    if (lines[k].empty()) continue;
    const std::vector<std::string> cells = split(lines[k], ',');
    Json row = Json::object();
    for (std::size_t c = 0; c < names.size() && c < cells.size(); ++c) row[names[c]] = cell_json(cells[c]);
    list.push_back(std::move(row));
  }
  return list;
}

std::string text_of(Json json) {
  json["provenance"] = Provenance::of_run().json();
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";  // names of files need not be UTF-8
}

}  // namespace eslabon::cli
