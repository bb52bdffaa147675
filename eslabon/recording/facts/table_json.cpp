#include "eslabon/recording/facts/table_json.hpp"

#include <charconv>
#include <vector>

#include <nlohmann/json.hpp>

namespace eslabon::recording {

namespace {

using Json = nlohmann::ordered_json;

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

std::string table_json(const std::string& csv) {
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
  return list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace eslabon::recording
