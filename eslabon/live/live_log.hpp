#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "eslabon/io/files/result_writer.hpp"
#include "eslabon/live/live_ring.hpp"

namespace eslabon::live {

/// What became of the rows of a log.
struct LogReport {
  std::int64_t rows_written = 0;
  std::int64_t rows_dropped = 0;  ///< there was no room: the disk was too slow, or writing failed
  std::int64_t num_syncs = 0;
  double longest_sync = 0.0;         ///< [s]
  double longest_write = 0.0;        ///< of one piece of the file [s]
  std::int64_t rows_not_finite = 0;  ///< had a NaN or an infinity and were not written
  std::string error;                 ///< what the system said when writing failed; empty: it did not
  std::string sync_error;            ///< the same of bringing it to the disk
};

/// A log of rows that is written while a run goes on, by threads of its own: the thread that gives the rows never waits for the disk.
///
/// One thread takes rows from a ring every kWriteEvery, formats them and hands them to the system; from then on they outlive this
/// process, whatever ends it. Another asks the system every kSyncEvery to put them on the disk, where they outlive a failure of the
/// power. So `kill -9` loses what came in the last kWriteEvery, and a power cut what came in kSyncEvery and one sync.
///
/// The file has its name from the start: names, units, then rows as in every result file. Its last line may be cut off; all others are
/// complete.
class LiveLog {
 public:
  static constexpr double kWriteEvery = 0.02, kSyncEvery = 0.4;  ///< [s]
  static constexpr std::size_t kCapacity = 1 << 14;              ///< rows

  /// Creates the file and locks it; one of that name is emptied, unless another run is writing it, which is an error. `columns` are those beside the time `t` [s]; `capacity` rows, a power of two, can
  /// wait. Throws core::ModelError when it cannot be written.
  LiveLog(const std::string& path, const std::vector<io::ResultColumn>& columns,
          std::size_t capacity = kCapacity, io::HeaderStyle header = io::HeaderStyle::kTwoRows);
  /// Writes to what is open already; `name` is for messages. Closes it at the end.
  LiveLog(int file, std::string name, const std::vector<io::ResultColumn>& columns,
          std::size_t capacity = kCapacity, io::HeaderStyle header = io::HeaderStyle::kTwoRows);
  /// finish().
  ~LiveLog();
  LiveLog(const LiveLog&) = delete;
  LiveLog& operator=(const LiveLog&) = delete;

  /// The time [s] and the other columns, all in one. Never waits and never allocates: a row that finds no room or is
  /// not finite is counted. One thread only.
  void add(std::span<const double> row);
  std::size_t width() const { return rows_.width(); }

  /// Writes what is left, puts it on the disk and ends the threads. Rows added later are lost. What is stuck on a disk that does not answer
  /// makes it wait.
  void finish();
  /// As it stands after finish.
  const LogReport& report() const { return report_; }

 private:
  void start(const std::vector<io::ResultColumn>& columns, io::HeaderStyle style);
  void write_loop();
  void sync_loop();
  bool write_waiting();
  bool write_all(std::size_t size);
  void sync();

  std::string name_;
  int file_;
  LiveRows rows_;
  std::vector<char> text_;  ///< of the thread that writes
  std::atomic<std::int64_t> num_dropped_ = 0;
  std::int64_t num_not_finite_ = 0;           ///< of the thread that adds
  std::atomic<std::int64_t> num_pieces_ = 0;  ///< written so far
  std::atomic<bool> must_end_ = false, must_end_sync_ = false;
  LogReport report_;  ///< fields of writing by that thread, of syncing by the other
  std::thread writer_, syncer_;
};

}  // namespace eslabon::live
