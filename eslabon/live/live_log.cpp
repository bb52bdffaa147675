#include "eslabon/live/live_log.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/files/folder_sync.hpp"
#include "eslabon/live/blocked_signals.hpp"
#include "eslabon/live/step_clock.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::live {

namespace {

constexpr std::size_t kPiece = 1 << 16;  // [characters]
constexpr std::size_t kNumberSize = 32;  // of "-1.2345678901234567e-308" and a comma
constexpr double kNanoseconds = 1e-9;

[[noreturn]] void fail(const std::string& name, int error) {
  throw io::FileError({.what = "the log could not be written",
                       .where = name,
                       .expected = "a file that can be created",
                       .actual = std::generic_category().message(error),
                       .next = "Check that the folder exists and may be written to."});
}

/// Locks a log as long as it is open, and empties it then: nobody else is writing it. What the system says, or 0; pipes and devices have no
/// owner.
int take_over(int file) {
  struct stat status {};
  if (fstat(file, &status) != 0) return errno;
  if (!S_ISREG(status.st_mode)) return 0;
  if (flock(file, LOCK_EX | LOCK_NB) != 0) return errno;
  return ftruncate(file, 0) == 0 ? 0 : errno;
}

int create(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) fail(path, errno);
  if (const auto error = take_over(file)) {
    ::close(file);
    if (error == EWOULDBLOCK)
      throw io::FileError({.what = "another run is writing this log",
                           .where = path,
                           .expected = "one at a time",
                           .actual = "a log that is being written",
                           .next = "Give another " + runs::field("log") + ", or end the other run."});
    fail(path, error);
  }
  static_cast<void>(io::sync_folder_of(path));  // rows are synced later, and tell of errors then
  return file;
}

void sleep_for(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

}  // namespace

LiveLog::LiveLog(const std::string& path, const std::vector<io::ResultColumn>& columns, std::size_t capacity,
                 io::HeaderStyle header)
    : LiveLog(create(path), path, columns, capacity, header) {}

LiveLog::LiveLog(int file, std::string name, const std::vector<io::ResultColumn>& columns,
                 std::size_t capacity, io::HeaderStyle header)
    : name_(std::move(name)),
      file_(file),
      rows_(columns.size() + 1, capacity),
      text_(std::max(kPiece, (columns.size() + 1) * kNumberSize)) {
  start(columns, header);
}

LiveLog::~LiveLog() {
  finish();
  ::close(file_);
}

/// Names and units, and the threads.
void LiveLog::start(const std::vector<io::ResultColumn>& columns, io::HeaderStyle style) {
  const std::string header = io::result_header(columns, style);
  text_.resize(std::max(text_.size(), header.size()));
  std::copy(header.begin(), header.end(), text_.begin());
  if (!write_all(header.size())) {
    const int error = errno;
    ::close(file_);
    fail(name_, error);
  }
  const BlockedSignals blocked;  // they are for the threads that were there before
  try {
    writer_ = std::thread([this] { write_loop(); });
    syncer_ = std::thread([this] { sync_loop(); });
  } catch (...) {  // the machine has no more threads
    must_end_.store(true);
    if (writer_.joinable()) writer_.join();
    ::close(file_);
    throw;
  }
}

void LiveLog::add(std::span<const double> row) {
  if (!std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); }))
    ++num_not_finite_;
  else if (!rows_.push(row))
    num_dropped_.fetch_add(1, std::memory_order_relaxed);
}

void LiveLog::write_loop() {
  while (!must_end_.load()) {
    if (!write_waiting()) return;
    sleep_for(kWriteEvery);
  }
  static_cast<void>(write_waiting());
}

/// All rows that wait now. False when the system refuses to take them; what comes later finds no room, and is counted.
bool LiveLog::write_waiting() {
  std::size_t used = 0, num_rows = 0;
  for (std::span<const double> row = rows_.front(); !row.empty(); row = rows_.front()) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      const auto result = std::to_chars(text_.data() + used, text_.data() + text_.size(), row[k],
                                        std::chars_format::general, 17);
      used = static_cast<std::size_t>(result.ptr - text_.data());
      text_[used++] = k + 1 == row.size() ? '\n' : ',';
    }
    rows_.release();
    ++num_rows;
    if (text_.size() - used >= rows_.width() * kNumberSize) continue;
    if (!write_all(used)) return num_dropped_.fetch_add(static_cast<std::int64_t>(num_rows)), false;
    report_.rows_written += static_cast<std::int64_t>(num_rows);
    used = num_rows = 0;
  }
  if (used == 0) return true;
  if (!write_all(used)) return num_dropped_.fetch_add(static_cast<std::int64_t>(num_rows)), false;
  report_.rows_written += static_cast<std::int64_t>(num_rows);
  return true;
}

/// The first so many characters of text_. False, with errno, when they could not be written.
bool LiveLog::write_all(std::size_t size) {
  const std::int64_t begin = monotonic_now();
  for (std::size_t done = 0; done < size;) {
    const ssize_t count = ::write(file_, text_.data() + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      report_.error = std::generic_category().message(errno);
      return false;
    }
    done += static_cast<std::size_t>(count);
  }
  report_.longest_write =
      std::max(report_.longest_write, kNanoseconds * static_cast<double>(monotonic_now() - begin));
  num_pieces_.fetch_add(1);
  return true;
}

void LiveLog::sync_loop() {
  constexpr double kNap = 0.05;  // [s] so that finish does not wait for long
  std::int64_t synced = 0;
  for (double waited = 0.0; !must_end_sync_.load(); waited += kNap) {
    if (waited >= kSyncEvery && num_pieces_.load() != synced) {
      synced = num_pieces_.load();
      sync();
      waited = 0.0;
    }
    sleep_for(kNap);
  }
  sync();
}

/// Pipes and devices know no such thing, and say EINVAL.
void LiveLog::sync() {
  const std::int64_t begin = monotonic_now();
  if (::fdatasync(file_) != 0) {
    if (errno != EINVAL && errno != EROFS) report_.sync_error = std::generic_category().message(errno);
    return;
  }
  ++report_.num_syncs;
  report_.longest_sync =
      std::max(report_.longest_sync, kNanoseconds * static_cast<double>(monotonic_now() - begin));
}

void LiveLog::finish() {
  if (!writer_.joinable()) return;
  must_end_.store(true);
  writer_.join();
  must_end_sync_.store(true);
  syncer_.join();
  report_.rows_not_finite = num_not_finite_;
  // What a failed thread left waits still.
  report_.rows_dropped = num_dropped_.load() + static_cast<std::int64_t>(rows_.size());
}

}  // namespace eslabon::live
