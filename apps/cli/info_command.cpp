#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "info.hpp"
#include "model_options.hpp"
#include "motion_report.hpp"
#include "report_output.hpp"
#include "text_page.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "eslabon/io/model_source.hpp"
#include "eslabon/io/structure_drawing.hpp"
#include "eslabon/kinematics/driven_structure.hpp"

namespace eslabon::cli {

namespace {

struct InfoOptions {
  std::string model;
  std::vector<std::string> set;
  bool json = false;
  bool all = false;
  bool branches = false;
  std::string graph;
  std::string diagram;
  std::optional<std::string> report;
};

/// Writes a drawing as SVG or DOT, as the file's name says.
template <class Svg, class Dot>
void write_drawing(const std::string& path, const char* option, Svg svg, Dot dot) {
  const bool is_svg = path.ends_with(".svg");
  if (!is_svg && !path.ends_with(".dot"))
    throw CommandLineError({.what = "unknown kind of drawing",
                            .where = option,
                            .expected = "a file name that ends in .svg or .dot",
                            .actual = "'" + path + "'",
                            .next = "SVG opens in any browser; DOT is for Graphviz."});
  write_text_file(option, path, is_svg ? svg() : dot());
}

void write_page(const std::string& path, const MechanismFacts& facts) {
  report::Report report = report_of(facts.mechanism, facts.structure, facts.placement);
  report.subtitle = "structure and start position";
  if (auto start = start_recording(facts.placement.bodies)) report.recordings.push_back(std::move(*start));
  write_report(path, report);
}

void run_info(const InfoOptions& options) {
  check_report_option(options.report, options.model, std::nullopt);
  io::DescribedMechanism loaded = load_described_model(options.model, options.set);
  const model::Mechanism& mechanism = loaded.mechanism;
  const structure::Structure structure =
      naming(options.model, [&] { return kinematics::analyse_driven_structure(mechanism); });
  if (!options.graph.empty())
    write_drawing(
        options.graph, "--graph", [&] { return io::structural_graph_svg(mechanism, structure); },
        [&] { return io::structural_graph_dot(mechanism, structure); });
  if (!options.diagram.empty())
    write_drawing(
        options.diagram, "--diagram", [&] { return io::structural_diagram_svg(mechanism, structure); },
        [&] { return io::structural_diagram_dot(mechanism, structure); });
  MechanismFacts facts{
      mechanism, structure,
      find_placement(mechanism, structure, options.branches || (options.report && has_few_bodies(mechanism))),
      std::move(loaded.parameters)};
  if (options.report) write_page(*options.report, facts);
  if (!options.branches) facts.placement.branches.clear();  // on the page of the report only
  const std::string text =
      options.json ? info_json(facts) : info_page(facts, {options.all, has_colour(STDOUT_FILENO)});
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (!options.report) return;
  if (options.json) {  // nothing but the object on the standard output
    fmt::print(stderr, "eslabon: note: the report is in {}.\n", *options.report);
    return;
  }
  TextPage page(has_colour(STDOUT_FILENO));
  page.fact("Report", *options.report);
  std::fputs(page.text().c_str(), stdout);
}

}  // namespace

void add_info_command(CLI::App& app) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* info =
      app.add_subcommand("info", "What a mechanism is: mobility, loops, structural groups, four-bar class");
  info->add_option("MODEL", options->model, "A mechanism file, or family:NAME,key=value…")->required();
  info->add_option("--set", options->set,
                   "name=value: give a parameter of the file another value (repeatable)")
      ->allow_extra_args(false);
  info->add_flag("--json", options->json, "One JSON object, for programs");
  info->add_flag("--all", options->all, "Every row of every table");
  info->add_flag("--branches", options->branches,
                 "Also look for the ways in which it can be assembled with its drivers where they start");
  info->add_option("--graph", options->graph, "Also draw the structural graph: FILE.svg or FILE.dot");
  info->add_option("--diagram", options->diagram, "Also draw the structural diagram: FILE.svg or FILE.dot");
  add_report_option(*info, options->report);
  info->callback([options] { run_info(*options); });
}

}  // namespace eslabon::cli
