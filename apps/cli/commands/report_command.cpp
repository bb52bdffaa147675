#include "apps/cli/commands/report_command.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "apps/cli/text/command_reference.hpp"
#include "apps/cli/text/result_json.hpp"
#include "apps/cli/text/text_page.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/presentation.hpp"
#include "apps/cli/words/report_output.hpp"
#include "apps/cli/words/terminal_observer.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/io/quantities/quantity.hpp"
#include "eslabon/recording/pages/page_picture.hpp"
#include "eslabon/study/result_report.hpp"

namespace eslabon::cli {

namespace {

using recording::PictureSize;
using recording::PictureView;

struct ReportOptions {
  std::vector<std::string> results;
  io::ModelSettings set;
  std::vector<std::string> release;
  std::optional<std::string> title, out, png, svg, size, time, view, branch;
  bool dark = false;
};

void check_options(const ReportOptions& options) {
  refuse_if(!options.out && !options.png && !options.svg,
            {"the report has no destination", "--out", "--out FILE.html, --png FILE.png or --svg FILE.svg",
             "none", "Write, for example, --out report.html."});
  if (options.out) check_page_file("--out", "the report", ".html", *options.out);
  if (options.png) check_page_file("--png", "the picture", ".png", *options.png);
  if (options.svg) check_page_file("--svg", "the drawing", ".svg", *options.svg);
  const std::string title = options.title.value_or("untitled");
  refuse_if(title.find_first_not_of(" \t") == std::string::npos,
            {"the title is empty", "--title", "a text", "'" + title + "'",
             "Without it the page has the name of the mechanism or of the first file."});
  const char* const word = options.size   ? "--size"
                           : options.time ? "--time"
                           : options.view ? "--view"
                           : options.dark ? "--dark"
                                          : "";
  refuse_if(*word != '\0' && !options.png,
            {"an option for a picture without a picture", word, "--png", "none",
             "Pages can be viewed from any side; drawings have one view."});
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
  const std::size_t middle = std::min(text.find('x'), text.size());
  const auto read = [](const std::string& number) {
    return number_in(number, PictureSize::kLeast, PictureSize::kMost);
  };
  const auto width = read(text.substr(0, middle));
  const auto height = middle < text.size() ? read(text.substr(middle + 1)) : std::nullopt;
  if (width && height) return {*width, *height};
  throw CommandLineError(
      {"not a size of a picture", "--size",
       fmt::format("WIDTHxHEIGHT, each from {} to {} pixels", PictureSize::kLeast, PictureSize::kMost),
       "'" + text + "'", "Write, for example, --size 1280x720."});
}

PictureView read_view(const ReportOptions& options) {
  PictureView view;
  if (options.size) view.size = read_picture_size(*options.size);
  if (options.time) view.t = read_clock(*options.time);
  if (options.view) {
    const std::vector<std::string>& names = recording::picture_views();
    refuse_if(std::ranges::find(names, *options.view) == names.end(),
              {"no such view", "--view", core::quoted_list(names), "'" + *options.view + "'",
               "The first that the page has is shown without it."});
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
  refuse_if(!is_alone, {"an existing report can only be turned into pictures", "RESULT",
                        "one page, with --png and options for the picture only", "more than that",
                        "Make another page from the results it was made from."});
  const std::string& path = options.results.front();
  const report::RemadePage remade = study::read_page(path);
  refuse_if(view.name && std::ranges::find(remade.views, *view.name) == remade.views.end(),
            {"the report has no such view", "--view", core::quoted_list(remade.views),
             "'" + view.name.value_or("") + "'", "Choose one of these."});
  write_picture(*options.png, remade.html, view, recording::find_browser());
  const auto page_text = [&](const PageStyle& style) {
    TextPage page(style);
    page.title(study::file_name(path), "report");
    print_picture(page, options, view);
    return page.text();
  };
  presentation.show(stdout, page_text, [&] { return report_json(study::file_name(path), {}, options); });
}

void write_drawing(const std::string& file, const std::optional<std::string>& drawing) {
  refuse_if(!drawing, {"there is nothing to draw", "--svg", "results with columns, a study or a mechanism",
                       "none", "Give one of these beside it."});
  write_text_file(file, "the drawing", *drawing);
}

void run_report(const ReportOptions& options, const Presentation& presentation) {
  check_options(options);
  const PictureView view = read_view(options);
  const study::ReportFiles sorted = study::sort_report_files(options.results);
  if (!sorted.pages.empty()) {
    take_picture(options, view, presentation);
    return;
  }
  const char* const of_model = !options.set.set.empty()       ? "--set"
                               : !options.set.variant.empty() ? "--variant"
                               : !options.release.empty()     ? "--release"
                               : options.branch               ? "--branch"
                                                              : "";
  refuse_if(!sorted.model && *of_model != '\0',
            {"an option for a mechanism without a mechanism", of_model, "a mechanism file among the results",
             "none", "Add it, or leave the option out."});
  const std::string browser = options.png ? recording::find_browser() : "";
  TerminalObserver observer;
  std::optional<recording::ReportModel> model;
  if (sorted.model) {
    model::Mechanism loaded = cli::load_model(*sorted.model, options.set);
    naming(*sorted.model,
           [&] { model.emplace(std::move(loaded), options.release, options.branch, observer); });
  }
  const recording::ReportModel* const known = model ? &*model : nullptr;
  report::Report report = study::result_report(options.results, sorted, known, observer);
  if (options.title) report.title = *options.title;
  print_notes(report.notes);
  std::size_t html_bytes = 0;
  if (options.out || options.png) {
    const std::string html = page_of(report);
    html_bytes = html.size();
    if (options.out) write_text_file(*options.out, "the report", html);
    if (options.png) write_picture(*options.png, html, view, browser);
  }
  if (options.svg) write_drawing(*options.svg, study::drawing_of(report, known));
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
  add_text(*command, "--out", "FILE", options->out, "The page, .html: opens in any browser, offline");
  add_text(*command, "--png", "FILE", options->png, "Picture of its first view, .png; needs Chromium");
  add_text(*command, "--svg", "FILE", options->svg,
           "Plots of results and studies, or the structural diagram of a mechanism alone, .svg");
  begin_group(*command, "Page and picture");
  add_text(*command, "--title", "TEXT", options->title,
           "Title, instead of the name of the mechanism or of the first file");
  add_text(*command, "--size", "WIDTHxHEIGHT", options->size, "Size of the picture, in pixels [1280x720]");
  add_text(*command, "--time", "TIME", options->time, "Time that the picture shows [the beginning]");
  offer_words(
      add_text(*command, "--view", "NAME", options->view,
               "View that the picture shows: motion, structure, charts or numbers [the first available]"),
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
