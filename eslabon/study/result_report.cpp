#include "eslabon/study/result_report.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "eslabon/io/drawings/structure_drawing.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/recording/facts/output_table.hpp"
#include "eslabon/recording/files/result_kind.hpp"
#include "eslabon/recording/pages/motion_report.hpp"
#include "eslabon/recording/pages/report_drawing.hpp"
#include "eslabon/recording/pages/report_structure.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/study/study_report.hpp"

namespace eslabon::study {

namespace {

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

void add_recordings(report::Report& report, const ReportFiles& sorted, const recording::ResultModel* model,
                    runs::RunObserver& observer) {
  using Role = report::Recording::Role;
  std::vector<std::string> paths;
  const auto add = [&](const std::string& path, report::Recording recording) {
    paths.push_back(path);
    report.recordings.push_back(std::move(recording));
  };
  const Role of_results = sorted.estimates.empty() ? Role::kMotion : Role::kTruth;
  for (const std::string& path : sorted.results)
    add(path, recording::read_recording(path, of_results, model, report.notes, observer));
  for (const std::string& path : sorted.estimates)
    add(path, recording::read_recording(path, Role::kEstimate, model, report.notes, observer));
  for (const std::string& path : sorted.readings)
    add(path, recording::read_readings(path, model, report.notes));
  const std::vector<std::string> names = names_of(paths);
  for (std::size_t k = 0; k < names.size(); ++k) report.recordings[k].name = names[k];
}

/// With the name of its folder before titles where there are several.
void add_studies(report::Report& report, const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    const std::size_t charts = report.charts.size(), tables = report.tables.size();
    add_study(report, read_study_table((std::filesystem::path(folder) / "summary.csv").string()));
    if (folders.size() == 1) continue;
    for (std::size_t k = charts; k < report.charts.size(); ++k)
      report.charts[k].title = file_name(folder) + ": " + report.charts[k].title;
    for (std::size_t k = tables; k < report.tables.size(); ++k)
      report.tables[k].title = file_name(folder) + ": " + report.tables[k].title;
  }
}

}  // namespace

ReportFiles sort_report_files(const std::vector<std::string>& files) {
  using recording::ResultKind;
  ReportFiles sorted;
  const auto list_of = [&](ResultKind kind) -> std::vector<std::string>& {
    switch (kind) {
      case ResultKind::kResult:
        return sorted.results;
      case ResultKind::kEstimate:
        return sorted.estimates;
      case ResultKind::kReadings:
        return sorted.readings;
      case ResultKind::kStudy:
        return sorted.studies;
      case ResultKind::kMechanism:
      case ResultKind::kPage:
        break;
    }
    return sorted.pages;
  };
  for (const std::string& file : files) {
    const ResultKind kind = recording::result_kind(file);
    if (kind != ResultKind::kMechanism) {
      list_of(kind).push_back(file);
      continue;
    }
    if (sorted.model)
      throw runs::RequestError({.what = "two mechanisms",
                                .where = "RESULT",
                                .expected = "one mechanism, with results of its motion",
                                .actual = "'" + *sorted.model + "' and '" + file + "'",
                                .next = "Make a report of each."});
    sorted.model = file;
  }
  return sorted;
}

report::Report result_report(const std::vector<std::string>& files, const ReportFiles& sorted,
                             const recording::ReportModel* model, runs::RunObserver& observer) {
  report::Report report;
  std::optional<recording::ResultModel> known;
  if (model != nullptr) {
    report = recording::report_of(model->mechanism(), model->structure(), model->placement());
    known.emplace(model->result_model());
  }
  if (report.title.empty()) report.title = file_name(files.front());
  add_recordings(report, sorted, known ? &*known : nullptr, observer);
  if (model != nullptr && std::ranges::none_of(report.recordings, [](const report::Recording& one) {
        return one.motion.has_value();
      }))
    if (auto start = recording::start_recording(model->placement().bodies))
      report.recordings.push_back(std::move(*start));
  add_studies(report, sorted.studies);
  recording::add_output_tables(report);
  std::string names;
  for (const std::string& path : files)
    if (path != sorted.model) names += (names.empty() ? "from " : ", ") + file_name(path);
  report.subtitle = names.empty() ? "structure and start position" : names;
  return report;
}

std::optional<std::string> drawing_of(const report::Report& report, const recording::ReportModel* model) {
  if (recording::has_plots(report)) return recording::plots_svg(report);
  if (model == nullptr) return std::nullopt;
  return io::structural_diagram_svg(model->mechanism(), model->structure());
}

report::RemadePage read_page(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::optional<report::RemadePage> page =
      report::remade_page(std::string{std::istreambuf_iterator<char>(file), {}});
  if (page) return std::move(*page);
  throw io::FileError({.what = "this page is not a report",
                       .where = path,
                       .expected = "a page that eslabon made",
                       .actual = "another, or one of another version",
                       .next = "Make it again from its results."});
}

std::string file_name(const std::string& path) {
  const std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
  return (normal.has_filename() ? normal : normal.parent_path()).filename().string();
}

}  // namespace eslabon::study
