#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "eslabon/io/files/result_writer.hpp"
#include "eslabon/live/live_log.hpp"
#include "eslabon/live/live_ring.hpp"

namespace eslabon::live {

/// Rows for who reads the standard output, at once and by a thread of its own: the thread that gives the rows never waits for the reader,
/// however long a row is. Rows that find no room because nobody reads are dropped and counted.
class LivePrinter {
 public:
  static constexpr std::size_t kCapacity = 1024;  ///< rows
  static constexpr double kPatience =
      1.0;  ///< [s] so long a reader that does not read is waited for at the end

  /// Writes names, units and then rows to an open file, such as 1. `columns` are those beside the time `t` [s]. Does not close it.
  LivePrinter(int file, const std::vector<io::ResultColumn>& columns, io::HeaderStyle header,
              std::size_t capacity = kCapacity);
  /// finish().
  ~LivePrinter();
  LivePrinter(const LivePrinter&) = delete;
  LivePrinter& operator=(const LivePrinter&) = delete;

  /// The time [s] and the other columns, all in one. Never waits and never allocates. One thread only.
  void add(std::span<const double> row);
  /// Writes what is left and ends the thread; of a row that a reader took in part, the rest is lost when it takes no more for kPatience.
  void finish();
  /// As it stands after finish.
  const LogReport& report() const { return report_; }

 private:
  void loop();
  std::size_t format(std::span<const double> row);
  bool write_all(std::size_t size);
  bool can_write() const;

  int file_;
  LiveRows rows_;
  std::vector<char> text_;                    ///< of the thread
  std::atomic<std::uint32_t> num_calls_ = 0;  ///< rows added, and the end: what the thread waits for
  std::atomic<bool> must_end_ = false;
  std::int64_t num_dropped_ = 0, num_not_finite_ = 0;  ///< of the thread that adds
  LogReport report_;
  std::thread thread_;
};

}  // namespace eslabon::live
