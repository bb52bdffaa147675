#include "eslabon/recording/files/result_kind.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/files/read_line.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/report/page/page_template.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::recording {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& actual,
                       const std::string& what = "a report cannot show this") {
  throw io::FileError(
      {.what = what,
       .where = path,
       .expected =
           "a mechanism file or family:NAME, a result file of 'kinematics', 'simulate', 'inverse' or "
           "'estimate', a measurement file of 'sense', a folder of 'study', or a report for a picture of it",
       .actual = actual,
       .next = "Check the name."});
}

/// How many bytes the printable character at `at` has: of ASCII or well-formed UTF-8; 0: it is none.
std::size_t printable_bytes(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) {
    return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0U;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80U) return lead >= 0x20U && lead != 0x7fU ? 1 : 0;
  const std::size_t count = lead < 0xc2U ? 0 : lead < 0xe0U ? 2 : lead < 0xf0U ? 3 : lead < 0xf5U ? 4 : 0;
  for (std::size_t k = 1; k < count; ++k)
    if ((byte(k) & 0xc0U) != 0x80U) return 0;
  return lead == 0xc2U && byte(1) < 0xa0U ? 0 : count;  // U+0080 … U+009F are control characters too
}

/// The beginning of a line, on one line: bytes that are no text as \x1b.
std::string beginning_of(std::string_view line) {
  constexpr std::size_t kShown = 40;
  std::string text;
  std::size_t at = 0;
  while (at < line.size() && at < kShown) {
    const std::size_t count = printable_bytes(line, at);
    text += count > 0 ? std::string(line.substr(at, count))
                      : fmt::format("\\x{:02x}", static_cast<unsigned char>(line[at]));
    at += std::max<std::size_t>(count, 1);
  }
  return text + (at < line.size() ? "…" : "");
}

/// Whether a line begins so.
bool has_line(std::ifstream& file, const std::string& path, std::string_view beginning) {
  for (std::string line; io::read_line(file, path, line);)
    if (line.starts_with(beginning)) return true;
  return false;
}

/// Whether a text has the key that every mechanism file has, at the beginning of a line.
bool is_mechanism(std::ifstream& file, const std::string& path, std::string line) {
  constexpr std::size_t kMostLines = 10000;
  for (std::size_t k = 0; k < kMostLines; ++k) {
    if (line.starts_with("mechanism:")) return true;
    if (!io::read_line(file, path, line)) break;
  }
  return false;
}

ResultKind kind_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!file) fail(path, "one that may not be opened", "the file cannot be read");
  static_cast<void>(io::read_line(file, path, line));
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (line == "t,kind,what")
    fail(path,
         "the file of " + runs::field("events") + ": 'simulate " + runs::field("report") + "' marks them");
  if (line == "t" || line.starts_with("t,") || line.starts_with("t [s]")) {
    const std::string cells = line + ",";
    const bool has_deviations =
        cells.find(".sigma,") != std::string::npos || cells.find(".sigma [") != std::string::npos;
    return has_deviations ? ResultKind::kEstimate : ResultKind::kResult;
  }
  if (line == "t_ns" || line.starts_with("t_ns,") || line.starts_with("t_ns [ns]"))
    return ResultKind::kReadings;
  if (line == "<!doctype html>" && has_line(file, path, report::kDataElement)) return ResultKind::kPage;
  if (line.starts_with("point,")) fail(path, "a table of a study: give its folder");
  if (is_mechanism(file, path, line)) return ResultKind::kMechanism;
  fail(path, line.empty() ? "an empty first line" : "a first line '" + beginning_of(line) + "'");
}

}  // namespace

ResultKind result_kind(const std::string& path) {
  if (path.starts_with("family:") || path == io::kStandardInput) return ResultKind::kMechanism;
  std::error_code ignored;
  const std::filesystem::path file(path);
  if (!std::filesystem::exists(file, ignored)) fail(path, "nothing", "no such file or folder");
  if (!std::filesystem::is_directory(file, ignored)) return kind_of_file(path);
  if (!std::filesystem::exists(file / "summary.csv", ignored))
    fail(path, std::filesystem::exists(file / "journal", ignored)
                   ? "the folder of a study that is not complete"
                   : "a folder without summary.csv");
  return ResultKind::kStudy;
}

}  // namespace eslabon::recording
