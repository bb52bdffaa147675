#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/study/study_plan.hpp"

namespace eslabon::study {

/// What came out for one output of a try.
struct OutputResult {
  double start = 0.0;     ///< true value at the start
  double end = 0.0;       ///< true value at the end
  double estimate = 0.0;  ///< at the end
  double sigma = 0.0;     ///< deviation that the filter gives it
  double error = 0.0;     ///< estimate − end; angles: within ± half a turn
  double rmse = 0.0;      ///< over the last part

  friend bool operator==(const OutputResult&, const OutputResult&) = default;
};

/// What came out of one try.
struct TryResult {
  enum class Outcome { kConverged, kNotConverged, kFailed };
  TryIndex index;
  Outcome outcome = Outcome::kFailed;
  std::vector<OutputResult> outputs = {};  ///< (criteria); none of a failed try
  std::int64_t steps = 0;                  ///< of the filter
  double simulated = 0.0;                  ///< how long they are together [s]
  double wall = 0.0;                       ///< how long they took [s]; differs from run to run
  std::string message = {};                ///< of a failed try: why

  friend bool operator==(const TryResult&, const TryResult&) = default;
};

/// Whose results a journal has: another study, model or build would give others.
struct JournalOwner {
  std::uint64_t study = 0;  ///< hash of what the study file means
  std::uint64_t model = 0;  ///< hash of the mechanism
  std::string build = {};   ///< of the program, in words without line breaks
};

/// A result as a line with its checksum, without '\n', and back; nothing for a line that is not whole. Numbers come back bit for bit.
std::string journal_line(const TryResult& result);
std::optional<TryResult> read_journal_line(std::string_view line);

/// Throws io::FileError, which names the journal `path`, for a result that no try of the study can have: another number of outputs,
/// numbers that are not finite, a try that is not in the plan. A crash leaves no such line; who wrote it is not known.
void check_journal_result(const TryResult& result, const StudyPlan& plan, const std::string& path);

/// The file in which a study keeps what is done, one line per try. A line is handed to the system as soon as the try is over, so that the
/// end of the program, whatever its kind, loses no try that was over; sync() makes the same true for the end of the machine. Lines
/// that are not whole, as a crash leaves them, are left out.
class StudyJournal {
 public:
  /// Opens the journal of this owner, or begins one; `is_fresh`: begins one in any case. Throws core::ModelError, which names what is another,
  /// when it is of another study, model or build, when another program is writing it, and when it cannot be written.
  StudyJournal(std::string path, const JournalOwner& owner, bool is_fresh);
  ~StudyJournal();
  StudyJournal(const StudyJournal&) = delete;
  StudyJournal& operator=(const StudyJournal&) = delete;

  const std::vector<TryResult>& found() const { return found_; }  ///< what stood in it when it was opened
  /// The same of a plan, the first result of each try; `is_done`: (plan.size()) by StudyPlan::place_of. Throws as check_journal_result.
  std::vector<TryResult> found_of(const StudyPlan& plan, std::vector<bool>& is_done) const;
  std::size_t num_torn() const { return num_torn_; }  ///< lines that were left out

  /// From any thread.
  void append(const TryResult& result);
  /// Waits until all lines are on the disk.
  void sync();

 private:
  void open(bool is_fresh);
  void read(const JournalOwner& owner);
  void check_owner(std::string_view line, const JournalOwner& owner) const;
  void write(const std::string& text);
  [[noreturn]] void fail(int error) const;

  std::string path_;
  int file_ = -1;
  bool has_new_ = false;  ///< since the last sync
  std::vector<TryResult> found_;
  std::size_t num_torn_ = 0;
  std::mutex mutex_;
};

}  // namespace eslabon::study
