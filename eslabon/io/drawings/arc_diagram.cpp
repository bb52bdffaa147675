#include "eslabon/io/drawings/arc_diagram.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace eslabon::io {

namespace {

constexpr double kMargin = 40.0;
constexpr double kRadius = 34.0;
constexpr double kStep = 120.0;         // between nodes
constexpr double kStem = 100.0;         // from the line of nodes to the base, at least
constexpr double kFoot = 10.0;          // sideways from a node's middle to where its arcs start
constexpr double kLineGap = 6.0;        // between parallel lines
constexpr double kCharacter = 6.8;      // width of one, at the usual size
constexpr std::size_t kShortLabel = 5;  // longer labels of stems are written along them
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

/// A name in lines of at most about nine characters, broken after '_', '-' and '+'.
std::vector<std::string> broken(const std::string& name) {
  constexpr std::size_t kMostCharacters = 9;
  std::vector<std::string> lines(1);
  std::size_t start = 0;
  while (start < name.size()) {
    const std::size_t end = std::min(name.find_first_of("_-+", start), name.size() - 1) + 1;
    const std::string part = name.substr(start, end - start);
    if (!lines.back().empty() && lines.back().size() + part.size() > kMostCharacters) lines.emplace_back();
    lines.back() += part;
    start = end;
  }
  return lines;
}

/// The drawing in progress: sizes that everything shares, and the text so far.
class SvgWriter {
 public:
  explicit SvgWriter(const ArcDiagram& diagram) : diagram_(diagram) {
    double highest = kRadius;
    for (const auto& arc : diagram.arcs) highest = std::max(highest, arc_height(arc) + 14.0);
    const double row = kStep * static_cast<double>(std::max<std::size_t>(diagram.nodes.size(), 1));
    const double text =
        kCharacter * static_cast<double>(std::max(diagram.caption.size(), diagram.title.size()));
    std::size_t longest = 0;
    for (const auto& node : diagram.nodes) longest = std::max(longest, node.stem_label.size());
    writes_along_stems_ = longest > kShortLabel;
    const double stem =
        writes_along_stems_ ? kCharacter * static_cast<double>(longest) + kRadius + 60.0 : kStem;
    width_ = std::max({row, kLeastWidth, text}) + 2.0 * kMargin;
    left_ = kMargin + 0.5 * (width_ - 2.0 * kMargin - row) + 0.5 * kStep;
    line_y_ = kMargin + 40.0 + highest + 30.0;
    base_y_ = line_y_ + std::max(kStem, stem);
    height_ = base_y_ + 34.0 + 40.0 + kMargin;
  }

  std::string write() {
    begin();
    for (const auto& box : diagram_.boxes) draw_box(box);
    draw_base();
    for (std::size_t i = 0; i < diagram_.nodes.size(); ++i) draw_stem(static_cast<int>(i));
    for (const auto& box : diagram_.boxes) draw_box_label(box);
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
  }

  /// After the stems, with a halo: a long label crosses the first stem.
  void draw_box_label(const ArcDiagram::Box& box) {
    out_ += fmt::format(
        R"(<text x="{:.1f}" y="{:.1f}" fill="#475569" font-weight="bold" stroke="#f1f5f9" stroke-width="4" paint-order="stroke">{}</text>
)",
        x(box.first) - kRadius - 6.0, line_y_ + kRadius + 20.0, escaped(box.label));
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
    const double beside = x(i) + kLineGap * 0.5 * node.lines_to_base + 6.0;
    if (!writes_along_stems_) return draw_label(beside, base_y_ - 10.0, node.stem_label, "start");
    out_ += fmt::format(R"svg(<text transform="translate({:.1f} {:.1f}) rotate(-90)" fill="#0f172a">{}</text>
)svg",
                        beside + 9.0, base_y_ - 8.0, escaped(node.stem_label));
  }

  /// A half ellipse from node to node; parallel lines are nested.
  void draw_arc(const ArcDiagram::Arc& arc) {
    const double direction = arc.to > arc.from ? 1.0 : -1.0;
    const double foot = line_y_ - std::sqrt(kRadius * kRadius - kFoot * kFoot);
    for (int k = 0; k < arc.lines; ++k) {
      const double inset = kLineGap * (k - 0.5 * (arc.lines - 1));
      const double from = x(arc.from) + direction * (kFoot + inset);
      const double to = x(arc.to) - direction * (kFoot + inset);
      const double height = arc_height(arc) - inset;
      const double top = foot - (height - kRadius) / 0.75;
      const bool last = k + 1 == arc.lines;
      out_ += fmt::format(R"(<path d="M{0:.1f},{1:.1f} C{0:.1f},{2:.1f} {3:.1f},{2:.1f} {3:.1f},{1:.1f}"{4}/>
)",
                          from, foot, top, to, stroke(k < arc.thick, arc.has_arrow && last));
    }
    const double outermost = arc_height(arc) + kLineGap * 0.5 * (arc.lines - 1);
    draw_label(0.5 * (x(arc.from) + x(arc.to)), foot - (outermost - kRadius) - 5.0, arc.label, "middle");
  }

  void draw_node(int i) {
    const auto& node = diagram_.nodes[static_cast<std::size_t>(i)];
    out_ += fmt::format(
        R"(<g><title>{}</title><circle cx="{:.1f}" cy="{:.1f}" r="{:.0f}" fill="#ffffff" stroke="#0f172a" stroke-width="1.6"/></g>
)",
        escaped(node.title), x(i), line_y_, kRadius);
    const std::vector<std::string> lines = broken(node.label);
    std::size_t longest = 1;
    for (const std::string& line : lines) longest = std::max(longest, line.size());
    const double size = std::clamp(1.75 * kRadius / (0.58 * static_cast<double>(longest)), 6.0, 14.0);
    double y = line_y_ + size * (0.35 - 0.525 * static_cast<double>(lines.size() - 1));
    for (const std::string& line : lines) {
      out_ += fmt::format(
          R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle" font-size="{:.1f}" fill="#0f172a">{}</text>
)",
          x(i), y, size, escaped(line));
      y += 1.05 * size;
    }
  }

  static std::string stroke(bool is_thick, bool has_arrow) {
    return fmt::format(R"( fill="none" stroke="{}" stroke-width="{}"{})", is_thick ? "#b91c1c" : "#334155",
                       is_thick ? 4.0 : 1.4, has_arrow ? " marker-end=\"url(#arrow)\"" : "");
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
  bool writes_along_stems_ = false;
  std::string out_;
};

}  // namespace

std::string write_svg(const ArcDiagram& diagram) { return SvgWriter(diagram).write(); }

}  // namespace eslabon::io
