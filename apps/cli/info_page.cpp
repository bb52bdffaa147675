#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "info.hpp"
#include "text_table.hpp"
#include <fmt/format.h>

namespace eslabon::cli {

namespace {

using structure::kFrame;
using structure::LinkIndex;
using structure::StructuralGroup;
using structure::Structure;

constexpr std::size_t kMostRows = 24;  // of a table, unless the user asks for all
constexpr std::size_t kMostNames = 6;  // of a list inside a line
constexpr std::size_t kWidth = 96;

/// "a, b, c and 4 more"
std::string listed(const std::vector<std::string>& names, bool is_complete) {
  const std::size_t shown = is_complete ? names.size() : std::min(names.size(), kMostNames);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::string counted(std::size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string degrees(double radians) { return fmt::format("{:.4g}°", radians * 180.0 / std::numbers::pi); }

std::string si(double value) { return fmt::format("{:.5g}", value == 0.0 ? 0.0 : value); }

/// The page in progress.
class Page {
 public:
  Page(const model::Mechanism& mechanism, const Structure& structure, const PageOptions& options)
      : mechanism_(mechanism), structure_(structure), options_(options) {}

  std::string write() {
    write_head();
    write_facts();
    write_groups();
    write_four_bar();
    write_bodies();
    write_joints();
    write_elements();
    return std::move(out_);
  }

 private:
  std::size_t most_rows() const { return options_.is_complete ? 0 : kMostRows; }

  std::string bold(const std::string& text) const {
    return options_.has_colour ? "\033[1m" + text + "\033[0m" : text;
  }

  /// One fact: a word on the left, the text wrapped at spaces on the right.
  void fact(const std::string& word, const std::string& text) {
    constexpr std::size_t kIndent = 13;
    std::string line;
    bool is_first = true;
    const auto flush = [&] {
      out_ +=
          (is_first ? bold(fmt::format("{:<{}}", word, kIndent)) : std::string(kIndent, ' ')) + line + "\n";
      is_first = false;
      line.clear();
    };
    std::size_t start = 0;
    while (start <= text.size()) {
      const std::size_t end = std::min(text.find_first_of(" \n", start), text.size());
      const std::string next = text.substr(start, end - start);
      if (!line.empty() && display_width(line) + display_width(next) + 1 > kWidth - kIndent) flush();
      line += (line.empty() ? "" : " ") + next;
      if (end < text.size() && text[end] == '\n') flush();
      start = end + 1;
    }
    if (!line.empty() || is_first) flush();
  }

  void heading(const std::string& text) { out_ += "\n" + bold(text) + "\n"; }

  void write_head() {
    const std::string right = fmt::format(
        "{} · {} · {}", mechanism_.is_planar() ? "planar" : "spatial",
        mechanism_.bodies().size() == 2 ? "1 moving body"
                                        : fmt::format("{} moving bodies", mechanism_.bodies().size() - 1),
        counted(mechanism_.joints().size(), "joint"));
    const std::size_t used = display_width(mechanism_.name()) + display_width(right);
    out_ += bold(mechanism_.name()) + std::string(used < kWidth ? kWidth - used : 3, ' ') + right + "\n";
    for (std::size_t i = 0; i < kWidth; ++i) out_ += "─";
    out_ += "\n";
    if (!mechanism_.description().empty()) fact("About", mechanism_.description());
    if (!mechanism_.source().empty()) fact("Source", mechanism_.source());
  }

  void write_facts() {
    int left = 0;
    for (const model::Joint& joint : mechanism_.joints())
      left += model::freedoms(joint.type, mechanism_.is_planar());
    fact(
        "Mobility",
        fmt::format("{}   by Grübler: {} ({} − {}) + {}{}", structure_.mobility, mechanism_.body_freedoms(),
                    mechanism_.bodies().size() - 1, mechanism_.joints().size(), left,
                    structure_.idle.empty() ? "" : fmt::format(", {} of them idle", structure_.idle.size())));
    fact("Inputs", inputs_text());
    fact("Loops", loops_text());
    if (!structure_.idle.empty()) {
      std::vector<std::string> names;
      for (const auto& idle : structure_.idle) names.push_back(structure::direction(idle));
      fact("Idle", listed(names, options_.is_complete));
    }
    fact("Redundant", redundant_text());
    if (const auto names = massless_with_shape(); !names.empty())
      fact("Massless", listed(names, options_.is_complete) + ": a shape, but no 'mass:' or 'density:'");
    const auto& g = mechanism_.gravity_W();
    fact("Gravity", g.isZero() ? "none"
                    : mechanism_.is_planar()
                        ? fmt::format("({}, {}) m/s²", si(g.x()), si(g.y()))
                        : fmt::format("({}, {}, {}) m/s²", si(g.x()), si(g.y()), si(g.z())));
  }

  /// Bodies that look as if their mass had been forgotten.
  std::vector<std::string> massless_with_shape() const {
    std::vector<std::string> names;
    for (const model::Body& body : mechanism_.bodies())
      if (body.shape && body.mass_properties.is_massless()) names.push_back(body.name);
    return names;
  }

  std::string inputs_text() const {
    if (structure_.inputs.empty()) return "none";
    std::map<structure::InputOrigin, std::vector<std::string>> by_origin;
    for (const structure::Input& input : structure_.inputs)
      by_origin[input.origin].push_back(
          input.name + (input.origin == structure::InputOrigin::kDriver ? " (" + input.driver + ")" : ""));
    std::string text;
    for (const auto& [origin, names] : by_origin) {
      if (!text.empty()) text += "\n";
      if (origin == structure::InputOrigin::kDriver) text += "driven: ";
      if (origin == structure::InputOrigin::kChosen) text += "chosen by the file: ";
      if (origin == structure::InputOrigin::kPicked) text += "picked here to make the groups smallest: ";
      text += listed(names, options_.is_complete);
      if (origin == structure::InputOrigin::kPicked) text += "   ('inputs:' in the file chooses others)";
    }
    return text;
  }

  std::string loops_text() const {
    const auto& loops = structure_.tree.loops;
    if (loops.empty()) return "none: an open chain";
    std::string text = std::to_string(loops.size());
    const std::size_t shown = options_.is_complete ? loops.size() : std::min<std::size_t>(loops.size(), 6);
    for (std::size_t i = 0; i < shown; ++i) {
      std::vector<std::string> names;
      for (const model::JointIndex joint : loops[i].joints) names.push_back(mechanism_.joint(joint).name);
      text += (i == 0 ? "   " : "\n    ") + listed(names, true);
    }
    if (shown < loops.size())
      text += fmt::format("\n    … and {} more; --all shows them", loops.size() - shown);
    return text;
  }

  std::string redundant_text() const {
    if (structure_.redundant.empty()) return "none that counting can see";
    std::vector<std::string> names;
    for (const auto& rows : structure_.redundant)
      names.push_back(fmt::format("{} ({})", mechanism_.joint(rows.joint).name,
                                  counted(static_cast<std::size_t>(rows.count), "row")));
    return listed(names, options_.is_complete) +
           ": more constraints than freedoms there; only its geometry can let it move";
  }

  std::string needs_text(const StructuralGroup& group) const {
    std::vector<std::string> needs;
    const bool is_at_frame = std::ranges::any_of(group.joints, [&](model::JointIndex joint) {
      return structure_.topology.link_of(mechanism_.joint(joint).first()) == kFrame ||
             structure_.topology.link_of(mechanism_.joint(joint).second()) == kFrame;
    });
    if (is_at_frame) needs.emplace_back("ground");
    for (const int needed : group.depends_on) needs.push_back(std::to_string(needed + 1));
    return listed(needs, options_.is_complete);
  }

  void write_groups() {
    std::vector<std::pair<std::string, std::size_t>> counts;  // types in the order of their first group
    for (const StructuralGroup& group : structure_.groups) {
      const auto found = std::ranges::find(counts, group.type, &std::pair<std::string, std::size_t>::first);
      if (found == counts.end())
        counts.emplace_back(group.type, 1);
      else
        ++found->second;
    }
    std::string summary;
    for (const auto& [type, count] : counts)
      summary += (summary.empty() ? "" : ", ") + fmt::format("{} × {}", count, type);
    heading(fmt::format("Structural groups, in solving order: {}{}", structure_.groups.size(),
                        summary.empty() ? "" : " (" + summary + ")"));

    if (structure_.groups.empty()) {
      out_ += "  none: nothing moves\n";
      return;
    }
    TextTable table({">#", "type", "remarks", "bodies", "joints", "inputs", "needs"});
    for (std::size_t g = 0; g < structure_.groups.size(); ++g) {
      const StructuralGroup& group = structure_.groups[g];
      std::vector<std::string> bodies, joints, inputs;
      for (const model::BodyIndex body : group.bodies) bodies.push_back(mechanism_.body(body).name);
      for (const model::JointIndex joint : group.joints) joints.push_back(mechanism_.joint(joint).name);
      for (const int i : group.inputs) inputs.push_back(structure_.inputs[static_cast<std::size_t>(i)].name);
      std::string name = group.assur;
      if (group.redundant > 0)
        name += fmt::format("{}{} redundant", name.empty() ? "" : ", ", group.redundant);
      if (group.idle > 0) name += fmt::format("{}{} idle", name.empty() ? "" : ", ", group.idle);
      table.add_row({std::to_string(g + 1), group.type, name.empty() ? "–" : name,
                     listed(bodies, options_.is_complete), listed(joints, options_.is_complete),
                     inputs.empty() ? "–" : listed(inputs, options_.is_complete), needs_text(group)});
    }
    out_ += table.text(most_rows());
  }

  void write_four_bar() {
    if (!structure_.four_bar) return;
    const auto& bars = *structure_.four_bar;
    const auto [g, a, h, b] = bars.lengths;
    heading("Four-bar");
    if (!structure::can_close(bars.lengths)) {
      fact("Class", "cannot be assembled: one bar is longer than the other three together");
    } else {
      fact("Class",
           fmt::format("{}, {}", structure::name(structure::classify(bars.lengths)),
                       structure::is_grashof(bars.lengths) ? "Grashof: the shortest bar can turn fully"
                                                           : "not Grashof: no bar can turn fully"));
      std::string ranges;
      for (const structure::AngleRange& range : structure::input_ranges(bars.lengths))
        ranges += (ranges.empty() ? "" : "  or  ") + degrees(range.first) + " … " + degrees(range.last);
      fact("Input range", ranges + fmt::format("   at joint {}, from the line of the fixed pivots{}",
                                               mechanism_.joint(bars.input_joint).name,
                                               bars.is_driven_at_ground ? "" : "; it is not an input here"));
    }
    fact("Lengths",
         fmt::format("ground {} m, input {} m, floating {} m, output {} m", si(g), si(a), si(h), si(b)));
  }

  void write_bodies() {
    heading("Bodies");
    const bool planar = mechanism_.is_planar();
    TextTable table({"name", ">mass [kg]", "centre of mass [m]",
                     planar ? "inertia [kg m²]" : "Ixx, Iyy, Izz [kg m²]", "points"});
    for (const model::Body& body : mechanism_.bodies()) {
      std::vector<std::string> points;
      for (const model::NamedPoint& point : body.points) points.push_back(point.name);
      const model::MassProperties& m = body.mass_properties;
      const bool is_ground = &body == &mechanism_.bodies().front();
      if (m.is_massless()) {
        table.add_row(
            {body.name, is_ground ? "–" : "massless", "–", "–", listed(points, options_.is_complete)});
        continue;
      }
      const auto& c = m.p_BC_B;
      const auto& I = m.I_BC_B;
      table.add_row({body.name, si(m.mass),
                     planar ? fmt::format("({}, {})", si(c.x()), si(c.y()))
                            : fmt::format("({}, {}, {})", si(c.x()), si(c.y()), si(c.z())),
                     planar ? si(I(2, 2)) : fmt::format("{}, {}, {}", si(I(0, 0)), si(I(1, 1)), si(I(2, 2))),
                     listed(points, options_.is_complete)});
    }
    out_ += table.text(most_rows());
  }

  void write_joints() {
    heading("Joints");
    TextTable table({"name", "type", "between", "and", ">freedoms"});
    for (const model::Joint& joint : mechanism_.joints()) {
      const auto end = [&](std::size_t i) {
        return mechanism_.body(joint.ends[i].body).name + "." + joint.ends[i].marker;
      };
      table.add_row({joint.name,
                     std::string(model::facts(joint.type).name) +
                         (joint.type == model::JointType::kRod ? " " + si(joint.length) + " m" : ""),
                     end(0), end(1), std::to_string(model::freedoms(joint.type, mechanism_.is_planar()))});
    }
    out_ += table.text(most_rows());
  }

  void write_elements() {
    const auto names = [&](const auto& elements) {
      std::vector<std::string> list;
      for (const auto& element : elements) list.push_back(element.name);
      return listed(list, options_.is_complete);
    };
    std::vector<std::string> outputs;
    for (const model::Variable& output : mechanism_.outputs())
      outputs.push_back(model::name(mechanism_, output));
    const std::vector<std::pair<std::string, std::string>> rows{
        {"Springs", names(mechanism_.springs())},
        {"Dampers", names(mechanism_.dampers())},
        {"Forces", names(mechanism_.loads())},
        {"Sensors", names(mechanism_.sensors())},
        {"Outputs", listed(outputs, options_.is_complete)}};
    if (std::ranges::all_of(rows, [](const auto& row) { return row.second.empty(); })) return;
    out_ += "\n";
    for (const auto& [word, text] : rows)
      if (!text.empty()) fact(word, text);
  }

  const model::Mechanism& mechanism_;
  const Structure& structure_;
  const PageOptions& options_;
  std::string out_;
};

}  // namespace

std::string info_page(const model::Mechanism& mechanism, const Structure& structure,
                      const PageOptions& options) {
  return Page(mechanism, structure, options).write();
}

}  // namespace eslabon::cli
