#include "result_kind.hpp"

#include <filesystem>
#include <fstream>

#include "eslabon/core/error.hpp"
#include "eslabon/io/quantity.hpp"
#include "eslabon/report/page_template.hpp"

namespace eslabon::cli {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& actual) {
  throw core::ModelError(
      {.what = "this is nothing that a report can show",
       .where = path,
       .expected =
           "a mechanism file or family:NAME, a result file of 'kinematics', 'simulate', 'inverse' or "
           "'estimate', a measurement file of 'sense', a folder of 'study', or a report for a picture of it",
       .actual = actual,
       .next = "Check the name."});
}

/// Whether a line begins so.
bool has_line(std::ifstream& file, std::string_view beginning) {
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(beginning)) return true;
  return false;
}

/// Whether a text has the key that every mechanism file has, at the beginning of a line.
bool is_mechanism(std::ifstream& file, std::string line) {
  constexpr std::size_t kMostLines = 10000;
  for (std::size_t k = 0; k < kMostLines; ++k) {
    if (line.starts_with("mechanism:")) return true;
    if (!std::getline(file, line)) break;
  }
  return false;
}

ResultKind kind_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!file) fail(path, "a file that cannot be read");
  std::getline(file, line);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (line == "t,kind,what") fail(path, "the file of --events: 'simulate --report' marks them");
  if (line == "t" || line.starts_with("t,"))
    return (line + ",").find(".sigma,") == std::string::npos ? ResultKind::kResult : ResultKind::kEstimate;
  if (line == "t_ns" || line.starts_with("t_ns,")) return ResultKind::kReadings;
  if (line == "<!doctype html>" && has_line(file, report::kDataElement)) return ResultKind::kPage;
  if (line.starts_with("point,")) fail(path, "a table of a study: give its folder");
  if (is_mechanism(file, line)) return ResultKind::kMechanism;
  constexpr std::size_t kShown = 40;
  fail(path, line.empty() ? "an empty first line"
                          : "a first line " +
                                io::in_quotes(line.substr(0, kShown) + (line.size() > kShown ? "…" : "")));
}

}  // namespace

ResultKind result_kind(const std::string& path) {
  if (path.starts_with("family:")) return ResultKind::kMechanism;
  std::error_code ignored;
  const std::filesystem::path file(path);
  if (!std::filesystem::exists(file, ignored)) fail(path, "no such file or folder");
  if (!std::filesystem::is_directory(file, ignored)) return kind_of_file(path);
  if (!std::filesystem::exists(file / "summary.csv", ignored))
    fail(path, std::filesystem::exists(file / "journal", ignored)
                   ? "the folder of a study that is not complete"
                   : "a folder without summary.csv");
  return ResultKind::kStudy;
}

}  // namespace eslabon::cli
