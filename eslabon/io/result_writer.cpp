#include "eslabon/io/result_writer.hpp"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "eslabon/core/error.hpp"
#include "eslabon/core/number_text.hpp"

namespace eslabon::io {

namespace {

constexpr std::size_t kBufferSize = 1 << 16;
constexpr int kDigits = 17;              // enough for every double to come back as it was
constexpr std::size_t kNumberSize = 32;  // of "-1.2345678901234567e-308" and a comma
constexpr const char* kPartial = ".partial";

/// The names or the units of all columns, as one row.
template <class Text>
std::string header_row(const char* first, const std::vector<ResultColumn>& columns, Text text) {
  std::string row = first;
  for (const ResultColumn& column : columns) row += "," + column.*text;
  return row + "\n";
}

void check_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return;
  throw core::ContractError({.what = "a column cannot have this name or unit",
                             .where = "ResultWriter",
                             .expected = "a text without commas, quotes and line breaks",
                             .actual = "'" + text + "'",
                             .next = "Take names and units from layer model."});
}

/// Whether there is something under this name that must not be replaced by a file: a device, a pipe, or a
/// link to one, such as /dev/stdout.
bool is_special(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

/// Where the complete file goes. A link to a file stays a link; what it points to is replaced.
std::string resolve(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_symlink(path, ignored)) return path;
  const auto target = std::filesystem::weakly_canonical(path, ignored);
  return target.empty() ? path : target.string();  // empty: a link to what has no name, such as a pipe
}

}  // namespace

std::vector<ResultColumn> result_columns(const model::Mechanism& mechanism) {
  std::vector<ResultColumn> columns;
  for (const model::Variable& output : mechanism.outputs())
    columns.push_back({model::name(mechanism, output), std::string(model::unit(mechanism, output))});
  columns.push_back({"energy", "J"});
  columns.push_back({"constraint_error", "m"});
  return columns;
}

ResultWriter::ResultWriter(std::string path, const std::vector<ResultColumn>& columns)
    : path_(std::move(path)), target_(resolve(path_)) {
  start(columns);
  std::error_code ignored;
  if (std::filesystem::is_directory(target_, ignored)) fail_write(EISDIR);
  written_path_ = is_special(target_) ? target_ : target_ + kPartial;
  file_.reset(std::fopen(written_path_.c_str(), "wb"));
  if (!file_) fail_write(errno);
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);  // buffer_ is the only buffer
}

ResultWriter::ResultWriter(std::FILE* file, std::string name, const std::vector<ResultColumn>& columns)
    : path_(std::move(name)), target_(path_), written_path_(path_), file_(file) {
  if (!file_) fail_write(errno);
  start(columns);
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
}

/// Names and units, into the buffer.
void ResultWriter::start(const std::vector<ResultColumn>& columns) {
  for (const ResultColumn& column : columns) {
    check_text(column.name);
    check_text(column.unit);
    names_.push_back(column.name);
  }
  const std::string header =
      header_row("t", columns, &ResultColumn::name) + header_row("s", columns, &ResultColumn::unit);
  buffer_.assign(header.begin(), header.end());
  buffer_.resize(header.size() + kBufferSize);
  used_ = header.size();
}

ResultWriter::~ResultWriter() {
  if (!file_ || written_path_ == target_) return;
  file_.reset();
  std::error_code ignored;
  std::filesystem::remove(written_path_, ignored);
}

void ResultWriter::write_row(double t, std::span<const double> values) {
  if (!file_ || values.size() != names_.size())
    throw core::ContractError(
        {.what = file_ ? "a row of another length" : "a row after the end",
         .where = "ResultWriter::write_row",
         .expected = file_ ? std::to_string(names_.size()) + " values beside the time" : "rows before finish",
         .actual = std::to_string(values.size()),
         .next = "Write one value per column, and no row after finish."});
  for (std::size_t k = 0; k <= values.size(); ++k) {
    const double value = k == 0 ? t : values[k - 1];
    if (std::isfinite(value)) continue;
    throw core::ModelError(
        {.what = "a result is not a number",
         .where = "column '" + (k == 0 ? "t" : names_[k - 1]) + "', t = " + core::number_text(t) + " s",
         .expected = "a finite number",
         .actual = core::number_text(value),
         .next = "Look at what the mechanism does just before, or try a smaller step."});
  }
  append(t);
  for (const double value : values) {
    buffer_[used_++] = ',';
    append(value);
  }
  buffer_[used_++] = '\n';
}

/// %.17g of the C locale, and room for one character after it.
void ResultWriter::append(double value) {
  if (buffer_.size() - used_ < kNumberSize) flush();
  char* const end = buffer_.data() + buffer_.size();
  const auto result = std::to_chars(buffer_.data() + used_, end, value, std::chars_format::general, kDigits);
  used_ = static_cast<std::size_t>(result.ptr - buffer_.data());
}

void ResultWriter::flush() {
  if (std::fwrite(buffer_.data(), 1, used_, file_.get()) != used_) fail_write(errno);
  used_ = 0;
}

void ResultWriter::finish() {
  if (!file_) return;
  flush();
  if (std::fflush(file_.get()) != 0) fail_write(errno);
  // A full disk may be noticed as late as here.
  if (std::fclose(file_.release()) != 0) {
    const int error = errno;
    if (written_path_ != target_) std::remove(written_path_.c_str());
    fail_write(error);
  }
  if (written_path_ == target_) return;
  std::error_code error;
  std::filesystem::rename(written_path_, target_, error);
  if (!error) return;
  std::remove(written_path_.c_str());
  fail_write(error.value());
}

void ResultWriter::fail_write(int error) const {
  throw core::ModelError({.what = "the results could not be written",
                          .where = path_,
                          .expected = "a file that can be created, and room for it",
                          .actual = std::generic_category().message(error),
                          .next = "Check that the folder exists, may be written to and has space left."});
}

}  // namespace eslabon::io
