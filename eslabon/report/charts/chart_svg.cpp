#include "eslabon/report/charts/chart_svg.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "eslabon/report/charts/plot_svg.hpp"
#include "eslabon/report/check_report.hpp"
#include "eslabon/report/data/packed_numbers.hpp"

namespace eslabon::report {

namespace {

constexpr double kSigmas = 2.0;  // half the width of a band; the page has the same
constexpr double kPlotHeight = 150.0;
constexpr std::size_t kMostCurves = 6;  // that share a plot because their names end alike

/// "angle" of "crank.angle"
std::string ending(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

Series series_of(const Recording& recording, const Channel& channel, const std::string& name) {
  const std::vector<double>& times = channel.times.empty() ? recording.times : channel.times;
  Series series{name, times, channel.values, {}, {}};
  if (channel.sigma.empty()) return series;
  series.name += " ± 2σ";
  for (std::size_t k = 0; k < channel.values.size(); ++k) {
    series.low.push_back(channel.values[k] - kSigmas * channel.sigma[k]);
    series.high.push_back(channel.values[k] + kSigmas * channel.sigma[k]);
  }
  return series;
}

/// The plots in the making, and what belongs together in each.
class RecordingPlots {
 public:
  explicit RecordingPlots(const Report& report) : has_one_(report.recordings.size() == 1) {
    for (const Recording& recording : report.recordings)
      for (const Channel& channel : recording.channels) add(recording, channel);
  }

  std::vector<Plot> take() {
    for (Plot& plot : plots_) plot.x_range = range_;
    return std::move(plots_);
  }

 private:
  struct Key {
    std::string name, unit;
    friend bool operator==(const Key&, const Key&) = default;
  };

  void add(const Recording& recording, const Channel& channel) {
    // Refuses what is not finite.
    form_of_channel(channel.values, "'" + channel.name + "'");
    form_of_channel(channel.sigma, "the deviation of '" + channel.name + "'");
    Series series = series_of(recording, channel, has_one_ ? channel.name : recording.name);
    form_of_times(series.x, "the instants of '" + channel.name + "'");
    if (!series.x.empty()) {
      if (!range_) range_.emplace(series.x.front(), series.x.back());
      range_->first = std::min(range_->first, series.x.front());
      range_->second = std::max(range_->second, series.x.back());
    }
    Plot& plot = plot_for({has_one_ ? ending(channel.name) : channel.name, channel.unit});
    // A plot of one curve is named after it, one of several after what they share.
    plot.chart.y.label = plot.chart.series.empty() ? channel.name : keys_[position_].name;
    plot.chart.series.push_back(std::move(series));
    plot.is_dotted.push_back(recording.role == Recording::Role::kReadings);
  }

  /// The plot that has room for a curve like this; a new one where there is none.
  Plot& plot_for(const Key& key) {
    for (position_ = 0; position_ < plots_.size(); ++position_)
      if (keys_[position_] == key && (!has_one_ || plots_[position_].chart.series.size() < kMostCurves))
        return plots_[position_];
    keys_.push_back(key);
    plots_.push_back(
        {{{}, Chart::Kind::kLines, {"time", "s", false}, {{}, key.unit, false}, {}}, {}, {}, kPlotHeight});
    return plots_.back();
  }

  bool has_one_;
  std::vector<Plot> plots_;
  std::vector<Key> keys_;     ///< (plots)
  std::size_t position_ = 0;  ///< of the plot found last
  std::optional<std::pair<double, double>> range_;
};

}  // namespace

std::string chart_svg(const Chart& chart) {
  check_chart(chart);
  Plot plot{chart};
  return plots_svg({std::move(plot)}, chart.title, "");
}

std::string recording_svg(const Report& report) {
  check_report(report);
  return plots_svg(RecordingPlots(report).take(), report.title, report.subtitle);
}

}  // namespace eslabon::report
