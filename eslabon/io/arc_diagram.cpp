#include "eslabon/io/arc_diagram.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace eslabon::io {

namespace {

constexpr double kMargin = 40.0;
constexpr double kRadius = 30.0;
constexpr double kStep = 120.0;   // between nodes
constexpr double kStem = 100.0;   // from the line of nodes to the base
constexpr double kLineGap = 6.0;  // between parallel lines
constexpr double kMostArcHeight = 420.0;
constexpr double kLeastWidth = 520.0;  // room for title and caption

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

/// Height of an arc over the line of nodes: wider arcs stand higher, so that nested arcs do not touch.
double arc_height(const ArcDiagram::Arc& arc) {
  const double span = std::abs(arc.to - arc.from);
  return std::min(kMostArcHeight, kRadius + 34.0 * span + 10.0);
}

/// The drawing in progress: sizes that everything shares, and the text so far.
class SvgWriter {
 public:
  explicit SvgWriter(const ArcDiagram& diagram) : diagram_(diagram) {
    double highest = kRadius;
    for (const auto& arc : diagram.arcs) highest = std::max(highest, arc_height(arc) + 14.0);
    const double row = kStep * static_cast<double>(std::max<std::size_t>(diagram.nodes.size(), 1));
    const double text = 8.5 * static_cast<double>(std::max(diagram.caption.size(), diagram.title.size()));
    width_ = std::max({row, kLeastWidth, text}) + 2.0 * kMargin;
    left_ = kMargin + 0.5 * (width_ - 2.0 * kMargin - row) + 0.5 * kStep;
    line_y_ = kMargin + 40.0 + highest + 30.0;
    base_y_ = line_y_ + kStem;
    height_ = base_y_ + 34.0 + 40.0 + kMargin;
  }

  std::string write() {
    begin();
    for (const auto& box : diagram_.boxes) draw_box(box);
    draw_base();
    for (std::size_t i = 0; i < diagram_.nodes.size(); ++i) draw_stem(static_cast<int>(i));
    for (const auto& arc : diagram_.arcs) draw_arc(arc);
    for (std::size_t i = 0; i < diagram_.nodes.size(); ++i) draw_node(static_cast<int>(i));
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  double x(int node) const { return left_ + kStep * node; }

  void begin() {
    out_ += fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}" font-family="Helvetica, Arial, sans-serif" font-size="13">
<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path d="M0,0 L10,5 L0,10 z" fill="#334155"/></marker></defs>
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="{2:.1f}" y="{3:.1f}" font-size="17" font-weight="bold" fill="#0f172a">{4}</text>
<text x="{2:.1f}" y="{5:.1f}" fill="#64748b">{6}</text>
)",
        width_, height_, kMargin, kMargin, escaped(diagram_.title), height_ - kMargin + 10.0,
        escaped(diagram_.caption));
  }

  void draw_box(const ArcDiagram::Box& box) {
    const double from = x(box.first) - kRadius - 14.0;
    const double to = x(box.last) + kRadius + 14.0;
    out_ += fmt::format(
        R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="18" fill="#f1f5f9" stroke="#94a3b8" stroke-dasharray="6 4"/>
)",
        from, line_y_ - kRadius - 12.0, to - from, 2.0 * kRadius + 40.0);
    draw_text(0.5 * (from + to), line_y_ + kRadius + 20.0, box.label, "#475569", "bold");
  }

  void draw_base() {
    const double from = x(0) - 0.5 * kStep + 10.0;
    const double to = x(static_cast<int>(diagram_.nodes.size()) - 1) + 0.5 * kStep - 10.0;
    out_ += fmt::format(
        R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="26" rx="6" fill="#334155"/>
)",
        from, base_y_, std::max(to - from, 1.0));
    out_ += fmt::format(
        R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle" fill="#ffffff">{}</text>
)",
        0.5 * (from + to), base_y_ + 17.5, escaped(diagram_.base_label));
  }

  void draw_stem(int i) {
    const auto& node = diagram_.nodes[static_cast<std::size_t>(i)];
    if (node.lines_to_base == 0) return;
    for (int k = 0; k < node.lines_to_base; ++k) {
      const double offset = kLineGap * (k - 0.5 * (node.lines_to_base - 1));
      const bool last = k + 1 == node.lines_to_base;
      out_ +=
          fmt::format(R"(<path d="M{0:.1f},{1:.1f} L{0:.1f},{2:.1f}"{3}/>
)",
                      x(i) + offset, base_y_, line_y_ + (node.has_arrow && last ? kRadius : 0.5 * kRadius),
                      stroke(k < node.thick_to_base, node.has_arrow && last));
    }
    draw_label(x(i) + kLineGap * 0.5 * node.lines_to_base + 6.0, base_y_ - 10.0, node.stem_label, "start");
  }

  /// A half ellipse from node to node; parallel lines are nested.
  void draw_arc(const ArcDiagram::Arc& arc) {
    const double direction = arc.to > arc.from ? 1.0 : -1.0;
    for (int k = 0; k < arc.lines; ++k) {
      const double inset = kLineGap * (k - 0.5 * (arc.lines - 1));
      const double from = x(arc.from) + direction * (10.0 + inset);
      const double to = x(arc.to) - direction * (10.0 + inset);
      const double height = arc_height(arc) - inset;
      const double foot = line_y_ - std::sqrt(kRadius * kRadius - 10.0 * 10.0);
      const double top = foot - (height - kRadius) / 0.75;
      const bool last = k + 1 == arc.lines;
      out_ += fmt::format(R"(<path d="M{0:.1f},{1:.1f} C{0:.1f},{2:.1f} {3:.1f},{2:.1f} {3:.1f},{1:.1f}"{4}/>
)",
                          from, foot, top, to, stroke(k < arc.thick, arc.has_arrow && last));
    }
    draw_label(0.5 * (x(arc.from) + x(arc.to)), line_y_ - arc_height(arc) + 6.0, arc.label, "middle");
  }

  void draw_node(int i) {
    const auto& node = diagram_.nodes[static_cast<std::size_t>(i)];
    out_ += fmt::format(
        R"(<g><title>{}</title><circle cx="{:.1f}" cy="{:.1f}" r="{:.0f}" fill="#ffffff" stroke="#0f172a" stroke-width="1.6"/></g>
)",
        escaped(node.title), x(i), line_y_, kRadius);
    const double size = std::clamp(
        92.0 / (0.62 * static_cast<double>(std::max<std::size_t>(node.label.size(), 1))), 7.0, 14.0);
    out_ += fmt::format(
        R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle" font-size="{:.1f}" fill="#0f172a">{}</text>
)",
        x(i), line_y_ + 0.35 * size,
        std::min(size, 56.0 / (0.58 * static_cast<double>(node.label.size() + 1))), escaped(node.label));
  }

  static std::string stroke(bool is_thick, bool has_arrow) {
    return fmt::format(R"( fill="none" stroke="{}" stroke-width="{}"{})", is_thick ? "#b91c1c" : "#334155",
                       is_thick ? 4.0 : 1.4, has_arrow ? " marker-end=\"url(#arrow)\"" : "");
  }

  void draw_text(double at_x, double at_y, const std::string& text, const char* colour, const char* weight) {
    out_ += fmt::format(
        R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle" fill="{}" font-weight="{}">{}</text>
)",
        at_x, at_y, colour, weight, escaped(text));
  }

  /// Text with a white halo, so that lines do not cross it out.
  void draw_label(double at_x, double at_y, const std::string& text, const char* anchor) {
    if (text.empty()) return;
    out_ += fmt::format(
        R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}" fill="#0f172a" stroke="#ffffff" stroke-width="4" paint-order="stroke">{}</text>
)",
        at_x, at_y, anchor, escaped(text));
  }

  const ArcDiagram& diagram_;
  double width_ = 0.0;
  double height_ = 0.0;
  double left_ = 0.0;
  double line_y_ = 0.0;
  double base_y_ = 0.0;
  std::string out_;
};

}  // namespace

std::string write_svg(const ArcDiagram& diagram) { return SvgWriter(diagram).write(); }

}  // namespace eslabon::io
