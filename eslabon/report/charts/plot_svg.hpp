#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "eslabon/report/report.hpp"

/// Plots as drawings that stand alone: for papers, without a browser. Private to layer report.
namespace eslabon::report {

/// A chart as it is drawn.
struct Plot {
  Chart chart;
  std::vector<bool> is_dotted = {};                       ///< (series) points without lines; empty: none
  std::optional<std::pair<double, double>> x_range = {};  ///< none: that of the series
  double height = 300.0;                                  ///< of the space of the curves, at least [px]
};

/// The plots below each other, their axes in line, under a title and a subtitle that may be empty. Texts stand beside curves, never on
/// them. Light background; the same bytes for the same plots.
std::string plots_svg(const std::vector<Plot>& plots, const std::string& title, const std::string& subtitle);

}  // namespace eslabon::report
