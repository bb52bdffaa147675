#pragma once

#include <string>
#include <vector>

#include "tests/unit/report/unpacked_numbers.hpp"
#include <nlohmann/json.hpp>

/// Reads pages back as a browser does.
namespace eslabon::test {

/// What stands in the element of the data: up to the first end tag, as HTML has it.
inline std::string data_text(const std::string& html) {
  const std::string begin = "<script type=\"application/json\" id=\"report-data\">";
  const std::size_t from = html.find(begin) + begin.size();
  return html.substr(from, html.find("</script", from) - from);
}

inline nlohmann::json data_of(const std::string& html) { return nlohmann::json::parse(data_text(html)); }

/// `Numbers` of viewer/src/report_data.ts.
inline std::vector<double> unpacked(const nlohmann::json& numbers) {
  const double least = numbers.value("least", 0.0);
  const double step = numbers.value("step", 0.0);
  const std::size_t count = numbers.value("count", std::size_t{0});
  if (numbers.contains("same")) return unpacked("", 0, count, numbers["same"], 0.0);
  if (numbers.contains("from")) return unpacked("", 1, count, numbers["from"], step);
  const char* const keys[] = {"u8", "u16", "f32", "f64"};
  for (int k = 0; k < 4; ++k)
    if (numbers.contains(keys[k])) return unpacked(numbers[keys[k]], 2 + k, 0, least, step);
  return numbers.get<std::vector<double>>();
}

}  // namespace eslabon::test
