#include "eslabon/report/page/remade_page.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "eslabon/report/page/page_template.hpp"

namespace eslabon::report {

namespace {

using nlohmann::json;

constexpr int kFormat = 1;      // of viewer/src/report_data.ts
constexpr int kMostDepth = 64;  // lists and objects inside each other; reports have ten

/// The data of a page as text; nothing when there is no such element.
std::optional<std::string_view> data_of(std::string_view page) {
  std::size_t begin = page.find(kDataElement);
  if (begin == std::string_view::npos) return std::nullopt;
  begin += kDataElement.size();
  const std::size_t end = page.find("</script>", begin);
  if (end == std::string_view::npos) return std::nullopt;
  return page.substr(begin, end - begin);
}

/// The data as a value; nothing when they are no JSON, or nested so deeply that walking through them would need a stack without end.
std::optional<json> parsed(std::string_view data) {
  bool is_too_deep = false;
  const auto keep = [&](int depth, json::parse_event_t, const json&) {
    is_too_deep |= depth > kMostDepth;
    return !is_too_deep;
  };
  json value = json::parse(data, keep, false);
  if (is_too_deep || value.is_discarded()) return std::nullopt;
  return value;
}

bool has_some(const json& report, const char* list) {
  return report.contains(list) && report[list].is_array() && !report[list].empty();
}

/// Whether some recording has columns of the forces of all tyres, as viewer/src/views/friction_circles.ts asks.
bool tells_forces_of_tyres(const json& report) {
  if (!report.contains("mechanism") || !has_some(report["mechanism"], "tyres") ||
      !has_some(report, "recordings"))
    return false;
  const auto tells = [](const json& recording, const std::string& column) {
    return has_some(recording, "channels") &&
           std::ranges::any_of(recording["channels"], [&](const json& channel) {
             return channel.is_object() && channel.value("name", json()) == column;
           });
  };
  const auto tells_all = [&](const json& recording) {
    for (const json& tyre : report["mechanism"]["tyres"])
      for (const char* force : {".fx", ".fy", ".fz"})
        if (!tyre.is_object() || !tyre.contains("name") || !tyre["name"].is_string() ||
            !tells(recording, tyre["name"].get<std::string>() + force))
          return false;
    return true;
  };
  return std::ranges::any_of(report["recordings"], tells_all);
}

/// As viewer/src/page.ts makes them.
std::vector<std::string> views_of(const json& report) {
  std::vector<std::string> views;
  if (report.contains("mechanism") || has_some(report, "recordings")) views.emplace_back("motion");
  if (report.contains("structure")) views.emplace_back("structure");
  if (tells_forces_of_tyres(report)) views.emplace_back("tyres");
  if (has_some(report, "charts")) views.emplace_back("charts");
  views.emplace_back("numbers");
  return views;
}

}  // namespace

std::optional<RemadePage> remade_page(std::string_view page) {
  const auto data = data_of(page);
  if (!data) return std::nullopt;
  const std::optional<json> found = parsed(*data);
  if (!found) return std::nullopt;
  const json& report = *found;
  if (!report.is_object() || report.value("format", json()) != kFormat || !report.contains("title") ||
      !report["title"].is_string())
    return std::nullopt;
  return RemadePage{filled_template(report["title"].get<std::string>(),
                                    report.dump(-1, ' ', true, json::error_handler_t::replace)),
                    views_of(report)};
}

}  // namespace eslabon::report
