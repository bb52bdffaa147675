#include "eslabon/live/live_printer.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cmath>
#include <string>
#include <system_error>

#include <poll.h>
#include <unistd.h>

#include "eslabon/live/blocked_signals.hpp"
#include "eslabon/live/step_clock.hpp"

namespace eslabon::live {

namespace {

constexpr std::size_t kCellSize = 32;    // of "-1.2345678901234567e-308" and a comma
constexpr int kLook = 50;                // [ms] to look whether to end
constexpr std::size_t kPart = PIPE_BUF;  // a pipe that can be written to has room for so much [characters]

}  // namespace

LivePrinter::LivePrinter(int file, const std::vector<io::ResultColumn>& columns, io::HeaderStyle header,
                         std::size_t capacity)
    : file_(file), rows_(columns.size() + 1, capacity), text_(kCellSize * (columns.size() + 1)) {
  const std::string head = io::result_header(columns, header);
  text_.resize(std::max(text_.size(), head.size()));
  std::copy(head.begin(), head.end(), text_.begin());
  const BlockedSignals blocked;
  thread_ = std::thread([this, size = head.size()] {
    if (write_all(size)) loop();
  });
}

LivePrinter::~LivePrinter() { finish(); }

void LivePrinter::add(std::span<const double> row) {
  if (!std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); })) {
    ++num_not_finite_;
  } else if (!rows_.push(row)) {
    ++num_dropped_;
  } else {
    num_calls_.fetch_add(1);
    num_calls_.notify_one();
  }
}

void LivePrinter::loop() {
  for (std::uint32_t seen = 0;; num_calls_.wait(seen)) {
    seen = num_calls_.load();
    for (std::span<const double> row = rows_.front(); !row.empty(); row = rows_.front()) {
      const std::size_t size = format(row);
      if (!write_all(size)) return;
      rows_.release();
      ++report_.rows_written;
    }
    if (must_end_.load() && seen == num_calls_.load()) return;
  }
}

std::size_t LivePrinter::format(std::span<const double> row) {
  char* at = text_.data();
  for (const double value : row) {
    at = std::to_chars(at, text_.data() + text_.size(), value).ptr;
    *at++ = ',';
  }
  *(at - 1) = '\n';
  return static_cast<std::size_t>(at - text_.data());
}

/// Waits until the reader takes something. False when it took nothing for kPatience at the end.
bool LivePrinter::can_write() const {
  std::int64_t begin = monotonic_now();
  for (;;) {
    pollfd wanted{file_, POLLOUT, 0};
    if (::poll(&wanted, 1, kLook) == 1) return true;  // errors are told by writing
    if (!must_end_.load()) begin = monotonic_now();
    if (static_cast<double>(monotonic_now() - begin) > 1e9 * kPatience) return false;
  }
}

/// The first so many characters of text_, in parts that a reader who has read something has room for. False when they could not be written.
bool LivePrinter::write_all(std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    if (!can_write()) return false;
    const ssize_t count = ::write(file_, text_.data() + done, std::min(kPart, size - done));
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) {
      report_.error = std::generic_category().message(errno);
      return false;
    }
    done += static_cast<std::size_t>(count);
  }
  return true;
}

void LivePrinter::finish() {
  if (thread_.joinable()) {
    must_end_.store(true);
    num_calls_.fetch_add(1);
    num_calls_.notify_one();
    thread_.join();
  }
  report_.rows_not_finite = num_not_finite_;
  report_.rows_dropped = num_dropped_ + static_cast<std::int64_t>(rows_.size());
}

}  // namespace eslabon::live
