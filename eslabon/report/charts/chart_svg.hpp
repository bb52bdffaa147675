#pragma once

#include <string>

#include "eslabon/report/report.hpp"

namespace eslabon::report {

/// The chart as an SVG that stands alone. On a logarithmic axis points that are not above 0 are left out. Throws core::ContractError when
/// lists do not fit together or numbers are not finite.
std::string chart_svg(const Chart& chart);

/// All channels of all recordings over time, plots below each other in one SVG, bands of ±2 standard deviations. With one recording
/// channels that end alike ("crank.angle", "rocker.angle") share a plot; with several each channel has its own, for comparison. Readings
/// are dots. Marks, motions and arrows are left to the page. Throws as make_page.
std::string recording_svg(const Report& report);

}  // namespace eslabon::report
