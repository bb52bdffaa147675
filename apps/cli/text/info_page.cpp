#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "apps/cli/commands/info.hpp"
#include "apps/cli/text/info_tables.hpp"
#include "apps/cli/text/text_page.hpp"
#include "apps/cli/text/text_table.hpp"
#include <fmt/format.h>

#include "eslabon/runs/start/start_note.hpp"

namespace eslabon::cli {

namespace {

using runs::Placement;
using structure::kFrame;
using structure::LinkIndex;
using structure::StructuralGroup;
using structure::Structure;

constexpr std::size_t kMostRows = 24;  // of a table, unless the user asks for all
constexpr const char* kAllShowsThem = "; --all shows them";

std::string degrees(double radians) { return fmt::format("{:.4g}°", radians * 180.0 / std::numbers::pi); }

/// With the minus sign of typography, as in the sums beside it.
std::string with_minus(int value) { return value < 0 ? fmt::format("−{}", -value) : std::to_string(value); }

std::string si(double value) { return fmt::format("{:.5g}", value == 0.0 ? 0.0 : value); }

/// The page in progress.
class Page {
 public:
  Page(const runs::MechanismFacts& facts, const std::vector<io::ParameterFact>& parameters,
       const PageOptions& options)
      : mechanism_(facts.mechanism),
        structure_(facts.structure),
        placement_(facts.placement),
        parameters_(parameters),
        options_(options),
        page_(options.style) {}

  std::string write() {
    write_head();
    write_facts();
    write_groups();
    write_four_bar();
    write_bodies();
    write_joints();
    write_table("Drivers", driver_table(mechanism_, most_rows()));
    write_table("Forces", load_table(mechanism_, most_rows()));
    write_table("Auxiliary states", state_table(mechanism_, most_rows()));
    write_table("Parameters, as --set takes them", parameter_table(parameters_, most_rows()));
    write_elements();
    return page_.text();
  }

 private:
  std::size_t most_rows() const { return options_.is_complete ? 0 : kMostRows; }

  std::string shortened(const std::vector<std::string>& names) const {
    return listed(names, options_.is_complete ? names.size() : kMostListed);
  }

  void write_head() {
    const std::string right = fmt::format(
        "{} · {} · {}", mechanism_.is_planar() ? "planar" : "spatial",
        mechanism_.bodies().size() == 2 ? "1 moving body"
                                        : fmt::format("{} moving bodies", mechanism_.bodies().size() - 1),
        counted(mechanism_.joints().size(), "joint"));
    page_.title(mechanism_.name(), right);
    if (!mechanism_.description().empty()) page_.fact("About", mechanism_.description());
    if (!mechanism_.source().empty()) page_.fact("Source", mechanism_.source());
  }

  void write_facts() {
    page_.fact("Mobility", mobility_text());
    if (const std::string text = rolling_text(); !text.empty()) page_.fact("Rolling", text);
    if (placement_.status == Placement::Status::kOpen) page_.fact("Assembly", placement_.message);
    if (const std::string text = start_text(); !text.empty()) page_.fact("Start", text);
    page_.fact("Inputs", inputs_text());
    if (!placement_.start.empty()) page_.fact("Start", placement_.start);
    if (!placement_.drivers.empty()) page_.fact("Drivers", placement_.drivers);
    page_.fact("Loops", loops_text());
    if (!placement_.branches.empty()) page_.fact("Branches", branches_text());
    if (const auto names = spins(false); !names.empty()) page_.fact("Idle", shortened(names));
    if (const auto names = spins(true); !names.empty())
      page_.fact("Free", shortened(names) + "; forces or inertia act on " +
                             (names.size() == 1 ? "it" : "them") + ", drivers do not");
    page_.fact("Redundant", redundant_text());
    if (const std::string text = singular_text(); !text.empty()) page_.fact("Singular", text);
    if (const auto names = massless_with_shape(); !names.empty())
      page_.fact("Massless", shortened(names) + ": a shape, but no 'mass:' or 'density:'");
    const auto& g = mechanism_.gravity_W();
    page_.fact("Gravity", g.isZero() ? "none"
                          : mechanism_.is_planar()
                              ? fmt::format("({}, {}) m/s²", si(g.x()), si(g.y()))
                              : fmt::format("({}, {}, {}) m/s²", si(g.x()), si(g.y()), si(g.z())));
  }

  /// What of the start values did not stay where it was given.
  std::string start_text() const {
    if (!placement_.bodies) return "";
    const auto shifts = kinematics::start_shifts(mechanism_, *placement_.bodies);
    return shifts.empty()
               ? ""
               : "start values adjusted to fit the joints and drivers: " + runs::shifts_text(shifts);
  }

  /// Spins that move nothing else: those that forces or inertia act on, or the others.
  std::vector<std::string> spins(bool that_matter) const {
    std::vector<std::string> names;
    for (const auto& idle : structure_.idle)
      if (idle.matters == that_matter)
        names.push_back(mechanism_.body(structure_.topology.links[idle.links.front().slot()].front()).name +
                        ": " + structure::direction(idle));
    return names;
  }

  /// Bodies that look as if their mass had been forgotten.
  std::vector<std::string> massless_with_shape() const {
    std::vector<std::string> names;
    for (const model::Body& body : mechanism_.bodies())
      if (body.shape && body.mass_properties.is_massless()) names.push_back(body.name);
    return names;
  }

  std::string inputs_text() const {
    const std::string unseen = unseen_text();
    if (structure_.inputs.empty()) return unseen.empty() ? "none" : "none; " + unseen;
    std::map<structure::InputOrigin, std::vector<std::string>> by_origin;
    for (const structure::Input& input : structure_.inputs)
      by_origin[input.origin].push_back(
          input.name + (input.origin == structure::InputOrigin::kDriver ? " (" + input.driver + ")" : ""));
    std::string text;
    for (const auto& [origin, names] : by_origin) {
      if (!text.empty()) text += "\n";
      if (origin == structure::InputOrigin::kDriver) text += "driven: ";
      if (origin == structure::InputOrigin::kChosen) text += "chosen by the file: ";
      if (origin == structure::InputOrigin::kPicked) text += "picked here for the smallest groups: ";
      text += shortened(names);
      if (origin == structure::InputOrigin::kPicked) text += "   ('inputs:' in the file chooses others)";
    }
    return text + (unseen.empty() ? "" : "\n" + unseen);
  }

  /// About freedoms that redundant joints hide from counting.
  std::string unseen_text() const {
    if (!placement_.redundancy) return "";
    const int unseen =
        placement_.redundancy->mobility - static_cast<int>(structure_.idle.size() + structure_.inputs.size());
    if (unseen <= 0) return "";
    return fmt::format(
        "{} more by rank, which Grübler's count misses: 'inputs:' in the file or a driver takes {}", unseen,
        unseen == 1 ? "it" : "them");
  }

  /// "2 found: '+' (of the start values), '-'"
  std::string branches_text() const {
    std::vector<std::string> names;
    for (const std::string& name : placement_.branches)
      names.push_back("'" + name + "'" + (name.find('0') == std::string::npos ? "" : " (singular there)"));
    if (placement_.branches.front().empty())
      return "not searched for: that needs a driver for every degree of freedom";
    names.front() += " (of the start values)";
    return fmt::format("{} found: {}   ('eslabon kinematics --branch=NAME' starts on another)", names.size(),
                       shortened(names));
  }

  std::string loops_text() const {
    const auto& loops = structure_.tree.loops;
    if (loops.empty())
      return mechanism_.couplings().empty() ? "none: an open chain"
                                            : "none but by couplings: " + couplings_text();
    std::string text = std::to_string(loops.size());
    const std::size_t shown = options_.is_complete ? loops.size() : std::min<std::size_t>(loops.size(), 6);
    for (std::size_t i = 0; i < shown; ++i) {
      std::vector<std::string> names;
      for (const model::JointIndex joint : loops[i].joints) names.push_back(mechanism_.joint(joint).name);
      text += (i == 0 ? "   " : "\n    ") + listed(names, names.size());
    }
    if (shown < loops.size())
      text += fmt::format("\n    … and {} more; --all shows them", loops.size() - shown);
    if (!mechanism_.couplings().empty()) text += "\n    and couplings: " + couplings_text();
    return text;
  }

  std::string couplings_text() const {
    std::vector<std::string> names;
    for (const model::Coupling& coupling : mechanism_.couplings()) names.push_back(coupling.name);
    return shortened(names);
  }

  /// "1   by rank; by Grübler −2: 6 (3 − 4) + 4"
  std::string mobility_text() const {
    int left = 0;
    for (const model::Joint& joint : mechanism_.joints())
      left += model::freedoms(joint.type, mechanism_.is_planar());
    const std::size_t couplings = mechanism_.couplings().size();
    const std::string sum =
        fmt::format("{} ({} − {}) + {}{}", mechanism_.body_freedoms(), mechanism_.bodies().size() - 1,
                    mechanism_.joints().size(), left, couplings == 0 ? "" : fmt::format(" − {}", couplings));
    const std::size_t num_idle = spins(false).size();
    const std::string idle = num_idle == 0 ? "" : fmt::format(", {} of them idle", num_idle);
    if (!placement_.redundancy)
      return fmt::format("{}   by Grübler: {}{}{}", with_minus(structure_.mobility), sum, idle,
                         placement_.status == Placement::Status::kOpen
                             ? "; by rank: not known before it can be assembled"
                             : "; by rank: " + placement_.message);
    const int rank = placement_.redundancy->mobility;
    if (rank == structure_.mobility) return fmt::format("{}   by rank and by Grübler: {}{}", rank, sum, idle);
    return fmt::format("{}   by rank{}; by Grübler {}: {}", rank, idle, with_minus(structure_.mobility), sum);
  }

  /// "3 degrees of freedom in velocity of 5 in position: wheel does not slip"
  std::string rolling_text() const {
    std::vector<std::string> names;
    for (const model::Joint& joint : mechanism_.joints())
      if (model::is_nonholonomic(joint.type)) names.push_back(joint.name);
    if (names.empty()) return "";
    const std::string slip = shortened(names) + (names.size() == 1 ? " does" : " do") + " not slip";
    if (!placement_.redundancy)
      return slip + ", which takes degrees of freedom from velocities, not from positions";
    return fmt::format(
        "{} in velocity, of {} in position: {}",
        counted(static_cast<std::size_t>(std::max(0, placement_.redundancy->mobility - placement_.rolling)),
                "DOF"),
        placement_.redundancy->mobility, slip);
  }

  std::string redundant_text() const {
    if (placement_.redundancy) return rows_text(placement_.redundancy->redundant);
    if (structure_.num_redundant() == 0) return "none that Grübler's count can find";
    std::vector<std::string> names;
    for (const auto& rows : structure_.redundant)
      names.push_back(fmt::format("{} ({})", mechanism_.joint(rows.joint).name,
                                  counted(static_cast<std::size_t>(rows.count), "row")));
    for (const model::CouplingIndex coupling : structure_.redundant_couplings)
      names.push_back(mechanism_.coupling(coupling).name + " (coupling)");
    return shortened(names) +
           ": more constraints than degrees of freedom there; it moves only if its geometry allows it";
  }

  /// "3 rows", then a line for each joint.
  std::string rows_text(const std::vector<kinematics::RedundantRow>& rows) const {
    if (rows.empty()) return "none";
    const std::vector<std::string> lines = kinematics::describe_redundancy(mechanism_, rows);
    const std::size_t shown = options_.is_complete ? lines.size() : std::min(lines.size(), kMostListed);
    std::string text = counted(rows.size(), "row") + (lines.size() == 1 ? ": " : ":\n");
    for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : "\n") + lines[i];
    if (shown < lines.size()) text += fmt::format("\n… and {} more; --all shows them", lines.size() - shown);
    return text;
  }

  /// What is true at the start position only.
  std::string singular_text() const {
    if (!placement_.redundancy) return "";
    const kinematics::RedundancyReport& report = *placement_.redundancy;
    std::string text;
    if (report.is_shaky)
      text = fmt::format("at the start position it can move only infinitesimally, in {}",
                         counted(static_cast<std::size_t>(report.coordinates - report.rank_at_start), "way"));
    else if (report.is_singular_at_start())
      text = fmt::format("at the start position it has {} instead of {}",
                         counted(static_cast<std::size_t>(report.coordinates - report.rank_at_start), "DOF"),
                         report.mobility);
    if (!report.redundant_here.empty())
      text += (text.empty() ? "" : "\n") + ("only there redundant: " + rows_text(report.redundant_here));
    return text;
  }

  std::string needs_text(const StructuralGroup& group) const {
    std::vector<std::string> needs;
    const bool is_at_frame = std::ranges::any_of(group.joints, [&](model::JointIndex joint) {
      return structure_.topology.link_of(mechanism_.joint(joint).first()) == kFrame ||
             structure_.topology.link_of(mechanism_.joint(joint).second()) == kFrame;
    });
    if (is_at_frame) needs.emplace_back("ground");
    for (const int needed : group.depends_on) needs.push_back(std::to_string(needed + 1));
    return shortened(needs);
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
    page_.heading(fmt::format("Structural groups, in solving order: {}{}", structure_.groups.size(),
                              summary.empty() ? "" : " (" + summary + ")"));

    if (structure_.groups.empty()) {
      page_.append("  none: nothing moves\n");
      return;
    }
    TextTable table({">#", "type", "remarks", "bodies", "joints", "inputs", "needs"});
    for (std::size_t g = 0; g < structure_.groups.size(); ++g) {
      const StructuralGroup& group = structure_.groups[g];
      std::vector<std::string> bodies, joints, inputs;
      for (const model::BodyIndex body : group.bodies) bodies.push_back(mechanism_.body(body).name);
      for (const model::JointIndex joint : group.joints) joints.push_back(mechanism_.joint(joint).name);
      for (const model::CouplingIndex coupling : group.couplings)
        joints.push_back(mechanism_.coupling(coupling).name);
      for (const int i : group.inputs) inputs.push_back(structure_.inputs[static_cast<std::size_t>(i)].name);
      std::string name = group.assur;
      if (group.redundant > 0)
        name += fmt::format("{}{} redundant", name.empty() ? "" : ", ", group.redundant);
      if (group.idle > 0) name += fmt::format("{}{} idle", name.empty() ? "" : ", ", group.idle);
      table.add_row({std::to_string(g + 1), group.type, name.empty() ? "–" : name, shortened(bodies),
                     shortened(joints), inputs.empty() ? "–" : shortened(inputs), needs_text(group)});
    }
    page_.append(table.text(most_rows(), kAllShowsThem, options_.style.table_width));
  }

  void write_four_bar() {
    if (!structure_.four_bar) return;
    const auto& bars = *structure_.four_bar;
    const auto [g, a, h, b] = bars.lengths;
    page_.heading("Four-bar");
    if (!structure::can_close(bars.lengths)) {
      page_.fact("Class", "cannot be assembled: one bar is longer than the other three together");
    } else {
      page_.fact("Class",
                 fmt::format("{}, {}", structure::name(structure::classify(bars.lengths)),
                             structure::is_grashof(bars.lengths) ? "Grashof: the shortest bar can turn fully"
                                                                 : "not Grashof: no bar can turn fully"));
      std::string ranges;
      for (const structure::AngleRange& range : structure::input_ranges(bars.lengths))
        ranges += (ranges.empty() ? "" : "  or  ") + degrees(range.first) + " … " + degrees(range.last);
      page_.fact("Input range", ranges + fmt::format("   at joint {}, from the line of the fixed pivots{}",
                                                     mechanism_.joint(bars.input_joint).name,
                                                     bars.is_driven_at_ground ? "" : "; not an input here"));
    }
    page_.fact("Lengths", fmt::format("ground {} m, input {} m, floating {} m, output {} m", si(g), si(a),
                                      si(h), si(b)));
  }

  void write_bodies() {
    page_.heading("Bodies");
    const bool planar = mechanism_.is_planar();
    TextTable table({"name", ">mass [kg]", "centre of mass [m]",
                     planar ? "inertia [kg m²]" : "Ixx, Iyy, Izz [kg m²]", "points"});
    for (const model::Body& body : mechanism_.bodies()) {
      std::vector<std::string> points;
      for (const model::NamedPoint& point : body.points) points.push_back(point.name);
      const model::MassProperties& m = body.mass_properties;
      const bool is_ground = &body == &mechanism_.bodies().front();
      if (m.is_massless()) {
        table.add_row({body.name, is_ground ? "–" : "massless", "–", "–", shortened(points)});
        continue;
      }
      const Eigen::Vector3d c = body.origin_B + m.p_BC_B;
      const auto& I = m.I_BC_B;
      table.add_row({body.name, si(m.mass),
                     planar ? fmt::format("({}, {})", si(c.x()), si(c.y()))
                            : fmt::format("({}, {}, {})", si(c.x()), si(c.y()), si(c.z())),
                     planar ? si(I(2, 2)) : fmt::format("{}, {}, {}", si(I(0, 0)), si(I(1, 1)), si(I(2, 2))),
                     shortened(points)});
    }
    page_.append(table.text(most_rows(), kAllShowsThem, options_.style.table_width));
  }

  void write_joints() {
    page_.heading("Joints");
    TextTable table({"name", "type", "between", "and", ">DOF"});
    for (const model::Joint& joint : mechanism_.joints()) {
      const auto end = [&](std::size_t i) {
        return mechanism_.body(joint.ends[i].body).name + "." + joint.ends[i].marker;
      };
      table.add_row({joint.name,
                     std::string(model::facts(joint.type).name) +
                         (joint.length > 0.0 ? " " + si(joint.length) + " m" : ""),
                     end(0), end(1), std::to_string(model::freedoms(joint.type, mechanism_.is_planar()))});
    }
    page_.append(table.text(most_rows(), kAllShowsThem, options_.style.table_width));
  }

  void write_table(const std::string& heading, const std::string& table) {
    if (table.empty()) return;
    page_.heading(heading);
    page_.append(table);
  }

  void write_elements() {
    const auto names = [&](const auto& elements) {
      std::vector<std::string> list;
      for (const auto& element : elements) list.push_back(element.name);
      return shortened(list);
    };
    std::vector<std::string> outputs;
    for (const model::Variable& output : mechanism_.outputs())
      outputs.push_back(model::name(mechanism_, output));
    const std::vector<std::pair<std::string, std::string>> rows{{"Springs", names(mechanism_.springs())},
                                                                {"Dampers", names(mechanism_.dampers())},
                                                                {"Bushings", names(mechanism_.bushings())},
                                                                {"Stops", names(mechanism_.stops())},
                                                                {"Tyres", names(mechanism_.tyres())},
                                                                {"Sensors", names(mechanism_.sensors())},
                                                                {"Outputs", shortened(outputs)}};
    if (std::ranges::all_of(rows, [](const auto& row) { return row.second.empty(); })) return;
    page_.append("\n");
    for (const auto& [word, text] : rows)
      if (!text.empty()) page_.fact(word, text);
  }

  const model::Mechanism& mechanism_;
  const Structure& structure_;
  const Placement& placement_;
  const std::vector<io::ParameterFact>& parameters_;
  const PageOptions& options_;
  TextPage page_;
};

}  // namespace

std::string info_page(const runs::MechanismFacts& facts, const std::vector<io::ParameterFact>& parameters,
                      const PageOptions& options) {
  return Page(facts, parameters, options).write();
}

}  // namespace eslabon::cli
