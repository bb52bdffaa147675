#pragma once

#include <string>
#include <vector>

#include "eslabon/report/report.hpp"

namespace eslabon::recording {

/// Whether a report has something to plot: columns over time, or charts.
bool has_plots(const report::Report& report);

/// All its plots in one SVG, one below the other.
std::string plots_svg(const report::Report& report);

/// Drawings below each other in one. Each is an SVG whose first tag has width and height in pixels.
std::string stacked_svg(const std::vector<std::string>& drawings);

}  // namespace eslabon::recording
