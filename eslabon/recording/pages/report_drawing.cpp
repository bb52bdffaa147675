#include "eslabon/recording/pages/report_drawing.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/report/charts/chart_svg.hpp"

namespace eslabon::recording {

namespace {

bool has_channels(const report::Report& report) {
  return std::ranges::any_of(report.recordings,
                             [](const report::Recording& one) { return !one.channels.empty(); });
}

/// The number of an attribute of the first tag.
double attribute(const std::string& tag, const std::string& name) {
  const std::string start = " " + name + "=\"";
  const std::size_t at = tag.find(start);
  const double value = at == std::string::npos ? 0.0 : std::strtod(tag.c_str() + at + start.size(), nullptr);
  if (!(value > 0.0))
    throw core::ContractError({.what = "drawings cannot be put together",
                               .where = "stacked_svg",
                               .expected = "an SVG with a width and a height",
                               .actual = tag,
                               .next = "Give its first tag both."});
  return value;
}

}  // namespace

bool has_plots(const report::Report& report) { return has_channels(report) || !report.charts.empty(); }

std::string plots_svg(const report::Report& report) {
  std::vector<std::string> drawings;
  if (has_channels(report)) drawings.push_back(report::recording_svg(report));
  for (const report::Chart& chart : report.charts) drawings.push_back(report::chart_svg(chart));
  return stacked_svg(drawings);
}

std::string stacked_svg(const std::vector<std::string>& drawings) {
  if (drawings.size() == 1) return drawings.front();
  double width = 0.0, height = 0.0;
  std::string inside;
  for (const std::string& drawing : drawings) {
    const std::size_t begin = drawing.find("<svg"), end = drawing.find('>', begin);
    const std::string tag = begin == std::string::npos ? "" : drawing.substr(begin, end - begin);
    const double own_width = attribute(tag, "width"), own_height = attribute(tag, "height");
    inside += fmt::format("<svg y=\"{:g}\"", height) + drawing.substr(begin + 4);
    width = std::max(width, own_width);
    height += own_height;
  }
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 "
             "{0:g} {1:g}\">\n",
             width, height) +
         inside + "</svg>\n";
}

}  // namespace eslabon::recording
