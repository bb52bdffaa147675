#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "apps/cli/commands/info.hpp"
#include "apps/cli/text/command_reference.hpp"
#include "apps/cli/text/text_page.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/presentation.hpp"
#include "apps/cli/words/provenance.hpp"
#include "apps/cli/words/report_output.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/io/drawings/structure_drawing.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/recording/facts/mechanism_facts_json.hpp"
#include "eslabon/recording/pages/motion_report.hpp"
#include "eslabon/recording/pages/report_structure.hpp"

namespace eslabon::cli {

namespace {

struct InfoOptions {
  std::string model;
  io::ModelSettings set;
  bool all = false;
  bool branches = false;
  std::string graph;
  std::string diagram;
  std::optional<std::string> report;
};

/// Fails for a drawing that cannot be written, before the model is read.
void check_drawing(const std::string& path, const char* option) {
  if (path.empty()) return;
  if (!path.ends_with(".svg") && !path.ends_with(".dot"))
    throw CommandLineError({.what = "unknown kind of drawing",
                            .where = option,
                            .expected = "a file name that ends in .svg or .dot",
                            .actual = "'" + path + "'",
                            .next = "SVG opens in any browser; DOT is for Graphviz."});
  check_file(path, "the drawing");
}

/// Writes a drawing as SVG or DOT, as the file's name says.
template <class Svg, class Dot>
void write_drawing(const std::string& path, Svg svg, Dot dot) {
  write_text_file(path, "the drawing", path.ends_with(".svg") ? svg() : dot());
}

void write_page(const std::string& path, const runs::MechanismFacts& facts) {
  report::Report report = recording::report_of(facts.mechanism, facts.structure, facts.placement);
  report.subtitle = "structure and start position";
  if (auto start = recording::start_recording(facts.placement.bodies))
    report.recordings.push_back(std::move(*start));
  write_report(path, report);
}

void run_info(const InfoOptions& options, const Presentation& presentation) {
  check_report_option(options.report);
  check_drawing(options.graph, "--graph");
  check_drawing(options.diagram, "--diagram");
  const io::DescribedMechanism loaded = cli::load_described_model(options.model, options.set);
  const model::Mechanism& mechanism = loaded.mechanism;
  const bool with_branches = options.branches || (options.report && runs::has_few_bodies(mechanism));
  runs::MechanismFacts facts = naming(options.model, [&] { return runs::examine(mechanism, with_branches); });
  const structure::Structure& structure = facts.structure;
  if (!options.graph.empty())
    write_drawing(
        options.graph, [&] { return io::structural_graph_svg(mechanism, structure); },
        [&] { return io::structural_graph_dot(mechanism, structure); });
  if (!options.diagram.empty())
    write_drawing(
        options.diagram, [&] { return io::structural_diagram_svg(mechanism, structure); },
        [&] { return io::structural_diagram_dot(mechanism, structure); });
  if (options.report) write_page(*options.report, facts);
  if (!options.branches) facts.placement.branches.clear();  // on the page of the report only
  presentation.show(
      stdout,
      [&](const PageStyle& style) {
        std::string text = info_page(facts, loaded.parameters, {options.all, style});
        if (options.report) {
          TextPage page(style);
          page.fact("Report", *options.report);
          text += page.text();
        }
        return text;
      },
      [&] { return recording::mechanism_facts_json(facts, loaded.parameters, provenance_of_run()); });
  if (options.report && presentation.is_json)  // nothing but the object on the standard output
    fmt::print(stderr, "eslabon: note: the report is in {}.\n", *options.report);
}

}  // namespace

void add_info_command(CLI::App& app, const Presentation& presentation) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* info =
      app.add_subcommand("info", "What a mechanism is: mobility, loops, structural groups, four-bar class");
  add_model_word(*info, options->model);
  begin_group(*info, "What is shown");
  info->add_flag("--all", options->all, "Every row of every table");
  info->add_flag(
      "--branches", options->branches,
      "Also search for its other branches (assembly modes), with the drivers at their start values");
  add_set_option(*info, options->set);
  begin_group(*info, kFileOptions);
  info->add_option("--graph", options->graph, "Also draw the structural graph, .svg or .dot")
      ->type_name("FILE");
  info->add_option("--diagram", options->diagram, "Also draw the structural diagram, .svg or .dot")
      ->type_name("FILE");
  add_report_option(*info, options->report);
  show_examples(
      *info, {{"Mobility, loops, structural groups and redundant constraints of a suspension:",
               "eslabon info models/double-wishbone.yaml"},
              {"All ways to assemble a four-bar with a longer crank:",
               "eslabon info models/fourbar-testbed.yaml --branches --set 'crank=130 mm'"},
              {"A mechanism that another program writes:", "cat models/rssr.yaml | eslabon info - --json"}});
  info->callback([options, &presentation] { run_info(*options, presentation); });
}

}  // namespace eslabon::cli
