#include "report_command.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>

#include "command_line.hpp"
#include "command_reference.hpp"
#include "model_options.hpp"
#include "presentation.hpp"
#include "report_output.hpp"
#include "result_json.hpp"
#include "terminal_observer.hpp"
#include "text_page.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/core/nearest_name.hpp"
#include "eslabon/io/partial_file.hpp"
#include "eslabon/io/quantity.hpp"
#include "eslabon/io/structure_drawing.hpp"
#include "eslabon/kinematics/driven_structure.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/recording/motion_report.hpp"
#include "eslabon/recording/output_table.hpp"
#include "eslabon/recording/page_picture.hpp"
#include "eslabon/recording/recorded_results.hpp"
#include "eslabon/recording/report_drawing.hpp"
#include "eslabon/recording/report_structure.hpp"
#include "eslabon/recording/result_kind.hpp"
#include "eslabon/report/remade_page.hpp"
#include "eslabon/runs/released_start.hpp"
#include "eslabon/study/study_report.hpp"

namespace eslabon::cli {

namespace {

using recording::PictureSize;
using recording::PictureView;

struct ReportOptions {
  std::vector<std::string> results;
  std::vector<std::string> set, release;
  std::optional<std::string> title, out, png, svg, size, time, view, branch;
  bool dark = false;
};

/// The words of the command line, sorted by what they are.
struct SortedResults {
  std::optional<std::string> model;
  std::vector<std::string> results, estimates, readings, studies, pages;
};

SortedResults sort_results(const std::vector<std::string>& words) {
  SortedResults sorted;
  for (const std::string& word : words) switch (recording::result_kind(word)) {
      case recording::ResultKind::kMechanism:
        if (sorted.model)
          throw CommandLineError({.what = "two mechanisms",
                                  .where = "RESULT",
                                  .expected = "one mechanism, with results of its motion",
                                  .actual = "'" + *sorted.model + "' and '" + word + "'",
                                  .next = "Make a report of each."});
        sorted.model = word;
        break;
      case recording::ResultKind::kResult:
        sorted.results.push_back(word);
        break;
      case recording::ResultKind::kEstimate:
        sorted.estimates.push_back(word);
        break;
      case recording::ResultKind::kReadings:
        sorted.readings.push_back(word);
        break;
      case recording::ResultKind::kStudy:
        sorted.studies.push_back(word);
        break;
      case recording::ResultKind::kPage:
        sorted.pages.push_back(word);
        break;
    }
  return sorted;
}

void check_options(const ReportOptions& options) {
  if (!options.out && !options.png && !options.svg)
    throw CommandLineError({.what = "the report has no destination",
                            .where = "--out",
                            .expected = "--out FILE.html, --png FILE.png or --svg FILE.svg",
                            .actual = "none",
                            .next = "Write, for example, --out report.html."});
  if (options.out) check_page_file("--out", "the report", ".html", *options.out);
  if (options.png) check_page_file("--png", "the picture", ".png", *options.png);
  if (options.svg) check_page_file("--svg", "the drawing", ".svg", *options.svg);
  if (options.title && options.title->find_first_not_of(" \t") == std::string::npos)
    throw CommandLineError(
        {.what = "the title is empty",
         .where = "--title",
         .expected = "a text",
         .actual = "'" + *options.title + "'",
         .next = "Without it the page has the name of the mechanism or of the first file."});
  const char* const word = options.size   ? "--size"
                           : options.time ? "--time"
                           : options.view ? "--view"
                           : options.dark ? "--dark"
                                          : nullptr;
  if (word != nullptr && !options.png)
    throw CommandLineError({.what = "an option for a picture without a picture",
                            .where = word,
                            .expected = "--png",
                            .actual = "none",
                            .next = "Pages can be viewed from any side; drawings have one view."});
}

/// The mechanism among the results, in the ways in which it is needed.
class ReportModel {
 public:
  ReportModel(const std::string& model, const ReportOptions& options)
      : loaded_(load_model(model, options.set)),
        shown_(naming_option("--release",
                             [&] {
                               return model::without_drivers(
                                   loaded_, runs::released_drivers(options.release, loaded_));
                             })),
        released_(model::without_all_drivers(loaded_)),
        structure_(naming(model, [&] { return kinematics::analyse_driven_structure(shown_); })),
        placement_(runs::find_placement(shown_, structure_, runs::has_few_bodies(shown_))),
        branch_(options.branch) {
    if (!branch_) return;
    TerminalObserver observer;
    const kinematics::AssemblyReport start = naming(
        model, [&] { return runs::assembled_as_driven(loaded_, shown_, structure_, branch_, observer); });
    std::vector<std::string> branches = std::move(placement_.branches);
    placement_ = runs::placement_at(shown_, structure_, start.bodies);
    placement_.branches = std::move(branches);
  }

  const model::Mechanism& mechanism() const { return shown_; }
  const structure::Structure& structure() const { return structure_; }
  const runs::Placement& placement() const { return placement_; }
  recording::ResultModel result_model() const { return {loaded_, released_, branch_}; }

 private:
  model::Mechanism loaded_, shown_, released_;
  structure::Structure structure_;
  runs::Placement placement_;
  std::optional<std::string> branch_;
};

/// Short names that tell files apart: "out", where stems repeat "a/out", otherwise the whole path.
std::vector<std::string> names_of(const std::vector<std::string>& paths) {
  const auto name = [](const std::string& text, int level) {
    const std::filesystem::path path(text);
    const std::string stem = path.stem().string();
    if (level == 0) return stem;
    const std::string folder = std::filesystem::absolute(path).lexically_normal().parent_path().filename();
    return level == 1 ? folder + "/" + stem : text;
  };
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    int level = 0;
    while (level < 2 && std::ranges::count_if(paths, [&](const std::string& other) {
                          return name(other, level) == name(path, level);
                        }) > 1)
      ++level;
    names.push_back(name(path, level));
  }
  return names;
}

void add_recordings(report::Report& report, const SortedResults& sorted,
                    const std::optional<recording::ResultModel>& model) {
  using Role = report::Recording::Role;
  TerminalObserver observer;
  const Role of_results = sorted.estimates.empty() ? Role::kMotion : Role::kTruth;
  const recording::ResultModel* const known = model ? &*model : nullptr;
  std::vector<std::string> paths;
  for (const auto* list : {&sorted.results, &sorted.estimates, &sorted.readings})
    paths.insert(paths.end(), list->begin(), list->end());
  for (const std::string& path : sorted.results)
    report.recordings.push_back(recording::read_recording(path, of_results, known, report.notes, observer));
  for (const std::string& path : sorted.estimates)
    report.recordings.push_back(
        recording::read_recording(path, Role::kEstimate, known, report.notes, observer));
  for (const std::string& path : sorted.readings)
    report.recordings.push_back(recording::read_readings(path, known, report.notes));
  const std::vector<std::string> names = names_of(paths);
  for (std::size_t k = 0; k < names.size(); ++k) report.recordings[k].name = names[k];
}

std::string file_name(const std::string& path) {
  const std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
  return (normal.has_filename() ? normal : normal.parent_path()).filename().string();
}

report::Report make_report(const ReportOptions& options, const SortedResults& sorted,
                           const std::optional<ReportModel>& model) {
  report::Report report;
  if (model) report = recording::report_of(model->mechanism(), model->structure(), model->placement());
  if (report.title.empty()) report.title = file_name(options.results.front());
  add_recordings(report, sorted, model ? std::optional(model->result_model()) : std::nullopt);
  if (model && std::ranges::none_of(report.recordings,
                                    [](const report::Recording& one) { return one.motion.has_value(); }))
    if (auto start = recording::start_recording(model->placement().bodies))
      report.recordings.push_back(std::move(*start));
  for (const std::string& folder : sorted.studies) {
    const std::size_t charts = report.charts.size(), tables = report.tables.size();
    study::add_study(report,
                     study::read_study_table((std::filesystem::path(folder) / "summary.csv").string()));
    if (sorted.studies.size() == 1) continue;
    for (std::size_t k = charts; k < report.charts.size(); ++k)
      report.charts[k].title = file_name(folder) + ": " + report.charts[k].title;
    for (std::size_t k = tables; k < report.tables.size(); ++k)
      report.tables[k].title = file_name(folder) + ": " + report.tables[k].title;
  }
  recording::add_output_tables(report);
  std::string names;
  for (const std::string& path : options.results)
    if (path != sorted.model) names += (names.empty() ? "from " : ", ") + file_name(path);
  report.subtitle = names.empty() ? "structure and start position" : names;
  if (options.title) report.title = *options.title;
  return report;
}

/// Plots where there are any, otherwise the structural diagram.
std::string drawing_of(const report::Report& report, const std::optional<ReportModel>& model) {
  if (recording::has_plots(report)) return recording::plots_svg(report);
  if (model) return io::structural_diagram_svg(model->mechanism(), model->structure());
  throw CommandLineError({.what = "there is nothing to draw",
                          .where = "--svg",
                          .expected = "results with columns, a study or a mechanism",
                          .actual = "none",
                          .next = "Give one of these beside it."});
}

/// A time from 0 on [s].
double read_clock(const std::string& text) {
  try {
    io::TextPlace place;
    place.source = "--time";
    const io::Quantity quantity = io::parse_quantity(text, place);
    io::check_dimension(quantity.measure(), io::kTime, {.name = "time", .text = text, .where = "--time"});
    if (quantity.value == 0.0) return 0.0;
  } catch (const core::ModelError&) {  // said below
  }
  return read_time("--time", "time", text).seconds();
}

/// "1280x720".
PictureSize read_picture_size(const std::string& text) {
  PictureSize size;
  const char* const last = text.data() + text.size();
  const auto [middle, first_error] = std::from_chars(text.data(), last, size.width);
  if (first_error == std::errc() && middle != last && *middle == 'x') {
    const auto [end, error] = std::from_chars(middle + 1, last, size.height);
    const auto is_possible = [](int pixels) {
      return pixels >= PictureSize::kLeast && pixels <= PictureSize::kMost;
    };
    if (error == std::errc() && end == last && is_possible(size.width) && is_possible(size.height))
      return size;
  }
  throw CommandLineError({.what = "not a size of a picture",
                          .where = "--size",
                          .expected = fmt::format("WIDTHxHEIGHT, each from {} to {} pixels",
                                                  PictureSize::kLeast, PictureSize::kMost),
                          .actual = "'" + text + "'",
                          .next = "Write, for example, --size 1280x720."});
}

PictureView read_view(const ReportOptions& options) {
  PictureView view;
  if (options.size) view.size = read_picture_size(*options.size);
  if (options.time) view.t = read_clock(*options.time);
  if (options.view) {
    const std::vector<std::string>& names = recording::picture_views();
    if (std::ranges::find(names, *options.view) == names.end())
      throw CommandLineError({.what = "no such view",
                              .where = "--view",
                              .expected = core::quoted_list(names),
                              .actual = "'" + *options.view + "'",
                              .next = "The first that the page has is shown without it."});
    view.name = options.view;
  }
  view.is_dark = options.dark;
  return view;
}

void write_picture(const std::string& path, const std::string& html, const PictureView& view,
                   const std::string& browser) {
  io::PartialFile file(path, "the picture");  // what cannot be written is said before the browser starts
  RunLimit limit;
  TerminalObserver observer(&limit);
  const std::optional<std::string> png = recording::picture_of(html, view, browser, observer);
  if (!png)
    throw CutRun(limit.error_text("--png", "a picture", "none", "Give the same command again."),
                 limit.status());
  file.append(*png);
  file.finish();
}

void print_picture(TextPage& page, const ReportOptions& options, const PictureView& view) {
  page.fact("Picture", fmt::format("{}, {} × {} pixels", *options.png, view.size.width, view.size.height));
}

std::string report_json(const std::string& title, const std::vector<std::string>& notes,
                        const ReportOptions& options) {
  std::vector<std::string> told;
  for (const std::string& note : notes) told.push_back(in_option_words(note));
  return text_of({{"command", "report"},
                  {"title", title},
                  {"notes", told},
                  {"files",
                   {{"report", or_null(options.out)},
                    {"picture", or_null(options.png)},
                    {"drawing", or_null(options.svg)}}}});
}

/// A picture of a report that was made before.
void take_picture(const ReportOptions& options, const PictureView& view, const Presentation& presentation) {
  const bool is_alone = options.results.size() == 1 && !options.out && !options.svg && !options.title &&
                        options.set.empty() && options.release.empty() && !options.branch;
  if (!is_alone)
    throw CommandLineError({.what = "an existing report can only be turned into pictures",
                            .where = "RESULT",
                            .expected = "one page, with --png and options for the picture only",
                            .actual = "more than that",
                            .next = "Make another page from the results it was made from."});
  const std::string& path = options.results.front();
  std::ifstream file(path, std::ios::binary);
  const std::string html{std::istreambuf_iterator<char>(file), {}};
  // A page may be a stranger's: of it only the data are shown, by this program's own page.
  const auto remade = report::remade_page(html);
  if (!remade)
    throw io::FileError({.what = "this page is not a report",
                         .where = path,
                         .expected = "a page that eslabon made",
                         .actual = "another, or one of another version",
                         .next = "Make it again from its results."});
  if (view.name && std::ranges::find(remade->views, *view.name) == remade->views.end())
    throw CommandLineError({.what = "the report has no such view",
                            .where = "--view",
                            .expected = core::quoted_list(remade->views),
                            .actual = "'" + *view.name + "'",
                            .next = "Choose one of these."});
  write_picture(*options.png, remade->html, view, recording::find_browser());
  const auto page_text = [&](const PageStyle& style) {
    TextPage page(style);
    page.title(file_name(path), "report");
    print_picture(page, options, view);
    return page.text();
  };
  presentation.show(stdout, page_text, [&] { return report_json(file_name(path), {}, options); });
}

void run_report(const ReportOptions& options, const Presentation& presentation) {
  check_options(options);
  const PictureView view = read_view(options);
  const SortedResults sorted = sort_results(options.results);
  if (!sorted.pages.empty()) {
    take_picture(options, view, presentation);
    return;
  }
  if (!sorted.model && !(options.set.empty() && options.release.empty() && !options.branch))
    throw CommandLineError({.what = "an option for a mechanism without a mechanism",
                            .where = !options.set.empty()       ? "--set"
                                     : !options.release.empty() ? "--release"
                                                                : "--branch",
                            .expected = "a mechanism file among the results",
                            .actual = "none",
                            .next = "Add it, or leave the option out."});
  const std::string browser = options.png ? recording::find_browser() : "";
  std::optional<ReportModel> model;
  if (sorted.model) model.emplace(*sorted.model, options);
  const report::Report report = make_report(options, sorted, model);
  for (const std::string& note : report.notes) print_note(note);
  std::size_t html_bytes = 0;
  if (options.out || options.png) {
    const std::string html = page_of(report);
    html_bytes = html.size();
    if (options.out) write_text_file(*options.out, "the report", html);
    if (options.png) write_picture(*options.png, html, view, browser);
  }
  if (options.svg) write_text_file(*options.svg, "the drawing", drawing_of(report, model));
  const auto page_text = [&](const PageStyle& style) {
    TextPage page(style);
    page.title(report.title, "report");
    page.fact("Shows", report.subtitle);
    if (options.out)
      page.fact("Written",
                fmt::format("{}, {:.3g} MB", *options.out, 1e-6 * static_cast<double>(html_bytes)));
    if (options.png) print_picture(page, options, view);
    if (options.svg) page.fact("Drawing", *options.svg);
    return page.text();
  };
  presentation.show(stdout, page_text, [&] { return report_json(report.title, report.notes, options); });
}

}  // namespace

void add_report_command(CLI::App& app, const Presentation& presentation) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      app.add_subcommand("report", "Turns results into one page: the moving mechanism, plots and numbers");
  command
      ->add_option(
          "RESULT", options->results,
          "A mechanism file or family, result files of 'kinematics', 'simulate', 'inverse' and "
          "'estimate', measurement files of 'sense', folders of 'study'; or a report, for a picture of it")
      ->required();
  begin_group(*command, kFileOptions);
  command->add_option("--out", options->out, "The page, .html: opens in any browser, offline")
      ->type_name("FILE");
  command->add_option("--png", options->png, "Picture of its first view, .png; needs Chromium")
      ->type_name("FILE");
  command
      ->add_option("--svg", options->svg,
                   "Plots of results and studies, or the structural diagram of a mechanism alone, .svg")
      ->type_name("FILE");
  begin_group(*command, "Page and picture");
  command
      ->add_option("--title", options->title,
                   "Title, instead of the name of the mechanism or of the first file")
      ->type_name("TEXT");
  command->add_option("--size", options->size, "Size of the picture, in pixels (1280x720)")
      ->type_name("WIDTHxHEIGHT");
  command->add_option("--time", options->time, "Time that the picture shows (the beginning)")
      ->type_name("TIME");
  offer_words(
      command
          ->add_option(
              "--view", options->view,
              "View that the picture shows: motion, structure, charts or numbers (the first available)")
          ->type_name("NAME"),
      recording::picture_views());
  command->add_flag("--dark", options->dark, "Dark picture");
  add_set_option(*command, options->set);
  add_branch_option(*command, options->branch);
  add_release_option(*command, options->release);
  show_examples(*command,
                {{"The motion of a four-bar as a page:",
                  "eslabon kinematics models/fourbar-testbed.yaml --until 3.5 --step '10 ms' --outputs "
                  "A.q,coupler.P3.x,coupler.P3.y --out motion.csv"},
                 {"", "eslabon report models/fourbar-testbed.yaml motion.csv --out report.html"},
                 {"Its plots as a drawing:", "eslabon report motion.csv --svg plots.svg"}});
  command->callback([options, &presentation] { run_report(*options, presentation); });
}

}  // namespace eslabon::cli
