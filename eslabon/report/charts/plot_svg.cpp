#include "eslabon/report/charts/plot_svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "eslabon/report/charts/axis_scale.hpp"
#include "eslabon/report/charts/axis_ticks.hpp"
#include "eslabon/report/charts/markup.hpp"
#include "eslabon/report/data/thinning.hpp"

namespace eslabon::report {

namespace {

constexpr double kWidth = 860.0;
constexpr double kMargin = 24.0;
constexpr double kLine = 18.0;      // height of a line of text
constexpr double kCharacter = 6.7;  // width of one at 12 px, rather too much
constexpr double kSample = 26.0;    // line or dot beside a name of the legend
constexpr double kBelow = 44.0;     // labels of ticks and axis under the curves
constexpr double kBetween = 14.0;   // plots
constexpr std::size_t kMostPoints = 3000;
constexpr std::size_t kMostMarked = 40;  // points of a curve that are marked each
constexpr std::size_t kMostName = 36;    // characters of a name in the legend

constexpr const char* kInk = "#22262b";
constexpr const char* kFaint = "#e3e5e0";
constexpr const char* kQuiet = "#5f6b76";
/// Those of the page, viewer/src/theme.ts.
constexpr std::array<const char*, 8> kColours{"#0072b2", "#d55e00", "#009e73", "#a8559a",
                                              "#b58900", "#3a9bd0", "#5f6b76", "#8c564b"};
constexpr std::array<const char*, 3> kDashes{"", "6 3", "2 2"};  // from the ninth curve on

const char* colour(std::size_t series) { return kColours[series % kColours.size()]; }

std::string dash(std::size_t series) {
  const char* pattern = kDashes[series / kColours.size() % kDashes.size()];
  return *pattern == '\0' ? "" : fmt::format(" stroke-dasharray=\"{}\"", pattern);
}

/// A coordinate with one decimal, which is a tenth of a pixel.
std::string px(double x) {
  std::string text = fmt::format("{:.1f}", x);
  return text == "-0.0" ? "0.0" : text;
}

bool is_first_byte(char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u; }

/// Characters, not bytes.
std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_first_byte));
}

double text_width(std::string_view text) { return kCharacter * static_cast<double>(length(text)); }

/// The first characters, and … where there are more.
std::string shortened(const std::string& text, std::size_t most) {
  if (length(text) <= most) return text;
  std::size_t bytes = 0;
  for (std::size_t count = 0; bytes < text.size(); ++bytes)
    if (is_first_byte(text[bytes]) && count++ == most - 1) break;
  return text.substr(0, bytes) + "…";
}

/// Lines of at most so many characters, broken at spaces; a longer word is shortened.
std::vector<std::string> wrapped(const std::string& text, std::size_t most) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = shortened(text.substr(begin, end - begin), most);
    if (lines.empty() || length(lines.back()) + 1 + length(word) > most)
      lines.push_back(word);
    else
      lines.back() += " " + word;
    begin = end + 1;
  }
  return lines;
}

std::string text_at(double x, double y, std::string_view attributes, const std::string& text) {
  return fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}</text>\n", px(x), px(y), attributes.empty() ? "" : " ",
                     attributes, escaped_text(text));
}

/// "angle [10⁻³ rad]"; pure numbers have the unit 1.
std::string axis_label(const Axis& axis, int exponent) {
  std::string unit = exponent == 0 ? "" : power_of_ten(exponent);
  if (!axis.unit.empty()) unit += (unit.empty() ? "" : " ") + axis.unit;
  return axis.label + (axis.label.empty() ? "[" : " [") + (unit.empty() ? "1" : unit) + "]";
}

AxisTicks ticks_of(const AxisScale& scale, int most) {
  return scale.is_log ? log_ticks(scale.least, scale.largest, most)
                      : linear_ticks(scale.least, scale.largest, most);
}

double widest(const AxisTicks& axis) {
  double width = 0.0;
  for (const Tick& tick : axis.ticks) width = std::max(width, text_width(tick.label));
  return width;
}

/// As many ticks on a horizontal axis as have room for their labels.
AxisTicks ticks_with_room(const AxisScale& scale) {
  for (int most = 10; most > 1; --most) {
    AxisTicks axis = ticks_of(scale, most);
    double gap = HUGE_VAL;
    for (std::size_t k = 1; k < axis.ticks.size(); ++k)
      gap = std::min(gap, scale(axis.ticks[k].value) - scale(axis.ticks[k - 1].value));
    if (gap >= widest(axis) + 12.0) return axis;
  }
  return ticks_of(scale, 1);
}

bool has_legend(const Chart& chart) {
  return chart.series.size() > 1 || (chart.series.size() == 1 && !chart.series[0].low.empty());
}

double height_of(const Plot& plot) {
  const double entries = has_legend(plot.chart) ? static_cast<double>(plot.chart.series.size()) : 0.0;
  return std::max(plot.height, kLine * entries + 8.0);
}

AxisScale vertical_scale(const Plot& plot) {
  AxisExtent extent(plot.chart.y.is_log);
  for (const Series& series : plot.chart.series) {
    extent.add(series.y);
    extent.add(series.low);
    extent.add(series.high);
  }
  if (plot.chart.kind != Chart::Kind::kBars) return extent.scale(0.05);
  const bool is_above = extent.is_above_zero();
  extent.add(0.0);
  AxisScale scale = extent.scale(0.05);
  if (is_above && !scale.is_log) scale.least = 0.0;  // bars stand on the axis
  return scale;
}

AxisTicks vertical_ticks(const Plot& plot) {
  return ticks_of(vertical_scale(plot), static_cast<int>(height_of(plot) / 34.0));
}

/// What all plots of a drawing share.
struct Frame {
  double left = 0.0;   ///< of the curves
  double right = 0.0;  ///< of the curves; the legend follows
};

/// One plot, its curves from `top` on.
class PlotWriter {
 public:
  PlotWriter(const Plot& plot, const Frame& frame, double top, std::string& out)
      : plot_(plot), frame_(frame), top_(top), bottom_(top + height_of(plot)), out_(out) {
    AxisExtent extent(plot.chart.x.is_log);
    for (const Series& series : plot.chart.series) extent.add(series.x);
    if (plot.x_range) {
      extent.add(plot.x_range->first);
      extent.add(plot.x_range->second);
    }
    is_empty_ = extent.is_empty();
    x_ = extent.scale(plot.chart.x.is_log ? 0.03 : 0.0);
    x_.from = frame.left;
    x_.to = frame.right;
    y_ = vertical_scale(plot);
    y_.from = bottom_;
    y_.to = top_;
  }

  void write() {
    write_axes();
    const std::vector<Series>& series = plot_.chart.series;
    for (std::size_t k = 0; k < series.size(); ++k)
      if (!series[k].low.empty()) write_band(k);
    for (std::size_t k = 0; k < series.size(); ++k) {
      if (plot_.chart.kind == Chart::Kind::kBars)
        write_bars(k);
      else
        write_curve(k);
    }
    if (has_legend(plot_.chart)) write_legend();
    if (is_empty_)
      out_ +=
          text_at(0.5 * (frame_.left + frame_.right), 0.5 * (top_ + bottom_), centred(), "nothing to draw");
  }

 private:
  static std::string centred() { return fmt::format("text-anchor=\"middle\" fill=\"{}\"", kQuiet); }

  void write_axes() {
    const AxisTicks vertical = vertical_ticks(plot_);
    const AxisTicks horizontal = ticks_with_room(x_);
    for (const Tick& tick : vertical.ticks)
      write_line(frame_.left, y_(tick.value), frame_.right, y_(tick.value), kFaint);
    for (const Tick& tick : horizontal.ticks)
      write_line(x_(tick.value), top_, x_(tick.value), bottom_, kFaint);
    write_line(frame_.left, top_, frame_.left, bottom_, kQuiet);
    write_line(frame_.left, bottom_, frame_.right, bottom_, kQuiet);
    const std::string to_the_left = fmt::format("text-anchor=\"end\" fill=\"{}\"", kQuiet);
    for (const Tick& tick : vertical.ticks)
      out_ += text_at(frame_.left - 8.0, y_(tick.value) + 4.0, to_the_left, tick.label);
    for (const Tick& tick : horizontal.ticks) {
      const double half = 0.5 * text_width(tick.label) + 2.0;  // not beyond the edge of the drawing
      out_ += text_at(std::clamp(x_(tick.value), half, kWidth - half), bottom_ + 17.0, centred(), tick.label);
    }
    const auto most = static_cast<std::size_t>((frame_.right - frame_.left) / kCharacter);
    out_ +=
        text_at(frame_.left, top_ - 8.0, "", shortened(axis_label(plot_.chart.y, vertical.exponent), most));
    out_ += text_at(0.5 * (frame_.left + frame_.right), bottom_ + 35.0, "text-anchor=\"middle\"",
                    shortened(axis_label(plot_.chart.x, horizontal.exponent), most));
  }

  void write_line(double x1, double y1, double x2, double y2, const char* stroke) {
    out_ += fmt::format("<path d=\"M{} {}L{} {}\" stroke=\"{}\"/>\n", px(x1), px(y1), px(x2), px(y2), stroke);
  }

  static std::vector<std::size_t> drawn_points(const Series& series) {
    std::vector<Column> columns{series.y};
    if (!series.low.empty()) columns.insert(columns.end(), {series.low, series.high});
    return kept_rows(columns, series.y.size(), kMostPoints);
  }

  void write_band(std::size_t position) {
    const Series& series = plot_.chart.series[position];
    if (plot_.chart.kind == Chart::Kind::kBars) return;
    std::vector<std::size_t> points = drawn_points(series);
    std::erase_if(points, [&](std::size_t k) { return !x_.shows(series.x[k]) || !y_.shows(series.high[k]); });
    std::string path;
    for (const std::size_t k : points) append_point(path, series.x[k], series.high[k]);
    for (auto k = points.rbegin(); k != points.rend(); ++k) append_point(path, series.x[*k], series.low[*k]);
    if (!path.empty())
      out_ += fmt::format("<path d=\"{}Z\" fill=\"{}\" fill-opacity=\"0.18\"/>\n", path, colour(position));
  }

  void append_point(std::string& path, double x, double y) {
    fmt::format_to(std::back_inserter(path), "{}{} {}", path.empty() ? "M" : "L", px(x_(x)), px(y_(y)));
  }

  void write_curve(std::size_t position) {
    const Series& series = plot_.chart.series[position];
    const bool is_dotted = position < plot_.is_dotted.size() && plot_.is_dotted[position];
    const bool is_marked = is_dotted || series.y.size() <= kMostMarked;
    std::string path;
    std::string marks;
    bool is_broken = true;  // where a point cannot be shown, the curve begins anew
    for (const std::size_t k : drawn_points(series)) {
      if (!x_.shows(series.x[k]) || !y_.shows(series.y[k])) {
        is_broken = true;
        continue;
      }
      const std::string at = px(x_(series.x[k])) + " " + px(y_(series.y[k]));
      path += (is_broken ? "M" : "L") + at;
      marks += "M" + at + "h0";
      is_broken = false;
    }
    if (path.empty()) return;
    if (!is_dotted)
      out_ += fmt::format(
          "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.3\" stroke-linejoin=\"round\"{}/>\n",
          path, colour(position), dash(position));
    if (is_marked)
      out_ += fmt::format(
          "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\"/>\n",
          marks, colour(position), is_dotted ? "3.2" : "4.6");
  }

  void write_bars(std::size_t position) {
    const Series& series = plot_.chart.series[position];
    const double opacity = plot_.chart.series.size() == 1 ? 0.75 : 0.5;
    std::string path;
    for (std::size_t k = 0; k < series.y.size(); ++k) {
      if (series.y[k] == 0.0 || !y_.shows(series.y[k]) || !x_.shows(series.x[k + 1])) continue;
      const double foot = y_.is_log ? bottom_ : y_(0.0);
      fmt::format_to(std::back_inserter(path), "M{} {}V{}H{}V{}Z", px(x_(series.x[k])), px(foot),
                     px(y_(series.y[k])), px(x_(series.x[k + 1])), px(foot));
    }
    if (!path.empty())
      out_ +=
          fmt::format("<path d=\"{}\" fill=\"{}\" fill-opacity=\"{}\"/>\n", path, colour(position), opacity);
  }

  void write_legend() {
    const std::vector<Series>& series = plot_.chart.series;
    for (std::size_t k = 0; k < series.size(); ++k) {
      const double x = frame_.right + 16.0;
      const double y = top_ + 8.0 + kLine * static_cast<double>(k);
      const bool is_line =
          plot_.chart.kind == Chart::Kind::kLines && !(k < plot_.is_dotted.size() && plot_.is_dotted[k]);
      out_ += is_line
                  ? fmt::format("<path d=\"M{} {}h18\" stroke=\"{}\" stroke-width=\"1.8\"{}/>\n", px(x),
                                px(y), colour(k), dash(k))
                  : fmt::format(
                        "<path d=\"M{} {}h0\" stroke=\"{}\" stroke-width=\"6\" stroke-linecap=\"round\"/>\n",
                        px(x + 9.0), px(y), colour(k));
      out_ += text_at(x + kSample, y + 4.0, "", shortened(series[k].name, kMostName));
    }
  }

  const Plot& plot_;
  const Frame frame_;
  const double top_;
  const double bottom_;
  std::string& out_;
  AxisScale x_;
  AxisScale y_;
  bool is_empty_ = false;
};

Frame frame_of(const std::vector<Plot>& plots) {
  double ticks = 0.0;
  double legend = 0.0;
  for (const Plot& plot : plots) {
    ticks = std::max(ticks, widest(vertical_ticks(plot)));
    if (!has_legend(plot.chart)) continue;
    for (const Series& series : plot.chart.series)
      legend = std::max(legend, 16.0 + kSample + text_width(shortened(series.name, kMostName)));
  }
  return {kMargin + ticks + 8.0, kWidth - kMargin - std::max(legend, 12.0)};
}

}  // namespace

std::string plots_svg(const std::vector<Plot>& plots, const std::string& title, const std::string& subtitle) {
  std::string body;
  double y = kMargin - 6.0;
  const auto add_lines = [&](const std::string& text, std::size_t most, double height,
                             std::string_view attributes) {
    for (const std::string& line : wrapped(text, most))
      body += text_at(kMargin, y += height, attributes, line);
  };
  add_lines(title, 90, 21.0, "font-size=\"16\" font-weight=\"bold\"");
  add_lines(subtitle, 120, kLine, fmt::format("fill=\"{}\"", kQuiet));
  const Frame frame = frame_of(plots);
  for (const Plot& plot : plots) {
    y += kBetween + kLine + 8.0;  // the label of the upright axis stands above it
    PlotWriter(plot, frame, y, body).write();
    y += height_of(plot) + kBelow;
  }
  if (plots.empty()) body += text_at(kMargin, y += 2.0 * kLine, "", "nothing to draw");
  const double height = std::ceil(y + kMargin - 6.0);
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
             "{0:.0f} {1:.0f}\" "
             "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"{2}\">\n"
             "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
             kWidth, height, kInk) +
         body + "</svg>\n";
}

}  // namespace eslabon::report
