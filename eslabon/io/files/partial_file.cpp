#include "eslabon/io/files/partial_file.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <type_traits>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/files/file_identity.hpp"
#include "eslabon/io/files/folder_sync.hpp"

namespace eslabon::io {

namespace {

constexpr std::size_t kBufferSize = 1 << 16;
constexpr int kDigits = 17;                // enough for every double to come back as it was
constexpr std::size_t kNumberSize = 32;    // of "-1.2345678901234567e-308"
constexpr std::size_t kLongestStem = 200;  // of a name that may have 255 characters, with what is added to it

/// A name that no other file of this process has, and hardly one of another.
std::string name_beside(const std::string& target) {
  static std::atomic<unsigned> count = 0;
  const std::filesystem::path path(target);
  const std::string stem = path.filename().string().substr(0, kLongestStem);
  const std::string name =
      stem + "." + std::to_string(getpid()) + "-" + std::to_string(count.fetch_add(1)) + ".partial";
  return (path.parent_path() / name).string();
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
    : path_(std::move(path)),
      target_(resolved_path(path_)),
      written_path_(target_),
      what_(std::move(what)),
      buffer_(kBufferSize) {
  struct stat before {};
  const bool is_there = stat(target_.c_str(), &before) == 0;
  if (!is_there && errno != ENOENT) throw FileError(trouble(what_, path_, errno));
  if (is_there && S_ISDIR(before.st_mode)) throw FileError(trouble(what_, path_, EISDIR));
  if (is_there && access(target_.c_str(), W_OK) != 0) throw FileError(trouble(what_, path_, errno));
  if (is_there && !S_ISREG(before.st_mode)) {
    open_target();
  } else {
    if (is_there) check_not_locked();
    create_beside_target();
    if (is_there) keep_mode_of(target_);
  }
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);  // buffer_ is the only buffer
}

/// A device or a pipe.
void PartialFile::open_target() {
  const int descriptor = ::open(target_.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) throw FileError(trouble(what_, path_, errno));
  file_.reset(fdopen(descriptor, "wb"));
  if (file_) return;
  const int error = errno;
  ::close(descriptor);
  fail(error);
}

void PartialFile::create_beside_target() {
  constexpr int kMostTries = 1000;  // names that others have left behind
  int descriptor = -1, error = EEXIST;
  for (int k = 0; k < kMostTries && error == EEXIST; ++k) {
    written_path_ = name_beside(target_);
    incomplete_.emplace(written_path_);  // before it is there: a signal may come as soon as it is
    descriptor = ::open(written_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    error = descriptor < 0 ? errno : 0;
    if (descriptor < 0) incomplete_.reset();
  }
  if (descriptor < 0) throw FileError(trouble(what_, path_, error));
  file_.reset(fdopen(descriptor, "wb"));
  if (file_) return;
  error = errno;
  ::close(descriptor);
  ::unlink(written_path_.c_str());
  incomplete_.reset();
  fail(error);
}

/// Mode, and owner as far as this user may give files away.
void PartialFile::keep_mode_of(const std::string& target) const {
  struct stat before {
  }, now{};
  const int descriptor = fileno(file_.get());
  if (stat(target.c_str(), &before) != 0 || fstat(descriptor, &now) != 0) return;
  if (before.st_uid != now.st_uid || before.st_gid != now.st_gid)
    static_cast<void>(fchown(descriptor, before.st_uid, before.st_gid) == 0);
  static_cast<void>(fchmod(descriptor, before.st_mode & 0777) == 0);
}

/// To rename a file over a live log would take it from who writes it.
void PartialFile::check_not_locked() const {
  const int descriptor = ::open(target_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;  // may be written but not read: then it is no log
  const bool is_locked = flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  if (is_locked)
    throw FileError({.what = what_ + " would replace a log that is being written",
                     .where = path_,
                     .expected = "a file that no other run is writing",
                     .actual = "the log of a live run that goes on",
                     .next = "Give another name, or wait for its end."});
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
  ::unlink(written_path_.c_str());
  incomplete_.reset();
}

void PartialFile::remove_all() noexcept {
  IncompleteName::visit_all([](const char* path) { ::unlink(path); });
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
  const bool is_beside = written_path_ != target_;
  try {
    if (is_beside && fsync(fileno(file_.get())) != 0 && errno != EINVAL && errno != ENOTSUP) fail(errno);
    if (std::fclose(file_.release()) != 0) fail(errno);  // a full disk may be noticed as late as here
    if (!is_beside) return;
    check_not_locked();  // a live run may have begun it meanwhile
    if (std::rename(written_path_.c_str(), target_.c_str()) != 0) fail(errno);
  } catch (...) {
    file_.reset();
    if (is_beside) ::unlink(written_path_.c_str());
    incomplete_.reset();
    throw;
  }
  incomplete_.reset();
  if (const int error = sync_folder_of(target_)) fail(error);
}

void PartialFile::fail(int error) const { throw WriteError(trouble(what_, path_, error)); }

void write_text_file(const std::string& path, const std::string& what, std::string_view text) {
  PartialFile file(path, what);
  file.append(text);
  file.finish();
}

}  // namespace eslabon::io
