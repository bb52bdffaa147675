#include "eslabon/io/partial_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <type_traits>
#include <utility>

#include "eslabon/io/file_error.hpp"

namespace eslabon::io {

namespace {

constexpr std::size_t kBufferSize = 1 << 16;
constexpr int kDigits = 17;              // enough for every double to come back as it was
constexpr std::size_t kNumberSize = 32;  // of "-1.2345678901234567e-308"
constexpr const char* kPartial = ".partial";

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

core::ErrorText trouble(const std::string& what, const std::string& path, int error) {
  return {.what = what + " could not be written",
          .where = path,
          .expected = "a file that can be created, and room for it",
          .actual = std::generic_category().message(error),
          .next = "Check that the folder exists, may be written to and has space left."};
}

}  // namespace

PartialFile::PartialFile(std::string path, std::string what)
    : path_(std::move(path)), target_(resolve(path_)), what_(std::move(what)), buffer_(kBufferSize) {
  std::error_code ignored;
  if (std::filesystem::is_directory(target_, ignored)) throw FileError(trouble(what_, path_, EISDIR));
  written_path_ = is_special(target_) ? target_ : target_ + kPartial;
  file_.reset(std::fopen(written_path_.c_str(), "wb"));
  if (!file_) throw FileError(trouble(what_, path_, errno));
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);  // buffer_ is the only buffer
}

PartialFile::PartialFile(std::FILE* file, std::string name, std::string what)
    : path_(std::move(name)),
      target_(path_),
      written_path_(path_),
      what_(std::move(what)),
      buffer_(kBufferSize),
      file_(file) {
  if (!file_) fail(errno);
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
}

PartialFile::~PartialFile() {
  if (!file_ || written_path_ == target_) return;
  file_.reset();
  std::error_code ignored;
  std::filesystem::remove(written_path_, ignored);
}

void PartialFile::append(std::string_view text) {
  while (!text.empty()) {
    if (used_ == buffer_.size()) flush();
    const std::size_t size = std::min(text.size(), buffer_.size() - used_);
    std::memcpy(buffer_.data() + used_, text.data(), size);
    used_ += size;
    text.remove_prefix(size);
  }
}

void PartialFile::append(char character) { append(std::string_view(&character, 1)); }

template <class Number>
void PartialFile::append_number(Number value) {
  if (buffer_.size() - used_ < kNumberSize) flush();
  char* const begin = buffer_.data() + used_;
  char* const end = buffer_.data() + buffer_.size();
  std::to_chars_result result{};
  if constexpr (std::is_integral_v<Number>)
    result = std::to_chars(begin, end, value);
  else
    result = std::to_chars(begin, end, value, std::chars_format::general, kDigits);
  used_ = static_cast<std::size_t>(result.ptr - buffer_.data());
}

void PartialFile::append(double value) { append_number(value); }
void PartialFile::append(std::int64_t value) { append_number(value); }

void PartialFile::flush() {
  if (std::fwrite(buffer_.data(), 1, used_, file_.get()) != used_) fail(errno);
  used_ = 0;
}

void PartialFile::finish() {
  if (!file_) return;
  flush();
  if (std::fflush(file_.get()) != 0) fail(errno);
  // A full disk may be noticed as late as here.
  if (std::fclose(file_.release()) != 0) {
    const int error = errno;
    if (written_path_ != target_) std::remove(written_path_.c_str());
    fail(error);
  }
  if (written_path_ == target_) return;
  std::error_code error;
  std::filesystem::rename(written_path_, target_, error);
  if (!error) return;
  std::remove(written_path_.c_str());
  fail(error.value());
}

void PartialFile::fail(int error) const { throw core::ModelError(trouble(what_, path_, error)); }

}  // namespace eslabon::io
